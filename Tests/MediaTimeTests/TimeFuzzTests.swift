import BigInt
import MediaTime
import Testing

/// For any fields, nothing traps and every result is in order.
@Suite struct TimeFuzzTests {
  @Test(arguments: [seed])
  func everyOperationTakesEveryTime(seed: UInt64) {
    var random = Generator(seed: seed, stream: 31)
    var wrong: [String] = []
    for _ in 0..<5_000 where wrong.count < 5 {
      let (a, b) = (anyTime(&random), anyTime(&random))
      let (c, d) = (anyTime(&random), anyTime(&random))
      let (n, m, x) = (random.multiplier(), random.multiplier(), random.double())
      let method = random.pick(RoundingMethod.allCases)
      var (from, to) = (TimeRange(start: a, duration: b), TimeRange(start: c, duration: d))
      let built = TimeRange(start: c, end: d)
      // Set one by one, the fields need not agree.
      from.duration = d
      to.start = a
      let times = [
        a + b, a - b, -a, a.absoluteValue, a.reduced, a.multiplied(by: n), a.multiplied(by: x),
        a.multiplied(byRatio: n, m), a.converted(toTimescale: n, rounding: method), from.end,
        from.clamp(c), from.fold(c), c.mapped(from: from, to: to), Time.minimum(a, b),
        c.mappedDuration(from: to, to: built), Time(seconds: x, preferredTimescale: n),
        Time(secondsToNanosecond: x), from.union(to).start, from.union(built).duration,
        from.intersection(to).duration, to.intersection(built).start,
        Time(ticks: c.value, timeBaseNumerator: n, timeBaseDenominator: m),
      ]
      let answers = [from.contains(to), from.contains(c), from == to, a < b, from.isEmpty]
      let texts = times.map(\.description) + [TimeMapping(source: from, target: to).description]
      let rate = TimeMapping(source: from, target: built).rate
      let ticks = c.ticks(timeBaseNumerator: n, timeBaseDenominator: m, rounding: method)
      if !times.allSatisfy(isInOrder) || texts.contains(where: \.isEmpty) || rate < 0
        || (ticks != nil && !c.isNumeric) || answers.count != 5
      {
        wrong.append("\(a) \(b) \(c) \(d) \(n) \(m) \(x) \(method): \(times)")
      }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  private func anyTime(_ random: inout Generator) -> Time {
    let flags = random.below(4) == 0 ? random.below(64) : random.pick([1, 3])
    let scale = random.below(4) == 0 ? random.multiplier() : random.timescale()
    return Time(
      value: random.value(), timescale: scale, flags: Time.Flags(rawValue: UInt32(flags)),
      epoch: random.epoch())
  }

  private func isInOrder(_ time: Time) -> Bool {
    if time.isNumeric {
      return time.timescale > 0
        && (time.flags == .valid || time.flags == [.valid, .hasBeenRounded])
    }
    return specialTimes.contains { $0.fields == time.fields }
  }

  @Test(arguments: [seed])
  func decimalTextsAreReadExactly(seed: UInt64) {
    var random = Generator(seed: seed, stream: 32)
    var wrong: [String] = []
    for _ in 0..<3_000 where wrong.count < 5 {
      let places = random.below(25)
      let digits = (0..<places).map { _ in String(random.below(10)) }.joined()
      let whole = random.value()
      let sign = whole < 0 ? "-" : ""
      let text = "\(sign)\(whole.magnitude)" + (places == 0 ? "" : "." + digits)
      let exact = Rational(
        BigInt("\(sign)\(whole.magnitude)\(digits)") ?? 0, BigInt(10).power(places)
      ).lowest
      let time = Time(string: text)
      let isInside = Int64(exactly: exact.whole(.halfAwayFromZero, isCoarser: false).0) != nil
      guard let time else {
        if isInside { wrong.append("\(text) is refused") }
        continue
      }
      let fits = exact.d <= BigInt(Int32.max) && Int64(exactly: exact.n) != nil
      let isRight =
        fits
        ? !time.hasBeenRounded && Rational(time) == exact && BigInt(time.timescale) == exact.d
        : time.hasBeenRounded && isNear(time, exact)
      if !isRight { wrong.append("\(text) = \(time)") }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  /// Within half a nanosecond, or half a second where the value leaves no room for more.
  private func isNear(_ time: Time, _ exact: Rational) -> Bool {
    let isLong = time.value.magnitude / UInt64(time.timescale) > 1 << 33 - 2
    let bound = isLong ? Rational(1, 2) : Rational(1, 2_000_000_000)
    return !(bound < (Rational(time) - exact).absolute)
  }

  @Test(arguments: [seed])
  func ratiosAreReadBack(seed: UInt64) {
    var random = Generator(seed: seed, stream: 33)
    var wrong: [Time] = []
    for _ in 0..<10_000 where wrong.count < 5 {
      let original = Time(value: random.value(), timescale: random.timescale())
      let read = Time(string: "\(original.value)/\(original.timescale)")
      if read?.fields != original.fields { wrong.append(original) }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  @Test(arguments: [seed])
  func anyTextIsReadOrRefused(seed: UInt64) {
    var random = Generator(seed: seed, stream: 34)
    let pieces = [
      "0", "1", "9", "00", "60", "59", ".", ":", "/", "-", "+", "e", " ", "é",
      "18446744073709551615",
    ]
    var wrong: [String] = []
    for _ in 0..<20_000 where wrong.count < 5 {
      let text = (0..<random.below(9)).map { _ in random.pick(pieces) }.joined()
      let isPlain = text.utf8.allSatisfy { "0123456789.:/+-".utf8.contains($0) }
      guard let time = Time(string: text) else { continue }
      if !isPlain || !time.isNumeric || !isInOrder(time) { wrong.append(text) }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }
}
