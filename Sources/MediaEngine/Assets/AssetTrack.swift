import LibAV

public import MediaTime

/// The keys of a track that can be loaded (AVAssetTrack).
public enum TrackKey: String, Sendable, Hashable, CaseIterable {
  case mediaType, formatDescriptions, mediaCharacteristics, timeRange, naturalTimeScale
  case estimatedDataRate, totalSampleDataLength, languageCode, extendedLanguageTag, naturalSize
  case preferredTransform, preferredVolume, nominalFrameRate, minFrameDuration
  case requiresFrameReordering, hasAudioSampleDependencies, isEnabled, isPlayable, isDecodable
  case isSelfContained, segments, commonMetadata, metadata, availableMetadataFormats
  case availableTrackAssociationTypes, canProvideSampleCursors
}

/// The value of a key of a track; each key has one form.
public enum TrackValue: Sendable {
  case mediaType(MediaType)
  case formatDescriptions([FormatDescription])
  case mediaCharacteristics([MediaCharacteristic])
  case timeRange(TimeRange)
  case time(Time)
  case integer(Int64)
  case double(Double)
  case bool(Bool)
  case text(String?)
  case size(Size)
  case transform(AffineTransform)
  case metadata([MetadataItem])
  case texts([String])
  case segments([AssetTrackSegment])
  case associationTypes([TrackAssociationType])
}

/// A track of an asset. It keeps what it needs of the asset alive.
public final class AssetTrack: Sendable {
  let info: TrackInfo
  private let loader: KeyLoader<TrackKey, TrackValue>

  init(_ track: TrackInfo, queues: LoadQueues) {
    info = track
    loader = KeyLoader { key in
      queues.queue(isDeep: track.isDeep(key))
    } load: { (key, interrupt) throws(EngineError) in
      try track.value(of: key, interrupt: interrupt)
    }
  }

  /// Loads keys; each ends as loaded, failed or cancelled.
  public func load(
    _ keys: [TrackKey], ticket: LoadTicket = LoadTicket()
  ) async -> [TrackKey: KeyState<TrackValue>] {
    await loader.load(keys, ticket: ticket)
  }

  /// The states of keys as they are now. Never waits.
  public func status(of keys: [TrackKey]) -> [TrackKey: KeyState<TrackValue>] {
    loader.states(of: keys)
  }

  func cancelLoading() { loader.cancel() }

  /// The edit list.
  public func loadSegments(ticket: LoadTicket = LoadTicket()) async throws(EngineError)
    -> [AssetTrackSegment]
  {
    switch await load([.segments], ticket: ticket)[.segments] {
    case .loaded(.segments(let segments)): return segments
    case .failed(let error): throw error
    default: throw .cancelled("Loading the segments of track \(trackID)")
    }
  }

  public var trackID: Int32 { info.trackID }
  public var mediaType: MediaType { info.mediaType }
  public var mediaSubType: String { info.stream.mediaSubType }
  public var isDecodable: Bool { info.stream.parameters.hasDecoder }
  /// True where there is a decoder for it and it isn't encrypted.
  public var isPlayable: Bool { isDecodable && !info.isProtected }
  /// False for a movie's tracks that are switched off; other containers have no such switch.
  public var isEnabled: Bool { info.isEnabled }
  public var mediaCharacteristics: [MediaCharacteristic] { info.mediaCharacteristics }
  /// ISO 639-2/T, nil where the file states none.
  public var languageCode: String? { info.languageCode }
  /// BCP 47, nil where the file states none.
  public var extendedLanguageTag: String? { info.extendedLanguageTag }
  public var metadata: [MetadataItem] { info.metadata }
  /// What a menu shows: its title, else its language, else its number.
  public var displayName: String {
    for item in metadata where item.commonKey == "title" {
      if case .string(let title) = item.value, !title.isEmpty { return title }
    }
    return extendedLanguageTag ?? "\(trackID)"
  }
  /// True when it is presented unless something else is chosen.
  var isPresentedByDefault: Bool { info.stream.disposition.contains(.default) }
  /// A group of alternatives among a movie's tracks; 0 for none.
  var alternateGroup: Int { info.alternateGroup }
  /// The tracks that belong to this one, by number.
  public func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    info.associatedTrackIDs(type)
  }
  /// With square pixels, before the preferred transform; zero for tracks without a picture.
  public var naturalSize: Size { info.naturalSize }
}
