/// The text of a cue of subtitles with its styles, in any codec that is text.
///
/// libavcodec's decoders write all of them as lines of an ASS script, whose codes are understood here: codes in
/// braces, `\N`, `\n`, `\h`, `\{` and `\}` (the ASS format). From FFmpeg 6 on decoders write a brace as `\{{}` and a
/// backslash with U+2060 after it.
package struct CueText: Sendable, Hashable {
  /// A piece of a text.
  enum Piece: Sendable, Hashable {
    case text(String)
    case newline
    /// The codes of a pair of braces.
    case codes(String)
  }

  /// The text that one event shows, in the style of that name.
  struct Part: Sendable, Hashable {
    var style: String
    var pieces: [Piece]
  }

  /// One under the other.
  private(set) var parts: [Part] = []
  /// True where it has drawings, of which nothing is left.
  package private(set) var hasDrawings = false

  init() {}

  /// Several texts that are shown together, one under the other.
  package init(joining texts: [CueText]) {
    parts = texts.flatMap(\.parts)
    hasDrawings = texts.contains(where: \.hasDrawings)
  }

  /// True where nothing is shown.
  package var isEmpty: Bool { parts.isEmpty }

  /// Appends an event as libavcodec writes it: eight fields and the text between commas.
  ///
  /// - Parameter isScript: for events of ASS scripts, in whose braces a comment may stand before the codes. Braces
  ///   without a code are text: that is what libavcodec makes of braces in other formats.
  mutating func append(event: String, isScript: Bool) {
    let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return }
    var pieces: [Piece] = []
    var text = ""
    var isDrawing = false
    var rest = fields[8][...]
    func flush() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
    }
    while let character = rest.popFirst() {
      if character == "{", let end = rest.firstIndex(of: "}"),
        rest.first == "\\" || rest.first == "}" || isScript && rest[..<end].contains("\\")
      {
        // What comes before the first code is a comment.
        let codes = String(rest[..<end].drop { $0 != "\\" })
        rest = rest[rest.index(after: end)...]
        guard !codes.isEmpty else { continue }
        flush()
        isDrawing = Self.drawingScale(in: codes).map { $0 > 0 } ?? isDrawing
        pieces.append(.codes(codes))
      } else if isDrawing {
        hasDrawings = true
      } else if character == "\\", let code = rest.first, let meaning = Self.escapes[code] {
        rest.removeFirst()
        if meaning == "\n" {
          flush()
          pieces.append(.newline)
        } else {
          text.append(meaning)
        }
      } else if character == "\r\n" || character == "\n" {
        flush()
        pieces.append(.newline)
      } else if character != "\r" {
        text.append(character)
      }
    }
    flush()
    guard
      pieces.contains(where: { piece in
        if case .text = piece { true } else { false }
      })
    else { return }
    parts.append(Part(style: String(fields[2]), pieces: Self.trimmed(pieces)))
  }

  mutating func append(text: String) {
    guard !text.isEmpty else { return }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var pieces: [Piece] = []
    for (number, line) in lines.enumerated() {
      if number > 0 { pieces.append(.newline) }
      if !line.isEmpty { pieces.append(.text(String(line))) }
    }
    parts.append(Part(style: "Default", pieces: Self.trimmed(pieces)))
  }

  private static let escapes: [Character: Character] = [
    "N": "\n", "n": "\n", "h": "\u{a0}", "{": "{", "}": "}", "\u{2060}": "\\",
  ]

  /// The number of `\p`, above 0 for what follows to be a drawing; nil where the codes have none.
  private static func drawingScale(in codes: String) -> Int? {
    var scale: Int?
    for code in codes.split(separator: "\\") where code.first == "p" {
      let number = code.dropFirst().prefix { $0.isASCII && $0.isNumber }
      // `\pos` and `\pbo` are others.
      if let value = Int(number) { scale = value }
    }
    return scale
  }

  /// Without line breaks at the end.
  private static func trimmed(_ pieces: [Piece]) -> [Piece] {
    var pieces = pieces
    while let last = pieces.lastIndex(where: { piece in
      if case .codes = piece { false } else { true }
    }), pieces[last] == .newline {
      pieces.remove(at: last)
    }
    return pieces
  }

  // MARK: Forms

  /// Without styles, the lines separated by line feeds.
  package var plain: String {
    parts.map { part in
      part.pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .newline: "\n"
        case .codes: ""
        }
      }.joined()
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// As an event for libavcodec's encoders.
  ///
  /// - Parameter fillsLines: puts a no-break space into empty lines, for forms in which they end a cue.
  func event(fillsLines: Bool) -> String {
    var text = ""
    var hasCodes = false
    var isLineEmpty = true
    func startLine() {
      if isLineEmpty, fillsLines { text += "\u{a0}" }
      text += "\\N"
      isLineEmpty = true
    }
    for (number, part) in parts.enumerated() {
      if number > 0 {
        let isOther = part.style != parts[number - 1].style
        if hasCodes || isOther { text += "{\\r\(isOther ? part.style : "")}" }
        hasCodes = hasCodes || isOther
        startLine()
      }
      for piece in part.pieces {
        switch piece {
        case .codes(let codes):
          text += "{\(codes)}"
          hasCodes = true
        case .newline: startLine()
        case .text(let characters):
          isLineEmpty = false
          text += Self.escaped(characters)
        }
      }
    }
    return "0,0,\(parts.first?.style ?? "Default"),,0,0,0,,\(text)"
  }

  /// Text in which encoders see no codes: what looks like one is parted by U+2060, which has no width.
  private static func escaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var escaped = ""
    var previous: Character?
    for character in text {
      if previous == "{", character == "\\" { escaped += "\u{2060}" }
      if previous == "\\", character == "N" || character == "n" { escaped += "\u{2060}" }
      escaped.append(character)
      previous = character
    }
    return escaped
  }
}
