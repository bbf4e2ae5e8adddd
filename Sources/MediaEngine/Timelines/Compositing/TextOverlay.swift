import LibAV
import MediaTime
import Synchronization
import SystemIO

/// A text that a picture shows: equal ones are drawn once.
struct ShownText: Hashable, Sendable {
  /// The number of its track in the overlay.
  let track: Int
  /// The time at which it is drawn, in milliseconds; of a text that stands still, the time since
  /// which it has.
  let time: Int64
  let opacity: Double
}

/// The texts of a video composition: subtitles, and above them its text layers.
final class TextOverlay: Sendable {
  fileprivate enum Content: Sendable {
    case layer(VideoComposition.TextLayer)
    case subtitles(LineChanges)
  }

  private struct RenderedText {
    let track: Int
    let time: Int64
    let layers: [Handoff<PreparedLayer>]
  }

  private struct State {
    let renderer: Handoff<TextRenderer>
    /// The last used at the end.
    var rendered: [RenderedText] = []
  }

  /// The sources of its subtitles.
  let sources: [StoredTrack]
  /// The lowest first; by the numbers of their tracks.
  private let contents: [Content]
  private let state: Mutex<State>

  /// The capacity of `rendered`: twice the number of texts that are drawn at the same time.
  private static let renderedCount = 16

  fileprivate init(
    _ contents: [Content], of sources: [StoredTrack], _ renderer: Handoff<TextRenderer>
  ) {
    (self.contents, self.sources) = (contents, sources)
    state = Mutex(State(renderer: renderer))
  }

  /// Returns the texts that are shown at a time, the lowest first.
  func texts(at time: Time) -> [ShownText] {
    contents.enumerated().compactMap { track, content in
      switch content {
      case .layer(let layer):
        guard let opacity = layer.opacity(at: time), opacity > 0 else { return nil }
        return ShownText(track: track, time: 0, opacity: opacity)
      case .subtitles(let changes):
        let now = time.ticks(in: TimeBase(1, 1000), rounding: .towardNegativeInfinity)
        return changes.drawingTime(at: now).map {
          ShownText(track: track, time: $0, opacity: 1)
        }
      }
    }
  }

  /// Draws a text; nothing where it has no visible letters.
  func layers(of text: ShownText) throws(LibAVError) -> [Handoff<PreparedLayer>] {
    try state.withLock { (state) throws(LibAVError) in
      let known = state.rendered.firstIndex { $0.track == text.track && $0.time == text.time }
      if let known {
        let drawn = state.rendered.remove(at: known)
        state.rendered.append(drawn)
        return drawn.layers
      }
      var layers: [Handoff<PreparedLayer>] = []
      try state.renderer.value.draw(track: text.track, at: text.time) { layer in
        layers.append(Handoff(layer))
      }
      if state.rendered.count >= Self.renderedCount { state.rendered.removeFirst() }
      state.rendered.append(RenderedText(track: text.track, time: text.time, layers: layers))
      return layers
    }
  }
}

/// The times at which the shown lines change.
struct LineChanges: Sendable {
  private struct Change {
    /// In milliseconds.
    let time: Int64
    let isShown: Bool
    let isAnimated: Bool
  }
  /// In ascending order.
  private let changes: [Change]

  init(_ lines: [ScriptLines.Line]) {
    var steps: [Int64: (shown: Int, animated: Int)] = [:]
    for line in lines where line.end > line.start {
      let animated = line.isAnimated ? 1 : 0
      for (time, step) in [(line.start, 1), (line.end, -1)] {
        let known = steps[time] ?? (0, 0)
        steps[time] = (known.shown + step, known.animated + step * animated)
      }
    }
    var now = (shown: 0, animated: 0)
    changes = steps.keys.sorted().map { time in
      let step = steps[time] ?? (0, 0)
      now = (now.shown + step.shown, now.animated + step.animated)
      return Change(time: time, isShown: now.shown > 0, isAnimated: now.animated > 0)
    }
  }

  /// Returns the time to draw at for the lines that are shown at a time, in milliseconds; nil where
  /// none are.
  func drawingTime(at time: Int64) -> Int64? {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0, changes[low - 1].isShown else { return nil }
    return changes[low - 1].isAnimated ? time : changes[low - 1].time
  }
}

// MARK: - Loading

/// The inputs from which the texts of a video composition are loaded.
struct TextLoading {
  let presentation: Presentation
  let configuration: EngineConfiguration
  let interrupt: Interrupt

  /// Returns the texts of a composition; nil where it has none.
  ///
  /// - Throws: `unsupportedOutputSettings` where this build has no libass, or there is none; the
  ///   errors of opening files with fonts and subtitles; `noSourceTrack`.
  func overlay(
    _ composition: VideoComposition, _ pictures: CompositionFormat
  ) throws(EngineError) -> TextOverlay? {
    guard composition.hasText else { return nil }
    let path = presentation.path
    if let reason = TextRenderer.unavailability {
      throw EngineError(
        .unsupportedOutputSettings, "Text can't be drawn over '\(path)': \(reason)",
        advice: .installTextLibrary, path: path)
    }
    let size = composition.renderSize
    let renderer = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      Handoff(try TextRenderer(pictures.layout, color: pictures.color, pictures.description))
    }
    var fonts: [String: String] = [:]
    var contents: [TextOverlay.Content] = []
    var sources: [StoredTrack] = []
    func track(
      _ header: [UInt8], _ style: VideoComposition.TextStyle, isScript: Bool
    ) throws(EngineError) -> Int {
      let font = try fontName(style.font, &fonts, renderer)
      let track = try mapErrors(.convert, path: path) { () throws(LibAVError) in
        try renderer.value.addTrack(header: header, wrapsAnywhere: !isScript)
      }
      let members = style.members(
        fontName: font, in: size, script: renderer.value.size(ofTrack: track))
      if !members.isEmpty { renderer.value.setStyles(members, ofTrack: track) }
      return track
    }
    for subtitles in composition.subtitles {
      let (timeline, scripts, attachments) = try scripts(of: subtitles)
      sources += timeline.parts.compactMap(\.source?.stored)
      for file in attachments {
        renderer.value.addFont(file.parameters.extradata, name: file.fontName)
      }
      for script in scripts {
        let track = try track(script.header, subtitles.style, isScript: script.isScript)
        for line in script.lines where line.end > line.start {
          renderer.value.addLine(
            line.text, toTrack: track, start: line.start, duration: line.end - line.start)
        }
        contents.append(.subtitles(LineChanges(script.lines)))
      }
    }
    for layer in composition.textLayers {
      let track = try track(layer.header(in: size), layer.fullStyle(in: size), isScript: false)
      renderer.value.addLine(layer.line(in: size), toTrack: track, start: 0, duration: 1)
      contents.append(.layer(layer))
    }
    renderer.value.findFonts()
    return TextOverlay(contents, of: sources, renderer)
  }

  /// Returns the name of a font's file, which is loaded once.
  private func fontName(
    _ font: VideoComposition.Font, _ fonts: inout [String: String],
    _ renderer: Handoff<TextRenderer>
  ) throws(EngineError) -> String? {
    guard let url = font.url else { return nil }
    if let known = fonts[url] { return known }
    let file = try FontFile(FileLocation(url), configuration, interrupt: interrupt)
    renderer.value.addFont(file.bytes, name: file.name)
    fonts[url] = file.name
    return file.name
  }

  /// Returns a track of subtitles with its lines, and the fonts in the file that has it.
  private func scripts(
    of subtitles: VideoComposition.BurntSubtitles
  ) throws(EngineError) -> (timeline: TrackTimeline, scripts: [ScriptLines], fonts: [StreamInfo]) {
    var source = presentation
    if let url = subtitles.url {
      var options = URLAsset.Options()
      options.characterSet = subtitles.characterSet
      try options.validate()
      let film = presentation
      let asset = URLAsset(
        subtitles: url, options: options, configuration: configuration
      ) { (interrupt) throws(EngineError) in
        try film.frameDurationOfVideo(interrupt: interrupt)
      }
      source = try asset.media.content.presentation(interrupt: interrupt)
    }
    guard let track = subtitles.track(in: source.tracks) else {
      let wanted = subtitles.trackID.map { "no track \($0) of subtitles" } ?? "no subtitles"
      throw EngineError(
        .noSourceTrack, "'\(source.path)' has \(wanted)", advice: .nameTextTrack,
        path: source.path)
    }
    try track.timeline.requireUnprotected()
    return (
      track.timeline, try track.timeline.scriptLines(interrupt: interrupt),
      source.attachments.filter(\.isFont)
    )
  }
}

extension VideoComposition.BurntSubtitles {
  /// Its track; nil where there is none.
  func track(in tracks: [TrackInfo]) -> TrackInfo? {
    let texts = tracks.filter { $0.mediaType == .subtitle || $0.mediaType == .text }
    if let trackID { return texts.first { $0.trackID == trackID } }
    return texts.first(where: \.format.parameters.isText) ?? texts.first
  }
}

extension StreamInfo {
  private func tag(_ key: String) -> String? { metadata.first { $0.key == key }?.value }

  fileprivate var fontName: String { tag("filename") ?? "font" }

  /// True if it is a font that came with subtitles (Matroska).
  var isFont: Bool {
    let type = (tag("mimetype") ?? "").lowercased()
    let name = fontName.lowercased()
    return ["ttf", "otf"].contains(parameters.codecName) || type.contains("font")
      || [".ttf", ".otf", ".ttc"].contains { name.hasSuffix($0) }
  }
}
