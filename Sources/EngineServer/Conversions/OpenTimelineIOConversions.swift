import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import OpenTimelineIO

// Documents of OpenTimelineIO from compositions.

/// A composition as a document of OpenTimelineIO.
struct OpenTimelineIODocument {
  let document: JSONValue
  let losses: [ConversionLoss]
  /// The folder that relative URLs begin at; nil for absolute ones.
  private let base: String?

  /// - Parameter base: the folder that URLs are relative to.
  init(_ timeline: CompositionTimeline, relativeTo base: String?) throws {
    self.base = base
    let edit = Self.edit(timeline, base)
    let frame = timeline.videoComposition?.frameDuration ?? .invalid
    let rate =
      Int32(exactly: frame.value).flatMap {
        frame.isNumeric && $0 > 0 ? Rate(frame.timescale, over: $0) : nil
      } ?? Rate(30)
    let wire = try JSONValue(encoding: WireCompositionTimeline(timeline))
    document = edit.document(
      rate: rate, ownMetadata: .object([JSONValue.Member(key: "timeline", value: wire)]))
    var losses: [ConversionLoss] = []
    func lose(_ path: String, _ what: String) {
      losses.append(
        ConversionLoss(path: path, what: what, reason: "only in metadata.reelwire"))
    }
    if timeline.naturalSize != nil { lose("/naturalSize", "naturalSize") }
    for (number, track) in timeline.tracks.enumerated() {
      let path = "/tracks/\(number)"
      if EditTimeline.Kind(track.mediaType) == nil { lose(path, "track of \(track.mediaType)") }
      if track.preferredTransform != .identity {
        lose("\(path)/preferredTransform", "preferredTransform")
      }
      if track.preferredVolume != 1 { lose("\(path)/preferredVolume", "preferredVolume") }
      for (place, segment) in track.segments.enumerated() where !segment.speedRamp.isEmpty {
        losses.append(
          ConversionLoss(
            path: "\(path)/segments/\(place)/speedRamp", what: "speedRamp",
            reason: "only in metadata.reelwire; other programs show it at its average speed"))
      }
    }
    for (name, source) in timeline.sources.sorted(by: { $0.key < $1.key }) {
      if case .asset(let handle) = source.location { lose("/sources/\(name)", handle) }
    }
    if timeline.audioMix != nil { lose("/audioMix", "audioMix") }
    if let composition = timeline.videoComposition {
      lose("/videoComposition", "videoComposition")
      for (number, subtitles) in composition.subtitles.enumerated() {
        let path = "/videoComposition/subtitles/\(number)"
        lose(path, subtitles.url.map { "burnt-in subtitles of '\($0)'" } ?? "burnt-in subtitles")
        if subtitles.style != VideoComposition.TextStyle() { lose("\(path)/style", "style") }
      }
      for (number, layer) in composition.textLayers.enumerated() {
        let path = "/videoComposition/textLayers/\(number)"
        lose(path, "text '\(layer.text)'")
        if layer.style != VideoComposition.TextStyle() { lose("\(path)/style", "style") }
      }
    }
    for (number, file) in timeline.subtitleTracks.enumerated() {
      lose("/subtitleTracks/\(number)", "subtitles of '\(file.url)'")
    }
    if try ReadDocument(document).timeline != edit { lose("/tracks", "times between frames") }
    self.losses = losses
  }

  /// Returns the timeline that a document was written from; nil where the document is another one, or was changed
  /// since.
  static func original(of read: ReadDocument, relativeTo base: String?) -> CompositionTimeline? {
    guard let json = read.ownMetadata?["timeline"],
      let wire = try? JSONDecoding.decode(WireCompositionTimeline.self, from: json),
      let timeline = try? CompositionTimeline(wire, at: ""),
      let written = try? OpenTimelineIODocument(timeline, relativeTo: base),
      let again = try? ReadDocument(written.document), again.timeline == read.timeline
    else { return nil }
    return timeline
  }

  /// Returns the timeline of an edit. The first track is on top, which is the last of a stack.
  private static func edit(_ timeline: CompositionTimeline, _ base: String?) -> EditTimeline {
    let video = timeline.tracks.filter { $0.mediaType == .video }.reversed()
    let audio = timeline.tracks.filter { $0.mediaType == .audio }
    return EditTimeline(
      layers: (video + audio).compactMap { track in
        guard let kind = EditTimeline.Kind(track.mediaType) else { return nil }
        let parts = track.segments.compactMap { segment -> EditTimeline.Part? in
          guard let source = segment.source.flatMap({ timeline.sources[$0] }) else { return nil }
          let (url, images) = source.location.media(relativeTo: base)
          let range = segment.timeMapping.source
          let name = images?.prefix ?? String(url.split(separator: "/").last ?? "")
          return EditTimeline.Part(
            name: name, url: url, images: images,
            source: source.isStill ? TimeRange(start: .zero, duration: .zero) : range,
            target: segment.timeMapping.target,
            isFrozen: source.isStill || segment.playback == .freeze,
            isReversed: segment.playback == .reverse)
        }
        return EditTimeline.Layer(
          kind: kind, name: "\(kind.rawValue) \(track.trackID)", isEnabled: track.isEnabled,
          parts: parts, duration: track.end)
      })
  }
}

extension EditTimeline.Kind {
  init?(_ type: MediaType) {
    switch type {
    case .video: self = .video
    case .audio: self = .audio
    default: return nil
    }
  }
}

extension CompositionTimeline.Source.Location {
  /// Returns the URL in OpenTimelineIO's form: a `file:` URL, or a path relative to a folder, with the characters
  /// escaped that a URL can't have.
  fileprivate func url(relativeTo base: String?) -> String {
    switch self {
    case .asset(let handle): return handle
    case .url(let url), .images(let url, _):
      guard url.hasPrefix("/") else { return url }
      if let base {
        let folder = base.hasSuffix("/") ? base : base + "/"
        if url.hasPrefix(folder) { return url.dropFirst(folder.count).percentEncoded }
      }
      return "file://" + Substring(url).percentEncoded
    }
  }

  /// The `target_url` of a file, or the `target_url_base` of numbered pictures with their names. Pictures whose numbers
  /// aren't known have a URL of the pattern.
  fileprivate func media(relativeTo base: String?) -> (url: String, images: NumberedImages?) {
    guard case .images(let path, let images) = self, let pattern = ImageSequence.Pattern(path),
      let start = images.startNumber, images.frameDuration.isNumeric,
      let below = Int32(exactly: images.frameDuration.reduced.value)
    else { return (url(relativeTo: base), nil) }
    let folder = pattern.folder.isEmpty ? "./" : pattern.folder
    let named = NumberedImages(
      prefix: Substring(pattern.prefix).percentEncoded,
      suffix: Substring(pattern.suffix).percentEncoded, padding: pattern.width, startFrame: start,
      count: images.endNumber.map { ($0 - start) / images.frameStep + 1 }, step: images.frameStep,
      rate: Rate(images.frameDuration.reduced.timescale, over: below),
      holdsMissing: images.missingFramePolicy == .hold)
    return (Self.url(folder).url(relativeTo: base), named)
  }

  /// - Parameter part: of a document.
  init(_ part: EditTimeline.Part, relativeTo base: String?) {
    guard let images = part.images else {
      self.init(documentURL: part.url, relativeTo: base)
      return
    }
    var folder = part.url
    if case .url(let path) = Self(documentURL: part.url, relativeTo: base) { folder = path }
    if !folder.isEmpty, !folder.hasSuffix("/") { folder += "/" }
    let names = ImageSequence.Pattern(
      folder: "", prefix: images.prefix.percentDecoded ?? images.prefix, width: images.padding,
      suffix: images.suffix.percentDecoded ?? images.suffix
    ).path
    // In a URL, the place of the number is escaped as all else is.
    let isURL = folder.contains("://") || folder.hasPrefix("file:")
    var sequence = ImageSequence()
    sequence.frameDuration = Time(
      value: Int64(images.rate.denominator), timescale: images.rate.numerator)
    sequence.startNumber = images.startFrame
    sequence.endNumber = images.count.map { images.startFrame + ($0 - 1) * images.step }
    sequence.frameStep = images.step
    sequence.missingFramePolicy = images.holdsMissing ? .hold : .error
    self = .images(folder + (isURL ? Substring(names).percentEncoded : names), sequence)
  }

  /// - Parameter url: the URL as in a document.
  init(documentURL url: String, relativeTo base: String?) {
    let scheme = url.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let hasScheme = !scheme.isEmpty && url.dropFirst(scheme.count).first == ":"
    if hasScheme || url.hasPrefix("/") {
      self = .url(url)
      return
    }
    let path = url.percentDecoded ?? url
    self = .url(base.map { $0.hasSuffix("/") ? $0 + path : "\($0)/\(path)" } ?? path)
  }
}

extension Substring {
  /// The percent-encoded text (RFC 3986): all but unreserved characters and slashes are escaped.
  fileprivate var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 128, character.isLetter || character.isNumber || "-._~/".contains(character) {
        text.append(character)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
  }
}

extension String {
  /// The decoded text; nil for one with a percent sign that begins no escape.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
