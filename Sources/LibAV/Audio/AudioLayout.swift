/// The layout of audio samples in memory.
package struct AudioLayout: Hashable, Sendable {
  package var format: SampleFormat
  /// The sample rate in hertz.
  package var sampleRate: Int
  package var channels: ChannelLayout

  package init(format: SampleFormat, sampleRate: Int, channels: ChannelLayout) {
    self.format = format
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

extension AudioLayout {
  /// Returns true if the same samples lie at the same positions: one channel is interleaved and
  /// planar at once.
  func isStored(like other: AudioLayout) -> Bool {
    guard sampleRate == other.sampleRate, channels == other.channels else { return false }
    return format == other.format
      || channels.channels == 1 && format.packed == other.format.packed
  }
}
