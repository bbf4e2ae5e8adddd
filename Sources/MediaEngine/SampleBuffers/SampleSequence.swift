import SystemIO

/// A track's samples one after the other, in one form. Used on the output's queue only.
protocol SampleSequence: AnyObject {
  /// Suspends until what is decoded elsewhere is there, or the interrupt is triggered. The caller holds
  /// no place of the ``WorkLimiter``.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError)
  /// The next samples, one to `count`, in a slot of the ``WorkLimiter`` and without waiting for
  /// another's work.
  func next(upTo count: Int, allocator: any BlockAllocator) throws(EngineError) -> SampleStep
}

/// What a sequence had to give.
enum SampleStep {
  case samples([SampleBuffer])
  /// It has to be prepared again first.
  case needsInput
  /// The end of the range.
  case end
}

extension SampleSequence {
  // What decodes nothing has nothing to wait for.
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {}
}

/// Decoded audio on a grid of samples, in blocks.
protocol AudioStream: SampleSequence {
  /// The next block; nil at the end of the range.
  func nextBuffer(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer?
  /// True once it has ended because the track does, and not the range.
  var isAtTrackEnd: Bool { get }
  /// Blocks a thread until there is a block, or the end. The caller holds no slot of the ``WorkLimiter``.
  func waitBlocking()
}

extension AudioStream {
  // What has no track knows no end but its own.
  var isAtTrackEnd: Bool { true }

  // What decodes on its caller's thread has nothing to wait for.
  func waitBlocking() {}

  func next(upTo count: Int, allocator: any BlockAllocator) throws(EngineError) -> SampleStep {
    guard let buffer = try nextBuffer(allocator: allocator) else { return .end }
    return .samples([buffer])
  }
}
