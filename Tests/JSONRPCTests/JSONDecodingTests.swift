import JSONRPC
import Testing

private enum Kind: String, Codable, CaseIterable { case video, audio }

private struct Time: Codable, Equatable, DecodingPlaceholder {
  var value: Int64
  var timescale: Int32

  static let decodingPlaceholder = Time(value: 0, timescale: 1)
  static let decodingExpectation = "a time"

  init(value: Int64, timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }

  private enum CodingKeys: CodingKey { case value, timescale }

  init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONValueDecoder else { throw CancellationError() }
    switch decoder.value {
    case .object:
      let container = decoder.container(keyedBy: CodingKeys.self)
      self.init(
        value: try container.decode(Int64.self, forKey: .value),
        timescale: try container.decode(Int32.self, forKey: .timescale))
    case .string("zero"): self.init(value: 0, timescale: 1)
    case .number:
      guard let seconds = decoder.attempt(Int64.self) else { fallthrough }
      self.init(value: seconds, timescale: 1)
    default: throw decoder.mismatch(expected: Self.decodingExpectation)
    }
  }
}

private struct Inner: Codable { var width: Int }

private struct Everything: Codable {
  var text: String
  var flag: Bool
  var count: UInt8
  var ratio: Double
  var kind: Kind
  var times: [Time]
  var inner: Inner
  var list: [Inner]
  var table: [String: Int]
  var optional: Int?
  var optionalKind: Kind?
}

private struct Shapeless: Codable {
  var before: Int
  var url: Opaque
  var after: Int

  /// Neither a placeholder nor a case: ends the pass.
  struct Opaque: Codable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard text.hasPrefix("/") else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "a path that begins with /"))
      }
    }
  }
}

private func problems<T: Decodable>(_ type: T.Type, _ text: String) -> [String] {
  do {
    _ = try JSONDecoding.decode(type, from: JSONValue(parsing: text))
    return []
  } catch let error as DecodingProblems {
    return error.problems.map { "\($0.path): \($0.expected), got \($0.got)" }
  } catch {
    return ["\(error)"]
  }
}

@Suite struct JSONDecodingTests {
  @Test func decodesEverything() throws {
    let value = try JSONDecoding.decode(
      Everything.self,
      from: [
        "text": "a", "flag": true, "count": 255, "ratio": 2, "kind": "audio",
        "times": [["value": 1, "timescale": 30], 7, "zero"], "inner": ["width": 3, "more": 1],
        "list": [["width": 1]], "table": ["x": 1], "optional": nil,
      ])
    #expect(value.times.map(\.value) == [1, 7, 0])
    #expect(value.kind == .audio && value.inner.width == 3 && value.table == ["x": 1])
    #expect(value.optional == nil && value.optionalKind == nil)
  }

  @Test func reportsAllProblemsAtOnce() {
    let found = problems(
      Everything.self,
      #"""
      {"text":1,"flag":"x","count":256,"ratio":1e400,"kind":"subtitle",
       "times":[{"value":"a","timescale":1},true,{"timescale":1.5}],
       "inner":5,"list":[{"width":"w"},{},{"width":3}],"table":{"a/b~c":"1x"},
       "optional":"n","optionalKind":7}
      """#)
    #expect(
      found == [
        "/text: a string, got number 1", "/flag: true or false, got string \"x\"",
        "/count: an integer between 0 and 255, got number 256",
        "/ratio: a finite number, got number 1e400",
        "/kind: one of \"video\", \"audio\", got string \"subtitle\"",
        "/times/0/value: an integer, got string \"a\"", "/times/1: a time, got true",
        "/times/2/value: an integer, got nothing",
        "/times/2/timescale: an integer, got number 1.5", "/inner: an object, got number 5",
        "/list/0/width: an integer, got string \"w\"", "/list/1/width: an integer, got nothing",
        "/table/a~1b~0c: an integer, got string \"1x\"", "/optional: an integer, got string \"n\"",
        "/optionalKind: one of \"video\", \"audio\", got number 7",
      ])
  }

  @Test func reportsMissingMembersOnce() {
    let found = problems(Everything.self, "{}")
    #expect(
      found == [
        "/text: a string, got nothing", "/flag: true or false, got nothing",
        "/count: an integer, got nothing", "/ratio: a finite number, got nothing",
        "/kind: one of \"video\", \"audio\", got nothing", "/times: an array, got nothing",
        "/inner: an object, got nothing", "/list: an array, got nothing",
        "/table: an object, got nothing",
      ])
    #expect(problems(Everything.self, "[]").first == ": an object, got array of 0")
  }

  @Test func endsAtWhatHasNoPlaceholder() {
    #expect(
      problems(Shapeless.self, #"{"before":"x","url":"relative","after":"y"}"#) == [
        "/before: an integer, got string \"x\"",
        "/url: a path that begins with /, got string \"relative\"",
      ])
    #expect(problems(Shapeless.self, "{}").count == 2)
  }

  @Test(arguments: [
    ("1", 1), ("1.0", 1), ("1e3", 1000), ("-10e-1", -1), ("0e999999999999", 0), ("\"-42\"", -42),
    ("-0", 0), ("9223372036854775807", Int.max), ("\"-9223372036854775808\"", Int.min),
    ("9223372036854775807.0", Int.max), ("1000000000000000000000e-3", 1_000_000_000_000_000_000),
  ])
  func takesIntegersInEveryForm(_ text: String, _ expected: Int) throws {
    #expect(try JSONDecoding.decode(Int.self, from: JSONValue(parsing: text)) == expected)
  }

  @Test(arguments: [
    "9223372036854775808", "1e400", "1e999999999999999999999", "1.5", "1e-1", "\"1.0\"", "\"\"",
    "\"-\"", "\"+1\"", "\" 1\"", "null", "[]", "\"99999999999999999999\"", "1e12345678",
  ])
  func refusesWhatIsNoInt(_ text: String) {
    #expect(problems(Int.self, text).count == 1)
  }

  @Test func refusesRepeatedMembers() {
    #expect(
      problems(Inner.self, #"{"width":1,"width":2}"#) == [
        "/width: the member once, got the member repeated"
      ])
    let wide = (0..<20).map { "\"k\($0)\":0," }.joined()
    #expect(problems(Inner.self, "{\(wide)\"width\":1,\"width\":2}").count == 1)
    #expect(problems(Inner.self, #"{"other":1,"other":2,"width":2}"#).isEmpty)
  }

  @Test func limitsTheList() {
    let text = "[" + String(repeating: "\"x\",", count: 100_000) + "1]"
    let error = #expect(throws: DecodingProblems.self) {
      try JSONDecoding.decode([Int].self, from: JSONValue(parsing: text))
    }
    #expect(error?.problems.count == 100)
    #expect(error?.omitted == 99_900)
  }

  @Test func shortensWhatItQuotes() {
    let text = "\"" + String(repeating: "x", count: 1_000_000) + "\""
    #expect(problems(Int.self, text).first?.count ?? .max < 100)
  }

  @Test func decodesWideDictionaries() throws {
    let members = (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let table = try JSONDecoding.decode(
      [String: Int].self, from: JSONValue(parsing: "{\(members)}"))
    #expect(table.count == 100_000 && table["k99999"] == 99_999)
  }

  @Test func readsPastTheEndAsAProblem() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    #expect(problems(Pair.self, "[1]") == ["/1: an integer, got nothing"])
    #expect(problems(Pair.self, "[1,2]").isEmpty)
  }

  @Test func nestedContainersAndSupers() throws {
    struct Nested: Decodable {
      var depth: Int
      var list: [Int] = []
      var base: String

      enum Keys: String, CodingKey { case outer, depth, list, base }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let outer = try container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
        depth = try outer.decode(Int.self, forKey: .depth)
        var elements = try container.nestedUnkeyedContainer(forKey: .list)
        while !elements.isAtEnd {
          list.append(try elements.decodeNil() ? -1 : elements.decode(Int.self))
        }
        base = try String(from: container.superDecoder(forKey: .base))
      }
    }
    let value = try JSONDecoding.decode(
      Nested.self, from: ["outer": ["depth": 2], "list": [1, nil, 3], "base": "b"])
    #expect(value.depth == 2 && value.list == [1, -1, 3] && value.base == "b")
    #expect(problems(Nested.self, "{}").count == 3)
  }
}
