internal import CLibAV
internal import Glibc

/// libav's log: a bounded ring that never blocks a codec thread, and the last lines of each thread.
package enum Log {
  package enum Level: Int32, CaseIterable, Sendable {
    case off = -8
    case error = 16
    case warning = 24
    case info = 32
    case debug = 48
    case trace = 56
  }

  package struct Line: Sendable {
    package var level: Level
    package var text: String
  }

  /// Chooses the lines that reach the ring; errors have their own last lines at any level.
  package static func setLevel(_ level: Level) { rw_log_set_level(level.rawValue) }

  /// Blocks until lines wait in the ring.
  ///
  /// Returns `false` when waiting is impossible (no descriptor could be made).
  package static func waitForLines() -> Bool {
    var value: UInt64 = 0
    var descriptor = pollfd(fd: rw_log_event_fd(), events: Int16(POLLIN), revents: 0)
    guard descriptor.fd >= 0, unsafe poll(&descriptor, 1, -1) >= 0 else { return false }
    _ = unsafe read(descriptor.fd, &value, MemoryLayout<UInt64>.size)
    return true
  }

  /// Removes and returns all waiting lines, oldest first, and the number of lines lost because the
  /// ring was full.
  package static func drain() -> (lines: [Line], dropped: Int) {
    var lines: [Line] = []
    var lost = 0
    var raw = rw_log_line()
    var dropped: UInt32 = 0
    while unsafe rw_log_take(&raw, &dropped) {
      lost += Int(dropped)
      let text = unsafe withUnsafeBytes(of: &raw.text) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      lines.append(Line(level: level(ofRaw: raw.level), text: text))
    }
    return (lines, lost + Int(dropped))
  }

  private static func level(ofRaw raw: Int32) -> Level {
    Level.allCases.first { $0 != .off && raw <= $0.rawValue } ?? .trace
  }

  /// Drops libav's messages on this thread while `body` runs: for calls that are expected to fail.
  static func muted<Result>(_ body: () -> Result) -> Result {
    rw_log_mute_thread(true)
    defer { rw_log_mute_thread(false) }
    return body()
  }

  /// Returns the warnings and errors that libav logged on this thread since
  /// ``clearLinesOfThisThread()``.
  static func linesOfThisThread() -> [String] {
    (0..<rw_log_thread_count()).compactMap { index in
      unsafe rw_log_thread_line(index).map { unsafe String(cString: $0) }
    }
  }

  static func clearLinesOfThisThread() { rw_log_thread_reset() }
}
