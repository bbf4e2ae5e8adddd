import EngineProtocol
import MediaTime
import Terminal

/// Chapters in a text file, in one of the forms that other programs write.
enum ChapterFile {
  static func read(_ path: String) throws -> [WireChapter] {
    var text = String(decoding: try LocalFile.read(path), as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let chapters: [WireChapter]?
    if text.hasPrefix("WEBVTT") {
      chapters = webVTT(lines)
    } else if text.hasPrefix(";FFMETADATA") {
      chapters = ffmetadata(lines)
    } else {
      chapters = ogm(lines)
    }
    guard let chapters, !chapters.isEmpty else {
      let forms = "WebVTT, ffmetadata (;FFMETADATA1) or OGM text (CHAPTER01=00:00:00.000)"
      throw CommandError(
        "'\(path.printable)' has no chapters that can be read", hint: "It has to be \(forms).")
    }
    return chapters
  }

  private static func chapter(_ title: String, _ start: Time, _ end: Time?) -> WireChapter {
    guard let end else { return WireChapter(title: title, start: WireTime(start)) }
    return WireChapter(
      title: title, timeRange: WireTimeRange(TimeRange(start: start, end: max(start, end))))
  }

  /// A cue is a chapter: its times, and lines of text up to an empty one (WebVTT, section 4.1).
  private static func webVTT(_ lines: [Substring]) -> [WireChapter]? {
    var chapters: [WireChapter] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard let arrow = line.firstRange(of: "-->") else { continue }
      let first = line[..<arrow.lowerBound].filter { !$0.isWhitespace }
      let second = line[arrow.upperBound...].split(separator: " ").first.map(String.init) ?? ""
      guard let start = Time(string: String(first)), let end = Time(string: second) else {
        return nil
      }
      let title = rest.prefix { !$0.isEmpty }
      rest = rest.dropFirst(title.count)
      chapters.append(chapter(title.joined(separator: " "), start, end))
    }
    return chapters
  }

  /// Sections `[CHAPTER]` with a clock and times on it (FFmpeg Formats Documentation, "Metadata").
  private static func ffmetadata(_ lines: [Substring]) -> [WireChapter]? {
    var chapters: [WireChapter] = []
    var fields: [String: String]?
    func close() -> Bool {
      guard let fields else { return true }
      let clock = (fields["TIMEBASE"] ?? "1/1000000000").split(separator: "/").map { Int64($0) }
      guard clock.count == 2, let ticks = clock[0], let scale = clock[1], ticks > 0, scale > 0,
        let start = fields["START"].flatMap({ Int64($0) })
      else { return false }
      func time(_ value: Int64) -> Time? {
        let (count, overflow) = value.multipliedReportingOverflow(by: ticks)
        return overflow ? nil : Time(string: "\(count)/\(scale)")
      }
      guard let begin = time(start) else { return false }
      chapters.append(
        chapter(fields["title"] ?? "", begin, fields["END"].flatMap { Int64($0) }.flatMap(time)))
      return true
    }
    var lines = lines[...]
    while var line = lines.popFirst() {
      // An escaped line break continues in the next line.
      while line.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1,
        let next = lines.popFirst()
      {
        line = line.dropLast() + "\n" + next
      }
      if line.hasPrefix("[") {
        guard close() else { return nil }
        fields = line == "[CHAPTER]" ? [:] : nil
      } else if fields != nil, !line.hasPrefix(";"), !line.hasPrefix("#") {
        let (name, value) = field(line)
        fields?[name] = value
      }
    }
    return close() ? chapters : nil
  }

  /// A name and its value, of which a backslash escapes the next character.
  private static func field(_ line: Substring) -> (String, String) {
    var parts = [""]
    var isEscaped = false
    for character in line {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else if !isEscaped, character == "=", parts.count == 1 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
        isEscaped = false
      }
    }
    return (parts[0], parts.count > 1 ? parts[1] : "")
  }

  /// `CHAPTER01=00:00:00.000` and `CHAPTER01NAME=Title`.
  private static func ogm(_ lines: [Substring]) -> [WireChapter]? {
    var starts: [(number: Substring, time: Time)] = []
    var titles: [Substring: String] = [:]
    for line in lines {
      guard line.uppercased().hasPrefix("CHAPTER"), let sign = line.firstIndex(of: "=") else {
        continue
      }
      let name = line[..<sign].dropFirst("CHAPTER".count)
      let number = name.prefix(while: \.isNumber)
      let value = String(line[line.index(after: sign)...])
      if name.dropFirst(number.count).uppercased() == "NAME" {
        titles[number] = value
      } else if number.count == name.count {
        guard let time = Time(string: value) else { return nil }
        starts.append((number, time))
      }
    }
    return starts.map { chapter(titles[$0.number] ?? "", $0.time, nil) }
  }
}
