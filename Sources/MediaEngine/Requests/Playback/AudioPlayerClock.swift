public import MediaTime
import Synchronization

/// The manual clock of an audio player.
extension AudioPlayer {
  /// Moves a manual clock: see ``Player/advanceClock(by:)``.
  public func advanceClock(
    by duration: Time
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    guard metersOnManualClock else { return try await player.advanceClock(by: duration) }
    let host = player.core.withLock(\.host)
    return try await advance(to: host + (ExactTime(duration) ?? .zero))
  }

  /// Moves a manual clock on to a time: see ``Player/advanceClock(to:)``.
  public func advanceClock(
    to hostTime: Time
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    guard metersOnManualClock else { return try await player.advanceClock(to: hostTime) }
    return try await advance(to: ExactTime(hostTime) ?? .zero)
  }

  private var metersOnManualClock: Bool {
    configuration.clock == .manual && configuration.meterInterval != nil
  }

  /// Moves the clock with stops before each report of levels, so that the device has the audio that they describe.
  private func advance(
    to target: ExactTime
  ) async throws(EngineError) -> (hostTime: Time, time: Time, revision: Int, notifications: Int) {
    var stop = player.core.withLock { min($0.host, target) }
    var count = 0
    while true {
      var reached = try await player.advanceClock(to: stop.time())
      count += reached.notifications
      reached.notifications = count
      let host = player.core.withLock(\.host)
      guard host < target, host >= stop, !Task.isCancelled else { return reached }
      guard count < Player.maximumEvents else {
        throw EngineError(
          .limitExceeded, "The clock was moved past \(count) notifications",
          advice: .moveClockInSteps)
      }
      stop = min(target, nextStop ?? target)
    }
  }

  /// The clock's time of the next stop, a frame before a report of levels or at a near one; nil where no stop is
  /// needed.
  private var nextStop: ExactTime? {
    guard let interval = configuration.meterInterval.flatMap(ExactTime.init) else { return nil }
    let duration = ExactTime(self.duration)
    return player.core.withLock { core in
      if let start = core.holdsUntil, start > core.host { return start }
      guard core.timebase.rate.value > 0 else { return nil }
      let time = core.itemTime
      var due = ExactTime((time / interval).floor + 1) * interval
      if let duration, time < duration { due = min(due, duration) }
      let distance = (due - time) / core.timebase.rate.factor
      let isFar = distance > Self.frame + Self.frame
      let stop = core.host + (isFar ? distance - Self.frame : distance)
      return ExactTime((stop * Self.nanoseconds).ceiling) / Self.nanoseconds
    }
  }

  /// The time of one frame.
  private static let frame = ExactTime(1) / ExactTime(48000)
  private static let nanoseconds = ExactTime(1_000_000_000)
}
