/// An encoder of `Encodable` values directly into the bytes of a message.
///
/// Members are written in the order they are encoded in, those of dictionaries sorted by their
/// keys: the same value is the same text in every process. Integers beyond ±(2^53−1) become decimal
/// strings, doubles the shortest text that reads back the same (integral ones without a fraction),
/// and doubles that are not finite null.
public enum JSONEncoding {
  /// Returns the compact JSON text of `value` as UTF-8; throws only the errors of `value` itself,
  /// or ``ContainerClosedError`` when it writes to a container that is closed already.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(value, into: &writer)
    return [UInt8](writer.payload)
  }

  package static func encode(_ value: some Encodable, into writer: inout JSONWriter) throws {
    let output = JSONOutput(writer)
    writer = JSONWriter()
    try output.encode(value)
    writer = output.writer
  }

  /// A type wrote to a container after it had continued with an enclosing one; text can't be
  /// reopened.
  public struct ContainerClosedError: Error, Sendable {}
}

/// The text being written and the containers that are open in it, innermost last.
final class JSONOutput {
  var writer: JSONWriter
  private var scopes: [Scope] = []
  private var lastIdentity = 0

  private struct Scope {
    var identity: Int
    var kind: ScopeKind
    var isEmpty = true
  }

  enum ScopeKind {
    case array
    case object
    /// One value for which an encoder was created.
    case value
  }

  /// A reference to one of `scopes`, to be recognised after the scope was closed and its index used
  /// again.
  struct Reference {
    var index: Int
    var identity: Int
  }

  init(_ writer: JSONWriter) {
    self.writer = writer
  }

  var depth: Int { scopes.count }

  /// Writes one value and closes all scopes that it opened; a value that writes nothing is `{}`.
  func encode(_ value: some Encodable) throws {
    let depth = depth
    let start = writer.bytes.count
    if let members = value as? any SortedMembers {
      try members.encodeSorted(to: JSONValueEncoder(self))
    } else {
      try value.encode(to: JSONValueEncoder(self))
    }
    close(to: depth)
    if writer.bytes.count == start { writer.append(raw: "{}") }
  }

  func open(_ kind: ScopeKind) -> Reference {
    switch kind {
    case .array: writer.append(UInt8(ascii: "["))
    case .object: writer.append(UInt8(ascii: "{"))
    case .value: break
    }
    lastIdentity += 1
    scopes.append(Scope(identity: lastIdentity, kind: kind))
    return Reference(index: scopes.count - 1, identity: lastIdentity)
  }

  func close(to depth: Int) {
    while scopes.count > depth {
      let scope = scopes.removeLast()
      switch scope.kind {
      case .array: writer.append(UInt8(ascii: "]"))
      case .object: writer.append(UInt8(ascii: "}"))
      case .value: if scope.isEmpty { writer.append(raw: "{}") }
      }
    }
  }

  /// Makes `reference` the innermost container and prepares for its next element.
  func prepareElement(in reference: Reference) throws {
    guard scopes.indices.contains(reference.index),
      scopes[reference.index].identity == reference.identity
    else { throw JSONEncoding.ContainerClosedError() }
    close(to: reference.index + 1)
    if !scopes[reference.index].isEmpty { writer.append(UInt8(ascii: ",")) }
    scopes[reference.index].isEmpty = false
  }

  func prepareMember(_ key: some CodingKey, in reference: Reference) throws {
    try prepareElement(in: reference)
    writer.write(key.stringValue)
    writer.append(UInt8(ascii: ":"))
  }
}

/// The encoder that a type's `encode(to:)` receives here.
///
/// A type that has its JSON text already can try `encoder as? JSONValueEncoder` and write it with
/// ``write(json:)``; containers work as with any encoder otherwise.
public final class JSONValueEncoder: Encoder {
  let output: JSONOutput
  /// The slot of an enclosing container that this encoder fills, when it was created for later use.
  private let slot: JSONOutput.Reference?
  private var scope: JSONOutput.Reference?

  public let codingPath: [any CodingKey] = []
  public let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ output: JSONOutput, slot: JSONOutput.Reference? = nil) {
    self.output = output
    self.slot = slot
  }

  /// Writes bytes that are one complete JSON value; not validated.
  public func write(json: [UInt8]) throws {
    try writeVerbatim { $0.append(raw: json) }
  }

  func writeVerbatim(_ body: (inout JSONWriter) throws -> Void) throws {
    try prepare()
    try body(&output.writer)
  }

  public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedJSONEncoding(output: output, scope: open(.object)))
  }

  public func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedJSONEncoding(output: output, scope: open(.array))
  }

  public func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func prepare() throws {
    if let slot { try output.prepareElement(in: slot) }
  }

  /// Opens a container; a second one of the same value continues the first, as inheritance needs.
  private func open(_ kind: JSONOutput.ScopeKind) -> JSONOutput.Reference {
    if let scope { return scope }
    // The first element notices a slot that is closed already, and throws.
    if let slot, (try? output.prepareElement(in: slot)) == nil { return slot }
    let opened = output.open(kind)
    scope = opened
    return opened
  }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  public func encodeNil() throws { try writeVerbatim { $0.writeNull() } }
  public func encode(_ value: Bool) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: String) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Double) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Float) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Int) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Int8) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Int16) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Int32) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: Int64) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: UInt) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: UInt8) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: UInt16) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: UInt32) throws { try writeVerbatim { $0.write(value) } }
  public func encode(_ value: UInt64) throws { try writeVerbatim { $0.write(value) } }

  public func encode<T: Encodable>(_ value: T) throws {
    try prepare()
    try output.encode(value)
  }
}

private struct KeyedJSONEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONOutput
  let scope: JSONOutput.Reference
  let codingPath: [any CodingKey] = []

  func encodeNil(forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    output.writer.writeNull()
  }

  func encode(_ value: String, forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    output.writer.write(value)
  }

  func encode(_ value: Int, forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    output.writer.write(value)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    output.writer.write(value)
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    output.writer.write(value)
  }

  /// Encodes a value, also the remaining numbers: they encode themselves as single values.
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try output.prepareMember(key, in: scope)
    try output.encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(for: key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(for: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(for: PlainKey("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

  private func encoder(for key: some CodingKey) -> JSONValueEncoder {
    // These calls can't throw; a closed scope makes the first write to the slot throw instead.
    guard (try? output.prepareMember(key, in: scope)) != nil else {
      return JSONValueEncoder(output, slot: scope)
    }
    return JSONValueEncoder(output, slot: output.open(.value))
  }
}

private struct UnkeyedJSONEncoding: UnkeyedEncodingContainer {
  let output: JSONOutput
  let scope: JSONOutput.Reference
  let codingPath: [any CodingKey] = []
  private(set) var count = 0

  init(output: JSONOutput, scope: JSONOutput.Reference) {
    self.output = output
    self.scope = scope
  }

  mutating func encodeNil() throws {
    try prepare()
    output.writer.writeNull()
  }

  mutating func encode(_ value: String) throws {
    try prepare()
    output.writer.write(value)
  }

  mutating func encode(_ value: Int) throws {
    try prepare()
    output.writer.write(value)
  }

  mutating func encode(_ value: Double) throws {
    try prepare()
    output.writer.write(value)
  }

  mutating func encode(_ value: Float) throws {
    try prepare()
    output.writer.write(value)
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try prepare()
    try output.encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder() }

  private mutating func prepare() throws {
    try output.prepareElement(in: scope)
    count += 1
  }

  private mutating func encoder() -> JSONValueEncoder {
    guard (try? prepare()) != nil else { return JSONValueEncoder(output, slot: scope) }
    return JSONValueEncoder(output, slot: output.open(.value))
  }
}

/// A dictionary with text for keys, whose own order differs between processes.
private protocol SortedMembers {
  func encodeSorted(to encoder: JSONValueEncoder) throws
}

extension Dictionary: SortedMembers where Key == String, Value: Encodable {
  fileprivate func encodeSorted(to encoder: JSONValueEncoder) throws {
    var container = encoder.container(keyedBy: PlainKey.self)
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: PlainKey(key))
    }
  }
}

/// A key that is only text.
struct PlainKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
