import Glibc
import LibAV

/// Audio at a speed and pitch that change: each output sample is interpolated at its position in the
/// source by a windowed sinc, whose band is limited to that of the slower of both sides.
///
/// The positions of samples follow from their numbers, so that the output is one continuous signal
/// over all changes of the speed, and the same wherever it is read from.
final class VaryingSpeed: TimeStretcher {
  private let map: any VaryingStretchMap
  private let end: Int64
  private let kernel = SincKernel.shared
  private var source: StretchInput
  private var isInputOver = false
  private var number: Int64
  private var region: [Float] = []

  let input: Range<Int64>
  let firstOutput: Int64
  var maximumHeld: Int { source.maximumHeld }

  private static let blockSize: Int64 = 256

  init(_ request: StretchRequest, _ map: any VaryingStretchMap) {
    self.map = map
    end = request.wanted.upperBound
    number = request.wanted.lowerBound
    firstOutput = number
    source = StretchInput(channels: request.channels.channels, count: request.sourceCount)
    let reach = SincKernel.reach(map.maximumStep)
    let first = max(0, Int64(map.position(of: number)) - reach)
    let last = Int64(map.position(of: end)) + reach + 1
    input = first..<max(first, min(request.sourceCount, last))
    source.begin(at: first)
  }

  func append(_ planes: [[Float]]) { source.append(planes) }

  func finish() { isInputOver = true }

  func next(into planes: inout [[Float]]) -> Int {
    guard number < end else { return 0 }
    let count = min(Self.blockSize, end - number)
    let positions = (0...count).map { map.position(of: number + $0) }
    // The band is limited by the step from each sample to the next.
    let steps = zip(positions, positions.dropFirst()).map { max(1, $1 - $0) }
    let reach = SincKernel.reach(steps.max() ?? 1)
    let first = Int64(positions[0].rounded(.down)) - reach
    let last = Int64(positions[Int(count)].rounded(.up)) + reach
    source.discard(before: first)
    guard isInputOver || source.end >= min(input.upperBound, last + 1) else { return 0 }
    let size = Int(last - first) + 1
    if region.count != size { region = Array(repeating: 0, count: size) }
    for channel in planes.indices {
      source.copy(channel, from: first, into: &region)
      for place in 0..<Int(count) {
        planes[channel].append(
          kernel.value(at: positions[place] - Double(first), of: region, step: steps[place]))
      }
    }
    number += count
    return Int(count)
  }
}

/// A sinc with a Kaiser window, as a table that is interpolated linearly (Smith, "Digital Audio
/// Resampling Home Page", CCRMA).
private final class SincKernel: Sendable {
  /// The zero crossings on each side, and the entries of the table for each.
  private static let crossings = 24
  private static let density = 512
  /// The cutoff, as a part of the lower of both Nyquist frequencies.
  private static let cutoff = 0.95

  static let shared = SincKernel()
  private let table: [Float]

  private init() {
    let (beta, count) = (9.0, Self.crossings * Self.density)
    table = (0...(count + 1)).map { place in
      let distance = Double(place) / Double(Self.density)
      guard place < count else { return 0 }
      let angle = Double.pi * distance
      let sinc = angle == 0 ? 1 : sin(angle) / angle
      let ratio = distance / Double(Self.crossings)
      return Float(sinc * bessel(beta * (1 - ratio * ratio).squareRoot()) / bessel(beta))
    }
  }

  /// Returns the number of samples on each side that are used at a step.
  static func reach(_ step: Double) -> Int64 {
    Int64((Double(crossings) * max(1, step) / cutoff).rounded(.up)) + 1
  }

  /// Returns the value at a position in samples.
  ///
  /// - Parameter step: 1 or more samples of the source for one of the output.
  func value(at position: Double, of samples: [Float], step: Double) -> Float {
    let scale = Self.cutoff / step
    let reach = Double(Self.crossings) / scale
    let first = max(0, Int((position - reach).rounded(.up)))
    let last = min(samples.count - 1, Int((position + reach).rounded(.down)))
    guard first <= last else { return 0 }
    var sum: Float = 0
    for number in first...last {
      let entry = abs(position - Double(number)) * scale * Double(Self.density)
      let place = Int(entry)
      let rest = Float(entry - Double(place))
      let weight = table[place] + (table[place + 1] - table[place]) * rest
      sum += samples[number] * weight
    }
    return sum * Float(scale)
  }
}

/// Returns the modified Bessel function of the first kind of order 0.
private func bessel(_ value: Double) -> Double {
  var (sum, term, number) = (1.0, 1.0, 1.0)
  while term > sum * 1e-16 {
    term *= (value / (2 * number)) * (value / (2 * number))
    sum += term
    number += 1
  }
  return sum
}
