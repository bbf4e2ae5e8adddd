import MediaTime
import SystemIO

extension CompositionInput {
  /// Returns it with the files of subtitles of an asset that is made of parts of others, which its own exports have
  /// as tracks: here they are tracks too, whose parts move with the asset's other tracks.
  ///
  /// Its duration stays: cues after the end of the asset are beyond the range that is inserted by default.
  ///
  /// - Throws: the errors of opening the files; `noSourceTrack`.
  func addingSubtitles(
    of asset: any Asset, interrupt: Interrupt
  ) async throws(EngineError) -> CompositionInput {
    let files = asset.media.content.subtitles
    guard !files.isEmpty else { return self }
    // The segments have the offset, so that a document of them needs the file alone.
    let unmoved = files.map { file in
      var file = file
      file.timeOffset = .zero
      return file
    }
    var tracks = tracks
    let added = try await SubtitledAsset(asset, unmoved).addedTracks(interrupt: interrupt)
    for (info, added) in added {
      let range = try await info.preciseTimeRange(
        in: added.presentation.path, interrupt: interrupt)
      let track = Track(info, added, range, at: files[added.number].timeOffset, in: duration)
      if let place = tracks.firstIndex(where: { $0.trackID == info.trackID }) {
        tracks[place] = track
      } else {
        tracks.append(track)
      }
    }
    let ends = tracks.map(\.segments.end)
    return CompositionInput(
      segmented: tracks.filter { !$0.segments.segments.isEmpty }, path: path,
      duration: duration > .zero ? duration : ends.max() ?? .zero)
  }
}

extension CompositionInput.Track {
  /// - Parameters:
  ///   - range: the range of the samples of the file.
  ///   - offset: the time by which they are later in the asset.
  ///   - duration: that of the asset.
  fileprivate init(
    _ info: TrackInfo, _ added: SubtitledAsset.Added, _ range: TimeRange, at offset: Time,
    in duration: Time
  ) {
    let source = CompositionSource(
      asset: added.asset, trackID: added.trackID, timeline: info.timeline, isFrozen: false,
      timeRange: range, shownSize: .zero, file: SourceFile(ofTrackIn: added.presentation),
      info: info)
    let start = max(range.start, .zero - offset)
    var segments = SegmentList<CompositionSource>()
    if start < range.end {
      let shown = TimeRange(start: start, end: range.end)
      segments.insert([.init(source, range: shown, at: .zero)], at: start + offset)
    }
    self.init(
      trackID: info.trackID, mediaType: info.mediaType, segments: segments,
      timeRange: TimeRange(start: .zero, duration: segments.end),
      statedEnd: max(duration, segments.end), held: nil, isProtected: false)
  }
}

extension SourceFile {
  /// The file of a track, whose other contents don't count.
  fileprivate convenience init(ofTrackIn file: Presentation) {
    self.init(
      Presentation(
        path: file.path, tracks: file.tracks, pictures: [], metadata: [], tagsAreOfTheFile: false,
        attachments: file.attachments, chapters: []))
  }
}
