import LibAV
import MediaTime
import SystemIO

/// The canvas into which the frames of a track are fitted, and the orientation in which it is shown.
struct CanvasView {
  let canvas: Canvas
  let orientation: Orientation

  /// Nil where the track's frames are shown without a canvas.
  init?(_ track: TrackInfo) {
    guard let canvas = track.timeline.canvas else { return nil }
    self.canvas = canvas
    orientation = track.preferredTransform.orientation ?? .up
  }
}

/// Makes an image of a frame: the aperture, the turn, the size, the colour, the file.
///
/// It retains its renderer's setup from one image to the next; one thread at a time.
final class ImageRenderer {
  private let configuration: ImageGenerator.Configuration
  private let wanted: WantedSize
  private var renderer = FrameRenderer()

  /// - Parameter size: the wanted size of the images, within the configuration's limits.
  init(configuration: ImageGenerator.Configuration, size: WantedSize = WantedSize()) {
    self.configuration = configuration
    wanted = size
  }

  /// - Parameters:
  ///   - format: the format of the frame's source; without a description of video there is no
  ///     clean aperture, and HDR counts as mastered at 1000 nits.
  ///   - view: the canvas into which frames are fitted; nil where the frame is shown without one.
  func render(
    _ frame: borrowing Frame, of format: TrackFormat, in view: CanvasView?, moment: ImageMoment,
    kind: ImageOutput.Kind,
    output: ImageOutput
  ) throws(EngineError) -> GeneratedImage {
    let (geometry, rendering) = drawing(of: frame, format, view)
    try requireColors(of: frame, kind, rendering, path: format.path)
    guard geometry.isReasonable else {
      throw EngineError(
        .limitExceeded,
        "The pictures of '\(format.path)', of \(frame.width) × \(frame.height) pixels, would be too "
          + "large in the shape that the file gives them",
        advice: .limitImageSize, path: format.path, stage: .convert)
    }
    let (width, height) = wanted.size(of: (geometry.width, geometry.height))
    let allocator = output.destination.allocator
    return try mapErrors(.convert, path: format.path) { () throws(LibAVError) in
      switch kind {
      case .raw(let format):
        let layout = try PictureLayout(width: width, height: height, format: format)
        let made = try renderer.pixels(
          of: frame, rendering, in: layout, PictureColor(of: frame, rendering, as: format),
          allocator: allocator)
        return GeneratedImage(
          width: width, height: height, data: DataBuffer(block: made.block),
          planes: layout.planes.map(PicturePlane.init), color: FormatDescription.Color(made.color),
          chromaLocation: made.color.chromaLocationName, mimeType: "application/octet-stream",
          moment: moment)
      case .encoded(let format):
        let block = try renderer.file(
          of: frame, rendering, width: width, height: height, as: format, quality: output.quality,
          allocator: allocator)
        return GeneratedImage(
          width: width, height: height, data: DataBuffer(block: block), mimeType: format.mimeType,
          moment: moment)
      }
    }
  }

  /// The geometry and the rendering of a frame, decided before the first pixel is touched.
  private func drawing(
    of frame: borrowing Frame, _ format: TrackFormat, _ view: CanvasView?
  ) -> (ImageGeometry, FrameRendering) {
    let (media, mode) = (format.media, configuration.apertureMode)
    let upright = view?.orientation ?? media.preferredTransform.orientation ?? .up
    let turn = configuration.appliesPreferredTrackTransform ? upright : .up
    let geometry =
      if let canvas = view?.canvas {
        ImageGeometry(
          width: canvas.width, height: canvas.height, aspectRatio: Rational(1, 1),
          cleanAperture: nil, mode: mode, orientation: turn,
          maximumSize: configuration.maximumSize)
      } else {
        ImageGeometry(
          width: frame.width, height: frame.height, aspectRatio: media.aspectRatio(of: frame),
          cleanAperture: format.video?.cleanAperture, mode: mode, orientation: turn,
          maximumSize: configuration.maximumSize)
      }
    let range: FrameRendering.DynamicRange =
      configuration.dynamicRangePolicy == .forceSDR ? .standard : .source
    let rendering = FrameRendering(
      of: frame, format, in: range, canvas: view?.canvas, part: geometry.crop, turn: turn,
      size: wanted.size(of: (geometry.width, geometry.height)))
    return (geometry, rendering)
  }

  /// A matrix that can't be converted is an error, not replaced by another.
  private func requireColors(
    of frame: borrowing Frame, _ kind: ImageOutput.Kind, _ rendering: FrameRendering,
    path: String
  ) throws(EngineError) {
    let color = PictureColor(of: frame)
    guard frame.pixelFormat.isYUV, !color.isConvertible else { return }
    if case .raw(let format) = kind, !format.isRGB, rendering.toneMap == nil { return }
    throw EngineError(
      .operationNotSupportedForAsset,
      "The pictures of '\(path)' are in the matrix \(color.matrixName), which can't be converted",
      advice: .keepSourceColors, path: path, stage: .convert)
  }
}
