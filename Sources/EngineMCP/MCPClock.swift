/// The clock that waiting and progress go by, which a test moves.
package struct MCPClock: Sendable {
  /// The time that has passed since any beginning.
  package var now: @Sendable () -> Duration
  /// Returns when that time has passed; throws when the task is cancelled.
  package var elapse: @Sendable (Duration) async throws -> Void
  /// The seconds since 1970.
  package var date: @Sendable () -> Int

  package init(
    now: @escaping @Sendable () -> Duration,
    elapse: @escaping @Sendable (Duration) async throws -> Void, date: @escaping @Sendable () -> Int
  ) {
    self.now = now
    self.elapse = elapse
    self.date = date
  }
}
