import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  /// `assetWriter/*`.
  func registerAssetWriters(in router: inout Router) {
    serve(AssetWriterCanAdd.self, declared, in: &router)
    serve(AssetWriterCreate.self, declared, in: &router)
    serve(AssetWriterStart.self, declared, in: &router)
    serve(AssetWriterStartSession.self, declared, in: &router)
    serve(AssetWriterEndSession.self, declared, in: &router)
    serve(AssetWriterAppend.self, declared, in: &router)
    serve(AssetWriterAllocate.self, declared, in: &router)
    serve(AssetWriterMarkAsFinished.self, declared, in: &router)
    serve(AssetWriterRequestMediaData.self, declared, in: &router)
    serve(AssetWriterTransfer.self, declared, in: &router)
    serve(AssetWriterFlushSegment.self, declared, in: &router)
    serve(AssetWriterFinish.self, declared, in: &router)
    serve(AssetWriterStatus.self, declared, in: &router)
    serve(AssetWriterCancel.self, declared, in: &router)
  }

  /// Until the writer is there.
  @Sendable private func declared<Request: RequestType>(
    _ request: Request, _ context: RequestContext
  ) async throws -> Request.Result {
    throw EngineError(.operationNotAllowed, "\(Request.method) isn't there yet")
  }
}
