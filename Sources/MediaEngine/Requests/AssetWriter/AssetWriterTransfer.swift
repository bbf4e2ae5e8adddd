public import MediaTime
import Synchronization

extension AssetWriter {
  /// An output of a reader, and the input for its samples.
  public struct TransferPair: Sendable {
    public var output: AssetReaderOutput
    public var input: AssetWriterInput
    /// The offset that is added to the samples' times.
    public var timeOffset = Time.zero
    /// The time at which to stop, on the output's clock; nil for the end of the output.
    public var until: Time?
    /// True to finish the input at the end of the output.
    public var marksAsFinished = true

    public init(output: AssetReaderOutput, input: AssetWriterInput) {
      (self.output, self.input) = (output, input)
    }
  }

  /// The samples that were moved into an input.
  public struct Transferred: Sendable {
    public var sampleBuffers = 0
    /// The presentation time of the last one, on the input's clock.
    public var lastTime: Time?
    /// True where the output was read to its end.
    public var endOfStream = false
  }

  /// Moves samples from outputs into inputs, all pairs together, until their ends.
  ///
  /// Cancelling the task stops the transfer at its place: samples that were read are appended, and the rest can still
  /// be read.
  ///
  /// - Parameter onProgress: called with the time up to which samples of all pairs were moved.
  /// - Returns: the moved samples, in the order of the pairs, and the error that has stopped the transfer early.
  public func transfer(
    _ pairs: [TransferPair], onProgress: @escaping @Sendable (Time) -> Void = { _ in }
  ) async -> (transferred: [Transferred], error: EngineError?) {
    let progress = TransferProgress(pairs.count, onProgress)
    let error = await withTaskGroup(of: EngineError?.self) { group in
      for (index, pair) in pairs.enumerated() {
        group.addTask {
          do throws(EngineError) {
            try await pair.run { progress.advance(index, $0) }
            return nil
          } catch {
            return error
          }
        }
      }
      var first: EngineError?
      for await error in group {
        guard let error else { continue }
        // A failure of one pair ends the others.
        if first == nil || first?.isCancellation == true { first = error }
        group.cancelAll()
      }
      return first
    }
    return (progress.transferred, error)
  }
}

/// The progress of the pairs of a transfer.
private final class TransferProgress: Sendable {
  private let pairs: Mutex<[AssetWriter.Transferred]>
  private let report: @Sendable (Time) -> Void

  init(_ count: Int, _ report: @escaping @Sendable (Time) -> Void) {
    pairs = Mutex(Array(repeating: AssetWriter.Transferred(), count: count))
    self.report = report
  }

  var transferred: [AssetWriter.Transferred] { pairs.withLock(\.self) }

  func advance(_ index: Int, _ change: (inout AssetWriter.Transferred) -> Void) {
    let reached = pairs.withLock { pairs -> Time? in
      change(&pairs[index])
      let times = pairs.filter { !$0.endOfStream }.map(\.lastTime)
      return times.contains(nil) ? nil : times.compactMap(\.self).min()
    }
    if let reached { report(reached) }
  }
}

extension AssetWriter.TransferPair {
  /// The maxima of one read: a large one needs memory, and a small one many turns.
  private static let maximumCount = 256
  private static let maximumBytes = 4 << 20

  fileprivate func run(
    _ advance: @Sendable ((inout AssetWriter.Transferred) -> Void) -> Void
  ) async throws(EngineError) {
    while true {
      if Task.isCancelled { throw .cancelled("The transfer") }
      guard let (buffers, isAtEnd) = try await pull() else { return }
      try await append(buffers, advance)
      guard isAtEnd else { continue }
      advance { $0.endOfStream = true }
      if marksAsFinished { try input.markAsFinished() }
      return
    }
  }

  /// Returns the next samples; nil where ``until`` is reached.
  private func pull() async throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool)? {
    var count = Self.maximumCount
    while true {
      let limit = Mutex<Int?>(nil)
      do throws(EngineError) {
        return try await output.nextSampleBuffers(
          maxCount: count, maxBytes: Self.maximumBytes
        ) { [until] (buffers, isAtEnd, _) throws(EngineError) in
          if let until, let end = buffers.firstIndex(where: { $0.presentationTime >= until }) {
            limit.withLock { $0 = end }
            // Samples that were read too far are returned to the output.
            throw .cancelled("Reading")
          }
          return (buffers, isAtEnd)
        }
      } catch {
        guard let fitting = limit.withLock(\.self) else { throw error }
        guard fitting > 0 else { return nil }
        count = fitting
      }
    }
  }

  private func append(
    _ buffers: [SampleBuffer],
    _ advance: @Sendable ((inout AssetWriter.Transferred) -> Void) -> Void
  ) async throws(EngineError) {
    let moved = buffers.map { buffer in
      var moved = buffer
      moved.presentationTime = buffer.presentationTime + timeOffset
      moved.decodeTime = buffer.decodeTime.map { $0 + timeOffset }
      return moved
    }
    var rest = moved[...]
    while !rest.isEmpty {
      let taken = Mutex(0)
      do throws(EngineError) {
        try await input.append(Array(rest)) { _ in taken.withLock { $0 += 1 } }
        rest = rest.dropFirst(taken.withLock(\.self))
      } catch {
        rest = rest.dropFirst(taken.withLock(\.self))
        guard error.isCancellation, Task.isCancelled else { throw error }
        // Samples that were read aren't lost.
        try input.appendInAnyCase(Array(rest))
        rest = []
      }
    }
    guard let last = moved.last else { return }
    advance { transferred in
      transferred.sampleBuffers += moved.count
      transferred.lastTime = last.presentationTime
    }
  }
}
