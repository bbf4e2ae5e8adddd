import Glibc

/// The entered lines, of this session and of earlier ones.
package struct History: Sendable {
  package private(set) var lines: [String] = []
  private let path: String?
  /// The maximum number of lines.
  private static let limit = 1000

  /// - Parameter path: the file to read and to append to; nil to remember only this session.
  package init(path: String?) {
    self.path = path
    guard let path, let text = Self.read(path) else { return }
    lines = text.split(separator: "\n").map(String.init)
    guard lines.count > 2 * Self.limit else { return }
    lines.removeFirst(lines.count - Self.limit)
    write(lines.joined(separator: "\n") + "\n", O_TRUNC)
  }

  /// Adds a line, unless it is the last one again or begins with a space.
  package mutating func add(_ line: String) {
    guard !line.isEmpty, !line.hasPrefix(" "), line != lines.last, !line.contains("\n") else {
      return
    }
    lines.append(line)
    // Appended at once and as a whole, so that two sessions don't lose each other's lines.
    write(line + "\n", O_APPEND)
  }

  /// Returns the last line before `index` that contains this text.
  package func search(_ text: String, before index: Int) -> Int? {
    lines[..<min(max(0, index), lines.count)].lastIndex { $0.contains(text) }
  }

  /// Returns `$XDG_STATE_HOME/NAME/history`, by default below `~/.local/state`; nil without a home.
  ///
  /// Missing folders are created.
  package static func standardPath(_ name: String) -> String? {
    guard
      let state = Terminal.variable("XDG_STATE_HOME")
        ?? Terminal.variable("HOME").map({ $0 + "/.local/state" }), state.hasPrefix("/")
    else { return nil }
    let folder = "\(state)/\(name)"
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      _ = unsafe mkdir(path, 0o700)
    }
    return "\(folder)/history"
  }

  private static func read(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // A larger history is none of ours.
    while all.count < 16 << 20 {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Writes text to the file; lines that can't be written are lost only at the end.
  private func write(_ text: String, _ flag: Int32) {
    guard let path else { return }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
