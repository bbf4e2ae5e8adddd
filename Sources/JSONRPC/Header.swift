/// The fields of one header block.
struct Header {
  static let name = [UInt8]("content-length".utf8)
  private static let contentType = [UInt8]("content-type".utf8)
  private static let coalescingKeyName = [UInt8]("coalescing-key".utf8)

  private(set) var contentLength: Int?
  /// The key of a message that replaces an unsent one of the same key.
  private(set) var coalescingKey: String?
  /// The error of the block as a whole, once its end is reached.
  private(set) var problem: String?
  /// A character set that isn't UTF-8.
  private(set) var foreignCharset: String?

  /// Adds one line without its line feed; returns false when it isn't a header line.
  mutating func add(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return false
    }
    let name = Self.trimmed(line[..<colon])
    guard !name.isEmpty, name.allSatisfy(Self.isToken), !Self.isGlued(name) else { return false }
    let value = Self.trimmed(line[(colon + 1)...])
    if Self.matches(name, Self.name) { addLength(value) }
    if Self.matches(name, Self.contentType) { addType(value) }
    if Self.matches(name, Self.coalescingKeyName) {
      coalescingKey = String(decoding: value, as: UTF8.self)
    }
    return true
  }

  /// Compares ASCII letters without case; `lowercase` is lower case already.
  static func matches(_ text: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
    text.count == lowercase.count
      && zip(text, lowercase).allSatisfy { byte, expected in
        byte == expected || (byte >= 0x41 && byte <= 0x5A && byte | 0x20 == expected)
      }
  }

  /// Adds a length: digits only, no sign, at most ten of them: a body that can't be counted can't
  /// be skipped either.
  private mutating func addLength(_ value: ArraySlice<UInt8>) {
    let areDigits = value.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    guard areDigits, (1...10).contains(value.count) else {
      problem = "Content-Length as one to ten decimal digits"
      return
    }
    let length = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    if let contentLength, contentLength != length {
      problem = "one Content-Length, not two that differ"
    }
    contentLength = length
  }

  private mutating func addType(_ value: ArraySlice<UInt8>) {
    let text = String(decoding: value, as: UTF8.self).lowercased()
    for parameter in text.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }) == "charset" else { continue }
      let charset = pair[1].filter { $0 != " " && $0 != "\"" }
      if charset != "utf-8", charset != "utf8" { foreignCharset = String(charset.prefix(40)) }
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }

  /// Returns true for a header that follows text without a line end, such as a body whose announced
  /// length was too short.
  private static func isGlued(_ name: ArraySlice<UInt8>) -> Bool {
    let prefix = name.dropLast(Self.name.count)
    guard let last = prefix.last, last != UInt8(ascii: "-") else { return false }
    return matches(name.suffix(Self.name.count), Self.name)
  }

  /// Returns true for the characters of a header name in RFC 9110 that occur in practice.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      return true
    default: return false
    }
  }
}
