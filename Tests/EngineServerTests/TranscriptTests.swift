import Foundation
import JSONRPC
import Testing

/// The conversations that the clients lead too.
struct TranscriptTests {
  @Test func thereAreTranscripts() {
    #expect(Transcript.all.count > 5)
  }

  @Test(arguments: Transport.allCases, Transcript.all)
  func aTranscript(_ transport: Transport, _ transcript: Transcript) async throws {
    let script = try transcript.read()
    let folder = TemporaryFolder()
    var variables: [String: JSONValue] = ["folder": .string(folder.path)]
    for name in script["fixtures"]?.elements.compactMap(\.stringValue) ?? [] {
      variables[name] = .string(try await Transcript.fixture(name))
    }
    try await withClient(transport) { [variables] client in
      var conversation = Conversation(client: client, patterns: Patterns(variables: variables))
      for step in script["steps"]?.elements ?? [] { try await conversation.take(step) }
      let handles = try await conversation.answer("handle/list", [:])
      #expect(handles["result"]?["handles"] == [])
    }
  }
}

private struct Conversation {
  let client: TestClient
  var patterns: Patterns
  /// The number of notifications of objects that have been compared.
  private var compared = 0

  init(client: TestClient, patterns: Patterns) {
    (self.client, self.patterns) = (client, patterns)
  }

  func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    try await client.answer(to: client.start(method, params))
  }

  private mutating func check(_ pattern: JSONValue?, _ value: JSONValue?, _ what: String) throws {
    let pattern = try #require(pattern, "\(what) has no pattern")
    let problem = try patterns.problem(pattern, value, what)
    #expect(problem == nil)
  }

  /// One request or notification, and all that becomes of it.
  mutating func take(_ step: JSONValue) async throws {
    let params = try step["params"].map { unhurried(try patterns.filled($0)) } ?? [:]
    if let method = step["notify"]?.stringValue {
      client.line(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
      return
    }
    let method = try #require(step["request"]?.stringValue)
    if step["cancelled"] == .bool(true) {
      let id = client.start(method, params)
      client.cancelRequest(id)
      let answer = try await client.answer(to: id)
      let code = answer["error"]?["code"]?.integerValue
      #expect(code == -32800 || answer["result"] != nil)
      return
    }
    let answer = try await answer(method, params)
    if let error = step["error"] {
      try check(error, answer["error"], "\(method) error")
      return
    }
    #expect(answer["error"] == nil)
    if let events = step["events"] { try compare(events.elements) }
    try check(step["result"], answer["result"], "\(method) result")
    if step["end"] != nil {
      let operation = try #require(answer["result"]?["operation"]?.stringValue)
      if let asks = step["asks"] {
        let method = try #require(asks["method"]?.stringValue)
        try check(asks["params"], await client.first(method), method)
      }
      for inner in step["then"]?.elements ?? [] { try await take(inner) }
      try await end(step, operation)
    }
  }

  /// A compositor of the test has any time it takes: tests share the threads that resume them.
  private func unhurried(_ params: JSONValue) -> JSONValue {
    guard case .object(var members) = params,
      let index = members.firstIndex(where: { $0.key == "videoComposition" }),
      case .object(var composition) = members[index].value
    else { return params }
    composition.append(.init(key: "compositorTimeoutMs", value: .integer(3_600_000)))
    members[index].value = .object(composition)
    return .object(members)
  }

  /// The notifications of objects since the last ones that were compared.
  private mutating func compare(_ events: [JSONValue]) throws {
    let told = client.objectNotifications.dropFirst(compared)
    compared += told.count
    #expect(told.map(\.method) == events.map { $0["method"]?.stringValue })
    for (event, item) in zip(events, told) {
      try check(event["params"], item.params, item.method)
    }
  }

  /// The notifications of an operation, from its answer to its end.
  private mutating func end(_ step: JSONValue, _ operation: String) async throws {
    var told = await client.notifications(of: operation)
    let ending = told.popLast()
    let last = try #require(ending)
    var expected = step["notifications"]?.elements ?? []
    for item in told {
      if let pattern = step["each"]?[item.method] {
        try check(pattern, item.params, item.method)
        continue
      }
      let value: JSONValue = ["method": .string(item.method), "params": item.params]
      let index = try expected.firstIndex { try patterns.problem($0, value, "") == nil }
      expected.remove(at: try #require(index, "\(value) was not expected"))
    }
    #expect(expected == [])
    try check(step["end"], last.params, last.method)
  }
}
