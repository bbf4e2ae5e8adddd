extension Time {
  /// CMTimeAdd: the sum, at the least common multiple of the timescales.
  ///
  /// A multiple above `Int32.max` is replaced by `Int32.max`; while the value overflows, the timescale is
  /// halved, and at timescale 1 the result is ±infinity. Rounding is half away from zero, and the rounded
  /// flag is set when it happened here or in an operand.
  ///
  /// Invalid wins over everything, then infinity over indefinite, then indefinite over numbers;
  /// opposite infinities add up to invalid. Numbers in different epochs give invalid, unless one of
  /// the epochs is 0 (a duration): then the result has the other. Numbers in the same epoch that isn't 0
  /// give epoch 0.
  public static func + (lhs: Time, rhs: Time) -> Time {
    lhs.combined(with: rhs, subtracting: false)
  }

  /// CMTimeSubtract: the difference, by the rules of `+`.
  ///
  /// Equal infinities give invalid. A number minus +infinity is −infinity. A time without an epoch minus
  /// one with an epoch has that epoch, as in Core Media.
  public static func - (lhs: Time, rhs: Time) -> Time {
    lhs.combined(with: rhs, subtracting: true)
  }

  /// Returns the time with the opposite sign, in the same epoch: the product with −1.
  ///
  /// The opposite of `Int64.min` ticks doesn't fit, so its timescale is halved.
  public static prefix func - (time: Time) -> Time { time.multiplied(by: -1 as Int32) }

  private func combined(with other: Time, subtracting: Bool) -> Time {
    guard isNumeric, other.isNumeric else {
      return Time.sumOfSpecials(self, subtracting ? other.oppositeInfinity : other)
    }
    guard epoch == other.epoch || epoch == 0 || other.epoch == 0 else { return .invalid }
    let epoch = epoch == other.epoch ? 0 : epoch == 0 ? other.epoch : epoch
    let isRounded = hasBeenRounded || other.hasBeenRounded
    let scale = leastCommonMultiple(timescale, other.timescale)
    let left = Int128(value) * Int128(scale / Int64(timescale))
    let right = Int128(other.value) * Int128(scale / Int64(other.timescale))
    let sum = subtracting ? left - right : left + right
    if let timescale = Int32(exactly: scale), let ticks = Int64(exactly: sum) {
      return Time(ticks: ticks, timescale: timescale, isRounded: isRounded, epoch: epoch)
    }
    return Fraction(sum, over: Int128(scale))
      .time(timescale: scale, isRounded: isRounded, epoch: epoch)
  }

  private static func sumOfSpecials(_ lhs: Time, _ rhs: Time) -> Time {
    guard lhs.isValid, rhs.isValid else { return .invalid }
    if lhs.isInfinite && rhs.isInfinite { return lhs == rhs ? lhs : .invalid }
    if lhs.isInfinite { return lhs }
    return rhs.isInfinite ? rhs : .indefinite
  }

  private var oppositeInfinity: Time {
    if isPositiveInfinity { return .negativeInfinity }
    return isNegativeInfinity ? .positiveInfinity : self
  }

  /// CMTimeAbsoluteValue: the time without its sign, in the same epoch; −infinity becomes +infinity.
  ///
  /// The magnitude of `Int64.min` ticks doesn't fit, so its timescale is halved.
  public var absoluteValue: Time {
    isNegativeInfinity || (isNumeric && value < 0) ? -self : self
  }

  /// CMTimeConvertScale: the time at another timescale.
  ///
  /// The rounded flag is set when the conversion is inexact, and retained when it was set. A value
  /// that overflows halves the new timescale until it fits (undocumented in Core Media): compare
  /// `timescale` of the result where that matters. A timescale that isn't positive gives an invalid
  /// time. A time that isn't numeric is unchanged. The epoch is retained.
  public func converted(
    toTimescale newTimescale: Int32, rounding: RoundingMethod = .halfAwayFromZero
  ) -> Time {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    if newTimescale == timescale { return self }
    return fraction.time(
      timescale: Int64(newTimescale), rounding: rounding, sourceTimescale: timescale,
      isRounded: hasBeenRounded, epoch: epoch)
  }

  /// CMTimeMultiply: the product with a whole number, at the same timescale and in the same epoch.
  ///
  /// While the value overflows, the timescale is halved, and at timescale 1 the result is
  /// ±infinity. An infinity times a negative number changes its sign; times 0 it stays, as in Core
  /// Media. Indefinite and invalid are unchanged.
  public func multiplied(by multiplier: Int32) -> Time {
    guard isNumeric else { return multiplier < 0 ? oppositeInfinity : self }
    return Fraction(Int128(value) * Int128(multiplier), over: Int128(timescale))
      .time(timescale: Int64(timescale), isRounded: hasBeenRounded, epoch: epoch)
  }

  /// CMTimeMultiplyByFloat64: the product with the exact value of a double, in the same epoch.
  ///
  /// The timescale is doubled until it is at least 65,536; then, while the value overflows, it is halved,
  /// and at timescale 1 the result is ±infinity. The rounded flag is set unless the product with the
  /// double's binary value is exact, so by 0.5 it isn't and by 0.1 it is.
  ///
  /// The nearest tick can be earlier than the product: 5/1 times 0.04 is 13107/65536, which is before
  /// 1/5. `multiplied(byRatio:_:)` is exact where a time can be.
  ///
  /// NaN, and zero times infinity either way round, give invalid. Indefinite is unchanged.
  public func multiplied(by multiplier: Double) -> Time {
    guard isValid, !multiplier.isNaN else { return .invalid }
    if isIndefinite { return self }
    if isInfinite || multiplier.isInfinite {
      guard multiplier != 0, isInfinite || value != 0 else { return .invalid }
      let isNegative = (isNegativeInfinity || value < 0) != (multiplier < 0)
      return isNegative ? .negativeInfinity : .positiveInfinity
    }
    var scale = timescale
    while scale < 65_536 { scale *= 2 }
    guard let product = Fraction(value, times: multiplier, over: timescale) else {
      return (value < 0) != (multiplier < 0) ? .negativeInfinity : .positiveInfinity
    }
    return product.time(timescale: Int64(scale), isRounded: hasBeenRounded, epoch: epoch)
  }

  /// CMTimeMultiplyByRatio: the product with `numerator / denominator`, exact where a time can be.
  ///
  /// The ratio is reduced; the result is `value * numerator` at `timescale * denominator`, in
  /// lowest terms only when it doesn't fit otherwise. A product that no time holds becomes the
  /// nearest one that there is, marked as rounded, or ±infinity when it overflows at timescale 1. A
  /// product of 0 retains the timescale. The epoch is retained.
  ///
  /// A denominator of 0 gives ±infinity by the signs of the time and the numerator, and invalid
  /// when one of them is 0 too. An infinity times 0 is invalid. Indefinite and invalid are
  /// unchanged.
  public func multiplied(byRatio numerator: Int32, _ denominator: Int32) -> Time {
    guard isValid, !isIndefinite else { return self }
    let sign = (isNegativeInfinity || value < 0) != ((numerator < 0) != (denominator < 0))
    let infinity: Time = sign ? .negativeInfinity : .positiveInfinity
    if isInfinite { return numerator == 0 ? .invalid : infinity }
    if denominator == 0 { return numerator == 0 || value == 0 ? .invalid : infinity }
    if numerator == 0 || value == 0 {
      return Time(ticks: 0, timescale: timescale, isRounded: hasBeenRounded, epoch: epoch)
    }
    let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let magnitude = UInt128(value.magnitude) * UInt128(numerator.magnitude / divisor)
    let scale = UInt64(timescale.magnitude) * UInt64(denominator.magnitude / divisor)
    let product = Int128(magnitude)
    return Fraction(sign ? -product : product, over: Int128(scale))
      .nearestTime(
        preferring: Int64(clamping: scale), isRounded: hasBeenRounded, epoch: epoch)
  }
}
