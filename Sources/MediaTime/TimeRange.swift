/// A stretch of a time line: it includes its start and excludes its end.
///
/// It follows Core Media's CMTimeRange. The fields are stored unchanged, so that a range can be
/// invalid; every operation on an invalid range gives `invalid` (or false) and none traps. Two
/// ranges can only be combined when their starts have the same epoch, and when they have an end: a
/// range from −infinity of infinite duration has none, since −infinity + infinity is invalid.
public struct TimeRange: Sendable, Hashable {
  /// The first time in the range.
  public var start: Time
  /// The length of the range; in a valid range not negative, and in epoch 0.
  public var duration: Time

  /// CMTimeRangeMake: a range from its start and its duration.
  ///
  /// A numeric duration whose epoch isn't 0 gives `invalid`. A negative duration is stored, and
  /// makes the range invalid.
  public init(start: Time, duration: Time) {
    if duration.epoch == 0 {
      self.start = start
      self.duration = duration
    } else {
      self = .invalid
    }
  }

  /// CMTimeRangeFromTimeToTime: the range from a start up to an end that it excludes.
  ///
  /// Times in different epochs give an invalid range, and so does an end before the start.
  public init(start: Time, end: Time) {
    self.init(start: start, duration: end - start)
  }

  /// An empty range at 0.
  public static let zero = TimeRange(start: .zero, duration: .zero)
  /// No range at all.
  public static let invalid = TimeRange(start: .invalid, duration: .invalid)
  /// From 0 to +infinity: all of an asset, of any duration.
  public static let all = TimeRange(start: .zero, duration: .positiveInfinity)

  /// True if start and duration are valid, and the duration is in epoch 0 and not negative.
  ///
  /// A duration of −infinity counts as negative; one of +infinity or indefinite is valid.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
      && !duration.isNegativeInfinity
  }

  /// True if the range is valid and its duration is 0: it holds no time.
  public var isEmpty: Bool { isValid && duration.isNumeric && duration.value == 0 }

  /// True if the range is valid but its start or its duration isn't known.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// CMTimeRangeGetEnd: start plus duration, the first time after the range; invalid in an invalid range.
  public var end: Time { isValid ? start + duration : .invalid }

  /// CMTimeRangeContainsTime: true if start ≤ time < end; never for the end itself.
  ///
  /// Only a numeric time in the start's epoch is in a range, and only in a range whose start is
  /// numeric and whose duration isn't indefinite: an unknown time isn't contained.
  public func contains(_ time: Time) -> Bool {
    // An empty range's end can be rounded to after its start.
    guard isValid, !isEmpty, !isIndefinite, start.isNumeric, time.isNumeric,
      time.epoch == start.epoch
    else { return false }
    return start <= time && time < end
  }

  /// CMTimeRangeContainsTimeRange: true if no time of the other range is outside this one.
  ///
  /// Core Media doesn't document the result for an empty range. Here it is contained when its start
  /// is: an empty range at this one's end isn't, and an empty range contains nothing, itself
  /// included. An invalid or indefinite range neither contains nor is contained.
  public func contains(_ other: TimeRange) -> Bool {
    guard other.isValid, !other.isIndefinite, contains(other.start) else { return false }
    return other.isEmpty || other.end <= end
  }

  /// CMTimeRangeGetUnion: the smallest range that covers both, and so the gap between them too.
  ///
  /// It reaches from the earlier start to the later end; an empty range counts with its position. Invalid
  /// when a range is invalid or when the epochs differ. With an unknown end it is indefinite, unless the
  /// other range ends at +infinity.
  public func union(_ other: TimeRange) -> TimeRange {
    guard isCombinable(with: other) else { return .invalid }
    return combined(
      with: other, start: Time.minimum(start, other.start), end: Time.maximum(end, other.end))
  }

  /// CMTimeRangeGetIntersection: the largest range that both include.
  ///
  /// Two ranges without a time in common, be they disjoint, adjacent or empty, give `zero`, as Core
  /// Media does for disjoint ranges. Invalid when a range is invalid or when the epochs differ.
  /// Indefinite when a range is, unless the known times already show that nothing is in common.
  public func intersection(_ other: TimeRange) -> TimeRange {
    guard isCombinable(with: other) else { return .invalid }
    let start = Time.maximum(start, other.start)
    let end = Time.minimum(end, other.end)
    guard start < end, !isEmpty, !other.isEmpty else {
      return start.isIndefinite ? TimeRange(start: .indefinite, duration: .indefinite) : .zero
    }
    if isIndefinite || other.isIndefinite {
      return TimeRange(start: start, duration: .indefinite)
    }
    return combined(with: other, start: start, end: end)
  }

  /// Returns the range from start to end; if one of the two has these, that one: without computing,
  /// no rounding.
  private func combined(with other: TimeRange, start: Time, end: Time) -> TimeRange {
    if start == self.start && end == self.end { return self }
    if start == other.start && end == other.end { return other }
    return TimeRange(start: start, end: end)
  }

  private func isCombinable(with other: TimeRange) -> Bool {
    guard isValid, other.isValid, end.isValid, other.end.isValid else { return false }
    return !start.isNumeric || !other.start.isNumeric || start.epoch == other.start.epoch
  }

  /// CMTimeClampToRange: the time itself when it is in the range, else the range's nearer end.
  ///
  /// A time after the range gives its **end**, which the range doesn't contain. An invalid time, an
  /// invalid range and an empty range give invalid; an indefinite time stays indefinite. Times in other
  /// epochs are before or after by epoch, as in `Time.compare`; an unknown end clamps nothing.
  public func clamp(_ time: Time) -> Time {
    guard time.isValid, isValid, !isEmpty else { return .invalid }
    if time.isIndefinite { return time }
    if !start.isIndefinite && time < start { return start }
    let end = end
    return end.isValid && !end.isIndefinite && time > end ? end : time
  }

  /// CMTimeFoldIntoRange: the time modulo the duration, as when the range is played in a loop.
  ///
  /// Times before the range are folded too. The result is at the least common multiple of the three
  /// timescales, rounded as a sum is; a time that falls on the start gives the start. Invalid unless the
  /// time is numeric and in the start's epoch and the range is valid, numeric and not empty.
  public func fold(_ time: Time) -> Time {
    guard isValid, !isEmpty, time.isNumeric, start.isNumeric, duration.isNumeric,
      time.epoch == start.epoch
    else { return .invalid }
    let isRounded = time.hasBeenRounded || start.hasBeenRounded || duration.hasBeenRounded
    // Everything in units of 1 / (scale * duration.timescale): below 2^126.
    let scale = leastCommonMultiple(time.timescale, start.timescale)
    let from =
      Int128(start.value) * Int128(scale / Int64(start.timescale)) * Int128(duration.timescale)
    let to = Int128(time.value) * Int128(scale / Int64(time.timescale)) * Int128(duration.timescale)
    let length = Int128(duration.value) * Int128(scale)
    var offset = (to - from) % length
    if offset < 0 { offset += length }
    if offset == 0 { return start.markedRounded(isRounded) }
    let timescale =
      Int32(exactly: scale).map { leastCommonMultiple($0, duration.timescale) } ?? scale
    let folded = Fraction(from + offset, over: Int128(scale) * Int128(duration.timescale))
      .time(timescale: timescale, isRounded: isRounded, epoch: start.epoch)
    // Rounding may reach the end, which is where the loop starts again, or fall before the start.
    return folded < start || folded >= end ? start.markedRounded(true) : folded
  }
}

extension TimeRange: CustomStringConvertible {
  /// CMTimeRangeCopyDescription's form: `{{0/1 = 0.000}, {10/1 = 10.000}}`.
  public var description: String { "{\(start), \(duration)}" }

  /// The range as a person writes it: `1.5 s to 20 s`.
  public var secondsDescription: String {
    "\(start.secondsDescription) to \(end.secondsDescription)"
  }

  /// The same with exact times: `1/3 s to 2 s`.
  public var exactDescription: String { "\(start.exactDescription) to \(end.exactDescription)" }
}
