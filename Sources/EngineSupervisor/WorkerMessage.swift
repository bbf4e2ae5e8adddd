import EngineProtocol
import JSONRPC

/// A message of a worker process, parsed only as far as is needed to pass it on.
///
/// The workers are this program: their messages begin as ``JSONRPC/Connection`` writes them.
struct WorkerMessage {
  enum Kind: Equatable {
    /// An answer: the number of its request, and the text after that, from the comma on.
    case answer(serial: UInt64, rest: ArraySlice<UInt8>)
    /// A notification: its method, and the text of its params up to the end of the message.
    case notification(method: String, params: ArraySlice<UInt8>)
  }

  let kind: Kind
  /// The bytes of the whole message.
  let bytes: [UInt8]
  /// The key of a notification that replaces an unsent one of that key.
  let coalescingKey: String?

  init?(_ bytes: [UInt8], coalescingKey: String? = nil) {
    self.bytes = bytes
    self.coalescingKey = coalescingKey
    if let start = Self.end(of: Self.answerHead, in: bytes) {
      var serial: UInt64 = 0
      var position = start
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        serial = serial &* 10 &+ UInt64(bytes[position] - 0x30)
        position += 1
      }
      guard position > start else { return nil }
      kind = .answer(serial: serial, rest: bytes[position...])
    } else if let start = Self.end(of: Self.notificationHead, in: bytes),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\""))
    {
      kind = .notification(
        method: String(decoding: bytes[start..<end], as: UTF8.self),
        params: bytes[end...].drop { $0 != UInt8(ascii: "{") })
    } else {
      return nil
    }
  }

  private static let answerHead = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
  private static let notificationHead = Array(#"{"jsonrpc":"2.0","method":""#.utf8)

  private static func end(of head: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.starts(with: head) ? head.count : nil
  }

  /// Returns the result of an answer, from the text after its id; nil for an error.
  static func result<Result: Decodable>(
    of rest: ArraySlice<UInt8>, as type: Result.Type
  ) -> Result? {
    guard hasResult(rest) else { return nil }
    return try? JSONDecoding.decode(type, from: JSONValue(parsing: Array(resultText(of: rest))))
  }

  /// Returns the text of a result, after `,"result":` and before the end of the object.
  static func resultText(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    rest.dropFirst(resultHead.count).dropLast()
  }

  /// Returns true for the part of an answer that has a result, false for an error.
  static func hasResult(_ rest: ArraySlice<UInt8>) -> Bool { rest.starts(with: resultHead) }

  private static let resultHead = Array(#","result":"#.utf8)

  /// Returns the values of members of some params, without reading the text after the last one:
  /// texts of numbers, and of strings without escapes.
  static func members(_ names: [String], of params: ArraySlice<UInt8>) -> [String: String] {
    MemberScanner.values(of: names, in: params).mapValues(MemberScanner.scalar)
  }
}
