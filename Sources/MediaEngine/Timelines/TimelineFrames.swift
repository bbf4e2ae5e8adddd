import LibAV
import MediaTime
import SystemIO

/// The frames of a track of several parts, on the track's clock.
///
/// A part is opened when the one before it has ended. What a frame shows ends with its part: the first
/// one of a part begins with it at the earliest, the last one lasts to its end. An empty edit has no frames.
final class TimelineFrames: FrameStream {
  private var parts: ArraySlice<ReadingPart>
  private let priority: WorkLimiter.Priority
  private var current: (frames: any FrameStream, part: ReadingPart)?

  init(_ timeline: TrackTimeline, _ reading: TrackReading, priority: WorkLimiter.Priority) {
    parts = ReadingPart.parts(of: timeline, reading).filter { $0.source != nil }[...]
    self.priority = priority
  }

  deinit { stop() }

  func stop() {
    current?.frames.stop()
    current = nil
    parts = []
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation) async {
    await current?.frames.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { current?.frames.waitBlocking() }

  func take() throws(EngineError) -> FrameStep {
    guard let (frames, part) = current else {
      guard let next = parts.popFirst(), let source = next.source else { return .end }
      current = (try source.frames(next.reading, priority: priority), next)
      return .passed
    }
    switch try frames.take() {
    case .pending: return .pending
    case .passed: return .passed
    case .end:
      current = nil
      return .passed
    case .frame(let frame): return .frame(retimed(frame, part))
    }
  }

  /// A frame on the track's clock.
  private func retimed(_ frame: TimedFrame, _ reading: ReadingPart) -> TimedFrame {
    let part = reading.part
    let target = part.mapping.target
    var timing = frame.timing
    timing.start = max(target.start, part.targetTime(timing.start))
    let following = timing.following.map(part.targetTime) ?? target.end
    timing.duration = max(.zero, min(following, target.end) - timing.start)
    timing.following = following < target.end ? following : parts.isEmpty ? nil : target.end
    var result = frame
    result.timing = timing
    return result
  }
}
