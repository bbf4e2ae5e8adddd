import EngineProtocol
import JSONRPC
import MediaTime
import Testing

@Suite struct WireTimeTests {
  static func read(_ text: String) throws -> Time {
    try JSONDecoding.decode(WireTime.self, from: JSONValue(parsing: text)).time
  }

  static func write(_ time: Time) throws -> String {
    "\(try JSONValue(encoding: WireTime(time)))"
  }

  @Test(arguments: [
    (#"{"value": 1001, "timescale": 30000}"#, #"{"value":1001,"timescale":30000}"#),
    (#"{"value": 200, "timescale": 400}"#, #"{"value":200,"timescale":400}"#),
    (#"{"value": 1, "timescale": 2, "epoch": 0}"#, #"{"value":1,"timescale":2}"#),
    (#"{"value": 1, "timescale": 2, "epoch": 3}"#, #"{"value":1,"timescale":2,"epoch":3}"#),
    (#"{"value": 1, "timescale": 2, "rounded": false}"#, #"{"value":1,"timescale":2}"#),
    (
      #"{"value": 1, "timescale": 3, "rounded": true}"#,
      #"{"value":1,"timescale":3,"rounded":true}"#
    ),
    (
      #"{"value": "9007199254740993", "timescale": 1}"#,
      #"{"value":"9007199254740993","timescale":1}"#
    ),
    (
      #"{"value": -9007199254740993, "timescale": 1}"#,
      #"{"value":"-9007199254740993","timescale":1}"#
    ),
    (
      #"{"value": "9007199254740991", "timescale": 1}"#,
      #"{"value":9007199254740991,"timescale":1}"#
    ),
    (#"{"value": 1, "timescale": 0}"#, #""invalid""#),
    (#"{"value": 1, "timescale": -5}"#, #""invalid""#),
    (#""+infinity""#, #""+infinity""#), (#""-infinity""#, #""-infinity""#),
    (#""indefinite""#, #""indefinite""#), (#""invalid""#, #""invalid""#),
    ("3.5", #"{"value":7,"timescale":2}"#), ("0", #"{"value":0,"timescale":1}"#),
    ("-2", #"{"value":-2,"timescale":1}"#),
    ("0.1", #"{"value":1,"timescale":10}"#),
    (#""3.5""#, #"{"value":7,"timescale":2}"#),
    (#""1001/30000""#, #"{"value":1001,"timescale":30000}"#),
    (#""00:01:00.500""#, #"{"value":121,"timescale":2}"#),
  ])
  func everyFormIsRead(_ text: String, _ written: String) throws {
    #expect(try Self.write(Self.read(text)) == written)
  }

  @Test(arguments: [
    "true", "[]", "{}", #""soon""#, #"{"value": 1}"#, #"{"timescale": 1}"#, "1e400",
    #"{"value": 1.5, "timescale": 1}"#, #"{"value": 1, "timescale": 2147483648}"#,
    #"{"value": "x", "timescale": 1}"#, #"{"value": 1, "timescale": 1, "rounded": 1}"#,
  ])
  func wrongFormsAreRefused(_ text: String) throws {
    #expect(try !problems(of: WireTime.self, text).isEmpty)
  }

  @Test func aMissingTimeIsNamedAsATime() throws {
    let found = try problems(of: TimeAdd.self, #"{"lhs": 1}"#)
    #expect(found.map(\.path) == ["/rhs"])
    #expect(found.first?.expected == WireTime.decodingExpectation)
  }

  @Test func anInvalidRangeIsReadFromItsWord() throws {
    let text = #"{"range": "invalid"}"#
    let end = try JSONDecoding.decode(TimeRangeEnd.self, from: JSONValue(parsing: text))
    #expect(!end.range.range.start.isValid)
    #expect(!end.range.range.duration.isValid)
    #expect(
      "\(try JSONValue(encoding: end.range))" == #"{"start":"invalid","duration":"invalid"}"#)
  }

  @Test(arguments: [#""never""#, "1", "[]", "{}", #"{"start": 0}"#])
  func wrongRangesAreRefused(_ text: String) throws {
    #expect(try !problems(of: WireTimeRange.self, text).isEmpty)
  }

  @Test func anEmptyEditHasNoSource() throws {
    let range = TimeRange(start: .zero, duration: Time(value: 1, timescale: 2))
    let written = try JSONValue(
      encoding: WireTimeMapping(TimeMapping(source: .invalid, target: range)))
    #expect(written["source"] == "invalid")
    #expect(written["target"]?["duration"]?["timescale"] == .number("2"))
  }

  @Test func secondsHaveNoNotANumber() {
    #expect(WireSeconds(.nan) == nil)
    #expect(WireSeconds(.infinity)?.seconds == .infinity)
  }
}
