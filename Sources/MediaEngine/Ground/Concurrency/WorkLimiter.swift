import DequeModule
import Glibc
package import MediaTime
import Synchronization
import SystemIO

/// Limits the work that runs at once: real-time work before interactive work, interactive before
/// batch work, each class in arrival order.
///
/// Heavy work uses ``shared``, which has one slot per core. Exports work piece by piece, each in a
/// slot of its own: an image never waits for a whole export, only for the piece that is running,
/// and fifty image requests aren't fifty decoding threads. A limiter with a single slot makes
/// requests wait for each other.
///
/// Real-time work is media that is shown or heard soon: a piece of it, such as a frame, precedes
/// thumbnails. It is bounded by the media that its caller has ready
/// (``Priority/realTime(ready:)``), so that filling the buffers of a player, even a paused one,
/// doesn't delay other work.
///
/// Waiting callers are suspended: a thousand waiting requests use no thread. Only an export's
/// threads, whose number is bounded (``ExportSession/maximumConcurrentExports``), block.
package final class WorkLimiter: Sendable {
  package enum Priority: Sendable, Equatable {
    /// Decoding ahead of a clock, with the media that is ready: real-time work while that is less
    /// than ``WorkLimiter/realTimeBound``, and interactive work above.
    case realTime(ready: Time)
    case interactive, batch

    /// True for work ahead of a clock, however much media is ready.
    var isRealTime: Bool { if case .realTime = self { true } else { false } }

    /// Returns the priority with more media ready.
    func adding(ready duration: Time) -> Priority {
      if case .realTime(let ready) = self { .realTime(ready: ready + duration) } else { self }
    }
  }

  /// The limit of ready media for real-time work.
  static let realTimeBound = Time(value: 250, timescale: 1000)

  /// The order of classes, the first one first.
  private enum WorkClass: Int, CaseIterable {
    case realTime, interactive, batch

    init(_ priority: Priority) {
      self =
        switch priority {
        // A time that isn't numeric doesn't make work real-time.
        case .realTime(let ready):
          ready.isNumeric && ready < WorkLimiter.realTimeBound ? .realTime : .interactive
        case .interactive: .interactive
        case .batch: .batch
        }
    }
  }

  static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  static let shared = WorkLimiter(slots: processorCount)

  private struct State {
    /// Negative while more slots are occupied than exist, because lent ones were reclaimed.
    var free: Int
    var lent = 0
    /// The waiting callers, by their class.
    var waiting = [Deque<Signal<Bool>>](repeating: [], count: WorkClass.allCases.count)

    mutating func popFirst() -> Signal<Bool>? {
      for index in waiting.indices {
        if let first = waiting[index].popFirst() { return first }
      }
      return nil
    }
  }
  private let state: Mutex<State>
  /// The maximum number of pieces of work that run at once.
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

  /// Runs `body` like ``run(_:interrupt:isolation:_:)``, but blocks the thread while it waits.
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

  /// Acquires a slot, to be released by ``leave()``.
  ///
  /// - Throws: `operationCancelled` if interrupted before a slot was free.
  package func enter(
    _ priority: Priority = .interactive, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    if let turn = takeSlot(priority), !(await turn.wait(orUntil: interrupt)) {
      try giveUp(turn)
    }
  }

  /// Lets other work run while a piece of work waits for another process.
  ///
  /// The waiting caller doesn't need to have a slot. Never blocks.
  func lendSlot() {
    let isLent = state.withLock { state in
      state.lent += 1
      return state.lent <= Self.maximumLent
    }
    if isLent { leave() }
  }

  /// Ends ``lendSlot()``. Work that has acquired the slot in the meantime continues in it.
  func takeBackSlot() {
    state.withLock { state in
      if state.lent <= Self.maximumLent { state.free -= 1 }
      state.lent -= 1
    }
  }

  /// The limit of lent slots. Each uses a thread of Dispatch, which has few.
  private static let maximumLent = 64

  /// Passes the slot to the first waiting caller of the first class.
  package func leave() {
    while true {
      let next = state.withLock { state -> Signal<Bool>? in
        if state.free >= 0, let next = state.popFirst() { return next }
        state.free += 1
        return nil
      }
      guard let next, !next.fire(true) else { return }
      // The caller was interrupted at the same moment, and needs no slot any more.
    }
  }

  /// Acquires a free slot and returns nil, or else returns the signal of the caller's turn.
  func takeSlot(_ priority: Priority) -> Signal<Bool>? {
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let turn = Signal<Bool>()
      state.waiting[WorkClass(priority).rawValue].append(turn)
      return turn
    }
  }

  /// Stops waiting for a turn that ``takeSlot(_:)`` has returned, after an interrupt.
  func giveUp(_ turn: Signal<Bool>) throws(EngineError) -> Never {
    state.withLock { state in
      for index in state.waiting.indices { state.waiting[index].removeAll { $0 === turn } }
    }
    throw .cancelled("Waiting work")
  }
}
