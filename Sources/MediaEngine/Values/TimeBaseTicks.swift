import LibAV
import MediaTime

extension Time {
  /// `ticks` of a time base, exactly.
  init(ticks: Int64, in timeBase: TimeBase) {
    self.init(
      ticks: ticks, timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator
    )
  }

  /// This time in ticks; infinities and overflows become the ends of the range.
  func ticks(in timeBase: TimeBase, rounding: RoundingMethod) -> Int64 {
    let exact = ticks(
      timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator,
      rounding: rounding)
    return exact ?? (self < .zero ? .min : .max)
  }
}
