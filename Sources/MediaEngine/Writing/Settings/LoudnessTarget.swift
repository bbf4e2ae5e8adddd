/// The loudness of an export's audio (ITU-R BS.1770-4, EBU R 128).
///
/// The audio is measured first, and then multiplied by one factor, so that its dynamics stay. Where its true
/// peak would exceed the limit, the audio becomes only as loud as the limit allows.
public struct LoudnessTarget: Sendable, Hashable {
  /// The loudness of the whole, gated, in LUFS: from -70 to 0.
  public var integratedLoudness: Double
  /// The greatest true peak, in dBTP: from -20 to 0.
  public var truePeak: Double

  public init(integratedLoudness: Double, truePeak: Double = -1) {
    self.integratedLoudness = integratedLoudness
    self.truePeak = truePeak
  }
}

/// The loudness that an export has measured of a track, and the gain that it has applied.
public struct AppliedLoudness: Sendable, Hashable {
  /// The track's number in the source; of several that are mixed the first one's.
  public var trackID: Int32
  public var target: LoudnessTarget
  /// The loudness of the audio as it would be encoded without a target, in LUFS; nil where nothing is above the gate.
  public var sourceIntegratedLoudness: Double?
  /// The true peak of that audio, in dBTP; nil for digital silence.
  public var sourceTruePeak: Double?
  /// The gain in dB; 0 where the audio is unchanged.
  public var gain: Double
  /// The factor by which the encoder multiplies all samples, which the audio is divided by.
  var encoderLevel = 1.0
  /// The reason why the loudness isn't the target's; nil where it is.
  public var deviation: String?

  /// The loudness of the audio as it is encoded, in LUFS; nil where nothing is above the gate.
  ///
  /// It isn't the source's plus the gain where the gain moves parts of the audio over the gate at -70 LUFS.
  public var integratedLoudness: Double?
  /// The true peak of the audio as it is encoded, in dBTP; nil for digital silence. A codec with loss may raise it.
  public var truePeak: Double? { sourceTruePeak.map { $0 + gain } }
}
