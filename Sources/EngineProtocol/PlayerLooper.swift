import JSONRPC

/// The place of a looped item among those that are in the queue already.
public enum WireLooperOrdering: String, Codable, Sendable, CaseIterable {
  /// The looped item plays first.
  case loopingItemsPrecedeExistingItems
  /// The looped item plays after the others.
  case loopingItemsFollowExistingItems
}

/// The readiness of a looper.
public enum WireLooperStatus: String, Codable, Sendable, CaseIterable {
  /// The item hasn't loaded yet.
  case unknown
  /// It can loop, and does as soon as the item plays.
  case ready
  /// It can't loop; `error` is the reason.
  case failed
  /// It has been disabled.
  case cancelled
}

/// Plays a range of an item again and again, without a gap.
///
/// The item is inserted into the player, which has to be a queue, and loops in itself while it is the current one. Each
/// pass ends with ``PlayerItemDidPlayToEndTime``, then ``PlayerItemDidJump`` and ``PlayerLooperDidLoop``.
/// Closing the looper is like ``PlayerLooperDisable``.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct PlayerLooperCreate: EngineRequest {
  public static let method = "playerLooper/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.playerLooper]

  /// The looper.
  public struct Result: Codable, Sendable, Equatable {
    /// The looper's handle.
    public var playerLooper: PlayerLooperHandle
    /// The items that loop: `templateItem` alone.
    public var loopingPlayerItems: [PlayerItemHandle]

    package init(playerLooper: PlayerLooperHandle, loopingPlayerItems: [PlayerItemHandle]) {
      self.playerLooper = playerLooper
      self.loopingPlayerItems = loopingPlayerItems
    }
  }

  /// The player.
  public var player: PlayerHandle
  /// The item, which is in no other player. One that is in the queue already changes its place.
  public var templateItem: PlayerItemHandle
  /// The range of the item; all of it when absent or `"invalid"`. A pass ends at the item's end time in its direction at
  /// the latest.
  public var timeRange: WireTimeRange?
  /// The place among the items of the queue.
  ///
  /// - Default: `"loopingItemsPrecedeExistingItems"`
  public var existingItemsOrdering: WireLooperOrdering?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    player: PlayerHandle, templateItem: PlayerItemHandle, timeRange: WireTimeRange? = nil,
    existingItemsOrdering: WireLooperOrdering? = nil
  ) {
    self.player = player
    self.templateItem = templateItem
    self.timeRange = timeRange
    self.existingItemsOrdering = existingItemsOrdering
  }
}

/// Returns the state of a looper.
public struct PlayerLooperState: EngineRequest {
  public static let method = "playerLooper/state"

  /// The state.
  public struct Result: Codable, Sendable, Equatable {
    /// The readiness.
    public var status: WireLooperStatus
    /// The reason for which it has failed.
    public var error: ErrorObject?
    /// The number of times that the item has begun again.
    public var loopCount: Int
    /// The items that loop.
    public var loopingPlayerItems: [PlayerItemHandle]

    package init(
      status: WireLooperStatus, error: ErrorObject?, loopCount: Int,
      loopingPlayerItems: [PlayerItemHandle]
    ) {
      self.status = status
      self.error = error
      self.loopCount = loopCount
      self.loopingPlayerItems = loopingPlayerItems
    }
  }

  /// The looper.
  public var playerLooper: PlayerLooperHandle

  /// Makes the value from its members.
  public init(playerLooper: PlayerLooperHandle) {
    self.playerLooper = playerLooper
  }
}

/// Stops looping: the pass that plays now is the last one.
public struct PlayerLooperDisable: EngineRequest {
  public static let method = "playerLooper/disable"
  public typealias Result = EmptyResult

  /// The looper.
  public var playerLooper: PlayerLooperHandle

  /// Makes the value from its members.
  public init(playerLooper: PlayerLooperHandle) {
    self.playerLooper = playerLooper
  }
}

/// Reports that a looped item begins again.
public struct PlayerLooperDidLoop: NotificationType {
  public static let method = "playerLooper/didLoop"

  /// The looper.
  public var playerLooper: PlayerLooperHandle
  /// The number of times that the item has begun again, from 1.
  public var loopCount: Int
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(playerLooper: PlayerLooperHandle, loopCount: Int, revision: Int) {
    self.playerLooper = playerLooper
    self.loopCount = loopCount
    self.revision = revision
  }
}
