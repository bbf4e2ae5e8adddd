import Synchronization

/// Reports the progress of a call, once an interval, each time with more than before.
final class ProgressReporter: Sendable {
  private struct State {
    var last = 0.0
    var sentAt: Duration?
    var isEnded = false
  }

  private let clock: MCPClock
  private let interval: Duration
  private let began: Duration
  private let send: @Sendable (Double, String) -> Void
  private let state = Mutex(State())

  init(clock: MCPClock, interval: Duration, send: @escaping @Sendable (Double, String) -> Void) {
    self.clock = clock
    self.interval = interval
    self.send = send
    began = clock.now()
  }

  /// Reports a part from 0 to 1.
  func report(_ part: Double) {
    let now = clock.now()
    // Within the lock, so that reports leave in order, and none leaves after the end.
    state.withLock { state in
      guard !state.isEnded, part > state.last, part < 1 else { return }
      if let sentAt = state.sentAt, now - sentAt < interval { return }
      state.last = part
      state.sentAt = now
      send(part, Self.message(part, elapsed: now - began))
    }
  }

  /// Ends the reports: the answer comes next.
  func end() { state.withLock { $0.isEnded = true } }

  /// `35 %, 12 s left`.
  static func message(_ part: Double, elapsed: Duration) -> String {
    let percent = "\(Int(part * 100)) %"
    let seconds = elapsed / .seconds(1)
    guard part > 0, seconds > 0.5 else { return percent }
    let left = (seconds / part - seconds).rounded(.up)
    guard left < 86_400 else { return percent }
    return "\(percent), \(Int(left)) s left"
  }
}
