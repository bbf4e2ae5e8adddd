import SystemIO

/// Opens and indexes a file for all callers that need it, one after the other, on a thread of its
/// own.
///
/// Further callers are suspended until the first one is done, and then find the work done.
final class MediaPreparation: Sendable {
  private let line = WorkLimiter(slots: 1)
  private let worker = Worker()

  /// - Parameter isHeavy: true for work that needs a slot of the ``WorkLimiter``.
  func run(
    isHeavy: Bool, interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable () throws(EngineError) -> Void
  ) async throws(EngineError) {
    try await line.enter(interrupt: interrupt)
    defer { line.leave() }
    try await worker.run(isHeavy: isHeavy, interrupt: interrupt, work)
  }

  private actor Worker: QueueActor {
    nonisolated let queue = WorkQueue("asset.media")

    func run(
      isHeavy: Bool, interrupt: Interrupt, _ work: @Sendable () throws(EngineError) -> Void
    ) async throws(EngineError) {
      if isHeavy {
        try await WorkLimiter.shared.run(.interactive, interrupt: interrupt, work)
      } else {
        try work()
      }
    }
  }
}
