import LibAV
import MediaTime
import SystemIO

/// A track of an asset, of which a composition can show parts.
struct CompositionSource: SegmentSource {
  /// The asset that the track is one of: a file's, or bytes that the program supplies.
  let asset: any Asset
  let trackID: Int32
  let timeline: TrackTimeline
  let isHeld: Bool
  /// The range of the track that can be shown.
  let timeRange: TimeRange
  /// Of its pictures as they are shown: upright, of square pixels.
  let shownSize: Size
  /// The presentation of the asset.
  let file: SourceFile
  /// The track, as the asset presents it.
  let info: TrackInfo?
}

/// The presentation of an asset of which a composition shows parts: one value for all of its
/// segments.
final class SourceFile: Sendable {
  let presentation: Presentation
  /// The asset's tracks of data, which no composition shows.
  let omitted: [OmittedTrack]

  init(_ presentation: Presentation) {
    self.presentation = presentation
    omitted = presentation.tracksOfData
  }

  var path: String { presentation.path }
}

/// The part that an asset has in a composition: its presentation, track by track.
struct CompositionInput: Sendable {
  struct Track: Sendable {
    let trackID: Int32
    let mediaType: MediaType
    /// From the asset's zero on.
    let segments: SegmentList<CompositionSource>
    let timeRange: TimeRange
    /// The end that the asset or the track states, if that is later than the end of its samples.
    let statedEnd: Time
    /// Nil but for a single picture, which can be shown for any duration.
    let held: CompositionSource?
    let isProtected: Bool
    /// The track as its asset presents it; of a composition's, with the number that it has there.
    var info: TrackInfo? {
      var info = segments.segments.lazy.compactMap(\.source).first?.info
      info?.trackID = trackID
      return info
    }

    /// - Throws: `contentIsProtected`.
    func requireUnprotected(of path: String) throws(EngineError) {
      guard isProtected else { return }
      throw EngineError(
        .contentIsProtected,
        "Track \(trackID) of '\(path)' is encrypted and can't be part of a composition",
        advice: .useUnprotectedTrack, path: path)
    }
  }

  let path: String
  let tracks: [Track]
  /// The end of the last track.
  let duration: Time
  /// The asset's own duration, if that is longer: the time that its tracks don't fill is empty.
  let statedEnd: Time

  /// Suspends while the asset is opened, and while the ranges of its tracks are determined.
  ///
  /// - Throws: the errors of opening; `contentIsProtected`, `operationNotSupportedForAsset` for an
  ///   asset without an end.
  static func load(
    _ asset: any Asset, interrupt: Interrupt
  ) async throws(EngineError) -> CompositionInput {
    if let segmented = asset.media.content.segmented { return segmented }
    let presentation = try await asset.media.content.loadPresentation(interrupt: interrupt)
    let file = SourceFile(presentation)
    var tracks: [Track] = []
    // An asset may be without any, and its tracks still there.
    let stated = (try? await asset.load(.duration)) ?? .invalid
    for info in presentation.tracks {
      let timeline = info.timeline
      for case let source? in timeline.parts.map(\.source) {
        try await source.prepareTimeRange(interrupt: interrupt)
      }
      let range =
        if let source = timeline.source { try source.preciseTimeRange(interrupt: interrupt) } else {
          try timeline.timeRange(interrupt: interrupt)
        }
      guard range.end.isNumeric else {
        throw EngineError(
          .operationNotSupportedForAsset,
          "Track \(info.trackID) of '\(presentation.path)' has no end, so no composition can show it",
          path: presentation.path)
      }
      let own = try timeline.timeRange(interrupt: interrupt)
      var isHeld = false
      if let media = timeline.source, info.mediaType == .video {
        isHeld = try await media.isSinglePicture(interrupt: interrupt)
      }
      let source = CompositionSource(
        asset: asset, trackID: info.trackID, timeline: timeline, isHeld: isHeld, timeRange: range,
        shownSize: info.shownSize, file: file, info: info)
      var segments = SegmentList<CompositionSource>()
      segments.insert([.init(source, range: range, at: range.start)], at: range.start)
      tracks.append(
        Track(
          trackID: info.trackID, mediaType: info.mediaType, segments: segments, timeRange: range,
          statedEnd: [range.end, own.end, stated].filter(\.isNumeric).max() ?? .zero,
          held: isHeld ? source : nil, isProtected: info.isProtected))
    }
    return CompositionInput(
      path: presentation.path, tracks: tracks,
      duration: tracks.map(\.timeRange.end).max() ?? .zero)
  }

  private init(path: String, tracks: [Track], duration: Time) {
    (self.path, self.tracks, self.duration) = (path, tracks, duration)
    statedEnd = max(duration, tracks.map(\.statedEnd).max() ?? .zero)
  }

  /// Creates the input of an asset that is made of parts of others.
  ///
  /// - Parameter tracks: those that aren't empty.
  init(segmented tracks: [Track], path: String, duration: Time) {
    (self.path, self.tracks, self.duration, statedEnd) = (path, tracks, duration, duration)
  }

  /// Returns the part that some of its tracks have.
  ///
  /// - Throws: `noSourceTrack` where the selection names a missing track, and where it selects
  ///   none.
  func selecting(_ selection: TrackSelection) throws(EngineError) -> CompositionInput {
    let infos = tracks.compactMap(\.info)
    let known = infos.map(\.shortDescription)
    if let problem = selection.problems(with: infos, at: "").first {
      throw EngineError(
        .noSourceTrack, "'\(path)' has no track \(problem.got)",
        advice: .chooseTrack(of: known), path: path)
    }
    let taken = tracks.filter { track in
      track.info.map { selection.reasonToLeaveOut($0) == nil } ?? true
    }
    guard !taken.isEmpty else {
      throw EngineError(
        .noSourceTrack, "All tracks of '\(path)' are left out",
        advice: .chooseTrack(of: known), path: path)
    }
    return CompositionInput(path: path, tracks: taken, duration: duration, statedEnd: statedEnd)
  }

  private init(path: String, tracks: [Track], duration: Time, statedEnd: Time) {
    (self.path, self.tracks, self.duration, self.statedEnd) = (path, tracks, duration, statedEnd)
  }

  func track(_ trackID: Int32) throws(EngineError) -> Track {
    if let track = tracks.first(where: { $0.trackID == trackID }) { return track }
    let known = tracks.map { String($0.trackID) }
    throw EngineError(
      .noSourceTrack, "'\(path)' has no track \(trackID)",
      advice: .chooseTrack(of: known), path: path)
  }
}

extension CompositionInput.Track {
  /// Returns the segments of a range of the track for a duration, from zero on.
  func segments(
    in range: TimeRange, lasting duration: Time
  ) -> [SegmentList<CompositionSource>.Segment] {
    if let held {
      let target = TimeRange(start: .zero, duration: duration)
      return [.init(held, TimeMapping(source: held.timeRange, target: target))]
    }
    var found = SegmentList(segments.segments(in: range))
    if found.end < range.duration {
      let missing = TimeRange(start: found.end, end: range.duration)
      found.insert([.init(nil, range: missing, at: found.end)])
    }
    if duration != range.duration {
      found.scale(TimeRange(start: .zero, duration: range.duration), to: duration)
    }
    return found.segments
  }
}

extension Presentation {
  /// Tracks of a camera in addition to pictures and audio: places, movements, settings.
  fileprivate var tracksOfData: [OmittedTrack] {
    tracks.filter { $0.mediaType == .metadata }.map { track in
      OmittedTrack(
        trackID: track.trackID, mediaType: track.mediaType, codec: track.format.parameters.name,
        path: path)
    }
  }
}

extension TrackInfo {
  /// Of its pictures as they are shown, upright.
  var shownSize: Size {
    let size = naturalSize
    return preferredTransform.orientation?.swapsAxes == true
      ? Size(width: size.height, height: size.width) : size
  }
}

extension TrackSource {
  /// Makes the index where the container's times are estimates.
  fileprivate func prepareTimeRange(interrupt: Interrupt) async throws(EngineError) {
    guard let stored else { return }
    if try stored.needsIndexForTimeRange(interrupt: interrupt) {
      try await stored.prepareIndex(interrupt: interrupt)
    }
  }

  fileprivate func preciseTimeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    guard let stored, try stored.needsIndexForTimeRange(interrupt: interrupt) else {
      return try timeRange(interrupt: interrupt)
    }
    let index = try stored.index(interrupt: interrupt)
    guard let start = index.start, let end = index.end else {
      return try timeRange(interrupt: interrupt)
    }
    let counted = try stored.source.trackEnd(of: stored.stream, by: .count, interrupt: interrupt)
    return TimeRange(
      start: max(.zero, stored.time(start)),
      end: counted ?? stored.time(end))
  }

  /// Returns true for a photo, or a file with one frame.
  func isSinglePicture(interrupt: Interrupt) async throws(EngineError) -> Bool {
    // A longer file needn't be indexed to know.
    guard let stored, stored.duration(stored.stream.duration ?? 0) <= Time(value: 1, timescale: 1)
    else { return false }
    try await stored.prepareIndex(interrupt: interrupt)
    return try stored.index(interrupt: interrupt).samples.count == 1
  }
}

extension StoredTrack {
  fileprivate func needsIndexForTimeRange(interrupt: Interrupt) throws(EngineError) -> Bool {
    if stream.startTime == nil || stream.duration == nil || stream.needsCountedEnd { return true }
    return source.durationNeedsScan(try source.open(interrupt: interrupt))
  }
}
