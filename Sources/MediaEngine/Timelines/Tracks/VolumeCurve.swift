import LibAV
import MediaTime

/// Volumes over time on a grid of samples, which are counted from the asset's zero.
///
/// A ramp is computed from its own first sample on, so a sample's factor doesn't depend on where
/// reading began. Times are compared exactly, and become floating point once for each entry.
struct VolumeCurve {
  private struct Piece {
    /// The first sample of the piece, which ends at the start of the next one.
    var first: Int64
    var gain: LinearGain
  }

  /// In ascending order.
  private var pieces: [Piece] = []
  /// The factor before the first one.
  private let initial: LinearGain

  /// - Parameters:
  ///   - volume: entries in ascending order that don't overlap. Before the first one it is 1.
  ///   - factor: multiplies all of them.
  init(_ volume: [ValueRamp<Double>], rate: Int, factor: Double = 1) {
    initial = LinearGain(factor)
    func number(_ time: Time) -> Int64 { time.sampleNumber(from: .zero, rate: rate) }
    for entry in volume {
      switch entry {
      case .value(let value, let time):
        append(Piece(first: number(time), gain: LinearGain(value * factor)))
      case .ramp(let from, let to, let range):
        let (first, end) = (number(range.start), number(range.end))
        if first < end {
          let step = factor * (to - from) / range.duration.sampleCount(rate: rate)
          let start = factor * from + step * range.start.distance(toSample: first, rate: rate)
          append(Piece(first: first, gain: LinearGain(start, step: step)))
        }
        append(Piece(first: end, gain: LinearGain(to * factor)))
      }
    }
  }

  /// Appends a piece. It replaces one that begins at the same sample.
  private mutating func append(_ piece: Piece) {
    if let last = pieces.last, last.first >= piece.first { pieces.removeLast() }
    pieces.append(piece)
  }

  /// Returns the factors of a range of samples, in order. Each is for the first of its samples.
  func gains(_ range: Range<Int64>) -> [(samples: Range<Int64>, gain: LinearGain)] {
    var gains: [(samples: Range<Int64>, gain: LinearGain)] = []
    var next = pieces.partitionIndex { $0.first > range.lowerBound }
    var current = next > 0 ? pieces[next - 1] : Piece(first: range.lowerBound, gain: initial)
    var position = range.lowerBound
    while position < range.upperBound {
      let end = next < pieces.count ? min(pieces[next].first, range.upperBound) : range.upperBound
      if position < end {
        gains.append((position..<end, current.gain.advanced(by: position - current.first)))
      }
      position = max(position, end)
      if next < pieces.count { current = pieces[next] }
      next += 1
    }
    return gains
  }
}

extension Time {
  /// Returns a duration in samples, also a fractional one.
  fileprivate func sampleCount(rate: Int) -> Double {
    Double(Int128(value) * Int128(rate)) / Double(timescale)
  }

  /// Returns the distance from this time to a sample, in samples.
  fileprivate func distance(toSample number: Int64, rate: Int) -> Double {
    Double(Int128(number) * Int128(timescale) - Int128(value) * Int128(rate)) / Double(timescale)
  }
}

extension Array {
  /// Returns the first index whose element fulfils a condition that all later elements fulfil, too.
  fileprivate func partitionIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
