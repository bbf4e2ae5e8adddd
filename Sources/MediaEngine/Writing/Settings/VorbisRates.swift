import LibAV

/// The bit rates that libvorbis takes, and the setting where it takes none.
///
/// It has a table for each range of sample rates, and refuses to be opened for a rate that no table of them has
/// (`vorbis_encode_setup_managed` in vorbisenc.c).
enum VorbisRates {
  /// The maximum sample rate of a table, and the bits per second of one channel: of stereo, whose channels are coupled,
  /// and of any other number.
  private static let tables:
    [(sampleRate: Int, stereo: ClosedRange<Int64>, other: ClosedRange<Int64>)] =
      [
        (8_999, 6_000...42_000, 8_000...42_000), (14_999, 8_000...50_000, 12_000...50_000),
        (18_999, 12_000...100_000, 16_000...100_000), (25_999, 15_000...90_000, 16_000...90_000),
        (39_999, 18_000...190_000, 30_000...190_000), (50_000, 22_500...250_000, 32_000...240_000),
      ]
  /// Of six channels, which have a table of their own.
  private static let surround = (sampleRates: 40_000...70_000, bits: Int64(14_000)...240_000)

  /// Returns the bits per second of all channels; nil for a sample rate whose tables are by quality alone.
  static func range(of layout: AudioLayout) -> ClosedRange<Int64>? {
    let (rate, channels) = (layout.sampleRate, layout.channels.channels)
    let bits: ClosedRange<Int64>?
    if channels == 6, surround.sampleRates.contains(rate) {
      bits = surround.bits
    } else {
      let table = rate < 8_000 ? nil : tables.first { rate <= $0.sampleRate }
      bits = table.map { channels == 2 ? $0.stereo : $0.other }
    }
    let count = Int64(channels)
    return bits.map { $0.lowerBound * count...$0.upperBound * count }
  }

  /// The encoder's options for quality 5 of 10, which is about the usual bit rate, in units of libavutil's
  /// FF_QP2LAMBDA.
  static let quality = ["flags": "+qscale", "global_quality": String(5 * 118)]
}

extension Int64 {
  func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
