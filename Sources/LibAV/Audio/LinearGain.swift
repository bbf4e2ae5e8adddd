/// A factor for samples that changes by the same amount from each sample to the next.
package struct LinearGain: Sendable, Hashable {
  /// The factor at position 0.
  private let start: Double
  private let step: Double
  /// The position of the first sample that the gain is applied to.
  private var position: Int64 = 0

  package init(_ start: Double, step: Double = 0) {
    self.start = start
    self.step = step
  }

  package static let unity = LinearGain(1)
  package var isUnity: Bool { isConstant && start == 1 }
  var isConstant: Bool { step == 0 }

  /// Returns the factors of later samples; they are computed from the same numbers, wherever the
  /// samples are cut.
  package func advanced(by count: Int64) -> LinearGain {
    var gain = self
    gain.position += count
    return gain
  }

  /// The factor of a sample, counted from ``position``.
  @inline(__always)
  package subscript(index: Int) -> Double { start + step * Double(position + Int64(index)) }
}
