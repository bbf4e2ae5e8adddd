import LibAV
public import MediaEngine
import MediaTime
import SQLite
import Synchronization
import SystemIO

/// A small image of an item.
public struct LibraryThumbnail: Sendable {
  /// The width in pixels.
  public let width: Int
  public let height: Int
  /// The bytes of a JPEG file.
  public let data: DataBuffer
  /// True if it was in the cache.
  public let isCached: Bool
}

extension Library {
  /// Returns an image of an item, from about a tenth of its duration; of audio, its artwork.
  ///
  /// - Parameter width: the size of the longer side, in pixels; images are never enlarged.
  /// - Throws: `contentIsUnavailable` for an item that isn't there or whose file isn't,
  ///   `noSourceTrack` for audio without artwork, and the errors of making an image.
  public func thumbnail(
    of identifier: String, width: Int, destination: Destination = .heap
  ) async throws(EngineError) -> LibraryThumbnail {
    let item = try await presentItem(identifier)
    // The content of the file may change, and its path has no influence.
    let version = [
      item.identifier, "\(item.fileSize)", "\(item.modificationDate)", "\(width)",
    ]
    let name = digest(version) + ".jpg"
    if let cached = await thumbnails.cached(name) {
      let data = try await DataBuffer.copy(Array(cached.dropFirst(4)), to: destination)
      return LibraryThumbnail(
        width: Int(cached[0]) << 8 | Int(cached[1]), height: Int(cached[2]) << 8 | Int(cached[3]),
        data: data, isCached: true)
    }
    let image = try await picture(of: item, width: width, destination: destination)
    let size = [image.width >> 8, image.width & 255, image.height >> 8, image.height & 255]
    let bytes = image.data.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    await thumbnails.add(size.map(UInt8.init(truncatingIfNeeded:)) + bytes, as: name)
    return LibraryThumbnail(
      width: image.width, height: image.height, data: image.data, isCached: false)
  }

  private func picture(
    of item: LibraryItem, width: Int, destination: Destination
  ) async throws(EngineError) -> GeneratedImage {
    var asset = URLAsset(url: item.path, configuration: configuration)
    if item.mediaType == .audio { asset = try await artwork(of: asset) }
    var settings = ImageGenerator.Configuration()
    settings.appliesPreferredTrackTransform = true
    settings.maximumSize = Size(width: Double(width), height: Double(width))
    let tenth = item.duration.map { Time(seconds: $0.seconds / 10, preferredTimescale: 1000) }
    let time = item.mediaType == .video ? tenth : nil
    return try await ImageGenerator(asset: asset, configuration: settings).image(
      at: time, output: ImageOutput(format: "jpeg", quality: 0.8, destination: destination))
  }

  private func artwork(of asset: URLAsset) async throws(EngineError) -> URLAsset {
    for item in try await asset.load(.metadata) where item.commonKey == "artwork" {
      guard case .data(let bytes, _) = item.value, !bytes.isEmpty else { continue }
      let resource = AssetResource(bytes, name: "the artwork of '\(asset.path)'")
      return URLAsset(resource: resource, configuration: configuration)
    }
    throw EngineError(
      .noSourceTrack, "'\(asset.path)' has neither video nor artwork",
      advice: .chooseItemsByMediaType, path: asset.path)
  }

  /// Returns the item of an identifier whose file is there as far as is known.
  public func presentItem(_ identifier: String) async throws(EngineError) -> LibraryItem {
    guard let item = try await item(identifier) else { throw .unknownItem(identifier) }
    guard item.state == .present || item.state == .unreadable else {
      throw EngineError(
        .contentIsUnavailable, "'\(item.path)' is \(item.state.rawValue)",
        advice: item.state == .offline ? .mountDisk : .scanAgain,
        path: item.path)
    }
    return item
  }
}

/// Returns hexadecimal digits that only these texts have.
func digest(_ texts: [String]) -> String {
  // Without memory for a hash there is none for anything else.
  (try? SHA256.text(of: Array(texts.joined(separator: "\0").utf8))) ?? ""
}

/// The cached images, as files: the size in four bytes, and a JPEG file after it.
actor ThumbnailCache: QueueActor {
  nonisolated let queue = WorkQueue("libraryThumbnails")
  private let cache: FileCache?
  private var added = 0

  /// The maximum size of the cache, in bytes.
  private static let limit: Int64 = 1 << 30
  /// The number of new images after which the cache is trimmed.
  private static let interval = 256

  init() {
    cache = UserFolders.cache("reelwire/thumbnails").map {
      FileCache(folder: $0, limit: Self.limit)
    }
  }

  func cached(_ name: String) -> [UInt8]? {
    guard let bytes = cache?.contents(of: name), bytes.count > 4 else { return nil }
    return bytes
  }

  func add(_ bytes: [UInt8], as name: String) {
    cache?.add(bytes, as: name)
    added += 1
    if added % Self.interval == 1 { cache?.trim() }
  }
}
