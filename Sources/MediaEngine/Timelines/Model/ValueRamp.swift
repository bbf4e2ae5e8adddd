public import MediaTime

/// An entry in the course of a value over time: a value that holds from a time on, or a ramp.
///
/// A course is a list of entries in ascending order, which don't overlap. Between two entries the
/// last value holds. AVMutableAudioMixInputParameters and AVMutableVideoCompositionLayerInstruction
/// set the same with two methods each, for example `setVolume(_:at:)` and
/// `setVolumeRamp(fromStartVolume:toEndVolume:timeRange:)`.
public enum ValueRamp<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The value holds from that time on.
  case value(Value, at: Time)
  /// The value changes linearly over the range, and holds its end afterwards.
  case ramp(from: Value, to: Value, over: TimeRange)

  /// The time at which the entry begins to apply.
  public var start: Time {
    switch self {
    case .value(_, let time): time
    case .ramp(_, _, let range): range.start
    }
  }

  /// The earliest time at which another entry may follow.
  public var end: Time {
    switch self {
    case .value(_, let time): time
    case .ramp(_, _, let range): range.end
    }
  }

  /// The values of the entry: one, or those of both ends.
  var values: [Value] {
    switch self {
    case .value(let value, _): [value]
    case .ramp(let from, let to, _): [from, to]
    }
  }

  func mapValues(_ change: (Value) -> Value, times: (Time) -> Time) -> ValueRamp {
    switch self {
    case .value(let value, let time): .value(change(value), at: times(time))
    case .ramp(let from, let to, let range):
      .ramp(
        from: change(from), to: change(to),
        over: TimeRange(start: times(range.start), duration: times(range.duration)))
    }
  }
}

extension Time {
  /// A positive number of seconds.
  var isDuration: Bool { isNumeric && epoch == 0 && value > 0 }
}
