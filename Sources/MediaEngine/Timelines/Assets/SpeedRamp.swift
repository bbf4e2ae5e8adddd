import MediaTime

extension SpeedCurve {
  /// - Parameters:
  ///   - points: without problems, in times of the source.
  ///   - range: of the source.
  ///   - duration: nil for that which follows from the speeds.
  init?(
    _ points: [SpeedPoint], over range: TimeRange, _ playback: SegmentPlayback,
    lasting duration: Time? = nil
  ) {
    let positions =
      playback == .reverse
      ? points.reversed().map { (range.end - $0.time, $0.speed) }
      : points.map { ($0.time - range.start, $0.speed) }
    self.init(positions, over: range.duration, lasting: duration)
  }
}

/// The course of the speed of a range of a track.
struct SpeedRamp: Sendable {
  let curve: SpeedCurve
  /// The points of the whole curve, in times of the asset, as they were stated.
  let points: [SpeedPoint]
  /// From the clock of the track, as it is played without a ramp, to positions of the curve.
  let mapping: TimeMapping

  /// Returns the time of the track without a ramp that is shown at a time of the curve.
  func playedTime(_ time: Time) -> Time {
    curve.positionTime(at: time).mapped(from: mapping.target, to: mapping.source)
  }

  /// Returns the time of the curve at which a time of the track without a ramp is shown.
  func time(ofPlayed time: Time) -> Time {
    curve.time(of: time.mapped(from: mapping.source, to: mapping.target))
  }
}

extension TrackTimeline {
  /// Returns a range of the track along a curve, on the curve's clock.
  func ramped(
    _ ramp: SpeedRamp, _ mediaType: MediaType
  ) throws(EngineError) -> TrackTimeline {
    if let source {
      return TrackTimeline(RampedSource(source, ramp.curve, mapping: ramp.mapping))
    }
    var ramped: [Part] = []
    for part in parts {
      let shown = part.mapping.target.intersection(ramp.mapping.source)
      guard shown.isValid, !shown.isEmpty else { continue }
      let target = TimeRange(
        start: ramp.time(ofPlayed: shown.start), end: ramp.time(ofPlayed: shown.end))
      guard target.duration.isDuration else { continue }
      guard let source = part.source else {
        ramped.append(Part(emptyTarget: target))
        continue
      }
      let positions = TimeRange(
        start: shown.start.mapped(from: ramp.mapping.source, to: ramp.mapping.target),
        end: shown.end.mapped(from: ramp.mapping.source, to: ramp.mapping.target))
      let own = TimeRange(start: part.sourceTime(shown.start), end: part.sourceTime(shown.end))
      ramped.append(
        Part(
          RampedSource(
            source, ramp.curve, mapping: TimeMapping(source: own, target: positions)),
          mapping: TimeMapping(source: target, target: target)))
    }
    return try TrackTimeline(parts: ramped, of: mediaType, path: format.path)
  }
}

extension CompositionInput.Track {
  /// Returns the segments of a range of the track along a ramp, from zero on, as they are played.
  ///
  /// - Parameters:
  ///   - duration: nil for that which follows from the speeds.
  ///   - points: without problems, in times of the track; none for a constant speed.
  /// - Throws: `operationNotAllowed` for a part of the track that has a ramp already.
  func segments(
    in range: TimeRange, lasting duration: Time? = nil, _ playback: SegmentPlayback,
    _ points: [SpeedPoint]
  ) throws(EngineError) -> [SegmentList<CompositionSource>.Segment] {
    guard !points.isEmpty, held == nil,
      let curve = SpeedCurve(points, over: range, playback, lasting: duration)
    else { return try segments(in: range, lasting: duration ?? range.duration, playback) }
    var ramped: [SegmentList<CompositionSource>.Segment] = []
    var end = Time.zero
    for segment in try segments(in: range, lasting: range.duration, playback) {
      let position = TimeRange(start: end, duration: segment.mapping.target.duration)
      end = position.end
      let target = TimeRange(
        start: curve.time(of: position.start), end: curve.time(of: position.end))
      guard target.duration.isDuration else { continue }
      guard let source = segment.source else {
        ramped.append(.init(nil, TimeMapping(emptyTarget: target)))
        continue
      }
      guard !source.isFrozen else {
        ramped.append(.init(source, TimeMapping(source: segment.mapping.source, target: target)))
        continue
      }
      guard source.ramp == nil else {
        throw EngineError(
          .operationNotAllowed,
          "Track \(trackID) has a speed that changes already; it can't have another ramp")
      }
      let ramp = SpeedRamp(
        curve: curve, points: points,
        mapping: TimeMapping(source: segment.mapping.source, target: position))
      ramped.append(
        .init(try source.ramped(ramp), TimeMapping(source: target, target: target)))
    }
    return ramped
  }
}

extension SegmentList<CompositionSource>.Segment {
  /// The points of its speed, in times of the asset; none for a constant one.
  var speedRamp: [SpeedPoint] {
    guard let source, let ramp = source.ramp else { return [] }
    let shown = mapping.source
    let isWhole = shown.start == .zero && shown.end == ramp.curve.duration
    if isWhole, mapping.target.duration == shown.duration,
      ramp.mapping.target == TimeRange(start: .zero, duration: ramp.curve.sourceDuration),
      ramp.mapping.source.duration == ramp.mapping.target.duration
    {
      return ramp.points
    }
    guard let from = ExactTime(shown.duration), let to = ExactTime(mapping.target.duration),
      let own = ExactTime(ramp.mapping.source.duration),
      let positions = ExactTime(ramp.mapping.target.duration)
    else { return [] }
    let points = ramp.curve.points(
      from: shown.start, to: shown.end, factor: from / to * own / positions)
    let pivot = source.timeRange.start + source.timeRange.end
    let stated = points.map { position, speed in
      let played = position.mapped(from: ramp.mapping.target, to: ramp.mapping.source)
      return SpeedPoint(speed, at: source.playback == .reverse ? pivot - played : played)
    }
    return source.playback == .reverse ? stated.reversed() : stated
  }
}
