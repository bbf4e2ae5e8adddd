import SystemIO

/// Calls of an audio server, which may take its time.
package enum AudioServer {
  /// Runs `body`, which may block, on a thread of its own, and returns its result.
  package static func call<Value: Sendable>(
    _ body: @escaping @Sendable () throws(AudioServerError) -> Value
  ) async throws(AudioServerError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, AudioServerError>, Never>) in
      do {
        try BlockingThread.start {
          continuation.resume(
            returning: Result { () throws(AudioServerError) in try body() })
        }
      } catch {
        continuation.resume(returning: .failure(AudioServerError(reason: "\(error)")))
      }
    }
    return try result.get()
  }
}
