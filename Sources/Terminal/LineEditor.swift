/// A line editor for keys, as Emacs and readline have it: the typed line, the history, and a search
/// through it.
package struct LineEditor: Sendable {
  /// The action of the program that a key requests.
  package enum Event: Sendable, Equatable {
    case edited
    case submit(String)
    /// Several lines: all but the last are to be run, as if each had been typed.
    case pasted([String])
    case complete
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D on an empty line.
    case end
    case clearScreen
    /// Ctrl-Z.
    case suspend
    case ignored
  }

  private struct Search: Sendable {
    var text = ""
    /// The index of the entry that was found; nil when there is none.
    var index: Int?
    var hasFailed = false
    var before: LineBuffer
  }

  package var buffer = LineBuffer()
  package private(set) var history: History
  /// The index of the entry that is shown; the number of entries for the line being written.
  private var place: Int
  /// The line being written, while an entry is shown.
  private var draft = ""
  private var search: Search?

  package init(history: History) {
    self.history = history
    place = history.lines.count
  }

  /// The prompt during a search, in place of the usual one.
  package var searchPrompt: String? {
    search.map { "(\($0.hasFailed ? "failed " : "")search '\($0.text)') " }
  }

  /// Begins a new line.
  package mutating func reset() {
    buffer.set("")
    search = nil
    place = history.lines.count
  }

  package mutating func handle(_ key: Key) -> Event {
    if let event = searching(key) { return event }
    switch key {
    case .text(let text): buffer.insert(text)
    case .paste(let text): return paste(text)
    case .enter: return submit()
    case .tab: return .complete
    case .control("c"): return .interrupt
    case .control("d"):
      if buffer.isEmpty { return .end }
      buffer.deleteAfter()
    case .control("l"): return .clearScreen
    case .control("z"): return .suspend
    case .control("r"): search = Search(before: buffer)
    case .up, .control("p"): show(place - 1)
    case .down, .control("n"): show(place + 1)
    case .alt("<"): show(0)
    case .alt(">"): show(history.lines.count)
    default: return edit(key) ? .edited : .ignored
    }
    return .edited
  }

  private mutating func edit(_ key: Key) -> Bool {
    switch key {
    case .left, .control("b"): buffer.move(by: -1)
    case .right, .control("f"): buffer.move(by: 1)
    case .home, .control("a"): buffer.moveToStart()
    case .end, .control("e"): buffer.moveToEnd()
    case .wordLeft, .alt("b"): buffer.moveToWordStart()
    case .wordRight, .alt("f"): buffer.moveToWordEnd()
    case .backspace: buffer.deleteBefore()
    case .delete: buffer.deleteAfter()
    case .control("u"): buffer.cutToStart()
    case .control("k"): buffer.cutToEnd()
    case .control("w"): buffer.cutBlankWordBefore()
    case .alt("\u{7F}"): buffer.cutWordBefore()
    case .alt("d"): buffer.cutWordAfter()
    case .control("y"): buffer.paste()
    case .control("t"): buffer.transpose()
    default: return false
    }
    return true
  }

  private mutating func submit() -> Event {
    let line = buffer.text
    history.add(line)
    reset()
    return .submit(line)
  }

  private mutating func paste(_ text: String) -> Event {
    let lines = Self.lines(text)
    if lines.count > 1 { return .pasted(lines) }
    buffer.insert(lines.first ?? "")
    return .edited
  }

  /// Returns the lines of a pasted text; JSON that continues on the next line is one line.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var (depth, isQuoted, isEscaped) = (0, false, false)
    for line in text.split(whereSeparator: \.isNewline) {
      let clean = line.filter { $0.isWhitespace || $0.displayWidth > 0 }
        .replacing("\t", with: " ")
      if depth > 0, let before = lines.popLast() {
        lines.append("\(before) \(clean)")
      } else if !clean.allSatisfy(\.isWhitespace) {
        lines.append(clean)
      }
      for character in clean {
        switch character {
        case _ where isEscaped: isEscaped = false
        case "\\" where isQuoted: isEscaped = true
        case "\"": isQuoted.toggle()
        case _ where isQuoted: break
        case "{", "[": depth += 1
        case "}", "]": depth = max(0, depth - 1)
        default: break
        }
      }
      // A string of JSON ends in its line.
      (isQuoted, isEscaped) = (false, false)
    }
    return lines
  }

  private mutating func show(_ index: Int) {
    guard index >= 0, index <= history.lines.count, index != place else { return }
    if place == history.lines.count { draft = buffer.text }
    place = index
    buffer.set(index == history.lines.count ? draft : history.lines[index])
  }

  // MARK: Searching

  /// Handles a key during a search; returns nil when there is none, or when the key ends it and
  /// counts.
  private mutating func searching(_ key: Key) -> Event? {
    guard var search else { return nil }
    switch key {
    case .text(let text):
      search.text += text
      find(&search, before: history.lines.count)
    case .backspace:
      search.text = String(search.text.dropLast())
      find(&search, before: history.lines.count)
    case .control("r"): find(&search, before: search.index ?? history.lines.count)
    case .control("g"), .control("c"), .escape:
      buffer = search.before
      self.search = nil
      return .edited
    default:
      if let index = search.index { place = index }
      self.search = nil
      return nil
    }
    self.search = search
    return .edited
  }

  private mutating func find(_ search: inout Search, before index: Int) {
    guard !search.text.isEmpty, let found = history.search(search.text, before: index) else {
      search.hasFailed = !search.text.isEmpty
      return
    }
    search.index = found
    search.hasFailed = false
    buffer.set(history.lines[found])
  }
}
