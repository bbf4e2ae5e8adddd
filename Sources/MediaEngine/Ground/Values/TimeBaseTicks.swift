import LibAV
import MediaTime

extension Time {
  /// Creates a time of `ticks` of a time base, exactly.
  init(ticks: Int64, in timeBase: TimeBase) {
    self.init(
      ticks: ticks, timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator
    )
  }

  /// Returns this time in ticks; infinities and overflows become the ends of the range.
  func ticks(in timeBase: TimeBase, rounding: RoundingMethod) -> Int64 {
    let exact = ticks(
      timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator,
      rounding: rounding)
    return exact ?? (self < .zero ? .min : .max)
  }
}

extension Sequence<Time> {
  /// Returns ticks per second in which these times are whole numbers: all of them, or those that
  /// fit within the limit, the first before the others.
  func commonTimescale(limit: Int64) -> Int64 {
    reduce(1) { common, time in
      guard time.isNumeric else { return common }
      let clock = Int64(time.reduced.timescale)
      let divisor = Int64(greatestCommonDivisor(common.magnitude, clock.magnitude))
      let (next, overflow) = (common / divisor).multipliedReportingOverflow(by: clock)
      return overflow || next > limit ? common : next
    }
  }
}

extension Array<Time> {
  /// Returns a clock on which these times are whole numbers, if a million ticks per second allow
  /// it. Otherwise returns one of approximately a million, on which the first times are whole
  /// numbers up to that limit.
  ///
  /// - Parameter finest: the minimum number of ticks per second.
  func clock(finest: Int64 = 1) -> TimeBase {
    let limit: Int64 = 1_000_000
    let common = commonTimescale(limit: limit)
    let isWhole = allSatisfy { !$0.isNumeric || common % Int64($0.reduced.timescale) == 0 }
    let factor = isWhole ? (finest + common - 1) / common : limit / common
    return TimeBase(1, Int32(clamping: common * Swift.max(1, factor)))
  }
}

extension Rational {
  /// Creates the number of frames of a duration in a second; nil beyond libav's numbers.
  init?(framesOf duration: Time) {
    guard let value = Int32(exactly: duration.value), value > 0 else { return nil }
    self.init(duration.timescale, value)
  }
}
