public import MediaTime

/// The keys of an asset that can be loaded (AVAsset).
public enum AssetKey: String, Sendable, Hashable, CaseIterable {
  case duration, providesPreciseDurationAndTiming, tracks, metadata, commonMetadata, isPlayable
  case isReadable, isExportable, hasProtectedContent, preferredTransform, naturalSize
  case preferredRate, preferredVolume
}

/// The value of a key of an asset; each key has one form.
public enum AssetValue: Sendable {
  case time(Time)
  case bool(Bool)
  case double(Double)
  case tracks([AssetTrack])
  case metadata([MetadataItem])
  case transform(AffineTransform)
  case size(Size)
}

/// Media with a timeline of its own, made of tracks (AVAsset).
///
/// Its facts are loaded when they are asked for. Generators, readers and export sessions take any asset.
public protocol Asset: AnyObject, Sendable {
  /// What messages call it: a file's path.
  var path: String { get }
  /// How generators, readers and sessions come by its samples.
  var media: AssetMedia { get }

  /// Loads keys; each ends as loaded, failed or cancelled.
  func load(_ keys: [AssetKey], ticket: LoadTicket) async -> [AssetKey: KeyState<AssetValue>]
  /// The states of keys as they are now. Never waits.
  func status(of keys: [AssetKey]) -> [AssetKey: KeyState<AssetValue>]
  /// Cancels every pending key of the asset and of its tracks; what is loaded stays.
  func cancelLoading()
  /// The tracks that are known without waiting.
  var knownTracks: [AssetTrack] { get }
}

extension Asset {
  public func load(_ keys: [AssetKey]) async -> [AssetKey: KeyState<AssetValue>] {
    await load(keys, ticket: LoadTicket())
  }

  /// The tracks, in the container's order.
  public func loadTracks() async throws(EngineError) -> [AssetTrack] {
    switch await load([.tracks])[.tracks] {
    case .loaded(.tracks(let tracks)): return tracks
    case .failed(let error): throw error
    default: throw .cancelled("Loading the tracks of '\(path)'")
    }
  }
}
