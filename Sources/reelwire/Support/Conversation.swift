import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import Synchronization

/// Calls made one after the other, of which each may use the one before it.
final class Conversation: Sendable {
  private struct State {
    var last: JSONValue?
    /// Work that was begun and has not ended.
    var operations: Set<String> = []
  }

  let client: EngineClient
  let catalog: MethodCatalog
  private let state = Mutex(State())

  init(_ client: EngineClient) async throws {
    self.client = client
    catalog = try await MethodCatalog.load(from: client)
  }

  /// The value of `_`.
  var last: JSONValue? { state.withLock { $0.last } }

  /// Makes a value that of `_`, and returns it.
  func keep(_ value: JSONValue) -> JSONValue {
    state.withLock { $0.last = value }
    return value
  }

  var hasWork: Bool { state.withLock { !$0.operations.isEmpty } }

  /// The request that the arguments describe; refuses parameters that the method doesn't have.
  func request(_ words: [String]) throws -> RequestSyntax {
    var request = try RequestSyntax(words, last: last)
    let method = try catalog.require(request.method)
    if request.waits {
      guard method.takesCompletion else {
        throw CommandError.usage(
          "'\(method.name)' starts no work that could be waited for", hint: "Leave --wait out.")
      }
      try request.set(["completion"], .string(WireCompletion.response.rawValue))
    }
    if !method.isNotification { try check(request.params, method.parameters, in: method.name) }
    return request
  }

  /// The engine ignores members that it doesn't know; a person has mistyped them.
  private func check(
    _ params: JSONValue, _ known: [MethodCatalog.Parameter], in place: String
  ) throws {
    guard case .object(let members) = params else { return }
    for member in members {
      guard let parameter = known.first(where: { $0.name == member.key }) else {
        let names = known.map(\.name)
        let list = names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", "))."
        let meant = closest(to: member.key, among: names).map { "Did you mean '\($0)'?" }
        throw CommandError.usage(
          "'\(place)' has no parameter '\(member.key)'", hint: meant ?? list)
      }
      let inner = catalog.members(parameter.schema)
      if !inner.isEmpty { try check(member.value, inner, in: "\(place) \(member.key)") }
    }
  }

  /// Makes a call; the error for a parameter that isn't text describes how to write it.
  func perform(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    do {
      return try await send(method, params)
    } catch let error as RPCError where error.code == ErrorCode.invalidParams.rawValue {
      throw hinted(error, method, params)
    }
  }

  /// Sends a request as if it were typed.
  func send<Request: RequestType>(_ request: Request) async throws -> JSONValue {
    let request = try EncodedRequest(request)
    return try await send(request.method, request.params)
  }

  /// Makes a call; returns null for a notification.
  func send(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    if catalog.method(method)?.isNotification == true {
      try client.notify(method, params)
      return .null
    }
    let result = try await client.call(method, params)
    state.withLock { state in
      state.last = result
      if catalog.method(method)?.takesCompletion == true,
        params["completion"]?.stringValue != WireCompletion.response.rawValue,
        let operation = result["operation"]?.stringValue
      {
        state.operations.insert(operation)
      }
    }
    return result
  }

  /// Adds the syntax of values that aren't text, when that was the mistake.
  private func hinted(_ error: RPCError, _ method: String, _ params: JSONValue) -> any Error {
    var failure = CommandError(error)
    for problem in ErrorObject(error).data?.errors ?? [] {
      let name = String(problem.path.dropFirst())
      guard case .string(let text)? = params[name],
        let parameter = catalog.method(method)?.parameter(name),
        !catalog.takesText(parameter.schema)
      else { continue }
      let isList = catalog.resolved(parameter.schema)["items"] != nil
      failure.hint =
        "'=' is for text. Write \(name):=" + (isList ? "'[\"\(text)\"]'" : text) + " for JSON."
      break
    }
    return failure
  }

  /// Notes the end of work; true when that notification is one.
  @discardableResult
  func note(_ notification: EngineClient.Notification) -> Bool {
    guard catalog.terminals.contains(notification.method),
      let operation = notification.params["operation"]?.stringValue
    else { return false }
    return state.withLock { $0.operations.remove(operation) != nil }
  }
}
