/// The colours and weights of text, or none.
package struct Style: Sendable {
  /// True if escape sequences are written at all.
  package var isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  /// No colour: for files, pipes and users who don't want any.
  package static let plain = Style(isColored: false)

  package func bold(_ text: String) -> String { wrap("1", text) }
  package func dim(_ text: String) -> String { wrap("2", text) }
  package func red(_ text: String) -> String { wrap("31", text) }
  package func green(_ text: String) -> String { wrap("32", text) }
  package func yellow(_ text: String) -> String { wrap("33", text) }
  package func blue(_ text: String) -> String { wrap("34", text) }
  package func cyan(_ text: String) -> String { wrap("36", text) }

  private func wrap(_ code: String, _ text: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text without characters that a terminal acts upon: names and tags come from files.
  ///
  /// Control characters, and those that turn the direction of writing, are shown by their numbers.
  package var printable: String { escaped { "\\u{\(String($0.value, radix: 16))}" } }

  /// JSON text without such characters, which become escapes of JSON.
  package var printableJSON: String {
    escaped { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private func escaped(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isActedUpon) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isActedUpon {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isActedUpon: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
