import JSONRPC
import TestSupport
import Testing

/// For any bytes: an answer or none, and the next request is served.
struct HostileInputTests {
  private var router: Router {
    var router = Router()
    router.on(Sum.self) { request, _ in request.terms.reduce(0) { $0 &+ $1 } }
    router.on(Ping.self) { _, _ in EmptyResult() }
    return router
  }

  static let bodies: [(String, Int)] = [
    (String(repeating: "[", count: 100_000), -32700),
    (String(repeating: "{\"a\":", count: 100_000), -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e400}}x"#, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, -32700),
    (#"{"jsonrpc":"2.0","id":"\#u{1}","method":"ping"}"#, -32700),
    (#"{"jsonrpc":"2.0","id":NaN,"method":"ping"}"#, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"sum","params":{"terms":[1e400]}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"sum","params":{"terms":"\u0000"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"\u0000"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":null}"#, -32600),
    (#"{"jsonrpc":null,"id":1,"method":"ping"}"#, -32600),
  ]

  @Test(arguments: bodies)
  func answersWithAnError(_ body: String, _ code: Int) async throws {
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line(body)
    #expect(try await peer.nextJSON()["error"]?["code"]?.integerValue == code)
    peer.line(request("2", "ping"))
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  /// The sender waits for an answer to its id, and gets one.
  @Test(
    arguments: [
      #"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"more":NaN}}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"more":"\ud800"}}"#,
      #"{"jsonrpc":"2.0","params":{"id":3,"more":"\udc80"},"method":"ping","id":"a"}"#,
      #"{"jsonrpc":"2.0","params":{"more":"?"},"method":"ping","id":"a"}"#,
    ], [FramingMode.lines, .headers])
  func answersWithTheIDOfWhatIsNoJSON(_ message: String, _ framing: FramingMode) async throws {
    let peer = try TestPeer(router, framing: framing)
    defer { peer.close() }
    // A question mark stands for a byte that is no UTF-8.
    let bytes = message.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
    for message in [bytes, Array(request("2", "ping").utf8)] {
      let header = "Content-Length: \(message.count)\r\n\r\n"
      peer.send(framing == .headers ? header.utf8 + message : message + [0x0A])
    }
    let answer = try await peer.nextJSON()
    #expect(answer["id"] == "a")
    #expect(answer["error"]?["code"] == -32700)
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  @Test(arguments: [FramingMode.lines, .headers])
  func answersWithTheIDOfWhatIsTooLarge(_ framing: FramingMode) async throws {
    var configuration = ConnectionConfiguration()
    configuration.maximumMessageBytes = 1000
    let peer = try TestPeer(router, configuration, framing: framing)
    defer { peer.close() }
    let long = String(repeating: "x", count: 100_000)
    for message in [
      #"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"more":"\#(long)"}}"#,
      #"{"jsonrpc":"2.0","method":"ping","params":{"more":"\#(long)"},"id":"b"}"#,
      #"{"jsonrpc":"2.0","method":"ping","params":{"more":"\#(long)"}}"#, request("2", "ping"),
    ] {
      let header = "Content-Length: \(message.utf8.count)\r\n\r\n"
      peer.send(framing == .headers ? header + message : message + "\n")
    }
    for id in ["a", "b", .null] as [JSONValue] {
      let answer = try await peer.nextJSON()
      #expect(answer["id"] == id)
      #expect(answer["error"]?["data"]?["reason"] == "messageTooLarge")
    }
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  @Test func takesWhatIsLargeButAllowed() async throws {
    let peer = try TestPeer(router)
    defer { peer.close() }
    let id = "\"" + String(repeating: "\\u0041", count: 200_000) + "\""
    peer.line(request(id, "ping"))
    #expect(await peer.next() == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    let terms = String(repeating: "1,", count: 99_999) + "1"
    peer.line(request("2", "sum", "{\"terms\":[\(terms)]}"))
    #expect(try await peer.nextJSON()["result"] == 100_000)
    let nested = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    peer.line(request("3", "ping", "{\"more\":\(nested)}"))
    #expect(try await peer.nextJSON()["id"] == 3)
    peer.line(request("4", "sum", "{\"terms\":\(nested)}"))
    #expect(try await peer.nextJSON()["error"]?["code"] == -32602)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x7B, 0x00], [0x7B, 0x00, 0x7D, 0x00], [0x7B, 0xFF, 0x7D], [0x00], [0xEF, 0xBB],
    ] as [[UInt8]])
  func answersBytesThatAreNoText(_ bytes: [UInt8]) async throws {
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.send(bytes + [0x0A])
    #expect(try await peer.nextJSON()["error"]?["code"] == -32700)
    peer.line(request("2", "ping"))
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  /// 2,000 damaged messages: every line that comes back is a response, and the last request is served.
  @Test(arguments: [FramingMode.lines, .headers])
  func survivesDamage(_ framing: FramingMode) async throws {
    var generator = SeededGenerator(seed: 3)
    let peer = try TestPeer(router, framing: framing)
    defer { peer.close() }
    func framed(_ text: [UInt8]) -> [UInt8] {
      framing == .lines ? text + [0x0A] : Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
    }
    peer.send(framed(Array(request("\"first\"", "ping").utf8)))
    #expect(try await peer.nextJSON()["id"] == "first")
    let originals = [
      request("1", "sum", #"{"terms":[1,2,3]}"#), request(#""x""#, "ping"),
      "[\(request("7", "ping")),\(request("8", "sum", #"{"terms":[]}"#)),1]",
    ].map { Array($0.utf8) }
    for index in 0..<2000 {
      var bytes = originals[index % originals.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0x0B...0xFF, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[0], at: place)
        }
      }
      // In header framing the frame is damaged too, now and then.
      var message = framed(bytes)
      if index % 10 == 0 { message.remove(at: Int.random(in: message.indices, using: &generator)) }
      peer.send(message)
    }
    // After a frame that promised too much, so that one of these is seen as a message.
    for _ in 0..<5 { peer.send(framed(Array(request("\"last\"", "ping").utf8))) }
    while true {
      let reply = try await peer.nextJSON()
      if reply["id"] == "last" { break }
      if case .array(let answers) = reply { #expect(!answers.isEmpty) }
      if case .object = reply { #expect(reply["jsonrpc"] == "2.0") }
    }
  }
}
