import JSONRPC

/// The comparison of an item's key with a value.
public enum WireLibraryOperator: String, Codable, Sendable, CaseIterable {
  /// The value is equal; case counts in text, except in names of codecs.
  case `is`
  /// No value is equal, or there is none.
  case isNot
  /// The text contains this; case doesn't count.
  case contains
  /// The text begins with this; case doesn't count.
  case beginsWith
  /// The value is one of a list.
  case `in`
  /// The value is smaller, or earlier.
  case lessThan
  /// The value is larger, or later.
  case greaterThan
  /// The value is one of two or lies between them.
  case between
  /// There is a value, or with `false` there is none.
  case exists
}

/// The value that a key of items is compared with: text, a number, true or false for `exists`, a list for `in`, and a
/// list of two for `between`. Dates are text such as `2021`, `2021-05`, `2021-05-01` or `2021-05-01T12:30:00Z`, and
/// mean the beginning of that period.
///
/// ```schema
/// {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"},
///   {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}}]}
/// ```
public enum WireLibraryValue: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// Text, or a date.
  case text(String)
  /// A number.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// Several values, of text or numbers.
  indirect case list([WireLibraryValue])

  public static let decodingPlaceholder = WireLibraryValue.flag(true)
  public static let decodingExpectation =
    "text, a number, true, false, or a list of text or numbers"

  public init(from decoder: any Decoder) throws {
    guard let value = WireLibraryValue(try JSONValue(from: decoder)) else {
      throw DecodingError.expected(Self.self, in: decoder)
    }
    self = value
  }

  private init?(_ json: JSONValue) {
    switch json {
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .number(let text):
      guard let number = Double(text), number.isFinite else { return nil }
      self = .number(number)
    case .array(let elements):
      let values = elements.compactMap(WireLibraryValue.init)
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case .null, .object: return nil
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .list(let values): try values.encode(to: encoder)
    }
  }
}

/// The items for which all of these are true.
public struct WireLibraryAll: Codable, Sendable, Equatable {
  /// The predicates; an empty list matches all items.
  public var all: [WireLibraryPredicate]

  /// Makes the value from its members.
  public init(all: [WireLibraryPredicate]) { self.all = all }
}

/// The items for which at least one of these is true.
public struct WireLibraryAny: Codable, Sendable, Equatable {
  /// The predicates; an empty list matches no item.
  public var any: [WireLibraryPredicate]

  /// Makes the value from its members.
  public init(any: [WireLibraryPredicate]) { self.any = any }
}

/// The items for which this isn't true.
public struct WireLibraryNot: Codable, Sendable, Equatable {
  /// The predicate.
  public var not: WireLibraryPredicate

  /// Makes the value from its members.
  public init(not: WireLibraryPredicate) { self.not = not }
}

/// The items whose value of a key passes a comparison. Of a key that an item doesn't have, only `isNot`, and `exists`
/// with `false`, are true.
public struct WireLibraryComparison: Codable, Sendable, Equatable {
  /// The key: `mediaType`, `state`, `name`, `folder` (the path), `container`, `videoCodec`, `audioCodec`, `error`
  /// (its name), `duration` (in seconds), `width`, `height`, `frameRate`, `rotation`, `fileSize`, `latitude`,
  /// `longitude`, `creationDate`, `modificationDate`, `addedAt`; a common key of metadata that has text, such as `title`
  /// or `artist`; or a metadata identifier, such as `itsk/©nam`.
  public var key: String
  /// The operator.
  public var op: WireLibraryOperator
  /// The value to compare with; `true` when absent.
  public var value: WireLibraryValue?

  /// Makes the value; members that are left out are absent on the wire.
  public init(key: String, op: WireLibraryOperator, value: WireLibraryValue? = nil) {
    self.key = key
    self.op = op
    self.value = value
  }
}

/// The items that have all of these terms. Each is the beginning of a term in the item's name, folder,
/// title, artist, album or description; case and accents don't count.
public struct WireLibraryText: Codable, Sendable, Equatable {
  /// The terms.
  public var text: String

  /// Makes the value from its members.
  public init(text: String) { self.text = text }
}

/// A condition on items, of at most 256 parts, which are nested at most 16 deep.
///
/// Items that can't be read or are missing are excluded unless the predicate asks for `state` or `error`.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireLibraryAll"}, {"$ref": "WireLibraryAny"}, {"$ref": "WireLibraryNot"},
///   {"$ref": "WireLibraryComparison"}, {"$ref": "WireLibraryText"}]}
/// ```
public indirect enum WireLibraryPredicate: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// All of several.
  case all(WireLibraryAll)
  /// One of several.
  case any(WireLibraryAny)
  /// The opposite.
  case not(WireLibraryNot)
  /// A value of a key.
  case comparison(WireLibraryComparison)
  /// Terms.
  case text(WireLibraryText)

  public static let decodingPlaceholder = WireLibraryPredicate.all(WireLibraryAll(all: []))
  public static let decodingExpectation =
    #"an object with one of "all", "any", "not", "text", or with "key", "op" and "value""#

  public init(from decoder: any Decoder) throws {
    guard case .object(let members) = try JSONValue(from: decoder) else {
      throw DecodingError.expected(Self.self, in: decoder)
    }
    let forms = members.map(\.key).filter { ["all", "any", "not", "key", "text"].contains($0) }
    switch forms {
    case ["all"]: self = .all(try WireLibraryAll(from: decoder))
    case ["any"]: self = .any(try WireLibraryAny(from: decoder))
    case ["not"]: self = .not(try WireLibraryNot(from: decoder))
    case ["key"]: self = .comparison(try WireLibraryComparison(from: decoder))
    case ["text"]: self = .text(try WireLibraryText(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .all(let predicate): try predicate.encode(to: encoder)
    case .any(let predicate): try predicate.encode(to: encoder)
    case .not(let predicate): try predicate.encode(to: encoder)
    case .comparison(let predicate): try predicate.encode(to: encoder)
    case .text(let predicate): try predicate.encode(to: encoder)
    }
  }
}

/// A key by which items are ordered.
public struct WireLibrarySort: Codable, Sendable, Equatable {
  /// A key, as of ``WireLibraryComparison``. Items without a value come last.
  public var key: String
  /// True if the smallest value comes first.
  ///
  /// - Default: `true`
  public var ascending: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(key: String, ascending: Bool? = nil) {
    self.key = key
    self.ascending = ascending
  }
}
