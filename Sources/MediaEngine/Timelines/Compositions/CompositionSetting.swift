/// A property of a composition as a whole, with its new value.
public enum CompositionSetting: Sendable, Hashable {
  /// The canvas of pictures, in square pixels; nil for the size of the first picture.
  case naturalSize(Size?)
  /// The volumes of the tracks in a mix, by default; nil for no mix.
  case audioMix(AudioMix?)
  /// The composition of pictures from the video tracks, by default; nil for none.
  case videoComposition(VideoComposition?)
  /// The files of subtitles that exports make tracks of, by default.
  case subtitleTracks([SubtitleFile])
}

extension CompositionState {
  mutating func set(_ settings: [CompositionSetting]) {
    for setting in settings {
      switch setting {
      case .naturalSize(let size): naturalSize = size
      case .audioMix(let mix): audioMix = mix
      case .videoComposition(let composition): videoComposition = composition
      case .subtitleTracks(let files): subtitleTracks = files
      }
    }
  }

  /// Returns all that is wrong with settings for these tracks, by the rules of timelines, with JSON
  /// pointers.
  func problems(of settings: [CompositionSetting]) -> [EngineError.Problem] {
    var set = CompositionState()
    set.set(settings)
    var timeline = CompositionTimeline(
      naturalSize: set.naturalSize,
      tracks: tracks.map { .init(trackID: $0.trackID, mediaType: $0.mediaType) },
      audioMix: set.audioMix, videoComposition: set.videoComposition)
    timeline.subtitleTracks = set.subtitleTracks
    return timeline.problems
  }

  /// Removes the settings for a track from the mix and the video composition, so that they name
  /// only existing tracks.
  mutating func removeSettings(ofTrack trackID: Int32) {
    audioMix?.inputParameters.removeAll { $0.trackID == trackID }
    guard var composition = videoComposition else { return }
    if composition.sourceTrackIDForFrameTiming == trackID {
      composition.sourceTrackIDForFrameTiming = nil
    }
    for number in composition.instructions.indices {
      composition.instructions[number].layerInstructions.removeAll { $0.trackID == trackID }
    }
    videoComposition = composition
  }
}

extension Composition {
  /// The default for making its pictures.
  public var videoComposition: VideoComposition? { state.videoComposition }
  /// The default for mixing its audio.
  public var audioMix: AudioMix? { state.audioMix }

  /// Returns all that is wrong with settings for this composition's tracks, with JSON pointers.
  public func problems(of settings: [CompositionSetting]) -> [EngineError.Problem] {
    state.problems(of: settings)
  }
}

extension MutableComposition {
  /// Sets properties of the composition as a whole: all of them, or none.
  ///
  /// - Throws: one error with all that is wrong: `unsupportedOutputSettings` or `invalidVideoComposition`.
  @discardableResult
  public func set(
    _ settings: [CompositionSetting]
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      let problems = state.problems(of: settings)
      if !problems.isEmpty { throw EngineError(problems, of: "Nothing was set of '\(self.path)'") }
      state.set(settings)
    }
  }
}
