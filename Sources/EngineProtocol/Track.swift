import JSONRPC

/// A property of a track that is loaded on demand.
public enum WireTrackKey: String, Codable, Sendable, CaseIterable {
  /// The kind of its media.
  case mediaType
  /// Its format descriptions.
  case formatDescriptions
  /// The traits of its media.
  case mediaCharacteristics
  /// The range it takes in the asset.
  case timeRange
  /// The timescale of its media.
  case naturalTimeScale
  /// Its data rate.
  case estimatedDataRate
  /// The bytes of all its samples.
  case totalSampleDataLength
  /// The language by ISO 639-2/T.
  case languageCode
  /// The language by BCP 47.
  case extendedLanguageTag
  /// The size of its picture.
  case naturalSize
  /// Its transform.
  case preferredTransform
  /// Its volume.
  case preferredVolume
  /// Its frame rate.
  case nominalFrameRate
  /// Its shortest frame.
  case minFrameDuration
  /// Whether decode order and presentation order differ.
  case requiresFrameReordering
  /// Whether audio samples need others to be decoded.
  case hasAudioSampleDependencies
  /// Whether it is presented by default.
  case isEnabled
  /// Whether it can be played.
  case isPlayable
  /// Whether this build can decode it.
  case isDecodable
  /// Whether its samples are in the asset's own file.
  case isSelfContained
  /// Its metadata.
  case metadata
}

/// The state of each key of a track that was asked for; the others are absent.
public struct WireTrackValues: Codable, Sendable {
  /// The kind of its media.
  public var mediaType: WireKeyState<WireMediaType>?
  /// Its format descriptions; more than one when the format changes within the track.
  public var formatDescriptions: WireKeyState<[WireFormatDescription]>?
  /// The traits of its media.
  public var mediaCharacteristics: WireKeyState<[WireMediaCharacteristic]>?
  /// The range it takes in the asset; a start after zero means that it begins later.
  public var timeRange: WireKeyState<WireTimeRange>?
  /// The timescale of its media.
  public var naturalTimeScale: WireKeyState<Int32>?
  /// The data rate in bits a second.
  public var estimatedDataRate: WireKeyState<Double>?
  /// The bytes of all its samples.
  public var totalSampleDataLength: WireKeyState<Int64>?
  /// The language by ISO 639-2/T; loaded without value when unknown.
  public var languageCode: WireKeyState<String>?
  /// The language by BCP 47; loaded without value when unknown.
  public var extendedLanguageTag: WireKeyState<String>?
  /// The size of its picture in pixels, before `preferredTransform`; zero when not visual.
  public var naturalSize: WireKeyState<WireSize>?
  /// The transform that its picture asks for.
  public var preferredTransform: WireKeyState<WireTransform>?
  /// The volume it asks for, 0 to 1.
  public var preferredVolume: WireKeyState<Double>?
  /// The frames a second, on average; 0 when it has no frames.
  public var nominalFrameRate: WireKeyState<Double>?
  /// The duration of its shortest frame; `"invalid"` when unknown.
  public var minFrameDuration: WireKeyState<WireTime>?
  /// Whether decode order and presentation order differ.
  public var requiresFrameReordering: WireKeyState<Bool>?
  /// Whether audio samples need others to be decoded.
  public var hasAudioSampleDependencies: WireKeyState<Bool>?
  /// Whether it is presented by default.
  public var isEnabled: WireKeyState<Bool>?
  /// Whether it can be played.
  public var isPlayable: WireKeyState<Bool>?
  /// Whether this build can decode it.
  public var isDecodable: WireKeyState<Bool>?
  /// Whether its samples are in the asset's own file.
  public var isSelfContained: WireKeyState<Bool>?
  /// Its metadata.
  public var metadata: WireKeyState<[WireMetadataItem]>?

  package init(
    mediaType: WireKeyState<WireMediaType>? = nil,
    formatDescriptions: WireKeyState<[WireFormatDescription]>? = nil,
    mediaCharacteristics: WireKeyState<[WireMediaCharacteristic]>? = nil,
    timeRange: WireKeyState<WireTimeRange>? = nil, naturalTimeScale: WireKeyState<Int32>? = nil,
    estimatedDataRate: WireKeyState<Double>? = nil,
    totalSampleDataLength: WireKeyState<Int64>? = nil, languageCode: WireKeyState<String>? = nil,
    extendedLanguageTag: WireKeyState<String>? = nil, naturalSize: WireKeyState<WireSize>? = nil,
    preferredTransform: WireKeyState<WireTransform>? = nil,
    preferredVolume: WireKeyState<Double>? = nil, nominalFrameRate: WireKeyState<Double>? = nil,
    minFrameDuration: WireKeyState<WireTime>? = nil,
    requiresFrameReordering: WireKeyState<Bool>? = nil,
    hasAudioSampleDependencies: WireKeyState<Bool>? = nil, isEnabled: WireKeyState<Bool>? = nil,
    isPlayable: WireKeyState<Bool>? = nil, isDecodable: WireKeyState<Bool>? = nil,
    isSelfContained: WireKeyState<Bool>? = nil,
    metadata: WireKeyState<[WireMetadataItem]>? = nil
  ) {
    self.mediaType = mediaType
    self.formatDescriptions = formatDescriptions
    self.mediaCharacteristics = mediaCharacteristics
    self.timeRange = timeRange
    self.naturalTimeScale = naturalTimeScale
    self.estimatedDataRate = estimatedDataRate
    self.totalSampleDataLength = totalSampleDataLength
    self.languageCode = languageCode
    self.extendedLanguageTag = extendedLanguageTag
    self.naturalSize = naturalSize
    self.preferredTransform = preferredTransform
    self.preferredVolume = preferredVolume
    self.nominalFrameRate = nominalFrameRate
    self.minFrameDuration = minFrameDuration
    self.requiresFrameReordering = requiresFrameReordering
    self.hasAudioSampleDependencies = hasAudioSampleDependencies
    self.isEnabled = isEnabled
    self.isPlayable = isPlayable
    self.isDecodable = isDecodable
    self.isSelfContained = isSelfContained
    self.metadata = metadata
  }
}

/// Loads keys of a track.
///
/// It follows the rules of ``AssetLoadValues``. The work ends with ``TrackDidLoadValues``;
/// ``AssetCancelLoading`` cancels it. A track that the asset does not have fails every key with
/// `noSourceTrack`.
public struct TrackLoadValues: RequestType {
  public static let method = "track/loadValues"
  public typealias Result = OperationReply<TrackDidLoadValues>

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The keys, at least one.
  public var keys: [WireTrackKey]
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32, keys: [WireTrackKey], completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.keys = keys
    self.completion = completion
  }
}

/// Tells that the keys of ``TrackLoadValues`` are loaded, failed or cancelled.
public struct TrackDidLoadValues: NotificationType {
  public static let method = "track/didLoadValues"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The state of each key that was asked for.
  public var values: WireTrackValues

  package init(
    operation: OperationHandle, asset: AssetHandle, trackID: Int32, values: WireTrackValues
  ) {
    self.operation = operation
    self.asset = asset
    self.trackID = trackID
    self.values = values
  }
}

/// Tells the state of keys of a track, without loading or waiting.
///
/// - Errors: `noSourceTrack`
public struct TrackValueStatus: RequestType {
  public static let method = "track/valueStatus"

  /// The states.
  public struct Result: Codable, Sendable {
    /// The state of each key that was asked for.
    public var values: WireTrackValues

    package init(values: WireTrackValues) {
      self.values = values
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The keys.
  public var keys: [WireTrackKey]

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, keys: [WireTrackKey]) {
    self.asset = asset
    self.trackID = trackID
    self.keys = keys
  }
}
