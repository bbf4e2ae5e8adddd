/// The tags of SubRip's text, which has no escapes: `<` is a character unless a tag begins with it.
///
/// libavcodec's decoder takes `a < b & c > d` for bold text, and removes all that is in angle brackets.
enum SubRipMarkup {
  /// The tags that the decoder understands.
  private static let known: Set = ["b", "i", "u", "s", "font", "br"]
  /// The last character for private use, in place of a `<` that is text, for the decoder.
  private static let mark: Unicode.Scalar = "\u{10FFFD}"

  /// Returns the text of the decoder with each `<` that was marked.
  static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.contains(mark) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar == mark ? "<" : scalar) }
    return String(scalars)
  }

  /// Returns a text in which each `<` that is a character is marked; nil for one without any.
  ///
  /// - Returns: the text, and true if it has tags that SubRip doesn't know.
  static func marking(_ bytes: [UInt8]) -> (bytes: [UInt8]?, hasUnknownTags: Bool) {
    guard bytes.contains(UInt8(ascii: "<")) else { return (nil, false) }
    var marked: [UInt8] = []
    var (isMarked, hasUnknownTags) = (false, false)
    for (place, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "<") else {
        marked.append(byte)
        continue
      }
      switch kind(of: bytes[(place + 1)...]) {
      case .text:
        isMarked = true
        marked += Array(String(mark).utf8)
        continue
      case .known: break
      case .unknown: hasUnknownTags = true
      }
      marked.append(byte)
    }
    return (isMarked ? marked : nil, hasUnknownTags)
  }

  private enum Kind { case text, known, unknown }

  /// Returns the kind of a `<`, by the bytes after it.
  private static func kind(of rest: ArraySlice<UInt8>) -> Kind {
    guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
      rest[end] == UInt8(ascii: ">")
    else { return .text }
    var tag = Substring(String(decoding: rest[..<end], as: UTF8.self))
    if tag.first == "/" { tag.removeFirst() }
    let name = tag.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let others = tag.dropFirst(name.count)
    guard name.first?.isLetter == true,
      others.isEmpty || others.first?.isWhitespace == true || others.first == "/"
        || others.first == "."
    else { return .text }
    // Text without a value after the name is no attribute: the bracket is one of a comparison.
    let isPlain = others.allSatisfy { $0.isWhitespace || $0 == "/" }
    guard isPlain || others.contains("=") else { return .text }
    return known.contains(name.lowercased()) ? .known : .unknown
  }
}
