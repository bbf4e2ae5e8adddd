import LibAV
import MediaTime

/// The times of decoded frames: each is shown until the next one, so that it comes one frame late.
struct FrameDurationResolver {
  /// The wanted range; frames of which no part is shown in it are left out.
  var range: TimeRange
  private let format: TrackFormat
  /// From ticks of the source's clock.
  private let time: (Int64) -> Time
  private let duration: (Int64) -> Time
  /// The frame of which isn't known yet how long it is shown.
  private var current: Handoff<Frame>?
  /// The start of a frame that has no time stamp.
  private var lastEnd: Time?
  /// True after the last frame.
  private(set) var isOver = false
  private let deinterlacing: Deinterlacing
  /// Frames around the one that is due, which callers don't change after they have received it; nil
  /// where no picture has fields.
  private var fields: (previous: Handoff<Frame>?, current: Handoff<Frame>?)?
  /// The picture of the second field.
  private var second: TimedFrame?
  private var lastLength = Time.zero

  init(
    _ range: TimeRange, _ format: TrackFormat, _ deinterlacing: Deinterlacing,
    time: @escaping (Int64) -> Time, duration: @escaping (Int64) -> Time
  ) {
    (self.range, self.format, self.time, self.duration) = (range, format, time, duration)
    self.deinterlacing = deinterlacing
    if deinterlacing.isOn, format.media.mayBeInterlaced { fields = (nil, nil) }
  }

  /// The time of the frame that is due, in ticks.
  var due: Int64? { current?.value.pts }

  /// Forgets the frame that is due, because the next one begins elsewhere.
  mutating func restart() {
    (current, lastEnd, isOver, second) = (nil, nil, false, nil)
    if fields != nil { fields = (nil, nil) }
  }

  /// Takes the next frame of a decoder, with its times. The decoder is stopped at the end of the range.
  mutating func take(
    from frames: any MediaStream<Handoff<Frame>>
  ) throws(EngineError) -> StreamStep<TimedFrame> {
    if let second = second.take() { return .element(second) }
    guard !isOver else { return .end }
    let step: StreamStep<TimedFrame>
    switch try frames.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let following): step = try next(following)
    case .end:
      isOver = true
      return try next(nil)
    }
    if case .end = step {
      frames.stop()
      isOver = true
    }
    return step
  }

  /// Returns the frame that is due, now that the next one, which is due then, is known; `end` where
  /// it begins after the range.
  ///
  /// - Parameter following: nil at the end.
  private mutating func next(
    _ following: Handoff<Frame>?
  ) throws(EngineError) -> StreamStep<TimedFrame> {
    let neighbours = try moveFields(to: following)
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
    let timing = FrameTiming(start: start, duration: length, following: next)
    if let neighbours { return pictures(of: neighbours, frame, timing) }
    guard isShown(timing) else { return .skipped }
    return .element(TimedFrame(frame: frame, timing: timing, format: format))
  }

  private func isShown(_ timing: FrameTiming) -> Bool {
    timing.start >= range.start || timing.start + timing.duration > range.start
      || (timing.following == nil && timing.duration == .zero)
  }

  /// Returns the frames around the one that is due; nil where there is none, and where no picture
  /// has fields.
  private mutating func moveFields(
    to following: Handoff<Frame>?
  ) throws(EngineError) -> FieldNeighbours? {
    guard let fields else { return nil }
    var next: Handoff<Frame>?
    if let following {
      // The caller that receives the frame itself may clear it.
      next = try mapErrors(.decode, path: format.path) { () throws(LibAVError) in
        Handoff(try following.value.reference())
      }
    }
    self.fields = (fields.current, next)
    return fields.current.map {
      FieldNeighbours(previous: fields.previous, current: $0, next: next)
    }
  }

  /// Returns the picture that is made of a frame of two fields, or both; the frame itself where it
  /// is progressive.
  private mutating func pictures(
    of neighbours: FieldNeighbours, _ frame: Handoff<Frame>, _ timing: FrameTiming
  ) -> StreamStep<TimedFrame> {
    let order = neighbours.order(format.media)
    let length = timing.duration > .zero ? timing.duration : lastLength
    lastLength = length
    guard order != .progressive else {
      guard isShown(timing) else { return .skipped }
      return .element(TimedFrame(frame: frame, timing: timing, format: format))
    }
    let fieldLength = length.half
    guard deinterlacing == .field, fieldLength > .zero else {
      guard isShown(timing) else { return .skipped }
      return .element(picture(neighbours, FieldInterpolation(order: order), timing))
    }
    let middle = timing.start + fieldLength
    let first = FrameTiming(start: timing.start, duration: fieldLength, following: middle)
    let other = FrameTiming(start: middle, duration: fieldLength, following: timing.following)
    if isShown(other), !range.duration.isNumeric || middle < range.end {
      second = picture(neighbours, FieldInterpolation(order: order, isSecond: true), other)
    }
    guard isShown(first) else { return .skipped }
    return .element(picture(neighbours, FieldInterpolation(order: order), first))
  }

  private func picture(
    _ neighbours: FieldNeighbours, _ interpolation: FieldInterpolation, _ timing: FrameTiming
  ) -> TimedFrame {
    TimedFrame(DeinterlacedFrame(neighbours, interpolation), timing: timing, format: format)
  }
}
