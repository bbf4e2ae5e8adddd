/// A number of seconds as a fraction in lowest terms, for arithmetic whose results `Time` can't hold.
///
/// Sums, products and quotients are exact while their denominators have at most 62 bits, and are
/// rounded to 2^-60 s beyond: those of a clock in nanoseconds, a rate in 2^20ths and the common
/// time scales are exact.
package struct ExactTime: Sendable, Hashable {
  package let numerator: Int128
  /// The denominator, above zero.
  package let denominator: Int128

  package static let zero = ExactTime(0)

  /// Makes a whole number.
  package init(_ value: Int64) { (numerator, denominator) = (Int128(value), 1) }

  /// Makes the seconds of a numeric time; nil for others.
  package init?(_ time: Time) {
    guard time.isNumeric else { return nil }
    self.init(reducing: Int128(time.value), Int128(time.timescale))
  }

  /// Makes a fraction; the denominator must be above zero.
  package init(reducing numerator: Int128, _ denominator: Int128) {
    let divisor = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
    self.init(checked: numerator / divisor, denominator / divisor)
  }

  private init(checked numerator: Int128, _ denominator: Int128) {
    if denominator <= Self.maximumDenominator {
      (self.numerator, self.denominator) = (numerator, denominator)
    } else {
      self = ExactTime.rounded(numerator, denominator, bits: 60)
    }
  }

  private init(unchecked numerator: Int128, _ denominator: Int128) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  private static let maximumDenominator = Int128(1) << 62

  /// Returns the nearest multiple of 2^-bits, or of a larger power of two if that doesn't fit.
  private static func rounded(
    _ numerator: Int128, _ denominator: Int128, bits: Int
  ) -> ExactTime {
    var bits = bits
    while true {
      let scale = UInt128(1) << UInt128(bits)
      if let fraction = Fraction(
        isNegative: numerator < 0, numerator.magnitude, times: scale,
        over: denominator.magnitude), fraction.whole < UInt128(1) << 120
      {
        let isUp = fraction.remainder >= fraction.denominator - fraction.remainder
        let value = Int128(fraction.whole) + (isUp ? 1 : 0)
        let divisor = Int128(greatestCommonDivisor(value.magnitude, scale))
        return ExactTime(
          unchecked: (numerator < 0 ? -value : value) / divisor, Int128(scale) / divisor)
      }
      // Far beyond any clock.
      if bits == 0 { return ExactTime(unchecked: numerator < 0 ? -(1 << 100) : 1 << 100, 1) }
      bits -= 1
    }
  }

  /// The nearest multiple of 2^-20.
  package var coarser: ExactTime { ExactTime.rounded(numerator, denominator, bits: 20) }

  /// A value with few bits, for operations that overflow.
  private var coarse: ExactTime { ExactTime.rounded(numerator, denominator, bits: 40) }

  private static func sum(_ lhs: ExactTime, _ rhs: ExactTime) -> ExactTime? {
    let divisor = Int128(
      greatestCommonDivisor(lhs.denominator.magnitude, rhs.denominator.magnitude))
    let (first, isTooLarge) = lhs.numerator.multipliedReportingOverflow(
      by: rhs.denominator / divisor)
    let (second, isTooLargeToo) = rhs.numerator.multipliedReportingOverflow(
      by: lhs.denominator / divisor)
    let (numerator, overflows) = first.addingReportingOverflow(second)
    let (denominator, isTooFine) = lhs.denominator.multipliedReportingOverflow(
      by: rhs.denominator / divisor)
    guard !isTooLarge, !isTooLargeToo, !overflows, !isTooFine else { return nil }
    return ExactTime(reducing: numerator, denominator)
  }

  package static func + (lhs: ExactTime, rhs: ExactTime) -> ExactTime {
    sum(lhs, rhs) ?? sum(lhs.coarse, rhs.coarse) ?? lhs
  }

  package static prefix func - (value: ExactTime) -> ExactTime {
    ExactTime(unchecked: -value.numerator, value.denominator)
  }

  package static func - (lhs: ExactTime, rhs: ExactTime) -> ExactTime { lhs + -rhs }

  private static func product(_ lhs: ExactTime, _ rhs: ExactTime) -> ExactTime? {
    // Divisors first, so that less overflows.
    let first = Int128(greatestCommonDivisor(lhs.numerator.magnitude, rhs.denominator.magnitude))
    let second = Int128(greatestCommonDivisor(rhs.numerator.magnitude, lhs.denominator.magnitude))
    let (numerator, isTooLarge) = (lhs.numerator / max(1, first)).multipliedReportingOverflow(
      by: rhs.numerator / max(1, second))
    let (denominator, isTooFine) = (lhs.denominator / max(1, second))
      .multipliedReportingOverflow(by: rhs.denominator / max(1, first))
    guard !isTooLarge, !isTooFine else { return nil }
    return ExactTime(reducing: numerator, denominator)
  }

  package static func * (lhs: ExactTime, rhs: ExactTime) -> ExactTime {
    product(lhs, rhs) ?? product(lhs.coarse, rhs.coarse) ?? .zero
  }

  /// Returns the quotient; the divisor must not be zero.
  package static func / (lhs: ExactTime, rhs: ExactTime) -> ExactTime {
    let sign: Int128 = rhs.numerator < 0 ? -1 : 1
    return lhs * ExactTime(checked: sign * rhs.denominator, sign * rhs.numerator)
  }

  /// The largest whole number that isn't above this.
  package var floor: Int64 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The smallest whole number that isn't below this.
  package var ceiling: Int64 { -(-self).floor }

  /// The sign: -1, 0 or 1.
  package var signum: Int { Int(numerator.signum()) }

  /// Returns a `Time`, exact if possible: in the preferred time scale, or in lowest terms; else the
  /// nearest one, which is marked as rounded.
  package func time(preferring timescale: Int32 = 0) -> Time {
    Fraction(numerator, over: denominator).nearestTime(
      preferring: Int64(timescale), isRounded: false, epoch: 0)
  }
}

extension ExactTime: Comparable {
  package static func < (lhs: ExactTime, rhs: ExactTime) -> Bool {
    let (small, isTooLarge) = lhs.numerator.multipliedReportingOverflow(by: rhs.denominator)
    let (other, isTooLargeToo) = rhs.numerator.multipliedReportingOverflow(by: lhs.denominator)
    if !isTooLarge, !isTooLargeToo { return small < other }
    let left = lhs.numerator.multipliedFullWidth(by: rhs.denominator)
    let right = rhs.numerator.multipliedFullWidth(by: lhs.denominator)
    return (left.high, left.low) < (right.high, right.low)
  }
}
