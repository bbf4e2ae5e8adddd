import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization

extension Engine {
  @Sendable func finishWriting(
    _ request: AssetWriterFinish, _ context: RequestContext
  ) async throws -> AssetWriterFinish.Result {
    let writer = try handles.find(request.assetWriter)
    try await mapErrors(request.assetWriter) { () throws(EngineError) in
      try writer.beginFinishing()
    }
    return try await perform(AssetWriterFinish.self, request.completion, context) { operation in
      do throws(EngineError) {
        let summary = try await writer.finished()
        return AssetWriterDidFinish(
          operation: operation.handle, assetWriter: request.assetWriter, status: .completed,
          outputURL: summary.path, fileSize: summary.fileSize,
          duration: WireTime(summary.duration),
          dropped: WireDropped.list(summary.dropped))
      } catch {
        return AssetWriterDidFinish(
          operation: operation.handle, assetWriter: request.assetWriter,
          status: error.isCancellation ? .cancelled : .failed,
          error: ErrorObject(error).about(request.assetWriter))
      }
    }
  }

  @Sendable func transfer(
    _ request: AssetWriterTransfer, _ context: RequestContext
  ) async throws -> AssetWriterTransfer.Result {
    let writer = try handles.find(request.assetWriter)
    try requireSome(request.pairs, "pairs")
    let pairs = try transferPairs(request, writer)
    let interval = Duration.seconds(max(0, request.progressInterval ?? 0.1))
    let last = Mutex<ContinuousClock.Instant?>(nil)
    return try await perform(
      AssetWriterTransfer.self, request.completion, context, owner: request.assetWriter.rawValue
    ) { operation in
      let (transferred, error) = await writer.transfer(pairs) { time in
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
          guard interval > .zero, last.map({ now - $0 >= interval }) ?? true else { return false }
          last = now
          return true
        }
        guard isDue else { return }
        operation.post(
          AssetWriterDidProgress(
            operation: operation.handle, assetWriter: request.assetWriter, time: WireTime(time)))
      }
      return AssetWriterDidTransfer(
        operation: operation.handle, assetWriter: request.assetWriter,
        result: error.map { $0.isCancellation ? .cancelled : .failed } ?? .succeeded,
        transferred: zip(request.pairs, transferred).map { pair, moved in
          WireTransferred(
            input: pair.input, sampleBuffers: moved.sampleBuffers,
            lastTime: moved.lastTime.map(WireTime.init), endOfStream: moved.endOfStream)
        }, error: error.map { ErrorObject($0).about(request.assetWriter) })
    }
  }

  private func transferPairs(
    _ request: AssetWriterTransfer, _ writer: AssetWriter
  ) throws -> [AssetWriter.TransferPair] {
    func requireDistinct(_ handles: [String], _ name: String) throws(RPCError) {
      guard Set(handles).count == handles.count else {
        throw .invalidParams(path: "/pairs", expected: "each \(name) once", got: "one twice")
      }
    }
    try requireDistinct(request.pairs.map(\.output.rawValue), "output")
    try requireDistinct(request.pairs.map(\.input.rawValue), "input")
    return try request.pairs.enumerated().map { index, wire in
      let found = try handles.find(wire.input)
      guard found.writer == request.assetWriter else {
        throw RPCError.invalidParams(
          path: "/pairs/\(index)/input", expected: "an input of \(request.assetWriter.rawValue)",
          got: wire.input.rawValue)
      }
      var pair = AssetWriter.TransferPair(
        output: try handles.find(wire.output).output, input: found.input)
      pair.timeOffset = wire.timeOffset?.time ?? .zero
      pair.until = wire.until?.time
      pair.marksAsFinished = wire.marksAsFinished ?? true
      return pair
    }
  }
}

extension AssetWriterDidFinish: TerminalNotification {
  var wasCancelled: Bool { status == .cancelled }
}

extension AssetWriterDidTransfer: TerminalNotification {
  // The answer has the moved samples, and is sent in any case.
  var wasCancelled: Bool { false }
}
