import MediaTime

extension Time {
  /// The timescale of times for which there is no exact one: 1/705,600,000 s holds the frames of every usual frame
  /// rate and the samples of every usual sampling rate (https://github.com/facebookarchive/Flicks).
  static let flickTimescale: Int32 = 705_600_000

  /// The maximum duration of a timeline. A movie's clock can count it, and no film is as long: 68 years.
  static let maximumTimelineDuration = Time(value: Int64(Int32.max), timescale: 1)
}
