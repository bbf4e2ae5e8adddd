import LibAV
import MediaTime
import Synchronization
import SystemIO

/// A picture that the caller's compositor draws. Once it is drawn, its first reader converts it.
final class RequestedPicture: DeferredFrame {
  private enum State {
    case requested
    case drawn(DataBuffer)
    case made(Result<Handoff<Frame>, EngineError>)
  }
  private struct Progress {
    var state = State.requested
    /// The signal of a waiting reader.
    var waiter: Signal<Bool>?
  }

  let time: Time
  let instruction: VideoComposition.Instruction
  /// The frames of the tracks, the first on top; none once it has been requested.
  private let layers: Mutex<[(trackID: Int32, frame: LayerFrame)]>
  private let form: CompositorFormat
  private let compositors: CompositorPool
  private let path: String
  private let progress = Mutex(Progress())

  init(
    at time: Time, _ instruction: VideoComposition.Instruction,
    of layers: [(trackID: Int32, frame: LayerFrame)], _ form: CompositorFormat,
    _ compositors: CompositorPool, path: String
  ) {
    (self.time, self.instruction, self.form) = (time, instruction, form)
    self.layers = Mutex(layers)
    (self.compositors, self.path) = (compositors, path)
  }

  func takeLayers() -> [(trackID: Int32, frame: LayerFrame)] {
    layers.withLock { layers in
      defer { layers = [] }
      return layers
    }
  }

  /// True if there is a picture, or a failure.
  var isReady: Bool {
    progress.withLock { if case .requested = $0.state { false } else { true } }
  }

  func finish(_ picture: DataBuffer) { end(.drawn(picture)) }

  func fail(_ error: EngineError) { end(.made(.failure(error))) }

  private func end(_ state: State) {
    let waiter = progress.withLock { progress -> Signal<Bool>? in
      guard case .requested = progress.state else { return nil }
      progress.state = state
      return progress.waiter.take()
    }
    waiter?.fire(true)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    _ = await waiter()?.wait(orUntil: interrupt, isolation: isolation)
  }

  func waitBlocking(interrupt: Interrupt) { _ = waiter()?.waitBlocking(orUntil: interrupt) }

  /// Returns a signal to wait for; nil when there is nothing to wait for.
  private func waiter() -> Signal<Bool>? {
    progress.withLock { progress in
      guard case .requested = progress.state else { return nil }
      let signal = Signal<Bool>()
      progress.waiter = signal
      return signal
    }
  }

  /// - Precondition: it ``isReady``.
  func make() throws(EngineError) -> Handoff<Frame> {
    let result = progress.withLock { progress in
      switch progress.state {
      case .requested:
        return Result<Handoff<Frame>, EngineError>.failure(.cancelled("The picture"))
      case .made(let result): return result
      case .drawn(let picture):
        let result = Result { () throws(EngineError) in
          try mapErrors(.convert, path: path) { () throws(LibAVError) in
            try compositors.use { (compositor) throws(LibAVError) in
              Handoff(try form.picture(of: picture, by: &compositor))
            }
          }
        }
        progress.state = .made(result)
        return result
      }
    }
    return try result.get()
  }
}

/// The format in which pictures are exchanged with the caller's compositor.
struct CompositorFormat {
  private let pictures: CompositionFormat
  let layout: PictureLayout
  /// Of sources and targets.
  let color: PictureColor
  private let description: ColorDescription

  init(
    _ composition: VideoComposition, _ pictures: CompositionFormat, path: String
  ) throws(EngineError) {
    guard let format = PixelFormat(name: composition.compositorPixelFormat) else {
      throw EngineError(
        .invalidVideoComposition,
        "This build has no pixel format '\(composition.compositorPixelFormat)'", path: path)
    }
    self.pictures = pictures
    let size = pictures.layout
    layout = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      try PictureLayout(width: size.width, height: size.height, format: format)
    }
    color = format.isRGB ? .rgb : pictures.color
    let stated = pictures.description
    description = ColorDescription(
      primaries: stated.primaries, transfer: stated.transfer,
      matrix: format.isRGB ? 0 : color.matrix, isFullRange: color.isFullRange,
      chromaLocation: format.isYUV ? stated.chromaLocation : 0)
  }

  /// The description of a picture that the caller draws.
  var target: SampleBuffer.Picture { SampleBuffer.Picture(layout, description) }

  /// Converts a drawn picture to the format of all pictures of the composition.
  func picture(
    of drawn: DataBuffer, by compositor: inout PictureCompositor
  ) throws(LibAVError) -> Frame {
    let source = try Frame.copy(of: drawn.block, in: layout, color: description)
    let whole = PictureArea(width: layout.width, height: layout.height)
    let frame = try compositor.frame(
      from: source, LayerPlacement(crop: whole, .identity), to: pictures.layout,
      color: pictures.color)
    var stated = pictures.description
    stated.chromaLocation = frame.color.chromaLocation
    frame.setColor(stated)
    return frame
  }

  /// Returns a frame of a source in the caller's form: at its own size, upright with square pixels
  /// where its track shows it so.
  func source(
    _ layer: LayerFrame, isShownUpright: Bool, by renderer: inout FrameRenderer,
    _ allocator: any BlockAllocator
  ) throws(LibAVError) -> PixelBuffer {
    let frame = layer.frame
    var (width, height, orientation) = (frame.value.width, frame.value.height, Orientation.up)
    var crop: PictureRectangle?
    if isShownUpright {
      let media = layer.format.media
      orientation = media.preferredTransform.orientation ?? .up
      let geometry = LayerGeometry(
        width: width, height: height,
        aspectRatio: media.aspectRatio(of: frame.value),
        cleanAperture: layer.format.video?.cleanAperture, orientation: orientation)
      let part = geometry.display.inverseBounds(
        of: Rectangle(x: 0, y: 0, width: geometry.shown.width, height: geometry.shown.height))
      crop = PictureRectangle(
        x: Int(part.x.rounded()), y: Int(part.y.rounded()), width: Int(part.width.rounded()),
        height: Int(part.height.rounded()))
      width = max(1, Int(geometry.shown.width.rounded()))
      height = max(1, Int(geometry.shown.height.rounded()))
    }
    let layout = try PictureLayout(width: width, height: height, format: layout.format)
    let rendering = FrameRendering(
      of: frame.value, layer.format, in: pictures.dynamicRange, part: crop, turn: orientation,
      size: (width, height))
    let made = try renderer.pixels(
      of: frame.value, rendering, in: layout, color, allocator: allocator)
    return PixelBuffer(
      picture: SampleBuffer.Picture(layout, made.color), data: DataBuffer(block: made.block))
  }
}

extension CompositionFormat {
  /// The range that all layers are drawn in.
  var dynamicRange: FrameRendering.DynamicRange { isHighDynamicRange ? .source : .standard }

  /// Returns the tone map for a layer of high dynamic range, where the pictures are of standard
  /// range.
  func toneMap(for layer: LayerFrame) -> ToneMap? {
    FrameRendering.toneMap(for: layer.frame.value, layer.format, in: dynamicRange)
  }
}
