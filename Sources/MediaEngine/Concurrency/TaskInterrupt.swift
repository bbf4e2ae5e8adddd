import LibAV
import SystemIO

/// Runs `body` with an interrupt that is triggered when the current task is cancelled: where Swift's
/// cancellation meets FFmpeg's interrupt callback.
///
/// - Parameter parent: an interrupt that triggers the one of `body` too.
func withTaskInterrupt<Value: Sendable>(
  parent: Interrupt? = nil, isolation: isolated (any Actor)? = #isolation,
  _ body: (Interrupt) async throws(EngineError) -> Value
) async throws(EngineError) -> Value {
  let interrupt = parent.map { Interrupt(parent: $0) } ?? Interrupt()
  let result = await withTaskCancellationHandler {
    await Result { () async throws(EngineError) in try await body(interrupt) }
  } onCancel: {
    interrupt.trigger()
  }
  return try result.get()
}
