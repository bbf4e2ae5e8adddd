import BigInt
import MediaTime
import Testing

/// With the ranges' a million random cases, against an oracle of unbounded integers.
///
/// `REELWIRE_SEED=<the argument in the log>` repeats a run.
@Suite struct TimePropertyTests {
  /// Runs a number of cases; a case returns its failure.
  private func check(
    _ count: Int, stream: UInt64, seed: UInt64, _ body: (inout Generator) -> String?
  ) {
    var generator = Generator(seed: seed, stream: stream)
    var wrong: [String] = []
    for _ in 0..<count where wrong.count < 5 {
      if let complaint = body(&generator) { wrong.append(complaint) }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  @Test(arguments: [seed])
  func sumsAndDifferences(seed: UInt64) {
    check(110_000, stream: 1, seed: seed) { random in
      let (a, b) = (random.time(), random.time())
      let isSum = random.below(2) == 0
      let result = isSum ? a + b : a - b
      let expected = sum(a, b, isSum: isSum)
      return result.fields == expected ? nil : "\(a) \(isSum ? "+" : "-") \(b) = \(result)"
    }
  }

  private func sum(_ a: Time, _ b: Time, isSum: Bool) -> TimeDictionary {
    guard a.isValid, b.isValid else { return Time.invalid.fields }
    guard a.isNumeric, b.isNumeric else {
      let left = a.isPositiveInfinity ? 1 : a.isNegativeInfinity ? -1 : 0
      let right = (b.isPositiveInfinity ? 1 : b.isNegativeInfinity ? -1 : 0) * (isSum ? 1 : -1)
      if left * right == -1 { return Time.invalid.fields }
      let sign = left + right
      if sign == 0 { return Time.indefinite.fields }
      return (sign > 0 ? Time.positiveInfinity : .negativeInfinity).fields
    }
    if a.epoch != 0 && b.epoch != 0 && a.epoch != b.epoch { return Time.invalid.fields }
    let epoch = a.epoch == b.epoch ? 0 : a.epoch == 0 ? b.epoch : a.epoch
    let exact = isSum ? Rational(a) + Rational(b) : Rational(a) - Rational(b)
    let scale = leastCommonMultiple(a.timescale, b.timescale)
    return exact.time(
      timescale: BigInt(scale), isRounded: a.hasBeenRounded || b.hasBeenRounded, epoch: epoch)
  }

  private func leastCommonMultiple(_ a: Int32, _ b: Int32) -> Int {
    var (x, y) = (Int(a), Int(b))
    while y != 0 { (x, y) = (y, x % y) }
    return Int(a) / x * Int(b)
  }

  @Test(arguments: [seed])
  func comparisons(seed: UInt64) {
    check(500_000, stream: 2, seed: seed) { random in
      let a = random.time()
      let b = random.below(4) == 0 ? other(of: a, &random) : random.time()
      let order = order(a, b)
      let isRight =
        a.compare(b) == order && b.compare(a) == -order && (a < b) == (order < 0)
        && (a == b) == (order == 0) && (order != 0 || a.hashValue == b.hashValue)
        && Time.minimum(a, b) == (order < 0 ? a : b) && Time.maximum(a, b) == (order > 0 ? a : b)
      return isRight ? nil : "\(a) ? \(b)"
    }
  }

  /// The same time in other terms where possible, or a close neighbour.
  private func other(of time: Time, _ random: inout Generator) -> Time {
    guard time.isNumeric else { return time }
    let factor = Int64(random.below(50) + 1)
    let (value, overflow) = time.value.multipliedReportingOverflow(by: factor)
    let scale = Int32(exactly: Int64(time.timescale) * factor)
    guard !overflow, let scale else { return time.reduced }
    return Time(
      value: value &+ Int64(random.below(3) - 1), timescale: scale, epoch: time.epoch)
  }

  private func order(_ a: Time, _ b: Time) -> Int {
    func rank(_ time: Time) -> Int {
      if !time.isValid { return 4 }
      if time.isPositiveInfinity { return 3 }
      return time.isIndefinite ? 2 : time.isNegativeInfinity ? 0 : 1
    }
    if !a.isNumeric || !b.isNumeric { return (rank(a) - rank(b)).signum() }
    if a.epoch != b.epoch { return a.epoch < b.epoch ? -1 : 1 }
    let difference = Rational(a) - Rational(b)
    return Int(difference.n.signum())
  }

  @Test(arguments: [seed])
  func conversions(seed: UInt64) {
    check(90_000, stream: 3, seed: seed) { random in
      let time = random.time()
      let scale = random.below(50) == 0 ? random.pick([0, -1, .min]) : random.timescale()
      let method = random.pick(RoundingMethod.allCases)
      let result = time.converted(toTimescale: scale, rounding: method)
      var expected = time.fields
      if time.isNumeric {
        expected =
          scale <= 0
          ? Time.invalid.fields
          : Rational(time).time(
            timescale: BigInt(scale), method, from: time.timescale, isRounded: time.hasBeenRounded,
            epoch: time.epoch)
      }
      return result.fields == expected ? nil : "\(time) to \(scale) \(method) = \(result)"
    }
  }

  @Test(arguments: [seed])
  func timeStamps(seed: UInt64) {
    check(40_000, stream: 4, seed: seed) { random in
      let (time, method) = (random.time(), random.pick(RoundingMethod.allCases))
      let (n, d) = (random.timescale(), random.timescale())
      let ticks = time.ticks(timeBaseNumerator: n, timeBaseDenominator: d, rounding: method)
      let unit = Rational(BigInt(n), BigInt(d))
      var expected: Int64?
      if time.isNumeric {
        let isCoarser = Rational(1, BigInt(time.timescale)) < unit
        expected = Int64(exactly: Rational(time).count(of: unit, method, isCoarser: isCoarser).0)
      }
      if ticks != expected {
        return "\(time) in \(n)/\(d) \(method) = \(String(describing: ticks))"
      }
      let stamp = random.value()
      let made = Time(ticks: stamp, timeBaseNumerator: n, timeBaseDenominator: d)
      return (Rational(BigInt(stamp)) * unit).complaint(
        about: made, preferred: BigInt(d), isRounded: false, epoch: 0
      ).map { "\(stamp) of \(n)/\(d) = \(made) \($0)" }
    }
  }

  @Test(arguments: [seed])
  func productsWithWholeNumbers(seed: UInt64) {
    check(60_000, stream: 5, seed: seed) { random in
      let (time, factor) = (random.numericTime(), random.multiplier())
      let result = time.multiplied(by: factor)
      let exact = Rational(time) * Rational(BigInt(factor))
      let expected = exact.time(
        timescale: BigInt(time.timescale), isRounded: time.hasBeenRounded, epoch: time.epoch)
      return result.fields == expected ? nil : "\(time) * \(factor) = \(result)"
    }
  }

  @Test(arguments: [seed])
  func productsWithDoubles(seed: UInt64) {
    check(45_000, stream: 6, seed: seed) { random in
      let (time, factor) = (random.numericTime(), random.double())
      let result = time.multiplied(by: factor)
      var expected = Time.invalid.fields
      if factor.isInfinite && time.value != 0 {
        let isNegative = (time.value < 0) != (factor < 0)
        expected = (isNegative ? Time.negativeInfinity : .positiveInfinity).fields
      } else if factor.isFinite {
        var scale = time.timescale
        while scale < 65_536 { scale *= 2 }
        expected = (Rational(time) * Rational(double: factor)).time(
          timescale: BigInt(scale), isRounded: time.hasBeenRounded, epoch: time.epoch)
      }
      return result.fields == expected ? nil : "\(time) * \(factor) = \(result)"
    }
  }

  @Test(arguments: [seed])
  func productsWithRatios(seed: UInt64) {
    check(50_000, stream: 7, seed: seed) { random in
      let (time, n, d) = (random.numericTime(), random.multiplier(), random.multiplier())
      let result = time.multiplied(byRatio: n, d)
      guard d != 0 else {
        let sign = time.value.signum() * Int64(n).signum()
        let expected: Time = sign == 0 ? .invalid : sign < 0 ? .negativeInfinity : .positiveInfinity
        return result.fields == expected.fields ? nil : "\(time) * \(n)/0 = \(result)"
      }
      let ratio = (Rational(BigInt(n)) / Rational(BigInt(d))).lowest
      let exact = Rational(time) * ratio
      let preferred = exact.n == 0 ? BigInt(time.timescale) : exact.d
      return exact.complaint(
        about: result, preferred: preferred, isRounded: time.hasBeenRounded, epoch: time.epoch
      ).map { "\(time) * \(n)/\(d) = \(result) \($0)" }
    }
  }

  @Test(arguments: [seed])
  func secondsAndNanoseconds(seed: UInt64) {
    check(25_000, stream: 8, seed: seed) { random in
      let seconds = random.double()
      let nearest = Time(secondsToNanosecond: seconds)
      let truncated = Time(seconds: seconds, preferredTimescale: random.timescale())
      guard seconds.isFinite, abs(seconds) < 0x1p63 else {
        let isRight =
          seconds.isNaN
          ? !nearest.isValid && !truncated.isValid
          : seconds == -0x1p63 || (!nearest.isNumeric && !truncated.isNumeric)
        return isRight ? nil : "\(seconds) = \(nearest), \(truncated)"
      }
      let exact = Rational(double: seconds)
      let half = Rational(1, 2_000_000_000)
      let error = (Rational(nearest) - exact).absolute
      // Nanoseconds fill 63 bits at 9,223,372,036 s; beyond, every double has an exact time.
      let isNearest =
        abs(seconds) < 9_223_372_036
        ? !(half < error) && 1_000_000_000 % nearest.timescale == 0 : error.n == 0
      let isRight =
        isNearest && nearest.hasBeenRounded == (nearest.seconds != seconds)
        && nearest.fields == nearest.reduced.fields
        && truncated.hasBeenRounded == (truncated.seconds != seconds)
        && abs(truncated.seconds) <= abs(seconds) * (1 + 0x1p-50)
        && abs(truncated.seconds - seconds) <= 1 / Double(truncated.timescale) + abs(seconds)
          * 0x1p-50
      return isRight ? nil : "\(seconds) = \(nearest), \(truncated)"
    }
  }
}
