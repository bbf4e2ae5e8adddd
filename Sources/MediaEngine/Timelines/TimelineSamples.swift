import LibAV
import MediaTime
import SystemIO

/// The samples of a track of several parts in a form that each part gives by itself, on the track's clock.
final class TimelineSamples: SampleSequence {
  typealias Open = (any TrackSource, TrackReading) throws(EngineError) -> any SampleSequence

  private var parts: ArraySlice<ReadingPart>
  private let open: Open
  private var current: (samples: any SampleSequence, part: TrackTimeline.Part)?

  init(_ timeline: TrackTimeline, _ reading: TrackReading, _ open: @escaping Open) {
    parts = ReadingPart.parts(of: timeline, reading).filter { $0.source != nil }[...]
    self.open = open
  }

  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {
    try await current?.samples.prepare(interrupt: interrupt, isolation: isolation)
  }

  func next(upTo count: Int, allocator: any BlockAllocator) throws(EngineError) -> SampleStep {
    guard let (samples, part) = current else {
      guard let next = parts.popFirst(), let source = next.source else { return .end }
      current = (try open(source, next.reading), next.part)
      return .needsInput
    }
    switch try samples.next(upTo: count, allocator: allocator) {
    case .needsInput: return .needsInput
    case .end:
      current = nil
      return .needsInput
    case .samples(let made):
      return .samples(made.map { $0.retimed(by: part) })
    }
  }
}

extension SampleBuffer {
  /// The same samples at the times at which a part of a timeline shows them.
  fileprivate func retimed(by part: TrackTimeline.Part) -> SampleBuffer {
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
