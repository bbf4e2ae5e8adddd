/// The processing of audio in a part that is played faster or slower than it is stored
/// (AVAudioTimePitchAlgorithm).
///
/// It has no effect on parts that aren't scaled in time.
public enum AudioTimePitchAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// Overlapping pieces of the waveform, moved to the best matching position: the pitch is
  /// preserved. For speech; from 1/32 to 32 times the speed.
  case timeDomain
  /// A phase vocoder: the pitch is preserved. For music; from 1/32 to 32 times the speed.
  case spectral
  /// Like a tape at another speed: the pitch follows the speed, from 1/256 to 256 times.
  case varispeed

  /// The maximum speed; its reciprocal is the minimum.
  var maximumSpeed: Int {
    switch self {
    case .timeDomain, .spectral: 32
    // The resampler's filter becomes longer with the ratio.
    case .varispeed: 256
    }
  }
}
