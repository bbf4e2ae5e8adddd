import LibAV
import MediaTime
import SystemIO

/// The tracks of a movie as timelines of parts, where an edit list asks for more than libavformat applies.
///
/// libavformat shifts the samples of each edit and hides those that it doesn't show. It takes every edit for
/// one at the media's own speed, shows the beginning of the media where an edit after the first piece is
/// empty, and cuts audio at the beginning only. So one piece of media, after empty edits or none, is left to
/// it; of any other list the media is read with its own times, and the parts are ours.
struct EditedMedia {
  private let source: MediaSource
  private let movie: Movie?
  private let interrupt: Interrupt
  /// The same file without its edit lists, opened at the first need.
  private var media: MediaSource?

  init(_ source: MediaSource, movie: Movie?, interrupt: Interrupt) {
    self.source = source
    self.movie = movie
    self.interrupt = interrupt
  }

  /// - Returns: nil where the track is the one that libavformat delivers.
  mutating func timeline(
    of stored: StoredTrack, _ track: MovieTrack, _ mediaType: MediaType
  ) throws(EngineError) -> TrackTimeline? {
    guard let movie, movie.timescale > 0, track.timescale > 0,
      !track.isAppliedByDemuxer(inFragments: movie.containsFragments)
    else { return nil }
    let media =
      self.media
      ?? MediaSource(
        .media(of: source), configuration: source.configuration, salvages: source.salvages,
        characterSet: source.characterSet)
    self.media = media
    let streams = try media.open(interrupt: interrupt).streams
    guard let stream = streams.first(where: { $0.index == stored.stream.index }),
      stream.id == stored.stream.id
    else { return nil }
    let unedited = StoredTrack(
      source: media, stream: stream, origin: .zero, encryptedTrackID: stored.encryptedTrackID,
      sampleDescription: stored.sampleDescription)
    let end = try track.mediaEnd(unedited.timeRange(interrupt: interrupt))
    let segments = track.segments(of: movie, mediaEnd: end)
    let tick = Time(value: 1, timescale: movie.timescale)
    let parts = segments.enumerated().flatMap { number, segment in
      segment.parts(
        of: unedited, mediaType, until: end, tick: tick,
        isFrozen: number == segments.count - 1 && mediaType == .video)
    }
    // A track begins with its first sample.
    let first = parts.firstIndex { !$0.isEmpty } ?? 0
    return try TrackTimeline(
      parts: Array(parts[first...]), of: mediaType, path: source.path,
      edited: EditedTrack(unedited))
  }
}

extension MovieTrack {
  /// Returns true for an edit list that libavformat applies correctly.
  fileprivate func isAppliedByDemuxer(inFragments: Bool) -> Bool {
    guard let last = edits.last, edits.contains(where: { !$0.isEmpty }) else { return true }
    return hasOneEdit && (last.duration > 0 || inFragments)
  }

  /// Returns the segments of the edit list.
  func segments(of movie: Movie, mediaEnd: Time) -> [AssetTrackSegment] {
    [AssetTrackSegment](
      edits: edits, clock: movie.timescale, mediaClock: timescale, mediaEnd: mediaEnd)
  }

  /// Returns the end of the media by its header, or by its samples, whose presentation may begin
  /// later.
  func mediaEnd(_ samples: TimeRange) -> Time {
    let stated = duration.map { Time(value: $0, timescale: max(1, timescale)) } ?? .zero
    return samples.end.isNumeric ? max(stated, samples.end) : stated
  }
}

extension AssetTrackSegment {
  /// Returns the segment as parts of a timeline: an edit that reaches beyond the media shows
  /// nothing there.
  ///
  /// - Parameters:
  ///   - tick: of the clock that the edits' durations are rounded to.
  ///   - isFrozen: true for the last of pictures, which shows the media's last one to its end.
  fileprivate func parts(
    of media: StoredTrack, _ mediaType: MediaType, until end: Time, tick: Time, isFrozen: Bool
  ) -> [TrackTimeline.Part] {
    let (source, target) = (timeMapping.source, timeMapping.target)
    guard !target.isEmpty else { return [] }
    // A moment of audio that is held can't be heard.
    guard !isEmpty, source.start < end, !(source.isEmpty && mediaType == .audio) else {
      return [TrackTimeline.Part(emptyTarget: target)]
    }
    if source.isEmpty {
      // The frame at that moment: no sample begins inside a tick.
      let moment = TimeRange(start: source.start, duration: media.duration(1))
      return [TrackTimeline.Part(media, mapping: TimeMapping(source: moment, target: target))]
    }
    guard source.end - end > tick, !isFrozen else {
      return [TrackTimeline.Part(media, mapping: timeMapping)]
    }
    let shown = TimeRange(
      start: target.start, end: end.mapped(from: source, to: target))
    let mapping = TimeMapping(source: TimeRange(start: source.start, end: end), target: shown)
    let rest = TimeRange(start: shown.end, end: target.end)
    return [TrackTimeline.Part(media, mapping: mapping), TrackTimeline.Part(emptyTarget: rest)]
  }
}
