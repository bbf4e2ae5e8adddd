/// A scanner of the members of a JSON object in a text, one after the other, without decoding their
/// values.
///
/// It reads only text of the engine's own encoder: there is no space between the parts.
struct MemberScanner {
  private let text: ArraySlice<UInt8>
  private var position: Int

  /// Creates a scanner; nil if the text doesn't begin with an object.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.first == UInt8(ascii: "{") else { return nil }
    self.text = text
    position = text.startIndex + 1
  }

  /// Returns the next member's name, as it is written, and the text of its value; nil at the end.
  mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard position < text.endIndex, text[position] == Self.quote else { return nil }
    let nameEnd = Self.endOfString(at: position, in: text)
    guard nameEnd < text.endIndex, text[nameEnd] == UInt8(ascii: ":") else { return nil }
    let name = text[position + 1..<nameEnd - 1]
    let end = Self.endOfValue(at: nameEnd + 1, in: text)
    defer { position = end < text.endIndex && text[end] == Self.comma ? end + 1 : text.endIndex }
    return (name, text[nameEnd + 1..<end])
  }

  /// Returns the values of some members, as far as they are there; the text after the last of them
  /// isn't read.
  static func values(
    of names: [String], in text: ArraySlice<UInt8>
  ) -> [String: ArraySlice<UInt8>] {
    var found: [String: ArraySlice<UInt8>] = [:]
    guard var scanner = MemberScanner(text) else { return found }
    while found.count < names.count, let (name, value) = scanner.next() {
      if let wanted = names.first(where: { $0.utf8.elementsEqual(name) }) { found[wanted] = value }
    }
    return found
  }

  /// Returns the texts of a string, or of an array's strings, that are written without escapes.
  static func strings(in value: ArraySlice<UInt8>) -> [String] {
    guard value.first == UInt8(ascii: "[") else { return string(value).map { [$0] } ?? [] }
    var found: [String] = []
    var position = value.startIndex + 1
    while position < value.endIndex, value[position] != UInt8(ascii: "]") {
      let end = endOfValue(at: position, in: value)
      if let text = string(value[position..<end]) { found.append(text) }
      position = end + 1
    }
    return found
  }

  /// Returns the text of a number, or of a string that is written without escapes.
  static func scalar(_ value: ArraySlice<UInt8>) -> String {
    string(value) ?? String(decoding: value, as: UTF8.self)
  }

  private static func string(_ value: ArraySlice<UInt8>) -> String? {
    guard value.count >= 2, value.first == quote else { return nil }
    return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  /// Returns the position after the string that begins at `start`.
  private static func endOfString(at start: Int, in text: ArraySlice<UInt8>) -> Int {
    var position = start + 1
    while position < text.endIndex, text[position] != quote {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, text.endIndex)
  }

  private static func endOfValue(at start: Int, in text: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var position = start
    while position < text.endIndex {
      switch text[position] {
      case quote:
        position = endOfString(at: position, in: text)
        if depth == 0 { return position }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of the object around it, after a number or a literal.
        if depth == 0 { return position }
        depth -= 1
        if depth == 0 { return position + 1 }
      case comma where depth == 0: return position
      default: break
      }
      position += 1
    }
    return position
  }
}
