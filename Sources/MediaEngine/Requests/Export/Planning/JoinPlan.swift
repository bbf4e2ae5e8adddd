import LibAV
import MediaTime

/// The join of a track's parts: the formats decide if their samples can follow each other in one track of a file.
struct JoinPlan {
  /// A part of the track, or an empty edit.
  struct Segment {
    /// Its number in the timeline.
    let number: Int
    let timeRange: TimeRange
    /// The differences from the track's format; nil where there are none.
    var refusal: String?
    /// True if parameter sets between the samples are a solution.
    var isSolvedInBand = false

    /// The advice for a refused one, besides encoding.
    var advice: EngineError.Advice? { isSolvedInBand ? .encodeOrJoinInBand : nil }
  }

  /// The format of the samples; of H.264 and HEVC with the parameter sets of all parts that can stand side by side.
  private(set) var format: MediaFormat
  private(set) var segments: [Segment] = []
  /// Each part's parameter sets lie between its samples.
  private(set) var isInBand = false

  init(_ timeline: TrackTimeline, _ settings: JoinSettings, in fileType: FileType) {
    format = timeline.parts.lazy.compactMap(\.format).first ?? timeline.format.media
    var joined = JoinedConfiguration(format.parameters)
    for (number, part) in timeline.parts.enumerated() {
      var segment = Segment(number: number, timeRange: part.mapping.target)
      if let source = part.source, let own = part.format {
        var reasons = FormatDifferences(format, own).descriptions
        if !source.hasIndex { reasons.append(part.reasonWithoutIndex) }
        if part.stored(over: part.mapping.source)?.stream.descriptionPlaces.isEmpty == false {
          reasons.append("its sample description changes in it")
        }
        if format.kind == .audio, part.mapping.rate != 1 {
          reasons.append("it is heard at another speed")
        }
        if reasons.isEmpty, let joined {
          isInBand = isInBand || !joined.isCompatible(with: own.parameters)
        } else if reasons.isEmpty, FormatDifferences.configuration(format, own) {
          reasons.append("its decoder configuration isn't the track's")
        }
        if !reasons.isEmpty { segment.refusal = reasons.joined(separator: ", ") }
        if segment.refusal == nil { joined?.add(own.parameters) }
      }
      segments.append(segment)
    }
    if isInBand, settings.video != .inBand { refuseOtherConfigurations(timeline) }
    guard let joined else { return }
    let tag = isInBand ? joined.inBandTag : nil
    var data = isInBand ? format.parameters.extradata : joined.extradata
    if isInBand, fileType.format.capabilities.storesAnnexB { data = joined.annexB }
    if tag != nil || data != format.parameters.extradata {
      // Copying parameters fails for want of memory only.
      format.parameters =
        (try? format.parameters.replacing(extradata: data, codecTag: tag)) ?? format.parameters
    }
  }

  private mutating func refuseOtherConfigurations(_ timeline: TrackTimeline) {
    isInBand = false
    guard var joined = JoinedConfiguration(format.parameters) else { return }
    for (number, part) in timeline.parts.enumerated() where segments[number].refusal == nil {
      guard let parameters = part.format?.parameters else { continue }
      if joined.isCompatible(with: parameters) {
        joined.add(parameters)
      } else {
        segments[number].refusal =
          "its parameter sets aren't the track's, and have the same numbers"
        segments[number].isSolvedInBand = true
      }
    }
  }

  /// True if a track of audio is a part of one source, and can be copied as trims of files are, exactly.
  static func isExactCopy(of timeline: TrackTimeline, in fileType: FileType) -> Bool {
    guard timeline.parts.count == 1, let part = timeline.parts.first, part.source?.hasIndex == true,
      part.mapping.rate == 1, part.mapping.target.start == .zero
    else { return false }
    return fileType.format.capabilities.hasEditLists || part.mapping.source.start == .zero
  }

  /// The one part of a track, and the range of its source in a range of the track; nil for several parts.
  func singlePart(
    of timeline: TrackTimeline, in range: TimeRange
  ) -> (media: StoredTrack, range: TrackRange)? {
    guard segments.count == 1, let ranges = timeline.ranges(in: range)[0],
      let source = ranges.source, let media = timeline.parts.first?.stored(over: source),
      ranges.target.start == range.start, timeline.parts[0].mapping.rate == 1
    else { return nil }
    return (media, TrackRange(source, of: media))
  }

  /// - Throws: `operationNotSupportedForAsset` with all that differs.
  func requireNoRefusal(of track: TrackInfo) throws(EngineError) {
    try JoinPlan.require(
      segments.filter { $0.refusal != nil }.map { ($0, $0.refusal ?? "") }, of: track)
  }

  static func require(
    _ refused: [(segment: Segment, reason: String)], of track: TrackInfo
  ) throws(EngineError) {
    guard !refused.isEmpty else { return }
    let reasons = refused.map { segment, reason in
      "segment \(segment.number) (\(segment.timeRange.secondsDescription)): \(reason)"
    }
    throw EngineError(
      .operationNotSupportedForAsset,
      "The parts of track \(track.trackID) can't be joined without encoding: "
        + reasons.joined(separator: "; "),
      advice: refused.allSatisfy(\.segment.isSolvedInBand) ? .encodeOrJoinInBand : .encode)
  }
}

/// The differences of two formats in properties of which a track has one.
struct FormatDifferences {
  private(set) var descriptions: [String] = []

  init(_ first: MediaFormat, _ other: MediaFormat) {
    let (a, b) = (first.parameters, other.parameters)
    compare("codec", a.codecName, b.codecName)
    guard descriptions.isEmpty else { return }
    if first.kind == .audio { compareAudio(a, b) } else { comparePictures(first, other) }
  }

  private mutating func compareAudio(_ a: CodecParameters, _ b: CodecParameters) {
    compare("sample rate", "\(a.sampleRate)", "\(b.sampleRate)")
    compare("channel count", "\(a.channelLayout.channels)", "\(b.channelLayout.channels)")
    compare("profile", a.profile ?? "unknown", b.profile ?? "unknown")
  }

  private mutating func comparePictures(_ first: MediaFormat, _ other: MediaFormat) {
    let (a, b) = (first.parameters, other.parameters)
    compare("size", "\(a.width)×\(a.height)", "\(b.width)×\(b.height)")
    compare("pixel format", a.pixelFormat.name ?? "unknown", b.pixelFormat.name ?? "unknown")
    if CodecTraits(a.codecName).nalSyntax == nil {
      compare("profile", a.profile ?? "unknown", b.profile ?? "unknown")
    }
    compare(
      "pixel aspect ratio", Self.ratio(first.sampleAspectRatio), Self.ratio(other.sampleAspectRatio)
    )
    compare("primaries", a.color.primariesName ?? "unknown", b.color.primariesName ?? "unknown")
    compare("transfer", a.color.transferName ?? "unknown", b.color.transferName ?? "unknown")
    compare("matrix", a.color.matrixName ?? "unknown", b.color.matrixName ?? "unknown")
    compare("range", Self.range(a.color), Self.range(b.color))
    if first.displayMatrix != other.displayMatrix {
      descriptions.append("its rotation isn't the track's")
    }
  }

  private mutating func compare(_ field: String, _ track: String, _ part: String) {
    if track != part { descriptions.append("its \(field) is \(part), the track's \(track)") }
  }

  private static func ratio(_ ratio: Rational) -> String {
    ratio.numerator <= 0 || ratio.numerator == ratio.denominator
      ? "1:1" : "\(ratio.numerator):\(ratio.denominator)"
  }

  private static func range(_ color: ColorDescription) -> String {
    switch color.range {
    case 1: "limited"
    case 2: "full"
    default: "unknown"
    }
  }

  /// True if samples of two formats need other configurations of a decoder.
  static func configuration(_ first: MediaFormat, _ other: MediaFormat) -> Bool {
    !CodecTraits(first.parameters.codecName).samplesConfigureDecoder
      && first.parameters.extradata != other.parameters.extradata
  }
}

/// The parameter sets of several streams of H.264 or HEVC side by side.
struct JoinedConfiguration {
  private(set) var extradata: [UInt8]
  private let syntax: NALSyntax
  private var units: [[UInt8]]
  /// The number of units of the first stream.
  private let own: Int

  /// Nil for other codecs.
  init?(_ parameters: CodecParameters) {
    guard let syntax = CodecTraits(parameters.codecName).nalSyntax else { return nil }
    self.syntax = syntax
    extradata = parameters.extradata
    units = JoinedConfiguration.units(syntax, parameters.extradata)
    own = units.count
  }

  static func units(_ syntax: NALSyntax, _ extradata: [UInt8]) -> [[UInt8]] {
    (ParameterSets(syntax, extradata: extradata)?.units ?? []).filter(\.isParameterSet)
      .map(\.bytes)
  }

  /// The sample entry of a movie whose parameter sets may lie between the samples (ISO/IEC 14496-15).
  var inBandTag: String {
    switch syntax {
    case .h264: "avc3"
    case .hevc: "hev1"
    }
  }

  /// The parameter sets, each after a start code.
  var annexB: [UInt8] { NALFraming.annexB.join(units) ?? extradata }

  /// True if the sets of a stream are among these, or have numbers of their own.
  func isCompatible(with parameters: CodecParameters) -> Bool {
    isCompatible(with: JoinedConfiguration.units(syntax, parameters.extradata))
  }

  func isCompatible(with sets: [[UInt8]]) -> Bool {
    let added = sets.filter { !units.contains($0) }
    guard !added.isEmpty else { return true }
    guard syntax == .h264 else { return false }
    let known = units.compactMap(ConfigurationJoin.numberOfH264)
    return added.allSatisfy { unit in
      guard let number = ConfigurationJoin.numberOfH264(unit) else { return false }
      return !known.contains { $0 == number }
    } && ConfigurationJoin.adding(added, to: extradata, syntax) != nil
  }

  /// True if an encoder's own sets can be added to these.
  func accepts(_ sets: [[UInt8]]) -> Bool {
    let added = sets.filter { !units.contains($0) }
    guard ConfigurationJoin.adding(added, to: extradata, syntax) != nil else { return false }
    guard syntax == .h264 else {
      // Those of an edge have a number that no source's encoder takes.
      return !added.contains { set in units.dropFirst(own).contains { $0.first == set.first } }
    }
    return isCompatible(with: sets)
  }

  /// The numbers of all sets.
  var numbers: Set<UInt32> {
    switch syntax {
    case .h264: ConfigurationJoin.numbersOfH264(units) ?? []
    case .hevc: Set(UInt32(max(1, 16 - (units.count - own) / 3))..<16)
    }
  }

  mutating func add(_ parameters: CodecParameters) {
    add(JoinedConfiguration.units(syntax, parameters.extradata))
  }

  /// Adds sets that are compatible.
  mutating func add(_ sets: [[UInt8]]) {
    let added = sets.filter { !units.contains($0) }
    guard !added.isEmpty, let joined = ConfigurationJoin.adding(added, to: extradata, syntax) else {
      return
    }
    extradata = joined
    units += added
  }
}
