/// A time stamp or a duration as an exact rational number of seconds, `value / timescale`.
///
/// It follows Core Media's CMTime: in addition to numbers there are ±infinity, indefinite and
/// invalid, a flag for a result that had to be rounded somewhere, and an epoch that distinguishes
/// time lines which cannot be compared by subtraction. No operation traps, for any operands.
///
/// `==` compares the times, not their fields: 200/2 equals 400/4. The timescale of a result follows
/// fixed rules, which are documented with each operation. Fields can't be changed after
/// initialization, so that a numeric time always has a positive timescale, and a time that isn't
/// numeric always has the value 0, the timescale 0 and the epoch 0.
public struct Time: Sendable {
  /// The kind of time that the fields describe; the bits are CMTimeFlags'.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits as in CMTimeFlags.
    public let rawValue: UInt32

    /// Makes a set from CMTimeFlags' bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Set in every time that isn't invalid.
    public static let valid = Flags(rawValue: 1)
    /// Set when the time, or a time that it was computed from, had to be rounded.
    public static let hasBeenRounded = Flags(rawValue: 2)
    /// The time is +infinity.
    public static let positiveInfinity = Flags(rawValue: 4)
    /// The time is −infinity.
    public static let negativeInfinity = Flags(rawValue: 8)
    /// The time is not known, as a live stream's duration.
    public static let indefinite = Flags(rawValue: 16)
  }

  /// The number of ticks, each `1 / timescale` seconds long.
  public let value: Int64
  /// Ticks a second: 1…`Int32.max` in a numeric time, 0 in any other.
  public let timescale: Int32
  /// The kind of time.
  public let flags: Flags
  /// The time line that the value belongs to; 0 for durations and for everything that never loops.
  public let epoch: Int64

  /// Makes a time that is known to be in order.
  init(ticks: Int64, timescale: Int32, isRounded: Bool, epoch: Int64) {
    value = ticks
    self.timescale = timescale
    flags = isRounded ? [.valid, .hasBeenRounded] : .valid
    self.epoch = epoch
  }

  private init(special flags: Flags) {
    value = 0
    timescale = 0
    self.flags = flags
    epoch = 0
  }

  /// Makes `value / timescale` seconds in epoch 0; invalid when the timescale isn't positive.
  public init(value: Int64, timescale: Int32) {
    self.init(value: value, timescale: timescale, epoch: 0)
  }

  /// Makes `value / timescale` seconds in an epoch; invalid when the timescale isn't positive.
  public init(value: Int64, timescale: Int32, epoch: Int64) {
    if timescale > 0 {
      self.init(ticks: value, timescale: timescale, isRounded: false, epoch: epoch)
    } else {
      self = .invalid
    }
  }

  /// Makes a time from all its fields, and puts any contradictory ones in order.
  ///
  /// CMTime keeps contradictory fields as they are; this doesn't. Without `.valid` the time is invalid.
  /// Of several kinds +infinity wins over −infinity over indefinite. A numeric time needs a positive
  /// timescale, else it is invalid; unknown bits are dropped, and so are the value, the timescale, the
  /// epoch and the rounded flag of a time that isn't numeric.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64) {
    if !flags.contains(.valid) {
      self = .invalid
    } else if flags.contains(.positiveInfinity) {
      self = .positiveInfinity
    } else if flags.contains(.negativeInfinity) {
      self = .negativeInfinity
    } else if flags.contains(.indefinite) {
      self = .indefinite
    } else if timescale > 0 {
      self.init(
        ticks: value, timescale: timescale, isRounded: flags.contains(.hasBeenRounded),
        epoch: epoch)
    } else {
      self = .invalid
    }
  }

  /// Makes a time from seconds at a timescale, dropping fractions of a tick.
  ///
  /// CMTimeMakeWithSeconds: `seconds * timescale` is computed as a double and truncated toward zero
  /// (0.6 at timescale 1 is 0). When it overflows, the timescale is halved until it doesn't, and at
  /// timescale 1 the result is ±infinity. The rounded flag is set when `seconds` of the result
  /// isn't the argument. A timescale that isn't positive gives an invalid time. NaN gives an
  /// invalid time too, where Core Media gives a zero. For the nearest time use
  /// `init(secondsToNanosecond:)`.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    var scale = preferredTimescale
    while true {
      if let value = Int64(exactly: (seconds * Double(scale)).rounded(.towardZero)) {
        let isRounded = Double(value) / Double(scale) != seconds
        self.init(ticks: value, timescale: scale, isRounded: isRounded, epoch: 0)
        return
      }
      if scale == 1 || seconds.isInfinite {
        self = seconds < 0 ? .negativeInfinity : .positiveInfinity
        return
      }
      scale /= 2
    }
  }

  /// Makes a time of a clock that counts nanoseconds.
  package init(nanoseconds: Int64) { self.init(value: nanoseconds, timescale: 1_000_000_000) }

  /// Makes the time nearest to a number of seconds, to the nanosecond, in lowest terms.
  ///
  /// 0.1 becomes 1/10 and 3.5 becomes 7/2. Ties go away from zero. From 2^63 nanoseconds (292
  /// years) on the double's exact value is used; from 2^63 seconds on the result is ±infinity. The
  /// rounded flag is set when `seconds` of the result isn't the argument. NaN gives an invalid
  /// time.
  public init(secondsToNanosecond seconds: Double) {
    guard !seconds.isNaN else {
      self = .invalid
      return
    }
    guard seconds.isFinite, let exact = Fraction(1, times: seconds, over: 1) else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    let time: Time
    if let (value, _) = exact.ticks(
      timescale: 1_000_000_000, rounding: .halfAwayFromZero, sourceTimescale: 0)
    {
      time = Time(value: value, timescale: 1_000_000_000).reduced
    } else {
      time = exact.nearestTime(preferring: 0, isRounded: false, epoch: 0)
    }
    self = time.markedRounded(time.isNumeric && time.seconds != seconds)
  }

  /// No time at all: the answer where there is none.
  public static let invalid = Time(special: [])
  /// A time that exists but isn't known, as a live stream's duration.
  public static let indefinite = Time(special: [.valid, .indefinite])
  /// Later than every numeric time.
  public static let positiveInfinity = Time(special: [.valid, .positiveInfinity])
  /// Earlier than every numeric time.
  public static let negativeInfinity = Time(special: [.valid, .negativeInfinity])
  /// 0/1.
  public static let zero = Time(ticks: 0, timescale: 1, isRounded: false, epoch: 0)

  /// True if this is anything but invalid.
  public var isValid: Bool { flags.rawValue & 1 != 0 }
  /// True if this is a number: valid, and neither infinite nor indefinite.
  public var isNumeric: Bool { timescale > 0 }
  /// True if this is valid but not known.
  public var isIndefinite: Bool { flags.rawValue & 16 != 0 }
  /// True if this is +infinity.
  public var isPositiveInfinity: Bool { flags.rawValue & 4 != 0 }
  /// True if this is −infinity.
  public var isNegativeInfinity: Bool { flags.rawValue & 8 != 0 }
  /// True if this is a number that had to be rounded, or was computed from one.
  ///
  /// 1/3 s at timescale 600 is 200/600 and isn't rounded; at timescale 1000 it is.
  public var hasBeenRounded: Bool { flags.rawValue & 2 != 0 }

  var isInfinite: Bool { flags.rawValue & 12 != 0 }

  /// The time in seconds; NaN when invalid or indefinite, and the epoch doesn't count.
  ///
  /// The division is done in `Double`, as in CMTimeGetSeconds: values beyond 2^53 lose low bits.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }

  /// The same time in lowest terms, with the same flags and epoch; 0 becomes 0/1.
  public var reduced: Time {
    guard isNumeric else { return self }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale.magnitude))
    return Time(
      ticks: value / Int64(divisor), timescale: Int32(Int64(timescale) / Int64(divisor)),
      isRounded: hasBeenRounded, epoch: epoch)
  }

  /// Returns the same time, with the rounded flag set in addition if `isRounded` is true.
  func markedRounded(_ isRounded: Bool) -> Time {
    guard isNumeric, isRounded else { return self }
    return Time(ticks: value, timescale: timescale, isRounded: true, epoch: epoch)
  }

  /// The exact number of seconds of a numeric time.
  var fraction: Fraction { Fraction(Int128(value), over: Int128(timescale)) }
}
