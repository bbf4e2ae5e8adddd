/// The styles of text that WebVTT, SubRip and a movie's text have in common.
struct CueStyle: Hashable {
  var isBold = false
  var isItalic = false
  var isUnderlined = false

  /// The tags of the styles that are set.
  fileprivate var tags: [String] {
    [(isBold, "b"), (isItalic, "i"), (isUnderlined, "u")].filter(\.0).map(\.1)
  }

  /// Applies the codes of a pair of braces.
  ///
  /// - Parameters:
  ///   - own: the style at the beginning of the line.
  ///   - others: the styles by their names, for `\rName`.
  fileprivate mutating func apply(_ codes: String, own: CueStyle, others: [String: CueStyle]) {
    for code in codes.split(separator: "\\") {
      let name = code.prefix { $0.isASCII && $0.isLetter }
      let number = Int(code.dropFirst(name.count).prefix { $0.isASCII && $0.isNumber })
      switch name {
      // A weight such as 700 is bold, too.
      case "b": isBold = number.map { $0 == 1 || $0 >= 600 } ?? own.isBold
      case "i": isItalic = number.map { $0 != 0 } ?? own.isItalic
      case "u": isUnderlined = number.map { $0 != 0 } ?? own.isUnderlined
      case _ where code.first == "r": self = others[String(code.dropFirst())] ?? own
      default: break
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the styles that a script's header defines, by their names.
  static func styles(ofHeader header: String) -> [String: CueStyle] {
    var styles: [String: CueStyle] = [:]
    var fields: [String] = []
    var isInStyles = false
    for line in header.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInStyles = line.contains("Styles") }
      guard isInStyles, let colon = line.firstIndex(of: ":") else { continue }
      let values = line[line.index(after: colon)...].split(
        separator: ",", omittingEmptySubsequences: false
      ).map(Self.trimmed)
      if line.hasPrefix("Format") { fields = values.map { $0.lowercased() } }
      guard line.hasPrefix("Style") else { continue }
      let value = Dictionary(zip(fields, values)) { first, _ in first }
      func isSet(_ name: String) -> Bool { (value[name].flatMap { Int($0) } ?? 0) != 0 }
      guard let name = value["name"] else { continue }
      styles[name] = CueStyle(
        isBold: isSet("bold"), isItalic: isSet("italic"), isUnderlined: isSet("underline"))
    }
    return styles
  }
}

extension CueText {
  /// Returns the payload of a cue (W3C WebVTT, 4.2.2), which libavcodec's encoder writes without
  /// its escapes.
  ///
  /// - Parameter styles: the styles of the script, by their names.
  func webVTT(_ styles: [String: CueStyle]) -> String {
    var text = ""
    var open: [String] = []
    var isLineEmpty = true
    func startLine() {
      // An empty line would end the cue.
      if isLineEmpty { text += "&nbsp;" }
      text += "\n"
      isLineEmpty = true
    }
    func change(to style: CueStyle) {
      let wanted = style.tags
      let common = zip(open, wanted).prefix { $0 == $1 }.count
      for tag in open.dropFirst(common).reversed() { text += "</\(tag)>" }
      for tag in wanted.dropFirst(common) { text += "<\(tag)>" }
      open = wanted
    }
    for (number, part) in parts.enumerated() {
      if number > 0 {
        change(to: CueStyle())
        startLine()
      }
      let own = styles[part.style] ?? CueStyle()
      var style = own
      for piece in part.pieces {
        switch piece {
        case .codes(let codes): style.apply(codes, own: own, others: styles)
        case .newline: startLine()
        case .text(let characters):
          change(to: style)
          isLineEmpty = false
          text += Self.escapedForWebVTT(characters)
        }
      }
    }
    change(to: CueStyle())
    return text
  }

  private static func escapedForWebVTT(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{a0}": escaped += "&nbsp;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
