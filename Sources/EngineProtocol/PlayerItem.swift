import JSONRPC

/// Makes an item: the presentation of an asset in a player, with its tracks, volumes, composition and end
/// times.
///
/// Nothing is read. The item is loaded when it is the current one of a player, or the next one of a queue; its
/// `status` is then `readyToPlay` or `failed`. One asset may be presented by several items at the same time.
/// Of a composition, it presents the state at the time of this request.
///
/// - Errors: `unsupportedOutputSettings`, `invalidVideoComposition`
public struct PlayerItemCreate: EngineRequest {
  public static let method = "playerItem/create"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.playerItem]

  /// The item.
  public struct Result: Codable, Sendable, Equatable {
    /// The item's handle.
    public var playerItem: PlayerItemHandle

    package init(playerItem: PlayerItemHandle) {
      self.playerItem = playerItem
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The tracks that are presented; those that are enabled in the file when absent.
  public var enabledTrackIDs: [Int32]?
  /// The video composition; `null` for none.
  /// Left out: the asset's own, which a composition may have.
  public var videoComposition: WireVideoCompositionSetting?
  /// The audio mix; `null` for the tracks' own volumes.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The algorithm for audio at rates other than 1.
  ///
  /// - Default: `"timeDomain"`
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?
  /// The time at which the item begins, from 0 on. One after its end is the end.
  ///
  /// - Default: `0`
  public var initialTime: WireTime?
  /// The time at which it ends when it is played forward; `"invalid"` for its duration. It may be beyond that.
  ///
  /// - Default: `"invalid"`
  public var forwardPlaybackEndTime: WireTime?
  /// The time at which it ends when it is played backward; `"invalid"` for 0.
  ///
  /// - Default: `"invalid"`
  public var reversePlaybackEndTime: WireTime?
  /// The duration to decode ahead, as far as memory allows; 0 leaves it to the player.
  ///
  /// - Default: `0`
  public var preferredForwardBufferDuration: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, enabledTrackIDs: [Int32]? = nil,
    videoComposition: WireVideoCompositionSetting? = nil, audioMix: WireAudioMixSetting? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil, initialTime: WireTime? = nil,
    forwardPlaybackEndTime: WireTime? = nil, reversePlaybackEndTime: WireTime? = nil,
    preferredForwardBufferDuration: WireTime? = nil
  ) {
    self.asset = asset
    self.enabledTrackIDs = enabledTrackIDs
    self.videoComposition = videoComposition
    self.audioMix = audioMix
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    self.initialTime = initialTime
    self.forwardPlaybackEndTime = forwardPlaybackEndTime
    self.reversePlaybackEndTime = reversePlaybackEndTime
    self.preferredForwardBufferDuration = preferredForwardBufferDuration
  }
}

/// Changes settings of an item; those that are left out stay as they are.
///
/// They are in effect at once, without a jump of time. An end time that the item has already passed acts at once.
/// Those with which an item that has been loaded couldn't be played are refused, and nothing is changed.
///
/// - Errors: `noSourceTrack`, `unsupportedOutputSettings`, `invalidVideoComposition`
public struct PlayerItemSet: EngineRequest {
  public static let method = "playerItem/set"
  public typealias Result = EmptyResult

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The tracks that are presented; `null` for those that are enabled in the file.
  public var enabledTrackIDs: WireEnabledTracks?
  /// The video composition; `null` for none.
  public var videoComposition: WireVideoCompositionSetting?
  /// The audio mix; `null` for the tracks' own volumes.
  public var audioMix: WireAudioMixSetting?
  /// The algorithm for audio at rates other than 1.
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?
  /// The time at which it ends when it is played forward; `"invalid"` for its duration.
  public var forwardPlaybackEndTime: WireTime?
  /// The time at which it ends when it is played backward; `"invalid"` for 0.
  public var reversePlaybackEndTime: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    playerItem: PlayerItemHandle, enabledTrackIDs: WireEnabledTracks? = nil,
    videoComposition: WireVideoCompositionSetting? = nil, audioMix: WireAudioMixSetting? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil,
    forwardPlaybackEndTime: WireTime? = nil, reversePlaybackEndTime: WireTime? = nil
  ) {
    self.playerItem = playerItem
    self.enabledTrackIDs = enabledTrackIDs
    self.videoComposition = videoComposition
    self.audioMix = audioMix
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    self.forwardPlaybackEndTime = forwardPlaybackEndTime
    self.reversePlaybackEndTime = reversePlaybackEndTime
  }
}

/// Presents one of the tracks that are alternatives to each other, as ``AssetMediaSelectionGroup`` lists them,
/// or none of them.
///
/// - Errors: `noSourceTrack`
public struct PlayerItemSelect: EngineRequest {
  public static let method = "playerItem/select"
  public typealias Result = EmptyResult

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The characteristic of the tracks to choose from: `audible`, `visual` or `legible`.
  public var characteristic: WireMediaCharacteristic
  /// The track; none of them when absent or `null`.
  public var trackID: Int32?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    playerItem: PlayerItemHandle, characteristic: WireMediaCharacteristic, trackID: Int32? = nil
  ) {
    self.playerItem = playerItem
    self.characteristic = characteristic
    self.trackID = trackID
  }
}

/// A track of an item.
public struct WirePlayerItemTrack: Codable, Sendable, Equatable {
  /// The number of the track in its asset.
  public var trackID: Int32
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// True if it is presented.
  public var isEnabled: Bool
  /// The frames a second that it shows during playback, 0 while time stands. Absent for a track that isn't shown, and
  /// if the rate isn't known without decoding.
  public var currentVideoFrameRate: Double?

  package init(
    trackID: Int32, mediaType: WireMediaType, isEnabled: Bool,
    currentVideoFrameRate: Double? = nil
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.isEnabled = isEnabled
    self.currentVideoFrameRate = currentVideoFrameRate
  }
}

/// The tracks that an item presents: their numbers, or `null` for those that are enabled in the file.
///
/// ```schema
/// {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}
/// ```
public enum WireEnabledTracks: NullableSetting, Equatable, DecodingPlaceholder {
  /// The tracks of these numbers.
  case tracks([Int32])
  /// Those that are enabled in the file.
  case asset

  public static let decodingPlaceholder = WireEnabledTracks.asset
  public static let decodingExpectation = "numbers of tracks or null"

  public init(from decoder: any Decoder) throws {
    if case .null = try JSONValue(from: decoder) {
      self = .asset
    } else {
      self = .tracks(try [Int32](from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .tracks(let tracks): try tracks.encode(to: encoder)
    case .asset:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// Returns the state of an item at one moment, without waiting for earlier requests.
public struct PlayerItemState: EngineRequest {
  public static let method = "playerItem/state"

  /// The state.
  public struct Result: Codable, Sendable, Equatable {
    /// The readiness: `unknown` until a player has loaded it.
    public var status: WirePlaybackStatus
    /// The reason for which it has failed.
    public var error: ErrorObject?
    /// The duration, regardless of its end times; `"indefinite"` until it is ready.
    public var duration: WireTime
    /// The size of its frames, upright; absent without video.
    public var presentationSize: WireSize?
    /// Its time; `"invalid"` without a player.
    public var time: WireTime
    /// The player that has it.
    public var player: PlayerHandle?
    /// The tracks, once it is ready.
    public var tracks: [WirePlayerItemTrack]
    /// The ranges that are decoded ahead.
    public var loadedTimeRanges: [WireTimeRange]
    /// The ranges within which seeks are possible.
    public var seekableTimeRanges: [WireTimeRange]
    /// True if enough is decoded to continue playing.
    public var isPlaybackLikelyToKeepUp: Bool
    /// True if no more is decoded ahead.
    public var isPlaybackBufferFull: Bool
    /// True if nothing is decoded ahead.
    public var isPlaybackBufferEmpty: Bool
    /// True for rates above 2. Those from 1 to 2 can always be played.
    public var canPlayFastForward: Bool
    /// True for rates between 0 and 1.
    public var canPlaySlowForward: Bool
    /// True for the rate -1.
    public var canPlayReverse: Bool
    /// True for rates between -1 and 0.
    public var canPlaySlowReverse: Bool
    /// True for rates below -1.
    public var canPlayFastReverse: Bool
    /// True if it can be moved forward by frames, at its end as well.
    public var canStepForward: Bool
    /// True if it can be moved backward by frames, at its start as well.
    public var canStepBackward: Bool
    /// The reason for which it can't play backward or step.
    public var reason: String?
    /// The number of samples that the decoders have refused, in what was played; in each pass anew.
    public var damagedSamples: Int
    /// The damage that was met in each track, as `damagedSamples`, with its reason; absent without any. It is that of the
    /// pass that has met the most. That a file is cut short is known at its end.
    public var dropped: [WireDropped]?

    package init(
      status: WirePlaybackStatus, error: ErrorObject?, duration: WireTime,
      presentationSize: WireSize?, time: WireTime, player: PlayerHandle?,
      tracks: [WirePlayerItemTrack], loadedTimeRanges: [WireTimeRange],
      seekableTimeRanges: [WireTimeRange], isPlaybackLikelyToKeepUp: Bool,
      isPlaybackBufferFull: Bool, isPlaybackBufferEmpty: Bool, canPlayFastForward: Bool,
      canPlaySlowForward: Bool, canPlayReverse: Bool, canPlaySlowReverse: Bool,
      canPlayFastReverse: Bool, canStepForward: Bool, canStepBackward: Bool, reason: String?,
      damagedSamples: Int, dropped: [WireDropped]?
    ) {
      self.status = status
      self.error = error
      self.duration = duration
      self.presentationSize = presentationSize
      self.time = time
      self.player = player
      self.tracks = tracks
      self.loadedTimeRanges = loadedTimeRanges
      self.seekableTimeRanges = seekableTimeRanges
      self.isPlaybackLikelyToKeepUp = isPlaybackLikelyToKeepUp
      self.isPlaybackBufferFull = isPlaybackBufferFull
      self.isPlaybackBufferEmpty = isPlaybackBufferEmpty
      self.canPlayFastForward = canPlayFastForward
      self.canPlaySlowForward = canPlaySlowForward
      self.canPlayReverse = canPlayReverse
      self.canPlaySlowReverse = canPlaySlowReverse
      self.canPlayFastReverse = canPlayFastReverse
      self.canStepForward = canStepForward
      self.canStepBackward = canStepBackward
      self.reason = reason
      self.damagedSamples = damagedSamples
      self.dropped = dropped
    }
  }

  /// The item.
  public var playerItem: PlayerItemHandle

  /// Makes the value from its members.
  public init(playerItem: PlayerItemHandle) {
    self.playerItem = playerItem
  }
}

/// Moves the current item of a player by frames of its first enabled video track.
///
/// The player is paused first. The item's time becomes exactly the start of the frame, and the request is answered
/// when that frame is available.
///
/// - Errors: `operationNotAllowed`, `operationNotSupportedForAsset`
public struct PlayerItemStep: EngineRequest {
  public static let method = "playerItem/step"

  /// The frame.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of frames that the item was moved by, below 0 for steps back: fewer at an end.
    public var stepped: Int
    /// The item's time.
    public var time: WireTime
    /// The number of the frame, from 0, in presentation order; absent where frames have none.
    public var sampleIndex: Int?
    /// The number of jumps of the item's time.
    public var revision: Int

    package init(stepped: Int, time: WireTime, sampleIndex: Int?, revision: Int) {
      self.stepped = stepped
      self.time = time
      self.sampleIndex = sampleIndex
      self.revision = revision
    }
  }

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The number of frames; below 0 for steps back.
  public var count: Int

  /// Makes the value from its members.
  public init(playerItem: PlayerItemHandle, count: Int) {
    self.playerItem = playerItem
    self.count = count
  }
}
