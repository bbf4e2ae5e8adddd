import JSONRPC

/// Makes a player: a clock, and what is due at its times of the item that it plays.
///
/// A player has no screen. Pictures are taken of an item by outputs (``VideoOutputCreate``), audio goes to
/// `audioDevice`. It plays one item, or, as a queue, one item after the other. With several items `isQueue` has
/// to be `true`.
///
/// Requests that name the player, its items, observers and outputs take effect in the order of their arrival.
/// One that changes state is answered first; the notifications of what it causes follow. There are 64 players at most, and 16 that have items, with audio players.
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
  /// can't be on a `manual` clock.
  public var audioDevice: WireAudioDevice?
  /// The format that audio is mixed in.
  public var audioFormat: WirePlayerAudioFormat?
  /// What happens at the end of an item. Left out: `advance` for a queue, else `pause`.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// True where a player that has too little decoded waits and goes on by itself; false where its rate becomes
  /// 0 then.
  ///
  /// - Default: `true`
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// The volume, from 0 to 1; it multiplies that of the item's mix.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// True for no audio, whatever the volume.
  ///
  /// - Default: `false`
  public var isMuted: Bool?
  /// The rate that ``PlayerPlay`` sets.
  ///
  /// - Default: `1`
  public var defaultRate: Double?

  /// Makes the value; what is left out is absent on the wire.
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
  /// How the player follows it.
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
/// With `atHostTime` the item's time is `time` at that host time. For one that has passed it is as if the item
/// had run since; until one that comes, time stands at `time`. That needs
/// `automaticallyWaitsToMinimizeStalling` to be `false`. `time` without it is where the item goes on at once.
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
  /// True to play what is decoded, though that is little.
  ///
  /// - Default: `false`
  public var immediately: Bool?

  /// Makes the value; what is left out is absent on the wire.
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
/// Another audio device is in use when this is answered; where there is no such device, nothing is changed. An audio file
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
  /// True for no audio, whatever the volume.
  public var isMuted: Bool?
  /// The destination of audio.
  public var audioDevice: WireAudioDevice?
  /// What happens at the end of an item. Set after the end, it happens at once.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// True where a player that has too little decoded waits and goes on by itself.
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// The rate that ``PlayerPlay`` sets.
  public var defaultRate: Double?

  /// Makes the value; what is left out is absent on the wire.
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

/// Returns one moment of a player, without waiting for requests that came before.
public struct PlayerState: EngineRequest {
  public static let method = "player/state"

  /// The moment.
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
    /// How the player follows its rate.
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
    /// True for no audio, whatever the volume.
    public var isMuted: Bool
    /// What happens at the end of an item.
    public var actionAtItemEnd: WireActionAtItemEnd
    /// True where a player that has too little decoded waits and goes on by itself.
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

/// Moves a manual clock, and returns when all that is due until then has happened and is written.
///
/// It first waits for what goes on: the current item is ready or has failed, seeks and prerolls have ended, outputs
/// have the picture of the current time. Then it goes from one event to the next in the order of their host
/// times. Nothing depends on how fast the machine is, and nothing is coalesced. After 100,000
/// notifications it fails with `limitExceeded`, and the clock is where it got to. `$/cancelRequest` stops it
/// between two events.
///
/// In a batch, whose answers are written together, the notifications follow the batch.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct PlayerAdvanceClock: EngineRequest {
  public static let method = "player/advanceClock"

  /// The place that the clock got to.
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
  /// The time that passes, up to 24 hours; 0 only waits for what goes on. Give either this or `to`.
  public var by: WireTime?
  /// The time of the clock to go to, not before its own.
  public var to: WireTime?

  /// Makes the value; what is left out is absent on the wire.
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
    /// In bytes.
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
  /// How the player follows its rate.
  public var timeControlStatus: WireTimeControlStatus?
  /// The reason for which it waits; `null` where it doesn't wait any more.
  public var reasonForWaitingToPlay: WireWaitingReasonChange?
  /// The item that is played; `null` where there is none any more.
  public var currentItem: WireCurrentItemChange?
  /// The clock that is in use.
  public var clock: WirePlayerClock?
  /// The audio.
  public var audio: WirePlayerAudio?
  /// What happens at the end of an item.
  public var actionAtItemEnd: WireActionAtItemEnd?
  /// The volume.
  public var volume: Double?
  /// True for no audio, whatever the volume.
  public var isMuted: Bool?

  package init() {}
}

/// Reports what has changed of a player, whoever has changed it, once for all that changes together.
public struct PlayerDidChange: NotificationType {
  public static let method = "player/didChange"

  /// The player.
  public var player: PlayerHandle
  /// The number of jumps of the item's time; absent where the worker process has died.
  public var revision: Int?
  /// The time of the clock; absent where the worker process has died.
  public var hostTime: WireTime?
  /// What has changed.
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
