internal import CLibAV

/// One timeline of the time stamps of a file whose clock begins again: recordings one after the other, a
/// recorder that was restarted, the cells of a DVD.
///
/// Between two such places is a segment of the clock. Each segment follows the one before it, and within it
/// the distances are the file's own; where the clock's counter overflows, a segment continues. A demuxer
/// finds the segment of a packet by its place in the file, so that a seek needs no history.
package struct ClockSegments: Sendable {
  /// The meaning of a stream's time stamps from a position in the file on.
  struct Anchor: Sendable {
    /// The position in bytes.
    var position: Int64
    /// A time stamp of the file, and the time of it on the timeline.
    var stamp: Int64
    var time: Int64
    /// The end of the stream's samples in the segment before, and the decode time of the last of
    /// them; nil in the stream's first segment.
    var previous: (end: Int64, dts: Int64)?
    /// The decode time of the segment's first sample.
    var firstDTS: Int64
  }

  /// A sync sample, for seeks: its presentation time and its position in the file.
  struct SyncPoint: Sendable {
    var time: Int64
    var position: Int64
  }

  /// The anchors of each stream; for text and data those of the stream that the timeline follows.
  let anchors: [[Anchor]]
  let syncPoints: [[SyncPoint]]
  let isAudio: [Bool]
  /// The number of values of the clock's counter.
  let period: Int64

  /// Converts the times of a packet to the timeline.
  ///
  /// - Parameter places: the anchor of each stream's last packet, for packets without a position.
  func adopt(_ packet: borrowing Packet, places: inout [Int]) {
    let stream = packet.streamIndex
    guard anchors.indices.contains(stream), let first = anchors[stream].first else { return }
    let list = anchors[stream]
    if let position = packet.position {
      places[stream] = max(0, list.count { $0.position <= position } - 1)
    }
    let anchor = list.indices.contains(places[stream]) ? list[places[stream]] : first
    let pts = packet.pts.map { time($0, anchor) }
    var dts = packet.dts.map { time($0, anchor) }
    if let given = dts, let previous = anchor.previous {
      // Frames of this segment may have a longer reorder delay than those before it.
      let overlap = previous.dts &- anchor.firstDTS &+ 1
      let distance = given &- anchor.firstDTS
      if overlap > 0, distance >= 0, distance < 2 &* overlap {
        dts = min(previous.dts &+ 1 &+ distance / 2, pts ?? .max)
      }
    }
    if isAudio[stream], let pts, let end = anchor.previous?.end,
      pts &+ packet.duration / 2 < end
    {
      // Encoders begin with packets that a decoder needs, at a time that the segment before has
      // filled.
      packet.isDiscarded = true
    }
    packet.pts = pts
    packet.dts = dts
  }

  private func time(_ stamp: Int64, _ anchor: Anchor) -> Int64 {
    anchor.time &+ ClockSegments.distance(from: anchor.stamp, to: stamp, period)
  }

  /// Returns the position of the last sync sample that is presented at or before `time`; nil if
  /// that is the start.
  func position(ofStream stream: Int, before time: Int64) -> Int64? {
    guard syncPoints.indices.contains(stream) else { return nil }
    let list = syncPoints[stream]
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? list[low - 1].position : nil
  }

  /// Returns the distance of two time stamps on a clock whose counter overflows, in the shorter
  /// direction.
  static func distance(from start: Int64, to end: Int64, _ period: Int64) -> Int64 {
    let forward = (end &- start) % period
    let positive = forward < 0 ? forward + period : forward
    return positive >= period / 2 ? positive - period : positive
  }
}
