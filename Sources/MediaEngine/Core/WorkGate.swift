import Dispatch
import Glibc
import LibAV
import Synchronization

/// Limits how much heavy work runs at once, interactive work before batch work.
///
/// There are as many places as cores, and exports work piece by piece, each in a place of its own: an
/// image never waits for a whole export, only for the piece that is running, and fifty image requests
/// are not fifty decoding threads.
final class WorkGate: Sendable {
  enum Priority: Sendable { case interactive, batch }

  static let shared = WorkGate(places: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private struct State {
    var free: Int
    var interactive: [DispatchSemaphore] = []
    var batch: [DispatchSemaphore] = []
  }
  private let state: Mutex<State>
  /// How much may run at once.
  let places: Int

  init(places: Int) {
    self.places = places
    state = Mutex(State(free: places))
  }

  /// Runs `body` in a place of its own; gives up waiting when interrupted.
  func run<Result: ~Copyable>(
    _ priority: Priority, interrupt: Interrupt, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try enter(priority, interrupt)
    defer { leave() }
    return try body()
  }

  private func enter(_ priority: Priority, _ interrupt: Interrupt) throws(EngineError) {
    let ticket = state.withLock { state -> DispatchSemaphore? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let ticket = DispatchSemaphore(value: 0)
      if priority == .interactive {
        state.interactive.append(ticket)
      } else {
        state.batch.append(ticket)
      }
      return ticket
    }
    guard let ticket else { return }
    while ticket.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      guard interrupt.isTriggered else { continue }
      let hadWaited = state.withLock { state in
        let count = state.interactive.count + state.batch.count
        state.interactive.removeAll { $0 === ticket }
        state.batch.removeAll { $0 === ticket }
        return state.interactive.count + state.batch.count < count
      }
      // Otherwise the place was handed over just now, and has to be handed on.
      if !hadWaited { leave() }
      throw .cancelled("Waiting work")
    }
  }

  private func leave() {
    let next = state.withLock { state -> DispatchSemaphore? in
      if !state.interactive.isEmpty { return state.interactive.removeFirst() }
      if !state.batch.isEmpty { return state.batch.removeFirst() }
      state.free += 1
      return nil
    }
    next?.signal()
  }
}
