/// A type that has a placeholder for a wrong value, so that decoding can continue and find the
/// problems after the first one. The placeholder is never returned to a caller.
public protocol DecodingPlaceholder {
  /// Any value that is cheap to make.
  static var decodingPlaceholder: Self { get }
  /// The description of a correct value, for error messages: "a time", "a base64 string".
  static var decodingExpectation: String { get }
}

extension DecodingPlaceholder {
  public static var decodingExpectation: String { "a value of type \(Self.self)" }
}

/// The type of a document that people write: an unknown member, at any depth, is a problem. In
/// other values such members are ignored.
public protocol ClosedForm {}

/// One error in a value.
public struct DecodingProblem: Sendable, Equatable, Codable {
  /// The position, as a JSON pointer (RFC 6901); empty for the whole value.
  public var path: String
  /// The value that is expected there: `an integer`, `one of "a", "b"`.
  public var expected: String
  /// The value that was there instead: `string "abc"`, `nothing`.
  public var got: String

  /// Creates a problem.
  public init(path: String, expected: String, got: String) {
    self.path = path
    self.expected = expected
    self.got = got
  }
}

/// All errors of a value, found in one pass.
public struct DecodingProblems: Error, Sendable, Equatable {
  /// The problems in the order in which the type reads its members; at most ``limit``.
  public var problems: [DecodingProblem]
  /// The number of problems beyond ``limit``.
  public var omitted: Int

  /// The maximum number of problems that are described one by one.
  public static let limit = 100
}

/// Decodes `Decodable` values from a ``JSONValue`` in one pass that reports every problem.
///
/// On a mismatch the problem is noted and decoding continues with a placeholder: 0, "", false, an
/// empty array, the first case of a `CaseIterable` enum, ``DecodingPlaceholder``; a nested struct
/// is filled with the placeholders of its members. Only a type without one ends the pass early. A
/// hand-written `init(from:)` therefore sees placeholders as if they had been sent, and must not
/// trap on a 0 or an empty string; its result is thrown away.
public enum JSONDecoding {
  /// Returns the value that `json` describes; throws all problems at once.
  public static func decode<T: Decodable>(
    _ type: T.Type, from json: JSONValue
  ) throws(DecodingProblems) -> T {
    let collector = ProblemCollector()
    let decoder = JSONValueDecoder(json, collector: collector)
    let value = try? decoder.materialize(type)
    guard let value, collector.count == 0 else { throw collector.result }
    return value
  }
}

/// An error that passes through types that have no placeholder; its problem is in the collector
/// already.
struct RecordedProblem: Error {}

final class ProblemCollector {
  private(set) var count = 0
  private var problems: [DecodingProblem] = []

  var result: DecodingProblems {
    DecodingProblems(problems: problems, omitted: count - problems.count)
  }

  func record(_ problem: @autoclosure () -> DecodingProblem) {
    count += 1
    if problems.count < DecodingProblems.limit { problems.append(problem()) }
  }

  /// Removes the problems that were recorded since `count` was `mark`.
  func truncate(to mark: Int) {
    count = mark
    if problems.count > mark { problems.removeLast(problems.count - mark) }
  }
}

/// The decoder that a type's `init(from:)` receives here.
///
/// A type with several forms tries `decoder as? JSONValueDecoder`, examines ``value``, decodes the
/// form that is there, and throws ``mismatch(expected:)`` when none is. Examining it records no
/// problem.
public final class JSONValueDecoder: Decoder {
  /// The node to decode; nil when it is missing and a placeholder is being made.
  public let value: JSONValue?
  public let userInfo: [CodingUserInfoKey: Any] = [:]

  private let parent: JSONValueDecoder?
  private let step: Step
  /// The collector; nil while placeholders are made: a missing member of a missing object is no
  /// further problem.
  private let collector: ProblemCollector?
  /// True in a ``ClosedForm``.
  private(set) var isClosed = false
  /// The members that the type has read, if all of an object's have to be known.
  private var members = KnownMembers()

  enum Step {
    case root
    case key(String)
    case index(Int)
  }

  init(_ value: JSONValue?, collector: ProblemCollector?) {
    self.value = value
    self.collector = collector
    parent = nil
    step = .root
  }

  private init(_ value: JSONValue?, step: Step, parent: JSONValueDecoder) {
    self.value = value
    self.step = step
    self.parent = parent
    collector = value == nil ? nil : parent.collector
    isClosed = parent.isClosed
  }

  public var codingPath: [any CodingKey] {
    switch step {
    case .root: return []
    case .key(let key): return (parent?.codingPath ?? []) + [PlainKey(key)]
    case .index(let index): return (parent?.codingPath ?? []) + [PlainKey(String(index))]
    }
  }

  /// The JSON pointer of ``value`` in the decoded document.
  public var pointer: String {
    switch step {
    case .root: return ""
    case .index(let index): return (parent?.pointer ?? "") + "/\(index)"
    case .key(let key):
      var escaped = ""
      for character in key.unicodeScalars {
        switch character {
        case "~": escaped += "~0"
        case "/": escaped += "~1"
        default: escaped.unicodeScalars.append(character)
        }
      }
      return (parent?.pointer ?? "") + "/" + escaped
    }
  }

  /// Records that ``value`` is not the expected one and returns the error to throw.
  public func mismatch(expected: String) -> any Error {
    record(expected)
    return RecordedProblem()
  }

  /// Tries one form of a value without recording anything; returns nil when it doesn't fit.
  public func attempt<T: Decodable>(_ type: T.Type) -> T? {
    guard let value else { return nil }
    return try? JSONDecoding.decode(type, from: value)
  }

  public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    guard case .object(let members)? = value else {
      record("an object")
      return KeyedDecodingContainer(KeyedJSONDecoding(decoder: silent, members: []))
    }
    self.members.isObject = true
    return KeyedDecodingContainer(KeyedJSONDecoding(decoder: self, members: members))
  }

  /// Notes a member that a type reads; called for each.
  func note(_ name: String) { if isClosed { members.note(name) } }

  /// Records the members that the type of a closed form hasn't read.
  private func recordUnknownMembers() {
    guard isClosed, members.isObject, let collector, case .object(let found)? = value else {
      return
    }
    for member in found where !members.contains(member.key) {
      let path = child(nil, at: .key(member.key)).pointer
      collector.record(
        DecodingProblem(
          path: path, expected: members.expectation(insteadOf: member.key),
          got: "the unknown member \"\(member.key)\""))
    }
  }

  public func unkeyedContainer() -> any UnkeyedDecodingContainer {
    guard case .array(let elements)? = value else {
      record("an array")
      return UnkeyedJSONDecoding(decoder: silent, elements: [])
    }
    return UnkeyedJSONDecoding(decoder: self, elements: elements)
  }

  public func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// A decoder that makes placeholders for the content of this node.
  private var silent: JSONValueDecoder { JSONValueDecoder(nil, collector: nil) }

  func record(_ expected: @autoclosure () -> String) {
    collector?.record(
      DecodingProblem(path: pointer, expected: expected(), got: value?.summary ?? "nothing"))
  }

  func child(_ value: JSONValue?, at step: Step) -> JSONValueDecoder {
    JSONValueDecoder(value, step: step, parent: self)
  }

  /// Records that a value is expected at `step` and there is none.
  func recordMissing(_ expected: @autoclosure () -> String, at step: Step) {
    guard let collector else { return }
    let path = child(nil, at: step).pointer
    collector.record(DecodingProblem(path: path, expected: expected(), got: "nothing"))
  }

  /// Records that an object has the member `key` more than once.
  func recordDuplicate(_ key: String) {
    guard let collector else { return }
    let path = child(nil, at: .key(key)).pointer
    collector.record(
      DecodingProblem(path: path, expected: "the member once", got: "the member repeated"))
  }

  /// Decodes a `T` from this node, or makes a placeholder and leaves the reason in the collector.
  func materialize<T: Decodable>(_ type: T.Type) throws -> T {
    let mark = collector?.count ?? 0
    if T.self is any ClosedForm.Type { isClosed = true }
    do {
      let value = try T(from: self)
      recordUnknownMembers()
      return value
    } catch {
      if let cases = T.self as? any CaseIterable.Type, let first = firstCase(cases) as? T {
        collector?.truncate(to: mark)
        record(Expectation.describe(type))
        return first
      }
      let isNews = !(error is RecordedProblem) && collector?.count == mark
      if isNews { record(Expectation.describe(type, error)) }
      if let type = T.self as? any DecodingPlaceholder.Type,
        let placeholder = type.decodingPlaceholder as? T
      {
        return placeholder
      }
      throw RecordedProblem()
    }
  }

  private func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Cases? {
    type.allCases.first
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  public func decodeNil() -> Bool {
    switch value {
    case nil, .null: return true
    default: return false
    }
  }

  public func decode(_ type: Bool.Type) -> Bool {
    guard case .bool(let value)? = value else {
      record("true or false")
      return false
    }
    return value
  }

  public func decode(_ type: String.Type) -> String {
    guard case .string(let value)? = value else {
      record("a string")
      return ""
    }
    return value
  }

  public func decode(_ type: Double.Type) -> Double {
    guard case .number(let token)? = value, let value = Double(token), value.isFinite else {
      record("a finite number")
      return 0
    }
    return value
  }

  public func decode(_ type: Float.Type) -> Float {
    guard case .number(let token)? = value, let value = Float(token), value.isFinite else {
      record("a finite number")
      return 0
    }
    return value
  }

  public func decode(_ type: Int.Type) -> Int { integer() }
  public func decode(_ type: Int8.Type) -> Int8 { integer() }
  public func decode(_ type: Int16.Type) -> Int16 { integer() }
  public func decode(_ type: Int32.Type) -> Int32 { integer() }
  public func decode(_ type: Int64.Type) -> Int64 { integer() }
  public func decode(_ type: UInt.Type) -> UInt { integer() }
  public func decode(_ type: UInt8.Type) -> UInt8 { integer() }
  public func decode(_ type: UInt16.Type) -> UInt16 { integer() }
  public func decode(_ type: UInt32.Type) -> UInt32 { integer() }
  public func decode(_ type: UInt64.Type) -> UInt64 { integer() }

  public func decode<T: Decodable>(_ type: T.Type) throws -> T { try materialize(type) }

  /// Reads a number or a decimal string: integers beyond ±(2^53−1) travel as text.
  private func integer<T: FixedWidthInteger>() -> T {
    let result: Result<T, JSONNumber.Failure>
    switch value {
    case .number(let token)?: result = JSONNumber.integer(token, as: T.self)
    case .string(let text)?: result = JSONNumber.integer(decimal: text, as: T.self)
    default: result = .failure(.notIntegral)
    }
    switch result {
    case .success(let value): return value
    case .failure(.notIntegral): record("an integer")
    case .failure(.outOfRange): record("an integer between \(T.min) and \(T.max)")
    }
    return 0
  }
}
