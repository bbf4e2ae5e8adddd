import JSONRPC

/// One item of metadata.
public struct WireMetadataItem: Codable, Sendable {
  /// The key space and the key with a slash between them, for example `itsk/©nam`.
  public var identifier: String
  /// The key within its key space, for example `©nam`.
  public var key: String
  /// The key space: `itsk`, `mdta`, `udta`, `uiso`, `id3`, `icy` or the container's own.
  public var keySpace: String
  /// What the item means in any container, for example `title`; absent when it has no such meaning.
  public var commonKey: String?
  /// The item's language by BCP 47.
  public var extendedLanguageTag: String?
  /// The type of the value: a uniform type or a MIME type.
  public var dataType: String?
  /// The value.
  public var value: WireMetadataValue

  /// Makes the value; what is left out is absent on the wire.
  public init(
    identifier: String, key: String, keySpace: String, commonKey: String? = nil,
    extendedLanguageTag: String? = nil, dataType: String? = nil, value: WireMetadataValue
  ) {
    self.identifier = identifier
    self.key = key
    self.keySpace = keySpace
    self.commonKey = commonKey
    self.extendedLanguageTag = extendedLanguageTag
    self.dataType = dataType
    self.value = value
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
  /// Bytes, for example of a picture.
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
  /// The bytes, in base64 with padding; absent when there are more than a server lists.
  public var data: Base64Data?
  /// The number of bytes.
  public var size: Int?
  /// What the bytes are.
  public var mimeType: String?

  /// Makes the value; what is left out is absent on the wire.
  public init(data: Base64Data? = nil, size: Int? = nil, mimeType: String? = nil) {
    self.data = data
    self.size = size
    self.mimeType = mimeType
  }
}
