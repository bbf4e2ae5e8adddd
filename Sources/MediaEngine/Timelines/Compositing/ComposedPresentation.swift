import MediaTime
import SystemIO

extension PresentationSource {
  /// Returns the asset's presentation, with its video composed to one track where that is
  /// requested.
  func presentation(
    _ presentation: Presentation, composedBy setting: PresentationSetting<VideoComposition>,
    drawnBy compositor: (any VideoCompositing)?, interrupt: Interrupt
  ) throws(EngineError) -> Presentation {
    guard let composition = setting.resolved(own: presentation.videoComposition) else {
      return presentation
    }
    return try presentation.composed(
      by: composition, drawnBy: compositor,
      duration: try preciseDuration(interrupt: interrupt),
      TextLoading(
        presentation: presentation, configuration: configuration, interrupt: interrupt))
  }
}

extension Presentation {
  /// Returns the same presentation with one video track, which shows the video composition of all
  /// of them.
  ///
  /// - Parameters:
  ///   - compositor: draws the pictures that the composition leaves to its caller.
  ///   - duration: of the asset.
  ///   - loading: loads its texts.
  /// - Throws: `invalidVideoComposition` with all that is wrong with it.
  func composed(
    by composition: VideoComposition, drawnBy compositor: (any VideoCompositing)?,
    duration: Time, _ loading: TextLoading
  ) throws(EngineError) -> Presentation {
    let video = tracks.filter { $0.mediaType == .video }
    let problems = composition.problems(known: Set(video.map(\.trackID)))
    guard problems.isEmpty else { throw .invalid(composition, problems, path: path) }
    let source = try ComposedSource(
      composition, of: video, drawnBy: compositor, end: duration, loading, path: path)
    let shown = Set(
      source.layerTracks.map(\.trackID)
        + composition.subtitles.compactMap { burnt in
          burnt.url == nil ? burnt.track(in: tracks)?.trackID : nil
        })
    let leading = source.layerTracks.first ?? video.first
    let trackID = leading?.trackID ?? (tracks.map(\.trackID).max() ?? 0) + 1
    let composed = TrackInfo(
      trackID: trackID, mediaType: .video, timeline: TrackTimeline(source), movie: nil,
      metadata: leading?.metadata ?? [], isEnabled: true)
    var result = self
    result.videoComposition = nil
    result.tracks = [composed]
    for var track in tracks where track.trackID != trackID {
      if shown.contains(track.trackID) { track.composedInto = trackID }
      result.tracks.append(track)
    }
    return result
  }
}

extension EngineError {
  fileprivate static func invalid(
    _ composition: VideoComposition, _ problems: [Problem], path: String
  ) -> EngineError {
    var error = EngineError(
      .invalidVideoComposition,
      "The video composition can't be used with '\(path)': "
        + problems.map { "\($0.path) must be \($0.expected), and is \($0.got)" }
        .joined(separator: "; "),
      advice: .correctVideoComposition, path: path)
    error.problems = problems
    return error
  }
}
