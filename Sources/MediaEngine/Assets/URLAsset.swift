import Dispatch
import MediaTime

/// A media file whose facts are loaded when they are asked for (AVURLAsset).
///
/// Making one touches no file: what is wrong with it shows when a key is loaded.
public final class URLAsset: Asset {
  /// How a file is read.
  public struct Options: Sendable {
    /// Durations and times from a scan of the whole file where the header's are estimates.
    public var preferPreciseDurationAndTiming = false
    /// Reads and exports what is there of a file that is cut short or damaged, which exports refuse
    /// otherwise: it lasts as long as its samples, and readers and exports report what is missing.
    public var salvage = false
    public init() {}
  }

  /// Of the file, as it was given.
  public let path: String
  public let options: Options
  public let media: AssetMedia
  public let properties: AssetProperties

  /// - Parameter url: a path, or a `file:` URL; another scheme fails at loading with `pathNotAllowed`.
  public init(
    url: String, options: Options = Options(),
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    let location = FileLocation(url)
    path = location.path
    self.options = options
    let source = MediaSource(
      location: location, configuration: configuration, salvages: options.salvage)
    let queues = LoadQueues()
    let content = AssetContent(
      source: source, configuration: configuration, options: options, queues: queues)
    properties = AssetProperties(content, queues: queues)
    media = AssetMedia(content)
  }
}
