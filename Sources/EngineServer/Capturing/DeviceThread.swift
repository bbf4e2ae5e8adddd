import Devices
import MediaEngine
import Synchronization
import SystemIO

/// The thread of one device, from its start to its stop.
final class DeviceThread: Sendable {
  /// Answers a start, once.
  typealias Started = @Sendable (Result<Void, EngineError>) -> Void

  private struct State {
    var stop: DeviceStop?
    var isRunning = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Runs `body` on a thread of its own, and returns when `body` has answered the start.
  ///
  /// - Parameter body: returns once the stop is triggered.
  func start(
    _ body: @escaping @Sendable (DeviceStop, Started) -> Void
  ) async throws(EngineError) {
    let stop: DeviceStop
    do {
      stop = try DeviceStop()
    } catch {
      throw .noDevice("\(error)")
    }
    state.withLock { state in
      state.stop = stop
      state.isRunning = true
    }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, EngineError>, Never>) in
      let answer = AnsweredOnce(continuation)
      do {
        try BlockingThread.start { [self] in
          body(stop) { answer.resume($0) }
          ended()
          answer.resume(.failure(.noDevice("it ended at once")))
        }
      } catch {
        ended()
        answer.resume(.failure(.noDevice("\(error)")))
      }
    }
    try result.get()
  }

  /// Ends the thread, and returns when it delivers nothing more.
  func end() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.stop?.trigger()
        guard state.isRunning else { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  private func ended() {
    let waiting = state.withLock { state in
      state.isRunning = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// The answer to a start. The first one counts.
private final class AnsweredOnce: Sendable {
  private let waiting: Mutex<CheckedContinuation<Result<Void, EngineError>, Never>?>

  init(_ continuation: CheckedContinuation<Result<Void, EngineError>, Never>) {
    waiting = Mutex(continuation)
  }

  func resume(_ result: Result<Void, EngineError>) {
    waiting.withLock { $0.take() }?.resume(returning: result)
  }
}

extension EngineError {
  /// Returns the error of a device that can't be started.
  static func noDevice(_ reason: String) -> EngineError {
    EngineError(
      .failedToLoadMediaData, "The device can't be started: \(reason)",
      advice: .reconnectAndStart)
  }
}
