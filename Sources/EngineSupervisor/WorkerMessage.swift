import EngineProtocol
import JSONRPC

/// What a worker process sends, of which no more is read than it takes to pass it on.
///
/// The workers are this program: their messages begin as ``JSONRPC/Connection`` writes them.
enum WorkerMessage {
  /// An answer: the number that it was asked under, and the text behind that, from the comma on.
  case answer(serial: UInt64, rest: ArraySlice<UInt8>)
  case notification(method: String, params: ArraySlice<UInt8>)

  init?(_ bytes: [UInt8]) {
    if let start = Self.end(of: Self.answerHead, in: bytes) {
      var serial: UInt64 = 0
      var position = start
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        serial = serial &* 10 &+ UInt64(bytes[position] - 0x30)
        position += 1
      }
      guard position > start else { return nil }
      self = .answer(serial: serial, rest: bytes[position...])
    } else if let start = Self.end(of: Self.notificationHead, in: bytes),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\""))
    {
      self = .notification(
        method: String(decoding: bytes[start..<end], as: UTF8.self), params: bytes[end...])
    } else {
      return nil
    }
  }

  private static let answerHead = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
  private static let notificationHead = Array(#"{"jsonrpc":"2.0","method":""#.utf8)

  private static func end(of head: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.starts(with: head) ? head.count : nil
  }

  /// The result of an answer, from the text behind its id; nil of an error.
  static func result<Result: Decodable>(
    of rest: ArraySlice<UInt8>, as type: Result.Type
  ) -> Result? {
    // Behind `,"result":`, before the end of the object.
    guard hasResult(rest) else { return nil }
    return try? JSONDecoding.decode(
      type, from: JSONValue(parsing: Array(rest.dropFirst(10).dropLast())))
  }

  /// True for the part of an answer that has a result, false for an error.
  static func hasResult(_ rest: ArraySlice<UInt8>) -> Bool { rest.starts(with: resultHead) }

  private static let resultHead = Array(#","result":"#.utf8)

  /// The value of a member among the first of some params: the text of a number, or that of a string
  /// without escapes.
  static func member(_ name: String, of params: ArraySlice<UInt8>) -> String? {
    // The objects that precede it are small; what may be large comes behind it.
    let head = params.prefix(600)
    let wanted = Array("\"\(name)\":".utf8)
    guard let place = head.firstRange(of: wanted) else { return nil }
    let rest = params[place.upperBound...].prefix(100)
    if rest.first == UInt8(ascii: "\"") {
      let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      return String(decoding: text, as: UTF8.self)
    }
    let text = rest.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
