import DequeModule
import Glibc
import Synchronization
import SystemIO

/// Limits how much runs at once, interactive work before batch work, each kind in the order in which it
/// came.
///
/// Heavy work goes through ``shared``, which has as many slots as there are cores, and exports work piece
/// by piece, each in a slot of its own: an image never waits for a whole export, only for the piece that
/// is running, and fifty image requests are not fifty decoding threads. One with a single slot makes
/// requests wait for each other.
///
/// Those who wait are suspended: a thousand requests that wait take no thread. Only an export's threads,
/// whose number is bounded (``ExportSession/maximumConcurrentExports``), block.
package final class WorkLimiter: Sendable {
  package enum Priority: Sendable { case interactive, batch }

  static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  static let shared = WorkLimiter(slots: processorCount)

  private struct State {
    /// Negative while more slots are taken than there are, because lent ones were taken back.
    var free: Int
    var lent = 0
    var interactive: Deque<Signal<Bool>> = []
    var batch: Deque<Signal<Bool>> = []
  }
  private let state: Mutex<State>
  /// How much may run at once.
  let slots: Int

  package init(slots: Int) {
    self.slots = slots
    state = Mutex(State(free: slots))
  }

  /// Runs `body` in a slot of its own, on the caller's executor; gives up waiting when interrupted.
  func run<Result: ~Copyable>(
    _ priority: Priority, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation,
    _ body: () throws(EngineError) -> Result
  ) async throws(EngineError) -> Result {
    try await enter(priority, interrupt: interrupt)
    let piece = HangWatch.shared.begin(interrupt, in: self)
    defer { if HangWatch.shared.end(piece) { leave() } }
    return try body()
  }

  /// As ``run(_:interrupt:isolation:_:)``, blocking the thread while it waits.
  func runBlocking<Result: ~Copyable>(
    _ priority: Priority, interrupt: Interrupt, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    if let turn = takeSlot(priority), !turn.waitBlocking(orUntil: interrupt) {
      try giveUp(turn)
    }
    let piece = HangWatch.shared.begin(interrupt, in: self)
    defer { if HangWatch.shared.end(piece) { leave() } }
    return try body()
  }

  /// Takes a slot, to be given back by ``leave()``.
  ///
  /// - Throws: `operationCancelled` when interrupted before there was one.
  package func enter(
    _ priority: Priority = .interactive, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    if let turn = takeSlot(priority), !(await turn.wait(orUntil: interrupt)) {
      try giveUp(turn)
    }
  }

  /// While a piece of work waits for another process, another one may run in its place.
  ///
  /// Who waits doesn't have to have a slot. Never blocks.
  func lendSlot() {
    let isLent = state.withLock { state in
      state.lent += 1
      return state.lent <= Self.maximumLent
    }
    if isLent { leave() }
  }

  /// Ends what ``lendSlot()`` has begun. Who has got the slot meanwhile keeps it.
  func takeBackSlot() {
    state.withLock { state in
      if state.lent <= Self.maximumLent { state.free -= 1 }
      state.lent -= 1
    }
  }

  /// Each takes a thread of Dispatch's, which has few.
  private static let maximumLent = 64

  /// Hands the slot over to whoever has waited longest.
  package func leave() {
    while true {
      let next = state.withLock { state -> Signal<Bool>? in
        if state.free >= 0, let next = state.interactive.popFirst() ?? state.batch.popFirst() {
          return next
        }
        state.free += 1
        return nil
      }
      guard let next, !next.fire(true) else { return }
      // It was interrupted at the same moment, and needs no slot any more.
    }
  }

  /// Nil when a slot was free, which is the caller's then; else the signal of its turn.
  private func takeSlot(_ priority: Priority) -> Signal<Bool>? {
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let turn = Signal<Bool>()
      switch priority {
      case .interactive: state.interactive.append(turn)
      case .batch: state.batch.append(turn)
      }
      return turn
    }
  }

  private func giveUp(_ turn: Signal<Bool>) throws(EngineError) {
    state.withLock { state in
      state.interactive.removeAll { $0 === turn }
      state.batch.removeAll { $0 === turn }
    }
    throw .cancelled("Waiting work")
  }
}
