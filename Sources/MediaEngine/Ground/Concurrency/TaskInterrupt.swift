import LibAV
import SystemIO

/// Runs `body` with an interrupt that is triggered when the current task is cancelled: it connects
/// Swift's cancellation with FFmpeg's interrupt callback.
///
/// - Parameter parent: an interrupt that triggers the one of `body` too.
package func withTaskInterrupt<Value: Sendable>(
  parent: Interrupt? = nil, isolation: isolated (any Actor)? = #isolation,
  _ body: (Interrupt) async throws(EngineError) -> Value
) async throws(EngineError) -> Value {
  let interrupt = parent.map { Interrupt(parent: $0) } ?? Interrupt()
  let result = await withTaskCancellationHandler {
    // A closure that doesn't capture the isolation leaves the actor, and later callers may overtake
    // it on the way back (SE-0420).
    _ = isolation
    return await Result { () async throws(EngineError) in
      _ = isolation
      return try await body(interrupt)
    }
  } onCancel: {
    interrupt.trigger()
  }
  return try result.get()
}
