import JSONRPC
import Testing

/// Feeds the bytes in pieces of at most `size` and collects the events.
private func events(
  _ text: String, _ mode: FramingMode = .auto, limit: Int = 1000, pieces size: Int = .max,
  ending: Bool = true
) -> [String] {
  events([UInt8](text.utf8), mode, limit: limit, pieces: size, ending: ending)
}

private func events(
  _ bytes: [UInt8], _ mode: FramingMode = .auto, limit: Int = 1000, pieces size: Int = .max,
  ending: Bool = true
) -> [String] {
  var framing = Framing(mode: mode, limit: limit)
  var result: [String] = []
  func collect() {
    while let event = framing.next() { result.append(describe(event)) }
  }
  var rest = bytes[...]
  while !rest.isEmpty {
    framing.feed(rest.prefix(size))
    rest = rest.dropFirst(size)
    collect()
  }
  if ending, let event = framing.finish() { result.append(describe(event)) }
  return result
}

private func describe(_ event: Framing.Event) -> String {
  switch event {
  case .message(let bytes): return String(decoding: bytes, as: UTF8.self)
  case .malformed: return "malformed"
  case .tooLarge(_, .null): return "tooLarge"
  case .tooLarge(_, let id): return "tooLarge \(id)"
  }
}

@Suite struct FramingTests {
  @Test func aKeyIsThatOfItsMessage() {
    var framing = Framing(mode: .headers, limit: 100)
    framing.feed(
      [UInt8](
        ("Content-Length: 2\r\nCoalescing-Key: operation:5\r\n\r\n{}Content-Length: 2\r\n\r\n[]"
          + "coalescing-key: a b\r\nContent-Length: 2\r\n\r\n{}").utf8))
    var found: [String?] = []
    while framing.next() != nil { found.append(framing.coalescingKey) }
    #expect(found == ["operation:5", nil, "a b"])
  }

  @Test func aHeaderThatHasNoRoomForItsKeyIsWritten() {
    let key = String(repeating: "k", count: 100)
    var writer = JSONWriter()
    writer.append(raw: "{}")
    let start = writer.frameWithHeader(key: key)
    var framing = Framing(mode: .headers, limit: 100)
    framing.feed(writer.bytes[start...])
    #expect(framing.next() == .message([UInt8]("{}".utf8)))
    #expect(framing.coalescingKey == key)
    #expect(framing.next() == nil)
  }

  static let streams: [(String, [String])] = [
    ("{\"a\":1}\n[2]\r\n\n  {\"b\":3}\n", ["{\"a\":1}", "[2]", "{\"b\":3}"]),
    ("\u{FEFF}\n# comment { \n#\n \t{}\n# again\n{}", ["{}", "{}"]),
    ("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", ["{}", "[1]"]),
    ("content-length:2\n\n{}CONTENT-LENGTH :  1 \n\r\n1", ["{}", "1"]),
    ("X-Other: y\r\nContent-Length: 2\r\nContent-Type: a/b; charset=utf-8\r\n\r\n{}", ["{}"]),
    ("Content-Type: a/b; charset=\"utf8\"\nContent-Length: 2\n\n{}", ["{}"]),
    (
      "\u{FEFF} \n#x\nContent-Length: 2\r\n\r\n{}\r\n\r\n# y\nContent-Length: 2\r\n\r\n[]",
      ["{}", "[]"]
    ),
    ("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", ["{}"]),
    ("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", ["", "{}"]),
    ("Content-Length: 7\r\n\r\n{\n\"é\"}Content-Length: 2\r\n\r\n{}", ["{\n\"é\"}", "{}"]),
    // Anything else: one complaint for the line, and on at the next.
    ("hello\n{}\n", ["malformed", "{}"]),
    ("GET / HTTP/1.1\r\n{}\n", ["malformed", "{}"]),
    ("hello: world\n{}\n", ["malformed", "{}"]),
    ("hello\nContent-Length: 2\r\n\r\n{}", ["malformed", "{}"]),
    ("123\n\"x\"\n{}\n", ["malformed", "malformed", "{}"]),
    ("{}\nhello\n{}\n", ["{}", "hello", "{}"]),
    ("{}\nContent-Length: 2\n", ["{}", "Content-Length: 2"]),
    ("Content-Length: 2\r\n\r\n{}{}\nContent-Length: 2\r\n\r\n[]", ["{}", "malformed", "[]"]),
    ("Content-Length: 2\r\n\r\n{}junkContent-Length: 2\r\n\r\n[]", ["{}", "malformed", "[]"]),
  ]

  static let lengths = [
    "-1", "+5", "5.0", "0x5", "5 5", "", "99999999999999999999", "12345678901", "five", "5;",
  ]

  @Test(arguments: streams)
  func reads(_ text: String, _ expected: [String]) {
    #expect(events(text) == expected)
    for size in 1..<text.utf8.count {
      #expect(events(text, pieces: size) == expected, "pieces of \(size)")
    }
  }

  @Test(arguments: streams)
  func readsWhateverTheCut(_ text: String, _ expected: [String]) {
    let bytes = [UInt8](text.utf8)
    for cut in bytes.indices {
      var framing = Framing(limit: 1000)
      var found: [String] = []
      for part in [bytes[..<cut], bytes[cut...]] {
        framing.feed(part)
        while let event = framing.next() { found.append(describe(event)) }
      }
      if let event = framing.finish() { found.append(describe(event)) }
      #expect(found == expected, "cut at \(cut)")
    }
  }

  @Test(arguments: lengths, [1, .max])
  func complainsOnceOfALength(_ length: String, _ size: Int) {
    let good = "Content-Length: 2\r\n\r\n{}"
    let bad = "Content-Length: \(length)\r\nX-Other: 1\r\n\r\n{\"lost\":1}"
    #expect(events(bad + good, pieces: size) == ["malformed", "{}"])
    #expect(events(good + bad + good, pieces: size) == ["{}", "malformed", "{}"])
  }

  @Test(arguments: [61, 1000, .max])
  func complainsOnceOfAHeaderBlock(_ size: Int) {
    let good = "Content-Length: 2\r\n\r\n{}"
    let missing = "X-Other: 1\r\n\r\n{\"lost\":1}"
    #expect(events(missing + good, pieces: size) == ["malformed", "{}"])
    let twice = "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"
    #expect(events(twice + good, pieces: size) == ["malformed", "{}"])
    let foreign = "Content-Length: 2\r\nContent-Type: a/b; charset=utf-16\r\n\r\n{}"
    #expect(events(foreign + good, pieces: size) == ["malformed", "{}"])
    let long = "X-Other: " + String(repeating: "x", count: 9000) + "\r\n"
    #expect(events(long + good, pieces: size) == ["malformed", "{}"])
    let many = String(repeating: "X-Other: 1234567\r\n", count: 600)
    #expect(events(many + good, pieces: size) == ["malformed", "{}"])
  }

  @Test(arguments: [1, 7, .max])
  func skipsWhatIsTooLarge(_ size: Int) {
    let large = "{\"a\":\"" + String(repeating: "x", count: 2000) + "\"}"
    #expect(events("{}\n\(large)\n[]\n", pieces: size) == ["{}", "tooLarge", "[]"])
    #expect(events("\(large)\n[]\n", pieces: size) == ["tooLarge", "[]"])
    let framed = "Content-Length: \(large.utf8.count)\r\n\r\n\(large)"
    let good = "Content-Length: 2\r\n\r\n{}"
    #expect(events(framed + good, pieces: size) == ["tooLarge", "{}"])
    #expect(events(good + framed + good, pieces: size) == ["{}", "tooLarge", "{}"])
  }

  @Test func reportsWhatIsTooLargeWhenItsIDIsKnown() {
    let start = #"{"jsonrpc":"2.0","id":"a","method":"m","params":""# + "\""
    for rest in ["", String(repeating: " ", count: 1000)] {
      let large = "Content-Length: 1073741824\r\n\r\n\(start)\(rest)"
      #expect(events(large, pieces: 7, ending: false) == [#"tooLarge "a""#])
    }
    let line = start + String(repeating: " ", count: 1000)
    #expect(events(line, ending: false) == [#"tooLarge "a""#])
    // Once only.
    #expect(events(line + "\"}\n{}\n", pieces: 100) == [#"tooLarge "a""#, "{}"])
  }

  /// With anything between: the whole message is scanned, and a message without an id is reported
  /// at its end.
  @Test(arguments: [1, 7, 999, 1000, 1001, .max])
  func findsTheIDOfWhatIsTooLarge(_ size: Int) {
    let text = String(repeating: #"\"{[é"#, count: 300)
    let last = #"{"method":"m","params":{"id":1,"a":[{"id":2}],"b":"\#(text)"},"id" : 37 }"#
    let none = #"{"method":"m","params":{"id":1,"b":"\#(text)"}}"#
    let lines = "\(last)\n{}\n\(none)\r\n[]\n"
    #expect(events(lines, pieces: size) == ["tooLarge 37", "{}", "tooLarge", "[]"])
    let framed = [last, "{}", none, "[]"].map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }
    #expect(events(framed.joined(), pieces: size) == ["tooLarge 37", "{}", "tooLarge", "[]"])
  }

  @Test func theEndOfTheInputEndsWhatIsTooLarge() {
    let large = "{" + String(repeating: " ", count: 1000)
    #expect(events(large, ending: false) == [])
    #expect(events(large) == ["tooLarge"])
    #expect(events("Content-Length: 1073741824\r\n\r\n{") == ["tooLarge"])
  }

  @Test func theLimitItselfIsAllowed() {
    let exact = "{" + String(repeating: " ", count: 998) + "}"
    #expect(events(exact + "\r\n{}\n") == [exact, "{}"])
    #expect(events("Content-Length: 1000\r\n\r\n" + exact) == [exact])
    #expect(events(exact + " \n{}\n") == ["tooLarge", "{}"])
  }

  @Test func obeysAFixedMode() {
    #expect(events("{}\nContent-Length: 2\r\n\r\n[]", .headers) == ["malformed", "[]"])
    #expect(events("Content-Length: 2\r\n\r\n[]\n", .lines) == ["Content-Length: 2", "[]"])
  }

  @Test func theEndOfTheInputEndsALine() {
    #expect(events("{}") == ["{}"])
    #expect(events("{\"half\":") == ["{\"half\":"])
    #expect(events("Content-Length: 5\r\n\r\n{}") == [])
    #expect(events("# comment") == [])
    #expect(events("") == [])
  }

  @Test func isNotConfusedByOtherMarks() {
    #expect(events([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00, 0x0A, 0x00] + [0x0A]).first == "malformed")
    #expect(events([0xEF, 0xBB, 0x7B, 0x7D, 0x0A, 0x7B, 0x7D]) == ["malformed", "{}"])
  }

  @Test func thousandMessagesInOneWrite() {
    let lines = (0..<1000).map { "{\"n\":\($0)}" }
    #expect(events(lines.joined(separator: "\n")) == lines)
    let framed = lines.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }
    #expect(events(framed.joined(), pieces: 3) == lines)
  }

  @Test func framesOutput() {
    var line = JSONWriter()
    line.write("é")
    let start = line.frameAsLine()
    #expect(Array(line.bytes[start...]) == Array("\"é\"\n".utf8))
    var header = JSONWriter()
    header.write("é")
    let first = header.frameWithHeader()
    #expect(Array(header.bytes[first...]) == Array("Content-Length: 4\r\n\r\n\"é\"".utf8))
  }
}
