import Glibc
import Terminal

/// The terminal of a conversation: its keys, and the prompt with the line that is being written.
final class ReplKeyboard {
  private let console: Console
  private let terminal: TerminalKeys
  private var view: PromptView
  var editor: LineEditor
  /// The text before the line.
  var prompt = "reelwire> "

  /// Nil when stdin is no terminal.
  init?(_ console: Console) {
    guard let terminal = TerminalKeys() else { return nil }
    (self.terminal, self.console) = (terminal, console)
    view = PromptView(columns: console.columns)
    editor = LineEditor(history: History(path: History.standardPath("reelwire")))
    // Pasted text comes in brackets, so that its line breaks aren't mistaken for Enter.
    console.writeToErrors("\u{1B}[?2004h")
  }

  /// Sets the terminal back.
  func leave() {
    console.writeToErrors("\u{1B}[?2004l")
    terminal.leave()
  }

  /// Hears of bytes, nil at their end, and of changes of the terminal's size.
  func listen(
    _ bytes: @escaping @Sendable ([UInt8]?) -> Void, resized: @escaping @Sendable () -> Void
  ) {
    terminal.listen(bytes, resized: resized)
  }

  func keys(_ bytes: [UInt8]) -> [Key] { terminal.keys(bytes) }

  // MARK: The prompt

  /// Shows the prompt and the line as they are now, in the terminal's present width: keys may come
  /// before the signal that reports a change of it.
  func draw() throws {
    view.columns = console.columns
    let (prompt, cursor) = (editor.searchPrompt ?? prompt, editor.buffer.cursor)
    try console.write(
      view.draw(
        prompt: prompt, style: console.style.bold, line: editor.buffer.text, cursor: cursor))
  }

  /// Removes the prompt, so that something can be written in its place.
  func erase() throws { try console.write(view.erase()) }

  /// Leaves the line where it is; later output comes below it.
  func leaveLine() throws {
    // The prompt, not the search's: so it looks as if it had been typed.
    try draw()
    try console.write(view.leave(prompt: editor.searchPrompt ?? prompt, line: editor.buffer.text))
  }

  func resize() throws {
    let wasShown = view.isShown
    try erase()
    if wasShown { try draw() }
  }

  func clearScreen() throws {
    try console.write(view.erase() + "\u{1B}[H\u{1B}[2J")
    try draw()
  }

  /// Ctrl-Z: the shell has the terminal until it brings us back.
  func suspend() throws {
    try erase()
    terminal.suspend()
    try draw()
  }

  /// Inserts the common part of the candidates, or lists them.
  func complete(_ completion: Completer.Completion) throws {
    let candidates = completion.candidates
    guard let first = candidates.first else { return }
    if candidates.count == 1 {
      editor.buffer.replace(last: completion.replaced, with: first.text + first.end)
      return try draw()
    }
    let common = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    if common.count > completion.replaced {
      editor.buffer.replace(last: completion.replaced, with: common)
      return try draw()
    }
    try erase()
    try console.write(Self.table(candidates.map(\.text.printable), columns: console.columns))
    try draw()
  }

  /// Names in columns, of which each is read downwards.
  static func table(_ names: [String], columns: Int) -> String {
    let width = (names.map(\.displayWidth).max() ?? 0) + 2
    let across = max(1, columns / width)
    let rows = (names.count + across - 1) / across
    return (0..<rows).map { row in
      let line = stride(from: row, to: names.count, by: rows).map { names[$0].padded(to: width) }
      return line.joined().trimmingEnd + "\n"
    }.joined()
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }

  fileprivate var trimmingEnd: Substring {
    var text = self[...]
    while text.hasSuffix(" ") { text = text.dropLast() }
    return text
  }
}
