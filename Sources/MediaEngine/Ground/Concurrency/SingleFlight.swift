import Synchronization
import SystemIO

/// A value that is made once, by the first caller, while the others wait for it.
///
/// A failed attempt isn't stored: the next caller tries again with its own interrupt.
final class SingleFlight<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case running([Signal<Bool>])
    case done(Value)
  }
  private let state = Mutex(State.idle)

  /// The value if it has been made.
  var value: Value? {
    state.withLock { if case .done(let value) = $0 { value } else { nil } }
  }

  func get(
    interrupt: Interrupt, make: () throws(EngineError) -> Value
  ) throws(EngineError) -> Value {
    while true {
      let role = state.withLock { state -> Role in
        switch state {
        case .done(let value): return .take(value)
        case .idle:
          state = .running([])
          return .make
        case .running(var waiting):
          let end = Signal<Bool>()
          waiting.append(end)
          state = .running(waiting)
          return .wait(end)
        }
      }
      switch role {
      case .take(let value): return value
      case .wait(let end):
        guard end.waitBlocking(orUntil: interrupt) else { throw .cancelled("Waiting work") }
      case .make:
        do {
          let value = try make()
          finish(.done(value))
          return value
        } catch {
          finish(.idle)
          throw error
        }
      }
    }
  }

  private enum Role {
    case take(Value)
    case wait(Signal<Bool>)
    case make
  }

  private func finish(_ result: State) {
    let waiting = state.withLock { state -> [Signal<Bool>] in
      defer { state = result }
      if case .running(let waiting) = state { return waiting }
      return []
    }
    for end in waiting { end.fire(true) }
  }
}
