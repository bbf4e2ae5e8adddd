/// How loud the tracks of an asset are when they are mixed (AVAudioMix).
///
/// A track without parameters has the volume 1 throughout.
public struct AudioMix: Sendable, Hashable {
  /// What is set for one track (AVAudioMixInputParameters).
  public struct InputParameters: Sendable, Hashable {
    /// The track; 0 stands for the mix of all of them, as of macOS 27.
    public var trackID: Int32
    /// The volume, 0 or more. Before the first entry it is 1.
    public var volume: [ValueRamp<Double>]
    /// Nil for the algorithm of the export or the output.
    public var audioTimePitchAlgorithm: AudioTimePitchAlgorithm?

    public init(
      trackID: Int32, volume: [ValueRamp<Double>] = [],
      audioTimePitchAlgorithm: AudioTimePitchAlgorithm? = nil
    ) {
      self.trackID = trackID
      self.volume = volume
      self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    }
  }

  public var inputParameters: [InputParameters]

  public init(inputParameters: [InputParameters] = []) {
    self.inputParameters = inputParameters
  }
}
