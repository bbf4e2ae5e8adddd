/// A block of a WebVTT file that isn't a cue: a style sheet, a region, a comment.
struct WebVTTBlock: Sendable, Hashable {
  /// `STYLE`, `REGION` or `NOTE`; nil for a block that readers skip.
  let kind: String?
  let text: String
}

/// A WebVTT file, parsed as its specification requires (W3C WebVTT, 6.1, "WebVTT parser
/// algorithm").
struct WebVTTFile {
  let blocks: [WebVTTBlock]
  /// The file with only its first line and its cues.
  let text: String
  /// True if `text` differs from the file.
  let differs: Bool

  /// - Parameter text: the result is nil for one that isn't WebVTT.
  init?(_ text: String) {
    let text = text.first == "\u{feff}" ? String(text.dropFirst()) : text
    guard text.hasPrefix("WEBVTT"),
      text.dropFirst(6).first.map({ $0 == " " || $0 == "\t" || $0.isNewline }) ?? true
    else { return nil }
    var lines = Self.lines(of: text)[...]
    let header = lines.popFirst() ?? "WEBVTT"
    // Lines immediately after the first one belong to the header.
    var hasHeaderLines = false
    while let line = lines.first, !line.isEmpty, !line.contains("-->") {
      hasHeaderLines = true
      lines.removeFirst()
    }
    var cues: [[Substring]] = []
    var others: [WebVTTBlock] = []
    var isSplit = false
    var block: [Substring] = []
    var hasTimes = false
    func isCue(_ line: Substring) -> Bool { line.contains("-->") }
    func close(_ block: [Substring], hasTimes: Bool) {
      guard !block.isEmpty else { return }
      if hasTimes { cues.append(block) } else { others.append(Self.block(block)) }
    }
    for line in lines {
      if line.isEmpty {
        close(block, hasTimes: hasTimes)
        (block, hasTimes) = ([], false)
      } else if isCue(line), hasTimes || block.count > 1 {
        // Times begin a cue, also without an empty line before them.
        close(block, hasTimes: hasTimes)
        (block, hasTimes, isSplit) = ([line], true, true)
      } else {
        hasTimes = hasTimes || isCue(line)
        block.append(line)
      }
    }
    close(block, hasTimes: hasTimes)
    blocks = others
    differs = !others.isEmpty || isSplit || hasHeaderLines
    self.text =
      ([String(header)] + cues.map { $0.joined(separator: "\n") }).joined(separator: "\n\n") + "\n"
  }

  private static func block(_ lines: [Substring]) -> WebVTTBlock {
    let kind = ["STYLE", "REGION", "NOTE"].first { name in
      guard let first = lines.first, first.hasPrefix(name) else { return false }
      let rest = first.dropFirst(name.count)
      return rest.first.map { $0 == " " || $0 == "\t" } ?? true
    }
    return WebVTTBlock(kind: kind, text: lines.joined(separator: "\n"))
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
  }
}
