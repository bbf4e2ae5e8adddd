import MediaTime
import Testing

@Suite struct TimeConversionTests {
  @Test func exactConversionsAreNotRounded() {
    #expect(time(1, 3).converted(toTimescale: 600).fields == time(200, 600).fields)
    #expect(time(1, 3).converted(toTimescale: 1000).fields == time(333, 1000, rounded: true).fields)
    #expect(time(5, 2, epoch: 7).converted(toTimescale: 4).fields == time(10, 4, epoch: 7).fields)
    #expect(
      time(200, 600, rounded: true).converted(toTimescale: 3).fields
        == time(1, 3, rounded: true).fields)
    #expect(
      time(200, 600, rounded: true).converted(toTimescale: 600).fields
        == time(200, 600, rounded: true).fields)
  }

  /// 5/3 and 7/4 s in halves, thirds of a tick and ties, both signs, with every method.
  @Test(
    arguments: [
      // (value, timescale, new timescale, half, toward, away, quickTime, up, down)
      (5, 3, 2, [3, 3, 4, 3, 4, 3]),
      (-5, 3, 2, [-3, -3, -4, -3, -3, -4]),
      (7, 4, 2, [4, 3, 4, 3, 4, 3]),
      (-7, 4, 2, [-4, -3, -4, -3, -3, -4]),
      (1, 2, 3, [2, 1, 2, 2, 2, 1]),
      (-1, 2, 3, [-2, -1, -2, -2, -1, -2]),
      (1, 5, 2, [0, 0, 1, 0, 1, 0]),
      (-1, 5, 2, [0, 0, -1, -1, 0, -1]),
      (-1, 1000, 1, [0, 0, -1, -1, 0, -1]),
      (1, 1000, 1, [0, 0, 1, 0, 1, 0]),
    ] as [(Int64, Int32, Int32, [Int64])])
  func everyMethod(value: Int64, from: Int32, to: Int32, expected: [Int64]) throws {
    try #require(expected.count == RoundingMethod.allCases.count)
    for (method, expected) in zip(RoundingMethod.allCases, expected) {
      let converted = time(value, from).converted(toTimescale: to, rounding: method)
      #expect(converted.fields == time(expected, to, rounded: true).fields, "\(method)")
    }
  }

  @Test func theDefaultIsHalfAwayFromZero() {
    #expect(time(1, 2).converted(toTimescale: 1).fields == time(1, 1, rounded: true).fields)
    #expect(time(-1, 2).converted(toTimescale: 1).fields == time(-1, 1, rounded: true).fields)
  }

  @Test func methodsHaveTheNamesOfTheWire() {
    #expect(
      RoundingMethod.allCases.map(\.rawValue) == [
        "halfAwayFromZero", "towardZero", "awayFromZero", "quickTime", "towardPositiveInfinity",
        "towardNegativeInfinity",
      ])
  }

  @Test func anOverflowHalvesTheNewTimescale() {
    #expect(time(.max, 1).converted(toTimescale: 600).fields == time(.max, 1).fields)
    #expect(time(1 << 60, 1).converted(toTimescale: 600).fields == time(1 << 62, 4).fields)
    #expect(time(.min, 1).converted(toTimescale: .max).fields == time(.min, 1).fields)
    #expect(
      time(.max, .max).converted(toTimescale: 1).fields
        == time(4_294_967_298, 1, rounded: true).fields)
  }

  @Test func whatCannotBeConverted() {
    #expect(time(1, 2).converted(toTimescale: 0).fields == Time.invalid.fields)
    #expect(time(1, 2).converted(toTimescale: .min).fields == Time.invalid.fields)
    for special in specialTimes {
      #expect(special.converted(toTimescale: 600).fields == special.fields)
      #expect(special.converted(toTimescale: 0).fields == special.fields)
    }
  }
}

/// libav time stamps, there and back.
@Suite struct TimeTicksTests {
  @Test func timeStampsKeepTheirTimeBase() {
    let frame = Time(ticks: 3, timeBaseNumerator: 1001, timeBaseDenominator: 30_000)
    #expect(frame.fields == time(3003, 30_000).fields)
    let stamp = Time(ticks: -7, timeBaseNumerator: 1, timeBaseDenominator: 90_000)
    #expect(stamp.fields == time(-7, 90_000).fields)
    #expect(
      Time(ticks: .min, timeBaseNumerator: 1, timeBaseDenominator: .max).fields
        == time(.min, .max).fields)
  }

  @Test func largeTimeStampsAreReducedOrRounded() {
    #expect(
      Time(ticks: 1 << 62, timeBaseNumerator: 6, timeBaseDenominator: 4).fields
        == time(3 << 61, 1).fields)
    let inexact = Time(ticks: .max, timeBaseNumerator: 3, timeBaseDenominator: 4)
    #expect(inexact.fields == time(6_917_529_027_641_081_855, 1, rounded: true).fields)
    #expect(Time(ticks: .max, timeBaseNumerator: 3, timeBaseDenominator: 2).isPositiveInfinity)
    #expect(Time(ticks: .min, timeBaseNumerator: .max, timeBaseDenominator: 1).isNegativeInfinity)
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 25), (1, -25), (0, 0)] as [(Int32, Int32)])
  func aTimeBaseThatIsNotPositive(numerator: Int32, denominator: Int32) {
    let made = Time(
      ticks: 1, timeBaseNumerator: numerator, timeBaseDenominator: denominator)
    #expect(made.fields == Time.invalid.fields)
    #expect(
      time(1, 1).ticks(timeBaseNumerator: numerator, timeBaseDenominator: denominator) == nil)
  }

  @Test func timesBecomeTimeStamps() {
    #expect(time(1, 3).ticks(timeBaseNumerator: 1, timeBaseDenominator: 600) == 200)
    #expect(time(3003, 30_000).ticks(timeBaseNumerator: 1001, timeBaseDenominator: 30_000) == 3)
    #expect(time(1, 1, epoch: 9).ticks(timeBaseNumerator: 1, timeBaseDenominator: 25) == 25)
    for special in specialTimes {
      #expect(special.ticks(timeBaseNumerator: 1, timeBaseDenominator: 25) == nil)
    }
  }

  @Test func timeStampsAreRoundedByEveryMethod() {
    func ticks(_ time: Time, _ denominator: Int32) -> [Int64?] {
      RoundingMethod.allCases.map {
        time.ticks(timeBaseNumerator: 1, timeBaseDenominator: denominator, rounding: $0)
      }
    }
    #expect(ticks(time(7, 4), 2) == [4, 3, 4, 3, 4, 3])
    #expect(ticks(time(-1, 5), 2) == [0, 0, -1, -1, 0, -1])
    #expect(ticks(time(1, 2), 3) == [2, 1, 2, 2, 2, 1])
    // Units of 1001/30000 s are longer than ticks of 1/30 s, so quickTime rounds toward zero.
    let coarser = time(1, 30).ticks(
      timeBaseNumerator: 1001, timeBaseDenominator: 30_000, rounding: .quickTime)
    #expect(coarser == 0)
  }

  @Test func timeStampsThatDoNotFitAreNil() {
    #expect(time(.max, 1).ticks(timeBaseNumerator: 1, timeBaseDenominator: 1) == .max)
    #expect(time(.max, 1).ticks(timeBaseNumerator: 1, timeBaseDenominator: 2) == nil)
    #expect(time(.min, 1).ticks(timeBaseNumerator: 1, timeBaseDenominator: 1) == .min)
    #expect(time(.min, 1).ticks(timeBaseNumerator: 1, timeBaseDenominator: .max) == nil)
    // The nearest would be one too many.
    let half = time(.max, 2)
    #expect(half.ticks(timeBaseNumerator: 1, timeBaseDenominator: 2) == .max)
    #expect(time(.max, 1).ticks(timeBaseNumerator: .max, timeBaseDenominator: .max) == .max)
  }
}
