import Dispatch
import Synchronization
import SystemIO

/// Finds work that doesn't end. One kind continues long after it was interrupted, in a call that
/// doesn't return, such as a read from a server that is gone or a decoder that loops forever. The
/// other isn't interrupted, but its decoder has stalled (``DecoderStalls``).
///
/// Such work occupies its slot and its thread permanently. A thread can't be ended, so the process
/// has to be. If other code shares the process, the slot can be passed to other work instead.
final class HangWatch: Sendable {
  static let shared = HangWatch()

  private struct State {
    var action: (@Sendable () -> Void)?
    var timeout = DispatchTimeInterval.never
    /// The work that hasn't ended, by its number.
    var pieces: [UInt64: Place] = [:]
    var lastNumber: UInt64 = 0

    var stallAction: (@Sendable () -> Bool)?
    var interval = DispatchTimeInterval.never
    var stalls = DecoderStalls(negligible: 0)
    /// True while the next snapshot is scheduled.
    var isLooking = false
  }

  /// The location of a piece of work: its thread, and the limiter of its slot.
  private struct Place {
    let thread: Int32
    let limiter: WorkLimiter?
  }

  /// A piece of work that has begun.
  struct Piece {
    fileprivate let number: UInt64
    fileprivate let observation: Interrupt.Observation
  }

  private let state = Mutex(State())
  private let snapshot: @Sendable () -> DecoderStalls.Snapshot

  /// - Parameter snapshot: returns the current state of decoders.
  init(snapshot: @escaping @Sendable () -> DecoderStalls.Snapshot = { .now }) {
    self.snapshot = snapshot
  }

  /// Calls `action`, once, if work continues until `seconds` after it was interrupted.
  func start(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.action = action
      state.timeout = .milliseconds(Int(seconds * 1000))
    }
  }

  /// Calls `action` when a decoder has stalled: after `seconds` in which the process is idle, or
  /// six times as long if it is busy.
  ///
  /// - Parameter action: returns true if the process continues; the work's slot is then passed to
  ///   other work.
  func startFindingStalls(after seconds: Double, _ action: @escaping @Sendable () -> Bool) {
    let interval = seconds / Double(DecoderStalls.snapshots + 1)
    state.withLock { state in
      state.stallAction = action
      state.interval = .milliseconds(max(1, Int(interval * 1000)))
      state.stalls = DecoderStalls(negligible: UInt64(interval * 1e9 / 50))
    }
  }

  /// Records the beginning of work, to be passed to ``end(_:)``; nil if hangs aren't watched for.
  ///
  /// - Parameter limiter: the limiter of its slot.
  func begin(_ interrupt: Interrupt, in limiter: WorkLimiter?) -> Piece? {
    let place = Place(thread: ThreadActivity.current, limiter: limiter)
    let started = state.withLock { state -> (number: UInt64, timeout: DispatchTimeInterval?)? in
      guard state.action != nil || state.stallAction != nil else { return nil }
      state.lastNumber += 1
      state.pieces[state.lastNumber] = place
      lookLater(&state)
      return (state.lastNumber, state.action == nil ? nil : state.timeout)
    }
    guard let (number, timeout) = started else { return nil }
    let observation = interrupt.whenTriggered {
      guard let timeout else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { self.check(number) }
    }
    return Piece(number: number, observation: observation)
  }

  /// Records the beginning of work without a slot.
  func begin(_ interrupt: Interrupt) -> Piece? { begin(interrupt, in: nil) }

  /// - Returns: true if its slot is still its own.
  @discardableResult
  func end(_ piece: Piece?) -> Bool {
    guard let piece else { return true }
    piece.observation.end()
    return state.withLock { $0.pieces.removeValue(forKey: piece.number) != nil }
  }

  private func check(_ number: UInt64) {
    let action = state.withLock { $0.pieces[number] == nil ? nil : $0.action.take() }
    action?()
  }

  // MARK: Stalls

  /// Schedules a snapshot of decoders while there is work, one per interval for any amount of work.
  private func lookLater(_ state: inout State) {
    guard state.stallAction != nil, !state.isLooking, !state.pieces.isEmpty else { return }
    state.isLooking = true
    DispatchQueue.global().asyncAfter(deadline: .now() + state.interval) {
      self.observeDecoders()
      self.state.withLock { state in
        state.isLooking = false
        self.lookLater(&state)
      }
    }
  }

  /// Looks once, as the timer does; tests call it without one.
  func observeDecoders() {
    let seen = snapshot()
    let (calls, action) = state.withLock { ($0.stalls.take(seen), $0.stallAction) }
    guard !calls.isEmpty, let action, action() else { return }
    let threads = Set(calls.map(\.thread))
    let abandoned = state.withLock { state in
      let abandoned = state.pieces.filter { threads.contains($0.value.thread) }
      for number in abandoned.keys { state.pieces[number] = nil }
      return abandoned
    }
    for place in abandoned.values { place.limiter?.leave() }
  }
}
