import Foundation
import MediaTime

/// The seed of this run's random cases: `REELWIRE_SEED`, or else a new one each time.
///
/// The property tests take it as their argument, so that the log shows it.
let seed =
  ProcessInfo.processInfo.environment["REELWIRE_SEED"].flatMap { UInt64($0) }
  ?? UInt64.random(in: 0...UInt64.max)

/// SplitMix64: the same cases for the same seed, everywhere.
struct Generator {
  private var state: UInt64

  /// Each test draws from a sequence of its own.
  init(seed: UInt64, stream: UInt64) {
    state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
  }

  mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below the bound.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: bits().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  /// Mostly numbers of ordinary sizes, often the extremes and their neighbours.
  mutating func value() -> Int64 {
    switch below(8) {
    case 0: return Generator.extremes[below(Generator.extremes.count)]
    case 1:
      let power = Int64(1) << Int64(below(63))
      return power &+ Int64(below(5) - 2)
    case 2, 3: return Int64(below(2_000_001) - 1_000_000)
    default: return Int64(bitPattern: bits()) >> Int64(below(64))
    }
  }

  private static let extremes: [Int64] = [
    .min, .min + 1, .min + 2, .max, .max - 1, .max - 2, -2, -1, 0, 1, 2, .max / 2, .min / 2,
    .max / 600, .min / 600,
  ]

  private static let timescales: [Int32] = [
    1, 2, 3, 24, 25, 30, 48, 50, 60, 90, 600, 1000, 1001, 12_800, 15_360, 24_000, 30_000, 44_100,
    48_000, 60_000, 65_535, 65_536, 65_537, 90_000, 1_000_000, 1_000_000_000, 1_001_000, 1 << 30,
    .max - 1, .max, 2_147_483_629, 1_073_741_789,
  ]

  mutating func timescale() -> Int32 {
    if below(4) != 0 { return Generator.timescales[below(Generator.timescales.count)] }
    return max(1, Int32(truncatingIfNeeded: bits() >> 33) >> Int32(below(31)))
  }

  mutating func multiplier() -> Int32 { Int32(truncatingIfNeeded: value() >> Int64(below(33))) }

  mutating func epoch() -> Int64 {
    below(8) == 0 ? Generator.epochs[below(Generator.epochs.count)] : 0
  }

  private static let epochs: [Int64] = [1, 1, 1, 2, -1, .max, .min]

  /// A numeric time in nearly all cases.
  mutating func time() -> Time {
    if below(32) == 0 {
      return pick([.invalid, .indefinite, .positiveInfinity, .negativeInfinity])
    }
    return numericTime()
  }

  mutating func numericTime() -> Time {
    Time(
      value: value(), timescale: timescale(),
      flags: below(8) == 0 ? [.valid, .hasBeenRounded] : .valid, epoch: epoch())
  }

  /// A valid range in nearly all cases.
  mutating func range() -> TimeRange {
    if below(32) == 0 {
      return TimeRange(
        start: time(), duration: pick([time(), .zero, .positiveInfinity, .indefinite]))
    }
    let flags: Time.Flags = below(8) == 0 ? [.valid, .hasBeenRounded] : .valid
    let length = value()
    return TimeRange(
      start: numericTime(),
      duration: Time(
        value: length == .min ? .max : abs(length), timescale: timescale(), flags: flags, epoch: 0))
  }

  /// Mostly factors that people use, sometimes any bits at all.
  mutating func double() -> Double {
    switch below(8) {
    case 0: return Double(bitPattern: bits())
    case 1: return pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 0x1p-149])
    case 2, 3:
      return pick([0.5, 2, 1, -1, 0.1, 1.5, 0.25, 1.0 / 3, 1.001, 29.97, 23.976, 1e-9, 1e9])
    case 4: return Double(value())
    default: return Double(below(2_000_001) - 1_000_000) / Double(below(100_000) + 1)
    }
  }
}
