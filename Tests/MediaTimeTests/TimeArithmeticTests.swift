import MediaTime
import Testing

@Suite struct TimeAdditionTests {
  @Test func thirdsOfASecondAddUpExactly() {
    // The guide's example: 200/3 s (66.66…) three times, less 100 s, is 100 s.
    let third = time(200, 3)
    #expect((third.multiplied(by: 3 as Int32) - time(100, 1)) == time(100, 1))
    #expect((third + third + third - time(100, 1)).fields == time(300, 3).fields)
  }

  @Test func theTimescaleIsTheLeastCommonMultiple() {
    #expect((time(1, 600) + time(2, 600)).fields == time(3, 600).fields)
    #expect((time(1, 3) + time(1, 5)).fields == time(8, 15).fields)
    #expect((time(1, 4) - time(1, 6)).fields == time(1, 12).fields)
    #expect((time(1, 24) + time(1, 30)).fields == time(9, 120).fields)
  }

  @Test func aLargerMultipleIsCapped() {
    let sum = time(1, 2_147_483_629) + time(1, 2_147_483_587)
    #expect(sum.fields == time(2, .max, rounded: true).fields)
    // 90000 and 44100·1001 have the multiple 4414410000.
    let difference = time(1, 1) - time(1, 90_000) - time(1, 44_144_100)
    #expect(difference.timescale == .max && difference.hasBeenRounded)
    // The product of the timescales is above the limit but their multiple isn't.
    #expect((time(1, 1 << 30) + time(1, 1 << 20)).fields == time(1025, 1 << 30).fields)
  }

  @Test func anOverflowHalvesTheTimescale() {
    #expect((time(.max, 600) + time(.max, 600)).fields == time(.max, 300).fields)
    #expect((time(.max, 600) + time(.max - 1, 600)).fields == time(.max, 300, rounded: true).fields)
    // Odd timescales lose the half: 3 becomes 1.
    let sum = time(.max, 3) + time(.max, 3)
    #expect(sum.fields == time(6_148_914_691_236_517_205, 1, rounded: true).fields)
    #expect((time(.max, 1) + time(1, 1)).isPositiveInfinity)
    #expect((time(.min, 1) - time(1, 1)).isNegativeInfinity)
    #expect((time(.min, 1) + time(.min, .max)).isNegativeInfinity)
    #expect((time(.min, 1) + time(.max, 1)).fields == time(-1, 1).fields)
    #expect((Time.zero - time(.min, 1)).isPositiveInfinity)
  }

  @Test func roundingIsSticky() {
    #expect((time(1, 2, rounded: true) + time(1, 2)).fields == time(2, 2, rounded: true).fields)
    #expect((time(1, 2) - time(1, 2, rounded: true)).fields == time(0, 2, rounded: true).fields)
    #expect(!(time(1, 2) + time(1, 2)).hasBeenRounded)
  }

  @Test func sumsOfTimesThatAreNotNumeric() {
    let one = time(1, 1)
    let (plus, minus) = (Time.positiveInfinity, Time.negativeInfinity)
    let table: [(Time, Time, sum: Time, difference: Time)] = [
      (one, plus, plus, minus), (plus, one, plus, plus), (one, minus, minus, plus),
      (minus, one, minus, minus), (plus, plus, plus, .invalid), (minus, minus, minus, .invalid),
      (plus, minus, .invalid, plus), (minus, plus, .invalid, minus),
      (one, .indefinite, .indefinite, .indefinite), (.indefinite, one, .indefinite, .indefinite),
      (.indefinite, .indefinite, .indefinite, .indefinite), (.indefinite, plus, plus, minus),
      (minus, .indefinite, minus, minus),
    ]
    for (left, right, sum, difference) in table {
      #expect((left + right).fields == sum.fields)
      #expect((left - right).fields == difference.fields)
    }
    for other in specialTimes + [one] {
      #expect(!(other + .invalid).isValid && !(.invalid + other).isValid)
      #expect(!(other - .invalid).isValid && !(.invalid - other).isValid)
    }
  }

  @Test func epochs() {
    let (duration, first, second) = (time(3, 2), time(5, 2, epoch: 7), time(7, 2, epoch: 8))
    #expect((duration + first).fields == time(8, 2, epoch: 7).fields)
    #expect((first + duration).fields == time(8, 2, epoch: 7).fields)
    #expect((first - duration).fields == time(2, 2, epoch: 7).fields)
    #expect((duration - first).fields == time(-2, 2, epoch: 7).fields)
    #expect((first + first).fields == time(10, 2).fields)
    #expect((first - first).fields == time(0, 2).fields)
    #expect((first + second).fields == Time.invalid.fields)
    #expect((first - second).fields == Time.invalid.fields)
    #expect((first + .positiveInfinity).fields == Time.positiveInfinity.fields)
    #expect((time(1, 1, epoch: .min) - time(1, 1, epoch: .max)).fields == Time.invalid.fields)
  }

  @Test func oppositeAndAbsoluteValue() {
    #expect((-time(1, 3, epoch: 2)).fields == time(-1, 3, epoch: 2).fields)
    #expect((-time(.min, 600)).fields == time(1 << 62, 300).fields)
    #expect((-time(.min, 1)).isPositiveInfinity)
    #expect((-Time.positiveInfinity).isNegativeInfinity)
    #expect((-Time.negativeInfinity).isPositiveInfinity)
    #expect((-Time.indefinite).isIndefinite && !(-Time.invalid).isValid)
    #expect(time(-1, 3, epoch: 2).absoluteValue.fields == time(1, 3, epoch: 2).fields)
    #expect(time(1, 3).absoluteValue.fields == time(1, 3).fields)
    #expect(
      time(.min, 3).absoluteValue.fields == time(3_074_457_345_618_258_603, 1, rounded: true).fields
    )
    #expect(Time.negativeInfinity.absoluteValue.isPositiveInfinity)
    #expect(Time.positiveInfinity.absoluteValue.isPositiveInfinity)
    #expect(Time.indefinite.absoluteValue.isIndefinite && !Time.invalid.absoluteValue.isValid)
  }
}

@Suite struct TimeMultiplicationTests {
  @Test func byAWholeNumber() {
    #expect(time(1001, 30000).multiplied(by: 30 as Int32).fields == time(30030, 30000).fields)
    #expect(
      time(5, 3, epoch: 4).multiplied(by: -2 as Int32).fields == time(-10, 3, epoch: 4).fields)
    #expect(time(5, 3).multiplied(by: 0 as Int32).fields == time(0, 3).fields)
    #expect(time(.max, 600).multiplied(by: 2 as Int32).fields == time(.max, 300).fields)
    #expect(time(.max, 1).multiplied(by: 2 as Int32).isPositiveInfinity)
    #expect(time(.min, 1).multiplied(by: Int32.min).isPositiveInfinity)
    #expect(time(.max, 1).multiplied(by: Int32.min).isNegativeInfinity)
    #expect(time(1, 3, rounded: true).multiplied(by: 3 as Int32).hasBeenRounded)
    #expect(Time.positiveInfinity.multiplied(by: -1 as Int32).isNegativeInfinity)
    #expect(Time.positiveInfinity.multiplied(by: 0 as Int32).isPositiveInfinity)
    #expect(Time.indefinite.multiplied(by: 2 as Int32).isIndefinite)
    #expect(!Time.invalid.multiplied(by: 2 as Int32).isValid)
  }

  @Test func byADoubleTheTimescaleIsAtLeast65536() {
    #expect(time(300, 600).multiplied(by: 0.5).fields == time(19_200, 76_800).fields)
    #expect(time(1, 90_000).multiplied(by: 3.0).fields == time(3, 90_000).fields)
    #expect(time(1, 65_535).multiplied(by: 1.0).fields == time(2, 131_070).fields)
    #expect(time(1, 65_536).multiplied(by: 1.0).fields == time(1, 65_536).fields)
    #expect(
      time(10, 1, epoch: 5).multiplied(by: -1.5).fields
        == time(-15 * 65_536, 65_536, epoch: 5).fields)
    #expect(time(1, 1).multiplied(by: 0.1).fields == time(6554, 65_536, rounded: true).fields)
    #expect(time(1, 1).multiplied(by: 0x1p-17).fields == time(1, 65_536, rounded: true).fields)
    #expect(time(1, 1).multiplied(by: 0x1p-18).fields == time(0, 65_536, rounded: true).fields)
    #expect(
      time(.max, .max).multiplied(by: Double.leastNonzeroMagnitude).fields
        == time(0, .max, rounded: true).fields)
    #expect(time(0, 600).multiplied(by: 1e300).fields == time(0, 76_800).fields)
    #expect(time(1, 1).multiplied(by: 0x1p62).fields == time(1 << 62, 1).fields)
    #expect(time(.min, 1).multiplied(by: 1.0).fields == time(.min, 1).fields)
    #expect(time(.min, 1).multiplied(by: -1.0).isPositiveInfinity)
    #expect(time(1, .max).multiplied(by: 1e300).isPositiveInfinity)
    #expect(time(1, .max).multiplied(by: -1e300).isNegativeInfinity)
    #expect(time(.max, 1).multiplied(by: 0x1p-149).fields == time(0, 65_536, rounded: true).fields)
  }

  @Test func byADoubleThatIsNotFinite() {
    for any in specialTimes + [time(1, 1), .zero] {
      #expect(!any.multiplied(by: Double.nan).isValid)
    }
    #expect(time(-1, 1).multiplied(by: Double.infinity).isNegativeInfinity)
    #expect(time(-1, 1).multiplied(by: -Double.infinity).isPositiveInfinity)
    #expect(!Time.zero.multiplied(by: Double.infinity).isValid)
    #expect(!Time.positiveInfinity.multiplied(by: 0.0).isValid)
    #expect(Time.positiveInfinity.multiplied(by: -0.5).isNegativeInfinity)
    #expect(Time.negativeInfinity.multiplied(by: -Double.infinity).isPositiveInfinity)
    #expect(Time.indefinite.multiplied(by: 0.5).isIndefinite)
    #expect(!Time.invalid.multiplied(by: 0.5).isValid)
  }

  @Test func byARatio() {
    #expect(time(1, 3).multiplied(byRatio: 3, 1).fields == time(3, 3).fields)
    #expect(time(100, 600).multiplied(byRatio: 2, 4).fields == time(100, 1200).fields)
    #expect(
      time(10, 1, epoch: 5).multiplied(byRatio: 1001, -1000).fields
        == time(-10_010, 1000, epoch: 5).fields)
    #expect(time(7, 5).multiplied(byRatio: 0, 3).fields == time(0, 5).fields)
    #expect(time(0, 5).multiplied(byRatio: 2, 3).fields == time(0, 5).fields)
    #expect(time(1, 3, rounded: true).multiplied(byRatio: 3, 1).hasBeenRounded)
    #expect(time(.min, 1).multiplied(byRatio: .min, .min).fields == time(.min, 1).fields)
  }

  @Test func byARatioInLowestTermsWhereNeeded() {
    // Core Media reduces these likewise, by the published measurements of others.
    #expect(
      time(1 << 62, 1 << 30).multiplied(byRatio: 3, 1).fields == time(12_884_901_888, 1).fields)
    #expect(
      time(6_148_914_691_236_517_205, 1_000_000_000).multiplied(byRatio: 3, 1).fields
        == time(3_689_348_814_741_910_323, 200_000_000).fields)
    #expect(time(4, .max - 1).multiplied(byRatio: 1, 2).fields == time(1, .max / 2).fields)
    #expect(time(6, 1 << 30).multiplied(byRatio: 1, 3).fields == time(1, 1 << 29).fields)
  }

  @Test func byARatioThatNoTimeHolds() {
    #expect(
      time(1 << 62 - 1, 1).multiplied(byRatio: 3, 2).fields
        == time(6_917_529_027_641_081_855, 1, rounded: true).fields)
    #expect(time(1, .max).multiplied(byRatio: 1, 3).fields == time(0, 1, rounded: true).fields)
    #expect(time(1, .max).multiplied(byRatio: 1, 2).fields == time(1, .max, rounded: true).fields)
    #expect(time(1 << 62, 1).multiplied(byRatio: 4, 1).isPositiveInfinity)
    #expect(time(1 << 62, 1).multiplied(byRatio: -4, 1).isNegativeInfinity)
    #expect(time(.min, 1).multiplied(byRatio: 1, -1).isPositiveInfinity)
  }

  @Test func byARatioWithoutADenominator() {
    #expect(time(5, 3).multiplied(byRatio: 2, 0).isPositiveInfinity)
    #expect(time(-5, 3).multiplied(byRatio: 2, 0).isNegativeInfinity)
    #expect(time(-5, 3).multiplied(byRatio: -2, 0).isPositiveInfinity)
    #expect(!time(5, 3).multiplied(byRatio: 0, 0).isValid)
    #expect(!time(0, 3).multiplied(byRatio: 2, 0).isValid)
  }

  @Test func byARatioOfTimesThatAreNotNumeric() {
    #expect(!Time.positiveInfinity.multiplied(byRatio: 0, 3).isValid)
    #expect(Time.positiveInfinity.multiplied(byRatio: 2, -3).isNegativeInfinity)
    #expect(Time.negativeInfinity.multiplied(byRatio: -2, 3).isPositiveInfinity)
    #expect(Time.negativeInfinity.multiplied(byRatio: 2, 3).isNegativeInfinity)
    #expect(Time.indefinite.multiplied(byRatio: 2, 0).isIndefinite)
    #expect(!Time.invalid.multiplied(byRatio: 2, 3).isValid)
  }
}
