import JSONRPC

/// Makes a player: a clock, and the presentation of an item by that clock.
///
/// A player has no screen. Outputs of an item deliver its frames (``VideoOutputCreate``), audio goes to
/// `audioDevice`. It plays one item, or, as a queue, one item after the other. With several items `isQueue` has
/// to be `true`.
///
/// Requests that name the player, its items, observers and outputs take effect in the order of their arrival.
/// One that changes state is answered first; the notifications of its effects follow. There are 64 players at
/// most, and 16 that have items, with audio players.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `pathNotAllowed`, `limitExceeded`
public struct PlayerCreate: EngineRequest {
  public static let method = "player/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.player]

  /// The player.
  public struct Result: Codable, Sendable, Equatable {
    /// The player's handle.
    public var player: PlayerHandle

    package init(player: PlayerHandle) {
      self.player = player
    }
  }

  /// The items, in the order in which they are played.
  ///
  /// - Default: `[]`
  public var items: [PlayerItemHandle]?
  /// True for a queue, whose items play in turn.
  ///
  /// - Default: `false`
  public var isQueue: Bool?
  /// The clock that host times are on.
  ///
  /// - Default: `"audio"`
  public var clock: WirePlayerClock?
  /// The destination of audio. Left out: none on a `manual` clock, else the server's default device. A device
  /// can't be on a `manual` clock. One that can't be opened, or that the server hasn't, is no error here: playback
  /// goes on without audio, and ``PlayerDidChange`` has the reason.
  public var audioDevice: WireAudioDevice?
  /// The format that audio is mixed in.
  public var audioFormat: WirePlayerAudioFormat?
  /// The action at the end of an item. Left out: `advance` for a queue, else `pause`.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// True if a player that has too little decoded waits and continues automatically; false if its rate becomes
  /// 0 then.
  ///
  /// - Default: `true`
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// The volume, from 0 to 1; it multiplies that of the item's mix.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// True for no audio, regardless of the volume.
  ///
  /// - Default: `false`
  public var isMuted: Bool?
  /// The rate that ``PlayerPlay`` sets.
  ///
  /// - Default: `1`
  public var defaultRate: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    items: [PlayerItemHandle]? = nil, isQueue: Bool? = nil, clock: WirePlayerClock? = nil,
    audioDevice: WireAudioDevice? = nil, audioFormat: WirePlayerAudioFormat? = nil,
    actionAtItemEnd: WireActionAtItemEnd? = nil,
    automaticallyWaitsToMinimizeStalling: Bool? = nil, volume: Double? = nil,
    isMuted: Bool? = nil, defaultRate: Double? = nil
  ) {
    self.items = items
    self.isQueue = isQueue
    self.clock = clock
    self.audioDevice = audioDevice
    self.audioFormat = audioFormat
    self.actionAtItemEnd = actionAtItemEnd
    self.automaticallyWaitsToMinimizeStalling = automaticallyWaitsToMinimizeStalling
    self.volume = volume
    self.isMuted = isMuted
    self.defaultRate = defaultRate
  }
}

/// The rate of a player after a request.
public struct WirePlayerRate: Codable, Sendable, Equatable {
  /// The desired rate; 0 is paused.
  public var rate: Double
  /// The state of playback: paused, waiting or playing.
  public var timeControlStatus: WireTimeControlStatus
  /// The reason for which it waits, while it does.
  public var reasonForWaitingToPlay: WireWaitingReason?
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(
    rate: Double, timeControlStatus: WireTimeControlStatus,
    reasonForWaitingToPlay: WireWaitingReason? = nil, revision: Int
  ) {
    self.rate = rate
    self.timeControlStatus = timeControlStatus
    self.reasonForWaitingToPlay = reasonForWaitingToPlay
    self.revision = revision
  }
}

/// Sets the rate to the player's `defaultRate`.
public struct PlayerPlay: EngineRequest {
  public static let method = "player/play"
  public typealias Result = WirePlayerRate

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Sets the rate to 0.
public struct PlayerPause: EngineRequest {
  public static let method = "player/pause"
  public typealias Result = WirePlayerRate

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Sets the rate, and with it the time that the item has at a host time.
///
/// With `atHostTime` the item's time is `time` at that host time. If it has passed, it is as if the item
/// had run since, through its ends and the passes of a loop, whose events are left out; if it is still to come, time stands
/// at `time` until then. With `time` alone the item continues there at once. Both need
/// `automaticallyWaitsToMinimizeStalling` to be `false`.
/// `time` is exact, and a jump: the revision becomes the next number.
///
/// - Errors: `operationNotAllowed`
public struct PlayerSetRate: EngineRequest {
  public static let method = "player/setRate"
  public typealias Result = WirePlayerRate

  /// The player.
  public var player: PlayerHandle
  /// The rate, from -32 to 32: 1 is normal speed, 0 is paused, below 0 is backward.
  public var rate: Double
  /// The item's time; the current one when absent.
  public var time: WireTime?
  /// The time of the player's clock; as soon as possible when absent.
  public var atHostTime: WireTime?
  /// True to play at once, even if little is decoded.
  ///
  /// - Default: `false`
  public var immediately: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    player: PlayerHandle, rate: Double, time: WireTime? = nil, atHostTime: WireTime? = nil,
    immediately: Bool? = nil
  ) {
    self.player = player
    self.rate = rate
    self.time = time
    self.atHostTime = atHostTime
    self.immediately = immediately
  }
}

/// Changes settings of a player; those that are left out stay as they are.
///
/// Another audio device is in use when this is answered; if there is no such device, nothing is changed. An audio file
/// that is being written has to be finished first.
///
/// - Errors: `operationNotAllowed`, `deviceNotConnected`, `fileAlreadyExists`, `pathNotAllowed`
public struct PlayerSet: EngineRequest {
  public static let method = "player/set"
  public typealias Result = EmptyResult

  /// The player.
  public var player: PlayerHandle
  /// The volume, from 0 to 1.
  public var volume: Double?
  /// True for no audio, regardless of the volume.
  public var isMuted: Bool?
  /// The destination of audio. A device that the server hasn't is refused, and nothing is changed.
  public var audioDevice: WireAudioDevice?
  /// The action at the end of an item. Set after the end, it takes effect at once.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// True if a player that has too little decoded waits and continues automatically.
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// The rate that ``PlayerPlay`` sets.
  public var defaultRate: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    player: PlayerHandle, volume: Double? = nil, isMuted: Bool? = nil,
    audioDevice: WireAudioDevice? = nil, actionAtItemEnd: WireActionAtItemEnd? = nil,
    automaticallyWaitsToMinimizeStalling: Bool? = nil, defaultRate: Double? = nil
  ) {
    self.player = player
    self.volume = volume
    self.isMuted = isMuted
    self.audioDevice = audioDevice
    self.actionAtItemEnd = actionAtItemEnd
    self.automaticallyWaitsToMinimizeStalling = automaticallyWaitsToMinimizeStalling
    self.defaultRate = defaultRate
  }
}

/// Returns the state of a player at one moment, without waiting for earlier requests.
public struct PlayerState: EngineRequest {
  public static let method = "player/state"

  /// The state.
  public struct Result: Codable, Sendable, Equatable {
    /// The readiness: `readyToPlay` once an item was tried, `failed` when the worker process has died.
    public var status: WirePlaybackStatus
    /// The reason for which it has failed.
    public var error: ErrorObject?
    /// The desired rate; 0 is paused.
    public var rate: Double
    /// The rate of the item's time: 0 while the player waits or seeks, and before a host time.
    public var effectiveRate: Double
    /// The rate that ``PlayerPlay`` sets.
    public var defaultRate: Double
    /// The state of playback: paused, waiting or playing.
    public var timeControlStatus: WireTimeControlStatus
    /// The reason for which it waits, while it does.
    public var reasonForWaitingToPlay: WireWaitingReason?
    /// The item that is played.
    public var currentItem: PlayerItemHandle?
    /// The item's time, while seeking the requested one; `"invalid"` without an item.
    public var time: WireTime
    /// True while a seek hasn't ended.
    public var isSeeking: Bool
    /// The time of the clock.
    public var hostTime: WireTime
    /// The clock that is in use: `host` instead of `audio` while no device plays.
    public var clock: WirePlayerClock
    /// The volume, from 0 to 1.
    public var volume: Double
    /// True for no audio, regardless of the volume.
    public var isMuted: Bool
    /// The action at the end of an item.
    public var actionAtItemEnd: WireActionAtItemEnd
    /// True if a player that has too little decoded waits and continues automatically.
    public var automaticallyWaitsToMinimizeStalling: Bool
    /// The number of jumps of the item's time.
    public var revision: Int
    /// The audio.
    public var audio: WirePlayerAudio

    package init(
      status: WirePlaybackStatus, error: ErrorObject?, rate: Double, effectiveRate: Double,
      defaultRate: Double, timeControlStatus: WireTimeControlStatus,
      reasonForWaitingToPlay: WireWaitingReason?, currentItem: PlayerItemHandle?, time: WireTime,
      isSeeking: Bool, hostTime: WireTime, clock: WirePlayerClock, volume: Double, isMuted: Bool,
      actionAtItemEnd: WireActionAtItemEnd, automaticallyWaitsToMinimizeStalling: Bool,
      revision: Int, audio: WirePlayerAudio
    ) {
      self.status = status
      self.error = error
      self.rate = rate
      self.effectiveRate = effectiveRate
      self.defaultRate = defaultRate
      self.timeControlStatus = timeControlStatus
      self.reasonForWaitingToPlay = reasonForWaitingToPlay
      self.currentItem = currentItem
      self.time = time
      self.isSeeking = isSeeking
      self.hostTime = hostTime
      self.clock = clock
      self.volume = volume
      self.isMuted = isMuted
      self.actionAtItemEnd = actionAtItemEnd
      self.automaticallyWaitsToMinimizeStalling = automaticallyWaitsToMinimizeStalling
      self.revision = revision
      self.audio = audio
    }
  }

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// Advances a manual clock, and returns when all events that are due until then have happened and are written.
///
/// It first waits for work in progress: until the current item is ready or has failed, seeks and prerolls have ended,
/// and outputs have the frame of the current time. Then it goes from one event to the next in the order of their host
/// times. Nothing depends on the speed of the machine, and nothing is coalesced. After 100,000
/// notifications it fails with `limitExceeded`, and the clock stays where it is then. `$/cancelRequest` stops it
/// between two events.
///
/// In a batch, whose answers are written together, the notifications follow the batch.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct PlayerAdvanceClock: EngineRequest {
  public static let method = "player/advanceClock"

  /// The state after the advance.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var hostTime: WireTime
    /// The item's time; `"invalid"` without an item.
    public var time: WireTime
    /// The number of jumps of the item's time.
    public var revision: Int
    /// The number of notifications that were written.
    public var notifications: Int

    package init(hostTime: WireTime, time: WireTime, revision: Int, notifications: Int) {
      self.hostTime = hostTime
      self.time = time
      self.revision = revision
      self.notifications = notifications
    }
  }

  /// The player.
  public var player: PlayerHandle
  /// The time that passes, up to 24 hours; 0 only waits for work in progress. Either `by` or `to` is required.
  public var by: WireTime?
  /// The time of the clock to advance to, not before its own.
  public var to: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(player: PlayerHandle, by: WireTime? = nil, to: WireTime? = nil) {
    self.player = player
    self.by = by
    self.to = to
  }
}

/// Finishes the file that a player writes its audio to, and gives it its name.
///
/// The player has no audio device from then on. Without this request there is no file.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `diskFull`
public struct PlayerFinishAudioFile: EngineRequest {
  public static let method = "player/finishAudioFile"

  /// The file.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The size of the file, in bytes.
    public var size: Int
    /// The number of frames, which is the number of samples in each channel.
    public var frames: Int64

    package init(path: String, size: Int, frames: Int64) {
      self.path = path
      self.size = size
      self.frames = frames
    }
  }

  /// The player.
  public var player: PlayerHandle

  /// Makes the value from its members.
  public init(player: PlayerHandle) {
    self.player = player
  }
}

/// The members of a player that have changed together; those that haven't are absent.
public struct WirePlayerChanges: Codable, Sendable, Equatable {
  /// The readiness.
  public var status: WirePlaybackStatus?
  /// The reason for which it has failed.
  public var error: ErrorObject?
  /// The desired rate; 0 is paused.
  public var rate: Double?
  /// The cause of the change of rate.
  public var rateChangeReason: WireRateChangeReason?
  /// The rate of the item's time.
  public var effectiveRate: Double?
  /// The state of playback: paused, waiting or playing.
  public var timeControlStatus: WireTimeControlStatus?
  /// The reason for which it waits; `null` if it doesn't wait any more.
  public var reasonForWaitingToPlay: WireWaitingReasonChange?
  /// The item that is played; `null` if there is none any more.
  public var currentItem: WireCurrentItemChange?
  /// The clock that is in use.
  public var clock: WirePlayerClock?
  /// The audio.
  public var audio: WirePlayerAudio?
  /// The action at the end of an item.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// The volume.
  public var volume: Double?
  /// True for no audio, regardless of the volume.
  public var isMuted: Bool?

  package init() {}
}

/// Reports the changes of a player, of any cause, once for all that happen together.
public struct PlayerDidChange: NotificationType {
  public static let method = "player/didChange"

  /// The player.
  public var player: PlayerHandle
  /// The number of jumps of the item's time; absent where the worker process has died.
  public var revision: Int?
  /// The time of the clock; absent where the worker process has died.
  public var hostTime: WireTime?
  /// The changes.
  public var changes: WirePlayerChanges

  package init(
    player: PlayerHandle, revision: Int? = nil, hostTime: WireTime? = nil,
    changes: WirePlayerChanges
  ) {
    self.player = player
    self.revision = revision
    self.hostTime = hostTime
    self.changes = changes
  }
}
