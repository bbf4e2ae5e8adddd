import MediaTime
import Testing

@Suite struct TimeTests {
  @Test func constantsHaveCMTimesFields() {
    let none: Int64 = 0
    #expect(Time.invalid.fields == TimeDictionary(value: none, timescale: 0, epoch: 0, flags: 0))
    #expect(Time.zero.fields == TimeDictionary(value: none, timescale: 1, epoch: 0, flags: 1))
    #expect(Time.positiveInfinity.flags.rawValue == 5)
    #expect(Time.negativeInfinity.flags.rawValue == 9)
    #expect(Time.indefinite.flags.rawValue == 17)
    #expect(Time.Flags.hasBeenRounded.rawValue == 2)
  }

  @Test(arguments: [0, -1, Int32.min])
  func aTimescaleThatIsNotPositiveIsInvalid(timescale: Int32) {
    #expect(Time(value: 3, timescale: timescale).fields == Time.invalid.fields)
    #expect(Time(value: 3, timescale: timescale, epoch: 7).fields == Time.invalid.fields)
    #expect(
      Time(value: 3, timescale: timescale, flags: .valid, epoch: 7).fields == Time.invalid.fields)
    #expect(Time(seconds: 1, preferredTimescale: timescale).fields == Time.invalid.fields)
  }

  @Test func fieldsAreKept() {
    let made = Time(value: 3, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 7)
    #expect(made.value == 3 && made.timescale == 2 && made.epoch == 7)
    #expect(made.flags == [.valid, .hasBeenRounded])
    #expect(Time(value: 3, timescale: 2, epoch: 7).fields == time(3, 2, epoch: 7).fields)
    #expect(Time(value: .min, timescale: .max).fields == time(.min, .max).fields)
  }

  @Test func contradictoryFlagsAreSettled() {
    func made(_ bits: UInt32) -> TimeDictionary {
      Time(value: 3, timescale: 2, flags: Time.Flags(rawValue: bits), epoch: 7).fields
    }
    #expect(made(0) == Time.invalid.fields)
    #expect(made(30) == Time.invalid.fields)
    #expect(made(31) == Time.positiveInfinity.fields)
    #expect(made(27) == Time.negativeInfinity.fields)
    #expect(made(19) == Time.indefinite.fields)
    #expect(made(0xFFFF_FFE1) == time(3, 2, epoch: 7).fields)
  }

  @Test func predicates() {
    #expect(time(1, 2).isValid && time(1, 2).isNumeric && !time(1, 2).hasBeenRounded)
    #expect(!Time.invalid.isValid && !Time.invalid.isNumeric && !Time.invalid.isIndefinite)
    #expect(Time.indefinite.isValid && Time.indefinite.isIndefinite && !Time.indefinite.isNumeric)
    for infinity in [Time.positiveInfinity, .negativeInfinity] {
      #expect(infinity.isValid && !infinity.isNumeric && !infinity.isIndefinite)
    }
    #expect(Time.positiveInfinity.isPositiveInfinity && !Time.positiveInfinity.isNegativeInfinity)
    #expect(Time.negativeInfinity.isNegativeInfinity && !Time.negativeInfinity.isPositiveInfinity)
    #expect(time(1, 2, rounded: true).hasBeenRounded)
  }

  @Test func seconds() {
    #expect(time(1, 2).seconds == 0.5)
    #expect(time(-1, 3).seconds == -1.0 / 3)
    #expect(time(5, 2, epoch: 9).seconds == 2.5)
    #expect(time(.min, 1).seconds == -0x1p63)
    #expect(Time.positiveInfinity.seconds == .infinity)
    #expect(Time.negativeInfinity.seconds == -.infinity)
    #expect(Time.invalid.seconds.isNaN)
    #expect(Time.indefinite.seconds.isNaN)
  }

  @Test func reducedKeepsFlagsAndEpoch() {
    #expect(time(400, 600).reduced.fields == time(2, 3).fields)
    #expect(time(0, 600).reduced.fields == time(0, 1).fields)
    #expect(
      time(-6, 4, rounded: true, epoch: 3).reduced.fields
        == time(-3, 2, rounded: true, epoch: 3).fields)
    #expect(time(.min, 1 << 30).reduced.fields == time(.min >> 30, 1).fields)
    #expect(time(.min, .max).reduced.fields == time(.min, .max).fields)
    for special in specialTimes { #expect(special.reduced.fields == special.fields) }
  }

  @Test func dictionaryRoundTrips() {
    let times = specialTimes + [.zero, time(.min, .max, rounded: true, epoch: .min)]
    for original in times {
      #expect(Time(dictionary: original.dictionary).fields == original.fields)
    }
    let broken = TimeDictionary(value: 1, timescale: 0, epoch: 0, flags: 1)
    #expect(Time(dictionary: broken).fields == Time.invalid.fields)
  }

  @Test(
    arguments: [
      (time(3, 600), "{3/600 = 0.005}"),
      (time(0, 1), "{0/1 = 0.000}"),
      (time(1, 3, rounded: true), "{1/3 = 0.333, rounded}"),
      (time(-2, 3), "{-2/3 = -0.667}"),
      (time(1, 2000), "{1/2000 = 0.001}"),
      (time(1999, 2000), "{1999/2000 = 1.000}"),
      (time(7, 1, epoch: -2), "{7/1 = 7.000, epoch = -2}"),
      (time(7, 1, rounded: true, epoch: 2), "{7/1 = 7.000, rounded, epoch = 2}"),
      (time(.min, 1), "{-9223372036854775808/1 = -9223372036854775808.000}"),
      (time(.max, .max), "{9223372036854775807/2147483647 = 4294967298.000}"),
      (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"),
      (.positiveInfinity, "{+INFINITY}"), (.negativeInfinity, "{-INFINITY}"),
    ] as [(Time, String)])
  func descriptions(value: Time, text: String) {
    #expect(value.description == text)
  }

  @Test(
    arguments: [
      (time(119, 30), "3.967 s"), (time(40, 2), "20 s"), (time(5, 4), "1.25 s"),
      (time(-3, 2), "-1.5 s"), (time(-1, 4000), "0 s"), (time(1999, 2000), "1 s"),
      (time(0, 1), "0 s"), (time(100, 1), "100 s"), (.invalid, "invalid"),
      (.indefinite, "indefinite"), (.positiveInfinity, "+infinity"),
      (.negativeInfinity, "-infinity"),
    ] as [(Time, String)])
  func secondsDescriptions(value: Time, text: String) {
    #expect(value.secondsDescription == text)
  }
}

/// CMTimeMakeWithSeconds, and the nanosecond form of the wire.
@Suite struct TimeFromSecondsTests {
  @Test func secondsAreTruncatedAtTheTimescale() {
    #expect(Time(seconds: 0.5, preferredTimescale: 600).fields == time(300, 600).fields)
    #expect(Time(seconds: 0.6, preferredTimescale: 1).fields == time(0, 1, rounded: true).fields)
    #expect(Time(seconds: -1.9, preferredTimescale: 1).fields == time(-1, 1, rounded: true).fields)
    #expect(Time(seconds: 0.7, preferredTimescale: 10).fields == time(7, 10).fields)
    #expect(Time(seconds: -0.0, preferredTimescale: 600).fields == time(0, 600).fields)
  }

  @Test func secondsAreRoundedWhenTheyDoNotComeBack() {
    // As a double 0.1 is no tenth, but a tenth is read back as it.
    #expect(!Time(seconds: 0.1, preferredTimescale: 10).hasBeenRounded)
    #expect(Time(seconds: 0.1, preferredTimescale: 24).hasBeenRounded)
    #expect(!Time(seconds: 200.0 / 600, preferredTimescale: 600).hasBeenRounded)
    #expect(Time(seconds: 1.0 / 3, preferredTimescale: 1000).hasBeenRounded)
  }

  @Test func anOverflowHalvesTheTimescale() {
    let large = 0x1p62
    #expect(Time(seconds: large, preferredTimescale: 600).fields == time(1 << 62, 1).fields)
    #expect(Time(seconds: 0x1p60, preferredTimescale: 600).fields == time(1 << 62, 4).fields)
    #expect(Time(seconds: -0x1p63, preferredTimescale: 5).fields == time(.min, 1).fields)
    #expect(Time(seconds: 0x1p63, preferredTimescale: 5).isPositiveInfinity)
    #expect(Time(seconds: -0x1p64, preferredTimescale: 5).isNegativeInfinity)
    #expect(Time(seconds: .greatestFiniteMagnitude, preferredTimescale: .max).isPositiveInfinity)
  }

  @Test func secondsThatAreNoNumber() {
    for scale: Int32 in [1, 600, .max] {
      #expect(Time(seconds: .nan, preferredTimescale: scale).fields == Time.invalid.fields)
      #expect(Time(seconds: .infinity, preferredTimescale: scale).isPositiveInfinity)
      #expect(Time(seconds: -.infinity, preferredTimescale: scale).isNegativeInfinity)
    }
    #expect(Time(secondsToNanosecond: .nan).fields == Time.invalid.fields)
    #expect(Time(secondsToNanosecond: .infinity).isPositiveInfinity)
    #expect(Time(secondsToNanosecond: -.infinity).isNegativeInfinity)
  }

  @Test(
    arguments: [
      (3.5, time(7, 2)), (0.1, time(1, 10)), (-0.25, time(-1, 4)), (60, time(60, 1)),
      (0, time(0, 1)), (1.0 / 3, time(333_333_333, 1_000_000_000, rounded: true)),
      (2.0 / 3, time(666_666_667, 1_000_000_000, rounded: true)),
      (1e-9, time(1, 1_000_000_000)), (4e-10, time(0, 1, rounded: true)),
      (1e-300, time(0, 1, rounded: true)),
      (-Double.leastNonzeroMagnitude, time(0, 1, rounded: true)),
      // 2^-10 s is 976562.5 ns: a tie.
      (0x1p-10, time(976_563, 1_000_000_000, rounded: true)),
      (-0x1p-10, time(-976_563, 1_000_000_000, rounded: true)),
      // Too long for nanoseconds: exact all the same.
      (0x1p34 + 0x1p-10, time(1 << 44 + 1, 1 << 10)), (0x1p62, time(1 << 62, 1)),
      (-0x1p63, time(.min, 1)),
    ] as [(Double, Time)])
  func nearestNanosecond(seconds: Double, expected: Time) {
    #expect(Time(secondsToNanosecond: seconds).fields == expected.fields)
  }

  @Test func hugeNumbersOfSecondsAreInfinite() {
    for seconds in [0x1p63, 1e19, 1e300, .greatestFiniteMagnitude] {
      #expect(Time(secondsToNanosecond: seconds).isPositiveInfinity)
    }
    for seconds in [-0x1.0000000000001p63, -1e300] {
      #expect(Time(secondsToNanosecond: seconds).isNegativeInfinity)
    }
  }
}
