import LibAV
import MediaTime
import SystemIO

/// A track of an asset, of which a composition can show parts.
struct CompositionSource: SegmentSource {
  /// The asset that the track is one of: a file's, or bytes that the program supplies.
  let asset: any Asset
  let trackID: Int32
  /// The track as it is played.
  private(set) var timeline: TrackTimeline
  private(set) var isFrozen: Bool
  /// The way in which it is played.
  private(set) var playback = SegmentPlayback.forward
  /// The frame of a frozen track, in the asset's track.
  private(set) var frozenTime: Time?
  /// The course of its speed; nil for a constant one.
  private(set) var ramp: SpeedRamp?
  /// The settings of the compositions that it was inserted from.
  private(set) var ignoredSettings: [IgnoredSetting] = []
  /// The track of the asset.
  private let original: TrackTimeline
  /// The range of the track that can be shown.
  let timeRange: TimeRange
  /// Of its pictures as they are shown: upright, of square pixels.
  let shownSize: Size
  /// The presentation of the asset.
  let file: SourceFile
  /// The track, as the asset presents it.
  let info: TrackInfo?

  init(
    asset: any Asset, trackID: Int32, timeline: TrackTimeline, isFrozen: Bool, timeRange: TimeRange,
    shownSize: Size, file: SourceFile, info: TrackInfo?
  ) {
    (self.asset, self.trackID, self.timeline, self.isFrozen) = (asset, trackID, timeline, isFrozen)
    (self.timeRange, self.shownSize, self.file, self.info) = (timeRange, shownSize, file, info)
    original = timeline
  }

  /// Converts a range of the track between its own clock and that of its opposite: both clocks
  /// present ``timeRange``.
  func mirrored(_ range: TimeRange) -> TimeRange {
    range.mirrored(around: timeRange.start + timeRange.end)
  }

  /// Returns the track played in the opposite direction.
  func reversed() throws(EngineError) -> CompositionSource {
    guard !isFrozen else { return self }
    var copy = self
    copy.ramp = nil
    if playback == .reverse {
      (copy.playback, copy.timeline) = (.forward, original)
    } else {
      copy.playback = .reverse
      copy.timeline = try original.mirrored(over: timeRange, info?.mediaType ?? .video)
    }
    guard let ramp else { return copy }
    let pivot = ramp.curve.sourceDuration
    return try copy.ramped(
      SpeedRamp(
        curve: ramp.curve.reversed, points: ramp.points,
        mapping: TimeMapping(
          source: mirrored(ramp.mapping.source), target: ramp.mapping.target.mirrored(around: pivot)
        )))
  }

  /// Returns the track played at a speed that changes: with the clock of the curve.
  ///
  /// - Parameter ramp: of the track as it is played, which has none.
  func ramped(_ ramp: SpeedRamp) throws(EngineError) -> CompositionSource {
    var copy = self
    copy.ramp = ramp
    copy.timeline = try timeline.ramped(ramp, info?.mediaType ?? .video)
    return copy
  }

  /// Returns the track as another composition than its own shows it: without some of the settings.
  func ignoring(_ settings: [IgnoredSetting]) -> CompositionSource {
    var copy = self
    copy.ignoredSettings += settings.filter { !ignoredSettings.contains($0) }
    return copy
  }

  /// Returns the asset's time that is shown at a time of the track as it is played.
  func assetTime(_ time: Time) -> Time {
    let own = ramp?.playedTime(time) ?? time
    return playback == .reverse ? timeRange.start + timeRange.end - own : own
  }

  /// Returns the time of the track as it is played at which a time of the asset is shown.
  func playedTime(ofAsset time: Time) -> Time {
    let own = playback == .reverse ? timeRange.start + timeRange.end - time : time
    return ramp?.time(ofPlayed: own) ?? own
  }

  /// Returns the track with the frame that is shown at a time of it held throughout; nil where there
  /// is no frame.
  ///
  /// - Parameter time: on the track's clock as it is played.
  func frozen(at time: Time) throws(EngineError) -> CompositionSource? {
    guard !isFrozen else { return self }
    // Of a reversed frame, which ends with a time of the asset, the last moment.
    let tick = Time(ticks: 1, in: original.format.timeBase)
    let played = ramp?.playedTime(time) ?? time
    let own = playback == .reverse ? timeRange.start + timeRange.end - played - tick : played
    guard let held = try original.held(at: own) else { return nil }
    var copy = self
    (copy.timeline, copy.isFrozen, copy.playback, copy.frozenTime) = (held, true, .freeze, own)
    copy.ramp = nil
    return copy
  }
}

/// A setting of a composition that its tracks lack in another one.
struct IgnoredSetting: Sendable, Hashable {
  let kind: UnpresentedItem.Kind
  /// The name of the composition.
  let path: String
}

/// The way in which a segment of a composition plays a range of its source.
public enum SegmentPlayback: String, Sendable, Hashable, CaseIterable {
  case forward
  /// From its end to its start.
  case reverse
  /// The frame at its start throughout.
  case freeze

  /// The kinds of tracks that can be played at a speed that changes.
  static let kindsOfRamps: [MediaType] = [.video, .audio]

  /// The kinds of tracks that can be played so; nil for all.
  var kinds: [MediaType]? {
    switch self {
    case .forward: nil
    case .reverse: [.video, .audio]
    case .freeze: [.video]
    }
  }
}

extension TrackTimeline {
  /// Returns the track from its end to its start, over the same range.
  fileprivate func mirrored(
    over range: TimeRange, _ mediaType: MediaType
  ) throws(EngineError) -> TrackTimeline {
    let pivot = range.start + range.end
    if let source { return TrackTimeline(ReversedSource(source, pivot: pivot)) }
    let mirrored = parts.reversed().map { part -> Part in
      let target = part.mapping.target.mirrored(around: pivot)
      guard let source = part.source else { return Part(emptyTarget: target) }
      let shown = part.mapping.source
      return Part(
        ReversedSource(source, pivot: shown.start + shown.end),
        mapping: TimeMapping(source: shown, target: target))
    }
    return try TrackTimeline(parts: mirrored, of: mediaType, path: format.path)
  }

  /// Returns a track of the frame that is shown at a time; nil where there is none.
  fileprivate func held(at time: Time) throws(EngineError) -> TrackTimeline? {
    if let source { return TrackTimeline(FreezeFrameSource(source, at: time)) }
    guard let part = parts.last(where: { $0.mapping.target.start <= time }),
      let source = part.source, time < part.mapping.target.end
    else { return nil }
    return TrackTimeline(FreezeFrameSource(source, at: part.sourceTime(time)))
  }
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
    if let segmented = asset.media.content.segmented {
      return try await segmented.addingSubtitles(of: asset, interrupt: interrupt)
    }
    let presentation = try await asset.media.content.loadPresentation(interrupt: interrupt)
    let file = SourceFile(presentation)
    var tracks: [Track] = []
    // An asset may be without any, and its tracks still there.
    let stated = (try? await asset.load(.duration)) ?? .invalid
    for info in presentation.tracks {
      let timeline = info.timeline
      let range = try await info.preciseTimeRange(in: presentation.path, interrupt: interrupt)
      let own = try timeline.timeRange(interrupt: interrupt)
      var isFrozen = false
      if let media = timeline.source, info.mediaType == .video {
        isFrozen = try await media.isSinglePicture(interrupt: interrupt)
      }
      let source = CompositionSource(
        asset: asset, trackID: info.trackID, timeline: timeline, isFrozen: isFrozen,
        timeRange: range,
        shownSize: info.shownSize, file: file, info: info)
      var segments = SegmentList<CompositionSource>()
      segments.insert([.init(source, range: range, at: range.start)], at: range.start)
      tracks.append(
        Track(
          trackID: info.trackID, mediaType: info.mediaType, segments: segments, timeRange: range,
          statedEnd: [range.end, own.end, stated].filter(\.isNumeric).max() ?? .zero,
          held: isFrozen ? source : nil, isProtected: info.isProtected))
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
  /// Returns the segments of a range of the track for a duration, from zero on, as they are played.
  ///
  /// - Throws: `operationNotAllowed` for a freeze where no frame is shown.
  func segments(
    in range: TimeRange, lasting duration: Time, _ playback: SegmentPlayback
  ) throws(EngineError) -> [SegmentList<CompositionSource>.Segment] {
    switch playback {
    case .forward: return segments(in: range, lasting: duration)
    case .reverse:
      var reversed: [SegmentList<CompositionSource>.Segment] = []
      for segment in segments(in: range, lasting: duration).reversed() {
        reversed.append(try segment.reversed())
      }
      return reversed
    case .freeze:
      guard let source = try frozen(at: range.start) else {
        throw EngineError(
          .operationNotAllowed,
          "Track \(trackID) shows no frame at \(range.start.secondsDescription) that could be held")
      }
      let shown = source.playback == .freeze ? FreezeFrameSource.timeRange : source.timeRange
      let target = TimeRange(start: .zero, duration: duration)
      return [.init(source, TimeMapping(source: shown, target: target))]
    }
  }

  /// Returns the source with the frame that is shown at a time; nil where there is none.
  func frozen(at time: Time) throws(EngineError) -> CompositionSource? {
    if let held { return held }
    let shown = segments.segments.last { $0.mapping.target.start <= time }
    guard let shown, let source = shown.source, time < shown.mapping.target.end else { return nil }
    if source.isFrozen { return source }
    return try source.frozen(
      at: time.mapped(from: shown.mapping.target, to: shown.mapping.source))
  }

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

extension CompositionSource {
  /// True for a photo, or a file with one frame.
  var isStill: Bool { isFrozen && playback != .freeze }
}

extension SegmentList<CompositionSource>.Segment {
  /// The mapping from the clock of the asset's track.
  var assetMapping: TimeMapping {
    guard let source else { return mapping }
    var mapping = mapping
    switch source.playback {
    case .forward where source.ramp == nil: break
    case .forward, .reverse:
      let ends = [mapping.source.start, mapping.source.end].map(source.assetTime)
      mapping.source = TimeRange(start: min(ends[0], ends[1]), end: max(ends[0], ends[1]))
    case .freeze: mapping.source = TimeRange(start: source.frozenTime ?? .zero, duration: .zero)
    }
    return mapping
  }

  /// Returns it played in the opposite direction. Its target stays.
  fileprivate func reversed() throws(EngineError) -> Self {
    guard let source, !source.isFrozen else { return self }
    var mapping = mapping
    mapping.source =
      source.ramp.map { mapping.source.mirrored(around: $0.curve.duration) }
      ?? source.mirrored(mapping.source)
    return Self(try source.reversed(), mapping)
  }
}

extension Presentation {
  /// Tracks of a camera in addition to pictures and audio: places, movements, settings.
  fileprivate var tracksOfData: [OmittedTrack] {
    tracks.filter { $0.mediaType == .metadata }.map { track in
      OmittedTrack(
        trackID: track.trackID, mediaType: track.mediaType, codec: track.format.parameters.name,
        path: path, reason: "holds data, and a composition shows pictures, audio and text")
    }
  }
}

extension TrackInfo {
  /// Returns the range of its samples. Suspends while it is determined.
  ///
  /// - Throws: `operationNotSupportedForAsset` for a track without an end.
  func preciseTimeRange(
    in path: String, interrupt: Interrupt
  ) async throws(EngineError) -> TimeRange {
    for case let source? in timeline.parts.map(\.source) {
      try await source.prepareTimeRange(interrupt: interrupt)
    }
    let range =
      if let source = timeline.source { try source.preciseTimeRange(interrupt: interrupt) } else {
        try timeline.timeRange(interrupt: interrupt)
      }
    if range.end.isNumeric { return range }
    throw EngineError(
      .operationNotSupportedForAsset,
      "Track \(trackID) of '\(path)' has no end, so no composition can show it", path: path)
  }

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
    if let stored { return try stored.preciseTimeRange(interrupt: interrupt) }
    return try timeRange(interrupt: interrupt)
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
