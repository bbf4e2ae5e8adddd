import JSONRPC

/// A new observer of a player's time.
public struct WireNewTimeObserver: Codable, Sendable, Equatable {
  /// The observer's handle. Closing it removes the observer: once that is answered, no notification of it is written.
  public var timeObserver: TimeObserverHandle

  package init(timeObserver: TimeObserverHandle) {
    self.timeObserver = timeObserver
  }
}

/// Adds an observer that fires at the multiples of an interval of the item's time, as they are crossed.
///
/// It also fires when it is added, and each time that time jumps, starts or stops. Forward it fires at the multiples
/// after the one time and up to the other, backward at those before the one and down to the other. A jump or start
/// that is at a multiple fires once. It belongs to the player, and is closed with it.
///
/// On clocks other than `manual` a notification that isn't written yet is replaced by the next one.
public struct PlayerAddPeriodicTimeObserver: EngineRequest {
  public static let method = "player/addPeriodicTimeObserver"
  public static let objects: [HandleKind] = [.timeObserver]
  public static let objectsAreParts = true
  public typealias Result = WireNewTimeObserver

  /// The player.
  public var player: PlayerHandle
  /// The interval, of the item's time: above 0.
  public var interval: WireTime

  /// Makes the value from its members.
  public init(player: PlayerHandle, interval: WireTime) {
    self.player = player
    self.interval = interval
  }
}

/// Adds an observer that fires when the item's time crosses certain times by playing, and not by a jump.
///
/// One at which playing starts doesn't fire, one at the end does. It fires once for each crossing, at negative rates
/// as well, and in each pass of a loop. It belongs to the player, and is closed with it.
public struct PlayerAddBoundaryTimeObserver: EngineRequest {
  public static let method = "player/addBoundaryTimeObserver"
  public static let objects: [HandleKind] = [.timeObserver]
  public static let objectsAreParts = true
  public typealias Result = WireNewTimeObserver

  /// The player.
  public var player: PlayerHandle
  /// The times, from 1 to 10,000, in any order; of equal ones each fires.
  public var times: [WireTime]

  /// Makes the value from its members.
  public init(player: PlayerHandle, times: [WireTime]) {
    self.player = player
    self.times = times
  }
}

/// The cause for which a time observer fires.
public enum WireTimeObserverCause: String, Codable, Sendable, CaseIterable {
  /// The observer was added.
  case registered
  /// A multiple of the interval was crossed.
  case interval
  /// Time has jumped.
  case jump
  /// Time has begun to run.
  case start
  /// Time has stopped.
  case stop
  /// A boundary time was crossed.
  case boundary
}

/// Reports that an observer has fired.
public struct TimeObserverDidFire: NotificationType {
  public static let method = "timeObserver/didFire"

  /// The observer.
  public var timeObserver: TimeObserverHandle
  /// The player.
  public var player: PlayerHandle
  /// The item; absent where there is none.
  public var playerItem: PlayerItemHandle?
  /// The exact time of the multiple or boundary, else the item's time; `"invalid"` without an item.
  public var time: WireTime
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The cause.
  public var cause: WireTimeObserverCause
  /// The number of the boundary time in the request, from 0.
  public var index: Int?
  /// The time from that moment until this notification was made; zero on a manual clock.
  public var lateness: WireTime
  /// The number of notifications of the observer that this one has replaced before they were written.
  public var coalesced: Int
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(
    timeObserver: TimeObserverHandle, player: PlayerHandle, playerItem: PlayerItemHandle?,
    time: WireTime, hostTime: WireTime, cause: WireTimeObserverCause, index: Int?,
    lateness: WireTime, coalesced: Int, revision: Int
  ) {
    self.timeObserver = timeObserver
    self.player = player
    self.playerItem = playerItem
    self.time = time
    self.hostTime = hostTime
    self.cause = cause
    self.index = index
    self.lateness = lateness
    self.coalesced = coalesced
    self.revision = revision
  }
}
