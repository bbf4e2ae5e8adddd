extension SampleIndex {
  /// Returns decode times of consecutive samples: strictly ascending, and none after the sample is
  /// shown.
  ///
  /// Where the container has none, and libavformat's guesses don't ascend, the decode times are the
  /// presentation times in their order, as many places later as the samples are out of order.
  func decodeTimes(of range: Range<Int>) -> [Int64] {
    SampleIndex.decodeTimes(of: samples[range])
  }

  /// True if all samples have decode times that a file can be written with.
  var hasOrderlyDecodeTimes: Bool { SampleIndex.areOrderly(samples[...]) }

  private static func areOrderly(_ samples: ArraySlice<Sample>) -> Bool {
    zip(samples, samples.dropFirst()).allSatisfy { $0.dts < $1.dts }
      && samples.allSatisfy { $0.dts <= $0.pts && !$0.flags.contains(.inferredDTS) }
  }

  static func decodeTimes(of samples: ArraySlice<Sample>) -> [Int64] {
    guard !areOrderly(samples) else { return samples.map(\.dts) }
    let times = samples.map(\.pts)
    let sorted = times.sorted()
    // The least delay with which no sample is decoded after it is shown.
    var delay = 0
    for (position, time) in times.enumerated() {
      let rank = sorted.partitioningIndex { $0 > time } - 1
      delay = max(delay, position - rank)
    }
    let step = sorted.count > 1 ? max(1, sorted[1] &- sorted[0]) : 1
    var result: [Int64] = []
    for position in times.indices {
      let time =
        position < delay
        ? sorted[0] &- Int64(delay - position) &* step : sorted[position - delay]
      result.append(max(time, (result.last ?? .min) &+ (result.isEmpty ? 0 : 1)))
    }
    return result
  }
}

extension Array where Element: Comparable {
  /// Returns the index of the first element that fulfils the condition, as do all after it and none
  /// before.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let mid = (low + high) / 2
      if isBehind(self[mid]) { high = mid } else { low = mid + 1 }
    }
    return low
  }
}
