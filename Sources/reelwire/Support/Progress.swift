import EngineReports
import Terminal

/// A line on stderr with how far work is; nothing where stderr is no terminal.
struct Progress: Sendable {
  private let console: Console
  private let began = ContinuousClock.now
  /// In seconds of media; nil where there is no speed to show.
  private let length: Double?
  private var isShown = false

  init(_ console: Console, length: Double? = nil) {
    self.console = console
    self.length = length
  }

  /// Shows a part from 0 to 1.
  mutating func show(_ part: Double) {
    guard let columns = console.progressColumns else { return }
    isShown = true
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    let line = Self.line(
      part, elapsed: elapsed, length: length, columns: columns, style: console.errorStyle)
    console.writeToErrors("\r\u{1B}[K\(line)")
  }

  /// Shows what is done, where it isn't known how much there is.
  mutating func show(line: String) {
    guard let columns = console.progressColumns else { return }
    isShown = true
    console.writeToErrors("\r\u{1B}[K\(String(line.prefix(max(0, columns - 1))))")
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { console.writeToErrors("\r\u{1B}[K") }
    isShown = false
  }

  /// `██████░░░░  63 %  4.2x  0:12 left`, as wide as there is room.
  static func line(
    _ part: Double, elapsed: Double, length: Double?, columns: Int, style: Style
  ) -> String {
    let part = min(max(part, 0), 1)
    let percent = "\(Int(part * 100))"
    var words = ["\(String(repeating: " ", count: 3 - percent.count))\(percent) %"]
    if part > 0, elapsed > 0.5 {
      if let length { words.append("\(Formatting.number(part * length / elapsed, places: 1))x") }
      let left = elapsed / part - elapsed
      words.append("\(Formatting.clock(left.rounded(.up), places: 0)) left")
    }
    let text = words.joined(separator: "  ")
    let room = min(40, columns - text.count - 3)
    guard room >= 5 else { return String(text.prefix(max(0, columns - 1))) }
    let full = Int((part * Double(room)).rounded(.down))
    let bar =
      style.green(String(repeating: "█", count: full))
      + style.dim(String(repeating: "░", count: room - full))
    return "\(bar) \(text)"
  }
}
