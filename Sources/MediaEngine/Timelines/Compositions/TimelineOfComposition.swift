import MediaTime

extension Composition {
  /// Returns the composition as a value, of which an equal composition can be made.
  ///
  /// - Parameter location: where an asset is found again.
  public func timeline(
    _ location: (any Asset) -> CompositionTimeline.Source.Location
  ) -> CompositionTimeline {
    var sources: [String: CompositionTimeline.Source] = [:]
    var names: [ObjectIdentifier: String] = [:]
    func name(_ source: CompositionSource) -> String {
      if let known = names[ObjectIdentifier(source.asset)] { return known }
      let name = "s\(names.count + 1)"
      names[ObjectIdentifier(source.asset)] = name
      sources[name] = CompositionTimeline.Source(location(source.asset), isStill: source.isStill)
      return name
    }
    let tracks = state.tracks.map { track in
      let settings = track.settings
      return CompositionTimeline.Track(
        trackID: track.trackID, mediaType: track.mediaType, isEnabled: settings.isEnabled,
        naturalTimeScale: settings.naturalTimeScale, languageCode: settings.languageCode,
        extendedLanguageTag: settings.extendedLanguageTag,
        preferredTransform: settings.preferredTransform, preferredVolume: settings.preferredVolume,
        segments: track.segments.segments.map { segment in
          CompositionTimeline.Segment(
            source: segment.source.map(name), trackID: segment.source?.trackID,
            timeMapping: segment.assetMapping, playback: segment.source?.playback ?? .forward,
            speedRamp: segment.speedRamp)
        })
    }
    var timeline = CompositionTimeline(
      naturalSize: state.naturalSize, sources: sources, tracks: tracks,
      audioMix: state.audioMix, videoComposition: state.videoComposition)
    timeline.subtitleTracks = state.subtitleTracks
    return timeline
  }
}

extension MutableComposition {
  /// A composition of a timeline.
  ///
  /// - Parameter assets: those that the timeline's sources name.
  /// - Throws: one error with all that is wrong, with JSON pointers into the timeline; the errors
  ///   of opening an asset.
  public convenience init(
    _ timeline: CompositionTimeline, assets: [String: any Asset], path: String = "composition",
    configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) {
    self.init(path: path, configuration: configuration)
    try await replace(with: timeline, assets: assets)
  }
}

extension CompositionState {
  /// - Parameter inputs: the contents of the timeline's sources, by name.
  init(
    _ timeline: CompositionTimeline, _ inputs: [String: CompositionInput], of path: String
  ) throws(EngineError) {
    self.init()
    naturalSize = timeline.naturalSize
    audioMix = timeline.audioMix
    videoComposition = timeline.videoComposition
    subtitleTracks = timeline.subtitleTracks
    var problems = timeline.problems
    guard problems.isEmpty else { throw EngineError(problems, of: "The timeline can't be made") }
    for (number, track) in timeline.tracks.enumerated() {
      let trackID = try addTrack(track.mediaType, preferredTrackID: track.trackID, of: path)
      let place = "/tracks/\(number)"
      var candidates: [Candidate] = []
      for (index, segment) in track.segments.enumerated() {
        let input = segment.source.flatMap { inputs[$0] }
        let found = input?.tracks.first { $0.trackID == segment.trackID }
        if let input, found == nil {
          problems.append(
            .init(
              path: "\(place)/segments/\(index)/trackID",
              expected: "a track of '\(input.path)': "
                + input.tracks.map { String($0.trackID) }.joined(separator: ", "),
              got: segment.trackID.map(String.init) ?? "none", code: .noSourceTrack))
        }
        candidates.append(
          Candidate(
            track: found, path: input?.path ?? "", timeMapping: segment.timeMapping,
            playback: segment.playback, speedRamp: segment.speedRamp))
      }
      problems += try self.problems(of: candidates, in: trackID, of: path).map { problem in
        var placed = problem
        placed.path = place + problem.path
        return placed
      }
      guard problems.isEmpty else { continue }
      try set(candidates, in: trackID, of: path)
      try withTrack(trackID, of: path) { (made) throws(EngineError) in
        made.settings = CompositionTrackSettings(track)
      }
    }
    if !problems.isEmpty { throw EngineError(problems, of: "The timeline can't be made") }
  }
}

extension CompositionTrackSettings {
  fileprivate init(_ track: CompositionTimeline.Track) {
    self.init()
    isEnabled = track.isEnabled
    naturalTimeScale = track.naturalTimeScale
    languageCode = track.languageCode
    extendedLanguageTag = track.extendedLanguageTag
    preferredTransform = track.preferredTransform
    preferredVolume = track.preferredVolume
  }
}
