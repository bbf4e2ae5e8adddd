import EngineClient
import EngineProtocol
import JSONRPC

extension EngineClient {
  /// Does an analysis, and shows how far it is.
  func analyze<Request: EngineRequest, End: Sendable>(
    _ request: Request, _ console: Console
  ) async throws -> End where Request.Result == OperationReply<End> {
    let steps = notifications(of: AnalysisDidProgress.self)
    let watching = Task {
      var progress = Progress(console)
      for await step in steps { progress.show(step.progress) }
      progress.clear()
    }
    let result = await Result { try await finish(request) }
    watching.cancel()
    await watching.value
    return try result.get()
  }
}
