extension AssetReaderOutput {
  /// The remaining samples, one after the other, on the heap.
  ///
  ///     try reader.start()
  ///     for try await buffer in output.sampleBuffers { … }
  ///
  /// A sample is read from the output when the loop requests it, so that another loop can continue after one that was
  /// left. After ``reset(forReadingTimeRanges:)`` a new loop reads the new ranges.
  public nonisolated var sampleBuffers: SampleBuffers { SampleBuffers(output: self) }

  /// The samples of an output; see ``AssetReaderOutput/sampleBuffers``.
  public struct SampleBuffers: AsyncSequence, Sendable {
    let output: AssetReaderOutput

    public func makeAsyncIterator() -> Iterator { Iterator(output: output) }

    public struct Iterator: AsyncIteratorProtocol {
      let output: AssetReaderOutput
      private var isAtEnd = false

      init(output: AssetReaderOutput) { self.output = output }

      /// Returns the next sample; nil at the end.
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
