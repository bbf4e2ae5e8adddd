import DequeModule

/// The frames or samples that a stage has put in between those of its source, by their numbers in the file.
///
/// The oldest ones are only counted: a recording may last for days.
struct RepeatedSamples {
  private var ranges: Deque<Range<Int64>> = []
  /// The number of those before the ranges.
  private var earlier: Int64 = 0
  /// 1 MiB: at 60 a second those of 18 minutes, of which the file has nearly all by then.
  private static let maximum = 65536

  /// Adds the next ones.
  mutating func append(_ range: Range<Int64>) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      return
    }
    ranges.append(range)
    if ranges.count > Self.maximum { earlier += Int64(ranges.removeFirst().count) }
  }

  var count: Int64 { earlier + count(from: .min) }

  /// Returns how many of them are at a number or after it.
  func count(from number: Int64) -> Int64 {
    var found: Int64 = 0
    for range in ranges.reversed() {
      guard range.upperBound > number else { break }
      found += range.upperBound - max(number, range.lowerBound)
    }
    return found
  }
}
