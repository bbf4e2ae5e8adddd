import LibAV
import MediaTime

/// Gives the pictures of an export their time stamps, on the encoder's clock.
///
/// They are the source's, cut to the range. Encoders and players want them to rise: a picture whose time
/// doesn't fit comes between its neighbours, or just after the one before it; and where the source's
/// clock was set back, what begins before the end of what is there is left out, as for audio.
struct PictureClock {
  struct Place {
    var pts: Int64
    /// In ticks.
    var duration: Int64
    /// When the picture ends, from the start of the export.
    var end: Time
  }

  enum Placement {
    case at(Place)
    /// There would be more pictures than wanted, or it is of a time that has passed.
    case leftOut
    case afterEnd
  }

  /// A jump back by more than this is no disorder but a clock that was set back.
  static let maximumDisorder = Time(value: 1, timescale: 1)
  /// The least distance of two pictures; all containers can distinguish such times.
  static let leastDistance = Time(value: 1, timescale: 1000)

  private let range: TimeRange
  private let timeBase: TimeBase
  /// The duration of a picture that states none.
  private let usualDuration: Time
  /// Of the parts of the export, as long as a picture lasts at the highest rate, each has one at most.
  private let parts: TimeBase?
  private var lastPart: Int64?
  private var lastPTS: Int64?
  private var lastStart: Time?
  /// True until the source's clock has come to where it was set back.
  private var isSetBack = false
  private var lastEnd = Time.zero

  init(range: TimeRange, stream: StreamInfo, timeBase: TimeBase, highestFrameRate: Rational?) {
    let shortest = stream.minFrameDuration
    self.init(
      range: range, timeBase: timeBase,
      usualDuration: shortest.isNumeric ? shortest : Time(value: 1, timescale: 30),
      highestFrameRate: highestFrameRate)
  }

  init(
    range: TimeRange, timeBase: TimeBase, usualDuration: Time, highestFrameRate: Rational? = nil
  ) {
    self.range = range
    self.timeBase = timeBase
    self.usualDuration = usualDuration
    parts = highestFrameRate.map { TimeBase($0.denominator, $0.numerator) }
  }

  mutating func place(_ frame: FrameTiming) -> Placement {
    guard let start = rising(frame) else { return .leftOut }
    guard start < range.duration else { return .afterEnd }
    var partEnd = Time.zero
    if let parts {
      let part = max(.zero, start).ticks(in: parts, rounding: .towardNegativeInfinity)
      if let lastPart, part <= lastPart { return .leftOut }
      lastPart = part
      // Those that are left out were to be seen as this one.
      partEnd = Time(ticks: part + 1, in: parts)
    }
    let stated = frame.following.map { $0 - range.start } ?? start + frame.duration
    let following = stated > start ? stated : start + usualDuration
    let end = min(max(following, partEnd), range.duration)
    var pts = ticks(max(.zero, start))
    if let lastPTS, pts <= lastPTS { pts = lastPTS + 1 }
    lastPTS = pts
    lastStart = start
    lastEnd = max(lastEnd, end)
    return .at(Place(pts: pts, duration: max(0, ticks(end) - pts), end: lastEnd))
  }

  /// When a frame begins, after the one before it; nil for one of a time that has passed.
  private mutating func rising(_ frame: FrameTiming) -> Time? {
    let start = frame.start - range.start
    let following = frame.following.map { $0 - range.start }
    guard let lastStart else { return min(start, following ?? start) }
    let isAhead = following.map { $0 < start } ?? false
    guard isAhead || start <= lastStart else {
      isSetBack = false
      return start
    }
    // Where the next one fits, this one doesn't.
    if let following, following > lastStart {
      return lastStart + min(usualDuration, (following - lastStart).multiplied(byRatio: 1, 2))
    }
    guard start <= lastStart else { return start }
    if lastStart - start > PictureClock.maximumDisorder { isSetBack = true }
    return isSetBack ? nil : lastStart + PictureClock.leastDistance
  }

  private func ticks(_ time: Time) -> Int64 {
    time.ticks(in: timeBase, rounding: .halfAwayFromZero)
  }
}
