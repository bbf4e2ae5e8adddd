extension Time {
  /// Makes the time of a libav time stamp: `ticks` units of `numerator / denominator` seconds, in epoch 0.
  ///
  /// The result is `ticks * numerator` at the timescale `denominator`. Where that value overflows
  /// it is reduced, and where no time holds it the result is the nearest one, marked as rounded, or
  /// ±infinity beyond 2^63 seconds. A time base that isn't positive (libav writes 0/1 for an
  /// unknown one) gives an invalid time. AV_NOPTS_VALUE isn't known here: it has to be sorted out
  /// before.
  public init(ticks: Int64, timeBaseNumerator: Int32, timeBaseDenominator: Int32) {
    guard timeBaseNumerator > 0, timeBaseDenominator > 0 else {
      self = .invalid
      return
    }
    let numerator = Int128(ticks) * Int128(timeBaseNumerator)
    if let value = Int64(exactly: numerator) {
      self.init(ticks: value, timescale: timeBaseDenominator, isRounded: false, epoch: 0)
    } else {
      self = Fraction(numerator, over: Int128(timeBaseDenominator))
        .nearestTime(preferring: 0, isRounded: false, epoch: 0)
    }
  }

  /// Returns the number of units of `numerator / denominator` seconds: a libav time stamp for this
  /// time.
  ///
  /// Nil when the time isn't numeric, when the time base isn't positive, or when the number doesn't fit
  /// 64 bits. The epoch doesn't count. The quickTime method rounds toward zero when a unit is longer
  /// than this time's tick, and away from zero when it's shorter. The result can be `Int64.min`, which is
  /// libav's AV_NOPTS_VALUE.
  public func ticks(
    timeBaseNumerator: Int32, timeBaseDenominator: Int32,
    rounding: RoundingMethod = .halfAwayFromZero
  ) -> Int64? {
    guard isNumeric, timeBaseNumerator > 0, timeBaseDenominator > 0 else { return nil }
    let unit = Int128(timescale) * Int128(timeBaseNumerator)
    return Fraction(Int128(value) * Int128(timeBaseDenominator), over: unit)
      .integer(rounding: rounding, isCoarser: Int128(timeBaseDenominator) < unit)
  }
}
