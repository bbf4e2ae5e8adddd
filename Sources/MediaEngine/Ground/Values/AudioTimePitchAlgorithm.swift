/// What becomes of the audio of a part that is shown faster or slower than it is
/// (AVAudioTimePitchAlgorithm).
///
/// It is of no effect where nothing is scaled in time.
public enum AudioTimePitchAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// Overlapping pieces of the waveform, moved to where they fit best: the pitch stays. For speech; from
  /// 1/32 to 32 times the speed.
  case timeDomain
  /// A phase vocoder: the pitch stays. For music; from 1/32 to 32 times the speed.
  case spectral
  /// As a tape that runs faster or slower: the pitch follows the speed, from 1/256 to 256 times.
  case varispeed

  /// The fastest that it can; the slowest is one of so many parts of the speed.
  var maximumSpeed: Int {
    switch self {
    case .timeDomain, .spectral: 32
    // The resampler's filter becomes longer with the ratio.
    case .varispeed: 256
    }
  }
}
