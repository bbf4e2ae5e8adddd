import LibAV
import MediaTime

extension CompositionState.Track {
  /// The track for those who read it.
  func info(path: String) -> TrackInfo? {
    let parts = segments.segments.map { segment -> TrackTimeline.Part in
      guard let source = segment.source else {
        return TrackTimeline.Part(emptyTarget: segment.mapping.target)
      }
      return TrackTimeline.Part(source.media, mapping: segment.mapping)
    }
    return TrackTimeline(parts: parts).map { timeline in
      TrackInfo(
        trackID: trackID, mediaType: mediaType, timeline: timeline, movie: nil, metadata: [],
        isEnabled: settings.isEnabled)
    }
  }
}
