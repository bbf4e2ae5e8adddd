import JSONRPC

/// The kind of a track's media.
public enum WireMediaType: String, Codable, Sendable, CaseIterable {
  /// Video; an attached picture such as cover art is metadata, not a track.
  case video
  /// Audio.
  case audio
  /// Text.
  case text
  /// Subtitles.
  case subtitle
  /// Closed captions.
  case closedCaption
  /// Timecode.
  case timecode
  /// Timed metadata, and data of no other kind.
  case metadata
}

/// A trait of a track's media.
public enum WireMediaCharacteristic: String, Codable, Sendable, CaseIterable {
  /// It can be seen.
  case visual
  /// It can be heard.
  case audible
  /// It can be read.
  case legible
  /// It consists of frames.
  case frameBased
  /// Its colours are wider than BT.709.
  case usesWideGamutColorSpace
  /// Its transfer function is PQ or HLG, or it is Dolby Vision.
  case containsHDRVideo
  /// It has transparency.
  case containsAlphaChannel
  /// It belongs to the main programme.
  case isMainProgramContent
  /// It is in addition to the main programme, for example a commentary.
  case isAuxiliaryContent
  /// It is in the original language.
  case isOriginalContent
  /// It has only forced subtitles, which are always shown.
  case containsOnlyForcedSubtitles
  /// It transcribes the dialogue.
  case transcribesSpokenDialogForAccessibility
  /// It describes music and other audio.
  case describesMusicAndSoundForAccessibility
  /// It describes the visual content.
  case describesVideoForAccessibility
  /// Its language is easy.
  case easyToRead
  /// It is in another language than the original.
  case languageTranslation
  /// Its dialogue is dubbed.
  case dubbedTranslation
  /// Voices over the original's speak the translation.
  case voiceOverTranslation
}

/// A track, as its asset lists it.
public struct WireTrack: Codable, Sendable, Equatable {
  /// The track's number, unique within the asset.
  public var trackID: Int32
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// The format as a four-character code, for example `avc1`; absent when it has none.
  public var mediaSubType: String?
  /// The traits of its media.
  public var mediaCharacteristics: [WireMediaCharacteristic]
  /// True for a track that is presented by default.
  public var isEnabled: Bool
  /// True for a track that this build can decode.
  public var isDecodable: Bool
  /// The language by ISO 639-2/T.
  public var languageCode: String?
  /// The language by BCP 47.
  public var extendedLanguageTag: String?
  /// The size in pixels, before `preferredTransform`; only for visual media.
  public var naturalSize: WireSize?

  package init(
    trackID: Int32, mediaType: WireMediaType, mediaSubType: String? = nil,
    mediaCharacteristics: [WireMediaCharacteristic], isEnabled: Bool, isDecodable: Bool,
    languageCode: String? = nil, extendedLanguageTag: String? = nil, naturalSize: WireSize? = nil
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.mediaSubType = mediaSubType
    self.mediaCharacteristics = mediaCharacteristics
    self.isEnabled = isEnabled
    self.isDecodable = isDecodable
    self.languageCode = languageCode
    self.extendedLanguageTag = extendedLanguageTag
    self.naturalSize = naturalSize
  }
}

/// The options with which an asset is opened.
public struct WireAssetOptions: Codable, Sendable, Equatable {
  /// True to have the file scanned for an exact duration and timing, and images made with an
  /// index of all its samples.
  ///
  /// - Default: `false`
  public var preferPreciseDurationAndTiming: Bool?
  /// True to read and export the rest of a file that is cut short or damaged.
  ///
  /// Otherwise an export that reaches the missing part fails with `invalidSourceMedia`, and a reader of a
  /// damaged file with `failedToLoadSampleData`. With this option the asset lasts as long as its samples
  /// if it is cut short, and `dropped` of readers and exports has a `damagedSamples` for each track, with
  /// the number of missing bytes and the time from which media is missing.
  ///
  /// - Default: `false`
  public var salvage: Bool?
  /// The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`.
  ///
  /// It is for files of subtitles and for text among other tracks. A byte order mark at the start of a text
  /// takes precedence. Without this option the character set is guessed, and exports list the guess as
  /// `characterSet` in `dropped`.
  public var characterSet: String?
  /// The delay of the cues of a file of subtitles in seconds; they are earlier if it is negative.
  ///
  /// Exports leave out cues that would end before the start, and `dropped` has their number. Other files with an offset
  /// can't be loaded: `incorrectlyConfigured`.
  ///
  /// - Default: `0`
  public var timeOffset: Double?
  /// Numbered images for which the `url` stands; they are the frames of one video track.
  ///
  /// Left out, the `url` is that of one file, regardless of its name.
  public var imageSequence: WireImageSequence?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    preferPreciseDurationAndTiming: Bool? = nil, salvage: Bool? = nil, characterSet: String? = nil,
    timeOffset: Double? = nil, imageSequence: WireImageSequence? = nil
  ) {
    self.preferPreciseDurationAndTiming = preferPreciseDurationAndTiming
    self.salvage = salvage
    self.characterSet = characterSet
    self.timeOffset = timeOffset
    self.imageSequence = imageSequence
  }
}

/// Opens a file as an asset, or bytes that the client supplies.
///
/// The file is not touched yet, so this does not fail for a missing or broken file: loading a key
/// does; for an item of a library whose file is known to be gone it fails with `contentIsUnavailable`. A URL of
/// another scheme fails there with `pathNotAllowed`: the client itself reads media over a network, and supplies it
/// as a `resource`. Its bytes are requested with ``ResourceRead`` as they are needed; its `name` is used only in
/// messages.
public struct AssetOpen: EngineRequest {
  public static let method = "asset/open"
  public static let placement = Placement.spread
  public static let objects: [HandleKind] = [.asset, .resource]

  /// The asset.
  public struct Result: Codable, Sendable, Equatable {
    /// The asset's handle.
    public var asset: AssetHandle
    /// The resource's handle, if the client supplies the bytes. It is closed with the asset's.
    public var resource: ResourceHandle?

    package init(asset: AssetHandle, resource: ResourceHandle? = nil) {
      self.asset = asset
      self.resource = resource
    }
  }

  /// A path, absolute or from the server's working folder, or a `file:` URL; if there is no `resource` and no `item`.
  ///
  /// - Path: `read`
  public var url: String?
  /// Bytes that the client supplies; if there is no `url` and no `item`.
  public var resource: WireResource?
  /// The library of `item`.
  public var library: LibraryHandle?
  /// The identifier of an item of a library, whose file is opened; if there is no `url` and no `resource`.
  public var item: String?
  /// The options with which it is opened.
  public var options: WireAssetOptions?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    url: String? = nil, resource: WireResource? = nil, library: LibraryHandle? = nil,
    item: String? = nil, options: WireAssetOptions? = nil
  ) {
    self.url = url
    self.resource = resource
    self.library = library
    self.item = item
    self.options = options
  }
}

/// Loads keys of an asset.
///
/// Each key has its own status and can fail alone; keys that are already loaded are answered at
/// once. The work ends with ``AssetDidLoadValues``. A request with a key that does not exist is
/// refused as a whole with `invalidParams`.
public struct AssetLoadValues: EngineRequest {
  public static let method = "asset/loadValues"
  public typealias Result = OperationReply<AssetDidLoadValues>

  /// The asset.
  public var asset: AssetHandle
  /// The keys, at least one.
  public var keys: [WireAssetKey]
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(asset: AssetHandle, keys: [WireAssetKey], completion: WireCompletion? = nil) {
    self.asset = asset
    self.keys = keys
    self.completion = completion
  }
}

extension AssetLoadValues: OperationRequest {
  package typealias Terminal = AssetDidLoadValues

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AssetDidLoadValues(
        operation: operation, asset: asset,
        values: failedValues(keys.map(\.rawValue), error) ?? WireAssetValues())
    ]
  }
}

/// Reports that the keys of ``AssetLoadValues`` are loaded, failed or cancelled.
public struct AssetDidLoadValues: NotificationType {
  public static let method = "asset/didLoadValues"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The state of each requested key.
  public var values: WireAssetValues

  package init(operation: OperationHandle, asset: AssetHandle, values: WireAssetValues) {
    self.operation = operation
    self.asset = asset
    self.values = values
  }
}

/// Returns the state of keys of an asset, without loading or waiting.
public struct AssetValueStatus: EngineRequest {
  public static let method = "asset/valueStatus"

  /// The states.
  public struct Result: Codable, Sendable {
    /// The state of each requested key.
    public var values: WireAssetValues

    package init(values: WireAssetValues) {
      self.values = values
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The keys.
  public var keys: [WireAssetKey]

  /// Makes the value from its members.
  public init(asset: AssetHandle, keys: [WireAssetKey]) {
    self.asset = asset
    self.keys = keys
  }
}

/// Cancels the loading of all keys of an asset and of its tracks.
///
/// Keys that were loading become `cancelled`; loaded keys stay loaded. Every operation that waited
/// for them ends with its terminal notification.
public struct AssetCancelLoading: EngineRequest {
  public static let method = "asset/cancelLoading"
  public typealias Result = EmptyResult

  /// The asset.
  public var asset: AssetHandle

  /// Makes the value from its members.
  public init(asset: AssetHandle) {
    self.asset = asset
  }
}

/// Lists the tracks of an asset, loading them first if necessary.
///
/// The list is empty if the asset has no such tracks.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`
public struct AssetTracks: EngineRequest {
  public static let method = "asset/tracks"

  /// The tracks.
  public struct Result: Codable, Sendable, Equatable {
    /// The tracks, in the order of the container.
    public var tracks: [WireTrack]

    package init(tracks: [WireTrack]) {
      self.tracks = tracks
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// Only the track with this number.
  public var trackID: Int32?
  /// Only tracks of this media type.
  public var mediaType: WireMediaType?
  /// Only tracks with this characteristic.
  public var mediaCharacteristic: WireMediaCharacteristic?
  /// Only tracks that this selects; a rule that fits none is no error here.
  public var selection: WireTrackSelection?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, mediaType: WireMediaType? = nil,
    mediaCharacteristic: WireMediaCharacteristic? = nil, selection: WireTrackSelection? = nil
  ) {
    self.selection = selection
    self.asset = asset
    self.trackID = trackID
    self.mediaType = mediaType
    self.mediaCharacteristic = mediaCharacteristic
  }
}

/// Returns a track number that no track of an asset has.
public struct AssetFindUnusedTrackID: EngineRequest {
  public static let method = "asset/findUnusedTrackID"

  /// The number.
  public struct Result: Codable, Sendable, Equatable {
    /// A free track number: the highest one plus 1 where that is possible.
    public var trackID: Int32

    package init(trackID: Int32) {
      self.trackID = trackID
    }
  }

  /// The asset.
  public var asset: AssetHandle

  /// Makes the value from its members.
  public init(asset: AssetHandle) {
    self.asset = asset
  }
}

/// Tracks that are alternatives, of which one at a time is presented (AVAssetTrackGroup).
public struct WireTrackGroup: Codable, Sendable, Equatable {
  /// The tracks, in the order of the container.
  public var trackIDs: [Int32]

  package init(trackIDs: [Int32]) {
    self.trackIDs = trackIDs
  }
}

/// A variant of a stream (AVAssetVariant).
public struct WireAssetVariant: Codable, Sendable, Equatable {
  /// The peak bit rate in bits a second.
  public var peakBitRate: Double?
  /// The average bit rate in bits a second.
  public var averageBitRate: Double?

  package init(peakBitRate: Double? = nil, averageBitRate: Double? = nil) {
    self.peakBitRate = peakBitRate
    self.averageBitRate = averageBitRate
  }
}
