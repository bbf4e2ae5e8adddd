import EngineClient
import EngineProtocol
import JSONRPC

extension EngineClient {
  /// Does work, and shows its progress.
  ///
  /// - Parameter show: shows one report of it.
  func finish<Request: EngineRequest, End: Sendable, Step: NotificationType>(
    _ request: Request, showing progress: Progress,
    _ show: @escaping @Sendable (inout Progress, Step) -> Void
  ) async throws -> End where Request.Result == OperationReply<End> {
    let steps = notifications(of: Step.self)
    let watching = Task {
      var progress = progress
      for await step in steps { show(&progress, step) }
      progress.clear()
    }
    let result = await Result { try await finish(request) }
    watching.cancel()
    await watching.value
    return try result.get()
  }

  /// Does an analysis, and shows its progress.
  func analyze<Request: EngineRequest, End: Sendable>(
    _ request: Request, _ console: Console
  ) async throws -> End where Request.Result == OperationReply<End> {
    try await finish(request, showing: Progress(console)) {
      (progress: inout Progress, step: AnalysisDidProgress) in
      progress.show(step.progress)
    }
  }
}
