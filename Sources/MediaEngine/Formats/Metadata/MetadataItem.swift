import LibAV
public import MediaTime

/// One piece of metadata (AVMetadataItem).
public struct MetadataItem: Sendable, Hashable {
  /// The value of an item.
  public enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case number(Double)
    /// Bytes that aren't text, such as an image.
    case data([UInt8], mimeType: String)
  }

  /// The container's name of the item: "©nam", "com.apple.quicktime.title", "TIT2".
  ///
  /// An iTunes item with a name of its own (`----`) has the domain and the name with a dot between
  /// them: "com.apple.iTunes.iTunSMPB".
  public var key: String
  /// The space of the key: "itsk" and "itlk" (iTunes, short and long keys), "mdta", "udta", "uiso",
  /// "id3", "vorbis" and others; ``availableMetadataFormats(of:)`` returns those of a list.
  public var keySpace: String
  /// The common key, with the same meaning in any container: "title", "artist", "artwork" …
  public var commonKey: String?
  /// BCP 47.
  public var extendedLanguageTag: String?
  /// The language and the country, or one of them: "de", "en_US", "_US".
  public var locale: String?
  /// The time at which an item of timed metadata begins to apply.
  public var time: Time?
  /// The duration for which an item of timed metadata applies.
  public var duration: Time?
  /// Core Media's name of the value's type: "com.apple.metadata.datatype.UTF-8".
  public var dataType: String
  /// The value. Track and disc numbers of iTunes are text, "3/12", and numbered genres are their
  /// names.
  public var value: Value
  /// Further properties that the container states: "mean" and "name" of iTunes' long keys, "info"
  /// for the description within an ID3 frame, "name", "role", "body" and "notes" of a location …
  public var extraAttributes: [String: String]

  public init(
    key: String, keySpace: String, commonKey: String? = nil, extendedLanguageTag: String? = nil,
    value: Value, dataType: String? = nil, extraAttributes: [String: String] = [:]
  ) {
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.extendedLanguageTag = extendedLanguageTag
    locale = extendedLanguageTag.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    self.value = value
    self.dataType = dataType ?? value.dataType
    self.extraAttributes = extraAttributes
  }

  /// `keySpace/key`.
  public var identifier: String { "\(keySpace)/\(key)" }

  /// True if the value is bytes.
  public var isData: Bool { if case .data = value { true } else { false } }

  static let dataTypePrefix = "com.apple.metadata.datatype."
}

extension MetadataItem.Value {
  /// Creates a value of bytes. If the container doesn't name their type, it follows from their
  /// beginning.
  package init(bytes: [UInt8], mimeType: String?) {
    let view = ByteView(bytes)
    self = mimeType.map { .data(bytes, mimeType: $0) } ?? view.rawValue
  }

  /// Core Media's name of the type that follows from the value alone; for an integer, the smallest
  /// type that can represent it.
  var dataType: String { MetadataItem.dataTypePrefix + typeName }

  /// The name without its prefix.
  var typeName: String {
    switch self {
    case .string: "UTF-8"
    case .integer(let number):
      if Int8(exactly: number) != nil {
        "int8"
      } else if Int16(exactly: number) != nil {
        "int16"
      } else {
        Int32(exactly: number) != nil ? "int32" : "int64"
      }
    case .number: "float64"
    case .data(_, "image/jpeg"): "JPEG"
    case .data(_, "image/png"): "PNG"
    case .data(_, "image/gif"): "GIF"
    case .data(_, "image/bmp"): "BMP"
    case .data: "raw-data"
    }
  }

  /// The value as text; nil for bytes.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number):
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .data: nil
    }
  }
}
