import JSONRPC

/// Moves the item's time.
///
/// The time becomes one between `time` − `toleranceBefore` and `time` + `toleranceAfter`, the one that is found
/// soonest; with zero tolerances it is exactly `time`. The item's time counts as `time` at once, and stands
/// until the seek ends. From then on the frame of that time is available.
///
/// A seek that hasn't ended when the next one arrives ends with `finished` `false` before anything else that the
/// next one causes, unless that has `whileScrubbing`. So does one to a time outside of the item, one without an
/// item, and one of an item that has failed. `"+infinity"` is the item's end, and shows its last frame. So is a time
/// after the end that is at most the asset's own duration, which may be longer. Each seek has one ``PlayerDidSeek``, in the
/// order of the requests. The answer has the `revision` that the seek has if it lands: once it is written, nothing of
/// a smaller revision is written.
///
/// Closing the operation cancels the seek, and so does `$/cancelRequest` of a request with `completion`
/// `"response"`.
public struct PlayerSeek: EngineRequest {
  public static let method = "player/seek"
  public typealias Result = RevisedOperationReply<PlayerDidSeek>

  /// The player.
  public var player: PlayerHandle
  /// The item's time to go to: a number, or an infinity.
  public var time: WireTime
  /// The maximum time by which the item may land earlier than `time`.
  ///
  /// - Default: `"+infinity"`
  public var toleranceBefore: WireTime?
  /// The maximum time by which the item may land later than `time`.
  ///
  /// - Default: `"+infinity"`
  public var toleranceAfter: WireTime?
  /// True for one of many seeks in a row: one that is in flight ends and is shown, the newest one waits, and those
  /// between end with `finished` `false`.
  ///
  /// - Default: `false`
  public var whileScrubbing: Bool?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    player: PlayerHandle, time: WireTime, toleranceBefore: WireTime? = nil,
    toleranceAfter: WireTime? = nil, whileScrubbing: Bool? = nil,
    completion: WireCompletion? = nil
  ) {
    self.player = player
    self.time = time
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
    self.whileScrubbing = whileScrubbing
    self.completion = completion
  }
}

extension PlayerSeek: OperationRequest {
  package typealias Terminal = PlayerDidSeek

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      PlayerDidSeek(
        operation: operation, player: player, finished: false, requestedTime: time,
        error: error.about(player))
    ]
  }
}

/// Reports the end of a seek.
public struct PlayerDidSeek: NotificationType {
  public static let method = "player/didSeek"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The player.
  public var player: PlayerHandle
  /// The item; absent where there was none.
  public var playerItem: PlayerItemHandle?
  /// True if the item is at the requested time; false if something has interrupted the seek, or the time
  /// can't be reached.
  public var finished: Bool
  /// The requested time.
  public var requestedTime: WireTime
  /// The item's time: the start of the frame that is shown, where the tolerances allow that; else the requested one. Only
  /// with `finished` `true`.
  public var actualTime: WireTime?
  /// The number of the frame that is shown, from 0, in presentation order; absent where frames have none.
  public var sampleIndex: Int?
  /// False if the frame isn't certainly the one that is shown at that time; absent without video.
  public var isExact: Bool?
  /// The number of jumps of the item's time; absent where the worker process has died.
  public var revision: Int?
  /// The reason for which it hasn't finished, where the worker process has died.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, player: PlayerHandle, playerItem: PlayerItemHandle? = nil,
    finished: Bool, requestedTime: WireTime, actualTime: WireTime? = nil, sampleIndex: Int? = nil,
    isExact: Bool? = nil, revision: Int? = nil, error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.player = player
    self.playerItem = playerItem
    self.finished = finished
    self.requestedTime = requestedTime
    self.actualTime = actualTime
    self.sampleIndex = sampleIndex
    self.isExact = isExact
    self.revision = revision
    self.error = error
  }
}

/// The number of operations that were cancelled.
public struct WireCancelledCount: Codable, Sendable, Equatable {
  /// The number of operations.
  public var cancelled: Int

  package init(cancelled: Int) {
    self.cancelled = cancelled
  }
}

/// Ends the seeks that haven't ended, with `finished` `false`.
public struct PlayerCancelPendingSeeks: EngineRequest {
  public static let method = "player/cancelPendingSeeks"
  public typealias Result = WireCancelledCount

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Decodes the start of playback, so that ``PlayerPlay`` takes effect at once.
///
/// It ends with `finished` `false` when the time changes or another rate is set meanwhile. The player has to be
/// paused, and its item ready.
///
/// - Errors: `operationNotAllowed`
public struct PlayerPreroll: EngineRequest {
  public static let method = "player/preroll"
  public typealias Result = OperationReply<PlayerDidPreroll>

  /// The player.
  public var player: PlayerHandle
  /// The rate that will be set, from -32 to 32.
  public var rate: Double
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(player: PlayerHandle, rate: Double, completion: WireCompletion? = nil) {
    self.player = player
    self.rate = rate
    self.completion = completion
  }
}

extension PlayerPreroll: OperationRequest {
  package typealias Terminal = PlayerDidPreroll

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      PlayerDidPreroll(
        operation: operation, player: player, finished: false, error: error.about(player))
    ]
  }
}

/// Reports the end of a preroll.
public struct PlayerDidPreroll: NotificationType {
  public static let method = "player/didPreroll"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The player.
  public var player: PlayerHandle
  /// True if everything is decoded; false if something has interrupted it.
  public var finished: Bool
  /// The reason for which it hasn't finished, where the worker process has died.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, player: PlayerHandle, finished: Bool, error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.player = player
    self.finished = finished
    self.error = error
  }
}

/// Ends the prerolls that haven't ended, with `finished` `false`.
public struct PlayerCancelPendingPrerolls: EngineRequest {
  public static let method = "player/cancelPendingPrerolls"
  public typealias Result = WireCancelledCount

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}
