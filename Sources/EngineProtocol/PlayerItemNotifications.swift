import JSONRPC

/// The members of an item that have changed together; those that haven't are absent.
public struct WirePlayerItemChanges: Codable, Sendable, Equatable {
  /// The readiness.
  public var status: WirePlaybackStatus?
  /// The reason for which it has failed.
  public var error: ErrorObject?
  /// The duration.
  public var duration: WireTime?
  /// The size of its frames, upright. Absent besides a `status` of `readyToPlay`, the item has no video, or none any more.
  public var presentationSize: WireSize?
  /// The tracks.
  public var tracks: [WirePlayerItemTrack]?
  /// The ranges within which seeks are possible.
  public var seekableTimeRanges: [WireTimeRange]?

  package init() {}
}

/// Reports the changes of an item, once for all that happen together.
public struct PlayerItemDidChange: NotificationType {
  public static let method = "playerItem/didChange"

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The changes.
  public var changes: WirePlayerItemChanges

  package init(playerItem: PlayerItemHandle, changes: WirePlayerItemChanges) {
    self.playerItem = playerItem
    self.changes = changes
  }
}

/// The direction of playback.
public enum WirePlaybackDirection: String, Codable, Sendable, CaseIterable {
  /// The rate is above 0.
  case forward
  /// The rate is below 0.
  case reverse
}

/// Reports that an item has been played to its end, once for each arrival.
///
/// The player's `actionAtItemEnd` follows.
public struct PlayerItemDidPlayToEndTime: NotificationType {
  public static let method = "playerItem/didPlayToEndTime"

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The player.
  public var player: PlayerHandle
  /// The item's time: its end, or its start in reverse.
  public var time: WireTime
  /// The direction.
  public var direction: WirePlaybackDirection
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(
    playerItem: PlayerItemHandle, player: PlayerHandle, time: WireTime,
    direction: WirePlaybackDirection, hostTime: WireTime, revision: Int
  ) {
    self.playerItem = playerItem
    self.player = player
    self.time = time
    self.direction = direction
    self.hostTime = hostTime
    self.revision = revision
  }
}

/// Reports that an item can't be played to its end. A queue continues with the next one.
public struct PlayerItemDidFailToPlayToEndTime: NotificationType {
  public static let method = "playerItem/didFailToPlayToEndTime"

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The player.
  public var player: PlayerHandle
  /// The reason.
  public var error: ErrorObject
  /// The item's time.
  public var time: WireTime
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(
    playerItem: PlayerItemHandle, player: PlayerHandle, error: ErrorObject, time: WireTime,
    hostTime: WireTime, revision: Int
  ) {
    self.playerItem = playerItem
    self.player = player
    self.error = error
    self.time = time
    self.hostTime = hostTime
    self.revision = revision
  }
}

/// Reports that playback has stopped where the next frame or audio is due and waits for the bytes of a
/// resource (AVPlayerItem.playbackStalledNotification).
///
/// A player that waits automatically continues when they have come; the rate of another is 0 then, because of
/// `stalled`. Late decoding isn't a stall, and there is none on a manual clock.
public struct PlayerItemDidStall: NotificationType {
  public static let method = "playerItem/didStall"

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The player.
  public var player: PlayerHandle
  /// The item's time.
  public var time: WireTime
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(
    playerItem: PlayerItemHandle, player: PlayerHandle, time: WireTime, hostTime: WireTime,
    revision: Int
  ) {
    self.playerItem = playerItem
    self.player = player
    self.time = time
    self.hostTime = hostTime
    self.revision = revision
  }
}

/// The cause of a jump of an item's time.
public enum WireJumpCause: String, Codable, Sendable, CaseIterable {
  /// A seek.
  case seek
  /// A step by frames.
  case step
  /// A loop, which begins again.
  case loop
  /// A rate that was set with a time.
  case setRate
  /// Another item, which became the current one.
  case itemChange
}

/// Reports that an item's time has jumped.
public struct PlayerItemDidJump: NotificationType {
  public static let method = "playerItem/didJump"

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The player.
  public var player: PlayerHandle
  /// The time before; `"invalid"` where there was none.
  public var from: WireTime
  /// The time from then on.
  public var to: WireTime
  /// The cause.
  public var cause: WireJumpCause
  /// The number of jumps, with this one.
  public var revision: Int

  package init(
    playerItem: PlayerItemHandle, player: PlayerHandle, from: WireTime, to: WireTime,
    cause: WireJumpCause, revision: Int
  ) {
    self.playerItem = playerItem
    self.player = player
    self.from = from
    self.to = to
    self.cause = cause
    self.revision = revision
  }
}
