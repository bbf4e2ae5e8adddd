import Foundation
import JSONRPC
import TestSupport
import Testing

private func text(_ value: some Encodable) throws -> String {
  String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
}

@Suite struct JSONEncodingTests {
  @Test func writesMembersInOrder() throws {
    struct Sample: Codable {
      var zebra = 1
      var apple: [Int?] = [1, nil]
      var missing: Int?
      var empty: [String] = []
      var nested = EmptyResult()
      var null = NullResult()
      var float: Float = 0.1
      var flag = false
    }
    #expect(
      try text(Sample())
        == #"{"zebra":1,"apple":[1,null],"empty":[],"nested":{},"null":null,"float":0.1,"flag":false}"#
    )
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0.0"), (1.0, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (1e300, "1e+300"),
    (9_007_199_254_740_991.0, "9007199254740991"), (9_007_199_254_740_992.0, "9007199254740992.0"),
    (1e21, "1e+21"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"), (-.infinity, "null"),
    (.nan, "null"),
  ])
  func writesDoubles(_ value: Double, _ expected: String) throws {
    #expect(try text(value) == expected)
  }

  @Test func sortsDictionaries() throws {
    struct Sample: Encodable {
      var members: [String: [String: Int]?]
    }
    let keys = (0..<20).map { "k\(10 + $0)" }
    let inner = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
    let sorted = keys.map { "\"\($0)\":1" }.joined(separator: ",")
    let sample = Sample(members: ["b": inner, "a": nil, "é": [:]])
    #expect(try text(sample) == "{\"members\":{\"a\":null,\"b\":{\(sorted)},\"é\":{}}}")
    #expect(try text([inner, [:]]) == "[{\(sorted)},{}]")
  }

  @Test func writesIntegers() throws {
    #expect(try text([9_007_199_254_740_991, -9_007_199_254_740_991]).contains("\"") == false)
    #expect(
      try text([9_007_199_254_740_992, Int64.min])
        == #"["9007199254740992","-9223372036854775808"]"#)
    #expect(try text(UInt64.max) == #""18446744073709551615""#)
    #expect(try text([UInt8.max]) == "[255]")
  }

  @Test func escapesNoMoreThanItMust() throws {
    #expect(
      try text("\u{0}\u{1f}\u{8}\t\n\u{c}\r\"\\/é😀\u{7f}\u{2028}")
        == "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/é😀\u{7f}\u{2028}\"")
  }

  @Test func passesTreesAndRawTextOn() throws {
    let tree = try JSONValue(parsing: #"{"b":1.0,"a":[1e5,"é"]}"#)
    #expect(try text(["x": tree]) == #"{"x":{"b":1.0,"a":[1e5,"é"]}}"#)
    #expect(try text([RawJSON("{ \"a\" : 1 }")]) == "[{ \"a\" : 1 }]")
    #expect(try JSONValue(encoding: ["a": RawJSON("[1]")]) == ["a": [1]])
  }

  @Test func writesBase64() throws {
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
      let expected = "\"\(Data(bytes).base64EncodedString())\""
      #expect(try text(Base64Data(bytes: bytes)) == expected)
      #expect(try text(Base64Data(encoding: bytes.span)) == expected)
      #expect(try text(Base64Data(lending: { $0(bytes.span) })) == expected)
      let back = try JSONDecoding.decode(Base64Data.self, from: JSONValue(parsing: expected))
      #expect(back.bytes == bytes)
    }
  }

  @Test(arguments: ["a", "ab", "abc", "ab=c", "====", "a===", "ab-_", "ab\\n="])
  func refusesWhatIsNotBase64(_ content: String) {
    let error = #expect(throws: DecodingProblems.self) {
      try JSONDecoding.decode(Base64Data.self, from: JSONValue(parsing: "\"\(content)\""))
    }
    #expect(error?.problems.first?.expected == "a base64 string")
  }

  @Test func supportsNestedContainersAndSupers() throws {
    struct Sample: Encodable {
      enum Keys: String, CodingKey { case inner, list, value, base }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
        try inner.encode(1, forKey: .value)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        var nested = list.nestedUnkeyedContainer()
        try nested.encode("x")
        try list.encode(UInt8(2))
        try list.encodeNil()
        try "b".encode(to: container.superEncoder(forKey: .base))
        _ = container.superEncoder()
        try container.encode(2.5, forKey: .value)
      }
    }
    #expect(
      try text(Sample())
        == #"{"inner":{"value":1},"list":[1,["x"],2,null],"base":"b","super":{},"value":2.5}"#)
  }

  @Test func refusesToReopenWhatIsClosed() {
    struct Sample: Encodable {
      enum Keys: String, CodingKey { case inner, value }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
        try container.encode(1, forKey: .value)
        try inner.encode(1, forKey: .value)
      }
    }
    #expect(throws: JSONEncoding.ContainerClosedError.self) { try JSONEncoding.encode(Sample()) }
  }

  @Test func inheritanceSharesAnObject() throws {
    class Base: Encodable {
      var first = 1
      enum Keys: String, CodingKey { case first, second }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(first, forKey: .first)
      }
    }
    final class Derived: Base {
      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(2, forKey: .second)
      }
    }
    #expect(try text(Derived()) == #"{"first":1,"second":2}"#)
  }

  /// A written value reads back as the same value here, and as an equal one in Foundation.
  @Test func roundTripsRandomTrees() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let tree = randomTree(depth: 4, &generator)
      let bytes = try JSONEncoding.encode(tree)
      #expect(try JSONValue(parsing: bytes) == tree)
      #expect(try JSONDecoding.decode(JSONValue.self, from: tree) == tree)
      let theirs = try JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      #expect(isEqual(tree, theirs), "\(tree)")
    }
  }

  @Test func roundTripsRandomNumbers() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<5000 {
      let bits = generator.next()
      let double = Double(bitPattern: bits)
      let integer = Int64(bitPattern: bits) >> Int64(generator.next() % 64)
      if double.isFinite {
        let back = try JSONValue(parsing: JSONEncoding.encode(double))
        #expect(try JSONDecoding.decode(Double.self, from: back) == double)
      }
      let back = try JSONValue(parsing: JSONEncoding.encode(integer))
      #expect(try JSONDecoding.decode(Int64.self, from: back) == integer)
    }
  }

  private func randomTree(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{1}", "é", "😀", "/", "\u{0}", "~"]
    func text() -> String {
      var result = ""
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        result.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
      }
      return result
    }
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int.random(in: -1_000_000...1_000_000, using: &generator))
    case 3: return .double(Double.random(in: -1e10...1e10, using: &generator))
    case 4: return .string(text())
    case 5:
      return .array(
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
          randomTree(depth: depth - 1, &generator)
        })
    default:
      return .object(
        (0..<Int.random(in: 0..<5, using: &generator)).map { index in
          .init(key: "\(index)" + text(), value: randomTree(depth: depth - 1, &generator))
        })
    }
  }

  private func isEqual(_ ours: JSONValue, _ theirs: Any?) -> Bool {
    switch ours {
    case .null: return theirs is NSNull
    case .bool(let value): return theirs as? Bool == value
    case .number(let token):
      // Foundation reads more than 15 digits by way of Decimal, which is one unit off at times.
      guard let number = (theirs as? NSNumber)?.doubleValue, let exact = Double(token) else {
        return false
      }
      return abs(number - exact) <= 2 * exact.ulp
    case .string(let text):
      return (theirs as? String).map { [UInt8]($0.utf8) } == [UInt8](text.utf8)
    case .array(let elements):
      guard let array = theirs as? [Any], array.count == elements.count else { return false }
      return zip(elements, array).allSatisfy { isEqual($0, $1) }
    case .object(let members):
      guard let table = theirs as? [String: Any], table.count == members.count else {
        return false
      }
      return members.allSatisfy { isEqual($0.value, table[$0.key]) }
    }
  }
}
