import LibAV
import MediaTime
import SystemIO

/// Makes a picture of a frame: the aperture, the turn, the size, the colour, the file.
///
/// It keeps the converter's setup from one picture to the next; one thread at a time.
final class ImageRenderer {
  private let configuration: ImageGenerator.Configuration
  private var converter = PictureConverter()

  init(configuration: ImageGenerator.Configuration) { self.configuration = configuration }

  /// - Parameter format: what the frame was decoded from; without a description of video there is no
  ///   clean aperture, and HDR counts as mastered at 1000 nits.
  func render(
    _ frame: borrowing Frame, of format: TrackFormat, moment: ImageMoment, kind: ImageOutput.Kind,
    output: ImageOutput
  ) throws(EngineError) -> GeneratedImage {
    let drawing = drawing(of: frame, format.stream, format.video)
    try requireColors(of: frame, kind, drawing, path: format.path)
    guard drawing.geometry.isReasonable else {
      throw EngineError(
        .limitExceeded,
        "The pictures of '\(format.path)', of \(frame.width) × \(frame.height) pixels, would be too "
          + "large in the shape that the file gives them",
        advice: .limitImageSize, path: format.path, stage: .convert)
    }
    return try mapErrors(.convert, path: format.path) { () throws(LibAVError) in
      switch kind {
      case .raw(let format):
        return try drawRaw(frame, drawing, format: format, moment: moment, output: output)
      case .encoded(let format):
        return try drawFile(frame, drawing, format: format, moment: moment, output: output)
      }
    }
  }

  /// All that is decided before the first pixel is touched.
  private struct Drawing {
    var geometry: ImageGeometry
    var orientation: Orientation
    var toneMap: ToneMap?
  }

  private func drawing(
    of frame: borrowing Frame, _ stream: StreamInfo, _ video: FormatDescription.Video?
  ) -> Drawing {
    let orientation =
      configuration.appliesPreferredTrackTransform
      ? (stream.preferredTransform.orientation ?? .up) : .up
    let geometry = ImageGeometry(
      width: frame.width, height: frame.height,
      aspectRatio: stream.sampleAspectRatio.isPositive
        ? stream.sampleAspectRatio : frame.sampleAspectRatio,
      cleanAperture: video?.cleanAperture, mode: configuration.apertureMode,
      orientation: orientation, maximumSize: configuration.maximumSize)
    let source = configuration.dynamicRangePolicy == .forceSDR ? toneMapSource(frame, video) : nil
    return Drawing(
      geometry: geometry, orientation: orientation, toneMap: source.map(ToneMap.shared))
  }

  private func drawRaw(
    _ frame: borrowing Frame, _ drawing: Drawing, format: PixelFormat, moment: ImageMoment,
    output: ImageOutput
  ) throws(LibAVError) -> GeneratedImage {
    let (width, height) = (drawing.geometry.width, drawing.geometry.height)
    let layout = try PictureLayout(width: width, height: height, format: format)
    var color = PictureColor(of: frame, as: format)
    if drawing.toneMap != nil, !format.isRGB {
      color = PictureColor(matrix: PictureColor.bt709, isFullRange: format.isGray)
    }
    let made = try converter.convert(
      frame, to: layout, color: color, orientation: drawing.orientation,
      crop: drawing.geometry.crop, toneMap: drawing.toneMap,
      allocator: output.destination.allocator)
    return GeneratedImage(
      width: width, height: height, data: DataBuffer(block: made.block),
      planes: layout.planes.map(PicturePlane.init), color: FormatDescription.Color(made.color),
      chromaLocation: made.color.chromaLocationName, mimeType: "application/octet-stream",
      moment: moment)
  }

  private func drawFile(
    _ frame: borrowing Frame, _ drawing: Drawing, format: ImageFormat, moment: ImageMoment,
    output: ImageOutput
  ) throws(LibAVError) -> GeneratedImage {
    let (width, height) = (drawing.geometry.width, drawing.geometry.height)
    let picture = try converter.imageFrame(
      from: frame, width: width, height: height, as: format, orientation: drawing.orientation,
      crop: drawing.geometry.crop, toneMap: drawing.toneMap)
    let block = try format.encode(
      picture, quality: output.quality, allocator: output.destination.allocator)
    return GeneratedImage(
      width: width, height: height, data: DataBuffer(block: block), mimeType: format.mimeType,
      moment: moment)
  }

  /// A matrix that can't be converted is an error, not replaced by another.
  private func requireColors(
    of frame: borrowing Frame, _ kind: ImageOutput.Kind, _ drawing: Drawing, path: String
  ) throws(EngineError) {
    let color = PictureColor(of: frame)
    guard frame.pixelFormat.isYUV, !color.isConvertible else { return }
    if case .raw(let format) = kind, !format.isRGB, drawing.toneMap == nil { return }
    throw EngineError(
      .operationNotSupportedForAsset,
      "The pictures of '\(path)' are in the matrix \(color.matrixName), which can't be converted",
      advice: .keepSourceColors, path: path, stage: .convert)
  }
}
