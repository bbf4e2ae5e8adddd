import JSONRPC

/// Creates a player of the audio of one file or asset, which is opened at once.
///
/// It plays the audio track that a player of the asset would: that of the asset's own selection. Any obstacle to
/// playing it is the error of this request. Requests that name it take effect in the order of their arrival; one that
/// changes state is answered first, and the notifications of its effects follow.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `pathNotAllowed`, `contentIsUnavailable`,
///   `fileFormatNotRecognized`, `fileFailedToParse`, `noSourceTrack`, `decoderNotFound`, `contentIsProtected`,
///   `limitExceeded`
public struct AudioPlayerCreate: EngineRequest {
  public static let method = "audioPlayer/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.audioPlayer]

  /// The audio player.
  public struct Result: Codable, Sendable {
    /// The audio player's handle.
    public var audioPlayer: AudioPlayerHandle
    /// The duration of one pass.
    public var duration: WireTime
    /// The format of the audio as it is stored.
    public var format: WireFormatDescription?

    package init(
      audioPlayer: AudioPlayerHandle, duration: WireTime, format: WireFormatDescription? = nil
    ) {
      self.audioPlayer = audioPlayer
      self.duration = duration
      self.format = format
    }
  }

  /// The path or `file:` URL of a file; if there is no `asset`.
  ///
  /// - Path: `read`
  public var url: String?
  /// An asset, in place of a file.
  public var asset: AssetHandle?
  /// The destination of audio. Left out: none on a `manual` clock, else the server's default device. A device
  /// can't be on a `manual` clock. One that can't be opened, or that the server hasn't, is no error here: playback
  /// goes on without audio, and ``AudioPlayerDidChange`` has the reason.
  public var audioDevice: WireAudioDevice?
  /// The clock that host times are on.
  ///
  /// - Default: `"audio"`
  public var clock: WirePlayerClock?
  /// The number of passes after the first one; -1 for an unlimited number.
  ///
  /// - Default: `0`
  public var numberOfLoops: Int?
  /// The position between left, -1, and right, 1. At 0 both sides are unchanged, at ±1 one of them is silent.
  ///
  /// - Default: `0`
  public var pan: Double?
  /// The volume, from 0 to 1.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// True if `rate` is used, and may be changed.
  ///
  /// - Default: `false`
  public var enableRate: Bool?
  /// The rate, from 0.5 to 2; the pitch stays.
  ///
  /// - Default: `1`
  public var rate: Double?
  /// True if ``AudioPlayerMeters`` may be requested.
  ///
  /// - Default: `false`
  public var isMeteringEnabled: Bool?
  /// The time of the audio between two ``AudioPlayerDidMeter``, at least 20 ms; none are sent when absent. With it,
  /// metering is enabled.
  public var meterInterval: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String? = nil, asset: AssetHandle? = nil, audioDevice: WireAudioDevice? = nil,
    clock: WirePlayerClock? = nil, numberOfLoops: Int? = nil, pan: Double? = nil,
    volume: Double? = nil, enableRate: Bool? = nil, rate: Double? = nil,
    isMeteringEnabled: Bool? = nil, meterInterval: WireTime? = nil
  ) {
    self.url = url
    self.asset = asset
    self.audioDevice = audioDevice
    self.clock = clock
    self.numberOfLoops = numberOfLoops
    self.pan = pan
    self.volume = volume
    self.enableRate = enableRate
    self.rate = rate
    self.isMeteringEnabled = isMeteringEnabled
    self.meterInterval = meterInterval
  }
}

/// Decodes the audio that playing begins with, so that it begins at once.
///
/// - Errors: `operationNotAllowed`
public struct AudioPlayerPrepareToPlay: EngineRequest {
  public static let method = "audioPlayer/prepareToPlay"
  public typealias Result = EmptyResult

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}

/// Plays from the current time on; after the end, all passes from the start.
public struct AudioPlayerPlay: EngineRequest {
  public static let method = "audioPlayer/play"
  public typealias Result = EmptyResult

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// The time of the player's clock to begin at; as soon as possible when absent. If it has passed, playback is
  /// where it would be if it had begun then.
  public var atHostTime: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(audioPlayer: AudioPlayerHandle, atHostTime: WireTime? = nil) {
    self.audioPlayer = audioPlayer
    self.atHostTime = atHostTime
  }
}

/// Stops at the current time, and stays prepared.
public struct AudioPlayerPause: EngineRequest {
  public static let method = "audioPlayer/pause"
  public typealias Result = EmptyResult

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}

/// Stops at the current time, and releases the prepared audio.
///
/// The current time stays, and no ``AudioPlayerDidFinishPlaying`` is sent.
public struct AudioPlayerStop: EngineRequest {
  public static let method = "audioPlayer/stop"
  public typealias Result = EmptyResult

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}

/// Changes settings of an audio player; members that are left out stay as they are.
///
/// - Errors: `operationNotAllowed`
public struct AudioPlayerSet: EngineRequest {
  public static let method = "audioPlayer/set"
  public typealias Result = EmptyResult

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// The volume, from 0 to 1.
  public var volume: Double?
  /// The time over which the volume changes, as far as it plays; only with `volume`.
  public var fadeDuration: WireTime?
  /// The position between left, -1, and right, 1.
  public var pan: Double?
  /// The rate, from 0.5 to 2; refused if rates aren't enabled.
  public var rate: Double?
  /// The number of passes after the current one; -1 for an unlimited number.
  public var numberOfLoops: Int?
  /// The time to go to, exactly: from 0 to the duration.
  public var currentTime: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    audioPlayer: AudioPlayerHandle, volume: Double? = nil, fadeDuration: WireTime? = nil,
    pan: Double? = nil, rate: Double? = nil, numberOfLoops: Int? = nil,
    currentTime: WireTime? = nil
  ) {
    self.audioPlayer = audioPlayer
    self.volume = volume
    self.fadeDuration = fadeDuration
    self.pan = pan
    self.rate = rate
    self.numberOfLoops = numberOfLoops
    self.currentTime = currentTime
  }
}

/// Returns one moment of an audio player, without waiting for earlier requests.
public struct AudioPlayerState: EngineRequest {
  public static let method = "audioPlayer/state"

  /// The moment.
  public struct Result: Codable, Sendable, Equatable {
    /// True while it plays, or waits to play at a host time.
    public var isPlaying: Bool
    /// The time within the pass; during a seek, its target.
    public var currentTime: WireTime
    /// The time of the clock.
    public var deviceCurrentTime: WireTime
    /// The duration of one pass.
    public var duration: WireTime
    /// The number of times that playback has begun again after a pass, since the player was created.
    public var loop: Int
    /// The number of passes after the first one; -1 for an unlimited number.
    public var numberOfLoops: Int
    /// The volume, or the one that it fades to.
    public var volume: Double
    /// The position between left, -1, and right, 1.
    public var pan: Double
    /// The rate that it plays at.
    public var rate: Double
    /// The clock that is in use: `host` instead of `audio` while no device plays.
    public var clock: WirePlayerClock
    /// The audio.
    public var audio: WirePlayerAudio

    package init(
      isPlaying: Bool, currentTime: WireTime, deviceCurrentTime: WireTime, duration: WireTime,
      loop: Int, numberOfLoops: Int, volume: Double, pan: Double, rate: Double,
      clock: WirePlayerClock, audio: WirePlayerAudio
    ) {
      self.isPlaying = isPlaying
      self.currentTime = currentTime
      self.deviceCurrentTime = deviceCurrentTime
      self.duration = duration
      self.loop = loop
      self.numberOfLoops = numberOfLoops
      self.volume = volume
      self.pan = pan
      self.rate = rate
      self.clock = clock
      self.audio = audio
    }
  }

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}

/// The level of a channel, in dBFS: 0 is full scale, -160 is silence.
public struct WireAudioLevel: Codable, Sendable, Equatable {
  /// The average, as the root of the mean square.
  public var average: Double
  /// The maximum absolute value.
  public var peak: Double

  package init(average: Double, peak: Double) {
    self.average = average
    self.peak = peak
  }
}

/// Returns the levels of the last 50 ms of audio that the device received, without waiting. Without a device they
/// are those of silence.
///
/// - Errors: `operationNotAllowed`
public struct AudioPlayerMeters: EngineRequest {
  public static let method = "audioPlayer/meters"

  /// The levels.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var hostTime: WireTime
    /// The levels by channel: left, right.
    public var channels: [WireAudioLevel]

    package init(hostTime: WireTime, channels: [WireAudioLevel]) {
      self.hostTime = hostTime
      self.channels = channels
    }
  }

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}

/// Moves a manual clock, as ``PlayerAdvanceClock`` does: it returns when everything that is due until then has happened
/// and is written.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct AudioPlayerAdvanceClock: EngineRequest {
  public static let method = "audioPlayer/advanceClock"

  /// The state after the move.
  public struct Result: Codable, Sendable, Equatable {
    /// The time of the clock.
    public var hostTime: WireTime
    /// The time within the pass.
    public var time: WireTime
    /// The number of jumps of that time.
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

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// The time to advance by, up to 24 hours; 0 only waits for work in progress. Either this or `to` is required.
  public var by: WireTime?
  /// The time of the clock to go to, not before its own.
  public var to: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(audioPlayer: AudioPlayerHandle, by: WireTime? = nil, to: WireTime? = nil) {
    self.audioPlayer = audioPlayer
    self.by = by
    self.to = to
  }
}

/// Finishes the file that an audio player writes its audio to, and gives it its name.
///
/// The audio player has no audio device from then on. Without this request there is no file.
///
/// - Errors: `operationNotAllowed`, `fileAlreadyExists`, `diskFull`
public struct AudioPlayerFinishAudioFile: EngineRequest {
  public static let method = "audioPlayer/finishAudioFile"

  /// The file.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The size in bytes.
    public var size: Int
    /// The number of frames, which is the number of samples in each channel.
    public var frames: Int64

    package init(path: String, size: Int, frames: Int64) {
      self.path = path
      self.size = size
      self.frames = frames
    }
  }

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle

  /// Makes the value from its members.
  public init(audioPlayer: AudioPlayerHandle) {
    self.audioPlayer = audioPlayer
  }
}
