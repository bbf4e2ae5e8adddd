import SystemIO

extension Block {
  /// Returns the index of the first 32-bit float in a range whose magnitude is at least `level`;
  /// nil if there is none.
  ///
  /// - Parameter level: greater than 0. A sample that is no finite number counts as 0.
  package func firstFloat(in range: Range<Int>, atLeast level: Float) -> Int? {
    let range = range.clamped(to: 0..<count / MemoryLayout<Float>.stride)
    var place = range.lowerBound
    while place + Lanes.scalarCount <= range.upperBound, !hasLoudLane(at: place, level) {
      place += Lanes.scalarCount
    }
    return (place..<range.upperBound).first { isLoud($0, level) }
  }

  /// Returns the index of the last such float; see ``firstFloat(in:atLeast:)``.
  package func lastFloat(in range: Range<Int>, atLeast level: Float) -> Int? {
    let range = range.clamped(to: 0..<count / MemoryLayout<Float>.stride)
    var end = range.upperBound
    while end - Lanes.scalarCount >= range.lowerBound,
      !hasLoudLane(at: end - Lanes.scalarCount, level)
    {
      end -= Lanes.scalarCount
    }
    return (range.lowerBound..<max(range.lowerBound, end)).last { isLoud($0, level) }
  }

  private typealias Lanes = SIMD16<Float>

  /// Returns true if one of the lanes from `place` on has that magnitude.
  private func hasLoudLane(at place: Int, _ level: Float) -> Bool {
    let samples = unsafe base.loadUnaligned(
      fromByteOffset: place * MemoryLayout<Float>.stride, as: Lanes.self)
    return any(samples .>= level) || any(samples .<= -level)
  }

  private func isLoud(_ place: Int, _ level: Float) -> Bool {
    let sample = unsafe base.load(
      fromByteOffset: place * MemoryLayout<Float>.stride, as: Float.self)
    return sample.isFinite && abs(sample) >= level
  }
}
