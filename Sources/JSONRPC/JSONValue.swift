/// A JSON document as a tree that loses nothing a peer may want back.
///
/// Numbers retain their original text, so `1.0` and `9007199254740993` survive; members retain
/// their order and their duplicates (``JSONValueDecoder`` and the request envelope refuse those).
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number, as its JSON token. Make one with ``integer(_:)`` or ``double(_:)`` unless the text
  /// is known to be a JSON number: it is written unchanged.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One name and value of an object.
  public struct Member: Sendable, Equatable {
    /// The name, unescaped.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Returns an integer in its form on the wire: a decimal string when beyond ±(2^53−1).
  public static func integer(_ value: some FixedWidthInteger) -> JSONValue {
    JSONWriter.isSafe(value) ? .number(String(value)) : .string(String(value))
  }

  /// Returns a double in its form on the wire: shortest text that reads back the same, null when
  /// not finite.
  public static func double(_ value: Double) -> JSONValue {
    var writer = JSONWriter()
    writer.write(value)
    let text = String(decoding: writer.payload, as: UTF8.self)
    return text == "null" ? .null : .number(text)
  }

  /// The first member of that name, or nil when there is none or this is no object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The element at that index, or nil when there is none or this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text of a string, nil for anything else.
  public var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of an integral number or a decimal string that fits, nil for anything else.
  public var integerValue: Int? {
    switch self {
    case .number(let token): return try? JSONNumber.integer(token, as: Int.self).get()
    case .string(let text): return try? JSONNumber.integer(decimal: text, as: Int.self).get()
    default: return nil
    }
  }

  /// Parses a whole document; throws on anything RFC 8259 does not allow, and on nesting beyond
  /// 512.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }

  /// Parses a whole document from text.
  public init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: [UInt8](text.utf8))
  }

  /// The tree that `value` encodes to.
  public init(encoding value: some Encodable) throws {
    try self.init(parsing: JSONEncoding.encode(value))
  }

  /// The compact JSON text as UTF-8.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return [UInt8](writer.payload)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONValue: Codable {
  /// Copies the node of a ``JSONValueDecoder``; for any other decoder it tries each form.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = decoder.value ?? .null
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .number(String(value))
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(members.sorted { $0.key < $1.key }.map { Member(key: $0, value: $1) })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONValueEncoder {
      return try encoder.writeVerbatim { $0.write(self) }
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let token):
      if let value = Int(token) {
        try container.encode(value)
      } else {
        try container.encode(Double(token) ?? 0)
      }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members):
      try container.encode(
        Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
