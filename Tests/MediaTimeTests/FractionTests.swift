import MediaTime
import Testing

@Suite struct FractionTests {
  /// Every fraction with small terms against every pair of small bounds, by trying all candidates.
  @Test func theBestApproximationIsTheNearestOfAll() {
    var wrong: [String] = []
    for limits in [(1, 1), (3, 5), (5, 3), (12, 7), (7, 12), (40, 9)] {
      for denominator in 1...31 {
        for numerator in 0...(denominator * 8) {
          let found = Fraction(Int128(numerator), over: Int128(denominator)).bestApproximation(
            numeratorLimit: UInt128(limits.0), denominatorLimit: UInt128(limits.1))
          let expected = nearest(numerator, denominator, limits)
          let isOut = 2 * numerator >= (2 * limits.0 + 1) * denominator
          let isRight =
            isOut
            ? found == nil
            : found.map { Int($0.numerator) * expected.1 == expected.0 * Int($0.denominator) }
              ?? false
          let isFlagRight =
            found.map { $0.isExact == (expected.0 * denominator == numerator * expected.1) } ?? true
          if !isRight || !isFlagRight {
            wrong.append("\(numerator)/\(denominator) in \(limits): \(String(describing: found))")
          }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  /// The nearest fraction within the limits, the larger of two equally near.
  private func nearest(_ n: Int, _ d: Int, _ limits: (Int, Int)) -> (Int, Int) {
    var best = (0, 1)
    for k in 1...limits.1 {
      for h in 0...limits.0 {
        let error = abs(h * d - n * k) * best.1
        let bestError = abs(best.0 * d - n * best.1) * k
        if error < bestError || (error == bestError && h * best.1 > best.0 * k) { best = (h, k) }
      }
    }
    return best
  }

  @Test func wideProductsAreExact() throws {
    // (2^127 - 1) * (2^31 - 1) / (2^126 - 1): beyond 128 bits on the way.
    let wide = try #require(
      Fraction(
        isNegative: false, UInt128(1) << 127 - 1, times: UInt128(Int32.max),
        over: UInt128(1) << 126 - 1))
    #expect(wide.whole == 2 * UInt128(Int32.max))
    #expect(wide.remainder == UInt128(Int32.max))
    #expect(Fraction(isNegative: false, .max, times: .max, over: 2) == nil)
  }
}
