import LibAV
import MediaTime
import SystemIO

/// The elements of a track of several parts, part after part, on the track's clock.
///
/// A part is opened when the previous one has ended. An empty edit has no elements.
final class TimelineStream<Element>: RestartableStream {
  typealias Open =
    (any TrackSource, TrackReading) throws(EngineError) -> any MediaStream<Element>
  /// Converts an element's times to the track's clock.
  typealias Retime = (Element, _ part: ReadingPart, _ isInLastPart: Bool) -> Element

  private let timeline: TrackTimeline
  private var reading: TrackReading
  private var parts: ArraySlice<ReadingPart>
  private let open: Open
  private let retime: Retime
  private var current: (elements: any MediaStream<Element>, part: ReadingPart)?

  init(
    _ timeline: TrackTimeline, _ reading: TrackReading, open: @escaping Open,
    retime: @escaping Retime
  ) {
    (self.timeline, self.reading) = (timeline, reading)
    parts = Self.parts(of: timeline, reading)
    (self.open, self.retime) = (open, retime)
  }

  private static func parts(
    of timeline: TrackTimeline, _ reading: TrackReading
  ) -> ArraySlice<ReadingPart> {
    ReadingPart.parts(of: timeline, reading).filter { !$0.isEmpty }[...]
  }

  func restart(at time: Time) throws(EngineError) {
    reading.range = TimeRange(start: time, end: reading.range.end)
    reading.isRestarted = true
    parts = Self.parts(of: timeline, reading)
    // The part that is open may be the requested one.
    if let (elements, part) = current, let first = parts.first,
      part.part.mapping == first.part.mapping, let restartable = elements.restartable
    {
      parts.removeFirst()
      current = (elements, first)
      return try restartable.restart(at: first.reading.range.start)
    }
    current?.elements.stop()
    current = nil
  }

  deinit { stop() }

  func stop() {
    current?.elements.stop()
    current = nil
    parts = []
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await current?.elements.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { current?.elements.waitBlocking() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Element> {
    guard let (elements, part) = current else {
      guard let next = parts.popFirst(), let source = next.source else { return .end }
      current = (try open(source, next.reading), next)
      return .skipped
    }
    switch try elements.take(demand) {
    case .pending: return .pending
    case .skipped: return .skipped
    case .end:
      current = nil
      return .skipped
    case .element(let element): return .element(retime(element, part, parts.isEmpty))
    }
  }
}

extension TimedFrame {
  /// Returns the frame at the time at which a part of a timeline presents it. The frame ends with
  /// its part: the first frame of a part begins with the part at the earliest, the last one lasts
  /// to its end.
  func retimed(by reading: ReadingPart, isInLastPart: Bool) -> TimedFrame {
    let part = reading.part
    let target = part.mapping.target
    var timing = timing
    timing.start = max(target.start, part.targetTime(timing.start))
    let following = timing.following.map(part.targetTime) ?? target.end
    timing.duration = max(.zero, min(following, target.end) - timing.start)
    timing.following = following < target.end ? following : isInLastPart ? nil : target.end
    var result = self
    result.timing = timing
    return result
  }
}

extension SampleBuffer {
  /// Returns the samples at the times at which a part of a timeline presents them.
  func retimed(by part: TrackTimeline.Part) -> SampleBuffer {
    var buffer = self
    buffer.presentationTime = part.targetTime(presentationTime)
    buffer.decodeTime = decodeTime.map(part.targetTime)
    buffer.duration = part.targetDuration(duration)
    buffer.attachments.trimDurationAtStart = attachments.trimDurationAtStart.map(
      part.targetDuration)
    buffer.attachments.trimDurationAtEnd = attachments.trimDurationAtEnd.map(part.targetDuration)
    return buffer
  }
}
