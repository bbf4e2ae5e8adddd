import ArgumentParser
import EngineProtocol

/// The selection of tracks, as options.
struct TrackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The tracks to take: numbers, kinds, languages, codecs, for example 1,3 or video,audio:de.",
      discussion: """
        Several are separated by commas, and a track is selected if one of them fits it. All parts of one, between \
        colons, have to fit: a number of 'reelwire probe', a kind (video, audio, subtitles, data), a language \
        (de, eng), a codec (aac, codec:subrip), or default, commentary, forced, sdh, description, dub, \
        original.
        """, valueName: "tracks"))
  var tracks: TrackListArgument?

  @Option(
    help: ArgumentHelp(
      "The tracks to leave out, in the same form, for example data or audio:commentary.",
      valueName: "tracks"))
  var without: TrackListArgument?

  @Option(
    parsing: .singleValue,
    help: "Take audio and subtitles in this language only, for example de; may be repeated.")
  var language: [String] = []

  /// Nil where no option is set.
  var selection: WireTrackSelection? {
    if tracks == nil, without == nil {
      return language.isEmpty ? nil : .languages(WireTrackLanguages(languages: language))
    }
    return .rules(
      WireTrackRules(
        include: tracks?.rules, exclude: without?.rules,
        languages: language.isEmpty ? nil : language
      ))
  }

  /// The options by the paths of the parameters that they become.
  static func name(of path: String) -> String? {
    if path.hasPrefix("languages") { return "--language" }
    return path.hasPrefix("exclude") ? "--without" : "--tracks"
  }
}

/// Tracks as people name them: `1,3`, `video,audio:de,codec:aac`.
struct TrackListArgument: ExpressibleByArgument {
  var rules: [WireTrackRule]

  init?(argument: String) {
    let each = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Self.rules($0.lowercased()) }
    guard each.allSatisfy({ !$0.isEmpty }) else { return nil }
    rules = each.flatMap(\.self)
  }

  /// The rules of one of them, of which one has to fit; none where it can't be understood.
  private static func rules(_ text: String) -> [WireTrackRule] {
    var rules = [WireTrackRule()]
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)[...]
    func set(_ change: (inout WireTrackRule) -> Void) {
      for index in rules.indices { change(&rules[index]) }
    }
    while let part = parts.popFirst() {
      if part == "codec" || part == "language" || part == "lang" {
        guard let name = parts.popFirst(), !name.isEmpty else { return [] }
        set { if part == "codec" { $0.codec = codec(name) } else { $0.language = name } }
      } else if let number = Int32(part) {
        set { $0.trackID = number }
      } else if let kind = kinds[part] {
        set { $0.mediaType = kind }
      } else if let characteristic = characteristics[part] {
        set { $0.mediaCharacteristics = ($0.mediaCharacteristics ?? []) + [characteristic] }
      } else if part == "data" || part == "d" {
        rules = [WireMediaType.metadata, .timecode].flatMap { type in
          rules.map { rule in
            var rule = rule
            rule.mediaType = type
            return rule
          }
        }
      } else if isLanguage(part) {
        set { $0.language = part }
      } else if part.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), !part.isEmpty {
        set { $0.codec = codec(part) }
      } else {
        return []
      }
    }
    return rules
  }

  private static let kinds: [String: WireMediaType] = [
    "video": .video, "v": .video, "audio": .audio, "a": .audio,
    "timecode": .timecode, "metadata": .metadata,
  ]

  private static let characteristics: [String: WireMediaCharacteristic] = [
    "subtitles": .legible, "subtitle": .legible, "subs": .legible, "s": .legible, "text": .legible,
    "default": .isMainProgramContent, "commentary": .isAuxiliaryContent,
    "comment": .isAuxiliaryContent, "original": .isOriginalContent, "dub": .dubbedTranslation,
    "forced": .containsOnlyForcedSubtitles, "sdh": .transcribesSpokenDialogForAccessibility,
    "description": .describesVideoForAccessibility,
  ]

  /// A code of two or three letters, with or without more after a hyphen; codecs of three letters are none.
  private static func isLanguage(_ text: String) -> Bool {
    let primary = text.prefix { $0 != "-" }
    return (2...3).contains(primary.count) && primary.allSatisfy { $0.isASCII && $0.isLetter }
      && !["aac", "dts", "pcm", "vp", "gif", "png", "srt", "ass", "ssa", "pgs"].contains(text)
  }

  /// FFmpeg's name of a codec that people call by another one.
  private static func codec(_ name: String) -> String {
    [
      "srt": "subrip", "h265": "hevc", "avc": "h264", "pgs": "hdmv_pgs_subtitle",
      "vobsub": "dvd_subtitle", "ssa": "ass", "vtt": "webvtt",
    ][name] ?? name
  }
}
