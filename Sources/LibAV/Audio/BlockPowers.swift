internal import Glibc

/// The powers of the blocks of 0.4 seconds that a loudness is the gated mean of (ITU-R BS.1770-4), from which the
/// loudness after any gain is computed.
///
/// A gain moves blocks over the absolute gate, so that the loudness after it isn't the loudness before it
/// plus the gain. Counts and sums of steps of 0.01 LU are all that is stored.
struct BlockPowers {
  /// The absolute gate, in LUFS.
  private static let absoluteGate = -70.0
  /// The relative gate, in LU below the mean power.
  private static let relativeGate = 10.0
  /// The loudness of the first step, in LUFS; quieter blocks are below the gate after any useful gain.
  private static let leastLoudness = -200.0
  private static let stepsPerUnit = 100.0
  private static let steps = 30_000

  private struct Step {
    var count = 0
    var sum = 0.0
  }

  private var blocks = [Step](repeating: Step(), count: steps)

  mutating func add(loudness: Double, power: Double) {
    guard loudness >= Self.leastLoudness else { return }
    let step = Self.step(loudness)
    blocks[step].count += 1
    blocks[step].sum += power
  }

  /// Returns the gated mean power after a gain, without the gain in it; nil where nothing is above the gate.
  ///
  /// - Parameters:
  ///   - gain: in dB.
  ///   - loudness: the loudness of a power.
  func gatedPower(afterGain gain: Double, loudness: (Double) -> Double?) -> Double? {
    let absolute = Self.absoluteGate - gain
    guard let mean = mean(from: absolute), let relative = loudness(mean) else { return nil }
    return self.mean(from: max(absolute, relative - Self.relativeGate))
  }

  private func mean(from gate: Double) -> Double? {
    let loud = blocks[Self.step(gate)...]
    let count = loud.reduce(0) { $0 + $1.count }
    return count > 0 ? loud.reduce(0.0) { $0 + $1.sum } / Double(count) : nil
  }

  private static func step(_ loudness: Double) -> Int {
    let step = ((loudness - leastLoudness) * stepsPerUnit).rounded(.down)
    return Int(min(max(step, 0), Double(steps - 1)))
  }
}
