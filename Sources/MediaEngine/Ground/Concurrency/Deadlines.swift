import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// The deadlines of a process's players whose clocks run automatically: one thread, which waits for
/// the next deadline.
final class Deadlines: Sendable {
  static let shared = Deadlines()

  private struct Entry {
    var deadline: UInt64
    let action: @Sendable () -> Void
  }
  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var isRunning = false
  }
  private let state = Mutex(State())
  private let change = DispatchSemaphore(value: 0)

  /// The system's monotonic clock, in nanoseconds.
  static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The same clock as a time.
  static var now: ExactTime { ExactTime(reducing: Int128(nanoseconds), 1_000_000_000) }

  /// Calls `action` once, at `time`. Replaces the previous deadline of the same owner; nil for
  /// never.
  func set(
    _ time: ExactTime?, for owner: AnyObject, _ action: @escaping @Sendable () -> Void
  ) {
    let deadline = time.map { (time: ExactTime) -> UInt64 in
      let ticks = (time * ExactTime(1_000_000_000)).ceiling
      return UInt64(clamping: ticks)
    }
    let (isNews, starts) = state.withLock { state -> (Bool, Bool) in
      let known = state.entries[ObjectIdentifier(owner)]?.deadline
      guard let deadline else {
        state.entries[ObjectIdentifier(owner)] = nil
        return (false, false)
      }
      state.entries[ObjectIdentifier(owner)] = Entry(deadline: deadline, action: action)
      let starts = !state.isRunning
      state.isRunning = true
      // A later deadline needs no wake: the thread finds it when the earlier one is over.
      return (known.map { deadline < $0 } ?? true, starts)
    }
    if starts {
      try? BlockingThread.start { self.run() }
    } else if isNews {
      change.signal()
    }
  }

  private func run() {
    while true {
      let now = Self.nanoseconds
      let (due, next) = state.withLock { state -> ([@Sendable () -> Void], UInt64?) in
        let due = state.entries.filter { $0.value.deadline <= now }
        for owner in due.keys { state.entries[owner] = nil }
        return (due.values.map(\.action), state.entries.values.map(\.deadline).min())
      }
      for action in due { action() }
      if let next {
        _ = change.wait(timeout: DispatchTime(uptimeNanoseconds: next))
      } else if due.isEmpty {
        change.wait()
      }
    }
  }
}
