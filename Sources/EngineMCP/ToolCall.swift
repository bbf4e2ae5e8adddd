import JSONRPC
import MediaTime
import SystemIO

/// One call of a tool.
struct ToolCall: Sendable {
  var arguments: Arguments
  var engine: EngineSession
  var paths: PathRules
  var jobs: JobTable
  var clock: MCPClock
  var folder: TemporaryFolder
  /// Receives the progress of the work, from 0 to 1.
  var report: @Sendable (Double) -> Void
}

/// The tools, and how they are called.
final class ToolBox: Sendable {
  let tools: [Tool]
  let jobs: JobTable
  private let engine: EngineSession
  private let paths: PathRules
  private let clock: MCPClock
  private let folder: TemporaryFolder

  init(engine: EngineSession, paths: PathRules, options: MCPServer.Options) {
    self.engine = engine
    self.paths = paths
    clock = options.clock
    folder = options.folder
    jobs = JobTable(clock: options.clock)
    tools = ToolCatalog.all.filter { !options.isReadOnly || $0.effect != .newFile }
  }

  func tool(_ name: String) -> Tool? { tools.first { $0.name == name } }

  func list(_ revision: ProtocolRevision) -> [JSONValue] { tools.map { $0.json(revision) } }

  /// Calls a tool; its failure is a result.
  func call(
    _ tool: Tool, _ values: JSONValue, _ context: ClientContext, _ reporter: ProgressReporter?
  ) async -> ToolOutput {
    defer { reporter?.end() }
    do {
      let arguments = try Arguments(values, tool.input)
      guard tool.isLong(arguments) else {
        return try await tool.run(call(arguments) { reporter?.report($0) })
      }
      return try await callLong(tool, arguments, context, reporter)
    } catch {
      return ToolOutput(ToolFailure(error))
    }
  }

  private func call(
    _ arguments: Arguments, _ report: @escaping @Sendable (Double) -> Void
  ) -> ToolCall {
    ToolCall(
      arguments: arguments, engine: engine, paths: paths, jobs: jobs, clock: clock, folder: folder,
      report: report)
  }

  /// Waits for the end of the work for as long as the client does, and leaves it to a job from then on.
  private func callLong(
    _ tool: Tool, _ arguments: Arguments, _ context: ClientContext, _ reporter: ProgressReporter?
  ) async throws -> ToolOutput {
    let wait = try arguments.seconds("wait_seconds", in: JobTable.waits, default: 45)
    let job = try jobs.start(tool.name) { job in
      try await tool.run(self.call(arguments) { job.note($0) })
    }
    if context.hasTasks { return ToolOutput(task: job.creation(at: clock.date())) }
    return await withTaskCancellationHandler {
      let hasEnded = await job.ended(within: wait) { reporter?.report($0) }
      return hasEnded ? jobs.take(job) : job.state
    } onCancel: {
      job.cancel()
    }
  }

  /// The contents of a resource.
  func read(_ uri: String, _ context: ClientContext) async throws -> JSONValue {
    do {
      let resource = try ResourceTemplates.parse(uri)
      let arguments = try Arguments(resource.arguments, resource.tool.input)
      let output = try await resource.tool.run(call(arguments) { _ in })
      return try ResourceTemplates.contents(of: output, uri)
    } catch {
      let failure = ToolFailure(error)
      try Task.checkCancellation()
      // Resource not found: the code of the older revisions must not be used in the newest.
      throw RPCError(
        code: context.revision.isStateless ? -32602 : -32002, message: failure.message,
        data: [
          "uri": .string(uri), "hint": .string(failure.hint ?? ""),
        ])
    }
  }
}
