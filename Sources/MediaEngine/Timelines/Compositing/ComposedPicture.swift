import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The contents of a picture: equal ones are the same picture.
struct PictureContents: Equatable, Sendable {
  struct Layer: Equatable, Sendable {
    let frame: LayerFrame
    let placement: LayerPlacement
    let opacity: Double

    var hasAlpha: Bool { frame.frame.value.pixelFormat.hasAlpha }

    static func == (one: Layer, other: Layer) -> Bool {
      one.frame === other.frame && one.placement == other.placement
        && one.opacity == other.opacity
    }
  }

  /// The lowest first.
  let layers: [Layer]
  let background: VideoComposition.Color
  /// Over the layers, the lowest first.
  let texts: [ShownText]

  /// - Parameter layers: the first is on top. Invisible ones are left out.
  init(
    top layers: [Layer], background: VideoComposition.Color, texts: [ShownText],
    in layout: PictureLayout
  ) {
    self.texts = texts
    var visible: [Layer] = []
    for layer in layers where layer.opacity > 0 {
      visible.append(layer)
      let path = PictureCompositor.path(
        of: [(layer.placement, layer.opacity, layer.hasAlpha)], in: layout)
      // It is opaque, and covers all: the layers below aren't drawn.
      if path == .convert { break }
    }
    self.layers = visible.reversed()
    self.background = background
  }
}

/// A picture of a video composition, drawn by its first caller.
final class ComposedPicture: DeferredFrame {
  private let format: CompositionFormat
  private let compositors: CompositorPool
  /// Draws the texts.
  private let overlay: TextOverlay?
  private let path: String
  private enum State {
    case contents(PictureContents)
    case made(Result<Handoff<Frame>, EngineError>)
  }
  private let state: Mutex<State>

  /// - Parameter path: the name of the asset in messages.
  init(
    _ contents: PictureContents, _ format: CompositionFormat, _ compositors: CompositorPool,
    _ overlay: TextOverlay?, path: String
  ) {
    (self.format, self.compositors, self.overlay) = (format, compositors, overlay)
    self.path = path
    state = Mutex(.contents(contents))
  }

  func make() throws(EngineError) -> Handoff<Frame> {
    let result = state.withLock { state in
      switch state {
      case .made(let result): return result
      case .contents(let contents):
        let result = Result { () throws(EngineError) in
          try mapErrors(.convert, path: path) { () throws(LibAVError) in try draw(contents) }
        }
        // The frames of its layers aren't needed any more.
        state = .made(result)
        return result
      }
    }
    return try result.get()
  }

  private func draw(_ contents: PictureContents) throws(LibAVError) -> Handoff<Frame> {
    if let frame = sourceFrame(contents) {
      Counters.countComposed(.frame)
      return frame
    }
    return try compositors.use { (compositor) throws(LibAVError) in
      let frame = try draw(contents, by: &compositor)
      frame.setColor(described(frame))
      return Handoff(frame)
    }
  }

  /// Returns the color description of a picture; its chroma location depends on how it was made.
  private func described(_ frame: borrowing Frame) -> ColorDescription {
    var description = format.description
    description.chromaLocation = frame.color.chromaLocation
    return description
  }

  private func draw(
    _ contents: PictureContents, by compositor: inout PictureCompositor
  ) throws(LibAVError) -> Frame {
    let layout = format.layout
    let layers = PictureCompositor.path(
      of: contents.layers.map { ($0.placement, $0.opacity, $0.hasAlpha) },
      overOpaque: contents.background.alpha == 1, in: layout)
    let texts = try shownTexts(contents)
    let path = texts.isEmpty ? layers : .general
    if path == .convert, let layer = contents.layers.first {
      return try compositor.frame(
        from: layer.frame.frame.value, layer.placement, to: layout, color: format.color,
        toneMap: format.toneMap(for: layer.frame))
    }
    let color = contents.background
    try compositor.begin(
      layout, color: format.color,
      background: (color.red, color.green, color.blue, color.alpha), path: path)
    for layer in contents.layers {
      let prepared = try layer.frame.layer(.init(placement: layer.placement, path: path)) {
        (frame) throws(LibAVError) in
        try compositor.prepare(
          frame, layer.placement, for: path, in: layout, color: format.color,
          toneMap: format.toneMap(for: layer.frame))
      }
      if let prepared { try compositor.draw(prepared.value, opacity: layer.opacity) }
    }
    for text in texts { try compositor.draw(text.layer.value, opacity: text.opacity) }
    return try compositor.finish()
  }

  /// Returns the layers of the texts, the lowest first.
  private func shownTexts(
    _ contents: PictureContents
  ) throws(LibAVError) -> [(layer: Handoff<PreparedLayer>, opacity: Double)] {
    var found: [(layer: Handoff<PreparedLayer>, opacity: Double)] = []
    for text in contents.texts {
      for layer in try overlay?.layers(of: text) ?? [] { found.append((layer, text.opacity)) }
    }
    return found
  }

  /// Returns the frame that is the unchanged picture: one opaque layer, in its own place, size and
  /// colours.
  private func sourceFrame(_ contents: PictureContents) -> Handoff<Frame>? {
    guard contents.texts.isEmpty, contents.layers.count == 1, let layer = contents.layers.first,
      layer.opacity == 1
    else {
      return nil
    }
    let frame = layer.frame.frame
    let (width, height) = (frame.value.width, frame.value.height)
    let own = LayerPlacement(
      crop: PictureArea(x: 0, y: 0, width: Double(width), height: Double(height)), .identity)
    guard layer.placement == own, (width, height) == (format.layout.width, format.layout.height),
      frame.value.pixelFormat == format.layout.format,
      PictureColor(of: frame.value) == format.color
    else { return nil }
    let (stated, wanted) = (frame.value.color, format.description)
    guard stated.primaries == wanted.primaries, stated.transfer == wanted.transfer,
      stated.placesChroma(like: wanted, in: format.layout.format)
    else { return nil }
    return frame
  }
}

/// Compositors that aren't in use, each with the graphs that it has set up.
final class CompositorPool: Sendable {
  private let chromaLocation: Int32
  private let free = Mutex<[Handoff<PictureCompositor>]>([])

  /// - Parameter chromaLocation: of the pictures, by H.273.
  init(chromaLocation: Int32) { self.chromaLocation = chromaLocation }

  func use<Result>(
    _ body: (inout PictureCompositor) throws(LibAVError) -> Result
  ) throws(LibAVError) -> Result {
    let compositor =
      free.withLock { $0.popLast() }
      ?? Handoff(PictureCompositor(chromaLocation: chromaLocation))
    defer { free.withLock { $0.append(compositor) } }
    return try body(&compositor.value)
  }
}
