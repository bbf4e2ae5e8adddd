import LibAV
import MediaTime
import SystemIO

/// A source of pictures that shows one frame of another source throughout: the one that is shown there
/// at a time.
final class FreezeFrameSource: DerivedSource {
  let base: any TrackSource
  private let time: Time

  init(_ base: any TrackSource, at time: Time) { (self.base, self.time) = (base, time) }

  /// The range that its parts show: any duration is the same frame.
  static let timeRange = TimeRange(start: .zero, duration: Time(value: 1, timescale: 1))

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange { Self.timeRange }

  func damage(before end: Time) -> EngineError? { base.damage(before: time) }

  func makeErrors(range: TimeRange) -> DecodeErrors? { base.makeErrors(range: ownRange) }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    var own = reading
    own.range = ownRange
    return FreezeFrame(try base.frames(own, priority: priority), over: reading.range, at: time)
  }

  private var ownRange: TimeRange {
    TimeRange(start: time, duration: Time(value: 1, timescale: .max))
  }
}

/// The frame that is shown at a time of a stream, for a range.
private final class FreezeFrame: RestartableStream {
  private let frames: any MediaStream<TimedFrame>
  private let time: Time
  private var range: TimeRange
  private var found: TimedFrame?
  private var isGiven = false

  init(_ frames: any MediaStream<TimedFrame>, over range: TimeRange, at time: Time) {
    (self.frames, self.range, self.time) = (frames, range, time)
  }

  deinit { frames.stop() }

  func stop() { frames.stop() }

  func restart(at time: Time) {
    range = TimeRange(start: time, end: max(time, range.end))
    isGiven = false
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await frames.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { frames.waitBlocking() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    if isGiven { return .end }
    if found == nil {
      switch try frames.take(demand) {
      case .pending: return .pending
      case .skipped: return .skipped
      case .end: return .end
      case .element(let frame): found = frame
      }
      frames.stop()
    }
    isGiven = true
    guard let frame = try copy() else { return .end }
    return .element(frame)
  }

  /// Returns the frame by another reference: its taker may clear it.
  private func copy() throws(EngineError) -> TimedFrame? {
    guard let found else { return nil }
    let frame = try found.frame()
    let copy = try mapErrors(.decode, path: found.format.path) { () throws(LibAVError) in
      Handoff(try frame.value.reference())
    }
    let timing = FrameTiming(start: range.start, duration: range.duration, following: nil)
    return TimedFrame(frame: copy, timing: timing, format: found.format)
  }
}
