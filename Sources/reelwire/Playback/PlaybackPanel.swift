import Glibc
import MediaTime
import Terminal

/// The terminal of a player: its keys, and a line that is drawn in place.
final class PlaybackPanel {
  /// How often the time is shown, in the item's time.
  static let interval = Time(value: 1, timescale: 10)

  private let console: Console
  private let keyboard: TerminalKeys
  private var shown: String?

  /// Nil where there is no terminal, or another job has it.
  init?(_ console: Console) {
    guard console.isTerminal, !console.isQuiet, Terminal.variable("TERM") != "dumb",
      tcgetpgrp(STDIN_FILENO) == getpgrp(), let keyboard = TerminalKeys()
    else { return nil }
    (self.console, self.keyboard) = (console, keyboard)
  }

  func listen(
    _ bytes: @escaping @Sendable ([UInt8]?) -> Void, resized: @escaping @Sendable () -> Void
  ) {
    keyboard.listen(bytes, resized: resized)
  }

  func keys(_ bytes: [UInt8]) -> [Key] { keyboard.keys(bytes) }

  /// Takes the line away, and sets the terminal back.
  func leave() {
    clear()
    keyboard.leave()
  }

  /// Takes the line away, so that something can be written in its place.
  func clear() {
    if shown != nil { try? console.write("\r\u{1B}[K") }
    shown = nil
  }

  func draw(_ status: PlaybackStatus) throws {
    let line = status.line(columns: console.columns - 1)
    guard line != shown else { return }
    shown = line
    try console.write("\r\u{1B}[K" + line)
  }

  func resize() { clear() }

  func suspend() {
    clear()
    keyboard.suspend()
  }
}
