import MediaTime

extension WireFactor {
  /// The duration of a frame at that many a second; nil where that isn't above 0.
  package var frameDuration: Time? {
    switch self {
    case .integer(let number): number > 0 ? Time(value: 1, timescale: number) : nil
    case .ratio(let ratio):
      ratio.numerator > 0 && ratio.denominator > 0
        ? Time(value: Int64(ratio.denominator), timescale: ratio.numerator) : nil
    case .number(let number): Self.frameDuration(at: number)
    }
  }

  /// The rates of NTSC's descendants are multiples of 1000/1001, although they are named by rounded numbers.
  private static func frameDuration(at rate: Double) -> Time? {
    for (name, frames) in [
      (23.976, 24), (29.97, 30), (47.952, 48), (59.94, 60), (119.88, 120),
    ] where abs(rate - name) < 0.0005 {
      return Time(value: 1001, timescale: Int32(frames * 1000))
    }
    // Millionths hold slow time-lapses, and thousandths the fastest rates.
    for (unit, tolerance) in [(1000.0, 1e-7), (1_000_000, 1), (1000, 1)] {
      let count = (rate * unit).rounded()
      guard abs(count - rate * unit) <= tolerance, count >= 1, count <= Double(Int32.max) else {
        continue
      }
      return Time(value: Int64(unit), timescale: Int32(count))
    }
    return nil
  }
}
