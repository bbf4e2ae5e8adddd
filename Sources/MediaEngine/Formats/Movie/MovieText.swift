// Text in the encodings of movies.

extension ByteView {
  /// Text in UTF-16 if there is a byte order mark, else in UTF-8, up to the first NUL, and repaired
  /// if it is invalid.
  var text: String {
    if hasPrefix([0xFE, 0xFF]) { return slice(from: 2).utf16Text(bigEndian: true) }
    if hasPrefix([0xFF, 0xFE]) { return slice(from: 2).utf16Text(bigEndian: false) }
    let text = hasPrefix([0xEF, 0xBB, 0xBF]) ? slice(from: 3) : self
    return String(decoding: text.untilZero.bytes, as: UTF8.self)
  }

  /// Decodes UTF-16. A byte order mark takes precedence over `bigEndian`.
  func utf16Text(bigEndian: Bool) -> String {
    if hasPrefix([0xFE, 0xFF]) { return slice(from: 2).utf16Text(bigEndian: true) }
    if hasPrefix([0xFF, 0xFE]) { return slice(from: 2).utf16Text(bigEndian: false) }
    var units: [UInt16] = []
    for offset in stride(from: 0, to: count - 1, by: 2) {
      guard let unit = uint16(at: offset), unit != 0 else { break }
      units.append(bigEndian ? unit : unit.byteSwapped)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Returns the length of the text at `offset` in bytes with its NUL, and the text:
  /// zero-terminated, in UTF-8 or, after a byte order mark, UTF-16 (3GPP TS 26.244, clause 8).
  func terminatedText(at offset: Int) -> (size: Int, text: String) {
    let rest = slice(from: offset)
    guard rest.hasPrefix([0xFE, 0xFF]) || rest.hasPrefix([0xFF, 0xFE]) else {
      let size = rest.untilZero.count
      return (min(size + 1, rest.count), rest.slice(from: 0, count: size).text)
    }
    var end = 2
    while let unit = rest.uint16(at: end), unit != 0 { end += 2 }
    return (min(end + 2, rest.count), rest.slice(from: 0, count: end).text)
  }

  /// Returns QuickTime's text: in the encoding of its language if that is one of the classic Mac
  /// OS, else UTF-8 or UTF-16 (QuickTime File Format, "User Data Text Strings").
  ///
  /// Of the encodings of Mac OS, only Roman is supported. Text in a language with another encoding
  /// is read as UTF-8 if it is valid.
  func text(in language: PackedLanguage) -> String {
    guard language.isMacintosh || language == .unspecified else { return text }
    if !language.isRoman, let text = String(validating: untilZero.bytes, as: UTF8.self) {
      return text
    }
    return untilZero.macRomanText
  }

  /// Mac OS Roman.
  var macRomanText: String {
    var text = ""
    for byte in bytes {
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text.unicodeScalars.append(macRoman[Int(byte - 0x80)])
      }
    }
    return text
  }
}

extension PackedLanguage {
  /// True if the classic Mac OS used its Roman encoding, or one close to it, for the language.
  fileprivate var isRoman: Bool {
    switch rawValue {
    case 0...9, 13, 15, 16, 34, 35, 81...83, 88...94, 128...131, 140...143, 145...147: true
    case PackedLanguage.unspecified.rawValue: true
    default: false
    }
  }
}

/// The upper half of Mac OS Roman.
private let macRoman: [Unicode.Scalar] = Array(
  ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"
    + "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars
)
