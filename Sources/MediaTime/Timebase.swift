/// The speed of an item's time, in 2^20ths: 1 is as fast as the clock, below zero is backward.
package struct PlaybackRate: Sendable, Hashable {
  /// The rate times 2^20.
  package let ticks: Int64

  package static let zero = PlaybackRate(ticks: 0)
  package static let one = PlaybackRate(ticks: 1 << 20)

  private init(ticks: Int64) { self.ticks = ticks }

  /// Makes the multiple of 2^-20 that is nearest to a number; nil if that isn't finite, or of 2^20
  /// or more.
  package init?(_ value: Double) {
    guard value.isFinite, abs(value) < 0x1p20 else { return nil }
    ticks = Int64((value * 0x1p20).rounded())
  }

  package var value: Double { Double(ticks) / 0x1p20 }
  /// The rate as a factor.
  package var factor: ExactTime { ExactTime(reducing: Int128(ticks), 1 << 20) }
  package var isForward: Bool { ticks > 0 }
}

/// The course of an item's time over a clock's (CMTimebase): a line through an anchor. It has no timers.
package struct Timebase: Sendable, Hashable {
  /// The item's time at ``host``.
  package var item: ExactTime
  /// A time of the clock.
  package var host: ExactTime
  package var rate: PlaybackRate
  /// The factor by which time runs faster than the clock, near 1, to stay with another clock.
  package var speed: ExactTime

  package init(
    item: ExactTime, host: ExactTime, rate: PlaybackRate, speed: ExactTime = ExactTime(1)
  ) {
    (self.item, self.host, self.rate, self.speed) = (item, host, rate, speed)
  }

  /// Returns the item's time at a time of the clock.
  package func itemTime(at time: ExactTime) -> ExactTime {
    rate == .zero ? item : item + rate.factor * speed * (time - host)
  }

  /// Returns the time of the clock at which the item has a time; nil while the rate is 0.
  package func hostTime(at time: ExactTime) -> ExactTime? {
    rate == .zero ? nil : host + (time - item) / (rate.factor * speed)
  }
}

/// The times of a grid or a list that an item's time crosses: those after the start of an interval,
/// up to and including its end, in its direction. So adjacent intervals have each time once.
package enum Crossing {
  /// Returns the multiple of an interval that is crossed first on the way from a time.
  ///
  /// - Parameter interval: numeric and above zero.
  package static func next(after time: ExactTime, every interval: Time, isForward: Bool) -> Time? {
    guard let step = ExactTime(interval), step.signum > 0 else { return nil }
    let place = time / step
    let number =
      isForward
      ? place.floor.addingReportingOverflow(1) : place.ceiling.subtractingReportingOverflow(1)
    guard !number.overflow else { return nil }
    let (value, overflows) = number.partialValue.multipliedReportingOverflow(by: interval.value)
    return overflows ? nil : Time(value: value, timescale: interval.timescale)
  }

  /// Returns true if a time lies on the grid of an interval.
  package static func isMultiple(_ time: ExactTime, of interval: Time) -> Bool {
    guard let step = ExactTime(interval), step.signum > 0 else { return false }
    return (time / step).denominator == 1
  }

  /// Returns the first of some times on the way from a time: of those in order, the range of the
  /// equal ones.
  ///
  /// - Parameter times: ascending.
  package static func next(
    after time: ExactTime, among times: [ExactTime], isForward: Bool
  ) -> Range<Int>? {
    // The first that is above, or not below.
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if isForward ? times[middle] <= time : times[middle] < time {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if isForward {
      guard low < times.count else { return nil }
      var end = low
      while end < times.count, times[end] == times[low] { end += 1 }
      return low..<end
    }
    guard low > 0 else { return nil }
    var start = low - 1
    while start > 0, times[start - 1] == times[low - 1] { start -= 1 }
    return start..<low
  }
}
