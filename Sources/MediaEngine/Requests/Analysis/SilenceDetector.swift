import Glibc
import LibAV
import MediaTime
import SystemIO

/// The search for silences in blocks of audio that come one after the other.
struct SilenceDetector {
  private let range: TimeRange
  private let minimumDuration: Time
  /// Samples that are at least so far from 0 aren't silent.
  private let level: Float
  /// The end of the last sample that isn't silent: all audio after it is, until the next such sample.
  private var start: Time
  private var ranges: [TimeRange] = []

  /// - Parameters:
  ///   - range: numeric.
  ///   - threshold: in dBFS.
  init(_ range: TimeRange, threshold: Double, minimumDuration: Time) {
    (self.range, self.minimumDuration) = (range, minimumDuration)
    level = Float.least(atLeast: pow(10, threshold / 20))
    start = range.start
  }

  var count: Int { ranges.count }

  /// Adds a block of planar floats, of which the first begins at `time`. Gaps between blocks are silent.
  mutating func add(_ block: Block, _ audio: SampleBuffer.Audio, at time: Time) {
    let rate = Int32(clamping: audio.sampleRate)
    guard audio.frames > 0, rate > 0, time.isNumeric else { return }
    let shortest = minimumDuration.ticks(in: TimeBase(1, rate), rounding: .towardNegativeInfinity)
    // Between two samples of a piece no silence is long enough.
    let step = max(1, min(Self.pieceLength, Int(clamping: shortest)))
    var sample = 0
    while sample < audio.frames {
      let piece = sample..<min(audio.frames, sample + step)
      if let first = audio.firstLoud(block, piece, level) {
        endSilence(at: time + Time(value: Int64(first), timescale: rate))
        let last = audio.lastLoud(block, piece, level) ?? first
        start = time + Time(value: Int64(last + 1), timescale: rate)
      }
      sample = piece.upperBound
    }
  }

  /// Samples that are looked at together.
  private static let pieceLength = 1024

  /// The silences, after the last block.
  mutating func finish() -> [TimeRange] {
    endSilence(at: range.end)
    return ranges
  }

  private mutating func endSilence(at time: Time) {
    let end = min(time, range.end)
    if end > start, end - start >= minimumDuration {
      ranges.append(TimeRange(start: start, end: end))
    }
  }
}

extension SampleBuffer.Audio {
  /// The first of some samples that is loud in one of the channels.
  fileprivate func firstLoud(_ block: Block, _ piece: Range<Int>, _ level: Float) -> Int? {
    var found: Int?
    for channel in 0..<channels {
      let origin = channel * frames
      let range = origin + piece.lowerBound..<origin + (found ?? piece.upperBound)
      if let loud = block.firstFloat(in: range, atLeast: level) { found = loud - origin }
    }
    return found
  }

  /// The last one.
  fileprivate func lastLoud(_ block: Block, _ piece: Range<Int>, _ level: Float) -> Int? {
    var found: Int?
    for channel in 0..<channels {
      let origin = channel * frames
      let range = origin + (found.map { $0 + 1 } ?? piece.lowerBound)..<origin + piece.upperBound
      if let loud = block.lastFloat(in: range, atLeast: level) { found = loud - origin }
    }
    return found
  }
}

extension Float {
  /// The smallest float that isn't less than a number.
  fileprivate static func least(atLeast number: Double) -> Float {
    let nearest = Float(number)
    return Double(nearest) < number ? nearest.nextUp : nearest
  }
}
