import SystemIO

/// Runs blocking work, such as the stages of exports, on a thread of its own: not on those that
/// tests share.
func onThreadOfItsOwn<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try BlockingThread.start { continuation.resume(with: .init(catching: body)) }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
