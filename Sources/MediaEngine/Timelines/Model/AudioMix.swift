/// The volumes of an asset's tracks when they are mixed (AVAudioMix).
///
/// A track without parameters has the volume 1 throughout.
public struct AudioMix: Sendable, Hashable {
  /// The settings of one track (AVAudioMixInputParameters).
  public struct InputParameters: Sendable, Hashable {
    /// The track; 0 stands for the mix of all tracks, as of macOS 27.
    public var trackID: Int32
    /// The volume, 0 or more. Before the first entry it is 1.
    public var volume: [ValueRamp<Double>]
    /// The algorithm for scaled parts; nil for that of the export or the output.
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

  /// Returns the settings of a track; of several entries, the first.
  private func parameters(of trackID: Int32) -> InputParameters? {
    inputParameters.first { $0.trackID == trackID }
  }

  /// Returns true if there are settings of a track, or of the mix of all tracks.
  func hasParameters(of trackID: Int32) -> Bool {
    parameters(of: trackID) != nil || parameters(of: Self.wholeMixID) != nil
  }

  /// Returns the volumes of a track over time.
  func volume(of trackID: Int32) -> [ValueRamp<Double>] { parameters(of: trackID)?.volume ?? [] }

  /// Returns true if a track that is played alone isn't at its stored volume.
  func changesVolume(of trackID: Int32) -> Bool {
    !volume(of: trackID).isEmpty || !volume(of: Self.wholeMixID).isEmpty
  }

  fileprivate func timePitch(of trackID: Int32) -> AudioTimePitchAlgorithm? {
    parameters(of: trackID)?.audioTimePitchAlgorithm
      ?? parameters(of: Self.wholeMixID)?.audioTimePitchAlgorithm
  }
}

extension AudioMix? {
  /// Returns the algorithm for a track's speed: the track's own setting, else that for all tracks,
  /// else `usual`.
  func timePitch(
    of trackID: Int32, else usual: AudioTimePitchAlgorithm
  ) -> AudioTimePitchAlgorithm {
    self?.timePitch(of: trackID) ?? usual
  }
}

extension Presentation {
  /// Returns the asset with the requested audio mix.
  func mixed(by setting: PresentationSetting<AudioMix>) -> Presentation {
    var result = self
    result.audioMix = setting.resolved(own: audioMix)
    if case .custom = setting { result.mixesAudio = true }
    return result
  }
}
