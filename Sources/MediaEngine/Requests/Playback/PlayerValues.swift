public import MediaTime

/// The readiness of a player (AVPlayer.Status) or of an item (AVPlayerItem.Status).
public enum PlaybackStatus: String, Sendable {
  case unknown, readyToPlay, failed
}

/// The state of playback: paused, waiting or playing (AVPlayer.TimeControlStatus).
public enum TimeControlStatus: String, Sendable {
  case paused, waitingToPlayAtSpecifiedRate, playing
}

/// The reason for which a player waits (AVPlayer.WaitingReason).
public enum WaitingReason: String, Sendable {
  case noItemToPlay, toMinimizeStalls
}

/// The action of a player at the end of an item (AVPlayer.ActionAtItemEnd).
public enum ActionAtItemEnd: String, Sendable {
  /// Continues with the next item of a queue.
  case advance
  case pause
  /// Continues past the end: rate, item and time stay.
  case none
}

/// The cause of a change of rate (AVPlayer.RateDidChangeReason).
public enum RateChangeReason: String, Sendable {
  case setRateCalled, itemEnded, stalled, playbackFailed
}

/// The direction of playback.
public enum PlaybackDirection: String, Sendable {
  case forward, reverse
}

/// The clock that host times of a player are on.
public enum PlayerClockKind: String, Sendable {
  /// The frames that an audio device has played.
  case audio
  /// The system's monotonic clock.
  case host
  /// A clock that starts at 0 and that the caller moves.
  case manual
}

/// The destination of a player's audio.
public enum PlayerAudioDevice: Sendable, Hashable {
  /// An output of the audio server; nil for its default.
  case server(String?)
  /// A new WAV file of the audio that is heard while time runs.
  case file(path: String, sampleFormat: AudioFileSampleFormat)
  case none
}

/// The samples of an audio file that a player writes.
public enum AudioFileSampleFormat: String, Sendable {
  case f32, s16
}

/// The state of a player's audio.
public struct PlayerAudioState: Sendable, Hashable {
  public enum State: String, Sendable {
    case none, closed, open, unavailable
  }
  public var state = State.none
  /// The ID of the device that plays: it has one of its own for the default device, and another one than was asked for
  /// after the audio server has moved the audio, as it may when a device is removed. Before it plays the ID that was
  /// asked for, nil for the default. Of a file its path.
  public var device: String?
  public var sampleRate = 48000
  public var channels = 2
  /// The time from a sample's delivery to its being heard; nil where there is none.
  public var latency: Time?
  public var underruns = 0
  /// The frames that were heard, or written.
  public var framesPlayed: Int64 = 0
  /// False while the rate is one that has no audio.
  public var isAudible = true
  public var error: EngineError?

  public init() {}

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.state == rhs.state && lhs.device == rhs.device && lhs.sampleRate == rhs.sampleRate
      && lhs.channels == rhs.channels && lhs.isAudible == rhs.isAudible
      && lhs.error?.code == rhs.error?.code
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(state) }
}

/// The state of a player at one moment.
public struct PlayerState: Sendable {
  public var status = PlaybackStatus.unknown
  public var error: EngineError?
  /// The desired rate.
  public var rate = 0.0
  /// The rate of the item's time: 0 while the player waits or seeks, and before a host time.
  public var effectiveRate = 0.0
  public var defaultRate = 1.0
  public var timeControlStatus = TimeControlStatus.paused
  public var reasonForWaitingToPlay: WaitingReason?
  public var currentItem: PlayerItem?
  /// The item's time, that of the seek while the player seeks; invalid without an item.
  public var time = Time.invalid
  public var isSeeking = false
  public var hostTime = Time.zero
  public var clock = PlayerClockKind.host
  public var volume = 1.0
  public var isMuted = false
  public var actionAtItemEnd = ActionAtItemEnd.pause
  public var automaticallyWaitsToMinimizeStalling = true
  /// The number of jumps of the item's time.
  public var revision = 0
  public var audio = PlayerAudioState()

  public init() {}
}

/// The members of a player that have changed together; nil for those that haven't.
public struct PlayerChanges: Sendable {
  public var status: PlaybackStatus?
  public var error: EngineError?
  public var rate: Double?
  public var rateChangeReason: RateChangeReason?
  public var effectiveRate: Double?
  public var timeControlStatus: TimeControlStatus?
  /// The reason for which the player waits; nil inside where it doesn't wait any more.
  public var reasonForWaitingToPlay: WaitingReason??
  /// The current item; nil inside where there is none any more.
  public var currentItem: PlayerItem??
  public var clock: PlayerClockKind?
  public var audio: PlayerAudioState?
  public var actionAtItemEnd: ActionAtItemEnd?
  public var volume: Double?
  public var isMuted: Bool?

  public init() {}
}

/// The rate of a player after a request.
public struct PlayerRate: Sendable {
  public var rate: Double
  public var timeControlStatus: TimeControlStatus
  public var reasonForWaitingToPlay: WaitingReason?
  public var revision: Int
}

/// The settings of a player; those that are nil stay as they are.
public struct PlayerSettings: Sendable {
  /// The volume, from 0 to 1.
  public var volume: Double?
  public var isMuted: Bool?
  public var audioDevice: PlayerAudioDevice?
  public var actionAtItemEnd: ActionAtItemEnd?
  public var automaticallyWaitsToMinimizeStalling: Bool?
  public var defaultRate: Double?

  public init() {}
}

/// The end of a seek.
public struct SeekEnd: Sendable {
  /// The number of the seek.
  public var seek: Int
  /// The item; nil where there was none.
  public var item: PlayerItem?
  /// False where something has interrupted the seek, or its time can't be reached.
  public var finished: Bool
  public var requestedTime: Time
  /// The time that the item has landed at; nil for a seek that hasn't finished.
  public var actualTime: Time?
  /// The number of the frame that is shown, in presentation order; nil where frames have none.
  public var sampleIndex: Int?
  /// False where the frame isn't certainly the one that is shown then; nil without video.
  public var isExact: Bool?
  public var revision: Int
}

/// The cause of a jump of an item's time.
public enum JumpCause: String, Sendable {
  case seek, step, loop, setRate, itemChange
}

/// The cause for which a time observer fires.
public enum TimeObserverCause: String, Sendable {
  case registered, interval, jump, start, stop, boundary
}

/// A time that an observer reports.
public struct TimeObservation: Sendable {
  public var time: Time
  public var hostTime: Time
  public var cause: TimeObserverCause
  /// The index of the boundary time in the caller's list.
  public var index: Int?
  /// The time from the moment itself to its report; zero on a manual clock.
  public var lateness: Time
  public var revision: Int
}

/// A picture of a video output.
public struct OutputPicture: Sendable {
  public var image: GeneratedImage
  /// The start of the picture on the item's timeline.
  public var itemTimeForDisplay: Time
  public var duration: Time
  public var sampleIndex: Int?
}

/// The answer of a video output.
public struct OutputAnswer: Sendable {
  public enum Reason: String, Sendable {
    case none, notNew, notReady, noCredit
  }
  /// The picture; nil without one, for ``reason``.
  public var picture: OutputPicture?
  public var reason: Reason?
  /// The requested time.
  public var itemTime: Time
  public var isNew: Bool
  /// The pictures that were shown since the last answer, and weren't copied.
  public var skipped: Int
  public var revision: Int
}

/// The pictures that a video output hasn't delivered.
public struct DroppedPictures: Sendable, Hashable {
  public var outOfCredit = 0
  public var late = 0
}

/// The events of a player, in order.
public enum PlayerEvent: Sendable {
  case didChange(PlayerChanges, revision: Int, hostTime: Time)
  case itemDidChange(PlayerItem, PlayerItemChanges)
  case didFire(TimeObserver, PlayerItem?, TimeObservation)
  case didSeek(SeekEnd)
  case didPreroll(preroll: Int, finished: Bool)
  case didPlayToEndTime(
    PlayerItem, time: Time, direction: PlaybackDirection, hostTime: Time, revision: Int)
  case didFailToPlayToEndTime(PlayerItem, EngineError, time: Time, hostTime: Time, revision: Int)
  case didStall(PlayerItem, time: Time, hostTime: Time, revision: Int)
  case didJump(PlayerItem, from: Time, to: Time, cause: JumpCause, revision: Int)
  case didStartSequence(VideoOutput, revision: Int)
  case mediaDataWillChange(VideoOutput, revision: Int)
  case didOutput(
    VideoOutput, OutputPicture, hostTime: Time, dropped: DroppedPictures, revision: Int)
  case didLoop(PlayerLooper, loopCount: Int, revision: Int)
}
