import JSONRPC
import Synchronization

/// The destination of the answers to one message: the client, or the array that answers a batch.
final class AnswerSink: Sendable {
  private struct State {
    var expected: Int
    var answers: [JSONValue] = []
  }

  private let state: Mutex<State>
  let isBatch: Bool
  private let post: @Sendable (JSONValue) -> Void

  init(expecting count: Int, isBatch: Bool, post: @escaping @Sendable (JSONValue) -> Void) {
    state = Mutex(State(expected: count))
    self.isBatch = isBatch
    self.post = post
  }

  /// Adds the answer to one request; nil for a cancelled one, which has none.
  func take(_ answer: JSONValue?) {
    guard isBatch else {
      if let answer { post(answer) }
      return
    }
    let all = state.withLock { state -> [JSONValue] in
      state.expected -= 1
      if let answer { state.answers.append(answer) }
      return state.expected == 0 ? state.answers : []
    }
    if !all.isEmpty { post(.array(all)) }
  }
}

/// The messages of the server's own.
enum Outgoing {
  static func result(
    _ value: JSONValue, id: RequestID, _ context: ClientContext?, _ identity: ServerIdentity
  ) -> JSONValue {
    var result = value
    if context?.revision.isStateless == true, case .object(var members) = value {
      if value["resultType"] == nil {
        members.insert(.init(key: "resultType", value: "complete"), at: 0)
      }
      members.append(
        .init(
          key: "_meta",
          value: .object([
            .init(key: ClientContext.MetaKey.serverInfo, value: identity.implementation)
          ])))
      result = .object(members)
    }
    return ["jsonrpc": "2.0", "id": id.json, "result": result]
  }

  static func failure(_ error: RPCError, id: RequestID) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "code", value: .integer(error.code)),
      .init(key: "message", value: .string(error.message)),
    ]
    if let data = error.data { members.append(.init(key: "data", value: data)) }
    var message: [JSONValue.Member] = [.init(key: "jsonrpc", value: "2.0")]
    // JSON-RPC has null where an id couldn't be read; the protocol's schema leaves it out.
    if id != .null { message.append(.init(key: "id", value: id.json)) }
    message.append(.init(key: "error", value: .object(members)))
    return .object(message)
  }

  /// The first message of a subscription: which notifications it has.
  static func acknowledgement(_ subscription: RequestID, _ filter: JSONValue) -> JSONValue {
    [
      "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
      "params": [
        "_meta": .object([
          .init(key: ClientContext.MetaKey.subscriptionID, value: subscription.json)
        ]),
        "notifications": filter,
      ],
    ]
  }

  /// The last message of a subscription, when the server ends it.
  static func endOfSubscription(_ id: RequestID, _ identity: ServerIdentity) -> JSONValue {
    [
      "jsonrpc": "2.0", "id": id.json,
      "result": [
        "resultType": "complete",
        "_meta": .object([
          .init(key: ClientContext.MetaKey.serverInfo, value: identity.implementation),
          .init(key: ClientContext.MetaKey.subscriptionID, value: id.json),
        ]),
      ],
    ]
  }

  static func progress(_ part: Double, message: String, token: JSONValue) -> JSONValue {
    [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .double(part), "total": 1, "message": .string(message),
      ],
    ]
  }
}

extension RequestID {
  /// The id as it was sent.
  var json: JSONValue { (try? JSONValue(parsing: token)) ?? .null }

  /// True of the protocol's ids: strings and whole numbers.
  var isAllowed: Bool {
    switch json {
    case .string: true
    case .number(let text): !text.contains { ".eE".contains($0) }
    default: false
    }
  }
}
