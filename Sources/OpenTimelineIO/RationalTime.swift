public import MediaTime

/// Times and rates of OpenTimelineIO, which are doubles there, as exact ones.
public enum RationalTime {
  /// Returns the fraction that a double represents: a multiple of 1000/1001 within a millionth,
  /// else its decimals.
  ///
  /// 23.976 and 23.976023976 are 24000/1001 both
  /// (https://github.com/AcademySoftwareFoundation/OpenTimelineIO/issues/468).
  public static func fraction(_ rate: Double) -> (numerator: Int64, denominator: Int64)? {
    guard rate.isFinite, rate.magnitude < 1e9 else { return nil }
    if rate == rate.rounded() { return (Int64(rate), 1) }
    let whole = (rate * 1.001).rounded()
    if whole > 0, (rate - whole / 1.001).magnitude <= 1e-6 * whole.magnitude {
      return (Int64(whole) * 1000, 1001)
    }
    return decimal(rate)
  }

  /// Returns the fraction of a double's decimals, to the nearest billionth.
  public static func decimal(_ number: Double) -> (numerator: Int64, denominator: Int64)? {
    let time = Time(secondsToNanosecond: number).reduced
    return time.isNumeric ? (time.value, Int64(time.timescale)) : nil
  }

  /// Returns `value / rate` seconds; nil when that isn't a time.
  public static func time(value: Double, rate: Double) -> Time? {
    guard let rate = fraction(rate), rate.numerator > 0, value.isFinite, value.magnitude < 1e15
    else {
      return nil
    }
    // Values are frames or samples: whole, but for the errors of arithmetic with doubles.
    let whole = value.rounded()
    if (value - whole).magnitude < 1e-6 {
      return time(Int128(whole) * Int128(rate.denominator), over: Int128(rate.numerator))
    }
    let part = Time(secondsToNanosecond: value)
    return time(
      Int128(part.value) * Int128(rate.denominator),
      over: Int128(part.timescale) * Int128(rate.numerator))
  }

  private static func time(_ numerator: Int128, over denominator: Int128) -> Time? {
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(max(a, 1))
    guard let value = Int64(exactly: numerator / divisor),
      let timescale = Int32(exactly: denominator / divisor)
    else { return nil }
    return Time(value: value, timescale: timescale)
  }
}

/// Frames or samples a second.
public struct Rate: Sendable, Equatable {
  public var numerator: Int32
  public var denominator: Int32

  public init(_ numerator: Int32, over denominator: Int32 = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A speed, to the nearest billionth where that fits, else to the maximum number of decimals that
  /// fit; nil for a number that isn't above 0.
  init?(scalar: Double) {
    var scale: Int32 = 1_000_000_000
    while true {
      let scaled = (scalar * Double(scale)).rounded()
      if scaled > 0, let numerator = Int32(exactly: scaled) {
        let divisor = Rate.greatestCommonDivisor(numerator, scale)
        self.init(numerator / divisor, over: scale / divisor)
        return
      }
      guard scaled > 0, scale > 1 else { return nil }
      scale /= 10
    }
  }

  private static func greatestCommonDivisor(_ a: Int32, _ b: Int32) -> Int32 {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  var double: Double { Double(numerator) / Double(denominator) }

  /// Returns the nearest whole number of frames.
  func value(of time: Time) -> Double {
    guard time.isNumeric else { return 0 }
    let frames = Int128(time.value) * Int128(numerator)
    let scale = Int128(time.timescale) * Int128(denominator)
    let rounded = (2 * frames + (frames < 0 ? -scale : scale)) / (2 * scale)
    return Double(rounded)
  }
}
