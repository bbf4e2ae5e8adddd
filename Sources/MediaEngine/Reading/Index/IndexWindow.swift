import LibAV

extension SampleIndex {
  /// The maximum number of samples that precede one in decode order and follow it in presentation:
  /// no codec delays more than 16 pictures (ITU-T H.264 and H.265, A.3), of two fields each.
  static let maximumReordering = 32

  /// The time stamps of the samples go back further than reordering explains.
  var isDiscontinuous: Bool {
    var latest = Int64.min
    for (place, sample) in samples.enumerated() where place > SampleIndex.maximumReordering {
      latest = max(latest, samples[place - SampleIndex.maximumReordering - 1].pts)
      if sample.pts < latest { return true }
    }
    return false
  }

  /// The times whose samples are known: from the first sync sample until where no sample that would be
  /// decoded later can belong.
  var knownTimes: Range<Int64> {
    let first = reachesStart ? Int64.min : samples.first?.pts ?? 0
    let count = presentationOrder.count
    let last =
      reachesEnd
      ? Int64.max
      : count > SampleIndex.maximumReordering
        ? samples[presentationOrder[count - SampleIndex.maximumReordering - 1]].pts : first
    return first..<max(first, last)
  }

  /// The requirements for a window.
  struct WindowRequest {
    /// The time whose sample is wanted, in ticks; of a range its start.
    var time: Int64
    /// The end of the range whose samples are wanted; nil where the sample of one time is.
    var end: Int64?
    /// The range in which the nearest sync sample is wanted; nil where it doesn't matter.
    var syncRange: ClosedRange<Int64>?
    /// The number of sync samples to include before the one that decoding begins with.
    var earlierSyncSamples = 0
    /// The number of samples to include before the first one of a range and behind the last.
    var margin = 0
  }

  /// Returns true if the index answers the request as one of all samples does.
  func answers(_ request: WindowRequest) -> Bool {
    let known = knownTimes
    guard isReliable, !isEmpty, known.contains(request.time) else { return false }
    guard hasEarlierSamples(before: request), hasRange(of: request) else { return false }
    // A track that begins with samples that can't be decoded begins with its first sync sample.
    if reachesStart, request.time < samples[0].pts, !reachesEnd, syncSamples.isEmpty {
      return false
    }
    guard let range = request.syncRange, !reachesEnd else { return true }
    guard let sync = nearestSyncSample(to: request.time, within: range) else {
      return range.upperBound < known.upperBound
    }
    // One that comes later is nearer only within the same distance.
    let distance = sync.pts.distanceMagnitude(to: request.time)
    let (limit, overflow) = request.time.addingReportingOverflow(
      Int64(clamping: distance))
    return sync.pts > request.time
      || min(overflow ? .max : limit, range.upperBound)
        < known.upperBound
  }

  /// Returns true if all samples are known that the range needs, and those that their durations depend on.
  private func hasRange(of request: WindowRequest) -> Bool {
    guard let end = request.end else { return true }
    let needed = decodeRange(from: request.time, to: end)
    let last = samples[needed].reduce(end) { max($0, $1.pts) }
    guard knownTimes.contains(last) else { return false }
    return reachesEnd || samples.count - needed.upperBound >= request.margin
  }

  /// Returns true if there are enough samples before the one that decoding begins with, and enough of them are sync
  /// samples.
  func hasEarlierSamples(before request: WindowRequest) -> Bool {
    if reachesStart { return true }
    guard let position = position(at: request.time) else { return false }
    let point = randomAccessPoint(forPosition: position)
    return point >= request.margin
      && syncSamples.count(while: { $0 < point }) >= request.earlierSyncSamples
  }

  func hasSyncSample(after time: Int64) -> Bool {
    syncSamples.last.map { samples[$0].pts > time } ?? false
  }

  /// Returns the samples of two windows that overlap; nil where they don't, or differ in their
  /// shared samples.
  func joined(with other: SampleIndex) -> SampleIndex? {
    let (first, second) =
      knownTimes.lowerBound <= other.knownTimes.lowerBound ? (self, other) : (other, self)
    guard let begin = second.samples.first,
      let place = first.decodeIndex(
        pts: begin.pts, dts: nil, position: begin.position)
    else { return nil }
    let (shared, same) = (
      first.samples[place...], second.samples.prefix(first.samples.count - place)
    )
    guard
      zip(shared, same).allSatisfy({ $0.pts == $1.pts && $0.position == $1.position })
    else { return nil }
    if second.samples.count <= shared.count {
      guard second.reachesEnd, !first.reachesEnd else { return first }
      return second.samples.count == shared.count
        ? SampleIndex(first.samples, reachesStart: first.reachesStart, reachesEnd: true) : nil
    }
    return SampleIndex(
      first.samples[..<place] + second.samples, reachesStart: first.reachesStart,
      reachesEnd: second.reachesEnd)
  }

  private init(_ samples: some Sequence<Sample>, reachesStart: Bool, reachesEnd: Bool) {
    var builder = Builder(Array(samples))
    (builder.reachesStart, builder.reachesEnd) = (reachesStart, reachesEnd)
    self.init(builder)
  }
}

/// The windows of a track's index that have been read.
struct IndexWindows: Sendable {
  enum EntryPoint: Sendable {
    /// libavformat's seek leads there.
    case demuxer
    /// It needs the position of a cluster to begin with.
    case clusters
  }

  /// The method by which samples in the middle of the file are found, nil where windows aren't
  /// reliable; itself nil before that is known.
  var entryPoint: EntryPoint??
  /// Those that share samples are one.
  private var windows: [SampleIndex] = []
  /// Of all of them.
  var sampleCount: Int { windows.reduce(0) { $0 + $1.samples.count } }

  func window(for request: SampleIndex.WindowRequest) -> SampleIndex? {
    windows.first { $0.answers(request) }
  }

  /// Adds a window to those that it overlaps, and returns the merged window.
  @discardableResult
  mutating func insert(_ window: SampleIndex) -> SampleIndex {
    var merged = window
    windows.removeAll { known in
      guard let joined = known.joined(with: merged) else { return false }
      merged = joined
      return true
    }
    windows.append(merged)
    return merged
  }
}
