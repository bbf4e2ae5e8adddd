import BigInt
import MediaTime

/// The rules over again, on integers of any size and without a thought for speed.
struct Rational {
  var n: BigInt
  var d: BigInt

  /// A fraction with a positive denominator, not reduced.
  init(_ n: BigInt, _ d: BigInt = 1) {
    self.n = n
    self.d = d
  }

  /// The seconds of a numeric time.
  init(_ time: Time) {
    self.init(BigInt(time.value), BigInt(time.timescale))
  }

  /// The exact value of a finite double.
  init(double: Double) {
    if double == 0 {
      self.init(0)
      return
    }
    let significand = BigInt(double.significand * 0x1p52) * (double < 0 ? -1 : 1)
    let exponent = Int(double.exponent) - 52
    if exponent >= 0 {
      self.init(significand << exponent)
    } else {
      self.init(significand, BigInt(1) << -exponent)
    }
  }

  static func + (a: Rational, b: Rational) -> Rational {
    Rational(a.n * b.d + b.n * a.d, a.d * b.d)
  }
  static func - (a: Rational, b: Rational) -> Rational {
    Rational(a.n * b.d - b.n * a.d, a.d * b.d)
  }
  static func * (a: Rational, b: Rational) -> Rational { Rational(a.n * b.n, a.d * b.d) }
  static func < (a: Rational, b: Rational) -> Bool { a.n * b.d < b.n * a.d }
  static func == (a: Rational, b: Rational) -> Bool { a.n * b.d == b.n * a.d }

  /// The quotient by a rational that isn't zero.
  static func / (a: Rational, b: Rational) -> Rational {
    b.n < 0 ? Rational(-a.n * b.d, -(a.d * b.n)) : Rational(a.n * b.d, a.d * b.n)
  }

  var absolute: Rational { Rational(n < 0 ? -n : n, d) }

  var lowest: Rational {
    let divisor = n.greatestCommonDivisor(with: d)
    return Rational(n / divisor, d / divisor)
  }

  /// This many units of `unit` seconds, as a whole number.
  func count(of unit: Rational, _ method: RoundingMethod, isCoarser: Bool) -> (BigInt, Bool) {
    (self / unit).whole(method, isCoarser: isCoarser)
  }

  /// The nearest whole number, and whether it is exact.
  func whole(_ method: RoundingMethod, isCoarser: Bool) -> (BigInt, isExact: Bool) {
    let (quotient, remainder) = n.magnitude.quotientAndRemainder(dividingBy: d.magnitude)
    if remainder.isZero { return (BigInt(sign: n.sign, magnitude: quotient), true) }
    let isUp =
      switch method {
      case .halfAwayFromZero: remainder * 2 >= d.magnitude
      case .towardZero: false
      case .awayFromZero: true
      case .quickTime: !isCoarser || (n < 0 && quotient == 0)
      case .towardPositiveInfinity: n > 0
      case .towardNegativeInfinity: n < 0
      }
    let magnitude = isUp ? quotient + 1 : quotient
    return (BigInt(sign: n.sign, magnitude: magnitude), false)
  }

  /// The time at a timescale by CMTime's rule: capped, then halved while the value overflows.
  func time(
    timescale: BigInt, _ method: RoundingMethod = .halfAwayFromZero, from source: Int32 = 0,
    isRounded: Bool, epoch: Int64
  ) -> TimeDictionary {
    var scale = min(timescale, BigInt(Int32.max))
    while true {
      let ticks = Rational(n * scale, d)
      // Dividing is slow, and not needed for numbers beyond 65 bits anyway.
      let isHuge = ticks.n.magnitude.bitWidth > d.magnitude.bitWidth + 65
      if isHuge && scale > 1 {
        scale /= 2
        continue
      }
      let (count, isExact) = ticks.whole(method, isCoarser: scale < BigInt(source))
      if let value = Int64(exactly: count) {
        return TimeDictionary(
          value: value, timescale: Int32(scale), epoch: epoch,
          flags: isRounded || !isExact ? 3 : 1)
      }
      if scale == 1 { return n < 0 ? Time.negativeInfinity.fields : Time.positiveInfinity.fields }
      scale /= 2
    }
  }

  private static let alternatives: [BigInt] = [
    2_147_483_647, 2_147_483_646, 1_073_741_824, 1_000_000_000, 90_000, 7, 1,
  ]

  /// The error in a time that is to be exactly this, or else the nearest that there is; nil if it
  /// is right.
  func complaint(about time: Time, preferred: BigInt, isRounded: Bool, epoch: Int64) -> String? {
    let lowest = lowest
    let nearestWhole = whole(.halfAwayFromZero, isCoarser: false).0
    guard Int64(exactly: nearestWhole) != nil else {
      let infinity = n < 0 ? Time.negativeInfinity : .positiveInfinity
      return time.fields == infinity.fields ? nil : "is not infinite"
    }
    guard time.isNumeric, time.epoch == epoch else { return "is not numeric, or has another epoch" }
    if preferred > 0, preferred <= BigInt(Int32.max), preferred % lowest.d == 0,
      Int64(exactly: lowest.n * (preferred / lowest.d)) != nil
    {
      return BigInt(time.timescale) == preferred && Rational(time) == self
        && time.hasBeenRounded == isRounded ? nil : "is not exact at \(preferred)"
    }
    if lowest.d <= BigInt(Int32.max), Int64(exactly: lowest.n) != nil {
      return BigInt(time.timescale) == lowest.d && BigInt(time.value) == lowest.n
        && time.hasBeenRounded == isRounded ? nil : "is not exact in lowest terms"
    }
    if !time.hasBeenRounded { return "is not marked as rounded" }
    let error = (Rational(time) - self).absolute
    for scale in Rational.alternatives {
      let (ticks, _) = count(of: Rational(1, scale), .halfAwayFromZero, isCoarser: false)
      if Int64(exactly: ticks) != nil,
        (Rational(ticks, scale) - self).absolute < error
      {
        return "is not the nearest: \(scale) is nearer"
      }
    }
    return nil
  }
}

extension BigInt {
  func leastCommonMultiple(with other: BigInt) -> BigInt {
    self / greatestCommonDivisor(with: other) * other
  }
}
