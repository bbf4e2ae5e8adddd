public import MediaTime

extension AudioMix {
  /// Returns everything that is wrong with the mix, in the order of its members.
  ///
  /// - Parameter tracks: the existing audio tracks; nil to skip the check of track IDs.
  package func problems(known tracks: Set<Int32>?) -> [EngineError.Problem] {
    var problems: [EngineError.Problem] = []
    var used: Set<Int32> = []
    for (number, parameters) in inputParameters.enumerated() {
      let path = "/inputParameters/\(number)"
      func add(_ expected: String, _ got: String) {
        problems.append(
          EngineError.Problem(
            path: path + "/trackID", expected: expected, got: got, code: .unsupportedOutputSettings)
        )
      }
      let trackID = parameters.trackID
      if trackID != Self.wholeMixID, tracks?.contains(trackID) == false {
        add("an audio track, or 0 for all of them", "\(trackID)")
      }
      if !used.insert(trackID).inserted { add("a number of its own", "\(trackID) again") }
      problems += parameters.volume.problems("\(path)/volume", "0 or more") {
        $0.isFinite && $0 >= 0
      }
    }
    return problems
  }
}

extension AudioMix {
  /// Returns the ramp of a track's volume that contains a time, else the first one that starts
  /// after it; nil after the last (AVAudioMixInputParameters `getVolumeRampForTime`).
  ///
  /// - Parameter trackID: 0 for the mix of all tracks.
  public func volumeRamp(ofTrack trackID: Int32, at time: Time) -> ValueRamp<Double>? {
    volume(of: trackID).ramp(at: time)
  }
}

extension PresentationSetting<AudioMix> {
  /// - Throws: `unsupportedOutputSettings` with all that is wrong with a custom mix.
  func requireNoProblems(with tracks: some Sequence<TrackInfo>) throws(EngineError) {
    guard case .custom(let mix) = self else { return }
    let audio = tracks.filter { $0.mediaType == .audio }
    let problems = mix.problems(known: Set(audio.map(\.trackID)))
    if !problems.isEmpty { throw EngineError(problems, of: "The audio mix") }
  }
}
