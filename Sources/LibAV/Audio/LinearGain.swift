/// A factor for samples that changes by the same amount from each to the next.
package struct LinearGain: Sendable, Hashable {
  /// At the sample that ``position`` counts from.
  private let start: Double
  private let step: Double
  /// The number of the first sample that it is applied to.
  private var position: Int64 = 0

  package init(_ start: Double, step: Double = 0) {
    self.start = start
    self.step = step
  }

  package static let unity = LinearGain(1)
  package var isUnity: Bool { isConstant && start == 1 }
  var isSilent: Bool { isConstant && start == 0 }
  var isConstant: Bool { step == 0 }

  /// The factors of later samples; computed from the same numbers, wherever they are cut.
  package func advanced(by count: Int64) -> LinearGain {
    var gain = self
    gain.position += count
    return gain
  }

  /// The factor of a sample, counted from ``position``.
  @inline(__always)
  package subscript(index: Int) -> Double { start + step * Double(position + Int64(index)) }
}
