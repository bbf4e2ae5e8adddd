import Dispatch
import MediaTime

/// A media file whose facts are loaded when they are asked for (AVURLAsset).
///
/// Making one touches no file: what is wrong with it shows when a key is loaded.
public final class URLAsset: Asset {
  public struct Options: Sendable {
    /// Durations and times from a scan of the whole file where the header's are estimates.
    public var preferPreciseDurationAndTiming = false
    public init() {}
  }

  public let path: String
  public let options: Options
  public let media: AssetMedia
  private let loader: KeyLoader<AssetKey, AssetValue>
  private let content: AssetContent

  /// - Parameter url: a path, or a `file:` URL; another scheme fails at loading with `pathNotAllowed`.
  public init(
    url: String, options: Options = Options(),
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    let location = FileLocation(url)
    path = location.path
    self.options = options
    let source = MediaSource(location: location, configuration: configuration)
    let queues = LoadQueues()
    let content = AssetContent(
      source: source, configuration: configuration, options: options, queues: queues)
    self.content = content
    media = AssetMedia(content)
    loader = KeyLoader { key in
      queues.queue(isDeep: content.isDeep(key))
    } load: { (key, interrupt) throws(EngineError) in
      try content.value(of: key, interrupt: interrupt)
    }
  }

  /// Loads keys; each ends as loaded, failed or cancelled.
  public func load(
    _ keys: [AssetKey], ticket: LoadTicket = LoadTicket()
  ) async -> [AssetKey: KeyState<AssetValue>] {
    await loader.load(keys, ticket: ticket)
  }

  /// The states of keys as they are now. Never waits.
  public func status(of keys: [AssetKey]) -> [AssetKey: KeyState<AssetValue>] {
    loader.states(of: keys)
  }

  /// Cancels every pending key of the asset and of its tracks; what is loaded stays.
  public func cancelLoading() {
    loader.cancel()
    for track in content.knownTracks { track.cancelLoading() }
  }

  /// The tracks that are known without waiting.
  public var knownTracks: [AssetTrack] { content.knownTracks }
}
