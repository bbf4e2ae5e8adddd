import LibAV
public import MediaTime

/// One piece of metadata (AVMetadataItem).
public struct MetadataItem: Sendable, Hashable {
  /// The value of an item.
  public enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    case number(Double)
    /// Bytes that are no text, such as an image.
    case data([UInt8], mimeType: String)
  }

  /// What the container calls it: "©nam", "com.apple.quicktime.title", "TIT2".
  ///
  /// An item of iTunes' with a name of its own (`----`) has the domain and the name with a dot between
  /// them: "com.apple.iTunes.iTunSMPB".
  public var key: String
  /// Whose key it is: "itsk" and "itlk" (iTunes, short and long keys), "mdta", "udta", "uiso", "id3",
  /// "vorbis" and the others of ``MetadataFormat``.
  public var keySpace: String
  /// What it means in any container: "title", "artist", "artwork" …
  public var commonKey: String?
  /// BCP 47.
  public var extendedLanguageTag: String?
  /// The language and the country, or one of them: "de", "en_US", "_US".
  public var locale: String?
  /// When it begins to hold, of an item of timed metadata.
  public var time: Time?
  /// How long it holds, of an item of timed metadata.
  public var duration: Time?
  /// Core Media's name of the value's type: "com.apple.metadata.datatype.UTF-8".
  public var dataType: String
  /// The value. Track and disc numbers of iTunes are text, "3/12", and its numbered genres their names.
  public var value: Value
  /// What else the container states about it: "mean" and "name" of iTunes' long keys, "info" for what
  /// an ID3 frame describes itself as, "name", "role", "body" and "notes" of a place …
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

  /// Whether the value is bytes.
  public var isData: Bool { if case .data = value { true } else { false } }

  static let dataTypePrefix = "com.apple.metadata.datatype."
}

extension MetadataItem.Value {
  /// Bytes whose type follows from their beginning, where the container doesn't name it.
  package init(bytes: [UInt8], mimeType: String?) {
    let view = ByteView(bytes)
    self = mimeType.map { .data(bytes, mimeType: $0) } ?? view.rawValue
  }

  /// Core Media's name of the type that follows from the value alone; of an integer the smallest that
  /// holds it.
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
