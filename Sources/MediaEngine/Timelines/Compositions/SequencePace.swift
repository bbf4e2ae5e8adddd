import MediaTime

/// The speed of a clip or an overlay: constant, or a ramp.
struct SequencePace {
  let speed: PlaybackSpeed
  /// In times of the source; none for a constant speed.
  let ramp: [SpeedPoint]
  let clock: SequenceClock

  /// A piece of a source as a segment presents it.
  struct Piece {
    var mapping: TimeMapping
    /// With speeds above 0; none for a constant speed.
    var ramp: [SpeedPoint] = []
  }

  init(_ speed: PlaybackSpeed, _ ramp: [SpeedPoint], _ clock: SequenceClock) {
    (self.speed, self.clock) = (speed, clock)
    self.ramp = ramp.map { SpeedPoint($0.speed, at: clock.given($0.time)) }
  }

  var playback: SegmentPlayback { (ramp.first?.speed ?? speed).playback }

  private func curve(over range: TimeRange) -> SpeedCurve? {
    SpeedCurve(ramp, over: range, playback)
  }

  /// Returns the time for which a range of the source is shown; invalid where that is none.
  func duration(of range: TimeRange) -> Time {
    if ramp.isEmpty { return clock.settled(speed.shown(range.duration)) }
    return curve(over: range).map { clock.settled($0.duration) } ?? .invalid
  }

  /// Returns the part of a range of the source that is shown first, for a duration.
  func part(of range: TimeRange, shownFor duration: Time) -> (range: TimeRange, pace: SequencePace)
  {
    var part = range
    var pace = self
    if ramp.isEmpty {
      part.duration = clock.settled(speed.taken(by: duration))
    } else if let curve = curve(over: range) {
      part.duration = clock.settled(curve.positionTime(at: duration))
      let points = curve.points(from: .zero, to: duration, factor: ExactTime(1))
      let start = playback == .reverse ? range.end - part.duration : range.start
      let cut = TimeRange(start: start, duration: part.duration)
      let stated = stated(points, of: range, within: cut)
      pace = SequencePace(
        speed,
        playback == .reverse
          ? stated.map { SpeedPoint($0.speed.opposite, at: $0.time) } : stated, clock)
    }
    if playback == .reverse { part.start = range.end - part.duration }
    return (part, pace)
  }

  /// Returns the part of a source's range that one of its tracks has, and the time at which it is
  /// shown.
  func piece(
    of track: ClipSequence.SourceFacts.Track, in source: TimeRange, at target: TimeRange
  ) -> Piece? {
    let shared = source.intersection(track.timeRange)
    guard shared.isValid, !shared.isEmpty else { return nil }
    // Backward, the end of the source comes first.
    let (first, last) =
      playback == .reverse
      ? (source.end - shared.end, source.end - shared.start)
      : (shared.start - source.start, shared.end - source.start)
    if ramp.isEmpty {
      let start = target.start + clock.settled(speed.shown(first))
      let end = min(target.end, target.start + clock.settled(speed.shown(last)))
      guard start < end else { return nil }
      return Piece(
        mapping: TimeMapping(source: shared, target: TimeRange(start: start, end: end)))
    }
    guard let curve = curve(over: source) else { return nil }
    if shared == source {
      return Piece(
        mapping: TimeMapping(source: shared, target: target),
        ramp: ramp.map {
          SpeedPoint(playback == .reverse ? $0.speed.opposite : $0.speed, at: $0.time)
        }
      )
    }
    let (from, to) = (clock.settled(curve.time(of: first)), clock.settled(curve.time(of: last)))
    let start = target.start + from
    let end = min(target.end, target.start + to)
    guard start < end else { return nil }
    let points = curve.points(from: from, to: to, factor: ExactTime(1))
    return Piece(
      mapping: TimeMapping(source: shared, target: TimeRange(start: start, end: end)),
      ramp: stated(points, of: source, within: shared))
  }

  /// Returns points at positions in a range of the source as points at its times.
  private func stated(
    _ points: [(Time, PlaybackSpeed)], of range: TimeRange, within shared: TimeRange
  ) -> [SpeedPoint] {
    let stated = points.map { position, speed in
      let time = playback == .reverse ? range.end - position : range.start + position
      return SpeedPoint(speed, at: clock.settled(max(shared.start, min(shared.end, time))))
    }
    return playback == .reverse ? stated.reversed() : stated
  }
}
