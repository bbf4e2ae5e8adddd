import Dispatch
import Synchronization
import SystemIO

/// A value that arrives once, for one waiting caller: suspended, or blocking a thread.
///
/// Only the first value counts.
final class Signal<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case suspended(CheckedContinuation<Value, Never>)
    case blocked(DispatchSemaphore)
    case fired(Value)
  }
  private let state = Mutex(State.idle)

  /// The value; nil before it arrives. Never waits.
  var value: Value? {
    state.withLock { if case .fired(let value) = $0 { value } else { nil } }
  }

  /// Sets the value; false if there was one before.
  @discardableResult
  func fire(_ value: Value) -> Bool {
    let before = state.withLock { state -> State in
      let before = state
      if case .fired = before { return before }
      state = .fired(value)
      return before
    }
    switch before {
    case .idle: return true
    case .suspended(let continuation): continuation.resume(returning: value)
    case .blocked(let semaphore): semaphore.signal()
    case .fired: return false
    }
    return true
  }

  /// Suspends until there is a value.
  func wait(isolation: isolated (any Actor)? = #isolation) async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state -> Value? in
        if case .fired(let value) = state { return value }
        state = .suspended(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  /// Blocks the thread until there is a value: for threads whose number is bounded by design, such
  /// as an export's.
  func waitBlocking() -> Value {
    let semaphore = DispatchSemaphore(value: 0)
    while true {
      let value = state.withLock { state -> Value? in
        if case .fired(let value) = state { return value }
        state = .blocked(semaphore)
        return nil
      }
      if let value { return value }
      semaphore.wait()
    }
  }
}

extension Signal<Bool> {
  /// Suspends until the signal is fired or the interrupt is triggered, which fires false.
  func wait(
    orUntil interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let observation = interrupt.whenTriggered { self.fire(false) }
    defer { observation.end() }
    return await wait()
  }

  /// Blocks until the signal is fired or the interrupt is triggered, which fires false.
  func waitBlocking(orUntil interrupt: Interrupt) -> Bool {
    let observation = interrupt.whenTriggered { self.fire(false) }
    defer { observation.end() }
    return waitBlocking()
  }
}

extension Result where Success: ~Copyable {
  /// Creates the result of `body`: its value or its error.
  init(
    isolation: isolated (any Actor)? = #isolation,
    catching body: () async throws(Failure) -> Success
  ) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
