import MediaTime

extension CompositionState {
  /// A segment as the caller stated it, with the facts about its source.
  struct Candidate {
    /// Nil in an empty segment.
    let track: CompositionInput.Track?
    let path: String
    let timeMapping: TimeMapping
    var playback = SegmentPlayback.forward
    var speedRamp: [SpeedPoint] = []
  }

  /// Returns all that is wrong with segments that are to be a track
  /// (AVCompositionTrack.validateSegments).
  func problems(
    of candidates: [Candidate], in trackID: Int32, of path: String
  ) throws(EngineError) -> [EngineError.Problem] {
    let type = try track(trackID, of: path).mediaType
    var problems: [EngineError.Problem] = []
    var end = Time.zero
    for (number, candidate) in candidates.enumerated() {
      let place = "/segments/\(number)"
      let target = candidate.timeMapping.target
      if target.start != end {
        problems.append(
          .init(
            path: "\(place)/timeMapping/target/start",
            expected: "\(end.secondsDescription), where the segment before it ends",
            got: target.start.secondsDescription, code: .compositionTrackSegmentsNotContiguous))
      }
      if !target.duration.isNumeric || target.duration <= .zero {
        problems.append(
          .init(
            path: "\(place)/timeMapping/target/duration", expected: "a duration above 0",
            got: target.duration.secondsDescription, code: .invalidCompositionTrackSegmentDuration))
      }
      end = target.end
      if let source = candidate.track {
        problems += Self.problems(of: candidate, source, in: type, at: place)
      }
    }
    return problems
  }

  private static func problems(
    of candidate: Candidate, _ source: CompositionInput.Track, in type: MediaType, at place: String
  ) -> [EngineError.Problem] {
    guard source.mediaType == type else {
      return [
        .init(
          path: "\(place)/assetTrackID", expected: "a track of the kind \(type.rawValue)",
          got:
            "track \(source.trackID) of '\(candidate.path)', which is \(source.mediaType.rawValue)",
          code: .operationNotAllowed)
      ]
    }
    if let kinds = candidate.playback.kinds, !kinds.contains(type) {
      return [
        .init(
          path: "\(place)/playback", expected: "forward, as it is \(type.rawValue)",
          got: candidate.playback.rawValue, code: .operationNotAllowed)
      ]
    }
    let range = candidate.timeMapping.source
    if candidate.playback == .freeze {
      guard (try? source.frozen(at: range.start)) == nil else { return [] }
      return [
        .init(
          path: "\(place)/timeMapping/source/start", expected: "a time at which a frame is shown",
          got: range.start.secondsDescription,
          code: .invalidCompositionTrackSegmentSourceStartTime)
      ]
    }
    if source.held == nil, range.duration.isNumeric, range.duration <= .zero {
      return [
        .init(
          path: "\(place)/timeMapping/source/duration", expected: "a duration above 0",
          got: range.duration.secondsDescription,
          code: .invalidCompositionTrackSegmentSourceDuration)
      ]
    }
    let problems = resolve(
      range, within: TimeRange(start: .zero, duration: source.timeRange.end),
      upTo: source.statedEnd, isFrozen: source.held != nil, clamp: false, of: candidate.path,
      at: "\(place)/timeMapping/source"
    ).1
    guard !candidate.speedRamp.isEmpty, problems.isEmpty else { return problems }
    return Self.problems(
      of: candidate.speedRamp, over: range, candidate.playback, source,
      of: candidate.path, at: "\(place)/speedRamp")
  }

  /// Returns all that is wrong with a speed ramp over a range of a track.
  static func problems(
    of points: [SpeedPoint], over range: TimeRange, _ playback: SegmentPlayback,
    _ source: CompositionInput.Track, of path: String, at place: String
  ) -> [EngineError.Problem] {
    func refused(_ expected: String, _ got: String) -> [EngineError.Problem] {
      [.init(path: place, expected: expected, got: got, code: .operationNotAllowed)]
    }
    if playback == .freeze { return refused("none, as a frame is held", "a ramp") }
    if source.held != nil { return refused("none, as '\(path)' is one image", "a ramp") }
    guard SegmentPlayback.kindsOfRamps.contains(source.mediaType) else {
      return refused("none, as it is \(source.mediaType.rawValue)", "a ramp")
    }
    let problems = points.problems(over: range, allowsBackward: false, at: place)
    guard problems.isEmpty else { return problems }
    return SpeedCurve(points, over: range, playback) == nil
      ? refused("speeds at which something is left to be shown", "others") : []
  }

  /// Replaces all segments of a track.
  mutating func set(
    _ candidates: [Candidate], in trackID: Int32, of path: String
  ) throws(EngineError) {
    let problems = try problems(of: candidates, in: trackID, of: path)
    if !problems.isEmpty {
      throw EngineError(
        problems, of: "The segments of track \(trackID) of '\(path)' stay as they are")
    }
    for candidate in candidates { try candidate.track?.requireUnprotected(of: candidate.path) }
    try withTrack(trackID, of: path) { (track) throws(EngineError) in
      track.segments = SegmentList()
      for candidate in candidates {
        let mapping = candidate.timeMapping
        let made =
          try candidate.track?.segments(
            in: mapping.source, lasting: mapping.target.duration, candidate.playback,
            candidate.speedRamp)
          ?? [.init(nil, range: mapping.target, at: mapping.target.start)]
        track.segments.insert(made, at: mapping.target.start)
      }
    }
  }
}
