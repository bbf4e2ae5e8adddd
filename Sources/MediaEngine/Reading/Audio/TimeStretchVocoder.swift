import LibAV

/// Frames of a phase vocoder with identity phase locking (Laroche and Dolson, IEEE Transactions on Speech
/// and Audio Processing 7:3, 1999).
///
/// In addition to the frame at a position, the one a hop before it in the source is analysed: from
/// there to the frame a partial advances by the same amount as between two frames of the output. So
/// the phase of a peak follows from the output's last frame and that one, without unwrapping, at
/// any speed. The bins around a peak are turned by the same angle as it, which leaves the shape of
/// the partial unchanged. So are those of all channels, which leaves them in phase.
final class VocoderFrames: StretchFrames {
  let window: Int
  let hop: Int
  let weights: [Float]
  var reach: Int { hop }
  private let shape: [Float]
  private var transform: RealTransform
  private var samples: [Float]
  /// A channel's spectra: at the position, a hop before it, and of the last frame of the output.
  private var current: [[SIMD2<Float>]]
  private var previous: [[SIMD2<Float>]]
  private var output: [[SIMD2<Float>]]
  /// Of all channels.
  private var powers: [Float]
  private var turns: [SIMD2<Float>]

  init(_ request: StretchRequest) throws(EngineError) {
    // 2048 at 48 kHz.
    let window = max(64, powerOfTwo(atLeast: request.rate * 35 / 1000))
    self.window = window
    hop = window / 4
    shape = hannWindow(window)
    weights = shape.map { $0 * $0 }
    transform = try mapErrors(.convert) { () throws(LibAVError) in
      try RealTransform(size: window)
    }
    samples = Array(repeating: 0, count: window)
    let bins = window / 2 + 1
    let spectrum = [SIMD2<Float>](repeating: .zero, count: bins)
    current = Array(repeating: spectrum, count: request.channels.channels)
    previous = current
    output = current
    powers = Array(repeating: 0, count: bins)
    turns = spectrum
  }

  func make(at position: Int64, of input: StretchInput, into frame: inout [[Float]]) {
    for bin in powers.indices { powers[bin] = 0 }
    for channel in frame.indices {
      analyse(channel, at: position, of: input, into: &current[channel])
      analyse(channel, at: position - Int64(hop), of: input, into: &previous[channel])
      for bin in powers.indices {
        let value = current[channel][bin]
        powers[bin] += value.x * value.x + value.y * value.y
      }
    }
    findTurns()
    for channel in frame.indices {
      for bin in turns.indices {
        output[channel][bin] = current[channel][bin].complexProduct(with: turns[bin])
      }
      // These two are real.
      output[channel][0].y = 0
      output[channel][turns.count - 1].y = 0
      transform.invert(output[channel], into: &frame[channel])
      for index in 0..<window { frame[channel][index] *= shape[index] }
    }
  }

  private func analyse(
    _ channel: Int, at position: Int64, of input: StretchInput, into bins: inout [SIMD2<Float>]
  ) {
    input.copy(channel, from: position, into: &samples)
    for index in 0..<window { samples[index] *= shape[index] }
    transform.transform(samples, into: &bins)
  }

  /// Finds the angle by which each bin is turned: that of the peak whose region it is in, up to the
  /// lowest bin between two peaks.
  private func findTurns() {
    var peak: Int?
    var filled = 0
    for bin in powers.indices where isPeak(bin) {
      if let last = peak {
        let boundary = (last...bin).min { powers[$0] < powers[$1] } ?? bin
        fill(filled..<boundary, as: last)
        filled = boundary
      }
      peak = bin
    }
    fill(filled..<powers.count, as: peak)
  }

  /// Returns true if it is higher than the two on each side.
  private func isPeak(_ bin: Int) -> Bool {
    let power = powers[bin]
    for distance in 1...2 {
      if bin >= distance, powers[bin - distance] >= power { return false }
      if bin + distance < powers.count, powers[bin + distance] > power { return false }
    }
    return power > 0
  }

  private func fill(_ range: Range<Int>, as peak: Int?) {
    var turn = SIMD2<Float>(1, 0)
    if let peak {
      var sum = SIMD2<Float>.zero
      for channel in output.indices {
        sum += output[channel][peak].conjugateProduct(with: previous[channel][peak])
      }
      let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
      // Where there was nothing before, a partial begins as it is.
      if length > 1e-12 { turn = sum / length }
    }
    for bin in range { turns[bin] = turn }
  }
}
