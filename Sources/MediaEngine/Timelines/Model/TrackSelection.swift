import LibAV

/// The choice of tracks of an asset.
public struct TrackSelection: Sendable, Hashable {
  /// The properties that a track must have: all that are stated.
  public struct Rule: Sendable, Hashable {
    public var trackID: Int32?
    public var mediaType: MediaType?
    public var mediaCharacteristics: [MediaCharacteristic]
    /// BCP 47, or a code of three letters; `und` for a track without a language.
    public var language: String?
    /// FFmpeg's name of the codec, or the beginning of it: `pcm` is every `pcm_…`.
    public var codec: String?

    public init(
      trackID: Int32? = nil, mediaType: MediaType? = nil,
      mediaCharacteristics: [MediaCharacteristic] = [], language: String? = nil,
      codec: String? = nil
    ) {
      self.trackID = trackID
      self.mediaType = mediaType
      self.mediaCharacteristics = mediaCharacteristics
      self.language = language
      self.codec = codec
    }
  }

  /// A track is selected if one of them fits it; nil selects all.
  public var include: [Rule]?
  /// A track is left out if one of them fits it.
  public var exclude: [Rule] = []
  /// Of audio and subtitles those in one of these languages; nil selects all.
  public var languages: [String]?
  /// The position of the rules in the parameters.
  private var placeOfRules = "/include"

  public init(
    include: [Rule]? = nil, exclude: [Rule] = [], languages: [String]? = nil
  ) {
    self.include = include
    self.exclude = exclude
    self.languages = languages
  }

  /// Those with these numbers.
  public init(numbers: [Int32]) {
    self.init(include: numbers.map { Rule(trackID: $0) })
    placeOfRules = ""
  }

  /// Returns the reason why a track isn't selected, as the end of a sentence; nil where it is.
  func reasonToLeaveOut(_ track: TrackInfo) -> String? {
    if let include, !include.contains(where: { $0.fits(track) }) {
      return "it is not among the chosen tracks"
    }
    if exclude.contains(where: { $0.fits(track) }) { return "it is among those to leave out" }
    guard let languages,
      [.audio, .subtitle, .text, .closedCaption].contains(track.mediaType)
    else { return nil }
    let language = track.extendedLanguageTag
    return languages.contains(where: track.isInLanguage)
      ? nil : "its language is \(language ?? "unspecified")"
  }

  /// Returns the parts of the selection that don't fit the tracks of an asset.
  ///
  /// - Parameters:
  ///   - path: of the selection in the parameters.
  ///   - takesAudio: true if audio is wanted at all, so that some has to be in one of the
  ///     languages.
  func problems(
    with tracks: [TrackInfo], at path: String, takesAudio: Bool = true
  ) -> [EngineError.Problem] {
    let known = tracks.isEmpty ? "none" : tracks.map(\.shortDescription).joined(separator: ", ")
    var problems: [EngineError.Problem] = []
    func check(_ rule: Rule, _ path: String) {
      guard !tracks.contains(where: { rule.fits($0) }) else { return }
      problems.append(
        EngineError.Problem(path: path, expected: "a track: \(known)", got: rule.description))
    }
    for (place, rule) in (include ?? []).enumerated() {
      check(rule, "\(path)\(placeOfRules)/\(place)")
    }
    // That there is none to leave out is as it should be, unless it is named by its number.
    for (place, rule) in exclude.enumerated() where rule.trackID != nil {
      check(rule, "\(path)/exclude/\(place)")
    }
    if let languages, takesAudio {
      let audio = tracks.filter { $0.mediaType == .audio }
      let isThere = audio.contains { languages.contains(where: $0.isInLanguage) }
      if !audio.isEmpty, !isThere {
        let spoken = audio.map { $0.extendedLanguageTag ?? "unspecified" }
        problems.append(
          EngineError.Problem(
            path: "\(path)/languages",
            expected: "a language of the audio: \(spoken.joined(separator: ", "))",
            got: languages.joined(separator: ", ")))
      }
    }
    return problems
  }
}

extension TrackSelection.Rule: CustomStringConvertible {
  func fits(_ track: TrackInfo) -> Bool {
    (trackID.map { $0 == track.trackID } ?? true)
      && (mediaType.map { $0 == track.mediaType } ?? true)
      && mediaCharacteristics.allSatisfy(track.mediaCharacteristics.contains)
      && (language.map(track.isInLanguage) ?? true) && (codec.map(fits(codecOf: track)) ?? true)
  }

  private func fits(codecOf track: TrackInfo) -> (String) -> Bool {
    { codec in
      let (name, wanted) = (track.format.parameters.codecName, codec.lowercased())
      return name == wanted || name.hasPrefix(wanted + "_")
    }
  }

  /// `audio:de:aac`.
  public var description: String {
    let facts = [trackID.map { "\($0)" }, mediaType?.rawValue]
    let rest = mediaCharacteristics.map(\.rawValue) + [language, codec].compactMap(\.self)
    return (facts.compactMap(\.self) + rest).joined(separator: ":")
  }
}

extension TrackInfo {
  fileprivate func isInLanguage(_ wanted: String) -> Bool {
    guard let language = extendedLanguageTag else { return wanted.lowercased() == "und" }
    return languageTag(language, matches: bcp47(ofISO639: wanted) ?? wanted)
  }

  /// `2 (audio, aac, de)`.
  var shortDescription: String {
    let facts = [mediaType.rawValue, format.parameters.name, extendedLanguageTag]
    return "\(trackID) (\(facts.compactMap(\.self).joined(separator: ", ")))"
  }
}
