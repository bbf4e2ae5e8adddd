import Dispatch
public import MediaTime

/// A media file whose properties are loaded on demand (AVURLAsset).
///
/// Making one touches no file: its errors show when a property is loaded.
public final class URLAsset: Asset {
  /// The options for reading a file.
  public struct Options: Sendable {
    /// Durations and times from a scan of the whole file where the header's are estimates.
    public var preferPreciseDurationAndTiming = false
    /// Reads and exports the existing part of a file that is cut short or damaged, which exports
    /// refuse otherwise: it lasts as long as its samples, and readers and exports report the
    /// missing part.
    public var salvage = false
    /// The character set of text that isn't UTF-8 and has no mark of Unicode, by IANA's name ("windows-1251"); nil has
    /// it guessed. Loading fails with `incorrectlyConfigured` for one that isn't known.
    public var characterSet: String?
    /// The time by which the cues of a file of subtitles are later; earlier where it is negative. Loading fails with
    /// `incorrectlyConfigured` for other files.
    public var timeOffset = Time.zero
    /// Has the path stand for numbered pictures, which are the frames of the asset's video: a pattern such as
    /// `frame%04d.png` or `frames/*.png`, a folder, or the name of the first picture. Nil for one file. It has no effect
    /// on resources.
    public var imageSequence: ImageSequence?
    public init() {}

    /// - Throws: `incorrectlyConfigured` for a character set that isn't known, and for a sequence of images that
    ///   can't be.
    public func validate() throws(EngineError) {
      try imageSequence?.validate()
      guard timeOffset.isNumeric else {
        throw EngineError(
          .incorrectlyConfigured, "An offset of \(timeOffset.secondsDescription) is no time",
          advice: .offsetSubtitlesOnly)
      }
      if let characterSet { _ = try CharacterSet.named(characterSet) }
    }
  }

  /// The file's path as the caller stated it; the name of a resource.
  public let path: String
  public let options: Options
  public let media: AssetMedia
  public let properties: AssetProperties
  private let source: MediaSource

  /// The pattern of numbered pictures, and how they are read; with the numbers of the first and the last once anything
  /// of them has been loaded. Nil for a file.
  package var images: (path: String, sequence: ImageSequence)? {
    source.imageSequence?.resolved ?? options.imageSequence.map { (path, $0) }
  }

  /// - Parameter url: a path, or a `file:` URL; another scheme fails at loading with `pathNotAllowed`.
  public convenience init(
    url: String, options: Options = Options(),
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    let location = FileLocation(url)
    self.init(
      options.imageSequence.map { .images(location, $0) } ?? .file(location), options: options,
      configuration: configuration)
  }

  /// Makes an asset of a file of subtitles that is for a video.
  ///
  /// - Parameter videoFrameDuration: for subtitles that count frames.
  convenience init(
    subtitles url: String, options: Options, configuration: EngineConfiguration,
    videoFrameDuration: @escaping FrameDurationOfVideo
  ) {
    self.init(
      .file(FileLocation(url)), options: options, configuration: configuration,
      videoFrameDuration: videoFrameDuration)
  }

  /// Makes an asset of bytes that the program supplies.
  ///
  /// - Parameter resource: ends when nothing that was made from the asset uses it any more.
  public convenience init(
    resource: AssetResource, options: Options = Options(),
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    self.init(.resource(resource), options: options, configuration: configuration)
  }

  private init(
    _ origin: MediaSource.Origin, options: Options, configuration: EngineConfiguration,
    videoFrameDuration: FrameDurationOfVideo? = nil
  ) {
    self.options = options
    let source = MediaSource(
      origin, configuration: configuration, salvages: options.salvage,
      prefersPreciseTiming: options.preferPreciseDurationAndTiming,
      characterSet: options.characterSet, timeOffset: options.timeOffset,
      videoFrameDuration: videoFrameDuration)
    path = source.path
    self.source = source
    let queues = LoadQueues()
    let content = AssetContent(
      source: source, configuration: configuration, options: options, queues: queues)
    properties = AssetProperties(content, queues: queues)
    media = AssetMedia(content)
  }
}
