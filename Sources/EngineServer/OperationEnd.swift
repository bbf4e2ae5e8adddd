import Synchronization

/// The end of an operation, for the one request that waits for it.
final class OperationEnd<End: Sendable>: Sendable {
  private struct State {
    var end: End?
    var continuation: CheckedContinuation<End, Never>?
  }
  private let state = Mutex(State())

  func set(_ end: End) {
    let continuation = state.withLock { state in
      state.end = end
      return state.continuation.take()
    }
    continuation?.resume(returning: end)
  }

  var value: End {
    get async {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state in
          if state.end == nil { state.continuation = continuation }
          return state.end
        }
        if let end { continuation.resume(returning: end) }
      }
    }
  }
}
