import LibAV
import MediaTime
import SystemIO

/// Frames without gaps: each gap is filled by one black frame, which lasts until the next frame or
/// to the end of the range.
final class GapFilledFrames: RestartableStream {
  private let frames: any MediaStream<TimedFrame>
  private let canvas: Canvas
  private var range: TimeRange
  /// The end of the frames that were returned so far.
  private var end: Time
  /// The frame after a gap.
  private var pending: TimedFrame?
  private var isOver = false

  /// Frames that are closer together can't be distinguished in all containers.
  private static let shortest = Time(value: 1, timescale: 1000)

  init(_ frames: any MediaStream<TimedFrame>, canvas: Canvas, range: TimeRange) {
    self.frames = frames
    self.canvas = canvas
    self.range = range
    end = range.start
  }

  func stop() { frames.stop() }

  var restartable: (any RestartableStream<TimedFrame>)? { frames.restartable == nil ? nil : self }

  func restart(at time: Time) throws(EngineError) {
    try frames.restartable?.restart(at: time)
    range = TimeRange(start: time, end: range.end)
    (end, pending, isOver) = (time, nil, false)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if pending == nil, !isOver { await frames.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if pending == nil, !isOver { frames.waitBlocking() } }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    if isOver { return .end }
    if let frame = pending {
      pending = nil
      return give(frame)
    }
    switch try frames.take() {
    case .pending: return .pending
    case .skipped: return .skipped
    case .element(let frame):
      guard frame.timing.start - end > Self.shortest else { return give(frame) }
      pending = frame
      return .element(try gap(until: frame.timing.start))
    case .end:
      isOver = true
      guard range.end.isNumeric, range.end - end > Self.shortest else { return .end }
      return .element(try gap(until: range.end))
    }
  }

  private func give(_ frame: TimedFrame) -> StreamStep<TimedFrame> {
    let last = frame.timing.start + frame.timing.duration
    if last.isNumeric { end = max(end, last) }
    return .element(frame)
  }

  private func gap(until next: Time) throws(EngineError) -> TimedFrame {
    let format = try TrackFormat(ofNothing: .video, path: "")
    let frame = try mapErrors(.convert) { () throws(LibAVError) in
      Handoff(try Frame.black(width: canvas.width, height: canvas.height))
    }
    let timing = FrameTiming(start: end, duration: next - end, following: next)
    end = next
    return TimedFrame(frame: frame, timing: timing, format: format, isGap: true)
  }
}
