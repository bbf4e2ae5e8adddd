import LibAV
import MediaTime

/// A timecode as a count of frames, "01:00:00:00" or with numbers left out, "01:00:00;00" (SMPTE ST 12-1).
struct TimecodeCount: Equatable {
  /// The number of frames since 00:00:00:00.
  private(set) var frames: Int64
  /// The rate.
  let framesPerSecond: Rational
  /// True if numbers are left out: two of each minute except every tenth; at 60 per second, four.
  let isDropFrame: Bool

  /// The number of frames that a second is counted in.
  private let quanta: Int64

  /// - Returns: nil for a text that isn't a timecode, and at an unknown rate.
  init?(_ text: String, framesPerSecond rate: Rational) {
    let parts = text.split(whereSeparator: { ":;.,".contains($0) })
    guard rate.isPositive, let quanta = TimecodeCount.quanta(of: rate), parts.count == 4,
      parts.allSatisfy({ $0.allSatisfy(\.isASCII) && !$0.hasPrefix("+") && !$0.hasPrefix("-") })
    else { return nil }
    let fields = parts.compactMap { Int64($0) }
    guard fields.count == 4, fields[0] < 24, fields[1] < 60, fields[2] < 60, fields[3] < quanta
    else { return nil }
    let isDropFrame = text.contains { $0 == ";" || $0 == "." }
    // Drop-frame counting is defined for these rates only.
    guard !isDropFrame || TimecodeCount.canDropFrames(rate) else { return nil }
    framesPerSecond = rate
    self.quanta = quanta
    self.isDropFrame = isDropFrame
    let minutes = fields[0] * 60 + fields[1]
    let dropped = isDropFrame ? quanta / 15 : 0
    frames = (minutes * 60 + fields[2]) * quanta + fields[3] - dropped * (minutes - minutes / 10)
  }

  /// Returns the timecode of the frame that is shown at a later time; it restarts after 24 hours.
  func advanced(by time: Time) -> TimecodeCount {
    guard time.isNumeric else { return self }
    // The tolerance for a clock's rounding is a hundredth of a frame.
    let clock = TimeBase(framesPerSecond.denominator, framesPerSecond.numerator)
    let tick = Time(ticks: 1, in: clock).multiplied(byRatio: 1, 100)
    var later = self
    let day = TimecodeCount.framesOfDay(quanta, isDropFrame)
    let (sum, overflow) = frames.addingReportingOverflow(
      (time + tick).ticks(in: clock, rounding: .towardNegativeInfinity))
    later.frames = overflow ? frames : ((sum % day) + day) % day
    return later
  }

  /// Returns the same moment in the numbers of another rate; without drop-frame counting if that
  /// rate has none.
  func text(framesPerSecond rate: Rational) -> String {
    var (number, drops) = (frames, isDropFrame)
    if drops {
      let (perMinute, dropped) = (quanta * 60 - quanta / 15, quanta / 15)
      let perTen = perMinute * 10 + dropped
      let (tens, rest) = (number / perTen, number % perTen)
      number += dropped * 9 * tens
      if rest >= dropped { number += dropped * ((rest - dropped) / perMinute) }
    }
    let target = rate.isPositive ? TimecodeCount.quanta(of: rate) ?? quanta : quanta
    if target != quanta || (drops && !TimecodeCount.canDropFrames(rate)) {
      drops = drops && TimecodeCount.canDropFrames(rate)
    }
    let seconds = number / quanta
    let frame = number % quanta * target / quanta
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
      + (drops ? ";" : ":") + padded(frame)
  }

  private static func quanta(of rate: Rational) -> Int64? {
    let (numerator, denominator) = (Int64(rate.numerator), Int64(rate.denominator))
    let quanta = (numerator + denominator / 2) / denominator
    return quanta > 0 && quanta <= 1000 ? quanta : nil
  }

  private static func canDropFrames(_ rate: Rational) -> Bool {
    guard let quanta = quanta(of: rate), quanta % 30 == 0 else { return false }
    return Int64(rate.numerator) * 1001 == quanta * 1000 * Int64(rate.denominator)
  }

  private static func framesOfDay(_ quanta: Int64, _ isDropFrame: Bool) -> Int64 {
    24 * 3600 * quanta - (isDropFrame ? quanta / 15 * (24 * 60 - 24 * 6) : 0)
  }
}
