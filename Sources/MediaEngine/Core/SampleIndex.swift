import LibAV

/// Every sample of a track: the one source for exact seeking, durations and trims.
///
/// Times are ticks of the track's own time base, as libav gives them (edit list applied).
package struct SampleIndex: Sendable {
  package struct Sample: Sendable, Hashable {
    /// Presentation time; inferred from `dts` where the container gives none.
    package var pts: Int64
    package var dts: Int64
    /// At least 0; derived from the next sample where the container gives none.
    package var duration: Int64
    /// In bytes.
    package var size: Int32
    /// Byte offset in the file, -1 when unknown.
    package var position: Int64
    package var isSync: Bool
    /// Decoded for others' sake, never shown: before the start of an edit.
    package var isDiscarded: Bool

    /// Files can say what they like: a sum that overflows ends with the range of the numbers.
    package var end: Int64 {
      let (sum, overflow) = pts.addingReportingOverflow(duration)
      return overflow ? .max : sum
    }
  }

  /// In decode order.
  package private(set) var samples: [Sample] = []
  /// Positions in ``samples`` of what is shown, by presentation time.
  package private(set) var presentation: [Int32] = []
  /// False when presentation times had to be inferred: the decoder's own then decide.
  package private(set) var isReliable = true
  private var syncSamples: [Int32] = []
  /// All samples, the discarded too, by presentation time.
  private var byTime: [Int32] = []

  package init(_ packets: [Entry]) {
    samples.reserveCapacity(packets.count)
    var next: Int64 = 0
    for packet in packets {
      if packet.pts == nil { isReliable = false }
      let dts = packet.dts ?? packet.pts ?? next
      let pts = packet.pts ?? dts
      let end = pts.addingReportingOverflow(max(0, packet.duration))
      next = end.overflow ? pts : end.partialValue
      samples.append(
        Sample(
          pts: pts, dts: dts, duration: max(0, packet.duration), size: packet.size,
          position: packet.position, isSync: packet.isSync, isDiscarded: packet.isDiscarded))
    }
    byTime = samples.indices.map(Int32.init(clamping:)).sorted { left, right in
      let (a, b) = (samples[Int(left)].pts, samples[Int(right)].pts)
      return a == b ? left < right : a < b
    }
    presentation = byTime.filter { !samples[Int($0)].isDiscarded }
    syncSamples = samples.indices.filter { samples[$0].isSync }.map(Int32.init(clamping:))
    fillDurations()
  }

  /// One packet as a demuxer gave it.
  package struct Entry: Sendable {
    var pts: Int64?
    var dts: Int64?
    var duration: Int64
    var size: Int32
    var position: Int64
    var isSync: Bool
    var isDiscarded: Bool

    init(_ packet: borrowing Packet) {
      pts = packet.pts
      dts = packet.dts
      duration = packet.duration
      size = Int32(clamping: packet.size)
      position = packet.position ?? -1
      isSync = packet.isKey
      isDiscarded = packet.isDiscarded
    }
  }

  /// A sample without a duration lasts until the next; the last one as long as the one before it.
  private mutating func fillDurations() {
    var previous: Int64 = 0
    for (position, index) in presentation.enumerated() {
      let sample = samples[Int(index)]
      if sample.duration == 0 {
        let next =
          position + 1 < presentation.count ? samples[Int(presentation[position + 1])] : nil
        samples[Int(index)].duration = next.map { max(0, $0.pts &- sample.pts) } ?? previous
      }
      previous = samples[Int(index)].duration
    }
  }

  package var isEmpty: Bool { presentation.isEmpty }

  /// When the first shown sample begins.
  package var start: Int64? { presentation.first.map { samples[Int($0)].pts } }
  /// When the last shown sample ends.
  package var end: Int64? { presentation.last.map { samples[Int($0)].end } }

  /// How many samples of a list that is sorted by presentation time have one ≤ `time`.
  private func count(in list: [Int32], notAfter time: Int64) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if samples[Int(list[middle])].pts <= time {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Presentation position of the sample shown at `time`: the last with pts ≤ `time`.
  package func position(at time: Int64) -> Int? {
    let count = count(in: presentation, notAfter: time)
    return count > 0 ? count - 1 : nil
  }

  package func sample(atPosition position: Int) -> Sample { samples[Int(presentation[position])] }

  /// The random-access point to decode from for the sample at `position`: the last sync sample, in
  /// decode order, that neither comes nor shows after it. A sync sample that shows later is of no
  /// use: what precedes it in presentation refers to the group before (open GOP).
  package func randomAccessPoint(forPosition position: Int) -> Int {
    let target = Int(presentation[position])
    var low = upperBound(of: target)
    while low > 0 {
      low -= 1
      let sync = Int(syncSamples[low])
      if samples[sync].pts <= samples[target].pts { return sync }
    }
    return 0
  }

  /// The sync sample before the one at decode index `sample`, nil at the first.
  package func randomAccessPoint(before sample: Int) -> Int? {
    let low = upperBound(of: sample - 1)
    return low > 0 ? Int(syncSamples[low - 1]) : (sample > 0 ? 0 : nil)
  }

  /// How many sync samples lie at or before decode index `sample`.
  private func upperBound(of sample: Int) -> Int {
    var (low, high) = (0, syncSamples.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(syncSamples[middle]) <= sample { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The shown sync sample whose time is nearest to `time` within `range`, the earlier on a tie.
  package func nearestSyncSample(to time: Int64, within range: ClosedRange<Int64>) -> Sample? {
    var best: Sample?
    for index in syncSamples {
      let sample = samples[Int(index)]
      guard !sample.isDiscarded, range.contains(sample.pts) else { continue }
      guard let current = best else {
        best = sample
        continue
      }
      if sample.pts.distanceMagnitude(to: time) < current.pts.distanceMagnitude(to: time) {
        best = sample
      }
    }
    return best
  }

  /// The samples to copy for what is shown from `start` until before `end`: from the random-access
  /// point of the first to the last in decode order.
  package func decodeRange(from start: Int64, to end: Int64) -> Range<Int> {
    guard end > .min, let last = position(at: end - 1) else { return 0..<0 }
    let first = position(at: start) ?? 0
    // What has ended when the range begins is not part of it.
    let sample = sample(atPosition: first)
    let from = sample.pts < start && sample.end <= start ? first + 1 : first
    guard from <= last else { return 0..<0 }
    let final = (from...last).map { Int(presentation[$0]) }.max() ?? 0
    return min(randomAccessPoint(forPosition: from), final)..<final + 1
  }

  /// The decode index of the packet with this time and place; nil when the index doesn't know it.
  package func decodeIndex(pts: Int64?, dts: Int64?, position: Int64?) -> Int? {
    guard let time = pts ?? dts else { return nil }
    var candidate = count(in: byTime, notAfter: time) - 1
    while candidate >= 0 {
      let index = Int(byTime[candidate])
      guard samples[index].pts == time else { return nil }
      if position == nil || samples[index].position < 0 || samples[index].position == position {
        return index
      }
      candidate -= 1
    }
    return nil
  }
}

extension Int64 {
  fileprivate func distanceMagnitude(to other: Int64) -> UInt64 {
    let (difference, overflow) = other.subtractingReportingOverflow(self)
    return overflow ? .max : difference.magnitude
  }
}
