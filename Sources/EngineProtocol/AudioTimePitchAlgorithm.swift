/// The treatment of audio in a part of a track that is played faster or slower than it is stored.
///
/// The part has exactly the samples that lie in its time on the track, regardless of the speed. Nothing changes
/// if nothing is scaled in time.
public enum WireAudioTimePitchAlgorithm: String, Codable, Sendable, CaseIterable {
  /// The pitch stays, by overlapping segments of the waveform: for speech, from 1/32 to 32 times the speed.
  case timeDomain
  /// The pitch stays, by a phase vocoder: for music, from 1/32 to 32 times the speed.
  case spectral
  /// The pitch follows the speed, as with a tape; from 1/256 to 256 times.
  case varispeed
}
