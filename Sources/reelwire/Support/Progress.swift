import EngineReports
import JSONRPC
import Terminal

/// The progress of work on stderr: a line of a terminal, or lines of JSON.
struct Progress: Sendable {
  private let console: Console
  private let began = ContinuousClock.now
  /// The length in seconds of media; nil where there is no speed to show.
  private let length: Double?
  private var isShown = false
  /// The time of the last line of JSON, in seconds since the beginning.
  private var lastReport = -1.0

  init(_ console: Console, length: Double? = nil) {
    self.console = console
    self.length = length
  }

  /// Shows a part from 0 to 1.
  mutating func show(_ part: Double) {
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    switch console.progressForm {
    case nil: break
    case .line(let columns):
      write(
        line: Self.line(
          part, elapsed: elapsed, length: length, columns: columns, style: console.errorStyle))
    case .json where part < 1 && elapsed - lastReport < 0.1: break
    case .json:
      lastReport = elapsed
      console.complain(Self.json(part, elapsed: elapsed, length: length))
    }
  }

  /// Shows the progress as text, where the total isn't known.
  mutating func show(line: String) {
    switch console.progressForm {
    case nil: break
    case .line(let columns): write(line: String(line.prefix(max(0, columns - 1))))
    case .json:
      let status = JSONValue.object([.init(key: "status", value: .string(line))])
      console.complain(status.description)
    }
  }

  private mutating func write(line: String) {
    isShown = true
    console.writeToErrors("\r\u{1B}[K\(line)")
  }

  /// `{"progress":0.42,"elapsed":1.5,"remaining":2.071,"speed":4.2}`: a part from 0 to 1, seconds, and seconds of media
  /// in one.
  static func json(_ part: Double, elapsed: Double, length: Double?) -> String {
    let part = min(max(part, 0), 1)
    func thousandths(_ number: Double) -> JSONValue { .double((number * 1000).rounded() / 1000) }
    var members: [JSONValue.Member] = [
      .init(key: "progress", value: thousandths(part)),
      .init(key: "elapsed", value: thousandths(elapsed)),
    ]
    if part > 0 {
      members.append(.init(key: "remaining", value: thousandths(elapsed / part - elapsed)))
      if let length, elapsed > 0 {
        members.append(.init(key: "speed", value: thousandths(part * length / elapsed)))
      }
    }
    return JSONValue.object(members).description
  }

  /// Removes the line.
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
