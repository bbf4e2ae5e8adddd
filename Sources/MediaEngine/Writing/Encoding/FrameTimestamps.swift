import LibAV
import MediaTime

/// Assigns time stamps to the frames of an export, on the encoder's clock.
///
/// They are the source's, cut to the range. Encoders and players want them to rise: a frame whose time
/// doesn't fit comes between its neighbours, or just after the one before it; and where the source's clock was set
/// back, frames that begin before the end of earlier ones are left out, as for audio.
///
/// With a frame duration there is a frame at each multiple of it: the source's frame that begins nearest to that,
/// or the last one before, as ffmpeg's `fps` filter has it; so a container's rounded times do no harm. Of a track of
/// parts, whose times are exact, it is the frame that is shown then, as for images: the filter's `round=up`. So
/// frames are repeated and left out.
struct FrameTimestamps {
  struct Place {
    var pts: Int64
    /// The duration in ticks.
    var duration: Int64
    /// The end of the frame, from the start of the export.
    var end: Time
  }

  /// The places of one frame, which are several where it is repeated.
  struct Places {
    /// Nil for the one place that there is.
    fileprivate var grid: (clock: FrameTimestamps, numbers: Range<Int64>)?
    fileprivate var next: Place?
    /// The same frame once more, after that.
    fileprivate var repeated: Place?

    var isEmpty: Bool { next == nil }

    mutating func popFirst() -> Place? {
      defer {
        if let (clock, numbers) = grid {
          let left = numbers.dropFirst()
          grid = (clock, left)
          next = left.first.map(clock.place(number:))
        } else {
          next = repeated
          repeated = nil
        }
      }
      return next
    }
  }

  enum Placement {
    case at(Places)
    /// More frames than wanted, or a time that has passed.
    case leftOut
    case afterEnd
  }

  /// A jump back by more than this is no disorder but a clock that was set back.
  static let maximumDisorder = Time(value: 1, timescale: 1)
  /// The minimum distance of two frames; all containers can distinguish such times.
  static let minimumDistance = Time(value: 1, timescale: 1000)

  private let range: TimeRange
  private let timeBase: TimeBase
  /// The duration of a frame that states none.
  private let usualDuration: Time
  /// The parts of the export, each as long as a frame at the highest rate, and with one frame at most.
  private let parts: TimeBase?
  private var lastPart: Int64?
  /// The duration of a frame where all last alike, as a time base of frame numbers; nil for the source's times.
  private let grid: TimeBase?
  /// True where a frame that is held at the end is encoded twice.
  private let repeatsLast: Bool
  /// The rounding of times to multiples of the frame duration.
  private let rounding: RoundingMethod
  private var nextNumber: Int64 = 0
  private var lastPTS: Int64?
  private var lastStart: Time?
  /// True until the source's clock has come to where it was set back.
  private var isSetBack = false
  private var lastEnd = Time.zero

  /// - Parameters:
  ///   - frameDuration: of all frames alike; nil for the source's times.
  ///   - shortest: the minimum duration of the source's frames; those that come too early are left out.
  init(
    range: TimeRange, timeline: TrackTimeline, timeBase: TimeBase, frameDuration: Time?,
    shortest: Time?
  ) {
    let usual = timeline.format.media.minFrameDuration
    self.init(
      range: range, timeBase: timeBase,
      usualDuration: usual.isNumeric ? usual : Time(value: 1, timescale: 30),
      frameDuration: frameDuration, shortest: shortest,
      repeatsLast: timeline.timing == .exact,
      rounding: timeline.timing == .exact ? .towardPositiveInfinity : .halfAwayFromZero)
  }

  init(
    range: TimeRange, timeBase: TimeBase, usualDuration: Time, frameDuration: Time? = nil,
    shortest: Time? = nil, repeatsLast: Bool = false,
    rounding: RoundingMethod = .halfAwayFromZero
  ) {
    func clock(_ duration: Time?) -> TimeBase? {
      duration.map { TimeBase(Int32(clamping: $0.value), $0.timescale) }
    }
    self.range = range
    self.timeBase = timeBase
    self.usualDuration = usualDuration
    grid = clock(frameDuration)
    self.rounding = rounding
    self.repeatsLast = repeatsLast
    parts = clock(shortest)
  }

  mutating func place(_ frame: FrameTiming) -> Placement {
    guard let start = rising(frame) else { return .leftOut }
    guard start < range.duration else { return .afterEnd }
    if let grid { return place(from: start, frame, on: grid) }
    var partEnd = Time.zero
    if let parts {
      let part = max(.zero, start).ticks(in: parts, rounding: .towardNegativeInfinity)
      if let lastPart, part <= lastPart { return .leftOut }
      lastPart = part
      // Those that are left out were to be seen as this one.
      partEnd = Time(ticks: part + 1, in: parts)
    }
    let end = min(max(following(frame, from: start), partEnd), range.duration)
    var pts = ticks(max(.zero, start))
    if let lastPTS, pts <= lastPTS { pts = lastPTS + 1 }
    lastPTS = pts
    lastStart = start
    lastEnd = max(lastEnd, end)
    let place = Place(pts: pts, duration: max(0, ticks(end) - pts), end: lastEnd)
    return .at(repeatsLast && end == range.duration ? divided(place) : Places(next: place))
  }

  /// Repeats a frame that is held at the end, such as a photo: demuxers that state no duration of samples, as
  /// libavformat's of movies with B-frames, have the last one end after a moment.
  private mutating func divided(_ place: Place) -> Places {
    let split = ticks(place.end - usualDuration)
    guard place.end - Time(ticks: place.pts, in: timeBase) > Time(value: 1, timescale: 1),
      split > place.pts
    else { return Places(next: place) }
    lastPTS = split
    var (held, last) = (place, place)
    held.duration = split - place.pts
    held.end = place.end - usualDuration
    (last.pts, last.duration) = (split, place.duration - held.duration)
    return Places(next: held, repeated: last)
  }

  /// The first time stamp of the frames that begin at a time or later, where a frame begins then.
  ///
  /// - Parameter start: on the source's clock.
  func firstPTS(from start: Time) -> Int64 {
    let start = max(.zero, start - range.start)
    guard let grid else { return ticks(start) }
    return place(number: start.ticks(in: grid, rounding: rounding)).pts
  }

  private func following(_ frame: FrameTiming, from start: Time) -> Time {
    let stated = frame.following.map { $0 - range.start } ?? start + frame.duration
    return stated > start ? stated : start + usualDuration
  }

  private mutating func place(
    from start: Time, _ frame: FrameTiming, on grid: TimeBase
  ) -> Placement {
    func number(_ time: Time) -> Int64 { max(0, time.ticks(in: grid, rounding: rounding)) }
    lastStart = start
    let limit = range.duration.isNumeric ? max(1, number(range.duration)) : .max
    var end = min(number(following(frame, from: start)), limit)
    // A range shorter than a frame has one.
    if nextNumber == 0, end == 0, frame.following == nil || number(range.duration) == 0 { end = 1 }
    let first = max(nextNumber, number(start))
    guard first < end else { return .leftOut }
    let numbers = first..<end
    nextNumber = numbers.upperBound
    return .at(Places(grid: (self, numbers), next: place(number: first)))
  }

  private func place(number: Int64) -> Place {
    let timeBase = grid ?? timeBase
    let (start, end) = (Time(ticks: number, in: timeBase), Time(ticks: number + 1, in: timeBase))
    return Place(pts: ticks(start), duration: ticks(end) - ticks(start), end: end)
  }

  /// The start of a frame, after the one before it; nil for one of a time that has passed.
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
    if lastStart - start > FrameTimestamps.maximumDisorder { isSetBack = true }
    return isSetBack ? nil : lastStart + FrameTimestamps.minimumDistance
  }

  private func ticks(_ time: Time) -> Int64 {
    time.ticks(in: timeBase, rounding: .halfAwayFromZero)
  }
}
