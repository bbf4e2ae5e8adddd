import LibAV
import MediaTime
import SystemIO

/// The parts of a waveform while audio arrives, block by block.
///
/// Part i of n holds the samples whose time is at least start + i·duration/n and less than start + (i+1)·duration/n, in
/// exact arithmetic: each sample of the range belongs to one part, regardless of the blocks. A part that lies within
/// one sample, so that none begins in it, repeats that one.
struct WaveformBins {
  /// A numeric range that isn't empty.
  let range: TimeRange
  let count: Int
  /// The levels by channel, then by part.
  private(set) var levels: [[SampleLevels]]
  /// The part in which the last block has ended.
  private var current = 0

  init(range: TimeRange, count: Int, channels: Int) {
    self.range = range
    self.count = count
    levels = Array(
      repeating: Array(repeating: SampleLevels(), count: count), count: max(1, channels))
  }

  /// Adds a block of planar floats, `frames` for each channel, of which the first begins at `time`.
  mutating func add(_ block: Block, frames: Int, at time: Time, sampleRate: Int) {
    guard frames > 0, sampleRate > 0, time.isNumeric else { return }
    let grid = SampleGrid(
      range: range, parts: count, origin: time, sampleRate: sampleRate)
    current = first(from: current, grid)
    var lower = grid.firstSample(ofPart: current)
    while current < count, lower <= frames {
      let upper = grid.firstSample(ofPart: current + 1)
      let samples = max(0, Int(clamping: lower))..<max(0, Int(clamping: min(upper, Int64(frames))))
      if !samples.isEmpty {
        add(block, samples, frames)
      } else if lower == upper, lower > 0 {
        add(block, Int(lower) - 1..<Int(lower), frames)
      }
      // The rest of the part is in the next block.
      guard upper <= frames else { break }
      lower = upper
      current += 1
    }
    current = min(current, count - 1)
  }

  private mutating func add(_ block: Block, _ samples: Range<Int>, _ frames: Int) {
    for channel in levels.indices {
      let start = channel * frames
      levels[channel][current].add(
        block.levels(ofFloats: start + samples.lowerBound..<start + samples.upperBound))
    }
  }

  /// Returns the part of a block's first sample, the first part for a block that begins before.
  private func first(from guess: Int, _ grid: SampleGrid) -> Int {
    if grid.firstSample(ofPart: guess) <= 0, grid.firstSample(ofPart: guess + 1) > 0 {
      return guess
    }
    // The last part that begins at or before sample 0.
    var (low, high) = (0, count)
    while high - low > 1 {
      let mid = (low + high) / 2
      if grid.firstSample(ofPart: mid) <= 0 { low = mid } else { high = mid }
    }
    return low
  }
}

/// The beginnings of a range's parts, counted in samples from a block's first one.
struct SampleGrid {
  /// The start of the range, in samples from the block's first: whole + remainder/denominator.
  private let whole: Int128
  private let remainder: Int128
  private let denominator: Int128
  /// The length of a part in samples, as a fraction.
  private let length: Int128
  private let divisor: Int128

  /// - Parameters:
  ///   - range: a numeric range.
  ///   - parts: the number of parts, at least 1.
  ///   - origin: the time of the block's first sample.
  init(range: TimeRange, parts: Int, origin: Time, sampleRate: Int) {
    let rate = Int128(sampleRate)
    let (start, zero) = (range.start, origin)
    denominator = Int128(start.timescale) * Int128(zero.timescale)
    let distance =
      Int128(start.value) * Int128(zero.timescale) - Int128(zero.value) * Int128(start.timescale)
    (whole, remainder) = floorDivision(distance * rate, denominator)
    length = Int128(range.duration.value) * rate
    divisor = Int128(range.duration.timescale) * Int128(parts)
  }

  /// Returns the first sample at or after the beginning of a part. The end of the range is that of one more.
  func firstSample(ofPart part: Int) -> Int64 {
    let (quotient, rest) = floorDivision(Int128(part) * length, divisor)
    // Each of the two fractions is less than 1, and their products fit: 2^62 · 2^48.
    let sum = remainder * divisor + rest * denominator
    let unit = denominator * divisor
    let more: Int128 = sum == 0 ? 0 : sum <= unit ? 1 : 2
    return Int64(clamping: whole + quotient + more)
  }
}

private func floorDivision(_ value: Int128, _ divisor: Int128) -> (Int128, Int128) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
