import Dispatch
import LibAV
import MediaTime

/// What the keys of a file's asset come to, computed on the asset's queues.
final class AssetContent: Sendable {
  private let source: MediaSource
  private let options: URLAsset.Options
  private let queues: LoadQueues
  private let presentation = SingleFlight<Presentation>()
  private let tracks = SingleFlight<[AssetTrack]>()

  init(source: MediaSource, options: URLAsset.Options, queues: LoadQueues) {
    self.source = source
    self.options = options
    self.queues = queues
  }

  var knownTracks: [AssetTrack] { tracks.value ?? [] }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation {
    try presentation.get(interrupt: interrupt) { () throws(EngineError) in
      let container = try source.open(interrupt: interrupt)
      return Presentation(container, source: source)
    }
  }

  func duration(interrupt: Interrupt) throws(EngineError) -> Time {
    try source.duration(precise: options.preferPreciseDurationAndTiming, interrupt: interrupt)
  }

  /// True for what may go through the whole file.
  func isDeep(_ key: AssetKey) -> Bool {
    key == .duration && options.preferPreciseDurationAndTiming
  }

  func value(of key: AssetKey, interrupt: Interrupt) throws(EngineError) -> AssetValue {
    let container = try source.open(interrupt: interrupt)
    let infos = try presentation(interrupt: interrupt).tracks
    let isReadable = infos.contains { $0.stream.isDecodableMedia }
    let isProtected = container.streams.contains(where: \.isProtected)
    let firstVideo = infos.first { $0.mediaType == .video }
    switch key {
    case .duration: return .time(try duration(interrupt: interrupt))
    case .providesPreciseDurationAndTiming:
      return .bool(options.preferPreciseDurationAndTiming || !source.durationNeedsScan(container))
    case .tracks:
      return .tracks(
        try tracks.get(interrupt: interrupt) { infos.map { AssetTrack($0, queues: queues) } })
    case .metadata: return .metadata(metadata(of: container))
    case .commonMetadata:
      return .metadata(metadata(of: container).filter { $0.commonKey != nil })
    case .isPlayable, .isReadable: return .bool(isReadable && !isProtected)
    case .isExportable: return .bool(!infos.isEmpty && !isProtected)
    case .hasProtectedContent: return .bool(isProtected)
    case .preferredTransform: return .transform(firstVideo?.stream.preferredTransform ?? .identity)
    case .naturalSize: return .size(firstVideo?.naturalSize ?? .zero)
    case .preferredRate, .preferredVolume: return .double(1)
    }
  }

  private func metadata(of container: MediaSource.Container) -> [MetadataItem] {
    let format = container.formatName
    // An Ogg file's comments belong to its one stream; AVFoundation has them on the asset.
    let isSingle = container.streams.count { $0.kind == .audio || $0.kind == .video } == 1
    let streamTags =
      isSingle && container.metadata.isEmpty ? container.streams.flatMap(\.metadata) : []
    let pictures = container.streams.compactMap { stream in
      container.attachedPictures[stream.index].map {
        MetadataItem(artwork: $0, codec: stream.parameters.codecName, formatName: format)
      }
    }
    return (container.metadata + streamTags).map { MetadataItem($0, formatName: format) } + pictures
  }
}

extension Presentation {
  init(_ container: MediaSource.Container, source: MediaSource) {
    path = source.path
    tracks = TrackInfo.tracks(of: container, source: source)
    pictures = container.streams.compactMap { stream in
      container.attachedPictures[stream.index].map { bytes in
        AttachedPicture(
          media: TrackMedia(source: source, stream: stream, origin: container.origin), bytes: bytes)
      }
    }
    tags = container.metadata
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

extension StreamInfo {
  /// A picture or sound that this build can decode.
  var isDecodableMedia: Bool {
    (kind == .video || kind == .audio) && !disposition.contains(.attachedPicture)
      && parameters.hasDecoder
  }

  /// Encrypted: 'encv' and 'enca' entries, or their key data (ISO/IEC 23001-7).
  var isProtected: Bool {
    let code = FormatDescription(self, mediaType: .metadata).mediaSubType
    return code == "encv" || code == "enca" || code == "drmi" || code == "drms"
      || sideData.contains {
        $0.type == SideData.encryptionInitInfo || $0.type == SideData.encryptionInfo
      }
  }
}
