import MediaTime
import Testing

@Suite struct TimeStringTests {
  @Test(
    arguments: [
      ("3.5", time(7, 2)), ("3", time(3, 1)), ("0", time(0, 1)), ("-0.25", time(-1, 4)),
      ("+1.50", time(3, 2)), ("007", time(7, 1)), ("0.000", time(0, 1)),
      ("1001/30000", time(1001, 30_000)), ("400/600", time(400, 600)), ("-1/3", time(-1, 3)),
      ("0/5", time(0, 5)), ("4/8589934592", time(1, .max, rounded: true)),
      ("4/4294967296", time(1, 1 << 30)),
      ("00:01:00.500", time(121, 2)), ("01:30", time(90, 1)), ("1:02:03", time(3723, 1)),
      ("-00:00:01.25", time(-5, 4)), ("90:00", time(5400, 1)),
      ("100:59:59.999", time(363_599_999, 1000)),
      ("0.333333333", time(333_333_333, 1_000_000_000)),
      ("0.0009765625", time(1, 1024)),
      ("0.3333333333", time(333_333_333, 1_000_000_000, rounded: true)),
      ("0.00000000050", time(1, 2_000_000_000)),
      ("0.00000000050000001", time(1, 1_000_000_000, rounded: true)),
      ("0.00000000049999999999999999999999", time(0, 1, rounded: true)),
      ("1.0000000000000000000000000000000", time(1, 1)),
      ("1.0000000000000000000000000000001", time(1, 1, rounded: true)),
      ("9223372036854775807", time(.max, 1)), ("-9223372036854775808", time(.min, 1)),
      ("9223372036854775807/2147483647", time(.max, .max)),
      ("18446744073709551614/2", time(.max, 1)),
      ("+infinity", .positiveInfinity), ("-infinity", .negativeInfinity),
      ("indefinite", .indefinite), ("invalid", .invalid),
    ] as [(String, Time)])
  func accepted(text: String, expected: Time) {
    #expect(Time(string: text)?.fields == expected.fields)
  }

  @Test(
    arguments: [
      "", " ", "-", "+", ".", "1.", ".5", "1e3", "NaN", "nan", "inf", "infinity", "Invalid", "0x10",
      "1/0", "1/", "/2", "1/2/3", "1/-2", "1.5/2", "--1", "+-1", " 1", "1 ", "1,5", "1_000",
      "1.2.3",
      "1:2", "1:60", "00:60:00", "00:00:60", "1:00:00:00", ":30", "30:", "1:-1", "00:1:00",
      "1:30/2",
      "٣", "½", "3.٥", "9223372036854775808", "-9223372036854775809", "99999999999999999999999",
      "9223372036854775807.5", "18446744073709551616/3", "1/18446744073709551616",
      "999999999999999999:59:59", "18446744073709551615/1", "\u{0}",
    ])
  func refused(text: String) {
    #expect(Time(string: text) == nil)
  }

  @Test func longTextsEnd() {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(Time(string: zeros)?.fields == time(0, 1).fields)
    #expect(Time(string: "1." + zeros)?.fields == time(1, 1).fields)
    #expect(Time(string: "1" + zeros) == nil)
  }
}
