import MediaTime

extension CompositionTimeline {
  /// The greatest numbers of tracks and of segments that a composition can have.
  public static let limits = (tracks: 256, segments: 100_000, subtitleTracks: 64)

  /// Everything that is wrong with the form of the timeline, in the order of its members.
  ///
  /// The contents of its sources aren't examined: whether they can be opened, have the tracks and
  /// cover the ranges is checked when a composition is made of it.
  public var problems: [EngineError.Problem] {
    var check = TimelineCheck(self)
    return check.run()
  }
}

private struct TimelineCheck {
  let timeline: CompositionTimeline
  private var problems: [EngineError.Problem] = []

  init(_ timeline: CompositionTimeline) { self.timeline = timeline }

  mutating func run() -> [EngineError.Problem] {
    let limits = CompositionTimeline.limits
    let segments = timeline.tracks.reduce(0) { $0 + $1.segments.count }
    if timeline.tracks.count > limits.tracks || segments > limits.segments {
      // A list of a hundred thousand problems helps no one.
      add(
        "/tracks", "at most \(limits.tracks) tracks and \(limits.segments) segments",
        "\(timeline.tracks.count) and \(segments)", .limitExceeded)
      return problems
    }
    if let size = timeline.naturalSize {
      require(
        size.isPictureSize, "/naturalSize", Size.expectedPictureSize, size.text,
        .unsupportedOutputSettings)
    }
    require(
      timeline.subtitleTracks.count <= limits.subtitleTracks, "/subtitleTracks",
      "at most \(limits.subtitleTracks)", "\(timeline.subtitleTracks.count)")
    for (number, file) in timeline.subtitleTracks.enumerated() {
      require(
        file.timeOffset.isNumeric, "/subtitleTracks/\(number)/timeOffset", "a number of seconds",
        file.timeOffset.exactDescription)
    }
    var used: Set<Int32> = []
    for (number, track) in timeline.tracks.enumerated() {
      let path = "/tracks/\(number)"
      require(track.trackID > 0, "\(path)/trackID", "a number above 0", "\(track.trackID)")
      require(
        used.insert(track.trackID).inserted, "\(path)/trackID", "a number of its own",
        "\(track.trackID) again")
      if let scale = track.naturalTimeScale {
        require(scale > 0, "\(path)/naturalTimeScale", "a number above 0", "\(scale)")
      }
      require(
        track.preferredVolume.isFinite && track.preferredVolume >= 0, "\(path)/preferredVolume",
        "0 or more", "\(track.preferredVolume)")
      require(
        track.preferredTransform.hasFiniteNumbers, "\(path)/preferredTransform", "finite numbers",
        "others")
      check(track.segments, path)
    }
    if let mix = timeline.audioMix {
      let audio = timeline.tracks.filter { $0.mediaType == .audio }
      add(mix.problems(known: Set(audio.map(\.trackID))), below: "/audioMix")
    }
    if let composition = timeline.videoComposition {
      let video = timeline.tracks.filter { $0.mediaType == .video }
      add(composition.problems(known: Set(video.map(\.trackID))), below: "/videoComposition")
    }
    return problems
  }

  private mutating func add(_ found: [EngineError.Problem], below path: String) {
    problems += found.map { problem in
      var problem = problem
      problem.path = path + problem.path
      return problem
    }
  }

  private mutating func check(_ segments: [CompositionTimeline.Segment], _ track: String) {
    var end = Time.zero
    for (number, segment) in segments.enumerated() {
      let path = "\(track)/segments/\(number)"
      let target = segment.timeMapping.target
      require(
        target.duration.isDuration, "\(path)/timeMapping/target/duration", "more than 0 s",
        target.duration.exactDescription, .invalidCompositionTrackSegmentDuration)
      require(
        target.start == end, "\(path)/timeMapping/target/start",
        "\(end.exactDescription), where the segment before ends", target.start.exactDescription,
        .compositionTrackSegmentsNotContiguous)
      // One wrong position isn't reported at every later segment.
      end = target.isValid && target.end.isNumeric ? target.end : end
      checkSource(of: segment, path)
    }
  }

  private mutating func checkSource(of segment: CompositionTimeline.Segment, _ path: String) {
    let range = segment.timeMapping.source
    guard let name = segment.source else {
      require(
        !range.start.isValid, "\(path)/timeMapping/source", "invalid, as no source is named",
        "a range")
      require(
        segment.trackID == nil, "\(path)/trackID", "none, as no source is named",
        "\(segment.trackID ?? 0)")
      require(
        segment.playback == .forward, "\(path)/playback", "none, as no source is named",
        segment.playback.rawValue)
      require(
        segment.speedRamp.isEmpty, "\(path)/speedRamp", "none, as no source is named", "a ramp")
      return
    }
    let source = timeline.sources[name]
    require(source != nil, "\(path)/source", "the name of one of the sources", "'\(name)'")
    require(segment.trackID != nil, "\(path)/trackID", "a track of the source", "none")
    require(
      range.start.isNumeric && range.start.epoch == 0, "\(path)/timeMapping/source/start",
      "a time in the source", range.start.exactDescription,
      .invalidCompositionTrackSegmentSourceStartTime)
    let isFrozen =
      (source?.isStill == true || segment.playback == .freeze) && range.duration == .zero
    require(
      range.duration.isDuration || isFrozen, "\(path)/timeMapping/source/duration", "more than 0 s",
      range.duration.exactDescription, .invalidCompositionTrackSegmentSourceDuration)
    guard !segment.speedRamp.isEmpty else { return }
    require(!isFrozen, "\(path)/speedRamp", "none, as a frame is held", "a ramp")
    let isRange = range.start.isNumeric && range.duration.isDuration
    problems += segment.speedRamp.problems(
      over: isRange ? range : .invalid, allowsBackward: false, at: "\(path)/speedRamp")
  }

  private mutating func require(
    _ isRight: Bool, _ path: String, _ expected: String, _ got: String,
    _ code: EngineError.Code? = nil
  ) {
    if !isRight { add(path, expected, got, code) }
  }

  private mutating func add(
    _ path: String, _ expected: String, _ got: String, _ code: EngineError.Code?
  ) {
    problems.append(EngineError.Problem(path: path, expected: expected, got: got, code: code))
  }
}

extension Array {
  /// Returns all that is wrong with the course of a value: times that aren't numbers, entries that
  /// overlap, and values.
  func problems<Value>(
    _ path: String, _ expected: String, text: (Value) -> String = { "\($0)" },
    isRight: (Value) -> Bool
  ) -> [EngineError.Problem] where Element == ValueRamp<Value> {
    var problems: [EngineError.Problem] = []
    var end: Time?
    for (number, entry) in enumerated() {
      func add(_ expected: String, _ got: String) {
        problems.append(
          EngineError.Problem(
            path: "\(path)/\(number)", expected: expected, got: got,
            code: .unsupportedOutputSettings))
      }
      if !entry.values.allSatisfy(isRight) {
        add(expected, entry.values.map(text).joined(separator: " and "))
      }
      if case .ramp(_, _, let range) = entry, !range.duration.isDuration {
        add("a ramp of more than 0 s", range.duration.exactDescription)
        continue
      }
      guard entry.start.isNumeric, entry.start.epoch == 0 else {
        add("a time", entry.start.exactDescription)
        continue
      }
      if let end, entry.start < end {
        add(
          "a time from \(end.exactDescription) on, where the entry before ends",
          entry.start.exactDescription)
      }
      end = entry.end
    }
    return problems
  }
}

extension Size {
  var hasArea: Bool { width > 0 && height > 0 && width.isFinite && height.isFinite }
  var text: String { "\(width) × \(height)" }

  /// True if the picture of a composition can have it.
  var isPictureSize: Bool { (1...16384).contains(width) && (1...16384).contains(height) }
  static let expectedPictureSize = "a width and a height from 1 to 16384"
}

extension AffineTransform {
  var hasFiniteNumbers: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }
  var text: String { "\([a, b, c, d, tx, ty])" }
}
