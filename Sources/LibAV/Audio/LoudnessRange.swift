/// The loudness range (LRA) of audio by EBU Tech 3342, from the loudness of 3 seconds, measured
/// each tenth of a second.
///
/// libebur128 measures it each second, which differs for short audio. Counts of steps of 0.01 LU
/// are all that is stored.
struct LoudnessRange {
  /// The absolute gate, in LUFS.
  private static let leastLoudness = -70.0
  private static let steps = 10_000
  private static let stepsPerUnit = 100.0
  /// The relative gate, in LU below the mean power.
  private static let relativeGate = 20.0
  /// The fractions of the values that are left out at either end.
  private static let leftOut = (below: 0.10, above: 0.05)

  private var counts = [Int](repeating: 0, count: steps)
  private var count = 0
  private var sumOfPowers = 0.0

  mutating func add(loudness: Double, power: Double) {
    guard loudness >= Self.leastLoudness else { return }
    let step = Int(((loudness - Self.leastLoudness) * Self.stepsPerUnit).rounded(.down))
    counts[min(step, Self.steps - 1)] += 1
    count += 1
    sumOfPowers += power
  }

  /// The mean power of the values above the first gate; nil without any.
  var meanPower: Double? { count > 0 ? sumOfPowers / Double(count) : nil }

  /// Returns the range in LU.
  ///
  /// - Parameter mean: the loudness of ``meanPower``.
  func range(mean: Double) -> Double {
    let gate = mean - Self.relativeGate - Self.leastLoudness
    let first = max(0, Int((gate * Self.stepsPerUnit).rounded(.down)))
    let loud = counts.indices.dropFirst(first)
    let total = loud.reduce(0) { $0 + counts[$1] }
    guard total > 0 else { return 0 }
    func step(_ steps: some Sequence<Int>, leavingOut part: Double) -> Int {
      var rest = Double(total) * part
      for step in steps where counts[step] > 0 {
        rest -= Double(counts[step])
        if rest <= 0 { return step }
      }
      return first
    }
    let low = step(loud, leavingOut: Self.leftOut.below)
    let high = step(loud.reversed(), leavingOut: Self.leftOut.above)
    return max(0, Double(high - low) / Self.stepsPerUnit)
  }
}
