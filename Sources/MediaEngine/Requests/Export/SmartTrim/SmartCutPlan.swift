import LibAV

/// A plan for a part of a video track: the samples to copy and the pictures to re-encode.
///
/// Pure arithmetic over the index. Times are ticks of the track. The copied samples begin with one
/// that needs no earlier ones, and end where all decoded pictures have been shown. The pictures
/// before and after them, the edges, are encoded without B-frames.
struct SmartCutPlan: Equatable {
  /// A picture of an edge.
  struct Picture: Equatable {
    /// The index in presentation order.
    var position: Int
    /// The presentation time in the source, and the one in the result, where the first picture may
    /// begin later.
    var sourceTime: Int64
    var time: Int64
    var end: Int64
    /// The decode time: that of one of the source's samples.
    var decodeTime: Int64
  }

  var head: [Picture] = []
  /// Decode indexes.
  var copied = 0..<0
  /// Samples of ``copied`` that are left out: they lead the first one, before which they are shown,
  /// and are part of the head.
  var leading = 0..<0
  var tail: [Picture] = []
  var start: Int64
  var end: Int64
  /// The first copied sample, if the range begins inside of it.
  var boundarySample: Int?
  /// The decode times of the samples in ``copied``.
  var decodeTimes: [Int64] = []

  /// - Parameters:
  ///   - start: the start of the range; a picture that is shown then is part of it.
  ///   - canBegin: returns true if the copy can begin with a sync sample; called for one after the
  ///     other. `refused` counts those that it can't begin with.
  init?(
    index: SampleIndex, start: Int64, end: Int64, refused: inout Int,
    canBegin: (Int) throws(EngineError) -> Bool
  ) throws(EngineError) {
    self.start = start
    self.end = end
    guard index.isReliable, end > start, let last = index.position(at: end - 1) else { return nil }
    let first = index.position(at: start) ?? 0
    let begins = index.sample(atPosition: first)
    guard first < last || begins.pts >= start || begins.end > start else { return nil }
    guard
      let join = try SmartCutPlan.firstJoin(
        index, first...last, refused: &refused, canBegin: canBegin)
    else {
      let point = index.randomAccessPoint(forPosition: first)
      let final = index.presentation[first...last].max() ?? point
      let times = index.decodeTimes(of: min(point, final)..<final + 1)
      head = pictures(index, first...last, decodeTimes: Array(times.suffix(last - first + 1)))
      // Decode times equal presentation times: there are no copied samples whose times they would
      // have to fit.
      for place in head.indices { head[place].decodeTime = head[place].time }
      return
    }
    copy(index, from: join, first: first, last: last)
  }

  /// Returns the first of these sync samples that the copy can begin with.
  private static func firstJoin(
    _ index: SampleIndex, _ positions: ClosedRange<Int>, refused: inout Int,
    canBegin: (Int) throws(EngineError) -> Bool
  ) throws(EngineError) -> Int? {
    for position in positions {
      let sample = index.presentation[position]
      guard index.samples[sample].isSync else { continue }
      if isClean(index, at: sample), try canBegin(sample) { return sample }
      refused += 1
    }
    return nil
  }

  /// Returns true if samples decoded before a sync sample are shown before it, and samples decoded
  /// after it are shown after it, except for its leading ones.
  private static func isClean(_ index: SampleIndex, at sample: Int) -> Bool {
    let time = index.samples[sample].pts
    // Streams reorder by 16 pictures at most.
    let before = index.samples[max(0, sample - 64)..<sample]
    guard before.allSatisfy({ $0.pts < time }) else { return false }
    let after = index.samples[(sample + 1)..<min(index.samples.count, sample + 65)]
    return after.drop { $0.pts < time }.allSatisfy { $0.pts > time }
  }

  private mutating func copy(
    _ index: SampleIndex, from join: Int, first: Int, last: Int
  ) {
    let time = index.samples[join].pts
    let led = index.samples[(join + 1)...].prefix { $0.pts < time }.count
    leading = join + 1..<join + 1 + led
    let stop = SmartCutPlan.end(index, from: join, behind: leading.upperBound, before: end)
    copied = join..<stop.sample
    let headCount = index.presentation[first...last].prefix { index.samples[$0].pts < time }.count
    // The edges are decoded at the times of the same number of the source's own samples. Leading
    // pictures of the first copied sample are decoded before it now.
    let lowest = max(0, leading.upperBound - 1 - headCount)
    let highest = min(index.samples.count, stop.sample + (last - stop.position))
    let times = index.decodeTimes(of: lowest..<highest)
    func decodeTimes(_ range: Range<Int>) -> [Int64] {
      range.map { times[$0 - lowest] }
    }
    let place = leading.upperBound - 1
    if headCount > 0 {
      head = pictures(
        index, first...(first + headCount - 1), decodeTimes: decodeTimes(lowest..<place))
    } else if time < start {
      boundarySample = join
    }
    self.decodeTimes = copied.map { sample in
      sample == join || leading.contains(sample) ? times[place - lowest] : times[sample - lowest]
    }
    if stop.position < last {
      tail = pictures(
        index, (stop.position + 1)...last, decodeTimes: decodeTimes(stop.sample..<highest))
    }
  }

  /// Returns the last position at which all decoded pictures have been shown, and no others before
  /// `end`: decode index and presentation position.
  private static func end(
    _ index: SampleIndex, from join: Int, behind: Int, before end: Int64
  ) -> (sample: Int, position: Int) {
    // A picture isn't shown before it is decoded, so pictures that are decoded later are shown
    // later, too.
    var limit = behind
    while limit < index.samples.count, index.samples[limit].dts < end { limit += 1 }
    limit = min(index.samples.count, limit + 64)
    var earliest = [Int64](repeating: .max, count: limit - behind + 1)
    for sample in (behind..<limit).reversed() {
      let own = index.samples[sample].isDiscarded ? .max : index.samples[sample].pts
      earliest[sample - behind] = min(own, earliest[sample - behind + 1])
    }
    var latest = index.samples[join].pts
    var found = behind
    var shown = latest
    for sample in behind...limit {
      if latest < earliest[sample - behind], latest < end {
        found = sample
        shown = latest
      }
      guard sample < limit, latest < end else { break }
      latest = max(latest, index.samples[sample].pts)
    }
    return (found, index.position(at: shown) ?? 0)
  }

  private func pictures(
    _ index: SampleIndex, _ positions: ClosedRange<Int>, decodeTimes: [Int64]
  ) -> [Picture] {
    positions.enumerated().map { place, position in
      let sample = index.sample(atPosition: position)
      let time = max(sample.pts, start)
      let next =
        position + 1 < index.presentation.count
        ? index.sample(atPosition: position + 1).pts : sample.end
      return Picture(
        position: position, sourceTime: sample.pts, time: time, end: min(end, next),
        decodeTime: min(time, place < decodeTimes.count ? decodeTimes[place] : time))
    }
  }

  /// Returns the copied sample that is shown last, and its end.
  func endOfCopy(_ index: SampleIndex) -> (sample: Int, end: Int64)? {
    let shown = copied.filter { !leading.contains($0) }
    guard
      let last = shown.max(by: { index.samples[$0].pts < index.samples[$1].pts }),
      let position = index.position(at: index.samples[last].pts)
    else { return nil }
    let next =
      position + 1 < index.presentation.count
      ? index.sample(atPosition: position + 1).pts : index.samples[last].end
    return (last, min(end, next))
  }
}
