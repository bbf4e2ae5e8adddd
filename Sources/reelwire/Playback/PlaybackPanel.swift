import Glibc
import MediaTime
import Terminal

/// The terminal of a player: its keys, and a line that is drawn in place.
///
/// With frames it is the terminal's other screen, which leaves the first one as it was.
final class PlaybackPanel {
  /// The interval at which the time is shown, in the item's time.
  static let interval = Time(value: 1, timescale: 30)

  private let console: Console
  private let keyboard: TerminalKeys
  /// The line that is on the screen.
  private var shown: String?
  /// True on the other screen.
  private var isWide = false
  /// The characters that draw the frame on the screen, or the next one; nil for the line alone.
  private var picture: String?
  /// The characters that remove the frame.
  private let removal: String
  /// True when the next frame is another file's, which may be smaller.
  var expectsOther = false

  /// Nil where there is no terminal, or another job has it.
  ///
  /// - Parameter removal: the characters that remove frames, where clearing the screen doesn't.
  init?(_ console: Console, removal: String) {
    guard console.isTerminal, !console.isQuiet, Terminal.variable("TERM") != "dumb",
      tcgetpgrp(STDIN_FILENO) == getpgrp(), let keyboard = TerminalKeys()
    else { return nil }
    (self.console, self.keyboard, self.removal) = (console, keyboard, removal)
  }

  func listen(
    _ bytes: @escaping @Sendable ([UInt8]?) -> Void, resized: @escaping @Sendable () -> Void
  ) {
    keyboard.listen(bytes, resized: resized)
  }

  func keys(_ bytes: [UInt8]) -> [Key] { keyboard.keys(bytes) }

  /// Removes all that is drawn, and resets the terminal.
  func leave() {
    clear()
    keyboard.leave()
  }

  /// Removes all that is drawn, so that something can be written in its place; it is drawn again with the next line.
  func clear() {
    if isWide {
      try? console.write("\(removal)\u{1B}[?25h\u{1B}[?1049l")
    } else if shown != nil {
      try? console.write("\r\u{1B}[K")
    }
    (shown, isWide) = (nil, false)
  }

  func draw(_ status: PlaybackStatus) throws {
    if (picture != nil) != isWide { try change() }
    let line = status.line(columns: console.columns - 1)
    guard line != shown else { return }
    shown = line
    try console.write((isWide ? "\u{1B}[\(console.rows);1H" : "\r") + "\u{1B}[K" + line)
  }

  /// Shows a frame from now on, and in its place each that follows; nil for none.
  func show(_ picture: String?) throws {
    self.picture = picture
    guard isWide, let picture else { return }
    try console.write((expectsOther ? "\u{1B}[2J" : "") + Self.atTop(picture))
    if expectsOther { shown = nil }
    expectsOther = false
  }

  /// Goes to the other screen, or back.
  private func change() throws {
    clear()
    guard let picture else { return }
    (isWide, expectsOther) = (true, false)
    try console.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J" + Self.atTop(picture))
  }

  /// The characters of a frame at the top, in one piece where the terminal can wait for its end.
  private static func atTop(_ picture: String) -> String {
    "\u{1B}[?2026h\u{1B}[H\(picture)\u{1B}[?2026l"
  }

  /// Draws again in the terminal's new size.
  func resize() {
    clear()
    picture = nil
  }

  func suspend() {
    clear()
    keyboard.suspend()
  }
}
