import EngineMCP
import Synchronization

/// A clock that the test moves.
final class HandClock: Sendable {
  private struct State {
    var now = Duration.zero
    var lastNumber = 0
    var waiters: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var clock: MCPClock {
    MCPClock(
      now: { self.state.withLock { $0.now } }, elapse: { try await self.wait($0) },
      date: { 1_790_000_000 + Int(self.state.withLock { $0.now } / .seconds(1)) })
  }

  /// Moves the time, and resumes those whose time has come.
  func move(_ duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let due = state.waiters.filter { $0.value.until <= state.now }
      for number in due.keys { state.waiters[number] = nil }
      return due.values
    }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Waits until a task waits for the clock.
  func isAwaited() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.waiters.isEmpty { state.observers.append(continuation) }
        return !state.waiters.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  private func wait(_ duration: Duration) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let observers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          guard !Task.isCancelled else { return nil }
          state.waiters[number] = (state.now + duration, continuation)
          defer { state.observers = [] }
          return state.observers
        }
        guard let observers else { return continuation.resume(throwing: CancellationError()) }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation
        .resume(throwing: CancellationError())
    }
  }
}
