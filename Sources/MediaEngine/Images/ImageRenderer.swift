import LibAV
import MediaTime
import SystemIO

/// What the frames of a track are fitted into, and how that is turned to be shown.
struct CanvasView {
  let canvas: Canvas
  let orientation: Orientation

  /// Nil where the track's frames are its pictures.
  init?(_ track: TrackInfo) {
    guard let canvas = track.timeline.canvas else { return nil }
    self.canvas = canvas
    orientation = track.preferredTransform.orientation ?? .up
  }
}

/// Makes a picture of a frame: the aperture, the turn, the size, the colour, the file.
///
/// It keeps the converter's setup from one picture to the next; one thread at a time.
final class ImageRenderer {
  private let configuration: ImageGenerator.Configuration
  private var converter = PictureConverter()

  init(configuration: ImageGenerator.Configuration) { self.configuration = configuration }

  /// - Parameters:
  ///   - format: what the frame was decoded from; without a description of video there is no
  ///     clean aperture, and HDR counts as mastered at 1000 nits.
  ///   - view: what frames are fitted into; nil where the frame is the picture.
  func render(
    _ frame: borrowing Frame, of format: TrackFormat, in view: CanvasView?, moment: ImageMoment,
    kind: ImageOutput.Kind,
    output: ImageOutput
  ) throws(EngineError) -> GeneratedImage {
    let drawing = drawing(of: frame, format, view)
    try requireColors(of: frame, kind, drawing, path: format.path)
    guard drawing.isReasonable else {
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
    var width: Int
    var height: Int
    var isReasonable: Bool
    var crop: PictureRectangle?
    var place: PictureRectangle?
    var orientation: Orientation
    var toneMap: ToneMap?
  }

  private func drawing(
    of frame: borrowing Frame, _ format: TrackFormat, _ view: CanvasView?
  ) -> Drawing {
    let (stream, video) = (format.stream, format.video)
    let isTurned = configuration.appliesPreferredTrackTransform
    let source = configuration.dynamicRangePolicy == .forceSDR ? toneMapSource(frame, video) : nil
    let toneMap = source.map(ToneMap.shared)
    if let view {
      let turn = isTurned ? view.orientation : .up
      let geometry = ImageGeometry(
        width: view.canvas.width, height: view.canvas.height, aspectRatio: Rational(1, 1),
        cleanAperture: nil, mode: configuration.apertureMode, orientation: turn,
        maximumSize: configuration.maximumSize)
      let placement = CanvasPlacement(
        of: frame, format, in: view.canvas, turn: turn, size: (geometry.width, geometry.height))
      return Drawing(
        width: geometry.width, height: geometry.height, isReasonable: geometry.isReasonable,
        crop: placement.crop, place: placement.place, orientation: placement.orientation,
        toneMap: toneMap)
    }
    let orientation = isTurned ? (stream.preferredTransform.orientation ?? .up) : .up
    let geometry = ImageGeometry(
      width: frame.width, height: frame.height,
      aspectRatio: stream.aspectRatio(of: frame),
      cleanAperture: video?.cleanAperture, mode: configuration.apertureMode,
      orientation: orientation, maximumSize: configuration.maximumSize)
    return Drawing(
      width: geometry.width, height: geometry.height, isReasonable: geometry.isReasonable,
      crop: geometry.crop, orientation: orientation, toneMap: toneMap)
  }

  private func drawRaw(
    _ frame: borrowing Frame, _ drawing: Drawing, format: PixelFormat, moment: ImageMoment,
    output: ImageOutput
  ) throws(LibAVError) -> GeneratedImage {
    let (width, height) = (drawing.width, drawing.height)
    let layout = try PictureLayout(width: width, height: height, format: format)
    var color = PictureColor(of: frame, as: format)
    if drawing.toneMap != nil, !format.isRGB {
      color = PictureColor(matrix: PictureColor.bt709, isFullRange: format.isGray)
    }
    let made = try converter.convert(
      frame, to: layout, color: color, orientation: drawing.orientation,
      crop: drawing.crop, place: drawing.place, toneMap: drawing.toneMap,
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
    let (width, height) = (drawing.width, drawing.height)
    let picture = try converter.imageFrame(
      from: frame, width: width, height: height, as: format, orientation: drawing.orientation,
      crop: drawing.crop, place: drawing.place, toneMap: drawing.toneMap)
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
