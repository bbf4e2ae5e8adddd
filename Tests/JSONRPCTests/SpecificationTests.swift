import JSONRPC
import Testing

struct Sum: RequestType {
  typealias Result = Int
  static let method = "sum"
  var terms: [Int]
}

struct GetData: RequestType {
  typealias Result = [JSONValue]
  static let method = "get_data"
}

struct Ping: RequestType {
  typealias Result = EmptyResult
  static let method = "ping"
}

struct Update: NotificationType {
  static let method = "update"
  var values: [Int]?
}

/// The examples of section 7 of the JSON-RPC 2.0 specification. Params go by name, as the specification
/// leaves to the server: where an example has them by position, they are named here.
struct SpecificationTests {
  private static var router: Router {
    var router = Router()
    router.on(Subtract.self) { request, _ in request.minuend - request.subtrahend }
    router.on(Sum.self) { request, _ in request.terms.reduce(0, +) }
    router.on(GetData.self) { _, _ in ["hello", 5] }
    router.on(Ping.self) { _, _ in EmptyResult() }
    router.on(Update.self) { _, _ in }
    return router
  }

  /// The message that is sent, and the answer with `data` removed from its errors; nil for no
  /// answer at all.
  static let examples: [(String, String?)] = [
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
      #"{"jsonrpc":"2.0","id":3,"result":19}"#
    ),
    (
      #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
      #"{"jsonrpc":"2.0","id":4,"result":19}"#
    ),
    (#"{"jsonrpc": "2.0", "method": "update", "params": {"values": [1,2,3,4,5]}}"#, nil),
    (#"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
    (
      #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
      #"{"jsonrpc":"2.0","id":"1","error":-32601}"#
    ),
    (
      #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
      #"{"jsonrpc":"2.0","id":null,"error":-32700}"#
    ),
    (
      #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
      #"{"jsonrpc":"2.0","id":null,"error":-32600}"#
    ),
    (
      #"[{"jsonrpc": "2.0", "method": "sum", "params": {"terms": [1,2,4]}, "id": "1"}, {"jsonrpc": "2.0", "method""#,
      #"{"jsonrpc":"2.0","id":null,"error":-32700}"#
    ),
    ("[]", #"{"jsonrpc":"2.0","id":null,"error":-32600}"#),
    ("[1]", #"[{"jsonrpc":"2.0","id":null,"error":-32600}]"#),
    (
      "[1,2,3]",
      #"[{"jsonrpc":"2.0","id":null,"error":-32600},{"jsonrpc":"2.0","id":null,"error":-32600},{"jsonrpc":"2.0","id":null,"error":-32600}]"#
    ),
    (
      #"[{"jsonrpc": "2.0", "method": "sum", "params": {"terms": [1,2,4]}, "id": "1"}, {"jsonrpc": "2.0", "method": "update", "params": {"values": [7]}}, {"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": "2"}, {"foo": "boo"}, {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"}, {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]"#,
      #"[{"jsonrpc":"2.0","id":"1","result":7},{"jsonrpc":"2.0","id":"2","result":19},{"jsonrpc":"2.0","id":null,"error":-32600},{"jsonrpc":"2.0","id":"5","error":-32601},{"jsonrpc":"2.0","id":"9","result":["hello",5]}]"#
    ),
    (
      #"[{"jsonrpc": "2.0", "method": "update", "params": {"values": [1]}}, {"jsonrpc": "2.0", "method": "update"}]"#,
      nil
    ),
    // Cases that the examples don't show but the text specifies.
    (
      #"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"error":-32602}"#
    ),
    (#"{"method":"ping","id":1}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
    (#"{"jsonrpc":"1.0","method":"ping","id":1}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
    (#"{"jsonrpc":2.0,"method":"ping","id":1}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
    (#"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":1,"error":-32600}"#),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":null}"#, #"{"jsonrpc":"2.0","id":null,"result":{}}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":true}"#,
      #"{"jsonrpc":"2.0","id":null,"error":-32600}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":[1]}"#, #"{"jsonrpc":"2.0","id":null,"error":-32600}"#
    ),
    (#"{"jsonrpc":"2.0","method":"ping","id":{}}"#, #"{"jsonrpc":"2.0","id":null,"error":-32600}"#),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":1,"id":2}"#,
      #"{"jsonrpc":"2.0","id":null,"error":-32600}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","method":"sum","id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"error":-32600}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","params":3,"id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"error":-32600}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","params":[],"id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","params":null,"id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","params":{"more":1},"also":2,"id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    ),
    (#"{"jsonrpc":"2.0","method":"update","id":1}"#, #"{"jsonrpc":"2.0","id":1,"result":null}"#),
    (#"{"jsonrpc":"2.0","method":"sum"}"#, nil),
    (#"{"jsonrpc":"2.0","id":99,"result":1}"#, nil),
    (#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"m"}}"#, nil),
    (#"[{"jsonrpc":"2.0","id":99,"result":1}]"#, nil),
    ("{} {}", #"{"jsonrpc":"2.0","id":null,"error":-32700}"#),
    ("{}", #"{"jsonrpc":"2.0","id":null,"error":-32600}"#),
    // Ids come back as they were sent.
    (#"{"jsonrpc":"2.0","method":"ping","id": 1.0 }"#, #"{"jsonrpc":"2.0","id":1.0,"result":{}}"#),
    (#"{"jsonrpc":"2.0","method":"ping","id":-0}"#, #"{"jsonrpc":"2.0","id":-0,"result":{}}"#),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":9007199254740993}"#,
      #"{"jsonrpc":"2.0","id":9007199254740993,"result":{}}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":123456789012345678901234567890e-5}"#,
      #"{"jsonrpc":"2.0","id":123456789012345678901234567890e-5,"result":{}}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"ping","id":"\u0041\/é"}"#,
      #"{"jsonrpc":"2.0","id":"\u0041\/é","result":{}}"#
    ),
    (#"{"jsonrpc":"2.0","method":"ping","id":""}"#, #"{"jsonrpc":"2.0","id":"","result":{}}"#),
  ]

  @Test(arguments: examples)
  func answers(_ sent: String, _ expected: String?) async throws {
    let peer = try TestPeer(Self.router)
    defer { peer.close() }
    peer.line(sent)
    if let expected { #expect(shortened(await peer.next()) == expected) }
    // In every case the connection lives, and nothing else was sent.
    peer.line(#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#)
    #expect(await peer.next() == #"{"jsonrpc":"2.0","id":"last","result":{}}"#)
  }

  @Test func answersTheExamplesInHeaderFraming() async throws {
    let peer = try TestPeer(Self.router, framing: .headers)
    defer { peer.close() }
    for (sent, expected) in Self.examples {
      peer.send("Content-Length: \(sent.utf8.count)\r\n\r\n\(sent)")
      if let expected { #expect(shortened(await peer.next()) == expected) }
    }
  }

  /// Error objects cut down to their code, after a look at the members that each has to have.
  private func shortened(_ reply: String?) -> String? {
    guard var reply, let json = try? JSONValue(parsing: reply) else { return reply }
    let answers: [JSONValue]
    if case .array(let elements) = json { answers = elements } else { answers = [json] }
    for answer in answers {
      guard let error = answer["error"], case .object(let members) = error else { continue }
      #expect(members.map(\.key) == ["code", "message", "data"])
      #expect(error["data"]?["name"]?.stringValue?.isEmpty == false)
      #expect(error["data"]?["hint"]?.stringValue?.isEmpty == false)
      reply = reply.replacing(error.description, with: error["code"]?.description ?? "?")
    }
    return reply
  }
}
