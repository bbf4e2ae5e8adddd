/// A key press or a pasted text.
package enum Key: Sendable, Equatable {
  case text(String)
  /// The pasted text, in one piece.
  case paste(String)
  case enter, tab, backspace, delete, escape
  case left, right, up, down, home, end, wordLeft, wordRight
  /// A control character that is a letter: `c` for Ctrl-C.
  case control(Character)
  /// A key with Alt that is a letter; backspace is `\u{7F}`.
  case alt(Character)
  case unknown
}

/// A decoder of the bytes that a terminal sends into keys.
package struct KeyDecoder {
  private var bytes: [UInt8] = []
  private var pasted: [UInt8]?

  package init() {}

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Returns the keys that are complete with these bytes; the remainder stays for the next call.
  package mutating func feed(_ more: [UInt8]) -> [Key] {
    bytes += more
    var keys: [Key] = []
    while let key = next() { keys.append(key) }
    return keys
  }

  private mutating func next() -> Key? {
    if pasted != nil { return endOfPaste() }
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escaped()
    case 0x0D, 0x0A: return take(1, .enter)
    case 0x09: return take(1, .tab)
    case 0x7F, 0x08: return take(1, .backspace)
    case 0..<0x1B: return take(1, .control(Character(UnicodeScalar(first + 0x60))))
    case 0x1C..<0x20: return take(1, .unknown)
    default: return text()
    }
  }

  private mutating func take(_ count: Int, _ key: Key) -> Key {
    bytes.removeFirst(count)
    return key
  }

  /// Returns all text up to the next control character, without an incomplete character at the end.
  private mutating func text() -> Key? {
    var count = bytes.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? bytes.count
    if count == bytes.count {
      let start = bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.startIndex
      let length = Self.length(of: bytes[start])
      if start + length > bytes.count { count = start }
    }
    guard count > 0 else { return nil }
    return take(count, .text(String(decoding: bytes[..<count], as: UTF8.self)))
  }

  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 1
    }
  }

  // MARK: Escape sequences

  /// Decodes an escape. A lone one is the key: a terminal sends the sequences of other keys in one
  /// piece.
  private mutating func escaped() -> Key? {
    guard bytes.count > 1 else { return take(1, .escape) }
    switch bytes[1] {
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return take(3, Self.named(bytes[2]))
    case 0x0D: return take(2, .alt("\r"))
    case 0x20..<0x80: return take(2, .alt(Character(UnicodeScalar(bytes[1]))))
    default: return take(1, .escape)
    }
  }

  /// Decodes `ESC [ numbers letter`.
  private mutating func controlSequence() -> Key? {
    guard let end = bytes.indices.dropFirst(2).first(where: { 0x40...0x7E ~= bytes[$0] }) else {
      return bytes.count > 32 ? take(bytes.count, .unknown) : nil
    }
    let numbers = String(decoding: bytes[2..<end], as: UTF8.self).split(separator: ";")
    let letter = bytes[end]
    bytes.removeFirst(end + 1)
    if letter == UInt8(ascii: "~") { return numbered(numbers.first.map(String.init)) }
    let key = Self.named(letter)
    // The second number is 1 and the sum of shift 1, alt 2 and control 4.
    guard numbers.count > 1, let modifier = Int(numbers[1]), (modifier - 1) & 6 != 0 else {
      return key
    }
    switch key {
    case .left: return .wordLeft
    case .right: return .wordRight
    default: return key
    }
  }

  private mutating func numbered(_ number: String?) -> Key {
    switch number {
    case "1", "7": return .home
    case "3": return .delete
    case "4", "8": return .end
    case "200":
      pasted = []
      return endOfPaste() ?? .text("")
    default: return .unknown
    }
  }

  private static func named(_ letter: UInt8) -> Key {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    default: .unknown
    }
  }

  private mutating func endOfPaste() -> Key? {
    pasted? += bytes
    bytes = []
    guard let all = pasted, let end = all.firstRange(of: Self.pasteEnd) else { return nil }
    pasted = nil
    bytes = Array(all[end.upperBound...])
    return .paste(String(decoding: all[..<end.lowerBound], as: UTF8.self))
  }
}

extension [UInt8] {
  fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
    guard count >= other.count else { return nil }
    return (0...(count - other.count)).first { self[$0..<($0 + other.count)].elementsEqual(other) }
      .map { $0..<($0 + other.count) }
  }
}
