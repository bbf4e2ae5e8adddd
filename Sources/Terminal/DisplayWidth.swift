extension Character {
  /// The number of terminal columns of the character: 0, 1 or 2.
  ///
  /// By Unicode's East Asian Width (UAX #11), in which emoji are wide too; the C library's `wcwidth` would
  /// depend on the locale, which is often unset where this runs.
  package var displayWidth: Int {
    var width = 0
    for scalar in unicodeScalars {
      // The variation selector that requests the emoji.
      if scalar.value == 0xFE0F, width == 1 { return 2 }
      width = max(width, scalar.displayWidth)
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
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
