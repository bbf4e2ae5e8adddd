import Dispatch
import LibAV
public import MediaTime

/// The kind of media a track holds (AVMediaType).
public enum MediaType: String, Sendable, Hashable, CaseIterable {
  case video, audio, text, subtitle, closedCaption, timecode, metadata
}

/// The keys of a track that can be loaded (AVAssetTrack).
public enum TrackKey: String, Sendable, Hashable, CaseIterable {
  case mediaType, formatDescriptions, mediaCharacteristics, timeRange, naturalTimeScale
  case estimatedDataRate, totalSampleDataLength, languageCode, extendedLanguageTag, naturalSize
  case preferredTransform, preferredVolume, nominalFrameRate, minFrameDuration
  case requiresFrameReordering, hasAudioSampleDependencies, isEnabled, isPlayable, isDecodable
  case isSelfContained, segments, commonMetadata, metadata, availableMetadataFormats
  case availableTrackAssociationTypes, canProvideSampleCursors
}

/// In what way other tracks belong to a track (AVAssetTrack.AssociationType).
public enum TrackAssociationType: String, Sendable, Hashable, CaseIterable {
  case audioFallback, forcedSubtitlesOnly, selectionFollower, timecode, metadataReferent

  /// The type of the movie's track reference (QuickTime File Format, ISO/IEC 14496-12, 8.3.3).
  var referenceType: String {
    switch self {
    case .audioFallback: "fall"
    case .forcedSubtitlesOnly: "forc"
    case .selectionFollower: "folw"
    case .timecode: "tmcd"
    case .metadataReferent: "cdsc"
    }
  }
}

/// The value of a key of a track; each key has one form.
public enum TrackValue: Sendable {
  case mediaType(MediaType)
  case formatDescriptions([FormatDescription])
  case mediaCharacteristics([MediaCharacteristic])
  case timeRange(TimeRange)
  case time(Time)
  case integer(Int64)
  case double(Double)
  case bool(Bool)
  case text(String?)
  case size(Size)
  case transform(AffineTransform)
  case metadata([MetadataItem])
  case texts([String])
  case segments([AssetTrackSegment])
  case associationTypes([TrackAssociationType])
}

/// A track of an asset. It keeps what it needs of the asset alive.
public final class AssetTrack: Sendable {
  let info: TrackInfo
  private let loader: KeyLoader<TrackKey, TrackValue>

  init(_ track: TrackInfo, queues: LoadQueues) {
    info = track
    loader = KeyLoader { key in
      queues.queue(isDeep: track.isDeep(key))
    } load: { (key, interrupt) throws(EngineError) in
      try track.value(of: key, interrupt: interrupt)
    }
  }

  /// Loads keys; each ends as loaded, failed or cancelled.
  public func load(
    _ keys: [TrackKey], ticket: LoadTicket = LoadTicket()
  ) async -> [TrackKey: KeyState<TrackValue>] {
    await loader.load(keys, ticket: ticket)
  }

  /// The states of keys as they are now. Never waits.
  public func status(of keys: [TrackKey]) -> [TrackKey: KeyState<TrackValue>] {
    loader.states(of: keys)
  }

  func cancelLoading() { loader.cancel() }

  /// The edit list.
  public func loadSegments(ticket: LoadTicket = LoadTicket()) async throws(EngineError)
    -> [AssetTrackSegment]
  {
    switch await load([.segments], ticket: ticket)[.segments] {
    case .loaded(.segments(let segments)): return segments
    case .failed(let error): throw error
    default: throw .cancelled("Loading the segments of track \(trackID)")
    }
  }

  public var trackID: Int32 { info.trackID }
  public var mediaType: MediaType { info.mediaType }
  public var mediaSubType: String { info.stream.mediaSubType }
  public var isDecodable: Bool { info.stream.parameters.hasDecoder }
  /// False for a movie's tracks that are switched off; other containers have no such switch.
  public var isEnabled: Bool { info.isEnabled }
  public var mediaCharacteristics: [MediaCharacteristic] { info.mediaCharacteristics }
  /// ISO 639-2/T, nil where the file says nothing.
  public var languageCode: String? { info.languageCode }
  /// BCP 47, nil where the file says nothing.
  public var extendedLanguageTag: String? { info.extendedLanguageTag }
  public var metadata: [MetadataItem] { info.metadata }
  /// What a menu shows: its title, else its language, else its number.
  public var displayName: String {
    for item in metadata where item.commonKey == "title" {
      if case .string(let title) = item.value, !title.isEmpty { return title }
    }
    return extendedLanguageTag ?? "\(trackID)"
  }
  /// True when it is presented unless something else is chosen.
  var isPresentedByDefault: Bool { info.stream.disposition.contains(.default) }
  /// A group of alternatives among a movie's tracks; 0 for none.
  var alternateGroup: Int { info.alternateGroup }
  /// The tracks that belong to this one, by number.
  public func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    info.associatedTrackIDs(type)
  }
  /// With square pixels, before the preferred transform; zero for tracks without a picture.
  public var naturalSize: Size { info.naturalSize }
}

/// What is asked of tracks when one of a kind has to be chosen.
protocol TrackChoice {
  var mediaType: MediaType { get }
  var isEnabled: Bool { get }
}

extension AssetTrack: TrackChoice {}

extension Sequence where Element: TrackChoice {
  /// The first enabled track of the type, or where none is enabled the first.
  func preferred(_ type: MediaType) -> Element? {
    first { $0.mediaType == type && $0.isEnabled } ?? first { $0.mediaType == type }
  }
}

/// A stream that counts as a track, with its number.
struct TrackInfo: TrackChoice, Sendable {
  let trackID: Int32
  let mediaType: MediaType
  let media: TrackMedia
  /// What the movie's header says of it, in a movie.
  let movie: MovieTrack?
  let metadata: [MetadataItem]
  let isEnabled: Bool

  var stream: StreamInfo { media.stream }

  /// The tracks among a container's streams, in its order.
  ///
  /// Attached pictures are artwork, attachments are no media, and the text track that holds a movie's
  /// chapter names is the chapters (AVFoundation hides it too).
  static func tracks(
    of container: MediaSource.Container, movie: Movie?, source: MediaSource
  ) -> [TrackInfo] {
    let streams = container.streams.filter { stream in
      !stream.disposition.contains(.attachedPicture)
        && !stream.disposition.contains(.timedThumbnails)
        && !(stream.kind == .data && !container.chapters.isEmpty
          && stream.parameters.codecName == "bin_data")
    }
    let movieTracks = Dictionary(
      (movie?.tracks ?? []).map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    let media = streams.compactMap { stream in
      mediaType(of: stream).map { (stream, $0) }
    }
    // The container's own numbers where they are usable: positive, and no two alike.
    let numbers = media.map { Int32(exactly: $0.0.id) ?? 0 }
    let areUsable = numbers.allSatisfy { $0 > 0 } && Set(numbers).count == numbers.count
    return media.enumerated().map { position, entry in
      let movieTrack = movieTracks[entry.0.id]
      return TrackInfo(
        trackID: areUsable ? numbers[position] : Int32(clamping: entry.0.index + 1),
        mediaType: entry.1,
        media: TrackMedia(source: source, stream: entry.0, origin: container.origin),
        movie: movieTrack,
        metadata: MetadataItem.merged(
          movieTrack?.metadata ?? [], with: entry.0.metadata, formatName: container.formatName),
        // libav shows a movie track's switch as the default disposition.
        isEnabled: movieTrack?.isEnabled
          ?? (!container.isMovie || entry.0.disposition.contains(.default)))
    }
  }

  private static func mediaType(of stream: StreamInfo) -> MediaType? {
    switch stream.kind {
    case .video: .video
    case .audio: .audio
    case .subtitle:
      stream.parameters.codecName == "eia_608" ? .closedCaption : .subtitle
    case .data: stream.parameters.codecTag == tag("tmcd") ? .timecode : .metadata
    case .attachment, .unknown: nil
    }
  }

  /// ISO 639-2/T.
  var languageCode: String? { stream.languageCode ?? movie?.languageCode }
  /// BCP 47.
  var extendedLanguageTag: String? {
    movie?.extendedLanguageTag ?? stream.extendedLanguageTag
      ?? languageCode.flatMap(bcp47(ofISO639:))
  }
  var alternateGroup: Int { Int(movie?.alternateGroup ?? 0) }

  func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    movie?.references[type.referenceType] ?? []
  }

  /// libav knows the first of a movie's sample descriptions.
  var formatDescription: FormatDescription {
    FormatDescription(
      stream, mediaType: mediaType, sampleDescription: movie?.sampleDescriptions.first)
  }

  var naturalSize: Size { stream.kind == .video ? stream.presentationSize : .zero }

  /// True for what may go through the whole file.
  func isDeep(_ key: TrackKey) -> Bool {
    switch key {
    case .totalSampleDataLength: true
    case .timeRange, .segments: stream.startTime == nil || stream.duration == nil
    case .estimatedDataRate: stream.parameters.bitRate <= 0
    case .minFrameDuration: stream.kind == .video && !stream.hasConstantRate
    case .nominalFrameRate: stream.kind == .video && !stream.hasPlausibleRate
    default: false
    }
  }

  func value(of key: TrackKey, interrupt: Interrupt) throws(EngineError) -> TrackValue {
    let parameters = stream.parameters
    let source = media.source
    switch key {
    case .mediaType: return .mediaType(mediaType)
    case .formatDescriptions:
      return .formatDescriptions([formatDescription])
    case .mediaCharacteristics:
      return .mediaCharacteristics(mediaCharacteristics)
    case .timeRange: return .timeRange(try source.timeRange(of: stream, interrupt: interrupt))
    case .naturalTimeScale: return .integer(Int64(stream.naturalTimeScale))
    case .estimatedDataRate:
      return .double(try source.dataRate(of: stream, interrupt: interrupt))
    case .totalSampleDataLength:
      let index = try media.index(interrupt: interrupt)
      return .integer(index.samples.reduce(0) { $0 + Int64($1.size) })
    case .languageCode: return .text(languageCode)
    case .extendedLanguageTag: return .text(extendedLanguageTag)
    case .naturalSize: return .size(naturalSize)
    case .preferredTransform: return .transform(stream.preferredTransform)
    case .preferredVolume: return .double(movie?.volume ?? (stream.kind == .audio ? 1 : 0))
    case .nominalFrameRate:
      return .double(try media.nominalFrameRate(interrupt: interrupt))
    case .minFrameDuration:
      return .time(try media.minFrameDuration(interrupt: interrupt))
    case .requiresFrameReordering:
      return .bool(stream.kind == .video && parameters.reorderDepth > 0)
    case .hasAudioSampleDependencies:
      return .bool(stream.kind == .audio && parameters.profile == "xHE-AAC")
    case .isEnabled: return .bool(isEnabled)
    case .isPlayable: return .bool(parameters.hasDecoder && !stream.isProtected)
    case .isDecodable: return .bool(parameters.hasDecoder)
    case .isSelfContained: return .bool(movie?.isSelfContained ?? true)
    case .segments: return .segments(try segments(interrupt: interrupt))
    case .commonMetadata: return .metadata(metadata.filter { $0.commonKey != nil })
    case .metadata: return .metadata(metadata)
    case .availableMetadataFormats: return .texts(availableMetadataFormats(of: metadata))
    case .availableTrackAssociationTypes:
      return .associationTypes(
        TrackAssociationType.allCases.filter { !associatedTrackIDs($0).isEmpty })
    case .canProvideSampleCursors: return .bool(true)
    }
  }

  /// The edit list, or one segment for all of it.
  private func segments(interrupt: Interrupt) throws(EngineError) -> [AssetTrackSegment] {
    let range = try media.source.timeRange(of: stream, interrupt: interrupt)
    guard let movie, movie.timescale > 0, !movie.edits.isEmpty,
      let clock = try media.source.movie(interrupt: interrupt)?.timescale, clock > 0
    else { return [AssetTrackSegment](presenting: range) }
    let mediaEnd =
      if let duration = movie.duration, duration > 0 {
        Time(value: duration, timescale: movie.timescale)
      } else {
        range.end
      }
    return [AssetTrackSegment](
      edits: movie.edits, clock: clock, mediaClock: movie.timescale, mediaEnd: mediaEnd)
  }
}

private func tag(_ code: String) -> UInt32 {
  code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

extension StreamInfo {
  /// Units per second of the track's own clock.
  var naturalTimeScale: Int32 {
    timeBase.numerator == 1 ? timeBase.denominator : (kind == .audio ? 48000 : 90000)
  }
}
