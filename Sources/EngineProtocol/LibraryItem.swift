import JSONRPC

/// The kind of media of a library's item.
public enum WireLibraryMediaType: String, Codable, Sendable, CaseIterable {
  /// It has video.
  case video
  /// It has audio, and no video but artwork.
  case audio
  /// It is a still image.
  case image
}

/// The state of an item's file.
public enum WireLibraryItemState: String, Codable, Sendable, CaseIterable {
  /// It is there.
  case present
  /// It was there, and is gone; it may come back.
  case missing
  /// It is there, and can't be read; `error` is the reason.
  case unreadable
  /// Its folder can't be reached.
  case offline
}

/// The reason for which a file of a library can't be read.
public struct WireLibraryItemError: Codable, Sendable, Equatable {
  /// The name of the error.
  public var name: String
  /// The description of the error.
  public var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }
}

/// The members of ``WireLibraryItem`` other than `item`.
public enum WireLibraryItemKey: String, Codable, Sendable, CaseIterable {
  /// `url`.
  case url
  /// `name`.
  case name
  /// `state`.
  case state
  /// `mediaType`.
  case mediaType
  /// `container`.
  case container
  /// `duration`.
  case duration
  /// `width`.
  case width
  /// `height`.
  case height
  /// `videoCodec`.
  case videoCodec
  /// `audioCodec`.
  case audioCodec
  /// `frameRate`.
  case frameRate
  /// `rotation`.
  case rotation
  /// `fileSize`.
  case fileSize
  /// `creationDate`.
  case creationDate
  /// `modificationDate`.
  case modificationDate
  /// `addedAt`.
  case addedAt
  /// `latitude`.
  case latitude
  /// `longitude`.
  case longitude
  /// `commonMetadata`.
  case commonMetadata
  /// `error`.
  case error
}

/// A media file of a library, with those of the requested members that are known.
public struct WireLibraryItem: Codable, Sendable, Equatable {
  /// The item's identifier (a UUID). It stays the same as long as the item exists, even if the file is moved or
  /// renamed.
  public var item: String
  /// The path of the file; a `file:` URL where it isn't UTF-8.
  public var url: String?
  /// The file's name.
  public var name: String?
  /// The state of the file.
  public var state: WireLibraryItemState?
  /// The kind of media; absent of files that can't be read.
  public var mediaType: WireLibraryMediaType?
  /// The container by FFmpeg's first name for it.
  public var container: String?
  /// The duration; absent of images.
  public var duration: WireTime?
  /// The width for display, in pixels.
  public var width: Int?
  /// The height for display, in pixels.
  public var height: Int?
  /// The codec of the first video track, by FFmpeg's name.
  public var videoCodec: String?
  /// The codec of the first audio track, by FFmpeg's name.
  public var audioCodec: String?
  /// The frame rate, in frames per second.
  public var frameRate: Double?
  /// The clockwise rotation of frames for display, in degrees.
  public var rotation: Int?
  /// The size of the file, in bytes.
  public var fileSize: Int64?
  /// The date of the recording, from its metadata, in UTC; a date without a time zone counts as UTC.
  public var creationDate: String?
  /// The date of the last modification of the file, in UTC.
  public var modificationDate: String?
  /// The date at which it was added to the library, in UTC.
  public var addedAt: String?
  /// The latitude of the recording, in degrees north of the equator.
  public var latitude: Double?
  /// The longitude of the recording, in degrees east of Greenwich.
  public var longitude: Double?
  /// The first text of each common key.
  public var commonMetadata: [String: String]?
  /// The reason for which the file can't be read.
  public var error: WireLibraryItemError?

  package init(item: String) { self.item = item }
}

/// Returns the properties that a library has of an item, with all texts of its metadata.
///
/// The file isn't opened, so that this works for missing and offline items.
///
/// - Errors: `contentIsUnavailable`
public struct LibraryItemValues: EngineRequest {
  public static let method = "libraryItem/values"

  /// The properties of an item.
  public struct Result: Codable, Sendable, Equatable {
    /// The item.
    public var item: WireLibraryItem
    /// The texts of its metadata, by common keys and by identifiers, in the order of the file. Each is cut after 4,096
    /// characters.
    public var values: [String: [String]]

    package init(item: WireLibraryItem, values: [String: [String]]) {
      self.item = item
      self.values = values
    }
  }

  /// The library.
  public var library: LibraryHandle
  /// The item's identifier.
  public var item: String
  /// The keys of `values`; all when absent.
  public var keys: [String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(library: LibraryHandle, item: String, keys: [String]? = nil) {
    self.library = library
    self.item = item
    self.keys = keys
  }
}

/// Returns a small image of an item, as JPEG: of a video from about a tenth of its duration, of audio its artwork.
///
/// Images are cached in `$XDG_CACHE_HOME/reelwire/thumbnails`, by default `~/.cache/reelwire/thumbnails`, up to
/// 1 GiB; the least recently requested ones are removed first.
///
/// - Errors: `contentIsUnavailable`, `noImageAtTime`, `noSourceTrack`, `undecodableMediaData`, `fileFailedToParse`
public struct LibraryItemThumbnail: EngineRequest {
  public static let method = "libraryItem/thumbnail"

  /// The image.
  public struct Result: Codable, Sendable {
    /// The image.
    public var image: WireImage
    /// True if it was in the cache.
    public var isCached: Bool

    package init(image: WireImage, isCached: Bool) {
      self.image = image
      self.isCached = isCached
    }
  }

  /// The library.
  public var library: LibraryHandle
  /// The item's identifier.
  public var item: String
  /// The longer side, in pixels, from 16 to 2,048; a smaller image keeps its size.
  ///
  /// - Default: `256`
  public var width: Int?
  /// The destination of the image's bytes.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    library: LibraryHandle, item: String, width: Int? = nil, delivery: WireDelivery? = nil
  ) {
    self.library = library
    self.item = item
    self.width = width
    self.delivery = delivery
  }
}
