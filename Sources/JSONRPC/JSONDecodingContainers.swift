/// The members of an object, missing ones noted and replaced.
struct KeyedJSONDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: JSONValueDecoder
  private let members: [JSONValue.Member]
  /// The index by name, for wide objects only: a scan of 16 names is faster than one hash.
  private let index: [String: Int]?

  init(decoder: JSONValueDecoder, members: [JSONValue.Member]) {
    self.decoder = decoder
    self.members = members
    guard members.count > 16 else {
      index = nil
      return
    }
    var index: [String: Int] = [:]
    index.reserveCapacity(members.count)
    for (position, member) in members.enumerated() {
      if index.updateValue(position, forKey: member.key) != nil {
        decoder.recordDuplicate(member.key)
      }
    }
    self.index = index
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) -> Bool {
    switch find(key) {
    case nil, .null: return true
    default: return false
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try materialize(type, find(key, noteDuplicate: true), key)
  }

  /// Decodes a member; null and missing are the same.
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let value = find(key, noteDuplicate: true)
    switch value {
    case nil, .null: return nil
    default: return try materialize(type, value, key)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedDecodingContainer<NestedKey> {
    child(key, "an object").container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    child(key, "an array").unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    let key = "super"
    return decoder.child(members.first { $0.key == key }?.value, at: .key(key))
  }

  func superDecoder(forKey key: Key) -> any Decoder { child(key, "a value") }

  private func find(_ key: Key, noteDuplicate: Bool = false) -> JSONValue? {
    let name = key.stringValue
    decoder.note(name)
    if let index { return index[name].map { members[$0].value } }
    guard let first = members.firstIndex(where: { $0.key == name }) else { return nil }
    if noteDuplicate, members[(first + 1)...].contains(where: { $0.key == name }) {
      decoder.recordDuplicate(name)
    }
    return members[first].value
  }

  private func child(_ key: Key, _ expected: String) -> JSONValueDecoder {
    let step = JSONValueDecoder.Step.key(key.stringValue)
    let value = find(key, noteDuplicate: true)
    if value == nil { decoder.recordMissing(expected, at: step) }
    return decoder.child(value, at: step)
  }

  private func materialize<T: Decodable>(
    _ type: T.Type, _ value: JSONValue?, _ key: Key
  ) throws -> T {
    let step = JSONValueDecoder.Step.key(key.stringValue)
    if value == nil, !(T.self is any ExpressibleByNilLiteral.Type) {
      decoder.recordMissing(Expectation.describe(type), at: step)
    }
    return try decoder.child(value, at: step).materialize(type)
  }
}

/// The elements of an array, one after the other.
struct UnkeyedJSONDecoding: UnkeyedDecodingContainer {
  private let decoder: JSONValueDecoder
  private let elements: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: JSONValueDecoder, elements: [JSONValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(Expectation.describe(type)).materialize(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedDecodingContainer<NestedKey> {
    next("an object").container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    next("an array").unkeyedContainer()
  }

  mutating func superDecoder() -> any Decoder { next("a value") }

  /// Returns the next element; reading past the end is a problem at the missing index.
  private mutating func next(_ expected: @autoclosure () -> String) -> JSONValueDecoder {
    defer { currentIndex += 1 }
    let step = JSONValueDecoder.Step.index(currentIndex)
    guard !isAtEnd else {
      decoder.recordMissing(expected(), at: step)
      return decoder.child(nil, at: step)
    }
    return decoder.child(elements[currentIndex], at: step)
  }
}

/// A description of the expected value.
enum Expectation {
  static func describe<T>(_ type: T.Type) -> String {
    if let type = T.self as? any CaseIterable.Type { return cases(type) }
    if let type = T.self as? any DecodingPlaceholder.Type { return type.decodingExpectation }
    if T.self is any FixedWidthInteger.Type { return "an integer" }
    if T.self is any BinaryFloatingPoint.Type { return "a finite number" }
    if T.self == String.self { return "a string" }
    if T.self == Bool.self { return "true or false" }
    if T.self is any ArrayType.Type { return "an array" }
    return "an object"
  }

  /// Returns the type's own description, when its error has one.
  static func describe<T>(_ type: T.Type, _ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
      return context.debugDescription.isEmpty ? describe(type) : context.debugDescription
    default: return describe(type)
    }
  }

  private static func cases<Cases: CaseIterable>(_ type: Cases.Type) -> String {
    let names = type.allCases.map { value in
      guard let value = value as? any RawRepresentable else { return "\"\(value)\"" }
      return rawText(value)
    }
    return "one of " + names.joined(separator: ", ")
  }

  private static func rawText<Value: RawRepresentable>(_ value: Value) -> String {
    value.rawValue is String ? "\"\(value.rawValue)\"" : "\(value.rawValue)"
  }
}

private protocol ArrayType {}
extension Array: ArrayType {}
extension Set: ArrayType {}

extension JSONValue {
  /// The kind and the beginning of the text: `string "abc"`, `array of 3`.
  var summary: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let token): return "number \(Self.shortened(token))"
    case .string(let text): return "string \"\(Self.shortened(text))\""
    case .array(let elements): return "array of \(elements.count)"
    case .object(let members): return "object of \(members.count)"
    }
  }

  /// Returns long text cut, so that an error isn't as large as the value it is about.
  static func shortened(_ text: String) -> String {
    text.utf8.count <= 60 ? text : String(text.unicodeScalars.prefix(40)) + "…"
  }
}
