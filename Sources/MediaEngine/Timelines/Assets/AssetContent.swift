import Dispatch
import LibAV
import MediaTime
import SystemIO

/// The source of the properties of a file's asset, on the asset's queues.
final class AssetContent: PresentationSource, AssetPropertySource {
  let source: MediaSource
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

  var files: [String] { source.files }
  var isWaitingForBytes: Bool { source.isWaitingForBytes }
  var knownTracks: [AssetTrack] { tracks.value ?? [] }

  var missingBytes: Int64 { source.missingBytes }

  func sourceFile(
    interrupt: Interrupt
  ) throws(EngineError) -> (identity: FileIdentity, demuxer: String)? {
    let container = try source.open(interrupt: interrupt)
    return container.file.identity.map { ($0, container.demuxer.name) }
  }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation {
    try presentation.get(interrupt: interrupt) { () throws(EngineError) in
      let container = try source.open(interrupt: interrupt)
      let movie = try source.movie(interrupt: interrupt)
      return try Presentation(
        container, movie: movie, tags: tags(interrupt: interrupt), source: source,
        interrupt: interrupt)
    }
  }

  /// Returns the file's tags in their original form; nil where only libavformat's view of them is
  /// available, as of damaged ones.
  private func tags(interrupt: Interrupt) throws(EngineError) -> TaggedFile? {
    guard source.isFile else { return nil }
    do throws(EngineError) {
      return try source.tags(interrupt: interrupt)
    } catch {
      guard error.code == .operationNotSupportedForAsset else { throw error }
      return nil
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

  func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack] {
    let infos = try presentation(interrupt: interrupt).tracks
    return try tracks.get(interrupt: interrupt) { infos.map { AssetTrack($0, queues: queues) } }
  }

  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    try source.duration(precise: true, untilLastSample: true, interrupt: interrupt)
  }

  func duration(interrupt: Interrupt) throws(EngineError) -> Time {
    try source.duration(precise: options.preferPreciseDurationAndTiming, interrupt: interrupt)
  }

  var prefersPreciseTiming: Bool { options.preferPreciseDurationAndTiming }
  var isDurationDeep: Bool { prefersPreciseTiming || options.salvage }

  func providesPreciseDuration(interrupt: Interrupt) throws(EngineError) -> Bool {
    let container = try source.open(interrupt: interrupt)
    return options.preferPreciseDurationAndTiming || !source.durationNeedsScan(container)
  }

  func movie(interrupt: Interrupt) throws(EngineError) -> Movie? {
    try source.movie(interrupt: interrupt)
  }

  func chapterLocale(interrupt: Interrupt) throws(EngineError) -> String? {
    try chapters(interrupt: interrupt).locale(interrupt: interrupt)
  }

  func chapterGroups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup] {
    try chapters(interrupt: interrupt).groups(isIllustrated: isIllustrated, interrupt: interrupt)
  }

  private func chapters(interrupt: Interrupt) throws(EngineError) -> Chapters {
    Chapters(source: source, presentation: try presentation(interrupt: interrupt))
  }

  func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem] {
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
  /// The text of a song, if this is an item of lyrics.
  var lyrics: String? {
    let keys = ["itsk/©lyr", "id3/USLT", "udta/©lyr", "vorbis/LYRICS", "vorbis/UNSYNCEDLYRICS"]
    guard case .string(let text) = value else { return nil }
    let isKnown = keys.contains { $0.lowercased() == identifier.lowercased() }
    return isKnown || key.lowercased() == "lyrics" ? text : nil
  }
}

extension [AssetTrack] {
  /// The numbers of tracks that are alternatives to each other (AVAssetTrackGroup).
  var alternateGroups: [[Int32]] {
    var groups: [Int: [Int32]] = [:]
    for track in self where track.alternateGroup != 0 {
      groups[track.alternateGroup, default: []].append(track.trackID)
    }
    return groups.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
  }
}

extension Presentation {
  init(
    _ container: MediaSource.Container, movie: Movie?, tags own: TaggedFile?, source: MediaSource,
    interrupt: Interrupt
  ) throws(EngineError) {
    path = source.path
    tracks = try TrackInfo.tracks(
      of: container, movie: movie, source: source, interrupt: interrupt)
    pictures = container.streams.compactMap { stream in
      container.attachedPictures[stream.index].map { bytes in
        AttachedPicture(
          media: StoredTrack(source: source, stream: stream, origin: container.origin), bytes: bytes
        )
      }
    }
    // An Ogg file's comments belong to its one stream; AVFoundation has them on the asset.
    tagsAreOfTheFile =
      container.demuxer.tagsOfOnlyTrackAreOfTheFile && container.hasOneTrack
      && container.metadata.isEmpty
    let streamTags = tagsAreOfTheFile ? container.streams.flatMap(\.metadata) : []
    let tags = container.metadata + streamTags + container.programMetadata.flatMap(\.self)
    let keySpace = container.demuxer.metadataKeySpace
    var items: [MetadataItem]
    if let own, container.demuxer.tagLayout != .ogg || tagsAreOfTheFile {
      // libavformat's items are a part of the file's own, but for RIFF.
      items =
        container.demuxer.tagLayout == .wave
        ? MetadataItem.merged(own.items, with: tags, keySpace: keySpace) : own.items
    } else {
      items = MetadataItem.merged(movie?.metadata ?? [], with: tags, keySpace: keySpace)
    }
    let files = container.streams.filter {
      $0.kind == .attachment && !$0.disposition.contains(.attachedPicture)
    }
    // Covers of a kind that libavformat takes for any file.
    attachments = files.filter { !$0.isCover }
    items += files.filter(\.isCover).map { stream in
      MetadataItem(
        key: "artwork", keySpace: keySpace, commonKey: "artwork",
        value: .data(stream.parameters.extradata, mimeType: "image/webp"))
    }
    metadata = items
    opaqueParts = (own?.document.opaqueParts ?? []) + (movie?.opaqueBoxes ?? [])
    if container.demuxer.structure == .elements {
      opaqueParts += try mapErrors(.open, path: source.path) { () throws(SystemError) in
        try MatroskaTags(
          in: ByteReader(container.file, interrupt: interrupt), size: container.size
        ).unread
      }
    }
    playCount = source.playCount
    // Those in tags count from the start of the audible part, at any start of the samples' clock.
    let origin = container.demuxer.tagLayout == nil ? container.origin : .zero
    chapters = container.chapters.map { chapter in
      ChapterSpan(
        id: chapter.id,
        timeRange: TimeRange(
          start: Time(ticks: chapter.start, in: chapter.timeBase) - origin,
          end: Time(ticks: chapter.end, in: chapter.timeBase) - origin),
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
  /// A file within the file that is a picture for the whole (Matroska; "cover" is the name that players look for).
  fileprivate var isCover: Bool {
    func text(_ key: String) -> String? { metadata.first { $0.key == key }?.value.lowercased() }
    return kind == .attachment && text("mimetype") == "image/webp"
      && text("filename")?.hasPrefix("cover") == true
      && ByteView(parameters.extradata).imageType == "image/webp"
  }
}

extension TrackInfo {
  /// Video or audio that this build can decode.
  var isDecodableMedia: Bool {
    (format.kind == .video || format.kind == .audio) && format.parameters.hasDecoder
      && stream?.disposition.contains(.attachedPicture) != true
  }
}
