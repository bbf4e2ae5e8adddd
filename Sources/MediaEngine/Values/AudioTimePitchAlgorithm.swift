/// How audio is played faster or slower (AVAudioTimePitchAlgorithm).
public enum AudioTimePitchAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// In the time domain: for speech, keeps the pitch.
  case timeDomain
  /// By its spectrum: for music, keeps the pitch; the default of exports and readers.
  case spectral
  /// By resampling: the pitch follows the rate.
  case varispeed
}
