import LibAV
import MediaTime

/// The samples of a track: the one source for exact seeking, durations and trims.
///
/// All of them, or a window: consecutive samples in decode order from a sync sample on, until it is
/// certain which are shown in between (``IndexWindow``).
///
/// Times are ticks of the track's own time base, as libav states them (edit list applied). A sample
/// takes 40 bytes; 4 more where presentation order isn't decode order, 4 where parts in the middle
/// aren't shown, and a sync sample 4 where others aren't.
package struct SampleIndex: Sendable {
  package struct Sample: Sendable, Hashable {
    /// Presentation time; inferred from `dts` where the container states none.
    package var pts: Int64
    /// Decode time; inferred from `pts`, or the sample before, where the container states none.
    package var dts: Int64
    /// At least 0; derived from the next sample where the container states none.
    package var duration: Int64
    /// Byte offset in the file as libav reports it, -1 when unknown.
    ///
    /// In some containers that is where the block or page around the sample begins.
    package var position: Int64
    /// In bytes.
    package var size: Int32
    package var flags: Flags

    package var isSync: Bool { flags.contains(.sync) }
    /// Decoded for others' sake, never shown: before the start of an edit.
    package var isDiscarded: Bool { flags.contains(.discarded) }
    /// Neither stated nor to be derived.
    package var isDurationUnknown: Bool { duration == 0 && !flags.contains(.derivedDuration) }

    /// Files can state anything: a sum that overflows ends with the range of the numbers.
    package var end: Int64 {
      let (sum, overflow) = pts.addingReportingOverflow(duration)
      return overflow ? .max : sum
    }
  }

  /// Statements of the container about a sample, and those that it doesn't make.
  package struct Flags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let sync = Flags(rawValue: 1)
    package static let discarded = Flags(rawValue: 2)
    /// No other sample refers to it.
    package static let disposable = Flags(rawValue: 4)
    package static let inferredPTS = Flags(rawValue: 8)
    package static let inferredDTS = Flags(rawValue: 16)
    package static let derivedDuration = Flags(rawValue: 32)
    /// The first of a link of a chained Ogg file, or with another sample description than the one before.
    package static let startsLink = Flags(rawValue: 64)
    /// The second field of the picture whose first the sample before it has.
    package static let secondField = Flags(rawValue: 128)
  }

  /// The most samples of a file, all its tracks together: some 4 GB.
  static let maximumCount = 100_000_000

  /// True if nothing is decoded before the first of ``samples``.
  package let reachesStart: Bool
  /// True if nothing is decoded after the last of ``samples``.
  package let reachesEnd: Bool
  /// In decode order.
  package let samples: [Sample]
  /// The samples that are shown, by presentation time.
  package let presentation: SampleOrder
  /// False when presentation times are guesses: the decoder's own then decide.
  package let isReliable: Bool
  /// True when presentation times follow from the order of the pictures: packets don't have them.
  package let hasRestoredTimes: Bool
  /// True if the positions of samples in the file are known, all or some of them.
  private let hasPositions: Bool
  /// The error that ended reading the file, if samples after the last one are missing.
  package let damage: LibAVError?
  /// The part of the end that the container has decoders drop: the padding of an audio encoder.
  let padding: Int64
  /// The duration of the last sample in decode order by a movie's tables, which state the distances
  /// of samples in decode order; nil where samples have the durations of ``samples``.
  ///
  /// Where pictures are reordered and at variable distances, it isn't the duration for which that
  /// picture is shown.
  let lastDecodeDuration: Int64?
  /// The decode index of the picture that a movie shows last, where its duration is the movie's and not libavformat's.
  let timedLast: Int?
  let syncSamples: SampleOrder
  /// All samples, the discarded too, by presentation time.
  private let byTime: SampleOrder
  /// Samples whose positions in the file are known, in order of these: packets without times are
  /// found by position.
  private let byPosition: SampleOrder

  init(_ builder: consuming Builder) {
    byTime = SampleIndex.order(of: builder.samples)
    presentation = SampleIndex.matching(byTime, builder.samples) { !$0.isDiscarded }
    let inOrder = SampleOrder(builder.samples.indices)
    syncSamples = SampleIndex.matching(inOrder, builder.samples, \.isSync)
    isReliable = builder.isReliable
    hasRestoredTimes = builder.hasRestoredTimes
    hasPositions = builder.samples.contains { $0.position >= 0 }
    byPosition = SampleIndex.placeOrder(hasRestoredTimes ? builder.samples : [])
    damage = builder.damage
    padding = builder.padding
    reachesStart = builder.reachesStart
    reachesEnd = builder.reachesEnd
    let ends = builder.movieLength?.setDurations(of: &builder.samples, in: presentation)
    (lastDecodeDuration, timedLast) = (ends?.decoded, ends?.last)
    builder.fillDurations(in: presentation)
    // The builder's array has room to spare, and the index stays for as long as the asset does.
    let hasSpareRoom = builder.samples.capacity > inOrder.count + inOrder.count / 8
    samples = hasSpareRoom ? builder.samples.map(\.self) : builder.samples
  }

  /// An index whose sync samples are some of those of another.
  private init(_ index: SampleIndex, syncSamples places: [Int32]) {
    byTime = index.byTime
    presentation = index.presentation
    isReliable = index.isReliable
    hasRestoredTimes = index.hasRestoredTimes
    (hasPositions, byPosition) = (index.hasPositions, index.byPosition)
    damage = index.damage
    padding = index.padding
    (lastDecodeDuration, timedLast) = (index.lastDecodeDuration, index.timedLast)
    reachesStart = index.reachesStart
    reachesEnd = index.reachesEnd
    syncSamples = SampleOrder(places)
    var samples = index.samples
    for place in index.syncSamples { samples[place].flags.remove(.sync) }
    for place in places { samples[Int(place)].flags.insert(.sync) }
    self.samples = samples
  }

  /// Returns the same index with only those of its sync samples for which `isSync` is true, called
  /// in decode order.
  func keepingSyncSamples<Failure: Error>(
    _ isSync: (Sample) throws(Failure) -> Bool
  ) throws(Failure) -> SampleIndex {
    var places: [Int32] = []
    for place in syncSamples where try isSync(samples[place]) {
      places.append(Int32(clamping: place))
    }
    return places.count < syncSamples.count ? SampleIndex(self, syncSamples: places) : self
  }

  private static func order(of samples: [Sample]) -> SampleOrder {
    let isAscending = zip(samples, samples.dropFirst()).allSatisfy { $0.pts <= $1.pts }
    guard !isAscending else { return SampleOrder(samples.indices) }
    // Reordering moves samples by a few places: insertion takes about a step for each. An order
    // that takes more steps is no reordering, and is sorted.
    var order = samples.indices.map(Int32.init(clamping:))
    var steps = 0
    for index in samples.indices {
      let time = samples[index].pts
      var place = index
      while place > 0, samples[Int(order[place - 1])].pts > time {
        order[place] = order[place - 1]
        place -= 1
        steps += 1
      }
      order[place] = Int32(clamping: index)
      guard steps <= 16 * (index + 64) else { return sortedOrder(of: samples) }
    }
    return SampleOrder(order)
  }

  private static func placeOrder(_ samples: [Sample]) -> SampleOrder {
    let known = samples.indices.filter { samples[$0].position >= 0 }
    return SampleOrder(
      known.sorted { (samples[$0].position, $0) < (samples[$1].position, $1) }
        .map(Int32.init(clamping:)))
  }

  private static func sortedOrder(of samples: [Sample]) -> SampleOrder {
    SampleOrder(
      samples.indices.map(Int32.init(clamping:)).sorted { left, right in
        let (a, b) = (samples[Int(left)].pts, samples[Int(right)].pts)
        return a == b ? left < right : a < b
      })
  }

  private static func matching(
    _ order: SampleOrder, _ samples: [Sample], _ isWanted: (Sample) -> Bool
  ) -> SampleOrder {
    guard samples.allSatisfy(isWanted) else {
      return SampleOrder(order.filter { isWanted(samples[$0]) }.map(Int32.init(clamping:)))
    }
    return order
  }

  package var isEmpty: Bool { presentation.isEmpty }

  /// Has the packet of the picture that is shown last be as long as that is.
  func timeLast(_ packet: inout Packet) {
    guard let timedLast, packet.pts == samples[timedLast].pts else { return }
    packet.duration = samples[timedLast].duration
  }

  /// Returns the duration of the sample at a decode index by its container: of a movie, until the
  /// next one is decoded.
  func statedDuration(ofSample place: Int) -> Int64 {
    guard let lastDecodeDuration else { return samples[place].duration }
    guard place + 1 < samples.count else { return lastDecodeDuration }
    return samples[place + 1].dts - samples[place].dts
  }

  /// The start of the first shown sample.
  package var start: Int64? { presentation.first.map { samples[$0].pts } }
  /// The end of the last shown sample, without the padding of an audio encoder.
  package var end: Int64? {
    guard let start, let last = presentation.last else { return nil }
    let end = samples[last].end
    return padding > 0 ? max(start, end - padding) : end
  }

  /// Returns the presentation position of the sample shown at `time`: the last with pts ≤ `time`.
  package func position(at time: Int64) -> Int? {
    let count = presentation.count(while: { samples[$0].pts <= time })
    return count > 0 ? count - 1 : nil
  }

  package func sample(atPosition position: Int) -> Sample { samples[presentation[position]] }

  /// Returns the random-access point to decode from for the sample at `position`: the last sync
  /// sample, in decode order, that neither comes nor shows after it. A sync sample that shows later
  /// is of no use: samples that precede it in presentation refer to the group before (open GOP).
  package func randomAccessPoint(forPosition position: Int) -> Int {
    randomAccessPoint(forSample: presentation[position])
  }

  /// Returns the same for the sample at decode index `target`, also one that isn't shown.
  package func randomAccessPoint(forSample target: Int) -> Int {
    // Real files need one or two steps; a file that leads further back is decoded from its start.
    let known = upperBound(of: target)
    for sync in syncSamples[max(0, known - 64)..<known].reversed()
    where samples[sync].pts <= samples[target].pts {
      return sync
    }
    return 0
  }

  /// Returns the sync sample before the one at decode index `sample`, nil at the first.
  package func randomAccessPoint(before sample: Int) -> Int? {
    let low = upperBound(of: sample - 1)
    return low > 0 ? syncSamples[low - 1] : (sample > 0 ? 0 : nil)
  }

  /// The start of the first shown sample that can be decoded: in a stream that was cut out of
  /// another one, the samples before its first sync sample refer to missing ones.
  package var decodableStart: Int64? {
    guard isReliable, let first = presentation.first,
      !samples[randomAccessPoint(forSample: first)].isSync
    else { return start }
    let sync = syncSamples.first { sample in
      !samples[sample].isDiscarded && samples[sample].pts >= samples[first].pts
    }
    return sync.map { samples[$0].pts } ?? start
  }

  /// Returns the number of sync samples at or before decode index `sample`.
  private func upperBound(of sample: Int) -> Int { syncSamples.count(while: { $0 <= sample }) }

  /// Returns the shown sync sample whose time is nearest to `time` within `range`, the earlier on a
  /// tie.
  package func nearestSyncSample(to time: Int64, within range: ClosedRange<Int64>) -> Sample? {
    var best: Sample?
    for index in syncSamples {
      let sample = samples[index]
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

  /// Returns the samples to copy for the presentation from `start` until before `end`: from the
  /// random-access point of the first to the last in decode order.
  package func decodeRange(from start: Int64, to end: Int64) -> Range<Int> {
    guard end > .min, let last = position(at: end - 1) else { return 0..<0 }
    let first = position(at: start) ?? 0
    // A sample that has ended when the range begins is not part of it.
    let sample = sample(atPosition: first)
    let from = sample.pts < start && sample.end <= start ? first + 1 : first
    guard from <= last else { return 0..<0 }
    let final = finalSample(ofPositions: from...last)
    return min(randomAccessPoint(forPosition: from), final)..<final + 1
  }

  /// Returns the last sample, in decode order, of those that are presented in these places; the
  /// second field belongs to the first.
  func finalSample(ofPositions positions: ClosedRange<Int>) -> Int {
    let final = presentation[positions].max() ?? 0
    let next = final + 1
    return next < samples.count && samples[next].flags.contains(.secondField) ? next : final
  }

  /// The order in which samples are presented: of those that are shown, of all where none is.
  var presentationOrder: SampleOrder { presentation.isEmpty ? byTime : presentation }

  /// Returns the number of samples of ``presentationOrder`` that come before the one at decode
  /// index `sample`.
  func presentationRank(of sample: Int) -> Int {
    let time = samples[sample].pts
    return presentationOrder.count(while: {
      samples[$0].pts == time ? $0 < sample : samples[$0].pts < time
    })
  }

  /// Returns true if one of the samples that are decoded before `sample` has a presentation time
  /// after `time`.
  func hasSample(decodedBefore sample: Int, presentedAfter time: Int64) -> Bool {
    samples[..<sample].reversed().contains { $0.pts > time }
  }

  /// Returns true if one of the samples that are decoded after `sample` has a presentation time
  /// before `time`.
  func hasSample(decodedAfter sample: Int, presentedBefore time: Int64) -> Bool {
    samples[(sample + 1)...].contains { $0.pts < time }
  }

  /// Returns the decode index of the packet with this time and place; nil when the index doesn't
  /// know it.
  package func decodeIndex(pts: Int64?, dts: Int64?, position: Int64?) -> Int? {
    guard let time = pts ?? dts else { return nil }
    var candidate = byTime.count(while: { samples[$0].pts <= time }) - 1
    while candidate >= 0 {
      let index = byTime[candidate]
      guard samples[index].pts == time else { return nil }
      if position == nil || samples[index].position < 0 || samples[index].position == position {
        return index
      }
      candidate -= 1
    }
    return nil
  }

  /// Returns the decode index of a packet that is a whole sample, by its time, its size and its place;
  /// nil for one that may be a piece of a sample.
  ///
  /// Where the container states positions, a packet without one is in doubt: samples of the same size follow each
  /// other, and a piece before them moves their times.
  func decodeIndex(ofWhole packet: borrowing Packet) -> Int? {
    guard let time = packet.pts ?? packet.dts else { return nil }
    var candidate = byTime.count(while: { samples[$0].pts <= time }) - 1
    while candidate >= 0 {
      let index = byTime[candidate]
      guard samples[index].pts == time else { return nil }
      let isPlaced = samples[index].position >= 0 && packet.position != nil
      if isSample(index, packet), isPlaced || !hasPositions { return index }
      candidate -= 1
    }
    return nil
  }

  /// Returns the decode index of a packet whose times aren't those of the index, by its place and
  /// its size.
  func decodeIndex(byPlaceOf packet: borrowing Packet) -> Int? {
    guard let position = packet.position else { return nil }
    var candidate = byPosition.count(while: { samples[$0].position < position })
    while candidate < byPosition.count {
      let index = byPosition[candidate]
      guard samples[index].position == position else { return nil }
      if Int(samples[index].size) == packet.size { return index }
      candidate += 1
    }
    return nil
  }

  /// Returns true if a packet can be the sample at decode index `place`.
  func isSample(_ place: Int, _ packet: borrowing Packet) -> Bool {
    guard samples.indices.contains(place) else { return false }
    let sample = samples[place]
    guard Int(sample.size) == packet.size else { return false }
    return sample.position < 0 || packet.position.map { $0 == sample.position } ?? true
  }

  /// Returns the sample of a packet; nil when the index doesn't know it.
  func sample(of packet: borrowing Packet) -> Sample? {
    decodeIndex(pts: packet.pts, dts: packet.dts, position: packet.position).map { samples[$0] }
  }
}

extension Int64 {
  func distanceMagnitude(to other: Int64) -> UInt64 {
    let (difference, overflow) = other.subtractingReportingOverflow(self)
    return overflow ? .max : difference.magnitude
  }
}
