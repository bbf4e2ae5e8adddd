import JSONRPC

/// A property of a track that is loaded on demand.
public enum WireTrackKey: String, Codable, Sendable, CaseIterable {
  /// The kind of its media.
  case mediaType
  /// Its format descriptions.
  case formatDescriptions
  /// The characteristics of its media.
  case mediaCharacteristics
  /// Its range in the asset.
  case timeRange
  /// The timescale of its media.
  case naturalTimeScale
  /// Its data rate.
  case estimatedDataRate
  /// The number of bytes of all its samples.
  case totalSampleDataLength
  /// The language by ISO 639-2/T.
  case languageCode
  /// The language by BCP 47.
  case extendedLanguageTag
  /// The size of its video.
  case naturalSize
  /// Its transform.
  case preferredTransform
  /// Its volume.
  case preferredVolume
  /// Its frame rate.
  case nominalFrameRate
  /// The duration of its shortest frame.
  case minFrameDuration
  /// True if decode order and presentation order differ.
  case requiresFrameReordering
  /// True if audio samples need others to be decoded.
  case hasAudioSampleDependencies
  /// True if it is presented by default.
  case isEnabled
  /// True if it can be played.
  case isPlayable
  /// True if this build can decode it.
  case isDecodable
  /// True if its samples are in the asset's own file.
  case isSelfContained
  /// Its edit list.
  case segments
  /// Its metadata that has a common key.
  case commonMetadata
  /// Its metadata.
  case metadata
  /// The formats of its metadata.
  case availableMetadataFormats
  /// The relations that other tracks have to it.
  case availableTrackAssociationTypes
  /// True if sample cursors can be made on it.
  case canProvideSampleCursors
}

/// The state of each requested key of a track; the others are absent.
public struct WireTrackValues: Codable, Sendable {
  /// The kind of its media.
  public var mediaType: WireKeyState<WireMediaType>?
  /// Its format descriptions; more than one when the format changes within the track.
  public var formatDescriptions: WireKeyState<[WireFormatDescription]>?
  /// The characteristics of its media.
  public var mediaCharacteristics: WireKeyState<[WireMediaCharacteristic]>?
  /// Its range in the asset; a start after zero means that it begins later.
  public var timeRange: WireKeyState<WireTimeRange>?
  /// The timescale of its media.
  public var naturalTimeScale: WireKeyState<Int32>?
  /// The data rate in bits a second.
  public var estimatedDataRate: WireKeyState<Double>?
  /// The number of bytes of all its samples.
  public var totalSampleDataLength: WireKeyState<Int64>?
  /// The language by ISO 639-2/T; loaded without value when unknown.
  public var languageCode: WireKeyState<String>?
  /// The language by BCP 47; loaded without value when unknown.
  public var extendedLanguageTag: WireKeyState<String>?
  /// The size of its video in pixels, before `preferredTransform`; zero when not visual.
  public var naturalSize: WireKeyState<WireSize>?
  /// The transform to apply before display.
  public var preferredTransform: WireKeyState<WireTransform>?
  /// The preferred volume, 0 to 1.
  public var preferredVolume: WireKeyState<Double>?
  /// The average number of frames a second; 0 when it has no frames.
  public var nominalFrameRate: WireKeyState<Double>?
  /// The duration of its shortest frame; `"invalid"` when unknown.
  public var minFrameDuration: WireKeyState<WireTime>?
  /// True if decode order and presentation order differ.
  public var requiresFrameReordering: WireKeyState<Bool>?
  /// True if audio samples need others to be decoded.
  public var hasAudioSampleDependencies: WireKeyState<Bool>?
  /// True if it is presented by default.
  public var isEnabled: WireKeyState<Bool>?
  /// True if it can be played.
  public var isPlayable: WireKeyState<Bool>?
  /// True if this build can decode it.
  public var isDecodable: WireKeyState<Bool>?
  /// True if its samples are in the asset's own file.
  public var isSelfContained: WireKeyState<Bool>?
  /// The edit list: the parts of the media and the times at which they are presented. Without one in the file, one
  /// segment that presents all of it, after an empty one if the track begins later than the asset.
  public var segments: WireKeyState<[WireTrackSegment]>?
  /// The metadata that has a common key.
  public var commonMetadata: WireKeyState<[WireMetadataItem]>?
  /// All its metadata, in the order of the container.
  public var metadata: WireKeyState<[WireMetadataItem]>?
  /// The formats of its metadata, by AVFoundation's names.
  public var availableMetadataFormats: WireKeyState<[String]>?
  /// The relations that other tracks have to it (`track/associatedTracks`).
  public var availableTrackAssociationTypes: WireKeyState<[WireTrackAssociationType]>?
  /// True if sample cursors can be made on it: for every track.
  public var canProvideSampleCursors: WireKeyState<Bool>?

  package init() {}
}
