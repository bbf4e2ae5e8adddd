import LibAV
public import MediaTime
import SystemIO

/// An asset made of parts of others (AVComposition), which never changes: a ``MutableComposition`` as it was
/// at a moment.
///
/// It is read as any asset. It has no metadata and no chapters of its own.
public final class Composition: Asset, PresentationSource {
  public let path: String
  public let properties: AssetProperties
  /// How many edits had been made.
  public let revision: Int
  let state: CompositionState
  let configuration: EngineConfiguration
  let content: Presentation

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
    var known: Set<OmittedTrack> = []
    content = Presentation(
      path: path, tracks: tracks, pictures: [], metadata: [], tagsAreOfTheFile: false,
      attachments: [], chapters: [], canvas: canvas,
      omittedTracks: state.sources.flatMap(\.omitted).filter { known.insert($0).inserted },
      mixesAudio: true, audioMix: state.audioMix,
      videoComposition: state.videoComposition)
    let queues = LoadQueues()
    properties = AssetProperties(
      CompositionProperties(
        knownTracks: content.tracks.map { AssetTrack($0, queues: queues) }, duration: state.duration
      ),
      queues: queues)
  }

  public var media: AssetMedia { AssetMedia(self) }
  /// Where the last of its tracks ends.
  public var duration: Time { state.duration }
  /// The segments of a track, in order; empty for a track that shows nothing.
  ///
  /// - Throws: `noSourceTrack`.
  public func segments(ofTrack trackID: Int32) throws(EngineError) -> [CompositionTrackSegment] {
    try state.track(trackID, of: path).segments.segments.map(CompositionTrackSegment.init)
  }

  var segmented: CompositionInput? {
    CompositionInput(
      segmented: state.tracks.filter { !$0.segments.segments.isEmpty }.map { track in
        CompositionInput.Track(
          trackID: track.trackID, mediaType: track.mediaType, segments: track.segments,
          timeRange: TimeRange(start: .zero, duration: track.segments.end),
          statedEnd: duration, held: nil, isProtected: false)
      }, path: path, duration: duration)
  }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation { content }
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation { content }
  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time { duration }
  /// What parts cover was found out when they were inserted.
  var prefersPreciseTiming: Bool { true }

  func unpresented(interrupt: Interrupt) throws(EngineError) -> [UnpresentedItem] {
    var found: [UnpresentedItem] = []
    func add(
      _ kind: UnpresentedItem.Kind, track trackID: Int32? = nil, _ key: String?, of path: String
    ) {
      let same = found.firstIndex {
        $0.kind == kind && $0.trackID == trackID && $0.key == key
      }
      guard let same else {
        found.append(UnpresentedItem(kind: kind, trackID: trackID, key: key, paths: [path]))
        return
      }
      if !found[same].paths.contains(path) { found[same].paths.append(path) }
    }
    var seen: Set<ObjectIdentifier> = []
    for source in state.sources where seen.insert(ObjectIdentifier(source.asset)).inserted {
      let file = try source.asset.media.content.presentation(interrupt: interrupt)
      if !file.chapters.isEmpty { add(.chapters, nil, of: file.path) }
      for item in file.metadata where item.describesMedia {
        add(item.isArtwork ? .artwork : .metadata, item.identifier, of: file.path)
      }
      let shown = file.metadata.filter(\.isArtwork)
      for picture in file.pictures where !picture.isAmong(shown) {
        add(.artwork, picture.media.stream.parameters.codecName, of: file.path)
      }
      for stream in file.attachments {
        add(.attachment, stream.metadata.first { $0.key == "filename" }?.value, of: file.path)
      }
      for part in file.opaqueParts { add(.metadata, part, of: file.path) }
    }
    for track in state.tracks {
      for source in track.segments.segments.compactMap(\.source) {
        let file = try source.asset.media.content.presentation(interrupt: interrupt)
        guard let info = file.tracks.first(where: { $0.trackID == source.trackID }) else {
          continue
        }
        let settings = track.settings
        if settings.languageCode == nil, settings.extendedLanguageTag == nil,
          let language = info.extendedLanguageTag
        {
          add(.language, track: track.trackID, language, of: file.path)
        }
        let name = info.metadata.first { $0.commonKey == "title" }?.value.text
        if let name, !name.isEmpty, !file.tagsAreOfTheFile {
          add(.trackName, track: track.trackID, name, of: file.path)
        }
      }
    }
    return found
  }

  var files: [String] {
    var known: Set<String> = []
    return state.sources.flatMap(\.asset.media.content.files).filter { known.insert($0).inserted }
  }
}

/// A part of a composition's track (AVCompositionTrackSegment).
public struct CompositionTrackSegment: Sendable {
  /// The asset that is shown, with its track; nil in an empty segment.
  public var asset: (any Asset)?
  public var trackID: Int32?
  /// From the clock of that track to the composition's.
  public var timeMapping: TimeMapping

  /// - Parameters:
  ///   - asset: nil for an empty segment.
  public init(asset: (any Asset)?, trackID: Int32?, timeMapping: TimeMapping) {
    (self.asset, self.trackID, self.timeMapping) = (asset, trackID, timeMapping)
  }

  init(_ segment: SegmentList<CompositionSource>.Segment) {
    self.init(
      asset: segment.source?.asset, trackID: segment.source?.trackID, timeMapping: segment.mapping)
  }

  public var isEmpty: Bool { asset == nil }
}

private struct CompositionProperties: AssetPropertySource {
  let knownTracks: [AssetTrack]
  let duration: Time
  let isDurationDeep = false

  func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack] { knownTracks }
  func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem] { [] }
  func duration(interrupt: Interrupt) throws(EngineError) -> Time { duration }
  func providesPreciseDuration(interrupt: Interrupt) throws(EngineError) -> Bool { true }
  func movie(interrupt: Interrupt) throws(EngineError) -> Movie? { nil }
  func chapterLocale(interrupt: Interrupt) throws(EngineError) -> String? { nil }
  func chapterGroups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup] { [] }
}
