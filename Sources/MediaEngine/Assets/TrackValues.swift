import LibAV
import MediaTime
import SystemIO

extension AssetTrack: TrackChoice {}

extension TrackInfo {
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
    switch key {
    case .mediaType: return .mediaType(mediaType)
    case .formatDescriptions:
      return .formatDescriptions(formatDescriptions)
    case .mediaCharacteristics:
      return .mediaCharacteristics(mediaCharacteristics)
    case .timeRange: return .timeRange(try timeline.timeRange(interrupt: interrupt))
    case .naturalTimeScale: return .integer(Int64(stream.naturalTimeScale))
    case .estimatedDataRate:
      return .double(try timeline.dataRate(interrupt: interrupt))
    case .totalSampleDataLength:
      return .integer(try timeline.byteCount(interrupt: interrupt))
    case .languageCode: return .text(languageCode)
    case .extendedLanguageTag: return .text(extendedLanguageTag)
    case .naturalSize: return .size(naturalSize)
    case .preferredTransform: return .transform(preferredTransform)
    case .preferredVolume: return .double(movie?.volume ?? (stream.kind == .audio ? 1 : 0))
    case .nominalFrameRate:
      return .double(try timeline.nominalFrameRate(interrupt: interrupt))
    case .minFrameDuration:
      return .time(try timeline.minFrameDuration(interrupt: interrupt))
    case .requiresFrameReordering:
      return .bool(stream.kind == .video && parameters.reorderDepth > 0)
    case .hasAudioSampleDependencies:
      return .bool(stream.kind == .audio && parameters.profile == "xHE-AAC")
    case .isEnabled: return .bool(isEnabled)
    case .isPlayable: return .bool(parameters.hasDecoder && !isProtected)
    case .isDecodable: return .bool(parameters.hasDecoder)
    case .isSelfContained: return .bool(movie?.isSelfContained ?? true)
    case .segments: return .segments(try segments(interrupt: interrupt))
    case .commonMetadata: return .metadata(metadata.filter { $0.commonKey != nil })
    case .metadata: return .metadata(metadata)
    case .availableMetadataFormats: return .texts(availableMetadataFormats(of: metadata))
    case .availableTrackAssociationTypes:
      return .associationTypes(
        TrackAssociationType.allCases.filter { !associatedTrackIDs($0).isEmpty })
    case .canProvideSampleCursors: return .bool(timeline.stored != nil)
    }
  }

  /// The edit list, or one segment for all of it.
  private func segments(interrupt: Interrupt) throws(EngineError) -> [AssetTrackSegment] {
    guard let media = timeline.stored else {
      return timeline.parts.map { AssetTrackSegment(timeMapping: $0.mapping) }
    }
    let range = try media.timeRange(interrupt: interrupt)
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
