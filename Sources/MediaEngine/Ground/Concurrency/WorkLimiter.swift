import DequeModule
import Glibc
package import MediaTime
import Synchronization
import SystemIO

/// Limits how much runs at once: real-time work before interactive work, interactive before batch work, each class
/// in arrival order.
///
/// Heavy work goes through ``shared``, which has as many slots as there are cores, and exports work piece
/// by piece, each in a slot of its own: an image never waits for a whole export, only for the piece that
/// is running, and fifty image requests are not fifty decoding threads. One with a single slot makes
/// requests wait for each other.
///
/// Real-time work is what is shown or heard at a time that is near: a piece of it, such as a frame, goes before
/// thumbnails. It is bounded by what its caller has ready (``Priority/realTime(ready:)``), so that filling the
/// buffers of a player, one that is paused as well, doesn't hold up the others.
///
/// Those who wait are suspended: a thousand requests that wait take no thread. Only an export's threads,
/// whose number is bounded (``ExportSession/maximumConcurrentExports``), block.
package final class WorkLimiter: Sendable {
  package enum Priority: Sendable, Equatable {
    /// Decoding ahead of a clock, of which so much media is ready: real-time work while that is less than
    /// ``WorkLimiter/realTimeBound``, and interactive work beyond.
    case realTime(ready: Time)
    case interactive, batch
  }

  /// The media that real-time work may have ready.
  static let realTimeBound = Time(value: 250, timescale: 1000)

  /// Whose turn is first.
  private enum WorkClass: Int, CaseIterable {
    case realTime, interactive, batch

    init(_ priority: Priority) {
      self =
        switch priority {
        // A time that isn't numeric bounds nothing.
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
    /// Negative while more slots are taken than there are, because lent ones were taken back.
    var free: Int
    var lent = 0
    /// Those who wait, by their class.
    var waiting = [Deque<Signal<Bool>>](repeating: [], count: WorkClass.allCases.count)

    mutating func popFirst() -> Signal<Bool>? {
      for index in waiting.indices {
        if let first = waiting[index].popFirst() { return first }
      }
      return nil
    }
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

  /// Gives the slot to the one of the first class that has waited longest.
  package func leave() {
    while true {
      let next = state.withLock { state -> Signal<Bool>? in
        if state.free >= 0, let next = state.popFirst() { return next }
        state.free += 1
        return nil
      }
      guard let next, !next.fire(true) else { return }
      // It was interrupted at the same moment, and needs no slot any more.
    }
  }

  /// Nil when a slot was free, which is the caller's then; else the signal of its turn.
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

  private func giveUp(_ turn: Signal<Bool>) throws(EngineError) {
    state.withLock { state in
      for index in state.waiting.indices { state.waiting[index].removeAll { $0 === turn } }
    }
    throw .cancelled("Waiting work")
  }
}
