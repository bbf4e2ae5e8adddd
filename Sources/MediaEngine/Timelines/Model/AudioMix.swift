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

extension AudioMix {
  /// The number that stands for the mix of all tracks.
  static let wholeMixID: Int32 = 0

  /// What is set for a track; of several entries the first.
  private func parameters(of trackID: Int32) -> InputParameters? {
    inputParameters.first { $0.trackID == trackID }
  }

  /// The course of a track's volume.
  func volume(of trackID: Int32) -> [ValueRamp<Double>] { parameters(of: trackID)?.volume ?? [] }

  /// Whether a track that is heard alone isn't as loud as it is stored.
  func changesVolume(of trackID: Int32) -> Bool {
    !volume(of: trackID).isEmpty || !volume(of: Self.wholeMixID).isEmpty
  }

  fileprivate func timePitch(of trackID: Int32) -> AudioTimePitchAlgorithm? {
    parameters(of: trackID)?.audioTimePitchAlgorithm
      ?? parameters(of: Self.wholeMixID)?.audioTimePitchAlgorithm
  }
}

extension AudioMix? {
  /// How a track is played faster or slower: as is set for it, else for all tracks, else for what reads them.
  func timePitch(
    of trackID: Int32, else usual: AudioTimePitchAlgorithm
  ) -> AudioTimePitchAlgorithm {
    self?.timePitch(of: trackID) ?? usual
  }
}

extension Presentation {
  /// The asset with what is asked for as its audio mix.
  func mixed(by setting: PresentationSetting<AudioMix>) -> Presentation {
    var result = self
    result.audioMix = setting.resolved(own: audioMix)
    if case .custom = setting { result.mixesAudio = true }
    return result
  }
}
