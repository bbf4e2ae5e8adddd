import MediaTime

/// A numeric time, short enough for tables.
func time(
  _ value: Int64, _ timescale: Int32, rounded: Bool = false, epoch: Int64 = 0
) -> Time {
  Time(
    value: value, timescale: timescale, flags: rounded ? [.valid, .hasBeenRounded] : .valid,
    epoch: epoch)
}

/// A range of whole seconds.
func range(_ start: Int64, _ duration: Int64, epoch: Int64 = 0) -> TimeRange {
  TimeRange(start: time(start, 1, epoch: epoch), duration: time(duration, 1))
}

extension Time {
  /// All fields, where `==` would only compare the time.
  var fields: TimeDictionary { dictionary }
}

let specialTimes: [Time] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
