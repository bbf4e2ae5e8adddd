import JSONRPC

/// A request that was read, and how it is answered.
struct IncomingCall: Sendable {
  var id: RequestID
  var method: String
  var params: JSONValue
  var context: ClientContext
  var sink: AnswerSink
  /// The bytes that it was read from.
  var size: Int

  /// The methods that need the tools, or none of the engine.
  private enum Method {
    static let listTools = "tools/list"
    static let callTool = "tools/call"
    static let listResources = "resources/list"
    static let listTemplates = "resources/templates/list"
    static let readResource = "resources/read"
    static let getTask = "tasks/get"
    static let updateTask = "tasks/update"
    static let cancelTask = "tasks/cancel"

    static let known = [
      listTools, callTool, listResources, listTemplates, readResource, getTask, updateTask,
      cancelTask,
    ]
  }

  /// The result where nothing has to be waited for; nil for a request that runs in a task.
  ///
  /// - Throws: the error of a request that is wrong itself.
  func immediateAnswer(_ tools: ToolBox) throws(RPCError) -> JSONValue? {
    switch method {
    case Method.listTools:
      try refuseCursor()
      return Lists.result("tools", tools.list(context.revision), context.revision)
    case Method.listResources:
      try refuseCursor()
      return Lists.result("resources", [], context.revision)
    case Method.listTemplates:
      try refuseCursor()
      return Lists.result("resourceTemplates", ResourceTemplates.list, context.revision)
    case Method.callTool:
      _ = try toolCall(tools)
      return nil
    case Method.readResource:
      guard case .string? = params["uri"] else { throw .malformed("uri has to be a string") }
      return nil
    case Method.getTask, Method.updateTask, Method.cancelTask:
      try requireTasks()
      return try tools.jobs.answer(method == Method.getTask, method == Method.cancelTask, params)
    default:
      throw .unknownMethod(method)
    }
  }

  /// Lists have one page.
  private func refuseCursor() throws(RPCError) {
    if case .string(let cursor)? = params["cursor"] {
      throw .malformed("'\(cursor)' is no cursor of this server: its lists have one page")
    }
  }

  private func requireTasks() throws(RPCError) {
    guard context.revision.isStateless else { throw .unknownMethod(method) }
    guard context.hasTasks else {
      throw RPCError(
        code: -32021, message: "The client hasn't declared the tasks extension",
        data: [
          "requiredCapabilities": .object([
            .init(
              key: "extensions",
              value: .object([.init(key: ClientContext.tasksExtension, value: .object([]))]))
          ])
        ])
    }
  }

  private func toolCall(_ tools: ToolBox) throws(RPCError) -> (Tool, JSONValue) {
    guard case .string(let name)? = params["name"] else {
      throw .malformed("name has to be a string")
    }
    guard let tool = tools.tool(name) else {
      let known = tools.tools.map(\.name)
      throw .malformed("there is no tool '\(name)': there are \(known.joined(separator: ", "))")
    }
    switch params["arguments"] {
    case nil, .null: return (tool, .object([]))
    case .object?: return (tool, params["arguments"] ?? .object([]))
    default: throw .malformed("arguments has to be an object")
    }
  }

  /// The answer, in time.
  func answer(_ server: MCPServer) async -> JSONValue {
    do {
      let result = try await result(server)
      return Outgoing.result(result, id: id, context, server.identity)
    } catch {
      let failure = (error as? RPCError) ?? .internalError("\(error)")
      return Outgoing.failure(failure, id: id)
    }
  }

  private func result(_ server: MCPServer) async throws -> JSONValue {
    if method == Method.readResource {
      let contents = try await server.tools.read(params["uri"]?.stringValue ?? "", context)
      var members = [JSONValue.Member(key: "contents", value: contents)]
      if context.revision.isStateless {
        members += [
          .init(key: "ttlMs", value: 0), .init(key: "cacheScope", value: "private"),
        ]
      }
      return .object(members)
    }
    let (tool, arguments) = try toolCall(server.tools)
    var reporter: ProgressReporter?
    if let token = context.progressToken {
      reporter = ProgressReporter(
        clock: server.options.clock, interval: server.options.progressInterval
      ) { [weak server] part, message in
        server?.post(Outgoing.progress(part, message: message, token: token))
      }
    }
    let output = await server.tools.call(tool, arguments, context, reporter)
    return output.json(context.revision)
  }
}
