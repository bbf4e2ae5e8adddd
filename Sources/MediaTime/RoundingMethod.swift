/// The rounding of a value that does not fall on a tick of the new timescale.
///
/// CMTimeRoundingMethod's six methods. The raw values are the names used on the wire.
public enum RoundingMethod: String, CaseIterable, Sendable {
  /// To the nearest tick, and away from zero when two are equally near: the default.
  case halfAwayFromZero
  /// To the nearest tick whose magnitude is not larger.
  case towardZero
  /// To the nearest tick whose magnitude is not smaller.
  case awayFromZero
  /// Toward zero when the new timescale is coarser, away from zero when it is finer.
  ///
  /// A negative time never becomes 0: it becomes −1 tick instead.
  case quickTime
  /// To the nearest tick that is not earlier.
  case towardPositiveInfinity
  /// To the nearest tick that is not later.
  case towardNegativeInfinity
}
