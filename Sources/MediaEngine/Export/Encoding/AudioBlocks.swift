import LibAV
import SystemIO

/// The audio of a track, decoded and mixed ahead of its encoder.
struct AudioBlocks {
  private let blocks: ReadAhead<DecodedBlocks>

  /// - Parameter source: read nowhere else.
  init(_ source: any AudioStream, interrupt: Interrupt, path: String) {
    let source = Handoff(source)
    blocks = ReadAhead(
      DecodedBlocks(source.value), on: WorkQueue("audio"), priority: .batch, interrupt: interrupt,
      path: path)
  }

  /// Waits until there is something to take.
  func waitBlocking() { blocks.waitBlocking() }

  func take() throws(EngineError) -> ReadAhead<DecodedBlocks>.Taken { try blocks.take() }

  /// The source of the blocks.
  final class DecodedBlocks: ReadAheadSource {
    /// Enough that neither side waits for the other where both are as fast: blocks are of 8,192 or
    /// 16,384 samples.
    private static let count = 8
    private let source: any AudioStream

    init(_ source: any AudioStream) { self.source = source }

    func next() throws(EngineError) -> SampleBuffer? {
      try source.nextBuffer(allocator: HeapAllocator())
    }

    func capacity(for block: SampleBuffer) -> Int { DecodedBlocks.count }
  }
}
