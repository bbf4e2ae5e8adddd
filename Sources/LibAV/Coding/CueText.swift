/// The text of a subtitle cue with its styles, in any text codec.
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

  /// The texts of the events, one below the other.
  private(set) var parts: [Part] = []
  /// True if the cue has drawings, which are discarded.
  package private(set) var hasDrawings = false
  /// True if the cue has tags that its codec doesn't know, which are discarded.
  package var hasUnknownTags = false

  init() {}

  /// Joins several texts that are shown together, one below the other.
  package init(joining texts: [CueText]) {
    parts = texts.flatMap(\.parts)
    hasDrawings = texts.contains(where: \.hasDrawings)
    hasUnknownTags = texts.contains(where: \.hasUnknownTags)
  }

  /// True if nothing is shown.
  package var isEmpty: Bool { parts.isEmpty }

  /// Appends an event as libavcodec writes it: eight fields and the text between commas.
  ///
  /// - Parameter isScript: true for events of ASS scripts, in whose braces a comment may stand
  ///   before the codes. Otherwise braces without a code are text: libavcodec writes braces of
  ///   other formats so.
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
        // The characters before the first code are a comment.
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

  /// Returns the number of `\p`, above 0 if the following text is a drawing; nil if the codes have
  /// none.
  private static func drawingScale(in codes: String) -> Int? {
    var scale: Int?
    for code in codes.split(separator: "\\") where code.first == "p" {
      let number = code.dropFirst().prefix { $0.isASCII && $0.isNumber }
      // `\pos` and `\pbo` are others.
      if let value = Int(number) { scale = value }
    }
    return scale
  }

  /// Returns the pieces without line breaks at the end.
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

  /// The text without styles, the lines separated by line feeds.
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

  /// Returns the text as an event for libavcodec's encoders.
  ///
  /// - Parameters:
  ///   - fillsLines: puts a no-break space into empty lines, for formats in which they end a cue.
  ///   - escapesBraces: writes braces as players of scripts read them.
  func event(fillsLines: Bool, escapesBraces: Bool = false) -> String {
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
          let escaped = Self.escaped(characters)
          text += escapesBraces ? Self.escapingBraces(escaped) : escaped
        }
      }
    }
    return "0,0,\(parts.first?.style ?? "Default"),,0,0,0,,\(text)"
  }

  private static func escapingBraces(_ text: String) -> String {
    guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return text }
    return String(text.flatMap { $0 == "{" || $0 == "}" ? ["\\", $0] : [$0] })
  }

  /// Returns text in which encoders find no codes: U+2060, which has no width, separates characters
  /// that look like one.
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
