import LibAV
import MediaTime

extension MediaFormat {
  /// The rate in frames per second, 0 if it is unknown or there is no video. For a movie, the
  /// number of samples over their duration. A stream with a field in each sample has the rate of
  /// its fields.
  var nominalFrameRate: Double {
    guard kind == .video else { return 0 }
    return averageFrameRate.isPositive
      ? averageFrameRate.doubleValue : (baseFrameRate.isPositive ? baseFrameRate.doubleValue : 0)
  }

  /// A frame's duration by the nominal rate, as an exact fraction; invalid if it is unknown or
  /// there is no video. At a constant rate it is the distance between frames: the average loses a
  /// part of it to the last frame.
  var nominalFrameDuration: Time {
    guard kind == .video else { return .invalid }
    let rate = hasConstantRate || !averageFrameRate.isPositive ? baseFrameRate : averageFrameRate
    guard rate.isPositive else { return .invalid }
    return Time(value: Int64(rate.denominator), timescale: rate.numerator)
  }

  /// A frame's duration by the rate that all times are multiples of; invalid if it is unknown.
  var minFrameDuration: Time {
    guard kind == .video else { return .invalid }
    let rate = baseFrameRate.isPositive ? baseFrameRate : averageFrameRate
    guard rate.isPositive else { return .invalid }
    return Time(value: Int64(rate.denominator), timescale: rate.numerator)
  }

  /// True if libav's average is plausible: it is known, and not far above the rate that all times
  /// are multiples of. It is far above if libav has mistaken the container's clock for it.
  var hasPlausibleRate: Bool {
    guard averageFrameRate.isPositive else { return false }
    return !baseFrameRate.isPositive
      || averageFrameRate.doubleValue < baseFrameRate.doubleValue * 1.5
  }

  /// True if frames have a constant distance: average and base rate agree, except for the rounding
  /// of their fractions.
  var hasConstantRate: Bool {
    guard averageFrameRate.isPositive, baseFrameRate.isPositive else { return false }
    return abs(averageFrameRate.doubleValue / baseFrameRate.doubleValue - 1) < 0.01
  }
}
