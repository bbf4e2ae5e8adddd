public import MediaTime
import Synchronization
import SystemIO

/// The manual clock of a player.
extension Player {
  /// Moves a manual clock forward, and returns when all events on the way have been reported.
  ///
  /// Before it moves, pending requests finish: the current item is ready, and seeks have landed.
  ///
  /// - Parameter duration: from 0 to 24 hours.
  /// - Throws: `operationNotAllowed` on another clock, `limitExceeded` after 100,000 events.
  public func advanceClock(
    by duration: Time
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    try await advance { core in core.host + (ExactTime(duration) ?? .zero) }
  }

  /// Moves a manual clock on to a time: see ``advanceClock(by:)``.
  public func advanceClock(
    to time: Time
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    try await advance { _ in ExactTime(time) ?? .zero }
  }

  static let maximumEvents = 100_000
  private static let maximumAdvance = ExactTime(86400)

  private func advance(
    to target: @Sendable (borrowing PlayerCore) -> ExactTime
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    guard configuration.clock == .manual else {
      throw EngineError(
        .operationNotAllowed, "The clock of the player can't be moved: it isn't a manual one",
        advice: .createWithManualClock)
    }
    try await line.enter(interrupt: lifetime)
    defer { line.leave() }
    let (end, emitted) = core.withLock { (target($0), $0.emitted) }
    let now = core.withLock(\.host)
    guard end >= now, end - now <= Self.maximumAdvance else {
      throw EngineError(
        .operationNotAllowed, "The clock can't be moved from \(now.time()) to \(end.time())",
        advice: .moveClockForward)
    }
    let runner = try activeRunner
    try await withTaskInterrupt(parent: lifetime) { interrupt throws(EngineError) in
      try await runner.advance(to: end, interrupt: interrupt)
    }
    return core.withLock { ($0.hostTime, $0.time, $0.revision, $0.emitted - emitted) }
  }
}
