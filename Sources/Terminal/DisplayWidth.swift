extension Character {
  /// The number of terminal columns of the character: 0, 1 or 2.
  ///
  /// By Unicode's East Asian Width (UAX #11), in which emoji are wide too; the C library's `wcwidth` would
  /// depend on the locale, which is often unset where this runs.
  package var displayWidth: Int {
    var width = 0
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar.value == 0xFE0F {
        // The variation selector that requests the emoji.
        if previous?.properties.isEmoji == true { width = 2 }
      } else if previous?.value != 0x200D || !scalar.properties.isEmoji {
        // An emoji that is joined is drawn into the previous one. Letters and marks of one character
        // have two columns together at most.
        width = min(2, width + scalar.displayWidth)
      }
      previous = scalar
    }
    return width
  }
}

extension StringProtocol {
  /// The number of terminal columns of the text.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension String {
  /// Returns the text with spaces up to a number of columns.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if value < 0x300 { return value >= 0x20 && !(0x7F..<0xA0).contains(value) ? 1 : 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control: return 0
    case .format: return isPrependedMark ? 1 : 0
    default: break
    }
    if isFollowingJamo { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  /// The signs of numbers and abbreviations that are drawn around the following digits or letters.
  private var isPrependedMark: Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// Vowels and final consonants of Hangul, which are drawn into the syllable, and its invisible fillers.
  private var isFollowingJamo: Bool {
    switch value {
    case 0x1160...0x11FF, 0x3164, 0xD7B0...0xD7FF, 0xFFA0: true
    default: false
    }
  }

  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
      0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
