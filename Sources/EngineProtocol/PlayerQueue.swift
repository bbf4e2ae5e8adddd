import JSONRPC

/// The items of a player, in the order in which they are played, the current one first.
public struct WirePlayerItems: Codable, Sendable, Equatable {
  /// The items.
  public var items: [PlayerItemHandle]

  package init(items: [PlayerItemHandle]) {
    self.items = items
  }
}

/// Replaces the current item of a player; in a queue the new one takes its place.
///
/// An item belongs to one player, and is in it once.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct PlayerReplaceCurrentItem: EngineRequest {
  public static let method = "player/replaceCurrentItem"
  public typealias Result = EmptyResult

  /// The player.
  public var player: PlayerHandle
  /// The new item; none when absent or `null`.
  public var playerItem: PlayerItemHandle?

  /// Makes the value; members that are left out are absent on the wire.
  public init(player: PlayerHandle, playerItem: PlayerItemHandle? = nil) {
    self.player = player
    self.playerItem = playerItem
  }
}

/// Returns the items of a player. One that has been played to its end in a queue is gone from it.
public struct PlayerItems: EngineRequest {
  public static let method = "player/items"
  public typealias Result = WirePlayerItems

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Inserts an item into a queue.
///
/// A queue that waits with `noItemToPlay` plays it at once.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct PlayerInsert: EngineRequest {
  public static let method = "player/insert"
  public typealias Result = WirePlayerItems

  /// The player.
  public var player: PlayerHandle
  /// The item.
  public var playerItem: PlayerItemHandle
  /// The item that it comes after; the last one when absent.
  public var after: PlayerItemHandle?
  /// True to only check that it can be inserted, and to return the items as they would be then.
  ///
  /// - Default: `false`
  public var dryRun: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    player: PlayerHandle, playerItem: PlayerItemHandle, after: PlayerItemHandle? = nil,
    dryRun: Bool? = nil
  ) {
    self.player = player
    self.playerItem = playerItem
    self.after = after
    self.dryRun = dryRun
  }
}

/// Removes an item; where it is the current one, the next one follows.
///
/// - Errors: `operationNotAllowed`
public struct PlayerRemove: EngineRequest {
  public static let method = "player/remove"
  public typealias Result = EmptyResult

  /// The player.
  public var player: PlayerHandle
  /// The item.
  public var playerItem: PlayerItemHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle, playerItem: PlayerItemHandle) {
    self.player = player
    self.playerItem = playerItem
  }
}

/// Removes all items of a player. Its rate stays.
public struct PlayerRemoveAllItems: EngineRequest {
  public static let method = "player/removeAllItems"
  public typealias Result = EmptyResult

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Removes the current item of a queue, and continues with the next one.
///
/// - Errors: `operationNotAllowed`
public struct PlayerAdvanceToNextItem: EngineRequest {
  public static let method = "player/advanceToNextItem"

  /// The queue from then on.
  public struct Result: Codable, Sendable, Equatable {
    /// The item that is played; absent if there is none any more.
    public var currentItem: PlayerItemHandle?
    /// The items, the current one first.
    public var items: [PlayerItemHandle]
    /// The number of jumps of the item's time.
    public var revision: Int

    package init(currentItem: PlayerItemHandle?, items: [PlayerItemHandle], revision: Int) {
      self.currentItem = currentItem
      self.items = items
      self.revision = revision
    }
  }

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}
