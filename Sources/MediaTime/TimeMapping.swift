/// A segment of one time line (a medium) shown in a segment of another (a track): an edit.
///
/// It follows Core Media's CMTimeMapping.
public struct TimeMapping: Sendable, Hashable, CustomStringConvertible {
  /// The segment of the medium; its start is invalid in an empty edit.
  public var source: TimeRange
  /// The segment of the track.
  public var target: TimeRange

  /// CMTimeMappingMake: shows the source in the target, as fast as is needed to fill it.
  public init(source: TimeRange, target: TimeRange) {
    self.source = source
    self.target = target
  }

  /// CMTimeMappingMakeEmpty: a target in which nothing is shown.
  public init(emptyTarget target: TimeRange) {
    self.init(source: .invalid, target: target)
  }

  /// True if the target is valid; a source that isn't is an empty edit's.
  public var isValid: Bool { target.isValid }

  /// True if this is an empty edit: a valid target, and a source whose start is invalid.
  public var isEmpty: Bool { target.isValid && !source.start.isValid }

  /// The rate of the source: its duration divided by the target's.
  ///
  /// Exactly 1 when they are equal. An empty edit has rate 1, as in a QuickTime edit list. NaN when a
  /// duration isn't numeric or is negative, or when both are 0; +infinity when only the target's is 0.
  public var rate: Double {
    if isEmpty { return 1 }
    let (source, target) = (source.duration, target.duration)
    guard source.isNumeric, target.isNumeric, source.value >= 0, target.value >= 0 else {
      return .nan
    }
    return Double(Int128(source.value) * Int128(target.timescale))
      / Double(Int128(target.value) * Int128(source.timescale))
  }

  /// The two ranges, as `{source -> target}`.
  public var description: String { "{\(source) -> \(target)}" }
}

extension Time {
  /// CMTimeMapTimeFromRangeToRange: the time at the same relative place in another range.
  ///
  /// (time − from.start) · to.duration ⁄ from.duration + to.start, also for times outside `from`. Start
  /// maps to start and end to end, exactly; the result has the epoch of `to.start`. Between them the
  /// difference, the product and the sum each follow their own rule, so that a result is only rounded when
  /// one of them is. Two infinite durations move the time without scaling it.
  ///
  /// Invalid when a range is invalid or empty, when the time is, when its epoch isn't that of `from.start`,
  /// and when just one of the durations is infinite. Indefinite when a range or the time is. An
  /// infinite time stays as it is.
  public func mapped(from: TimeRange, to: TimeRange) -> Time {
    guard isValid, from.isValid, to.isValid, !from.isEmpty, !to.isEmpty else { return .invalid }
    if isIndefinite || from.isIndefinite || to.isIndefinite { return .indefinite }
    guard from.start.isNumeric, to.start.isNumeric,
      from.duration.isNumeric == to.duration.isNumeric
    else { return .invalid }
    guard isNumeric else { return self }
    guard epoch == from.start.epoch else { return .invalid }
    let isRounded = hasBeenRounded || from.start.hasBeenRounded || from.duration.hasBeenRounded
    if self == from.start { return to.start.markedRounded(isRounded) }
    if self == from.end { return to.end.markedRounded(isRounded) }
    return (self - from.start).mappedDuration(from: from, to: to) + to.start
  }

  /// CMTimeMapDurationFromRangeToRange: this duration scaled as one range is to fill the other.
  ///
  /// duration · to.duration ⁄ from.duration, at the timescale of `to.duration` or the smallest multiple of it
  /// that is exact, else in lowest terms, else the nearest time that there is, marked as rounded.
  /// (Core Media rounds to nanoseconds.) Negative durations are scaled likewise. Two infinite
  /// durations change nothing.
  ///
  /// Invalid when a range is invalid or empty, when the duration is or has an epoch other than 0, and when
  /// just one of the ranges is infinite. Indefinite when a range or the duration is. An infinite
  /// duration stays as it is.
  public func mappedDuration(from: TimeRange, to: TimeRange) -> Time {
    guard isValid, epoch == 0, from.isValid, to.isValid, !from.isEmpty, !to.isEmpty else {
      return .invalid
    }
    if isIndefinite || from.isIndefinite || to.isIndefinite { return .indefinite }
    guard from.duration.isNumeric == to.duration.isNumeric else { return .invalid }
    guard isNumeric, from.duration.isNumeric else { return self }
    return scaled(by: to.duration, over: from.duration)
  }

  /// Returns the product with the quotient of two positive numeric times.
  private func scaled(by numerator: Time, over denominator: Time) -> Time {
    let isRounded = hasBeenRounded || numerator.hasBeenRounded || denominator.hasBeenRounded
    // Below 2^126 each; only their product with the last timescale needs double width.
    let product = UInt128(value.magnitude) * UInt128(numerator.value.magnitude)
    let divisor =
      UInt128(timescale.magnitude) * UInt128(numerator.timescale.magnitude)
      * UInt128(denominator.value.magnitude)
    guard
      let exact = Fraction(
        isNegative: value < 0, product, times: UInt128(denominator.timescale.magnitude),
        over: divisor)
    else { return value < 0 ? .negativeInfinity : .positiveInfinity }
    let common = greatestCommonDivisor(exact.remainder, exact.denominator)
    let scale = Int32(exactly: exact.denominator / common) ?? 0
    let preferred = scale == 0 ? 0 : leastCommonMultiple(numerator.timescale, scale)
    return exact.nearestTime(preferring: preferred, isRounded: isRounded, epoch: 0)
  }
}
