import Dispatch
import Synchronization
import SystemIO

/// Finds work that doesn't end: what continues long after it was interrupted, in a call that doesn't return, such as a
/// read from a server that is gone or a decoder that loops for ever; and what isn't interrupted, but whose decoder
/// has stalled (``DecoderStalls``).
///
/// Such work has its slot and its thread for good. No thread can be ended, so it is the process that has to be; where
/// that isn't ours alone, the slot can be given to others.
final class HangWatch: Sendable {
  static let shared = HangWatch()

  private struct State {
    var action: (@Sendable () -> Void)?
    var patience = DispatchTimeInterval.never
    /// What hasn't ended, by its number.
    var pieces: [UInt64: Place] = [:]
    var lastNumber: UInt64 = 0

    var stallAction: (@Sendable () -> Bool)?
    var interval = DispatchTimeInterval.never
    var stalls = DecoderStalls(negligible: 0)
    /// True while the next look is due.
    var isLooking = false
  }

  /// Where a piece of work is: its thread, and what it has a slot of.
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
  private let look: @Sendable () -> DecoderStalls.Look

  /// - Parameter look: what is to be seen of decoders.
  init(look: @escaping @Sendable () -> DecoderStalls.Look = { .now }) { self.look = look }

  /// Calls `action`, once, when work continues until `seconds` after it was interrupted.
  func start(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.action = action
      state.patience = .milliseconds(Int(seconds * 1000))
    }
  }

  /// Calls `action` whenever a decoder has stalled: after `seconds` in which the process does nothing, and six times
  /// as many where it does something else.
  ///
  /// - Parameter action: true when the process goes on, whose work gives the slot to others then.
  func startFindingStalls(after seconds: Double, _ action: @escaping @Sendable () -> Bool) {
    let interval = seconds / Double(DecoderStalls.looks + 1)
    state.withLock { state in
      state.stallAction = action
      state.interval = .milliseconds(max(1, Int(interval * 1000)))
      state.stalls = DecoderStalls(negligible: UInt64(interval * 1e9 / 50))
    }
  }

  /// Notes a piece of work that begins, to be passed to ``end(_:)``; nil where hangs aren't watched for.
  ///
  /// - Parameter limiter: what it has a slot of.
  func begin(_ interrupt: Interrupt, in limiter: WorkLimiter?) -> Piece? {
    let place = Place(thread: ThreadActivity.current, limiter: limiter)
    let started = state.withLock { state -> (number: UInt64, patience: DispatchTimeInterval?)? in
      guard state.action != nil || state.stallAction != nil else { return nil }
      state.lastNumber += 1
      state.pieces[state.lastNumber] = place
      lookLater(&state)
      return (state.lastNumber, state.action == nil ? nil : state.patience)
    }
    guard let (number, patience) = started else { return nil }
    let observation = interrupt.whenTriggered {
      guard let patience else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { self.check(number) }
    }
    return Piece(number: number, observation: observation)
  }

  /// The same, of what has no slot.
  func begin(_ interrupt: Interrupt) -> Piece? { begin(interrupt, in: nil) }

  /// - Returns: true when its slot is still its own.
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

  /// Looks at decoders while there is work, once in an interval however much there is.
  private func lookLater(_ state: inout State) {
    guard state.stallAction != nil, !state.isLooking, !state.pieces.isEmpty else { return }
    state.isLooking = true
    DispatchQueue.global().asyncAfter(deadline: .now() + state.interval) {
      self.lookAtDecoders()
      self.state.withLock { state in
        state.isLooking = false
        self.lookLater(&state)
      }
    }
  }

  /// One look: what the timer does, and tests without one.
  func lookAtDecoders() {
    let seen = look()
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
