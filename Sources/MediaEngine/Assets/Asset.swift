import Dispatch
import LibAV
public import MediaTime
import Synchronization

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

/// A media file whose facts are loaded when they are asked for (AVURLAsset).
///
/// Making one touches no file: what is wrong with it shows when a key is loaded.
public final class Asset: Sendable {
  public struct Options: Sendable {
    /// Durations and times from a scan of the whole file where the header's are estimates.
    public var preferPreciseDurationAndTiming = false
    public init() {}
  }

  public let path: String
  public let options: Options
  let source: MediaSource
  let configuration: EngineConfiguration
  private let loader: KeyLoader<AssetKey, AssetValue>
  private let content: Content

  /// - Parameter url: a path, or a `file:` URL; another scheme fails at loading with `pathNotAllowed`.
  public init(
    url: String, options: Options = Options(),
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    let location = FileLocation(url)
    path = location.path
    self.options = options
    self.configuration = configuration
    let source = MediaSource(location: location, configuration: configuration)
    let queue = DispatchQueue(label: "reelwire.asset")
    let content = Content(source: source, queue: queue)
    self.source = source
    self.content = content
    loader = KeyLoader(queue: queue) { (key, interrupt) throws(EngineError) in
      try content.value(of: key, options: options, interrupt: interrupt)
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

  /// The tracks, in the container's order.
  public func loadTracks() async throws(EngineError) -> [AssetTrack] {
    switch await load([.tracks])[.tracks] {
    case .loaded(.tracks(let tracks)): return tracks
    case .failed(let error): throw error
    default: throw .cancelled("Loading the tracks of '\(path)'")
    }
  }

  /// The tracks that are known without waiting.
  public var knownTracks: [AssetTrack] { content.knownTracks }
}

/// A path, taken from what a caller wrote.
struct FileLocation: Sendable {
  var path: String
  /// The scheme of a URL that isn't a file's.
  var foreignScheme: String?

  init(_ url: String) {
    path = url
    guard let colon = url.firstIndex(of: ":"),
      url[colon...].hasPrefix("://") || url.hasPrefix("file:")
    else { return }
    let scheme = url[..<colon].lowercased()
    guard scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return }
    guard scheme == "file" else {
      foreignScheme = scheme
      return
    }
    var rest = url[url.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      // An authority: empty, or this host.
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? rest[rest.endIndex...]
    }
    path = percentDecoded(rest)
  }
}

/// `%41` becomes `A`; what is no valid escape stays.
private func percentDecoded(_ text: Substring) -> String {
  var bytes: [UInt8] = []
  let source = Array(text.utf8)
  var index = 0
  while index < source.count {
    if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
      let value = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
    {
      bytes.append(value)
      index += 3
    } else {
      bytes.append(source[index])
      index += 1
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
