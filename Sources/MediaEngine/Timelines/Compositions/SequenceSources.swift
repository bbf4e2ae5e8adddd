import LibAV
import MediaTime
import SystemIO

/// A track of a clip that its sequence doesn't show.
struct UnusedTrack: Sendable, Hashable {
  /// Its number in the clip's asset.
  let trackID: Int32
  let mediaType: MediaType
  /// FFmpeg's name of its codec.
  let codec: String
  /// The track of the file that it shows first.
  let path: String
  let fileTrackID: Int32
  /// The files of all tracks of the asset.
  let files: Set<String>
  var reason = ""

  /// Nil for a track that shows nothing.
  init?(_ track: CompositionInput.Track, amongTracksOf files: Set<String>) {
    guard let source = track.segments.segments.lazy.compactMap(\.source).first,
      let info = source.info
    else { return nil }
    (trackID, mediaType, self.files) = (track.trackID, track.mediaType, files)
    codec = info.format.parameters.name
    (path, fileTrackID) = (source.file.path, source.trackID)
  }
}

extension ClipSequence {
  /// Returns the tracks of the clips' sources that aren't among those of the sequence, and that no property of a clip
  /// leaves out.
  func unusedTracks(_ sources: [Location: SourceFacts]) -> [UnusedTrack] {
    clips.flatMap { clip -> [UnusedTrack] in
      guard let facts = clip.location.flatMap({ sources[$0] }) else { return [] }
      let taken = [facts.video, facts.audio].compactMap { $0?.trackID }
      let isHeard = clip.volume > 0 && clip.freeze == nil
      return facts.allTracks.compactMap { track in
        guard !taken.contains(track.trackID), isHeard || track.mediaType != .audio else {
          return nil
        }
        var unused = track
        unused.reason =
          track.trackID != facts.subtitles?.trackID
          ? "isn't the first of its kind, and a sequence takes one of a clip"
          : clip.showsSubtitles
            ? "isn't shown"
            : "has the subtitles of a clip that isn't played forward at a constant speed"
        return unused
      }
    }
  }
}

extension ClipSequence.Clip {
  /// True where subtitles can be shown at the times of its pictures.
  var showsSubtitles: Bool { freeze == nil && speedRamp.isEmpty && !speed.isBackward }
}

extension MutableComposition {
  /// Lists the tracks of the clips of a sequence that its timeline doesn't show among the items that exports leave out.
  ///
  /// - Parameter sources: the facts that the timeline was made of, which this composition has.
  public func listUnusedTracks(
    of sequence: ClipSequence, sources: [ClipSequence.Location: ClipSequence.SourceFacts]
  ) {
    setUnusedTracks(sequence.unusedTracks(sources))
  }
}

extension CompositionState {
  /// The tracks of the sequence that it was made of which are still missing: those of files that it shows.
  var listedUnusedTracks: [OmittedTrack] {
    guard !unusedTracks.isEmpty else { return [] }
    let paths = Set(sources.map(\.file.path))
    return unusedTracks.compactMap { track in
      let isShown = sources.contains {
        $0.file.path == track.path && $0.trackID == track.fileTrackID
      }
      guard !isShown, !track.files.isDisjoint(with: paths) else { return nil }
      return OmittedTrack(
        trackID: track.fileTrackID, mediaType: track.mediaType, codec: track.codec,
        path: track.path, reason: track.reason)
    }
  }
}

extension ClipSequence.SourceFacts {
  /// Loads the required facts about an asset: its first tracks of video, of audio and of subtitles.
  ///
  /// - Throws: the errors of opening it, and those of inserting parts of it into a composition.
  public static func load(_ asset: any Asset) async throws(EngineError) -> Self {
    let input = try await withTaskInterrupt(parent: nil) { (interrupt) async throws(EngineError) in
      try await CompositionInput.load(asset, interrupt: interrupt)
    }
    func first(_ type: MediaType) -> CompositionInput.Track? {
      input.tracks.first { $0.mediaType == type && !$0.timeRange.isEmpty }
    }
    var facts = Self(statedEnd: input.statedEnd)
    if let video = first(.video) {
      facts.video = Track(trackID: video.trackID, timeRange: video.timeRange)
      facts.size = video.segments.segments.lazy.compactMap(\.source).first?.shownSize
      facts.isStill = video.held != nil
    }
    facts.audio = first(.audio).map { Track(trackID: $0.trackID, timeRange: $0.timeRange) }
    if let subtitles = first(.subtitle) ?? first(.text) {
      facts.subtitles = Track(trackID: subtitles.trackID, timeRange: subtitles.timeRange)
      facts.subtitleType = subtitles.mediaType
    }
    let files = Set(
      input.tracks.flatMap { $0.segments.segments.compactMap { $0.source?.file.path } })
    facts.allTracks = input.tracks.filter { $0.canBeInserted && !$0.timeRange.isEmpty }.compactMap {
      UnusedTrack($0, amongTracksOf: files)
    }
    if let video = facts.video, !facts.isStill {
      let track = try await asset.load(.tracks).first { $0.trackID == video.trackID }
      let duration = try await track?.load(.minFrameDuration) ?? .invalid
      // Of a track without a constant rate the shortest frame is no interval for all of them.
      if duration.isNumeric, duration >= Time(value: 1, timescale: 240) {
        facts.frameDuration = duration
      }
    }
    return facts
  }
}
