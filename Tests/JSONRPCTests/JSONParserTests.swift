import Foundation
import JSONRPC
import TestSupport
import Testing

@Suite struct JSONParserTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.0", "-1.5e+10", "1E400", "9007199254740993", "\"\"",
    #""\u0000""#, #""\ud834\udd1e""#, #""\"\\\/\b\f\n\r\t""#, "[]", "{}", "[[],{}]", " \t\r\n[1] ",
    #"{"a":1,"a":2}"#, "\"\u{7f}\u{2028}é\u{10FFFF}\"",
  ])
  func accepts(_ text: String) throws {
    _ = try JSONValue(parsing: text)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "1.", ".5", "1e", "1e+",
    "0x1", "'a'", "\"", "\"\\\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\u00:0""#, #""\u+123""#,
    #""\u00`0""#, #""\ud800""#, #""\ud800x""#,
    #""\ud800\u0041""#, #""\udc00""#, "\"\n\"", "\"\u{1}\"", "[", "]", "[1,]", "[,1]", "[1 2]", "{",
    "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#, "[1]]", "1 2", "{}x", "\u{FEFF}1",
    "[1\u{0}]", "// no", "\u{a0}1",
  ])
  func refuses(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x80],
      [0x22, 0x5C, 0x6E, 0xFF, 0x22],
      // UTF-16, with and without a mark.
      [0x5B, 0x00, 0x5D, 0x00], [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D],
    ] as [[UInt8]])
  func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
  }

  @Test func keepsWhatWasWritten() throws {
    let value = try JSONValue(parsing: #"{"b":1.0,"a":[9007199254740993,1E400],"b":"\u00e9/"}"#)
    #expect(value.description == #"{"b":1.0,"a":[9007199254740993,1E400],"b":"é/"}"#)
    #expect(value["b"] == .number("1.0"))
    #expect(value["a"]?[0]?.integerValue == 9_007_199_254_740_993)
  }

  @Test func unescapes() throws {
    let value = try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u0041\u00E9\ud83d\ude00x""#)
    #expect(value == .string("\"\\/\u{8}\u{c}\n\r\tAé😀x"))
  }

  @Test(arguments: ["[", "{\"a\":"])
  func limitsTheDepth(_ opening: String) throws {
    func nested(_ depth: Int) -> String {
      let closing = opening == "[" ? "]" : "}"
      return String(repeating: opening, count: depth) + (opening == "[" ? "" : "1")
        + String(repeating: closing, count: depth)
    }
    _ = try JSONValue(parsing: nested(512))
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(513)) }
    #expect(error?.reason == "nested deeper than 512 levels")
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(100_000)) }
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: String(repeating: opening, count: 1_000_000))
    }
  }

  @Test func readsWideAndLongTexts() throws {
    let wide = try JSONValue(parsing: "[" + String(repeating: "1,", count: 999_999) + "1]")
    guard case .array(let elements) = wide else { throw JSONSyntaxError.unexpected }
    #expect(elements.count == 1_000_000)
    let key = String(repeating: "k", count: 10_000_000)
    #expect(try JSONValue(parsing: "{\"\(key)\":1}")[key] == 1)
    let members = (0..<300_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(try JSONValue(parsing: "{\(members)}")["k299999"] == 299_999)
  }

  @Test func saysWhere() {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[1, 2, x]") }
    #expect(error?.offset == 7)
    let early = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[1, 2") }
    #expect(early?.reason == "the text ends too early")
  }

  /// Every cut and 3,000 mutations of a document are accepted by both parsers or by none.
  @Test func agreesWithFoundation() throws {
    let document = #"{"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{"c":"é😀","d":[]},"e":""}"#
    let bytes = [UInt8](document.utf8)
    var generator = SeededGenerator(seed: 11)
    var samples = bytes.indices.map { [UInt8](bytes[..<$0]) }
    for _ in 0..<3000 {
      var sample = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: sample.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: sample[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: sample.remove(at: index)
        default: sample.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      samples.append(sample)
    }
    var accepted = 0
    for sample in samples {
      let theirs = try? JSONSerialization.jsonObject(
        with: Data(sample), options: .fragmentsAllowed)
      let ours = try? JSONValue(parsing: sample)
      if ours != nil { accepted += 1 }
      let text = String(decoding: sample, as: UTF8.self)
      // Foundation lets a trailing comma pass in objects, against RFC 8259.
      #expect((theirs == nil) == (ours == nil) || text.contains(",}"), "\(text)")
    }
    #expect(accepted > 100)
  }
}

extension JSONSyntaxError {
  static let unexpected = JSONSyntaxError(offset: 0, reason: "unexpected kind of value")
}
