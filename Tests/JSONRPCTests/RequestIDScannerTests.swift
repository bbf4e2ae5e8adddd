import JSONRPC
import Testing

@Suite struct RequestIDScannerTests {
  /// The token of the id that is found, however the bytes are cut.
  private func found(_ text: String) -> String? {
    let bytes = [UInt8](text.utf8)
    let whole = RequestIDScanner.id(in: bytes)
    for size in [1, 3, 8] {
      var scanner = RequestIDScanner()
      var rest = bytes[...]
      while !rest.isEmpty {
        scanner.scan(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(scanner.id?.token == whole?.token)
    }
    return whole.map { String(decoding: $0.token, as: UTF8.self) }
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":NaN}}"#, "7"),
    (#"{"jsonrpc":"2.0","method":"m","params":{"a":"\#("\\ud800")"},"id":"x\"y"}"#, #""x\"y""#),
    (#" { "id" : -1.5e3 , "method" : "m""#, "-1.5e3"),
    (#"{"id":null,"method":"m""#, "null"),
    (#"{"a":{"id":1,"b":"}\""},"c":[[{"id":2}],"]"],"id":3,"method":"m"}"#, "3"),
    (#"{"id":"é","method":"m"}"#, #""é""#),
  ]) func findsTheIDOfARequest(_ message: String, _ id: String) {
    #expect(found(message) == id)
  }

  /// Text that is no request, or whose id can't be determined, has none.
  @Test(arguments: [
    "", "{", "[]", "hello", "1", #"[{"id":1,"method":"m"}]"#,
    // A notification, an answer.
    #"{"method":"m","params":{"id":1}}"#, #"{"id":1,"result":{}}"#, #"{"id":1,"error":{}}"#,
    #"{"result":1,"id":1,"method":"m"}"#,
    // No id that JSON-RPC has.
    #"{"id":[1],"method":"m"}"#, #"{"id":true,"method":"m"}"#, #"{"id":1x,"method":"m"}"#,
    #"{"id":1,"id":2,"method":"m"}"#, #"{"id":1,"method":3}"#,
    // Not the shape of an object up to there.
    #"{"method":"m" "id":1}"#, #"{method:"m","id":1}"#, #"{"method":"m"},"id":1}"#,
    #"{"method":"m,"id":1,"x":"}"#, #"{"method":"m","id"1}"#,
  ]) func findsNoOther(_ message: String) {
    #expect(found(message) == nil)
  }

  /// Bytes that are no UTF-8 don't hide it.
  @Test func lookedForInBytesThatAreNoText() {
    let bytes =
      [UInt8](#"{"method":"m","params":{"url":"/a"#.utf8) + [0xFF, 0xC3, 0x22]
      + [UInt8](#"},"id":5}"#.utf8)
    #expect(RequestIDScanner.id(in: bytes)?.token == [UInt8]("5".utf8))
  }

  @Test func aLongIDIsNone() {
    let id = String(repeating: "x", count: 10_000)
    #expect(found(#"{"id":"\#(id)","method":"m"}"#) == nil)
  }
}
