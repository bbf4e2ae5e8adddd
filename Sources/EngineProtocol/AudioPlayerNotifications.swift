import JSONRPC

/// The members of an audio player that have changed together; the others are absent.
public struct WireAudioPlayerChanges: Codable, Sendable, Equatable {
  /// The readiness: `failed` if the worker process has died.
  public var status: WirePlaybackStatus?
  /// The reason for which it has failed.
  public var error: ErrorObject?
  /// True while it plays.
  public var isPlaying: Bool?
  /// The cause of the start or the end of playing.
  public var rateChangeReason: WireRateChangeReason?
  /// The rate of its time: 0 while it doesn't run.
  public var effectiveRate: Double?
  /// The volume, or the one that it fades to.
  public var volume: Double?
  /// The clock that is in use.
  public var clock: WirePlayerClock?
  /// The audio.
  public var audio: WirePlayerAudio?

  package init() {}
}

/// Reports the changes of an audio player, regardless of their cause, once for all that happened together.
public struct AudioPlayerDidChange: NotificationType {
  public static let method = "audioPlayer/didChange"

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// The time of the clock; absent if the worker process has died.
  public var hostTime: WireTime?
  /// The changes.
  public var changes: WireAudioPlayerChanges

  package init(
    audioPlayer: AudioPlayerHandle, hostTime: WireTime? = nil, changes: WireAudioPlayerChanges
  ) {
    self.audioPlayer = audioPlayer
    self.hostTime = hostTime
    self.changes = changes
  }
}

/// Reports the end of all passes, or the error that prevented it.
public struct AudioPlayerDidFinishPlaying: NotificationType {
  public static let method = "audioPlayer/didFinishPlaying"

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// True if all passes were played.
  public var successfully: Bool
  /// The reason, if they weren't.
  public var error: ErrorObject?

  package init(audioPlayer: AudioPlayerHandle, successfully: Bool, error: ErrorObject? = nil) {
    self.audioPlayer = audioPlayer
    self.successfully = successfully
    self.error = error
  }
}

/// Reports levels, each `meterInterval` while it plays.
///
/// On clocks other than `manual`, it replaces an earlier one that isn't written yet.
public struct AudioPlayerDidMeter: NotificationType {
  public static let method = "audioPlayer/didMeter"

  /// The audio player.
  public var audioPlayer: AudioPlayerHandle
  /// The time of the clock.
  public var hostTime: WireTime
  /// The levels by channel: left, right.
  public var channels: [WireAudioLevel]

  package init(audioPlayer: AudioPlayerHandle, hostTime: WireTime, channels: [WireAudioLevel]) {
    self.audioPlayer = audioPlayer
    self.hostTime = hostTime
    self.channels = channels
  }
}
