import SystemIO

/// The extremes and the power of a run of samples.
package struct SampleLevels: Sendable {
  package private(set) var minimum: Float = 0
  package private(set) var maximum: Float = 0
  package private(set) var sumOfSquares: Double = 0
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ other: SampleLevels) {
    guard other.count > 0 else { return }
    minimum = count > 0 ? min(minimum, other.minimum) : other.minimum
    maximum = count > 0 ? max(maximum, other.maximum) : other.maximum
    sumOfSquares += other.sumOfSquares
    count += other.count
  }

  /// The root of the mean square; 0 without samples.
  package var rootMeanSquare: Double {
    count > 0 ? (sumOfSquares / Double(count)).squareRoot() : 0
  }

  fileprivate mutating func add(_ sample: Float) {
    minimum = count > 0 ? min(minimum, sample) : sample
    maximum = count > 0 ? max(maximum, sample) : sample
    sumOfSquares += Double(sample) * Double(sample)
    count += 1
  }
}

extension Block {
  /// Returns the levels of the 32-bit floats in a range of indices.
  ///
  /// A sample that is no finite number counts as 0.
  package func levels(ofFloats range: Range<Int>) -> SampleLevels {
    let range = range.clamped(to: 0..<count / MemoryLayout<Float>.stride)
    guard !range.isEmpty else { return SampleLevels() }
    let fast = fastLevels(range)
    // The squares of finite floats are far from the end of doubles: only others can spoil the sum.
    return fast.sumOfSquares.isFinite ? fast : carefulLevels(range)
  }

  private func float(_ place: Int) -> Float {
    unsafe base.load(fromByteOffset: place * MemoryLayout<Float>.stride, as: Float.self)
  }

  private func carefulLevels(_ range: Range<Int>) -> SampleLevels {
    var levels = SampleLevels()
    for place in range {
      let sample = float(place)
      levels.add(sample.isFinite ? sample : 0)
    }
    return levels
  }

  /// Computes in eight lanes side by side: a prescribed order of the sum would prevent vector code.
  private func fastLevels(_ range: Range<Int>) -> SampleLevels {
    typealias Lanes = SIMD8<Float>
    var low = Lanes(repeating: .infinity)
    var high = Lanes(repeating: -.infinity)
    var lowerSum = SIMD4<Double>()
    var upperSum = SIMD4<Double>()
    var place = range.lowerBound
    while place + Lanes.scalarCount <= range.upperBound {
      let samples = unsafe base.loadUnaligned(
        fromByteOffset: place * MemoryLayout<Float>.stride, as: Lanes.self)
      low.replace(with: samples, where: samples .< low)
      high.replace(with: samples, where: samples .> high)
      let lower = SIMD4<Double>(samples.lowHalf)
      let upper = SIMD4<Double>(samples.highHalf)
      lowerSum += lower * lower
      upperSum += upper * upper
      place += Lanes.scalarCount
    }
    var levels = SampleLevels()
    if place > range.lowerBound {
      levels = SampleLevels(
        minimum: low.min(), maximum: high.max(), sumOfSquares: (lowerSum + upperSum).sum(),
        count: place - range.lowerBound)
    }
    while place < range.upperBound {
      levels.add(float(place))
      place += 1
    }
    return levels
  }
}

extension SampleLevels {
  fileprivate init(minimum: Float, maximum: Float, sumOfSquares: Double, count: Int) {
    self.minimum = minimum
    self.maximum = maximum
    self.sumOfSquares = sumOfSquares
    self.count = count
  }
}
