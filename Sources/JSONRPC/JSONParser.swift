/// A syntax error of a JSON text.
public struct JSONSyntaxError: Error, Sendable, Equatable {
  /// The byte at which parsing stopped, counted from the start of the message.
  public var offset: Int
  /// The expected text or the error, as half a sentence.
  public var reason: String

  /// Creates an error.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}

/// A strict RFC 8259 parser over bytes.
///
/// Strict means: UTF-8 only, no byte order mark, no lone surrogate, no raw control character, no
/// NaN, nothing after the document, no nesting beyond ``maximumDepth``. The depth limit bounds
/// recursion, so no input can exhaust the stack.
package struct JSONParser {
  package static let maximumDepth = 512

  package let bytes: [UInt8]
  package private(set) var position = 0
  private var depth = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the one value that the bytes hold, with white space around it allowed.
  package mutating func document() throws(JSONSyntaxError) -> JSONValue {
    let result = try value()
    try finish()
    return result
  }

  /// Refuses anything but white space up to the end.
  package mutating func finish() throws(JSONSyntaxError) {
    if peek() != nil { throw failure("unexpected text after the JSON value") }
  }

  /// Returns the next byte that is not white space, without consuming it; nil at the end.
  package mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  package mutating func value() throws(JSONSyntaxError) -> JSONValue {
    switch peek() {
    case nil: throw failure("a JSON value is missing")
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try object { (key, parser) throws(JSONSyntaxError) in
        members.append(JSONValue.Member(key: key, value: try parser.value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try array { (parser) throws(JSONSyntaxError) in elements.append(try parser.value()) }
      return .array(elements)
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: return .number(try number())
    }
  }

  /// Reads an object; `member` is called at each value and has to read it.
  package mutating func object(
    _ member: (String, inout JSONParser) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    try open()
    if peek() == UInt8(ascii: "}") { return close() }
    while true {
      guard peek() == UInt8(ascii: "\"") else { throw failure("a member name is missing") }
      let key = try string()
      guard peek() == UInt8(ascii: ":") else {
        throw failure("a colon is missing after a member name")
      }
      position += 1
      try member(key, &self)
      switch peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "}"): return close()
      default: throw failure("a comma or } is missing")
      }
    }
  }

  /// Reads an array; `element` is called at each value and has to read it.
  package mutating func array(
    _ element: (inout JSONParser) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    try open()
    if peek() == UInt8(ascii: "]") { return close() }
    while true {
      try element(&self)
      switch peek() {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"): return close()
      default: throw failure("a comma or ] is missing")
      }
    }
  }

  package func failure(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(
      offset: position, reason: position < bytes.count ? reason : "the text ends too early")
  }

  private mutating func open() throws(JSONSyntaxError) {
    guard depth < Self.maximumDepth else {
      throw failure("nested deeper than \(Self.maximumDepth) levels")
    }
    depth += 1
    position += 1
  }

  private mutating func close() {
    depth -= 1
    position += 1
  }

  private mutating func literal(_ word: StaticString) throws(JSONSyntaxError) {
    let count = word.utf8CodeUnitCount
    let text = word.description.utf8
    guard bytes.count - position >= count, bytes[position..<position + count].elementsEqual(text)
    else { throw failure("not a JSON value") }
    position += count
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = position
    if byte() == UInt8(ascii: "-") { position += 1 }
    if byte() == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if byte() == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      position += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while let byte = byte(), byte >= 0x30, byte <= 0x39 { position += 1 }
    if position == start { throw failure("not a JSON value") }
  }

  private func byte(after offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = try validated(bytes[start..<position])
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw failure("a raw control character in a string") }
      position += 1
    }
    throw failure("a string has no end")
  }

  /// Reads a string with escapes, the slow path: `position` is at the first backslash.
  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = [UInt8](bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let result = try validated(text[...])
        position += 1
        return result
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw failure("a raw control character in a string")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure("a string has no end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let escape = byte() else { throw failure("a string has no end") }
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      var scalar = try hexadecimal()
      if (0xD800..<0xDC00).contains(scalar), byte() == UInt8(ascii: "\\"),
        byte(after: 1) == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw failure("a lone surrogate") }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let unicode = Unicode.Scalar(scalar) else { throw failure("a lone surrogate") }
      text.append(contentsOf: UTF8.encode(unicode) ?? UTF8.encodedReplacementCharacter)
      return
    default: throw failure("an unknown escape in a string")
    }
    position += 1
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch byte() {
      case let next? where next >= 0x30 && next <= 0x39: digit = next - 0x30
      case let next? where next | 0x20 >= 0x61 && next | 0x20 <= 0x66: digit = (next | 0x20) - 0x57
      default: throw failure("four hexadecimal digits are missing after \\u")
      }
      result = result << 4 | UInt32(digit)
      position += 1
    }
    return result
  }

  private func validated(_ slice: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw failure("a string is not valid UTF-8")
    }
    return text
  }
}
