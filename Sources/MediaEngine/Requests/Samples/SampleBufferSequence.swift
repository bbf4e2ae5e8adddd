extension AssetReaderOutput {
  /// The samples that are still to be read, one after the other, on the heap.
  ///
  ///     try reader.start()
  ///     for try await buffer in output.sampleBuffers { … }
  ///
  /// A sample is taken from the output when it is iterated to, so that a loop that was left can be gone on
  /// with by another. After ``reset(forReadingTimeRanges:)`` a new loop reads the new ranges.
  public nonisolated var sampleBuffers: SampleBuffers { SampleBuffers(output: self) }

  /// The samples of an output; see ``AssetReaderOutput/sampleBuffers``.
  public struct SampleBuffers: AsyncSequence, Sendable {
    let output: AssetReaderOutput

    public func makeAsyncIterator() -> Iterator { Iterator(output: output) }

    public struct Iterator: AsyncIteratorProtocol {
      let output: AssetReaderOutput
      private var isAtEnd = false

      init(output: AssetReaderOutput) { self.output = output }

      /// The next sample; nil at the end.
      ///
      /// - Throws: as ``AssetReaderOutput/nextSampleBuffers(maxCount:maxBytes:destination:appendingTo:configuration:)``.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(EngineError) -> SampleBuffer? {
        if isAtEnd { return nil }
        let (buffers, isAtEnd) = try await output.nextSampleBuffers(maxCount: 1)
        self.isAtEnd = isAtEnd
        return buffers.first
      }
    }
  }
}
