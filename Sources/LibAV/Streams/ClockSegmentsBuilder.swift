/// A search for the restarts of a file's clock, by its packets.
package struct ClockSegmentsBuilder: Sendable {
  /// The minimum step back that is no disorder of neighbours, and the minimum step ahead that is no
  /// pause, in seconds: those of the `ffmpeg` command (`ts_discontinuity_process`,
  /// `dts_delta_threshold`).
  private static let (stepBack, stepAhead) = (0.1, 10.0)

  /// A stream in a segment of the clock; times are on the segment's own clock, which begins with 0.
  private struct Piece {
    var segment: Int
    var firstDTS: Int64
    var lastDTS: Int64
    var start: Int64
    var end: Int64
    var anchors: [(position: Int64, stamp: Int64, time: Int64)]
    var syncPoints: [(time: Int64, position: Int64)] = []
    /// The last decode time stamp in the file, and its time.
    var stamp: Int64
    var time: Int64
    /// The maximum step between two samples.
    var step: Int64
    /// The duration of the last picture that isn't shown when it is decoded, if its presentation time isn't stated:
    /// it is shown after those that are.
    var untimed: Int64?
  }

  private struct Segment {
    /// The last time stamp of any stream, and its time.
    var stamp: Int64
    var time: Int64
  }

  private let period: Int64
  private let ticks: Int64
  private let kinds: [MediaKind]
  /// The time of the file's first packet according to libavformat.
  private var origin: Int64?
  private var segments: [Segment] = []
  private var pieces: [[Piece]]
  /// True if libavformat and this builder disagree on the number of overflows of the counter.
  private var differs = false
  private var lastGiven: [Int64?]
  private var positions: [Int64]

  /// - Returns: nil for containers whose clock doesn't begin again, and where streams have clocks of their
  ///   own.
  package init?(_ demuxer: borrowing Demuxer) {
    guard let bits = demuxer.behavior.clockBits else { return nil }
    let streams = demuxer.streams
    guard let base = streams.first?.timeBase, base.numerator == 1, base.denominator > 0,
      streams.allSatisfy({ $0.timeBase == base })
    else { return nil }
    period = 1 << Int64(bits)
    ticks = Int64(base.denominator)
    kinds = streams.map { $0.attachedPictureSize > 0 ? .unknown : $0.kind }
    pieces = Array(repeating: [], count: kinds.count)
    lastGiven = Array(repeating: nil, count: kinds.count)
    positions = Array(repeating: 0, count: kinds.count)
  }

  /// Appends a packet, in the order of the file, with the file's own time stamps.
  package mutating func append(_ packet: borrowing Packet) {
    let stream = packet.streamIndex
    guard kinds.indices.contains(stream), kinds[stream] == .video || kinds[stream] == .audio,
      let stamp = packet.dts ?? packet.pts
    else { return }
    // If several packets share a position, only the first has it.
    let position = packet.position ?? positions[stream] &+ 1
    positions[stream] = position
    if origin == nil { origin = stamp }
    let time = place(stamp, stream: stream, position: position, packet.duration)
    guard var piece = pieces[stream].popLast() else { return }
    let pts = time &+ distance(from: stamp, to: packet.pts ?? stamp)
    let step = time &- piece.time
    let duration = packet.duration > 0 ? packet.duration : max(0, step)
    piece.step = max(piece.step, step)
    if packet.pts == nil {
      // Shown as much later than decoded as the first sample, or later.
      let delay = piece.start < .max ? max(0, piece.start &- piece.firstDTS) : 0
      piece.end = max(piece.end, time &+ delay &+ duration)
      piece.untimed = duration
    } else if pts != time {
      piece.untimed = nil
    }
    if let untimed = piece.untimed { piece.end = max(piece.end, time &+ duration &+ untimed) }
    piece.end = max(piece.end, pts &+ duration)
    piece.start = min(piece.start, pts)
    piece.lastDTS = max(piece.lastDTS, time)
    (piece.stamp, piece.time) = (stamp, time)
    if let last = piece.anchors.last, time &- last.time > 3600 * ticks {
      // Far from where the counter could have overflowed once more.
      piece.anchors.append((position, stamp, time))
    }
    if packet.isKey, packet.position != nil,
      piece.syncPoints.last.map({ pts &- $0.time >= ticks }) ?? true
    {
      piece.syncPoints.append((pts, position))
    }
    segments[piece.segment].stamp = stamp
    segments[piece.segment].time = time
    pieces[stream].append(piece)
    if let last = lastGiven[stream], pieces[stream].count == 1,
      stamp &- last != distance(from: last, to: stamp)
    {
      differs = true
    }
    lastGiven[stream] = stamp
  }

  private func distance(from start: Int64, to end: Int64) -> Int64 {
    ClockSegments.distance(from: start, to: end, period)
  }

  /// Returns the time of a packet on the clock of its segment, which it may begin.
  private mutating func place(
    _ stamp: Int64, stream: Int, position: Int64, _ duration: Int64
  ) -> Int64 {
    let last = pieces[stream].last
    if let last {
      let step = distance(from: last.stamp, to: stamp)
      let joins = last.segment + 1 < segments.count
      if !isJump(step, last, duration, joins: joins, stamp, stream: stream) {
        return last.time &+ step
      }
    }
    // If another stream has reached a new segment already, this one follows.
    let first = last.map { $0.segment + 1 } ?? 0
    let known = (first..<max(first, segments.count)).last { isNear(stamp, segments[$0]) }
    let segment: Int
    if let known {
      segment = known
    } else if last == nil, !segments.isEmpty {
      segment = segments.count - 1
    } else {
      segment = segments.count
      segments.append(Segment(stamp: stamp, time: 0))
    }
    let time = segments[segment].time &+ distance(from: segments[segment].stamp, to: stamp)
    pieces[stream].append(
      Piece(
        segment: segment, firstDTS: time, lastDTS: time, start: .max, end: .min,
        anchors: [(position, stamp, time)], stamp: stamp, time: time, step: 0))
    return time
  }

  private func isNear(_ stamp: Int64, _ segment: Segment) -> Bool {
    let limit = Int64(ClockSegmentsBuilder.stepAhead) * ticks
    return distance(from: segment.stamp, to: stamp).magnitude <= limit.magnitude
  }

  /// - Parameter joins: true if another stream has reached a new segment already.
  private func isJump(
    _ step: Int64, _ last: Piece, _ duration: Int64, joins: Bool, _ stamp: Int64, stream: Int
  ) -> Bool {
    let back = joins ? 0 : Int64(ClockSegmentsBuilder.stepBack * Double(ticks))
    if step < -back { return true }
    let ahead = Int64(ClockSegmentsBuilder.stepAhead) * ticks
    // Frames of a slide show are as far apart.
    guard step > ahead, step > 10 * max(last.step, duration) else { return false }
    // If another stream of the segment has reached that time, this one was silent.
    return !pieces.enumerated().contains { other, list in
      guard other != stream, let piece = list.last, piece.segment == last.segment else {
        return false
      }
      return distance(from: piece.stamp, to: stamp) <= ahead
    }
  }

  /// Returns the segments; nil if the clock never begins again.
  package func finish() -> ClockSegments? {
    guard let origin, segments.count > 1 || differs else { return nil }
    let bases = bases(origin: origin)
    var anchors = [[ClockSegments.Anchor]](repeating: [], count: kinds.count)
    var syncPoints = [[ClockSegments.SyncPoint]](repeating: [], count: kinds.count)
    for (stream, list) in pieces.enumerated() {
      var previous: (end: Int64, dts: Int64)?
      for piece in list {
        let base = bases[piece.segment]
        for anchor in piece.anchors {
          anchors[stream].append(
            ClockSegments.Anchor(
              position: anchor.position, stamp: anchor.stamp, time: base &+ anchor.time,
              previous: previous, firstDTS: base &+ piece.firstDTS))
        }
        syncPoints[stream] += piece.syncPoints.map {
          ClockSegments.SyncPoint(time: base &+ $0.time, position: $0.position)
        }
        previous = (base &+ piece.end, base &+ piece.lastDTS)
      }
    }
    let guide = kinds.firstIndex(of: .video) ?? kinds.firstIndex(of: .audio) ?? 0
    for stream in kinds.indices where anchors[stream].isEmpty { anchors[stream] = anchors[guide] }
    return ClockSegments(
      anchors: anchors, syncPoints: syncPoints, isAudio: kinds.map { $0 == .audio },
      period: period)
  }

  /// Returns the starts of the segments on the timeline: the frames of each follow those of the one
  /// before, unless another stream would lose more than encoders add.
  private func bases(origin: Int64) -> [Int64] {
    var bases = [origin]
    for segment in segments.indices.dropFirst() {
      var wanted: [(kind: MediaKind, base: Int64)] = []
      for (stream, list) in pieces.enumerated() {
        guard let number = list.firstIndex(where: { $0.segment == segment }), number > 0 else {
          continue
        }
        let before = list[number - 1]
        wanted.append((kinds[stream], bases[before.segment] &+ before.end &- list[number].start))
      }
      let latest = wanted.map(\.base).max()
      let guide = (wanted.first { $0.kind == .video } ?? wanted.first)?.base
      guard let latest, let guide else {
        bases.append(endOfAll(before: segment, bases) &- startOfAll(in: segment))
        continue
      }
      let tolerance = Int64(ClockSegmentsBuilder.stepBack * Double(ticks))
      bases.append(latest &- guide > tolerance ? latest : guide)
    }
    return bases
  }

  private func endOfAll(before segment: Int, _ bases: [Int64]) -> Int64 {
    pieces.joined().filter { $0.segment < segment }.map { bases[$0.segment] &+ $0.end }.max() ?? 0
  }

  private func startOfAll(in segment: Int) -> Int64 {
    pieces.joined().filter { $0.segment == segment }.map(\.start).min() ?? 0
  }
}
