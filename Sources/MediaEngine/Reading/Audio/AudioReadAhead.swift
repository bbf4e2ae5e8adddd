import LibAV
import SystemIO

/// Audio that is decoded and mixed ahead of its encoder.
final class AudioReadAhead: ReadAheadSource {
  /// Enough that neither side waits for the other where both are as fast: blocks are of 8,192 or
  /// 16,384 samples.
  private static let count = 8
  private let source: any MediaStream<SampleBuffer>

  private init(_ source: any MediaStream<SampleBuffer>) { self.source = source }

  /// - Parameter source: not taken from elsewhere.
  static func reading(
    _ source: any MediaStream<SampleBuffer>, interrupt: Interrupt, path: String
  ) -> any MediaStream<SampleBuffer> {
    let source = Handoff(source)
    return ReadAhead(
      AudioReadAhead(source.value), on: WorkQueue("audio"), priority: .batch,
      interrupt: interrupt, path: path)
  }

  func next() throws(EngineError) -> StreamStep<SampleBuffer> { try source.take() }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await source.wait(interrupt: interrupt, isolation: isolation)
  }

  func capacity(for block: SampleBuffer) -> Int { Self.count }
}
