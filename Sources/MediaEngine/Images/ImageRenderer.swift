import LibAV
import MediaTime

/// Makes a picture of a frame: the aperture, the turn, the size, the colour, the file.
///
/// It keeps the converter's setup from one picture to the next; one thread at a time.
final class ImageRenderer {
  private let configuration: ImageGenerator.Configuration
  private var converter = PictureConverter()

  init(configuration: ImageGenerator.Configuration) { self.configuration = configuration }

  func render(
    _ frame: borrowing Frame, of media: TrackMedia, moment: ImageMoment, kind: ImageOutput.Kind,
    output: ImageOutput, interrupt: Interrupt
  ) throws(EngineError) -> GeneratedImage {
    let stream = media.stream
    let orientation =
      configuration.appliesPreferredTrackTransform
      ? (stream.preferredTransform.orientation ?? .up) : .up
    let size = shownSize(of: frame, stream: stream, orientation: orientation)
    return try naming(.convert, path: media.path) { () throws(LibAVError) in
      switch kind {
      case .raw(let format):
        let layout = try PictureLayout(width: size.width, height: size.height, format: format)
        let block = try converter.convert(
          frame, to: layout, color: PictureColor(of: frame, as: format),
          orientation: orientation,
          allocator: output.destination.allocator, interrupt: interrupt)
        return GeneratedImage(
          width: size.width, height: size.height, data: MediaData(block: block),
          planes: layout.planes.map(PicturePlane.init), mimeType: "application/octet-stream",
          moment: moment)
      case .encoded(let format):
        let hasAlpha = frame.pixelFormat.hasAlpha || frame.pixelFormat.hasPalette
        let layout = try PictureLayout(
          width: size.width, height: size.height, format: format.pixelFormat(hasAlpha: hasAlpha))
        let picture = try converter.frame(
          from: frame, to: layout, color: layout.format.isRGB ? .rgb : .jpeg,
          orientation: orientation)
        let block = try format.encode(
          picture, quality: output.quality, allocator: output.destination.allocator,
          interrupt: interrupt)
        return GeneratedImage(
          width: size.width, height: size.height, data: MediaData(block: block),
          mimeType: format.mimeType, moment: moment)
      }
    }
  }

  /// The size to make, after the turn: the aperture's, scaled down into the maximum's box.
  private func shownSize(
    of frame: borrowing Frame, stream: StreamInfo, orientation: Orientation
  ) -> (width: Int, height: Int) {
    var width = Double(frame.width)
    var height = Double(frame.height)
    let ratio =
      stream.sampleAspectRatio.isPositive
      ? stream.sampleAspectRatio : frame.sampleAspectRatio
    if configuration.apertureMode != .encodedPixels, ratio.isPositive {
      width = (width * ratio.doubleValue).rounded(.toNearestOrAwayFromZero)
    }
    if orientation.swapsAxes { swap(&width, &height) }
    var scale = 1.0
    let box = configuration.maximumSize
    if box.width > 0 { scale = min(scale, box.width / width) }
    if box.height > 0 { scale = min(scale, box.height / height) }
    func scaled(_ length: Double) -> Int {
      max(1, Int(min(65535, (length * scale).rounded(.toNearestOrAwayFromZero))))
    }
    return (scaled(width), scaled(height))
  }
}
