/// What becomes of the audio of a part of a track that is shown faster or slower than it is.
///
/// The part has exactly the samples that lie in its time on the track, whatever the speed. Nothing changes
/// where nothing is scaled in time.
public enum WireAudioTimePitchAlgorithm: String, Codable, Sendable, CaseIterable {
  /// The pitch stays, by overlapping pieces of the waveform: for speech, from 1/32 to 32 times the speed.
  case timeDomain
  /// The pitch stays, by a phase vocoder: for music, from 1/32 to 32 times the speed.
  case spectral
  /// The pitch follows the speed, as of a tape; from 1/256 to 256 times.
  case varispeed
}
