/// An exact number of seconds, wide enough for every intermediate result of the algebra of `Time`.
///
/// It is the mixed number ±(whole + remainder ⁄ denominator) with remainder < denominator < 2^127.
/// Keeping the whole part apart lets every operation finish in 128 bits, or in one double-width
/// multiplication and division.
package struct Fraction {
  package var isNegative: Bool
  package var whole: UInt128
  package var remainder: UInt128
  package var denominator: UInt128

  /// Makes `numerator / denominator`; the denominator must be positive.
  package init(_ numerator: Int128, over denominator: Int128) {
    isNegative = numerator < 0
    self.denominator = denominator.magnitude
    (whole, remainder) = numerator.magnitude.quotientAndRemainder(dividingBy: self.denominator)
  }

  /// Makes ±`lhs * rhs / denominator`, or returns nil when the whole part exceeds 128 bits.
  package init?(
    isNegative: Bool, _ lhs: UInt128, times rhs: UInt128, over denominator: UInt128
  ) {
    self.isNegative = isNegative
    self.denominator = denominator
    let (product, overflow) = lhs.multipliedReportingOverflow(by: rhs)
    if overflow {
      let wide = lhs.multipliedFullWidth(by: rhs)
      guard wide.high < denominator else { return nil }
      (whole, remainder) = denominator.dividingFullWidth(wide)
    } else {
      (whole, remainder) = product.quotientAndRemainder(dividingBy: denominator)
    }
  }

  /// Makes `value * multiplier / timescale` from the multiplier's exact binary value.
  ///
  /// Returns nil when the result exceeds 128 bits. The multiplier must be finite, and the timescale
  /// positive. Below 2^-96 of a tick only the existence of a remainder is retained, which is all
  /// that rounding needs: there the timescale is a power of two times the argument.
  init?(_ value: Int64, times multiplier: Double, over timescale: Int32) {
    let isNegative = (value < 0) != (multiplier < 0)
    guard value != 0, multiplier != 0 else {
      self.init(0, over: 1)
      return
    }
    // multiplier = significand * 2^exponent with an odd significand of at most 53 bits.
    let bits = multiplier.significandBitPattern
    let isSubnormal = multiplier.exponentBitPattern == 0
    var significand = isSubnormal ? bits : bits | (1 << 52)
    var exponent = (isSubnormal ? 1 : Int(multiplier.exponentBitPattern)) - 1075
    exponent += significand.trailingZeroBitCount
    significand >>= UInt64(significand.trailingZeroBitCount)

    var product = UInt128(value.magnitude) * UInt128(significand)
    let denominator = UInt128(timescale.magnitude)
    if exponent >= 0 {
      guard exponent < 127 else { return nil }
      self.init(
        isNegative: isNegative, product, times: UInt128(1) << UInt128(exponent), over: denominator)
      return
    }
    var shift = -exponent
    if shift > 96 {
      let lost = shift - 96
      let rest = lost < 128 ? product >> UInt128(lost) : 0
      let isExact = lost < 128 && rest << UInt128(lost) == product
      product = isExact ? rest : rest | 1
      shift = 96
    }
    self.init(
      isNegative: isNegative, product, times: 1, over: denominator << UInt128(shift))
  }

  /// The largest magnitude that an `Int64` of this sign holds.
  private var limit: UInt128 { isNegative ? Int64.min.magnitude128 : Int64.max.magnitude128 }

  private func signed(_ magnitude: UInt128) -> Int64? {
    guard magnitude <= limit else { return nil }
    return isNegative ? Int64(-Int128(magnitude)) : Int64(magnitude)
  }

  /// Returns the number of ticks of `1 / timescale` seconds, rounded; nil when it overflows.
  ///
  /// - Parameter sourceTimescale: the timescale that the quickTime method compares with the new
  ///   one.
  func ticks(
    timescale: Int32, rounding: RoundingMethod, sourceTimescale: Int32
  ) -> (value: Int64, isExact: Bool)? {
    let scale = UInt128(timescale.magnitude)
    return ticks(
      scale: scale, rounding: rounding, isCoarser: timescale < sourceTimescale)
  }

  private func ticks(
    scale: UInt128, rounding: RoundingMethod, isCoarser: Bool
  ) -> (value: Int64, isExact: Bool)? {
    guard whole <= limit else { return nil }
    var (ticks, left) = (UInt128(0), UInt128(0))
    if remainder != 0 {
      let (product, overflow) = remainder.multipliedReportingOverflow(by: scale)
      (ticks, left) =
        overflow
        ? denominator.dividingFullWidth(remainder.multipliedFullWidth(by: scale))
        : product.quotientAndRemainder(dividingBy: denominator)
    }
    ticks += whole * scale
    if left != 0 {
      let up =
        switch rounding {
        case .halfAwayFromZero: left >= denominator - left
        case .towardZero: false
        case .awayFromZero: true
        case .quickTime: !isCoarser || (isNegative && ticks == 0)
        case .towardPositiveInfinity: !isNegative
        case .towardNegativeInfinity: isNegative
        }
      if up { ticks += 1 }
    }
    guard let value = signed(ticks) else { return nil }
    return (value, left == 0)
  }

  /// Returns the whole number nearest to this, in the rounding direction; nil when it overflows.
  func integer(rounding: RoundingMethod, isCoarser: Bool) -> Int64? {
    ticks(scale: 1, rounding: rounding, isCoarser: isCoarser)?.value
  }

  /// The magnitude in thousandths, rounded half away from zero; the whole part must fit 64 bits.
  var thousandths: UInt128 {
    guard
      let part = Fraction(isNegative: false, remainder, times: 1000, over: denominator)
    else { return whole * 1000 }
    let isUp = part.remainder >= part.denominator - part.remainder
    return whole * 1000 + part.whole + (isUp ? 1 : 0)
  }

  /// Returns the time at `timescale`, halving the timescale while the value overflows, infinite at
  /// last.
  ///
  /// A timescale above `Int32.max` counts as `Int32.max`.
  func time(
    timescale: Int64, rounding: RoundingMethod = .halfAwayFromZero, sourceTimescale: Int32 = 0,
    isRounded: Bool, epoch: Int64
  ) -> Time {
    var scale = Int32(clamping: timescale)
    while true {
      if let (value, isExact) = ticks(
        timescale: scale, rounding: rounding, sourceTimescale: sourceTimescale)
      {
        return Time(
          ticks: value, timescale: scale, isRounded: isRounded || !isExact, epoch: epoch)
      }
      if scale == 1 { return isNegative ? .negativeInfinity : .positiveInfinity }
      scale /= 2
    }
  }

  /// Returns the time exactly, at `preferred` or else in lowest terms; if neither holds it, the
  /// nearest one.
  ///
  /// A preferred timescale that is not in 1…`Int32.max` is not used.
  func nearestTime(preferring preferred: Int64, isRounded: Bool, epoch: Int64) -> Time {
    if let scale = Int32(exactly: preferred), scale > 0,
      let (value, isExact) = ticks(timescale: scale, rounding: .towardZero, sourceTimescale: 0),
      isExact
    {
      return Time(ticks: value, timescale: scale, isRounded: isRounded, epoch: epoch)
    }
    guard
      let (numerator, scale, isExact) = bestApproximation(
        numeratorLimit: limit, denominatorLimit: UInt128(Int32.max)),
      let value = signed(numerator)
    else { return isNegative ? .negativeInfinity : .positiveInfinity }
    return Time(
      ticks: value, timescale: Int32(clamping: scale), isRounded: isRounded || !isExact,
      epoch: epoch)
  }

  /// Returns the fraction in bounds whose distance from this one's magnitude is smallest.
  ///
  /// Of two at the same distance it is the larger. Nil when the nearest whole number is already out
  /// of bounds. The continued fraction is followed until the next convergent leaves the bounds; the
  /// nearest fraction is then the last convergent or the last intermediate fraction after it.
  package func bestApproximation(
    numeratorLimit: UInt128, denominatorLimit: UInt128
  ) -> (numerator: UInt128, denominator: UInt128, isExact: Bool)? {
    guard
      whole < numeratorLimit || (whole == numeratorLimit && remainder < denominator - remainder)
    else { return nil }
    var (h0, k0, h1, k1) = (UInt128(1), UInt128(0), whole, UInt128(1))
    var (dividend, divisor) = (denominator, remainder)
    while divisor != 0 {
      let (quotient, left) = dividend.quotientAndRemainder(dividingBy: divisor)
      var room = (denominatorLimit - k0) / k1
      if h1 != 0 { room = min(room, (numeratorLimit - h0) / h1) }
      if quotient <= room {
        (h0, k0, h1, k1) = (h1, k1, quotient * h1 + h0, quotient * k1 + k0)
        (dividend, divisor) = (divisor, left)
        continue
      }
      let (h, k) = (room * h1 + h0, room * k1 + k0)
      guard k != 0 else { return (h1, k1, false) }
      // The intermediate fraction is nearer when quotient + left/divisor − 2·room < k0/k1.
      let isNearer: Bool
      let isTie: Bool
      if quotient == 2 * room {
        let a = left.multipliedFullWidth(by: k1)
        let b = divisor.multipliedFullWidth(by: k0)
        isNearer = (a.high, a.low) < (b.high, b.low)
        isTie = (a.high, a.low) == (b.high, b.low)
      } else {
        isNearer = quotient < 2 * room
        isTie = quotient == 2 * room + 1 && left == 0 && k0 == k1
      }
      let isFirst = isNearer || (isTie && h * k1 > h1 * k)
      return isFirst ? (h, k, false) : (h1, k1, false)
    }
    return (h1, k1, true)
  }
}

extension Int64 {
  fileprivate var magnitude128: UInt128 { UInt128(magnitude) }
}

/// Returns the greatest common divisor; that of 0 and x is x.
package func greatestCommonDivisor<T: FixedWidthInteger & UnsignedInteger>(_ a: T, _ b: T) -> T {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

/// Returns the least common multiple of two timescales; both must be positive, and the result fits
/// 62 bits.
func leastCommonMultiple(_ a: Int32, _ b: Int32) -> Int64 {
  if a == b { return Int64(a) }
  let divisor = greatestCommonDivisor(a.magnitude, b.magnitude)
  return Int64(a) / Int64(divisor) * Int64(b)
}
