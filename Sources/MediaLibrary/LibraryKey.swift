/// A property of items that predicates and sort orders name.
public struct LibraryKey: Sendable, Hashable {
  /// The type of the key's values.
  public enum Kind: Sendable, Hashable {
    case text, number
    /// A text of a fixed set.
    case choice([String])
    /// A time, in microseconds since 1970 (UTC).
    case date
  }

  public let name: String
  public let kind: Kind
  /// The origin of its value.
  let source: Source

  /// True for names without capital letters, with which values are compared regardless of their case.
  var isLowercase: Bool { ["videoCodec", "audioCodec"].contains(name) }

  enum Source: Sendable, Hashable {
    /// An expression over the columns of `item`.
    case expression(String)
    /// A choice, which the column stores as its index in the list.
    case number(String)
    /// A column of `directory`.
    case directory(String)
    /// Rows of `value`; an item may have several.
    case values(key: String)
  }

  /// Creates the key of that name; nil if there is none.
  public init?(_ name: String) {
    if let key = Self.columns[name] {
      self = key
    } else if Self.commonKeys.contains(name) || name.split(separator: "/").count == 2 {
      (self.name, kind, source) = (name, .text, .values(key: name))
    } else {
      return nil
    }
  }

  private init(_ name: String, _ kind: Kind, _ source: Source) {
    (self.name, self.kind, self.source) = (name, kind, source)
  }

  /// All names of keys except identifiers, in alphabetical order.
  public static let names = (Array(columns.keys) + commonKeys).sorted()

  /// The common keys of metadata (AVMetadataKey), with text.
  static let commonKeys: Set<String> = [
    "title", "creator", "subject", "description", "publisher", "contributor", "type", "format",
    "source", "language", "relation", "copyrights", "albumName", "author", "artist", "make",
    "model",
    "software", "accessibilityDescription",
  ]

  private static let columns: [String: LibraryKey] = {
    let keys = [
      LibraryKey(
        "mediaType", .choice(LibraryItem.MediaType.allCases.map(\.rawValue)), .number("kind")),
      LibraryKey(
        "state", .choice(LibraryItem.State.allCases.map(\.rawValue)), .number(stateColumn)),
      LibraryKey("name", .text, .expression("name")),
      LibraryKey("folder", .text, .directory("place")),
      LibraryKey("container", .text, .expression("container")),
      LibraryKey("videoCodec", .text, .expression("video_codec")),
      LibraryKey("audioCodec", .text, .expression("audio_codec")),
      LibraryKey("error", .text, .expression("error")),
      LibraryKey("duration", .number, .expression("duration")),
      LibraryKey("width", .number, .expression("width")),
      LibraryKey("height", .number, .expression("height")),
      LibraryKey("frameRate", .number, .expression("frame_rate")),
      LibraryKey("rotation", .number, .expression("rotation")),
      LibraryKey("fileSize", .number, .expression("size")),
      LibraryKey("latitude", .number, .expression("latitude")),
      LibraryKey("longitude", .number, .expression("longitude")),
      LibraryKey("creationDate", .date, .expression("creation_date")),
      LibraryKey("modificationDate", .date, .expression("mtime / 1000")),
      LibraryKey("addedAt", .date, .expression("added_at")),
    ]
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
  }()

  /// An item in a folder that isn't there is neither present nor missing.
  private static let stateColumn = """
    CASE WHEN state != 1 AND (SELECT state FROM folder WHERE id = folder_id) = 1 \
    THEN 3 ELSE state END
    """
}
