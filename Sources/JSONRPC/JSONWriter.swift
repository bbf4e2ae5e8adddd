/// A growing message: JSON text after room for the framing header.
///
/// The room in front lets the outbox put `Content-Length: N` before a finished body without moving
/// it.
package struct JSONWriter: Sendable {
  /// The size of the room: enough for `Content-Length: ` with 10 digits and two line ends.
  package static let headerRoom = 32

  package private(set) var bytes: [UInt8]

  package init() {
    bytes = [UInt8](repeating: 0, count: Self.headerRoom)
    bytes.reserveCapacity(256)
  }

  /// The text so far, without the room in front.
  package var payload: ArraySlice<UInt8> { bytes[Self.headerRoom...] }

  package var payloadCount: Int { bytes.count - Self.headerRoom }

  /// Adds a line end and nothing before the body: one message a line. Returns the start of the
  /// message.
  package mutating func frameAsLine() -> Int {
    bytes.append(UInt8(ascii: "\n"))
    return Self.headerRoom
  }

  /// Puts `Content-Length: N\r\n\r\n` directly before the body; returns the start of the message.
  ///
  /// - Parameter key: the key for a second header line, for a message that replaces an unsent one
  ///   of that key. There is no room for it, so the body is moved.
  package mutating func frameWithHeader(key: String? = nil) -> Int {
    let keyLine = key.map { "Coalescing-Key: \($0)\r\n" } ?? ""
    let header = [UInt8]("Content-Length: \(payloadCount)\r\n\(keyLine)\r\n".utf8)
    let start = max(0, Self.headerRoom - header.count)
    bytes.replaceSubrange(start..<Self.headerRoom, with: header)
    return start
  }

  package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends text that is JSON already.
  package mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func append(raw text: [UInt8]) { bytes.append(contentsOf: text) }

  package mutating func append(raw text: ArraySlice<UInt8>) { bytes.append(contentsOf: text) }

  package mutating func writeNull() { append(raw: "null") }

  package mutating func write(_ value: Bool) { append(raw: value ? "true" : "false") }

  package mutating func write(_ value: some FixedWidthInteger) {
    if Self.isSafe(value) {
      append(raw: String(value))
    } else {
      append(UInt8(ascii: "\""))
      append(raw: String(value))
      append(UInt8(ascii: "\""))
    }
  }

  /// Returns true when every JSON implementation reads the number exactly: within ±(2^53−1).
  package static func isSafe(_ value: some FixedWidthInteger) -> Bool {
    value.magnitude <= (1 << 53 - 1) as UInt64
  }

  /// Writes a number; one that is not finite becomes null: JSON has no infinity, and a reply must
  /// not get lost over one.
  package mutating func write(_ value: Double) {
    if let integer = Int64(exactly: value), Self.isSafe(integer),
      integer != 0 || value.sign == .plus
    {
      write(integer)
    } else {
      append(raw: value.isFinite ? value.description : "null")
    }
  }

  /// Writes a number with the digits a float has, not those of the double nearest to it.
  package mutating func write(_ value: Float) {
    if let integer = Int32(exactly: value), integer != 0 || value.sign == .plus {
      write(integer)
    } else {
      append(raw: value.isFinite ? value.description : "null")
    }
  }

  package mutating func write(_ text: String) {
    append(UInt8(ascii: "\""))
    let utf8 = text.utf8
    if utf8.allSatisfy(Self.isPlain) {
      bytes.append(contentsOf: utf8)
    } else {
      for byte in utf8 { appendEscaped(byte) }
    }
    append(UInt8(ascii: "\""))
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: writeNull()
    case .bool(let value): write(value)
    case .number(let token): append(raw: token)
    case .string(let text): write(text)
    case .array(let elements):
      append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        write(element)
      }
      append(UInt8(ascii: "]"))
    case .object(let members):
      append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        write(member.key)
        append(UInt8(ascii: ":"))
        write(member.value)
      }
      append(UInt8(ascii: "}"))
    }
  }

  /// Appends `source` as base64 (RFC 4648, with padding), unquoted.
  package mutating func appendBase64(_ source: Span<UInt8>) {
    let count = source.count
    var target = bytes.count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (count + 2) / 3 * 4))
    var output = bytes.mutableSpan
    var index = 0
    while index + 2 < count {
      let group = Int(source[index]) << 16 | Int(source[index + 1]) << 8 | Int(source[index + 2])
      output[target] = Self.base64Alphabet[group >> 18]
      output[target + 1] = Self.base64Alphabet[group >> 12 & 63]
      output[target + 2] = Self.base64Alphabet[group >> 6 & 63]
      output[target + 3] = Self.base64Alphabet[group & 63]
      index += 3
      target += 4
    }
    guard index < count else { return }
    let second = index + 1 < count ? Int(source[index + 1]) : 0
    let group = Int(source[index]) << 16 | second << 8
    output[target] = Self.base64Alphabet[group >> 18]
    output[target + 1] = Self.base64Alphabet[group >> 12 & 63]
    if index + 1 < count { output[target + 2] = Self.base64Alphabet[group >> 6 & 63] }
  }

  package static let base64Alphabet = [UInt8](
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    if Self.isPlain(byte) { return append(byte) }
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0..<0x20:
      append(raw: byte < 0x10 ? "u000" : "u00")
      append(raw: String(byte, radix: 16))
    default: append(byte)
    }
  }
}
