import JSONRPC
import MediaTime

/// A range of time: its start, and its duration. The end is excluded.
///
/// Where the server reads a range, `"invalid"` is the invalid range.
///
/// ```schema
/// {"type": "object", "properties": {
///    "start": {"$ref": "WireTime", "description": "The first moment of the range."},
///    "duration": {"$ref": "WireTime", "description": "The duration; not negative."}},
///  "required": ["start", "duration"]}
/// ```
public struct WireTimeRange: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The range.
  public var range: TimeRange

  /// Wraps a range.
  public init(_ range: TimeRange) {
    self.range = range
  }

  public static let decodingPlaceholder = WireTimeRange(TimeRange(start: .zero, duration: .zero))
  public static let decodingExpectation = "a range {start, duration}"
  static let invalidWord = "invalid"

  private enum CodingKeys: String, CodingKey {
    case start, duration
  }

  public init(from decoder: any Decoder) throws {
    if case .string(Self.invalidWord) = try JSONValue(from: decoder) {
      self.init(.invalid)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      TimeRange(
        start: try container.decode(WireTime.self, forKey: .start).time,
        duration: try container.decode(WireTime.self, forKey: .duration).time))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(WireTime(range.start), forKey: .start)
    try container.encode(WireTime(range.duration), forKey: .duration)
  }
}

/// The mapping of a range of media time to a range of track time.
///
/// The source of an empty edit, which presents nothing, is `"invalid"`.
///
/// ```schema
/// {"type": "object", "properties": {
///    "source": {"anyOf": [{"$ref": "WireTimeRange"}, {"enum": ["invalid"]}],
///      "description": "The range in the media, or `\"invalid\"` for an empty edit."},
///    "target": {"$ref": "WireTimeRange", "description": "The range in the track."}},
///  "required": ["source", "target"]}
/// ```
public struct WireTimeMapping: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The mapping.
  public var mapping: TimeMapping

  /// Wraps a mapping.
  public init(_ mapping: TimeMapping) {
    self.mapping = mapping
  }

  public static let decodingPlaceholder = WireTimeMapping(
    TimeMapping(source: .invalid, target: .invalid))
  public static let decodingExpectation = "a mapping {source, target}"

  private enum CodingKeys: String, CodingKey {
    case source, target
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      TimeMapping(
        source: try container.decode(WireTimeRange.self, forKey: .source).range,
        target: try container.decode(WireTimeRange.self, forKey: .target).range))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if mapping.source.start.isValid {
      try container.encode(WireTimeRange(mapping.source), forKey: .source)
    } else {
      try container.encode(WireTimeRange.invalidWord, forKey: .source)
    }
    try container.encode(WireTimeRange(mapping.target), forKey: .target)
  }
}

/// A result that is one range.
public struct WireRangeResult: Codable, Sendable, Equatable {
  /// The range.
  public var range: WireTimeRange

  package init(range: WireTimeRange) {
    self.range = range
  }
}

/// Returns the end of a range, as CMTimeRangeGetEnd.
public struct TimeRangeEnd: EngineRequest {
  public static let method = "timeRange/end"
  public typealias Result = WireTimeResult

  /// The range.
  public var range: WireTimeRange

  /// Makes the value from its members.
  public init(range: WireTimeRange) {
    self.range = range
  }
}

/// Returns whether a range contains a time or another range.
///
/// A time is contained when it is at or after the start and before the end, as
/// CMTimeRangeContainsTime; a range as CMTimeRangeContainsTimeRange. Exactly one of `time` and
/// `timeRange` is required.
public struct TimeRangeContains: EngineRequest {
  public static let method = "timeRange/contains"

  /// The answer.
  public struct Result: Codable, Sendable, Equatable {
    /// True if it does.
    public var contains: Bool

    package init(contains: Bool) {
      self.contains = contains
    }
  }

  /// The outer range.
  public var range: WireTimeRange
  /// The time to look for.
  public var time: WireTime?
  /// The range to look for.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(range: WireTimeRange, time: WireTime? = nil, timeRange: WireTimeRange? = nil) {
    self.range = range
    self.time = time
    self.timeRange = timeRange
  }
}

/// Returns the smallest range that covers two ranges and the gap between them, as
/// CMTimeRangeGetUnion.
public struct TimeRangeUnion: EngineRequest {
  public static let method = "timeRange/union"
  public typealias Result = WireRangeResult

  /// One range.
  public var lhs: WireTimeRange
  /// The other range.
  public var rhs: WireTimeRange

  /// Makes the value from its members.
  public init(lhs: WireTimeRange, rhs: WireTimeRange) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Returns the largest range that two ranges share, as CMTimeRangeGetIntersection.
public struct TimeRangeIntersection: EngineRequest {
  public static let method = "timeRange/intersection"
  public typealias Result = WireRangeResult

  /// One range.
  public var lhs: WireTimeRange
  /// The other range.
  public var rhs: WireTimeRange

  /// Makes the value from its members.
  public init(lhs: WireTimeRange, rhs: WireTimeRange) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Returns whether two ranges have the same start and the same duration, as CMTimeRangeEqual.
public struct TimeRangeEqual: EngineRequest {
  public static let method = "timeRange/equal"

  /// The answer.
  public struct Result: Codable, Sendable, Equatable {
    /// True if they are equal.
    public var equal: Bool

    package init(equal: Bool) {
      self.equal = equal
    }
  }

  /// One range.
  public var lhs: WireTimeRange
  /// The other range.
  public var rhs: WireTimeRange

  /// Makes the value from its members.
  public init(lhs: WireTimeRange, rhs: WireTimeRange) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Moves a time to the nearest one of a range, as CMTimeClampToRange.
///
/// A time after the range becomes its end, a time before it its start; with an empty range the
/// result is invalid.
public struct TimeRangeClamp: EngineRequest {
  public static let method = "timeRange/clamp"
  public typealias Result = WireTimeResult

  /// The range.
  public var range: WireTimeRange
  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(range: WireTimeRange, time: WireTime) {
    self.range = range
    self.time = time
  }
}

/// Folds a time into a range as a loop over it would, as CMTimeFoldIntoRange.
public struct TimeRangeFold: EngineRequest {
  public static let method = "timeRange/fold"
  public typealias Result = WireTimeResult

  /// The range.
  public var range: WireTimeRange
  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(range: WireTimeRange, time: WireTime) {
    self.range = range
    self.time = time
  }
}

/// Maps a time from one range to another, offset and scale, as CMTimeMapTimeFromRangeToRange.
///
/// The result is invalid when either range is empty.
public struct TimeRangeMap: EngineRequest {
  public static let method = "timeRange/map"
  public typealias Result = WireTimeResult

  /// The time.
  public var time: WireTime
  /// The range it is in.
  public var from: WireTimeRange
  /// The range it is mapped to.
  public var to: WireTimeRange

  /// Makes the value from its members.
  public init(time: WireTime, from: WireTimeRange, to: WireTimeRange) {
    self.time = time
    self.from = from
    self.to = to
  }
}
