import LibAV
import MediaTime

/// Gives the pictures of an export their time stamps, on the encoder's clock.
///
/// They are the source's, cut to the range. Encoders and players want them to rise: one that doesn't comes
/// a tick after the picture before it, and where the source's clock was set back, all goes on from there.
struct PictureClock {
  struct Place {
    var pts: Int64
    /// In ticks.
    var duration: Int64
    /// When the picture ends, from the start of the export.
    var end: Time

    /// Without what comes after `limit`; nil when nothing is left.
    func until(_ limit: Time, in timeBase: TimeBase) -> Place? {
      guard end > limit else { return self }
      let duration = limit.ticks(in: timeBase, rounding: .halfAwayFromZero) - pts
      return duration > 0 ? Place(pts: pts, duration: duration, end: limit) : nil
    }
  }

  enum Placement {
    case at(Place)
    /// There would be more pictures than wanted.
    case leftOut
    case afterEnd
  }

  /// A jump back by more than this is no disorder but a clock that was set back.
  static let longestDisorder = Time(value: 10, timescale: 1)

  private let range: TimeRange
  private let timeBase: TimeBase
  /// How long a picture lasts of which nobody says it.
  private let usualDuration: Time
  /// Of the parts of the export, as long as a picture lasts at the highest rate, each has one at most.
  private let parts: TimeBase?
  private var lastPart: Int64?
  private var lastPTS: Int64?
  private var lastEnd = Time.zero
  /// What is added to the source's times.
  private var shift = Time.zero

  init(_ clip: TrackClip, timeBase: TimeBase, highestFrameRate: Rational?) {
    range = clip.range
    self.timeBase = timeBase
    let shortest = clip.stream.minFrameDuration
    usualDuration = shortest.isNumeric ? shortest : Time(value: 1, timescale: 30)
    parts = highestFrameRate.map { TimeBase($0.denominator, $0.numerator) }
  }

  mutating func place(_ frame: TimedFrame) -> Placement {
    let stated = frame.start - range.start
    if lastEnd - (stated + shift) > PictureClock.longestDisorder { shift = lastEnd - stated }
    let start = stated + shift
    guard start < range.duration else { return .afterEnd }
    var partEnd = Time.zero
    if let parts {
      let part = max(.zero, start).ticks(in: parts, rounding: .towardNegativeInfinity)
      if let lastPart, part <= lastPart { return .leftOut }
      lastPart = part
      // Those that are left out were to be seen as this one.
      partEnd = Time(ticks: part + 1, in: parts)
    }
    let duration = frame.duration > .zero ? frame.duration : usualDuration
    let end = min(max(start + duration, partEnd), range.duration)
    var pts = ticks(max(.zero, start))
    if let lastPTS, pts <= lastPTS { pts = lastPTS + 1 }
    lastPTS = pts
    lastEnd = max(lastEnd, end)
    return .at(Place(pts: pts, duration: max(0, ticks(end) - pts), end: lastEnd))
  }

  private func ticks(_ time: Time) -> Int64 {
    time.ticks(in: timeBase, rounding: .halfAwayFromZero)
  }
}
