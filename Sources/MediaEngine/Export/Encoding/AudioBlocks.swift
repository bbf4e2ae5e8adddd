import LibAV
import SystemIO

/// The audio of a track on its way to its encoder: decoded and mixed ahead of it, or as it is appended.
struct AudioBlocks {
  private enum Source {
    case ahead(ReadAhead<DecodedBlocks>)
    case appended(any AudioStream)
  }
  private let source: Source

  /// - Parameter source: what is appended, for which the stage waits.
  init(appended source: any AudioStream) { self.source = .appended(source) }

  /// - Parameter source: read nowhere else.
  init(_ source: any AudioStream, interrupt: Interrupt, path: String) {
    let source = Handoff(source)
    self.source = .ahead(
      ReadAhead(
        DecodedBlocks(source.value), on: WorkQueue("audio"), priority: .batch,
        interrupt: interrupt, path: path))
  }

  /// Waits until there is something to take.
  func waitBlocking() {
    switch source {
    case .ahead(let blocks): blocks.waitBlocking()
    case .appended(let stream): stream.waitBlocking()
    }
  }

  func take() throws(EngineError) -> ReadAhead<DecodedBlocks>.Taken {
    switch source {
    case .ahead(let blocks): return try blocks.take()
    case .appended(let stream):
      guard let buffer = try stream.nextBuffer(allocator: HeapAllocator()) else { return .end }
      return .element(buffer)
    }
  }

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
