import JSONRPC

/// One item of metadata.
public struct WireMetadataItem: Codable, Sendable {
  /// The key space and the key with a slash between them, for example `itsk/©nam`.
  public var identifier: String
  /// The key within its key space, for example `©nam`.
  public var key: String
  /// The key space: `itsk`, `mdta`, `udta`, `uiso`, `id3`, `icy` or the container's own.
  public var keySpace: String
  /// The meaning that all containers share, for example `title`; absent if it has none.
  public var commonKey: String?
  /// FFmpeg's name of it, which containers have in common, for example `album_artist`.
  public var tagName: String?
  /// The item's language by BCP 47.
  public var extendedLanguageTag: String?
  /// The item's locale, for example `de_AT`, where the file names a country.
  public var locale: String?
  /// The time from which it applies; absent when it applies to the whole.
  public var time: WireTime?
  /// The duration for which it applies.
  public var duration: WireTime?
  /// The type of the value by Core Media's name, for example `com.apple.metadata.datatype.UTF-8`.
  public var dataType: String?
  /// The value.
  public var value: WireMetadataValue
  /// Further attributes of the item in the file.
  public var extraAttributes: [String: String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    identifier: String, key: String, keySpace: String, commonKey: String? = nil,
    tagName: String? = nil, extendedLanguageTag: String? = nil, locale: String? = nil,
    time: WireTime? = nil,
    duration: WireTime? = nil, dataType: String? = nil, value: WireMetadataValue,
    extraAttributes: [String: String]? = nil
  ) {
    self.identifier = identifier
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.tagName = tagName
    self.extendedLanguageTag = extendedLanguageTag
    self.locale = locale
    self.time = time
    self.duration = duration
    self.dataType = dataType
    self.value = value
    self.extraAttributes = extraAttributes
  }
}

/// An item of metadata to write.
///
/// It is named by `identifier`, by `key` and `keySpace`, or by `commonKey` alone, for which each type of
/// file has a key of its own. An item that was read can be written as it is, if its bytes are in `data`.
public struct WireMetadataEntry: Codable, Sendable {
  /// The key space and the key with a slash between them, for example `itsk/©nam` or `common/title`.
  public var identifier: String?
  /// The key within its key space, for example `©nam`.
  public var key: String?
  /// The key space, for example `itsk`.
  public var keySpace: String?
  /// The meaning of the item in any container: `title`, `artist`, `albumName`, `creationDate`, `artwork` …
  public var commonKey: String?
  /// The item's language by BCP 47.
  public var extendedLanguageTag: String?
  /// The item's locale, for example `de_AT`.
  public var locale: String?
  /// The type of the value by Core Media's name; derived from the value when absent.
  public var dataType: String?
  /// The value; bytes in `data`.
  public var value: WireMetadataValue
  /// Further attributes of the item in the file.
  public var extraAttributes: [String: String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    identifier: String? = nil, key: String? = nil, keySpace: String? = nil,
    commonKey: String? = nil, extendedLanguageTag: String? = nil, locale: String? = nil,
    dataType: String? = nil, value: WireMetadataValue, extraAttributes: [String: String]? = nil
  ) {
    self.identifier = identifier
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.extendedLanguageTag = extendedLanguageTag
    self.locale = locale
    self.dataType = dataType
    self.value = value
    self.extraAttributes = extraAttributes
  }
}

/// Changes of metadata; all other items stay as they are.
public struct WireMetadataChanges: Codable, Sendable {
  /// Items to write, each in place of all those with the same meaning.
  public var set: [WireMetadataEntry]?
  /// Items to remove: FFmpeg's names (`album_artist`), common keys (`artwork`) or identifiers
  /// (`itsk/©nam`).
  public var remove: [String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(set: [WireMetadataEntry]? = nil, remove: [String]? = nil) {
    self.set = set
    self.remove = remove
  }
}

/// A chapter to write.
public struct WireChapter: Codable, Sendable {
  /// Its title.
  public var title: String
  /// The start; not needed with `timeRange`, whose start counts.
  public var start: WireTime?
  /// The range; without it a chapter ends where the next one begins, or the asset ends.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(title: String, start: WireTime? = nil, timeRange: WireTimeRange? = nil) {
    self.title = title
    self.start = start
    self.timeRange = timeRange
  }
}

/// The value of an item of metadata.
///
/// Text that is not UTF-8 in the file is repaired on its way.
///
/// ```schema
/// {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"},
///  {"$ref": "WireMetadataData"}]}
/// ```
public enum WireMetadataValue: Codable, Sendable, DecodingPlaceholder {
  /// Text.
  case string(String)
  /// A number.
  case number(Double)
  /// A truth value.
  case bool(Bool)
  /// Bytes, for example of an image.
  case data(WireMetadataData)

  public static let decodingPlaceholder = WireMetadataValue.string("")
  public static let decodingExpectation = "text, a number, true, false or {data}"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .string(let string): self = .string(string)
    case .bool(let bool): self = .bool(bool)
    case .number: self = .number(try Double(from: decoder))
    case .object: self = .data(try WireMetadataData(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let string): try container.encode(string)
    case .number(let number): try container.encode(number)
    case .bool(let bool): try container.encode(bool)
    case .data(let data): try container.encode(data)
    }
  }
}

/// A value of metadata that is bytes.
public struct WireMetadataData: Codable, Sendable {
  /// The bytes, in base64 with padding; absent when there are more than 4096, which `asset/metadata`
  /// delivers, and when `blob` has them.
  public var data: Base64Data?
  /// The bytes, by the requested delivery.
  public var blob: WireBlob?
  /// The number of bytes.
  public var size: Int?
  /// The type of the bytes; when an image is written, its type is determined from its bytes.
  public var mimeType: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    data: Base64Data? = nil, blob: WireBlob? = nil, size: Int? = nil, mimeType: String? = nil
  ) {
    self.data = data
    self.blob = blob
    self.size = size
    self.mimeType = mimeType
  }
}

/// Lists metadata of an asset or of one of its tracks, with the bytes of its data.
///
/// Each filter narrows the list; it keeps the file's order, except with `preferredLanguages`.
///
/// - Errors: `noSourceTrack`, `fileFormatNotRecognized`, `fileFailedToParse`, `fileAlreadyExists`
public struct AssetMetadata: EngineRequest {
  public static let method = "asset/metadata"

  /// The items.
  public struct Result: Codable, Sendable {
    /// The items; empty when nothing matches.
    public var metadata: [WireMetadataItem]

    package init(metadata: [WireMetadataItem]) {
      self.metadata = metadata
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track; absent for the asset's own metadata.
  public var trackID: Int32?
  /// Only items of this format, one of `availableMetadataFormats`.
  public var format: String?
  /// Only items with this identifier, for example `itsk/©nam`.
  public var identifier: String?
  /// Only items with this key.
  public var key: String?
  /// Only items of this key space.
  public var keySpace: String?
  /// Only items with this common key, for example `artwork`.
  public var commonKey: String?
  /// Only items in one of these languages (BCP 47), the most preferred first.
  public var preferredLanguages: [String]?
  /// True to leave out items that reveal the place of recording, or the people who made, bought or filmed the asset.
  ///
  /// - Default: `false`
  public var forSharing: Bool?
  /// The delivery of the bytes of data; with files, `%d` counts the items with data.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, format: String? = nil, identifier: String? = nil,
    key: String? = nil, keySpace: String? = nil, commonKey: String? = nil,
    preferredLanguages: [String]? = nil, forSharing: Bool? = nil, delivery: WireDelivery? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.format = format
    self.identifier = identifier
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.preferredLanguages = preferredLanguages
    self.forSharing = forSharing
    self.delivery = delivery
  }
}

/// Metadata of a part of an asset (AVTimedMetadataGroup).
public struct WireTimedMetadataGroup: Codable, Sendable {
  /// The part.
  public var timeRange: WireTimeRange
  /// Its items.
  public var items: [WireMetadataItem]

  package init(timeRange: WireTimeRange, items: [WireMetadataItem]) {
    self.timeRange = timeRange
    self.items = items
  }
}

/// Lists the chapters of an asset.
///
/// Every chapter has an item with the common key `title`.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `fileAlreadyExists`
public struct AssetChapterMetadataGroups: EngineRequest {
  public static let method = "asset/chapterMetadataGroups"

  /// The chapters.
  public struct Result: Codable, Sendable {
    /// The chapters, in order of time; empty if there are none in a requested language.
    public var groups: [WireTimedMetadataGroup]

    package init(groups: [WireTimedMetadataGroup]) {
      self.groups = groups
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// Only with titles in this language, one of `availableChapterLocales`.
  public var titleLocale: String?
  /// The languages of titles (BCP 47): the first that is available is used, else the file's first.
  public var bestMatchingPreferredLanguages: [String]?
  /// Further items of the chapters: only `artwork` is possible.
  public var containingItemsWithCommonKeys: [String]?
  /// The delivery of the bytes of artwork; with files, `%d` counts the images.
  ///
  /// - Default: `"inline"`
  public var delivery: WireDelivery?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, titleLocale: String? = nil,
    bestMatchingPreferredLanguages: [String]? = nil,
    containingItemsWithCommonKeys: [String]? = nil, delivery: WireDelivery? = nil
  ) {
    self.asset = asset
    self.titleLocale = titleLocale
    self.bestMatchingPreferredLanguages = bestMatchingPreferredLanguages
    self.containingItemsWithCommonKeys = containingItemsWithCommonKeys
    self.delivery = delivery
  }
}
