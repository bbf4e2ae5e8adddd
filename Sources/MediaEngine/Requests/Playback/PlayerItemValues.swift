public import MediaTime

/// The settings of an item; those that are nil stay as they are.
public struct PlayerItemSettings: Sendable {
  /// The IDs of the enabled tracks; nil inside for those that are enabled in the file.
  public var enabledTrackIDs: [Int32]??
  public var videoComposition: PresentationSetting<VideoComposition>?
  public var audioMix: PresentationSetting<AudioMix>?
  public var audioTimePitchAlgorithm: AudioTimePitchAlgorithm?
  /// Invalid for the item's end.
  public var forwardPlaybackEndTime: Time?
  /// Invalid for the item's start.
  public var reversePlaybackEndTime: Time?

  public init() {}
}

/// A track of an item (AVPlayerItemTrack).
public struct PlayerItemTrack: Sendable, Hashable {
  public var trackID: Int32
  public var mediaType: MediaType
  public var isEnabled: Bool
  /// The frames a second that the track shows as it plays: 0 while time stands. Nil for a track that isn't shown, and
  /// where it isn't known.
  public var currentVideoFrameRate: Double?

  init(trackID: Int32, mediaType: MediaType, isEnabled: Bool) {
    (self.trackID, self.mediaType, self.isEnabled) = (trackID, mediaType, isEnabled)
  }
}

/// The state of an item at one moment.
public struct PlayerItemState: Sendable {
  public var status = PlaybackStatus.unknown
  public var error: EngineError?
  /// Indefinite until the item is ready.
  public var duration = Time.indefinite
  /// The size of its frames, upright; nil without video.
  public var presentationSize: Size?
  public var time = Time.invalid
  public var tracks: [PlayerItemTrack] = []
  /// The ranges that are decoded ahead.
  public var loadedTimeRanges: [TimeRange] = []
  public var seekableTimeRanges: [TimeRange] = []
  public var isPlaybackLikelyToKeepUp = false
  public var isPlaybackBufferFull = false
  public var isPlaybackBufferEmpty = true
  public var canPlayReverse = false
  public var canPlaySlowReverse = false
  public var canPlayFastReverse = false
  public var canPlayFastForward = false
  public var canPlaySlowForward = false
  public var canStepForward = false
  public var canStepBackward = false
  /// The reason for which it can't play backward or step.
  public var reason: String?
  /// The number of samples that the decoders have refused, in what was played.
  public var damagedSamples = 0
  /// The damage that was met in each track; empty without any.
  public var damage: [DamagedSamples] = []

  public init() {}
}

/// The members of an item that have changed together; nil for those that haven't.
public struct PlayerItemChanges: Sendable {
  public var status: PlaybackStatus?
  public var error: EngineError?
  public var duration: Time?
  public var presentationSize: Size?
  public var tracks: [PlayerItemTrack]?
  public var seekableTimeRanges: [TimeRange]?

  public init() {}
}

/// The end of a step.
public struct StepEnd: Sendable {
  /// The frames that the item has been moved by, below zero for steps back.
  public var stepped: Int
  public var time: Time
  public var sampleIndex: Int?
  public var revision: Int
}
