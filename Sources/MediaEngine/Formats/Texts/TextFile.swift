import LibAV
import SystemIO

/// A text file in the form that libavformat's subtitle demuxers can read: UTF-8, and for WebVTT
/// only the cues.
struct TextFile: Sendable {
  /// The bytes that are read in place of the file; nil if they are the file's own.
  let source: MemorySource?
  /// The character set of the file.
  let characterSet: CharacterSet
  /// The blocks of a WebVTT file that aren't cues, in its order.
  let blocks: [WebVTTBlock]

  /// The maximum size: libavformat's demuxers store all of a text file in memory, several times
  /// over.
  static let maximumSize: Int64 = 64 << 20

  /// Reads a file that is recognised as subtitles; nil for one that is too large, whose text is
  /// examined as it is read.
  ///
  /// - Parameters:
  ///   - original: the character set before the conversion to UTF-8; nil for an unconverted file.
  ///   - stated: the character set of text that isn't UTF-8; nil to guess it.
  /// - Throws: `fileFailedToParse` if the bytes aren't plausible in any character set.
  init?(
    _ file: any ByteSource, from original: CharacterSet?, stated: CharacterSet?,
    interrupt: Interrupt
  ) throws(EngineError) {
    let read = try mapErrors(.open, path: file.name) { () throws(SystemError) -> [UInt8]? in
      let size = try file.size
      guard size <= TextFile.maximumSize else { return nil }
      return try file.bytes(at: 0, count: Int(size), interrupt: interrupt)
    }
    guard let bytes = read else { return nil }
    let text: String
    var isUTF8 = true
    // Some character sets use only the bytes of ASCII.
    let isOther = original == nil && stated != nil && bytes.allSatisfy { $0 < 0x80 }
    if !isOther, let valid = String(validating: bytes, as: UTF8.self) {
      (text, characterSet) = (valid, original ?? .utf8)
    } else {
      let set: CharacterSet
      if let stated {
        set = stated
      } else {
        set = try .guessed(of: TextLines.beyondASCII(bytes), path: file.name)
      }
      isUTF8 = false
      guard let decoded = set.decode(bytes) else {
        throw .notText(in: set, line: set.firstInvalidLine(of: bytes), path: file.name)
      }
      (text, characterSet) = (decoded, set)
    }
    let cues = WebVTTFile(text)
    blocks = cues?.blocks ?? []
    if let cues, cues.differs {
      source = MemorySource(Array(cues.text.utf8), of: file)
    } else {
      source = isUTF8 ? nil : MemorySource(Array(text.utf8), of: file)
    }
  }

  /// Returns true for a file in the Timed Text Markup Language: XML whose root is a `tt`.
  static func isTTML(
    _ file: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> Bool {
    let bytes = try file.bytes(at: 0, count: 4096, interrupt: interrupt)
    var text = String(decoding: bytes, as: UTF8.self)[...]
    if text.first == "\u{FEFF}" { text.removeFirst() }
    // A declaration, comments and a type may precede the root.
    let preludes = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")]
    while true {
      text = text.drop(while: \.isWhitespace)
      let prelude = preludes.first { text.hasPrefix($0.0) }
      guard let prelude, let range = text.firstRange(of: prelude.1) else { break }
      text = text[range.upperBound...]
    }
    guard text.first == "<" else { return false }
    let root = text.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
    return root.split(separator: ":").last == "tt"
  }

  /// Returns a file in UTF-16 as UTF-8. libavformat doesn't recognise UTF-16 without a mark, and
  /// not in all formats with one. nil for other files.
  ///
  /// - Parameter stated: the character set of a text file without a mark; nil to guess it.
  static func fromUTF16(
    _ file: any ByteSource, stated: CharacterSet?, interrupt: Interrupt
  ) throws(EngineError) -> (source: MemorySource, characterSet: CharacterSet)? {
    /// The first line that is no text of a stated set.
    var wrong: Int?
    let found = try mapErrors(.open, path: file.name) {
      () throws(SystemError) -> (source: MemorySource, characterSet: CharacterSet)? in
      let start = try file.bytes(at: 0, count: 1024, interrupt: interrupt)
      let wide = stated.flatMap { $0.isWide && $0.isText(start) ? $0 : nil }
      guard wide != nil || UTF16Text.mayBe(start) else { return nil }
      let size = try file.size
      guard size <= maximumSize else { return nil }
      let bytes = try file.bytes(at: 0, count: Int(size), interrupt: interrupt)
      if let wide, let text = wide.decode(bytes) {
        return (MemorySource(Array(text.utf8), of: file), wide)
      }
      wrong = wide.flatMap { $0.firstInvalidLine(of: bytes) }
      guard let (text, set) = UTF16Text.decode(bytes) else { return nil }
      return (MemorySource(Array(text.utf8), of: file), set)
    }
    if found == nil, let stated, let wrong {
      throw .notText(in: stated, line: wrong, path: file.name)
    }
    return found
  }
}

extension CharacterSet {
  /// Returns true if the first bytes of a file are text of the character set.
  fileprivate func isText(_ start: [UInt8]) -> Bool {
    guard let text = decode(start.prefix(start.count & ~3)) else { return false }
    return text.unicodeScalars.allSatisfy { $0.value >= 32 || [9, 10, 13].contains($0.value) }
  }

  /// - Parameter lines: text that isn't UTF-8.
  /// - Throws: `fileFailedToParse` if it isn't plausible in any character set.
  static func guessed(of lines: [UInt8], path: String) throws(EngineError) -> CharacterSet {
    guard let guess = CharacterSetGuess.characterSet(of: lines) else {
      throw EngineError(
        .fileFailedToParse,
        "The text of '\(path)' isn't UTF-8, and its characters don't show which character set "
          + "it is in",
        advice: .stateCharacterSet, path: path, stage: .open)
    }
    return guess
  }
}

extension EngineError {
  /// - Parameter line: the number of the first such line; nil where it isn't known.
  static func notText(
    in set: CharacterSet, line: Int? = nil, path: String
  ) -> EngineError {
    let place = line.map { "Line \($0)" } ?? "The text"
    return EngineError(
      .fileFailedToParse, "\(place) of '\(path)' has bytes that are no characters of \(set.name)",
      advice: .stateCharacterSet, path: path, stage: .open)
  }
}

/// The lines of a text in bytes.
enum TextLines {
  /// The number of bytes that guesses need.
  static let limit = 64 << 10

  /// Returns the lines that have bytes beyond ASCII, one after the other.
  static func beyondASCII(_ bytes: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 })
    where line.contains(where: { $0 >= 0x80 }) {
      lines += line
      lines.append(10)
      if lines.count >= limit { break }
    }
    return lines
  }
}

/// UTF-16 that isn't declared, as in texts of Windows programs.
enum UTF16Text {
  /// - Parameter start: the first bytes of a file.
  static func mayBe(_ start: [UInt8]) -> Bool { order(of: start) != nil }

  /// Returns text that begins with a mark, without it; nil for other text.
  static func decodeMarked(_ bytes: [UInt8]) -> String? {
    switch bytes.prefix(2) {
    case [0xFE, 0xFF]: CharacterSet(name: "utf-16be").decode(bytes.dropFirst(2))
    case [0xFF, 0xFE]: CharacterSet(name: "utf-16le").decode(bytes.dropFirst(2))
    default: nil
    }
  }

  /// Returns the text without its mark; nil for bytes that aren't UTF-16.
  static func decode(_ bytes: [UInt8]) -> (text: String, set: CharacterSet)? {
    guard let order = order(of: bytes) else { return nil }
    let set = CharacterSet(
      name: order.isBigEndian ? "utf-16be" : "utf-16le", isGuess: !order.isMarked)
    let whole = bytes.dropFirst(order.isMarked ? 2 : 0)
    // A remaining single byte isn't a character.
    guard let text = set.decode(whole.prefix(whole.count & ~1)) else { return nil }
    return (text, set)
  }

  /// Returns the byte order: by a mark, or by the position of zeros, which are half of the bytes of
  /// Latin text and of digits.
  private static func order(of bytes: [UInt8]) -> (isBigEndian: Bool, isMarked: Bool)? {
    let start = bytes.prefix(1024)
    guard start.count >= 8 else { return nil }
    let pairs = stride(from: 0, to: start.count & ~1, by: 2).map { (start[$0], start[$0 + 1]) }
    let (high, low) = (pairs.count(where: { $0.0 == 0 }), pairs.count(where: { $0.1 == 0 }))
    let marked: Bool? =
      switch (start[0], start[1]) {
      case (0xFF, 0xFE): false
      case (0xFE, 0xFF): true
      default: nil
      }
    // Text of subtitles has times, which consist of digits, in any script.
    let isBigEndian = marked ?? (high > low)
    let zeros = isBigEndian ? high : low
    let others = isBigEndian ? low : high
    guard marked != nil || (zeros * 3 >= pairs.count && others * 8 <= zeros) else { return nil }
    let units = pairs.map { pair in
      isBigEndian ? UInt16(pair.0) << 8 | UInt16(pair.1) : UInt16(pair.1) << 8 | UInt16(pair.0)
    }
    guard units.allSatisfy({ $0 >= 32 || $0 == 9 || $0 == 10 || $0 == 13 }) else { return nil }
    return (isBigEndian, marked != nil)
  }
}
