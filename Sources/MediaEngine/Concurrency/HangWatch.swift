import Dispatch
import Synchronization
import SystemIO

/// Finds work that continues long after it was interrupted: it is in a call that doesn't return, such as a read from a
/// server that is gone, or a decoder that loops for ever.
///
/// Such work has its slot and its thread for good. No thread can be ended, so it is the process that has to be.
final class HangWatch: Sendable {
  static let shared = HangWatch()

  private struct State {
    var action: (@Sendable () -> Void)?
    var patience = DispatchTimeInterval.never
    /// The numbers of what hasn't ended.
    var pieces: Set<UInt64> = []
    var lastNumber: UInt64 = 0
  }

  /// A piece of work that has begun.
  struct Piece {
    fileprivate let number: UInt64
    fileprivate let observation: Interrupt.Observation
  }

  private let state = Mutex(State())

  /// Calls `action`, once, when work continues until `seconds` after it was interrupted.
  func start(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.action = action
      state.patience = .milliseconds(Int(seconds * 1000))
    }
  }

  /// Notes a piece of work that begins, to be passed to ``end(_:)``; nil where hangs aren't watched for.
  func begin(_ interrupt: Interrupt) -> Piece? {
    let started = state.withLock { state -> (number: UInt64, patience: DispatchTimeInterval)? in
      guard state.action != nil else { return nil }
      state.lastNumber += 1
      state.pieces.insert(state.lastNumber)
      return (state.lastNumber, state.patience)
    }
    guard let (number, patience) = started else { return nil }
    let observation = interrupt.whenTriggered {
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { self.check(number) }
    }
    return Piece(number: number, observation: observation)
  }

  func end(_ piece: Piece?) {
    guard let piece else { return }
    state.withLock { _ = $0.pieces.remove(piece.number) }
    piece.observation.end()
  }

  private func check(_ number: UInt64) {
    let action = state.withLock { $0.pieces.contains(number) ? $0.action.take() : nil }
    action?()
  }
}
