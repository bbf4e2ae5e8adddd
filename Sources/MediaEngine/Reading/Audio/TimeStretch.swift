import LibAV
import MediaTime

/// Makes audio last longer or shorter: blocks of planar samples in, blocks of planar samples out.
///
/// Both sides are counted from the start of the part that is scaled. The output depends on the
/// samples only: not on the sizes of blocks, nor on where reading begins.
protocol TimeStretcher: AnyObject {
  /// The source's samples that are needed, by their numbers.
  var input: Range<Int64> { get }
  /// The number of the first output sample.
  var firstOutput: Int64 { get }
  /// Adds the source's next samples, an array for each channel.
  func append(_ planes: [[Float]]) throws(EngineError)
  /// Ends the input: silence follows.
  func finish() throws(EngineError)
  /// Appends the next output samples to `planes`, a bounded number; returns 0 when more of the
  /// source is needed, and after the end.
  func next(into planes: inout [[Float]]) throws(EngineError) -> Int
  /// The highest number of the source's samples per channel that was held at once.
  var maximumHeld: Int { get }
}

/// The map from output samples to those of the source, both counted from the part's first.
///
/// It ascends, and is defined for numbers outside the part, too.
protocol StretchMap: Sendable {
  /// Returns the source's sample that is heard with a sample of the output, or the last one before
  /// it.
  func source(of output: Int64) -> Int64
  /// Returns true if the source isn't faster there than it was recorded.
  func isSlow(at output: Int64) -> Bool
}

/// A map at a speed that changes.
protocol VaryingStretchMap: StretchMap {
  /// Returns the position in the source of a sample of the output, in samples.
  func position(of output: Int64) -> Double
  /// The highest number of the source's samples for one of the output.
  var maximumStep: Double { get }
}

/// The speed at which a part is shown: samples of the source for each output sample, exactly.
struct StretchRatio: Hashable, StretchMap {
  let numerator: Int64
  let denominator: Int64

  /// Nil where one of the durations isn't numeric or isn't positive.
  init?(_ mapping: TimeMapping) {
    let (source, target) = (mapping.source.duration, mapping.target.duration)
    guard source.isNumeric, target.isNumeric, source.value > 0, target.value > 0 else { return nil }
    self.init(
      Int128(source.value) * Int128(target.timescale),
      Int128(target.value) * Int128(source.timescale))
  }

  /// In lowest terms. Terms of more than 62 bits are rounded: less than a sample in a billion years.
  init(_ numerator: Int128, _ denominator: Int128) {
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    var (top, bottom) = (numerator / a, denominator / a)
    while max(top, bottom) >= 1 << 62 { (top, bottom) = (max(1, top >> 1), max(1, bottom >> 1)) }
    self.numerator = Int64(top)
    self.denominator = Int64(bottom)
  }

  func isSlow(at output: Int64) -> Bool { numerator <= denominator }

  func source(of output: Int64) -> Int64 {
    let product = Int128(output) * Int128(numerator)
    let quotient = product / Int128(denominator)
    return Int64(clamping: product < quotient * Int128(denominator) ? quotient - 1 : quotient)
  }

  /// Returns true if it is at most `limit` times as fast, and at most `limit` times slower.
  func isWithin(_ limit: Int) -> Bool {
    Int128(numerator) <= Int128(denominator) * Int128(limit)
      && Int128(denominator) <= Int128(numerator) * Int128(limit)
  }

  /// Returns the same with the source at another sample rate than the output.
  func resampled(from source: Int, to target: Int) -> StretchRatio {
    StretchRatio(Int128(numerator) * Int128(source), Int128(denominator) * Int128(target))
  }

  /// Returns the nearest ratio whose terms are at most `limit`, by its continued fraction.
  func approximated(limit: Int64) -> StretchRatio {
    let (top, bottom, limit) = (Int128(numerator), Int128(denominator), Int128(limit))
    typealias Terms = (top: Int128, bottom: Int128)
    func distance(_ terms: Terms) -> Int128 {
      let difference = top * terms.bottom - terms.top * bottom
      return difference < 0 ? -difference : difference
    }
    var (n, d) = (top, bottom)
    var (before, last): (Terms, Terms) = ((0, 1), (1, 0))
    while d != 0 {
      let quotient = n / d
      // As much of the quotient as there is room for.
      var part = quotient
      if last.top > 0 { part = min(part, (limit - before.top) / last.top) }
      if last.bottom > 0 { part = min(part, (limit - before.bottom) / last.bottom) }
      let next = (top: part * last.top + before.top, bottom: part * last.bottom + before.bottom)
      guard part == quotient else {
        // Of the ratio below 1: this one or its inverse.
        let (one, other) = top < bottom ? (last.bottom, next.bottom) : (last.top, next.top)
        let isNearer = last.bottom == 0 || distance(next) * one < distance(last) * other
        return isNearer ? StretchRatio(next.top, next.bottom) : StretchRatio(last.top, last.bottom)
      }
      (before, last) = (last, next)
      (n, d) = (d, n % d)
    }
    return self
  }
}

/// The part to stretch, and its configuration.
struct StretchRequest {
  let curve: RateCurve
  /// In hertz, before and after; different for varispeed only.
  let sourceRate: Int
  let rate: Int
  let channels: ChannelLayout
  /// The number of samples of the part in its source.
  let sourceCount: Int64
  /// The samples that are wanted, counted from the part's first.
  let wanted: Range<Int64>

  /// The speed over the part.
  enum RateCurve {
    case constant(StretchRatio)
    case varying(any VaryingStretchMap)

    var map: any StretchMap {
      switch self {
      case .constant(let ratio): ratio
      case .varying(let map): map
      }
    }
  }

  func makeStretcher(
    _ algorithm: AudioTimePitchAlgorithm
  ) throws(EngineError) -> any TimeStretcher {
    switch algorithm {
    case .timeDomain: OverlapAdd(try WaveformFrames(self), self)
    case .spectral: OverlapAdd(try VocoderFrames(self), self)
    case .varispeed:
      switch curve {
      case .constant(let ratio): try Varispeed(self, ratio)
      case .varying(let map): VaryingSpeed(self, map)
      }
    }
  }
}
