import JSONRPC

/// What kind of media an item of a library is.
public enum WireLibraryMediaType: String, Codable, Sendable, CaseIterable {
  /// It has moving pictures.
  case video
  /// It has audio and no pictures but artwork.
  case audio
  /// It is a still picture.
  case image
}

/// Whether there is a file for an item of a library.
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

/// Why a file of a library can't be read.
public struct WireLibraryItemError: Codable, Sendable, Equatable {
  /// The name of the error.
  public var name: String
  /// What is wrong.
  public var message: String

  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }
}

/// The members of ``WireLibraryItem`` beside `item`.
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

/// A media file of a library: what is asked for of it, and is known.
public struct WireLibraryItem: Codable, Sendable, Equatable {
  /// The item's identifier (a UUID): the same for as long as it exists, wherever the file is moved and whatever it is
  /// called.
  public var item: String
  /// The path of the file; a `file:` URL where it isn't UTF-8.
  public var url: String?
  /// The file's name.
  public var name: String?
  /// Whether there is a file.
  public var state: WireLibraryItemState?
  /// What kind of media it is; absent of what can't be read.
  public var mediaType: WireLibraryMediaType?
  /// The container by FFmpeg's first name for it.
  public var container: String?
  /// How long it lasts; absent of images.
  public var duration: WireTime?
  /// As it is shown, in pixels.
  public var width: Int?
  /// As it is shown, in pixels.
  public var height: Int?
  /// The codec of the first video track, by FFmpeg's name.
  public var videoCodec: String?
  /// The codec of the first audio track, by FFmpeg's name.
  public var audioCodec: String?
  /// In frames per second.
  public var frameRate: Double?
  /// By how many degrees clockwise pictures are turned to be shown.
  public var rotation: Int?
  /// In bytes.
  public var fileSize: Int64?
  /// When it was recorded, from its metadata, as a date in UTC; of metadata without a time zone as if it were UTC.
  public var creationDate: String?
  /// When the file was last written to, as a date in UTC.
  public var modificationDate: String?
  /// When it came into the library, as a date in UTC.
  public var addedAt: String?
  /// In degrees, north of the equator.
  public var latitude: Double?
  /// In degrees, east of Greenwich.
  public var longitude: Double?
  /// The first text of each common key.
  public var commonMetadata: [String: String]?
  /// Why the file can't be read.
  public var error: WireLibraryItemError?

  package init(item: String) { self.item = item }
}

/// Returns what a library has of an item: all texts of its metadata too.
///
/// The file isn't opened, so that this works for what is missing or offline.
///
/// - Errors: `contentIsUnavailable`
public struct LibraryItemValues: EngineRequest {
  public static let method = "libraryItem/values"

  /// What is known of an item.
  public struct Result: Codable, Sendable, Equatable {
    /// The item.
    public var item: WireLibraryItem
    /// The texts of its metadata, by common keys and by identifiers, in the order of the file. Those beyond 4,096
    /// characters are cut.
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

  /// Makes the value; what is left out is absent on the wire.
  public init(library: LibraryHandle, item: String, keys: [String]? = nil) {
    self.library = library
    self.item = item
    self.keys = keys
  }
}

/// Returns a small picture of an item, as JPEG: of a video from about a tenth of its duration, of audio its artwork.
///
/// Pictures are cached in `$XDG_CACHE_HOME/reelwire/thumbnails`, by default `~/.cache/reelwire/thumbnails`, up to
/// 1 GiB, of which those that were not asked for longest are removed first.
///
/// - Errors: `contentIsUnavailable`, `noImageAtTime`, `noSourceTrack`, `undecodableMediaData`, `fileFailedToParse`
public struct LibraryItemThumbnail: EngineRequest {
  public static let method = "libraryItem/thumbnail"

  /// The picture.
  public struct Result: Codable, Sendable {
    /// The picture.
    public var image: WireImage
    /// Whether it was made before.
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
  /// The longer side, in pixels, from 16 to 2,048; a picture that is smaller keeps its size.
  ///
  /// - Default: `256`
  public var width: Int?
  /// Where the bytes of the picture go.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    library: LibraryHandle, item: String, width: Int? = nil, delivery: WireDelivery? = nil
  ) {
    self.library = library
    self.item = item
    self.width = width
    self.delivery = delivery
  }
}
