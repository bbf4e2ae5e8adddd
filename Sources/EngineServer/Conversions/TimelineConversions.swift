import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// A composition as a document, both ways.

/// The engine's value; the request for it has the same name.
typealias CompositionTimeline = MediaEngine.CompositionTimeline

extension CompositionTimeline {
  /// - Parameter path: the place of the timeline in the parameters, as a JSON pointer.
  /// - Throws: all problems at once.
  init(_ wire: WireCompositionTimeline, at path: String) throws(ErrorObject) {
    var problems: [EngineError.Problem] = []
    if wire.version != WireCompositionTimeline.currentVersion {
      problems.append(
        EngineError.Problem(
          path: "/version", expected: "\(WireCompositionTimeline.currentVersion)",
          got: "\(wire.version)"))
    }
    var sources: [String: Source] = [:]
    for (name, source) in wire.sources.sorted(by: { $0.key < $1.key }) {
      sources[name] = Source(source, at: "/sources/\(name.pointerEscaped)", &problems)
    }
    self.init(
      naturalSize: wire.naturalSize.map(Size.init), sources: sources,
      tracks: wire.tracks.enumerated().map { Track($1, at: "/tracks/\($0)", &problems) },
      audioMix: wire.audioMix.map { AudioMix($0, at: "/audioMix", &problems) },
      videoComposition: wire.videoComposition.map {
        VideoComposition($0, at: "/videoComposition", &problems)
      })
    subtitleTracks = (wire.subtitleTracks ?? []).map(SubtitleFile.init)
    problems += self.problems
    if let error = ErrorObject(problems, at: path) { throw error }
  }
}

extension ErrorObject {
  /// Creates one error of all the problems of a document, with the code of the first that has one; nil where there are
  /// none.
  init?(_ problems: [EngineError.Problem], at path: String) {
    guard let first = problems.first(where: { $0.code != nil }) ?? problems.first else {
      return nil
    }
    let code = first.code.flatMap { ErrorCode(rawValue: $0.rawValue) } ?? .invalidParams
    let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
    self.init(
      code, "\(path)\(first.path): expected \(first.expected), got \(first.got)\(more)",
      advice: code.adviceOnProblems)
    data?.errors = problems.prefix(DecodingProblems.limit).map {
      WireParamsProblem(
        path: path + $0.path, expected: $0.expected, got: $0.got, code: $0.code?.rawValue)
    }
  }
}

extension CompositionTimeline.Source {
  fileprivate init(
    _ wire: WireTimelineSource, at path: String, _ problems: inout [EngineError.Problem]
  ) {
    let isStill = wire.still ?? false
    switch (wire.url, wire.asset) {
    case (let url?, nil):
      self.init(Location(url: url, wire.imageSequence), isStill: isStill)
    case (nil, let asset?): self.init(.asset(asset.rawValue), isStill: isStill)
    case (let url, _):
      problems.append(
        EngineError.Problem(
          path: path, expected: "url or asset", got: url == nil ? "neither" : "both"))
      self.init(.url(url ?? ""), isStill: isStill)
    }
  }
}

extension CompositionTimeline.Track {
  fileprivate init(
    _ wire: WireTimelineTrack, at path: String, _ problems: inout [EngineError.Problem]
  ) {
    self.init(
      trackID: wire.trackID, mediaType: MediaType(wire.mediaType),
      isEnabled: wire.isEnabled ?? true, naturalTimeScale: wire.naturalTimeScale,
      languageCode: wire.languageCode, extendedLanguageTag: wire.extendedLanguageTag,
      preferredTransform: wire.preferredTransform.map(AffineTransform.init) ?? .identity,
      preferredVolume: wire.preferredVolume ?? 1,
      segments: wire.segments.enumerated().map { number, segment in
        CompositionTimeline.Segment(
          source: segment.source, trackID: segment.trackID,
          timeMapping: segment.timeMapping.mapping, playback: SegmentPlayback(segment.playback),
          speedRamp: [SpeedPoint](
            segment.speedRamp, at: "\(path)/segments/\(number)/speedRamp", &problems))
      })
  }
}

extension WireCompositionTimeline {
  /// Creates the timeline in canonical form.
  init(_ timeline: CompositionTimeline) {
    let timeline = timeline.canonical
    self.init(
      naturalSize: timeline.naturalSize.map(WireSize.init),
      sources: timeline.sources.mapValues(WireTimelineSource.init),
      tracks: timeline.tracks.map(WireTimelineTrack.init),
      audioMix: timeline.audioMix.map(WireAudioMix.init),
      videoComposition: timeline.videoComposition.map(WireVideoComposition.init),
      subtitleTracks: timeline.subtitleTracks.isEmpty
        ? nil : timeline.subtitleTracks.map(WireSubtitleFile.init))
  }
}

extension WireTimelineSource {
  fileprivate init(_ source: CompositionTimeline.Source) {
    self.init(still: source.isStill ? true : nil)
    switch source.location {
    case .url(let url): self.url = url
    case .images(let url, let images):
      (self.url, imageSequence) = (url, WireImageSequence(images))
    case .asset(let handle): asset = AssetHandle(rawValue: handle)
    }
  }
}

extension WireTimelineTrack {
  fileprivate init(_ track: CompositionTimeline.Track) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      isEnabled: track.isEnabled ? nil : false, naturalTimeScale: track.naturalTimeScale,
      languageCode: track.languageCode, extendedLanguageTag: track.extendedLanguageTag,
      preferredTransform: track.preferredTransform == .identity
        ? nil : WireTransform(track.preferredTransform),
      preferredVolume: track.preferredVolume == 1 ? nil : track.preferredVolume,
      segments: track.segments.map {
        WireTimelineSegment(
          source: $0.source, trackID: $0.trackID, timeMapping: WireTimeMapping($0.timeMapping),
          playback: WireSegmentPlayback($0.playback), speedRamp: [WireSpeedPoint]($0.speedRamp))
      })
  }
}

extension SegmentPlayback {
  init(_ wire: WireSegmentPlayback?) {
    switch wire {
    case .forward, nil: self = .forward
    case .reverse: self = .reverse
    case .freeze: self = .freeze
    }
  }
}

extension WireSegmentPlayback {
  /// Creates the value; nil for the default.
  init?(_ playback: SegmentPlayback) {
    switch playback {
    case .forward: return nil
    case .reverse: self = .reverse
    case .freeze: self = .freeze
    }
  }
}

extension String {
  /// The text as a step of a JSON pointer (RFC 6901).
  fileprivate var pointerEscaped: String {
    reduce(into: "") { escaped, character in
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.append(character)
      }
    }
  }
}
