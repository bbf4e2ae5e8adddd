import LibAV
import MediaTime

/// The times of decoded frames: each is shown until the next one, so that it comes one frame late.
struct FrameTimer {
  /// What is wanted; frames of which no part is shown in it are left out.
  var range: TimeRange
  private let format: TrackFormat
  /// From ticks of the source's clock.
  private let time: (Int64) -> Time
  private let duration: (Int64) -> Time
  /// The frame of which isn't known yet how long it is shown.
  private var current: Handoff<Frame>?
  /// Where a frame begins that has no time stamp.
  private var lastEnd: Time?
  /// True after the last frame.
  private(set) var isOver = false

  init(
    _ range: TimeRange, _ format: TrackFormat, time: @escaping (Int64) -> Time,
    duration: @escaping (Int64) -> Time
  ) {
    (self.range, self.format, self.time, self.duration) = (range, format, time, duration)
  }

  /// The time of the frame that is due, in ticks.
  var due: Int64? { current?.value.pts }

  /// Forgets the frame that is due, for what comes next begins elsewhere.
  mutating func restart() { (current, lastEnd, isOver) = (nil, nil, false) }

  /// Takes the next frame of a decoder, with its times. The decoder is stopped at the end of the range.
  mutating func take(
    from frames: any MediaStream<Handoff<Frame>>
  ) throws(EngineError) -> StreamStep<TimedFrame> {
    guard !isOver else { return .end }
    let step: StreamStep<TimedFrame>
    switch try frames.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let following): step = next(following)
    case .end:
      isOver = true
      return next(nil)
    }
    if case .end = step {
      frames.stop()
      isOver = true
    }
    return step
  }

  /// The frame that is due, now that the one after it is known, which is due then; `end` where it begins after the
  /// range.
  ///
  /// - Parameter following: nil at the end.
  private mutating func next(_ following: Handoff<Frame>?) -> StreamStep<TimedFrame> {
    guard let frame = current else {
      current = following
      return .skipped
    }
    current = following
    let start = frame.value.pts.map(time) ?? lastEnd ?? time(0)
    let next = following?.value.pts.map(time)
    let length = next.map { max(.zero, $0 - start) } ?? duration(frame.value.duration)
    lastEnd = start + length
    if range.duration.isNumeric && start >= range.end {
      current = nil
      return .end
    }
    let isShown =
      start >= range.start || start + length > range.start || (next == nil && length == .zero)
    guard isShown else { return .skipped }
    return .element(
      TimedFrame(
        frame: frame, timing: FrameTiming(start: start, duration: length, following: next),
        format: format))
  }
}
