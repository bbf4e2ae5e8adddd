import JSONRPC
import MediaTime
import Testing

@testable import EngineMCP
@testable import EngineProtocol

/// Times as models write them, exactly.
@Suite struct TimeArgumentTests {
  @Test(
    arguments: [
      ("1.5", 3, 2), ("\"1.5\"", 3, 2), ("\"0:01.5\"", 3, 2), ("\"1:02:03\"", 3723, 1),
      ("\"1001/30000\"", 1001, 30_000), ("\"12.5s\"", 25, 2), ("\"500ms\"", 1, 2),
      ("\"500 ms\"", 1, 2), ("\"1m30s\"", 90, 1), ("\"1h 2m 3.5s\"", 7447, 2),
      ("\"2 minutes\"", 120, 1), ("0.1", 1, 10), ("{\"value\": 1, \"timescale\": 3}", 1, 3),
      ("\" 7 \"", 7, 1),
    ] as [(String, Int64, Int32)])
  func exactly(_ json: String, _ value: Int64, _ timescale: Int32) throws {
    guard case .time(let time) = try TimeArgument(JSONValue(parsing: json), "start") else {
      Issue.record("no time")
      return
    }
    #expect(time == Time(value: value, timescale: timescale))
    #expect(!time.hasBeenRounded)
  }

  @Test(arguments: [
    "\"\"", "\"abc\"", "\"1,5\"", "-1", "\"-3\"", "true", "null", "[]", "\"1:2:3:4\"", "1e400",
    "\"invalid\"", "\"+infinity\"", "{\"value\": 1, \"timescale\": 0}", "{}", "\"5 apples\"",
    "\"99999999999999999999h\"",
  ])
  func notAtAll(_ json: String) throws {
    let value = try JSONValue(parsing: json)
    #expect(throws: ToolFailure.self) { try TimeArgument(value, "start") }
  }

  private func range(_ json: String, _ rules: TimeRules) throws -> TimeRange? {
    let schema = ObjectSchema([
      .init(name: "start", schema: .null), .init(name: "end", schema: .null),
    ])
    return try rules.resolve(RangeArgument(Arguments(JSONValue(parsing: json), schema)))
  }

  @Test func rangesAreWithinTheFile() throws {
    let rules = TimeRules(duration: Time(value: 10, timescale: 1), frameRate: 25)
    let second = Time(value: 1, timescale: 1)
    #expect(try range("{}", rules) == nil)
    #expect(try range("{\"start\": 9}", rules)?.duration == second)
    #expect(try range("{\"end\": 1}", rules)?.duration == second)
    // A little after the end is the end.
    #expect(try range("{\"start\": 9, \"end\": 10.5}", rules)?.duration == second)
    for wrong in ["{\"start\": 10}", "{\"end\": 0}", "{\"start\": 5, \"end\": 3}", "{\"end\": 99}"]
    {
      #expect(throws: ToolFailure.self) { try range(wrong, rules) }
    }
  }
}
