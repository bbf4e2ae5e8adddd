/// Samples of an index in some order, by their decode indexes.
///
/// A run of consecutive samples, which most orders of most files are, takes no memory; others take 4
/// bytes a sample.
package struct SampleOrder: RandomAccessCollection, Sendable {
  private let first: Int
  private let list: [Int32]?
  package let endIndex: Int
  package var startIndex: Int { 0 }

  init(_ run: Range<Int>) {
    first = run.lowerBound
    endIndex = run.count
    list = nil
  }

  init(_ list: [Int32]) {
    let first = list.first ?? 0
    let isRun = list.enumerated().allSatisfy { Int($1) - Int(first) == $0 }
    self.first = Int(first)
    self.list = isRun ? nil : list
    endIndex = list.count
  }

  package subscript(position: Int) -> Int { list.map { Int($0[position]) } ?? first + position }

  /// Returns the number of elements of `range` before the first that fails `isBefore`, which splits
  /// it in two.
  func count(in range: Range<Int>, while isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let mid = (low + high) / 2
      if isBefore(self[mid]) { low = mid + 1 } else { high = mid }
    }
    return low - range.lowerBound
  }

  func count(while isBefore: (Int) -> Bool) -> Int { count(in: indices, while: isBefore) }
}
