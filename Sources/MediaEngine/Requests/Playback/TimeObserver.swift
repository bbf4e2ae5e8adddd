import MediaTime

/// An observer of an item's time in a player (AVPlayer `addPeriodicTimeObserver`, `addBoundaryTimeObserver`).
///
/// A periodic one fires at the multiples of its interval that the item's time crosses, and when time jumps, starts or
/// stops. A boundary one fires when playback crosses its times, and not for jumps.
public final class TimeObserver: Sendable {
  enum Schedule: Sendable {
    case periodic(interval: Time)
    /// The times in ascending order, each with its index in the caller's list.
    case boundary([(time: ExactTime, given: Time, index: Int)], order: [ExactTime])
  }

  let schedule: Schedule
  /// Observers fire in the order of their numbers.
  let number: Int
  private let player: @Sendable () -> Player?

  init(_ schedule: Schedule, number: Int, of player: Player) {
    (self.schedule, self.number) = (schedule, number)
    self.player = { [weak player] in player }
  }

  public var isPeriodic: Bool { if case .periodic = schedule { true } else { false } }

  /// Removes the observer: it doesn't fire any more once this has returned. Never waits.
  public func close() { player()?.remove(self) }
}

extension TimeObserver.Schedule {
  /// - Parameter times: numeric.
  init(boundaries times: [Time]) {
    let entries = times.enumerated().compactMap { (index, given) in
      ExactTime(given).map { (time: $0, given: given, index: index) }
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    self = .boundary(entries, order: entries.map(\.time))
  }

  /// Returns the time at which the observer fires next on the way from a time.
  func next(after time: ExactTime, isForward: Bool) -> ExactTime? {
    switch self {
    case .periodic(let interval):
      Crossing.next(after: time, every: interval, isForward: isForward).flatMap(ExactTime.init)
    case .boundary(_, let order):
      Crossing.next(after: time, among: order, isForward: isForward).map { order[$0.lowerBound] }
    }
  }
}
