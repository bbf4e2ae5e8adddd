import Glibc
import LibAV

/// Frames of waveform similarity overlap-add (WSOLA; Verhelst and Roelands, ICASSP 1993).
///
/// A frame of 40 ms is moved by up to 10 ms to the position of maximum similarity with the samples
/// after the previous frame in the source, by normalized cross-correlation over the samples in
/// which both overlap. The correlations of all channels are added up and all channels are moved
/// alike, so that they stay in phase.
final class WaveformFrames: StretchFrames {
  let window: Int
  let hop: Int
  let weights: [Float]
  /// The maximum distance by which a frame may be moved.
  let reach: Int
  private var transform: RealTransform
  /// The samples after the last frame in the source, as far as the next one overlaps with it; empty
  /// at first.
  private var continuation: [[Float]] = []
  private var region: [Float]
  private var bins: [SIMD2<Float>]
  private var wantedBins: [SIMD2<Float>]
  private var products: [SIMD2<Float>]
  private var energies: [Double]

  init(_ request: StretchRequest) throws(EngineError) {
    let hop = max(16, request.rate / 50)
    self.hop = hop
    window = 2 * hop
    reach = max(8, request.rate / 100)
    weights = hannWindow(2 * hop)
    // At this size, shifts don't wrap around its end.
    let size = powerOfTwo(atLeast: hop + 2 * reach)
    transform = try mapErrors(.convert) { () throws(LibAVError) in
      try RealTransform(size: size)
    }
    region = Array(repeating: 0, count: size)
    bins = Array(repeating: .zero, count: size / 2 + 1)
    wantedBins = bins
    products = bins
    energies = Array(repeating: 0, count: 2 * reach + 1)
  }

  func make(at position: Int64, of input: StretchInput, into frame: inout [[Float]]) {
    let place = position + (continuation.isEmpty ? 0 : bestShift(at: position, of: input))
    continuation = frame.indices.map { channel in
      input.copy(channel, from: place, into: &frame[channel])
      return Array(frame[channel][hop...])
    }
    for channel in frame.indices {
      for index in 0..<window { frame[channel][index] *= weights[index] }
    }
  }

  /// Returns the distance by which a frame is moved, inside the source.
  private func bestShift(at position: Int64, of input: StretchInput) -> Int64 {
    let first = max(0, position - Int64(reach))
    let last = max(first, min(position + Int64(reach), input.count - Int64(window)))
    let shifts = Int(last - first) + 1
    for bin in products.indices { products[bin] = .zero }
    for shift in 0..<shifts { energies[shift] = 0 }
    for channel in continuation.indices {
      for index in region.indices { region[index] = index < hop ? continuation[channel][index] : 0 }
      transform.transform(region, into: &wantedBins)
      input.copy(channel, from: first, into: &region)
      for index in (hop + shifts - 1)..<region.count { region[index] = 0 }
      transform.transform(region, into: &bins)
      for bin in bins.indices { products[bin] += bins[bin].conjugateProduct(with: wantedBins[bin]) }
      addEnergies(shifts)
    }
    transform.invert(products, into: &region)
    // Where all is equal, as in silence, a frame stays where it belongs.
    var best = min(Int(position - first), shifts - 1)
    var highest = score(best)
    for shift in 0..<shifts where score(shift) > highest {
      (best, highest) = (shift, score(shift))
    }
    return first + Int64(best) - position
  }

  private func score(_ shift: Int) -> Float {
    // Below this, a full-scale signal has less than -120 dB.
    region[shift] / Float(max(energies[shift], 1e-12 * Double(hop))).squareRoot()
  }

  /// Adds the energy of the samples that each shift would overlap with, as a running sum.
  private func addEnergies(_ shifts: Int) {
    var energy = 0.0
    for index in 0..<hop { energy += Double(region[index]) * Double(region[index]) }
    energies[0] += energy
    for shift in 1..<max(1, shifts) {
      let (left, entered) = (Double(region[shift - 1]), Double(region[shift + hop - 1]))
      energy += entered * entered - left * left
      energies[shift] += max(0, energy)
    }
  }
}

/// Returns a Hann window whose ends aren't 0.
func hannWindow(_ size: Int) -> [Float] {
  (0..<size).map { index in
    let sine = sin(Double.pi * (Double(index) + 0.5) / Double(size))
    return Float(sine * sine)
  }
}

func powerOfTwo(atLeast size: Int) -> Int {
  var power = 16
  while power < size { power *= 2 }
  return power
}

extension SIMD2<Float> {
  /// Returns this complex number times the conjugate of another one.
  func conjugateProduct(with other: Self) -> Self {
    Self(x * other.x + y * other.y, y * other.x - x * other.y)
  }

  /// Returns the product of two complex numbers.
  func complexProduct(with other: Self) -> Self {
    Self(x * other.x - y * other.y, x * other.y + y * other.x)
  }
}
