import SystemIO

/// Calls of servers of devices, which may take long.
package enum DeviceCall {
  /// Returns the result of `body`, which may block, and runs on a thread of its own.
  package static func result<Value: Sendable>(
    _ body: @escaping @Sendable () throws(DeviceError) -> Value
  ) async throws(DeviceError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, DeviceError>, Never>) in
      do {
        try BlockingThread.start {
          continuation.resume(
            returning: Result { () throws(DeviceError) in try body() })
        }
      } catch {
        continuation.resume(returning: .failure(DeviceError(reason: "\(error)")))
      }
    }
    return try result.get()
  }
}
