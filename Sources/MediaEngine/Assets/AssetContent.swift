import Dispatch
import LibAV
import MediaTime

/// What an asset's keys come to, computed on the asset's queue.
final class Content: Sendable {
  private let source: MediaSource
  private let queue: DispatchQueue
  private let tracks = SingleFlight<[AssetTrack]>()

  init(source: MediaSource, queue: DispatchQueue) {
    self.source = source
    self.queue = queue
  }

  var knownTracks: [AssetTrack] { tracks.value ?? [] }

  func value(
    of key: AssetKey, options: Asset.Options, interrupt: Interrupt
  ) throws(EngineError) -> AssetValue {
    let container = try source.open(interrupt: interrupt)
    let infos = TrackInfo.tracks(of: container)
    let isReadable = infos.contains { $0.stream.isDecodableMedia }
    let isProtected = container.streams.contains(where: \.isProtected)
    let firstVideo = infos.first { $0.mediaType == .video }
    switch key {
    case .duration:
      let isPrecise = options.preferPreciseDurationAndTiming
      return .time(try source.duration(precise: isPrecise, interrupt: interrupt))
    case .providesPreciseDurationAndTiming:
      return .bool(options.preferPreciseDurationAndTiming || !source.durationNeedsScan(container))
    case .tracks:
      return .tracks(
        try tracks.get(interrupt: interrupt) {
          infos.map { AssetTrack($0, source: source, queue: queue) }
        })
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

extension MediaSource {
  /// True when the header's duration is missing or an estimate.
  func durationNeedsScan(_ container: Container) -> Bool {
    let estimating = [
      "mp3", "aac", "ac3", "eac3", "mpegts", "mpeg", "mpegvideo", "h264", "hevc", "m4v", "amr",
      "amrnb", "amrwb", "dts", "dtshd", "truehd", "obu", "flv", "dv",
    ]
    return container.duration == nil || container.durationIsEstimate
      || estimating.contains(container.formatName)
  }

  /// The asset's duration: what the header says, or with `precise`, and where it says nothing, the
  /// end of the last sample by the index.
  func duration(precise: Bool, interrupt: Interrupt) throws(EngineError) -> Time {
    let container = try open(interrupt: interrupt)
    let needsScan = durationNeedsScan(container)
    if let stated = container.duration, !(precise && needsScan) {
      return exactDuration(stated, container)
    }
    var end = Time.zero
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard !stream.disposition.contains(.attachedPicture) else { continue }
      let index = try index(ofStream: stream.index, interrupt: interrupt)
      guard let last = index.end else { continue }
      end = max(end, Time(ticks: last, in: stream.timeBase) - container.origin)
    }
    return end
  }

  /// The exact time behind libav's microseconds: that of a track or of the movie header's clock,
  /// where one of them rounds to the same number.
  private func exactDuration(_ microseconds: Int64, _ container: Container) -> Time {
    let stated = Time(value: microseconds, timescale: 1_000_000)
    func matches(_ time: Time) -> Bool {
      time.converted(toTimescale: 1_000_000).value == microseconds
        || time.converted(toTimescale: 1_000_000, rounding: .towardZero).value == microseconds
    }
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard let ticks = stream.duration else { continue }
      let duration = Time(ticks: ticks, in: stream.timeBase)
      let start = Time(ticks: stream.startTime ?? 0, in: stream.timeBase) - container.origin
      if let exact = [duration, start + duration].first(where: matches) { return exact }
    }
    for timescale: Int32 in [600, 1000] {
      let candidate = stated.converted(toTimescale: timescale)
      if matches(candidate) { return candidate.withoutRounding }
    }
    return stated
  }

  /// When a track begins and how long it lasts, on the asset's clock.
  func timeRange(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> TimeRange {
    let container = try open(interrupt: interrupt)
    if let start = stream.startTime, let duration = stream.duration {
      return TimeRange(
        start: max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin),
        duration: Time(ticks: duration, in: stream.timeBase))
    }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    guard let start = index.start, let end = index.end else { return .zero }
    return TimeRange(
      start: max(.zero, Time(ticks: start, in: stream.timeBase) - container.origin),
      end: Time(ticks: end, in: stream.timeBase) - container.origin)
  }

  /// In bits per second: the container's figure, else the samples' size over their time.
  func dataRate(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> Double {
    if stream.parameters.bitRate > 0 { return Double(stream.parameters.bitRate) }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    let seconds = try timeRange(of: stream, interrupt: interrupt).duration.seconds
    let bytes = index.samples.reduce(0.0) { $0 + Double($1.size) }
    return seconds > 0 ? bytes * 8 / seconds : 0
  }
}

extension Time {
  /// The same number, no longer marked as rounded: for a value found by looking for it.
  var withoutRounding: Time { Time(value: value, timescale: timescale) }
}
