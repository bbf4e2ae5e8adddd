import DequeModule
import Synchronization

/// The turns of requests that are served one after the other, in arrival order.
final class RequestLine: Sendable {
  private struct Waiter {
    let number: Int
    /// Resumed with true when its turn has come.
    let continuation: CheckedContinuation<Bool, Never>
  }
  private struct State {
    var isTaken = false
    var lastNumber = 0
    var waiting: Deque<Waiter> = []
    /// The requests that were cancelled before they waited.
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())

  /// Returns when it is the caller's turn: without suspension where no other request has it. ``leave()`` ends the turn.
  func enter() async throws(CancellationError) {
    let number = state.withLock { state -> Int? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.lastNumber += 1
      return state.lastNumber
    }
    guard let number else { return }
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.cancelled.remove(number) != nil { return false }
          guard state.isTaken else {
            state.isTaken = true
            return true
          }
          state.waiting.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    if !isTurn { throw CancellationError() }
  }

  func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.isTaken = false }
      return next
    }
    next?.continuation.resume(returning: true)
  }
}
