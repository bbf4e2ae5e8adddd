import MediaTime

/// The position at which a resampler has to begin so that its output is the same as from the start.
///
/// Its filter repeats after the number of source samples that corresponds to a whole number of
/// output samples, and reaches a few samples to both sides.
struct Resampling {
  let source: Int64
  let target: Int64
  /// The number of source samples after which the filter repeats.
  let period: Int64
  /// The filter's reach and more, in samples of the source.
  let reach: Int64

  init(from source: Int, to target: Int) {
    self.source = Int64(max(1, source))
    self.target = Int64(max(1, target))
    var (a, b) = (self.source, self.target)
    while b != 0 { (a, b) = (b, a % b) }
    period = self.source / a
    reach = 256 * max(1, self.source / self.target + 1)
  }

  /// The duration that has to be decoded before the range.
  var preroll: Time {
    Time(value: period + reach, timescale: Int32(clamping: source))
  }

  /// Returns the sample of the source to begin with, for the sample `wanted` of the output.
  func start(for wanted: Int64, notBefore first: Int64) -> Int64 {
    guard wanted < Int64.max / (source + 1) else { return first }
    let needed = max(0, wanted * source / target - reach)
    let latest = needed - needed % period
    let earliest = first == 0 ? 0 : (first + period - 1) / period * period
    return max(earliest, latest)
  }

  /// Returns the sample of the output that begins together with a sample of the source.
  func output(for sample: Int64) -> Int64 { sample / period * (target * period / source) }
}
