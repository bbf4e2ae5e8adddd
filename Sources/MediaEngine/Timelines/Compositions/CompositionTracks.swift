import MediaTime

extension CompositionState.Track {
  /// Returns the track for readers.
  ///
  /// - Parameter canvas: the canvas of its pictures.
  func info(path: String, canvas: Canvas?) throws(EngineError) -> TrackInfo {
    let parts = segments.segments.flatMap { segment -> [TrackTimeline.Part] in
      guard let source = segment.source else {
        return [TrackTimeline.Part(emptyTarget: segment.mapping.target)]
      }
      return source.timeline.parts(showing: segment.mapping)
    }
    let timeline = try TrackTimeline(parts: parts, of: mediaType, path: path, canvas: canvas)
    let first = segments.segments.lazy.compactMap(\.source).first
    var info = TrackInfo(
      trackID: trackID, mediaType: mediaType, timeline: timeline, movie: nil,
      metadata: first?.trackName.map { [$0] } ?? [],
      isEnabled: settings.isEnabled, settings: settings)
    info.origin = first?.info.map(TrackOrigin.init)
    info.statedDisposition = first?.info?.statedDisposition
    return info
  }
}

extension CompositionSource {
  /// The name of the track that is shown, where the asset states one of it.
  var trackName: MetadataItem? {
    guard let info, !file.presentation.tagsAreOfTheFile else { return nil }
    return info.metadata.first { $0.commonKey == "title" && $0.value.text?.isEmpty == false }
  }
}

extension CompositionState {
  /// The canvas of pictures: the size that was set, else that of the first picture.
  var canvas: Canvas? {
    let first = tracks.lazy.filter { $0.mediaType == .video }
      .compactMap { $0.segments.segments.lazy.compactMap(\.source).first?.shownSize }.first
    guard let size = naturalSize ?? first, size.width >= 1, size.height >= 1 else { return nil }
    return Canvas(width: Int(size.width.rounded()), height: Int(size.height.rounded()))
  }
}
