import Foundation
import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The stretchers alone, on signals whose stretched form is known.
struct TimeStretchTests {
  private static let rate = 48000

  private static func sine(_ frequency: Double, _ seconds: Double, rate: Int = rate) -> [Float] {
    (0..<Int(seconds * Double(rate))).map {
      Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
  }

  /// Harmonics, a sweep and noise: nothing repeats.
  private static func mixture(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let time = Double(index) / Double(rate)
      let tone = 0.2 * sin(2 * .pi * 220 * time) + 0.1 * sin(2 * .pi * 440 * time)
      let sweep = 0.2 * sin(2 * .pi * (300 + 200 * time) * time)
      return Float(tone + sweep) + Float.random(in: -0.05...0.05, using: &generator)
    }
  }

  /// Stretches planes at a ratio, passed in blocks of a size.
  private static func stretch(
    _ planes: [[Float]], _ algorithm: AudioTimePitchAlgorithm, _ numerator: Int128,
    _ denominator: Int128, wanted: Range<Int64>? = nil, rate: Int = rate, blockSize: Int = 5000
  ) throws -> (planes: [[Float]], first: Int64, maximumHeld: Int) {
    let ratio = StretchRatio(numerator, denominator)
    let count = Int64(planes[0].count)
    let whole = Int64((Int128(count) * denominator + numerator - 1) / numerator)
    let request = StretchRequest(
      curve: .constant(ratio), sourceRate: rate, rate: rate,
      channels: .standard(channels: planes.count),
      sourceCount: count, wanted: wanted ?? 0..<whole)
    let stretcher = try request.makeStretcher(algorithm)
    var result = [[Float]](repeating: [], count: planes.count)
    var given = Int(stretcher.input.lowerBound)
    var isOver = false
    while true {
      if try stretcher.next(into: &result) > 0 { continue }
      if isOver { break }
      let next = min(given + blockSize, Int(stretcher.input.upperBound))
      if given < next {
        try stretcher.append(planes.map { Array($0[given..<next]) })
        given = next
      } else {
        try stretcher.finish()
        isOver = true
      }
    }
    return (result, stretcher.firstOutput, stretcher.maximumHeld)
  }

  /// The frequency between two limits with the most energy, of a second in the middle.
  private static func frequency(
    _ samples: [Float], between limits: ClosedRange<Double>, rate: Int = rate
  ) -> Double {
    let count = min(samples.count, rate / 2)
    let start = (samples.count - count) / 2
    func power(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<count {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count))
        let angle = 2 * .pi * frequency * Double(index) / Double(rate)
        real += Double(samples[start + index]) * window * cos(angle)
        imaginary += Double(samples[start + index]) * window * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    var (low, high) = (limits.lowerBound, limits.upperBound)
    var best = low
    // The main lobe is 8 Hz wide: one step never passes over it, and each round is four times finer.
    var step = 2.0
    while step > 0.02 {
      best =
        stride(from: low, through: high, by: step).map { ($0, power($0)) }.max { $0.1 < $1.1 }?.0
        ?? best
      (low, high) = (best - step, best + step)
      step /= 4
    }
    return best
  }

  private static func rootMeanSquare(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count)))
      .squareRoot()
  }

  private static let speeds: [(Int128, Int128)] = [
    (5, 4), (4, 5), (2, 1), (1, 2), (3, 1), (1, 3), (1001, 1000), (7, 1), (1, 7),
  ]

  @Test(arguments: [AudioTimePitchAlgorithm.timeDomain, .spectral], speeds)
  func thePitchAndTheLevelStay(
    _ algorithm: AudioTimePitchAlgorithm, _ speed: (Int128, Int128)
  ) throws {
    let seconds = max(1, Double(speed.0) / Double(speed.1)) * 1.2
    let source = Self.sine(330, seconds)
    let result = try Self.stretch([source], algorithm, speed.0, speed.1).planes[0]
    #expect(
      result.count == Int((Int128(source.count) * speed.1 + speed.0 - 1) / speed.0), "\(speed)")
    let found = Self.frequency(result, between: 300...360)
    #expect(abs(found / 330 - 1) < 0.005, "\(found) Hz")
    // A steady tone stays one, also at the edges: no beats, no gaps, no fades.
    let own = 0.5 / 2.0.squareRoot()
    let step = Self.rate / 50
    for start in stride(from: step / 2, to: result.count - 2 * step, by: step) {
      let level = 20 * log10(Self.rootMeanSquare(result[start..<start + step]) / own)
      #expect(abs(level) < 1, "\(algorithm) at \(speed), sample \(start)")
    }
  }

  @Test(arguments: speeds) func varispeedMovesThePitch(_ speed: (Int128, Int128)) throws {
    let factor = Double(speed.0) / Double(speed.1)
    let source = Self.sine(330, max(1, factor) * 1.2)
    let result = try Self.stretch([source], .varispeed, speed.0, speed.1).planes[0]
    let limits = (330 * factor * 0.9)...(330 * factor * 1.1)
    #expect(abs(Self.frequency(result, between: limits) / (330 * factor) - 1) < 0.001)
    // The missing part at the end is shorter than the resampler's filter.
    let whole = Int((Int128(source.count) * speed.1 + speed.0 - 1) / speed.0)
    #expect(abs(result.count - whole) <= max(2, Int(1 / factor) + 1))
    // Every sample is where arithmetic has it.
    for index in stride(from: 2000, to: result.count - 2000, by: 997) {
      let exact = 0.5 * sin(2 * .pi * 330 * factor * Double(index) / Double(Self.rate))
      #expect(abs(Double(result[index]) - exact) < 1e-4)
    }
  }

  /// The same samples to the bit, with any sizes of blocks, and any start and end of reading.
  @Test(arguments: AudioTimePitchAlgorithm.allCases)
  func aRangeIsAPartOfTheWhole(_ algorithm: AudioTimePitchAlgorithm) throws {
    let source = [Self.mixture(60_000, seed: 1), Self.mixture(60_000, seed: 2)]
    for (top, bottom) in [(5, 4), (2, 3), (1, 9), (11, 1)] as [(Int128, Int128)] {
      let whole = try Self.stretch(source, algorithm, top, bottom).planes
      let other = try Self.stretch(source, algorithm, top, bottom, blockSize: 333).planes
      #expect(whole == other)
      let count = whole[0].count
      for range in [count / 3..<count / 2, count - 1500..<count - 30, 1..<2, 700..<1400] {
        let part = try Self.stretch(
          source, algorithm, top, bottom, wanted: Int64(range.lowerBound)..<Int64(range.upperBound))
        let skipped = range.lowerBound - Int(part.first)
        try #require(skipped >= 0 && part.planes[0].count >= skipped + range.count)
        for channel in 0..<2 {
          let values = part.planes[channel][skipped..<skipped + range.count]
          #expect(Array(values) == Array(whole[channel][range]), "\(algorithm) \(top)/\(bottom)")
        }
      }
    }
  }

  /// Equal channels stay equal to the bit, and opposite ones opposite.
  @Test(arguments: AudioTimePitchAlgorithm.allCases)
  func channelsStayInPhase(_ algorithm: AudioTimePitchAlgorithm) throws {
    let source = Self.mixture(60_000, seed: 3)
    for (top, bottom) in [(5, 4), (3, 5)] as [(Int128, Int128)] {
      let same = try Self.stretch([source, source], algorithm, top, bottom).planes
      #expect(same[0] == same[1])
      let opposite = try Self.stretch([source, source.map(-)], algorithm, top, bottom).planes
      #expect(opposite[0] == opposite[1].map(-))
      #expect(Self.rootMeanSquare(opposite[0][...]) > 0.7 * Self.rootMeanSquare(source[...]))
    }
  }

  /// The memory in use doesn't grow with the source, nor with the speed.
  @Test(arguments: AudioTimePitchAlgorithm.allCases, [(Int128(32), Int128(1)), (1, 32)])
  func memoryIsBounded(_ algorithm: AudioTimePitchAlgorithm, _ speed: (Int128, Int128)) throws {
    let source = Self.mixture(speed.0 > 1 ? 1_000_000 : 40_000, seed: 4)
    let result = try Self.stretch([source], algorithm, speed.0, speed.1, blockSize: 4096)
    #expect(result.maximumHeld <= 32_768)
    #expect(abs(result.planes[0].count - source.count * Int(speed.1) / Int(speed.0)) <= 33)
  }

  /// Short bursts are where they belong, and not more wrong at the end than at the start.
  @Test(arguments: [AudioTimePitchAlgorithm.timeDomain, .spectral])
  func nothingDrifts(_ algorithm: AudioTimePitchAlgorithm) throws {
    let (bursts, distance) = (80, 24_000)
    var source = [Float](repeating: 0, count: bursts * distance)
    for burst in 0..<bursts {
      for index in 0..<240 {
        source[burst * distance + 12_000 + index] = Float(0.5 * sin(Double(index) * 0.4))
      }
    }
    for (top, bottom) in [(5, 4), (10, 13)] as [(Int128, Int128)] {
      let result = try Self.stretch([source], algorithm, top, bottom).planes[0]
      var errors: [Int] = []
      for burst in 0..<bursts {
        let center = (burst * distance + 12_120) * Int(bottom) / Int(top)
        let around = max(0, center - 4000)..<min(result.count, center + 4000)
        let peak = around.max { abs(result[$0]) < abs(result[$1]) } ?? 0
        #expect(abs(result[peak]) > 0.2)
        errors.append(peak - center)
      }
      #expect(errors.allSatisfy { abs($0) < 1440 }, "\(algorithm) \(top)/\(bottom): \(errors)")
      let (start, end) = (errors.prefix(20).reduce(0, +) / 20, errors.suffix(20).reduce(0, +) / 20)
      #expect(abs(end - start) < 480)
    }
  }

  /// Less than a frame, nothing at all, and more channels than two.
  @Test(arguments: AudioTimePitchAlgorithm.allCases)
  func shortAndWideSourcesComeOut(_ algorithm: AudioTimePitchAlgorithm) throws {
    for count in [1, 2, 100, 1500, 2500] {
      let planes = (0..<6).map { Self.mixture(count, seed: UInt64($0)) }
      let result = try Self.stretch(planes, algorithm, 3, 4).planes
      #expect(result.count == 6)
      if algorithm != .varispeed {
        #expect(result.allSatisfy { $0.count == (count * 4 + 2) / 3 })
        #expect(result.allSatisfy { $0.allSatisfy(\.isFinite) })
        #expect(result.allSatisfy { $0.allSatisfy { abs($0) < 2 } })
      }
    }
    let silence = try Self.stretch([[Float](repeating: 0, count: 9000)], algorithm, 3, 4).planes[0]
    #expect(silence.allSatisfy { $0 == 0 })
  }

  @Test func ratiosAreExactOrNearest() throws {
    func mapping(_ source: Time, _ target: Time) -> TimeMapping {
      TimeMapping(
        source: TimeRange(start: .zero, duration: source),
        target: TimeRange(start: .zero, duration: target))
    }
    let third = try #require(
      StretchRatio(
        mapping(Time(value: 1, timescale: 3), Time(value: 1001, timescale: 30000))))
    #expect((third.numerator, third.denominator) == (10_000, 1001))
    #expect(third.source(of: 1001) == 10_000)
    #expect(third.source(of: -1) == -10)
    #expect(third.resampled(from: 44_100, to: 48_000) == StretchRatio(2625, 286))
    #expect(StretchRatio(2625, 286).approximated(limit: 1 << 20) == StretchRatio(2625, 286))
    #expect(StretchRatio(mapping(.zero, Time(value: 1, timescale: 1))) == nil)
    #expect(StretchRatio(mapping(.positiveInfinity, .positiveInfinity)) == nil)
    let huge = try #require(
      StretchRatio(
        mapping(
          Time(value: .max, timescale: 1),
          Time(value: .max - 1, timescale: 2_147_483_647))))
    #expect(huge.numerator > 0 && huge.denominator > 0)
    #expect(!huge.isWithin(256))
    #expect(StretchRatio(32, 1).isWithin(32) && StretchRatio(1, 32).isWithin(32))
    #expect(!StretchRatio(32_001, 1000).isWithin(32) && !StretchRatio(1000, 32_001).isWithin(32))
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let (top, bottom) = (
        Int64.random(in: 1...5000, using: &generator), Int64.random(in: 1...5000, using: &generator)
      )
      guard top < 40 * bottom, bottom < 40 * top else { continue }
      func error(_ near: StretchRatio) -> Double {
        // Of the number below 1: of it or its inverse continued fractions are the nearest.
        Double(abs(top * near.denominator - near.numerator * bottom))
          / Double(top < bottom ? near.denominator : near.numerator)
      }
      let near = StretchRatio(Int128(top), Int128(bottom)).approximated(limit: 40)
      let best = (1...40).flatMap { a in (1...40).map { error(StretchRatio(a, $0)) } }.min()
      #expect(max(near.numerator, near.denominator) <= 40)
      #expect(error(near) <= (best ?? 0) + 1e-9, "\(top)/\(bottom)")
    }
  }
}
