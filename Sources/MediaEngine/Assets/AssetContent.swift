import Dispatch
import LibAV
import MediaTime
import SystemIO

/// What the keys of a file's asset come to, computed on the asset's queues.
final class AssetContent: PresentationSource {
  private let source: MediaSource
  let configuration: EngineConfiguration
  private let options: URLAsset.Options
  private let queues: LoadQueues
  private let presentation = SingleFlight<Presentation>()
  private let tracks = SingleFlight<[AssetTrack]>()

  init(
    source: MediaSource, configuration: EngineConfiguration, options: URLAsset.Options,
    queues: LoadQueues
  ) {
    self.source = source
    self.configuration = configuration
    self.options = options
    self.queues = queues
  }

  var files: [String] { [source.path] }
  var knownTracks: [AssetTrack] { tracks.value ?? [] }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation {
    try presentation.get(interrupt: interrupt) { () throws(EngineError) in
      let container = try source.open(interrupt: interrupt)
      let movie = try source.movie(interrupt: interrupt)
      return Presentation(container, movie: movie, source: source)
    }
  }

  /// As ``presentation(interrupt:)``, made on the file's own thread.
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation {
    if let known = presentation.value { return known }
    try await source.preparation.run(isHeavy: false, interrupt: interrupt) {
      () throws(EngineError) in
      _ = try self.presentation(interrupt: interrupt)
    }
    return try presentation(interrupt: interrupt)
  }

  private func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack] {
    let infos = try presentation(interrupt: interrupt).tracks
    return try tracks.get(interrupt: interrupt) { infos.map { AssetTrack($0, queues: queues) } }
  }

  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    try source.duration(precise: true, interrupt: interrupt)
  }

  func duration(interrupt: Interrupt) throws(EngineError) -> Time {
    try source.duration(precise: options.preferPreciseDurationAndTiming, interrupt: interrupt)
  }

  /// True for what may go through the whole file.
  func isDeep(_ key: AssetKey) -> Bool {
    key == .illustratedChapters || key == .duration && options.preferPreciseDurationAndTiming
  }

  func value(of key: AssetKey, interrupt: Interrupt) throws(EngineError) -> AssetValue {
    switch key {
    case .duration: return .time(try duration(interrupt: interrupt))
    case .providesPreciseDurationAndTiming:
      let container = try source.open(interrupt: interrupt)
      return .bool(options.preferPreciseDurationAndTiming || !source.durationNeedsScan(container))
    // A file is not live.
    case .minimumTimeOffsetFromLive: return .time(.invalid)
    case .preferredRate:
      return .double(try source.movie(interrupt: interrupt)?.preferredRate ?? 1)
    case .preferredVolume:
      return .double(try source.movie(interrupt: interrupt)?.preferredVolume ?? 1)
    case .canContainFragments:
      return .bool(try source.movie(interrupt: interrupt)?.canContainFragments ?? false)
    case .containsFragments:
      return .bool(try source.movie(interrupt: interrupt)?.containsFragments ?? false)
    case .overallDurationHint:
      return .time(try source.movie(interrupt: interrupt)?.overallDurationHint ?? .invalid)
    case .isCompatibleWithSavedPhotosAlbum, .isCompatibleWithAirPlayVideo: return .bool(false)
    case .variants: return .variants
    case .metadata: return .metadata(try metadata(interrupt: interrupt))
    case .commonMetadata:
      return .metadata(try metadata(interrupt: interrupt).filter { $0.commonKey != nil })
    case .availableMetadataFormats:
      return .texts(availableMetadataFormats(of: try metadata(interrupt: interrupt)))
    case .creationDate:
      return .item(try metadata(interrupt: interrupt).first { $0.commonKey == "creationDate" })
    case .lyrics:
      return .text(try metadata(interrupt: interrupt).lazy.compactMap(\.lyrics).first)
    case .availableChapterLocales:
      return .texts(
        try chapters(interrupt: interrupt).locale(interrupt: interrupt).map { [$0] } ?? [])
    case .chapters, .illustratedChapters:
      let isIllustrated = key == .illustratedChapters
      return .timedGroups(
        try chapters(interrupt: interrupt)
          .groups(isIllustrated: isIllustrated, interrupt: interrupt))
    case .tracks: return .tracks(try tracks(interrupt: interrupt))
    case .trackGroups: return .trackGroups(try tracks(interrupt: interrupt).alternateGroups)
    case .preferredTransform:
      return .transform(try firstVideo(interrupt: interrupt)?.info.preferredTransform ?? .identity)
    case .naturalSize: return .size(try firstVideo(interrupt: interrupt)?.naturalSize ?? .zero)
    case .hasProtectedContent:
      return
        .bool(try tracks(interrupt: interrupt).contains(where: \.info.isProtected))
    case .isPlayable, .isReadable, .isComposable:
      let tracks = try tracks(interrupt: interrupt)
      // Of an asset that is encrypted in part, the other tracks can be used.
      return .bool(tracks.contains { $0.info.stream.isDecodableMedia && !$0.info.isProtected })
    case .isExportable:
      return .bool(try !tracks(interrupt: interrupt).allSatisfy(\.info.isProtected))
    case .mediaSelectionGroups:
      return .selectionGroups(try tracks(interrupt: interrupt).selectionGroups)
    case .availableMediaCharacteristicsWithMediaSelectionOptions:
      let groups = try tracks(interrupt: interrupt).selectionGroups
      return .characteristics(groups.map(\.characteristic))
    case .preferredMediaSelection:
      return .selection(try tracks(interrupt: interrupt).selectionGroups.preferredSelection)
    case .allMediaSelections:
      return .selections(try tracks(interrupt: interrupt).selectionGroups.allSelections())
    }
  }

  private func firstVideo(interrupt: Interrupt) throws(EngineError) -> AssetTrack? {
    try tracks(interrupt: interrupt).first { $0.mediaType == .video }
  }

  private func chapters(interrupt: Interrupt) throws(EngineError) -> Chapters {
    Chapters(source: source, presentation: try presentation(interrupt: interrupt))
  }

  private func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem] {
    let container = try source.open(interrupt: interrupt)
    let keySpace = container.demuxer.metadataKeySpace
    let presentation = try presentation(interrupt: interrupt)
    var items = presentation.metadata
    if container.metadata.isEmpty, container.hasOneTrack, !presentation.tagsAreOfTheFile {
      let tags = container.streams.flatMap(\.metadata)
      items = MetadataItem.merged(items, with: tags, keySpace: keySpace)
    }
    guard !items.contains(where: { $0.commonKey == "artwork" }) else { return items }
    let pictures = container.streams.compactMap { stream in
      container.attachedPictures[stream.index].map {
        MetadataItem(artwork: $0, codec: stream.parameters.codecName, keySpace: keySpace)
      }
    }
    return items + pictures
  }
}

extension MetadataItem {
  /// The text of a song, if that is what this is.
  fileprivate var lyrics: String? {
    let keys = ["itsk/©lyr", "id3/USLT", "udta/©lyr", "vorbis/LYRICS", "vorbis/UNSYNCEDLYRICS"]
    guard case .string(let text) = value else { return nil }
    let isKnown = keys.contains { $0.lowercased() == identifier.lowercased() }
    return isKnown || key.lowercased() == "lyrics" ? text : nil
  }
}

extension [AssetTrack] {
  /// The numbers of tracks that are alternatives to each other (AVAssetTrackGroup).
  fileprivate var alternateGroups: [[Int32]] {
    var groups: [Int: [Int32]] = [:]
    for track in self where track.alternateGroup != 0 {
      groups[track.alternateGroup, default: []].append(track.trackID)
    }
    return groups.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
  }
}

extension Presentation {
  init(_ container: MediaSource.Container, movie: Movie?, source: MediaSource) {
    path = source.path
    tracks = TrackInfo.tracks(of: container, movie: movie, source: source)
    pictures = container.streams.compactMap { stream in
      container.attachedPictures[stream.index].map { bytes in
        AttachedPicture(
          media: TrackMedia(source: source, stream: stream, origin: container.origin), bytes: bytes)
      }
    }
    // An Ogg file's comments belong to its one stream; AVFoundation has them on the asset.
    tagsAreOfTheFile =
      container.demuxer.tagsOfOnlyTrackAreOfTheFile && container.hasOneTrack
      && container.metadata.isEmpty
    let streamTags = tagsAreOfTheFile ? container.streams.flatMap(\.metadata) : []
    let tags = container.metadata + streamTags + container.programMetadata.flatMap(\.self)
    metadata = MetadataItem.merged(
      movie?.metadata ?? [], with: tags, keySpace: container.demuxer.metadataKeySpace)
    attachments = container.streams.filter {
      $0.kind == .attachment && !$0.disposition.contains(.attachedPicture)
    }
    chapters = container.chapters.map { chapter in
      ChapterSpan(
        id: chapter.id,
        timeRange: TimeRange(
          start: Time(ticks: chapter.start, in: chapter.timeBase) - container.origin,
          end: Time(ticks: chapter.end, in: chapter.timeBase) - container.origin),
        tags: chapter.metadata)
    }
  }
}

extension MediaSource.Container {
  fileprivate var hasOneTrack: Bool {
    streams.count {
      ($0.kind == .audio || $0.kind == .video) && $0.attachedPictureSize == 0
    } == 1
  }
}

extension StreamInfo {
  /// Video or audio that this build can decode.
  var isDecodableMedia: Bool {
    (kind == .video || kind == .audio) && !disposition.contains(.attachedPicture)
      && parameters.hasDecoder
  }
}
