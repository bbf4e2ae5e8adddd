import JSONRPC
import MediaTime

/// A time: an exact rational number of seconds, or one of four strings.
///
/// The server writes `{"value": 1001, "timescale": 30000}`, with `epoch` when that is not 0 and
/// `rounded` when the time was rounded on its way, or `"+infinity"`, `"-infinity"`,
/// `"indefinite"`, `"invalid"`. It reads any of those, a number of seconds (rounded to the nearest
/// nanosecond), or a string: `"3.5"`, `"1001/30000"`, `"00:01:00.500"`. A value beyond
/// ±(2^53−1) is written as a decimal string. A timescale that is not positive makes the time
/// invalid, as CMTimeMake does.
///
/// ```schema
/// {"anyOf": [{"type": "object", "title": "RationalTime", "properties": {
///    "value": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]+$"}],
///      "description": "The numerator."},
///    "timescale": {"type": "integer", "description": "The denominator: parts of a second."},
///    "epoch": {"type": "integer", "description": "The run of the clock; 0 when absent."},
///    "rounded": {"type": "boolean", "description": "True if the time was rounded."}},
///   "required": ["value", "timescale"]},
///  {"enum": ["+infinity", "-infinity", "indefinite", "invalid"]}]}
/// ```
/// ```schema-in
/// {"anyOf": [{"$ref": "WireTime"}, {"type": "number"}, {"type": "string"}]}
/// ```
public struct WireTime: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The time.
  public var time: Time

  /// Wraps a time.
  public init(_ time: Time) {
    self.time = time
  }

  public static let decodingPlaceholder = WireTime(.zero)
  public static let decodingExpectation =
    #"a time: {"value", "timescale"}, seconds or a string such as "1001/30000""#

  private enum CodingKeys: String, CodingKey {
    case value, timescale, epoch, rounded
  }

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .number:
      self.init(Time(secondsToNanosecond: try Double(from: decoder)))
    case .string(let text):
      guard let time = Time(string: text) else {
        throw DecodingError.expected(Self.self, in: decoder)
      }
      self.init(time)
    case .object:
      try self.init(from: decoder.container(keyedBy: CodingKeys.self))
    default:
      throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  private init(from container: KeyedDecodingContainer<CodingKeys>) throws {
    let value = try container.decode(Int64.self, forKey: .value)
    let timescale = try container.decode(Int32.self, forKey: .timescale)
    let isRounded = try container.decodeIfPresent(Bool.self, forKey: .rounded) ?? false
    self.init(
      Time(
        value: value, timescale: timescale, flags: isRounded ? [.valid, .hasBeenRounded] : .valid,
        epoch: try container.decodeIfPresent(Int64.self, forKey: .epoch) ?? 0))
  }

  public func encode(to encoder: any Encoder) throws {
    if let word {
      var container = encoder.singleValueContainer()
      try container.encode(word)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.value, forKey: .value)
    try container.encode(time.timescale, forKey: .timescale)
    if time.epoch != 0 {
      try container.encode(time.epoch, forKey: .epoch)
    }
    if time.hasBeenRounded {
      try container.encode(true, forKey: .rounded)
    }
  }

  /// The string for a time that is not a number.
  private var word: String? {
    if time.isNumeric { return nil }
    if time.isPositiveInfinity { return "+infinity" }
    if time.isNegativeInfinity { return "-infinity" }
    return time.isIndefinite ? "indefinite" : "invalid"
  }
}

/// A number of seconds, or an infinity.
///
/// ```schema
/// {"anyOf": [{"type": "number"}, {"enum": ["+infinity", "-infinity"]}]}
/// ```
public struct WireSeconds: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The number of seconds; never NaN.
  public var seconds: Double

  /// Wraps a number of seconds; `nil` for NaN, which JSON can't express.
  public init?(_ seconds: Double) {
    guard !seconds.isNaN else { return nil }
    self.seconds = seconds
  }

  private init(exactly seconds: Double) {
    self.seconds = seconds
  }

  public static let decodingPlaceholder = WireSeconds(exactly: 0)
  public static let decodingExpectation = #"a number, "+infinity" or "-infinity""#

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .number: self.init(exactly: try Double(from: decoder))
    case .string("+infinity"): self.init(exactly: .infinity)
    case .string("-infinity"): self.init(exactly: -.infinity)
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if seconds.isInfinite {
      try container.encode(seconds > 0 ? "+infinity" : "-infinity")
    } else {
      try container.encode(seconds)
    }
  }
}

/// A factor, rate or ratio: a whole number, a ratio of whole numbers, or any other number.
///
/// ```schema
/// {"anyOf": [{"type": "integer"}, {"$ref": "WireRatio"}, {"type": "number"}]}
/// ```
public enum WireFactor: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// A whole number; the product is exact where it fits.
  case integer(Int32)
  /// A ratio of whole numbers; the product is exact where it fits.
  case ratio(WireRatio)
  /// Any other number.
  case number(Double)

  public static let decodingPlaceholder = WireFactor.integer(1)
  public static let decodingExpectation = "a number or {numerator, denominator}"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .number(let token):
      if let integer = Int32(token) {
        self = .integer(integer)
      } else {
        self = .number(try Double(from: decoder))
      }
    case .object:
      self = .ratio(try WireRatio(from: decoder))
    default:
      throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let integer): try container.encode(integer)
    case .ratio(let ratio): try container.encode(ratio)
    case .number(let number): try container.encode(number)
    }
  }
}

/// A ratio of whole numbers.
public struct WireRatio: Codable, Sendable, Equatable {
  /// The number above the line.
  public var numerator: Int32
  /// The number below the line.
  public var denominator: Int32

  /// Makes the value from its members.
  public init(numerator: Int32, denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// The rounding of a time to a timescale that cannot hold it exactly.
public enum WireRounding: String, Codable, Sendable, CaseIterable {
  /// To the nearest, halves away from zero.
  case halfAwayFromZero
  /// Towards zero.
  case towardZero
  /// Away from zero.
  case awayFromZero
  /// Towards zero when the timescale gets smaller, else away from it; never from below 0 to 0.
  case quickTime
  /// Upwards.
  case towardPositiveInfinity
  /// Downwards.
  case towardNegativeInfinity
}

/// A result that is one time.
public struct WireTimeResult: Codable, Sendable, Equatable {
  /// The time.
  public var time: WireTime

  package init(time: WireTime) {
    self.time = time
  }
}

/// Adds two times, as CMTimeAdd.
///
/// The result has the least common timescale where that fits. An infinity plus its opposite is
/// invalid, and so are numbers of different epochs.
public struct TimeAdd: EngineRequest {
  public static let method = "time/add"
  public typealias Result = WireTimeResult

  /// One time.
  public var lhs: WireTime
  /// The other time.
  public var rhs: WireTime

  /// Makes the value from its members.
  public init(lhs: WireTime, rhs: WireTime) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Subtracts a time from another, as CMTimeSubtract.
public struct TimeSubtract: EngineRequest {
  public static let method = "time/subtract"
  public typealias Result = WireTimeResult

  /// The time from which `rhs` is subtracted.
  public var lhs: WireTime
  /// The time to subtract.
  public var rhs: WireTime

  /// Makes the value from its members.
  public init(lhs: WireTime, rhs: WireTime) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Multiplies a time by a number.
///
/// A 32-bit integer is multiplied as by CMTimeMultiply, a ratio as by CMTimeMultiplyByRatio, any
/// other number as by CMTimeMultiplyByFloat64. The last rounds the product to the nearest tick of
/// the timescale, doubled until it is at least 65,536, so the result can be earlier than the
/// product: 5 s times 0.04 is 13107/65536, which is before 1/5. For the start of a frame or a part
/// of a duration, use a ratio.
///
/// The denominator 0 results in an infinity, 0 over 0 in an invalid time.
public struct TimeMultiply: EngineRequest {
  public static let method = "time/multiply"
  public typealias Result = WireTimeResult

  /// The time.
  public var time: WireTime
  /// The factor.
  public var by: WireFactor

  /// Makes the value from its members.
  public init(time: WireTime, by: WireFactor) {
    self.time = time
    self.by = by
  }
}

/// Compares two times, as CMTimeCompare.
///
/// The order is total: `-infinity`, numbers, `indefinite`, `+infinity`, `invalid`; the epoch
/// counts before the number.
public struct TimeCompare: EngineRequest {
  public static let method = "time/compare"

  /// The order of the two.
  public struct Result: Codable, Sendable, Equatable {
    /// `-1` when `lhs` comes first, `0` when they are equal, `1` when `rhs` comes first.
    public var order: Int

    package init(order: Int) {
      self.order = order
    }
  }

  /// One time.
  public var lhs: WireTime
  /// The other time.
  public var rhs: WireTime

  /// Makes the value from its members.
  public init(lhs: WireTime, rhs: WireTime) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Expresses a time in another timescale, as CMTimeConvertScale.
///
/// The result has `rounded` when it is not exact.
public struct TimeConvertScale: EngineRequest {
  public static let method = "time/convertScale"
  public typealias Result = WireTimeResult

  /// The time.
  public var time: WireTime
  /// The new timescale, 1 or more.
  public var timescale: Int32
  /// The rounding.
  ///
  /// - Default: `"halfAwayFromZero"`
  public var rounding: WireRounding?

  /// Makes the value; members that are left out are absent on the wire.
  public init(time: WireTime, timescale: Int32, rounding: WireRounding? = nil) {
    self.time = time
    self.timescale = timescale
    self.rounding = rounding
  }
}

/// Returns a time as a number of seconds, as CMTimeGetSeconds.
public struct TimeSeconds: EngineRequest {
  public static let method = "time/seconds"

  /// The seconds.
  public struct Result: Codable, Sendable, Equatable {
    /// The seconds; absent when the time is invalid or indefinite, where CMTimeGetSeconds has NaN.
    public var seconds: WireSeconds?

    package init(seconds: WireSeconds? = nil) {
      self.seconds = seconds
    }
  }

  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(time: WireTime) {
    self.time = time
  }
}

/// Returns a description of a time for people, as CMTimeCopyDescription.
public struct TimeDescribe: EngineRequest {
  public static let method = "time/describe"

  /// The result.
  public struct Result: Codable, Sendable, Equatable {
    /// The description, for example `{1001/30000 = 0.033}`.
    public var description: String

    package init(description: String) {
      self.description = description
    }
  }

  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(time: WireTime) {
    self.time = time
  }
}
