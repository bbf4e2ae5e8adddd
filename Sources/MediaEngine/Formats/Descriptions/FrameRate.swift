import LibAV
import MediaTime

extension MediaFormat {
  /// In frames per second, 0 when unknown or no video. Of a movie it is the number of samples over
  /// their duration; a stream with a field in each sample has the rate of its fields.
  var nominalFrameRate: Double {
    guard kind == .video else { return 0 }
    return averageFrameRate.isPositive
      ? averageFrameRate.doubleValue : (baseFrameRate.isPositive ? baseFrameRate.doubleValue : 0)
  }

  /// A frame's duration by the nominal rate, as an exact fraction; invalid when unknown or no video. Where frames
  /// come at one distance it is that distance: the average loses some of it to the last frame.
  var nominalFrameDuration: Time {
    guard kind == .video else { return .invalid }
    let rate = hasConstantRate || !averageFrameRate.isPositive ? baseFrameRate : averageFrameRate
    guard rate.isPositive else { return .invalid }
    return Time(value: Int64(rate.denominator), timescale: rate.numerator)
  }

  /// A frame's duration by the rate that all times are multiples of; invalid when unknown.
  var minFrameDuration: Time {
    guard kind == .video else { return .invalid }
    let rate = baseFrameRate.isPositive ? baseFrameRate : averageFrameRate
    guard rate.isPositive else { return .invalid }
    return Time(value: Int64(rate.denominator), timescale: rate.numerator)
  }

  /// libav's average can be one: it is known, and not far above the rate that all times are multiples
  /// of, as it is where libav has mistaken the container's clock for it.
  var hasPlausibleRate: Bool {
    guard averageFrameRate.isPositive else { return false }
    return !baseFrameRate.isPositive
      || averageFrameRate.doubleValue < baseFrameRate.doubleValue * 1.5
  }

  /// Frames come at one distance: average and base rate agree, but for what their fractions lose.
  var hasConstantRate: Bool {
    guard averageFrameRate.isPositive, baseFrameRate.isPositive else { return false }
    return abs(averageFrameRate.doubleValue / baseFrameRate.doubleValue - 1) < 0.01
  }
}
