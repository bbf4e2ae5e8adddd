import LibAV
public import MediaTime
import SystemIO

/// An asset made of parts of others (AVComposition), which never changes: a ``MutableComposition`` as it was
/// at a moment.
///
/// It is read as any asset. Its chapters are those of its parts, at their times in it; its metadata, pictures and
/// attachments are those of its first part, and each of its tracks has the language, name and dispositions of the
/// first part's track. (AVComposition has none of these.)
public final class Composition: Asset, PresentationSource {
  public let path: String
  public let properties: AssetProperties
  /// The number of edits that had been made.
  public let revision: Int
  let state: CompositionState
  let configuration: EngineConfiguration
  let content: Presentation
  /// The parts that are shown in order of time, of all tracks.
  let parts: CompositionParts
  /// The parts of the tracks whose files have chapters: music under pictures has chapters that count, unless the
  /// pictures' files have some.
  let chaptered: CompositionParts

  init(
    _ state: CompositionState, path: String, configuration: EngineConfiguration
  ) throws(EngineError) {
    self.state = state
    self.path = path
    self.configuration = configuration
    revision = state.revision
    let canvas = state.canvas
    var tracks: [TrackInfo] = []
    for track in state.tracks { tracks.append(try track.info(path: path, canvas: canvas)) }
    let sources = state.sourcesOfFiles
    // A file that is opened twice is listed once.
    var known: Set<OmittedTrack> = []
    parts = CompositionParts(of: state.tracks)
    chaptered = CompositionParts(of: state.tracks.filter(\.hasChapters))
    let first = parts.leading?.source.file.presentation
    content = Presentation(
      path: path, tracks: tracks, pictures: first?.pictures ?? [],
      metadata: parts.leadingMetadata(first?.metadata ?? []), tagsAreOfTheFile: false,
      attachments: first?.attachments ?? [], chapters: chaptered.chapters,
      partChapters: { [parts] in parts.partChapters }, canvas: canvas,
      omittedTracks: (sources.flatMap(\.file.omitted) + state.listedUnusedTracks).filter {
        known.insert($0).inserted
      },
      mixesAudio: true, audioMix: state.audioMix,
      videoComposition: state.videoComposition)
    let queues = LoadQueues()
    properties = AssetProperties(
      CompositionProperties(
        knownTracks: content.tracks.map { AssetTrack($0, queues: queues) },
        duration: state.duration, chapters: content.chapters, parts: parts, chaptered: chaptered),
      queues: queues)
  }

  public var media: AssetMedia { AssetMedia(self) }
  /// The end of the last of its tracks.
  public var duration: Time { state.duration }
  /// Returns the segments of a track, in order; empty for a track that shows nothing.
  ///
  /// - Throws: `noSourceTrack`.
  public func segments(ofTrack trackID: Int32) throws(EngineError) -> [CompositionTrackSegment] {
    try state.track(trackID, of: path).segments.segments.map(CompositionTrackSegment.init)
  }

  var segmented: CompositionInput? {
    CompositionInput(
      segmented: state.tracks.filter { !$0.segments.segments.isEmpty }.map { track in
        let ignored = settings(ofTrack: track)
        return CompositionInput.Track(
          trackID: track.trackID, mediaType: track.mediaType,
          segments: ignored.isEmpty
            ? track.segments : track.segments.mapSources { $0.ignoring(ignored) },
          timeRange: TimeRange(start: .zero, duration: track.segments.end),
          statedEnd: duration, held: nil, isProtected: false)
      }, path: path, duration: duration)
  }

  /// The settings of the composition that change how a track is seen or heard.
  private func settings(ofTrack track: CompositionState.Track) -> [IgnoredSetting] {
    var kinds: [UnpresentedItem.Kind] = []
    switch track.mediaType {
    case .video:
      if state.videoComposition != nil { kinds.append(.videoComposition) }
      if track.settings.preferredTransform != .identity { kinds.append(.preferredTransform) }
    case .audio:
      if state.audioMix?.hasParameters(of: track.trackID) == true { kinds.append(.audioMix) }
      if track.settings.preferredVolume != 1 { kinds.append(.preferredVolume) }
    default: break
    }
    return kinds.map { IgnoredSetting(kind: $0, path: path) }
  }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation { content }
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation { content }
  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time { duration }
  var subtitles: [SubtitleFile] { state.subtitleTracks }
  /// The ranges of parts were determined when they were inserted.
  var prefersPreciseTiming: Bool { true }

  func unpresented(interrupt: Interrupt) throws(EngineError) -> [UnpresentedItem] {
    UnpresentedItems(of: self, state).items
  }

  var files: [String] {
    var known: Set<String> = []
    return state.sources.flatMap(\.asset.media.content.files).filter { known.insert($0).inserted }
  }

  var isWaitingForBytes: Bool {
    state.sources.contains { $0.asset.media.content.isWaitingForBytes }
  }
}

/// A part of a composition's track (AVCompositionTrackSegment).
public struct CompositionTrackSegment: Sendable {
  /// The asset that is shown, with its track; nil in an empty segment.
  public var asset: (any Asset)?
  public var trackID: Int32?
  /// From the clock of that track to the composition's.
  public var timeMapping: TimeMapping
  /// The source of a freeze begins with its frame; its duration doesn't count.
  public var playback: SegmentPlayback
  /// The course of the speed over the source's range, in ascending order; none for a constant one. The
  /// duration of the target scales all speeds alike.
  public var speedRamp: [SpeedPoint]

  /// - Parameters:
  ///   - asset: nil for an empty segment.
  public init(
    asset: (any Asset)?, trackID: Int32?, timeMapping: TimeMapping,
    playback: SegmentPlayback = .forward, speedRamp: [SpeedPoint] = []
  ) {
    (self.asset, self.trackID, self.timeMapping) = (asset, trackID, timeMapping)
    (self.playback, self.speedRamp) = (playback, speedRamp)
  }

  init(_ segment: SegmentList<CompositionSource>.Segment) {
    self.init(
      asset: segment.source?.asset, trackID: segment.source?.trackID,
      timeMapping: segment.assetMapping, playback: segment.source?.playback ?? .forward,
      speedRamp: segment.speedRamp)
  }

  public var isEmpty: Bool { asset == nil }
}

private struct CompositionProperties: AssetPropertySource {
  let knownTracks: [AssetTrack]
  let duration: Time
  let isDurationDeep = false
  let chapters: [ChapterSpan]
  let parts: CompositionParts
  let chaptered: CompositionParts

  func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack] { knownTracks }
  func duration(interrupt: Interrupt) throws(EngineError) -> Time { duration }
  func providesPreciseDuration(interrupt: Interrupt) throws(EngineError) -> Bool { true }
  func movie(interrupt: Interrupt) throws(EngineError) -> Movie? { nil }

  func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem] {
    guard let leading = parts.leading else { return [] }
    let source = leading.source.asset.properties.source
    return parts.leadingMetadata(try source.metadata(interrupt: interrupt))
  }

  func chapterLocale(interrupt: Interrupt) throws(EngineError) -> String? {
    guard !chapters.isEmpty else { return nil }
    let first = chaptered.parts.first { !$0.source.file.presentation.chapters.isEmpty }
    return try first?.source.asset.properties.source.chapterLocale(interrupt: interrupt) ?? "und"
  }

  func chapterGroups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup] {
    let locale = try chapterLocale(interrupt: interrupt)
    return chapters.map { $0.group(locale: locale) }
  }
}
