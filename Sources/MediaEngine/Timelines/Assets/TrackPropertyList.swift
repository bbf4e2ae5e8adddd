import LibAV
public import MediaTime
import SystemIO

// The properties of a track (AVPartialAsyncProperty's extensions for AVAssetTrack): name, meaning, and
// how each is loaded.

extension AssetProperty where Root == AssetTrack {
  /// - Parameters:
  ///   - isDeep: whether loading it may read the whole file.
  ///   - load: blocks, on one of the asset's queues.
  fileprivate init(
    _ name: String, isDeep: @escaping @Sendable (TrackInfo) -> Bool = { _ in false },
    load: @escaping @Sendable (TrackInfo, Interrupt) throws(EngineError) -> Value
  ) {
    self.init(name) { track in
      let info = track.info
      return track.values.value(name, isDeep: isDeep(info)) { (interrupt) throws(EngineError) in
        try load(info, interrupt)
      }
    }
  }
}

// MARK: Format

extension AssetProperty where Root == AssetTrack, Value == MediaType {
  /// As ``AssetTrack/mediaType``.
  public static var mediaType: Self {
    Self("mediaType") { (track, _) throws(EngineError) in track.mediaType }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [FormatDescription] {
  /// The formats of the track's samples, in the order in which they occur; more than one where it changes.
  public static var formatDescriptions: Self {
    Self("formatDescriptions") { (track, _) throws(EngineError) in track.formatDescriptions }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [MediaCharacteristic] {
  /// As ``AssetTrack/mediaCharacteristics``.
  public static var mediaCharacteristics: Self {
    Self("mediaCharacteristics") { (track, _) throws(EngineError) in track.mediaCharacteristics }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Size {
  /// As ``AssetTrack/naturalSize``.
  public static var naturalSize: Self {
    Self("naturalSize") { (track, _) throws(EngineError) in track.naturalSize }
  }
}

extension AssetProperty where Root == AssetTrack, Value == AffineTransform {
  /// The rotation or mirroring of images of the track for display, in pixels of `naturalSize`;
  /// the identity for tracks without images.
  public static var preferredTransform: Self {
    Self("preferredTransform") { (track, _) throws(EngineError) in track.preferredTransform }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Double {
  /// The volume to play at, 1 for full volume; 0 for tracks that aren't audio.
  public static var preferredVolume: Self {
    Self("preferredVolume") { (track, _) throws(EngineError) in track.preferredVolume }
  }

  /// Frames per second; 0 for tracks that aren't video. Of interlaced video whose samples are fields, fields
  /// per second.
  public static var nominalFrameRate: Self {
    Self("nominalFrameRate", isDeep: \.countsFrames) {
      (track, interrupt) throws(EngineError) in
      try track.timeline.nominalFrameRate(interrupt: interrupt)
    }
  }

  /// In bits per second: the statement of the file, or else an average of its samples.
  public static var estimatedDataRate: Self {
    Self("estimatedDataRate", isDeep: { $0.format.parameters.bitRate <= 0 }) {
      (track, interrupt) throws(EngineError) in
      try track.timeline.dataRate(interrupt: interrupt)
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Bool {
  /// Indicates that decode order and presentation order differ (B-frames).
  public static var requiresFrameReordering: Self {
    Self("requiresFrameReordering") { (track, _) throws(EngineError) in
      track.format.kind == .video && track.format.parameters.reorderDepth > 0
    }
  }

  /// Indicates that audio samples need others to be decoded (xHE-AAC).
  public static var hasAudioSampleDependencies: Self {
    Self("hasAudioSampleDependencies") { (track, _) throws(EngineError) in
      track.format.kind == .audio && track.format.parameters.profile == "xHE-AAC"
    }
  }

  /// As ``AssetTrack/isEnabled``.
  public static var isEnabled: Self {
    Self("isEnabled") { (track, _) throws(EngineError) in track.isEnabled }
  }

  /// As ``AssetTrack/isPlayable``.
  public static var isPlayable: Self {
    Self("isPlayable") { (track, _) throws(EngineError) in
      track.format.parameters.hasDecoder && !track.isProtected
    }
  }

  /// As ``AssetTrack/isDecodable``.
  public static var isDecodable: Self {
    Self("isDecodable") { (track, _) throws(EngineError) in track.format.parameters.hasDecoder }
  }

  /// Indicates that all samples lie in the asset's own file; false for a movie that refers to other
  /// files.
  public static var isSelfContained: Self {
    Self("isSelfContained") { (track, _) throws(EngineError) in
      track.movie?.isSelfContained ?? true
    }
  }

  /// Indicates that ``SampleCursor/make(in:trackID:at:)`` can make cursors in it: in a track of a
  /// file always.
  public static var canProvideSampleCursors: Self {
    Self("canProvideSampleCursors") { (track, _) throws(EngineError) in
      track.timeline.hasIndex || track.timeline.edited != nil
    }
  }
}

// MARK: Timing

extension AssetProperty where Root == AssetTrack, Value == TimeRange {
  /// The range of the track on the asset's clock. A start above zero stands for an empty edit.
  public static var timeRange: Self {
    Self("timeRange", isDeep: \.hasDeepTimeRange) { (track, interrupt) throws(EngineError) in
      try track.timeline.timeRange(interrupt: interrupt)
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Int32 {
  /// Units per second in which every time of the track is a whole number, at least 1.
  public static var naturalTimeScale: Self {
    Self("naturalTimeScale") { (track, _) throws(EngineError) in track.naturalTimeScale }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Int64 {
  /// The bytes of all samples. Needs the index of the whole file.
  public static var totalSampleDataLength: Self {
    Self("totalSampleDataLength", isDeep: { _ in true }) { (track, interrupt) throws(EngineError) in
      try track.timeline.byteCount(interrupt: interrupt)
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == Time {
  /// The shortest duration of a frame; invalid where it isn't known and for tracks that aren't video.
  public static var minFrameDuration: Self {
    Self(
      "minFrameDuration",
      isDeep: { $0.format.kind == .video && !$0.format.hasConstantRate || $0.countsFrames }
    ) {
      (track, interrupt) throws(EngineError) in
      try track.timeline.minFrameDuration(interrupt: interrupt)
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [AssetTrackSegment] {
  /// The edit list, or one segment for all of the track.
  public static var segments: Self {
    Self("segments", isDeep: \.hasDeepTimeRange) { (track, interrupt) throws(EngineError) in
      try track.segments(interrupt: interrupt)
    }
  }
}

// MARK: Language and metadata

extension AssetProperty where Root == AssetTrack, Value == String? {
  /// As ``AssetTrack/languageCode``.
  public static var languageCode: Self {
    Self("languageCode") { (track, _) throws(EngineError) in track.languageCode }
  }

  /// As ``AssetTrack/extendedLanguageTag``.
  public static var extendedLanguageTag: Self {
    Self("extendedLanguageTag") { (track, _) throws(EngineError) in track.extendedLanguageTag }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [MetadataItem] {
  /// As ``AssetTrack/metadata``.
  public static var metadata: Self {
    Self("metadata") { (track, _) throws(EngineError) in track.metadata }
  }

  /// The metadata that has a common key.
  public static var commonMetadata: Self {
    Self("commonMetadata") { (track, _) throws(EngineError) in
      track.metadata.filter { $0.commonKey != nil }
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [String] {
  /// The formats of the track's metadata, for example "com.apple.quicktime.udta" (AVMetadataFormat).
  public static var availableMetadataFormats: Self {
    Self("availableMetadataFormats") { (track, _) throws(EngineError) in
      MediaEngine.availableMetadataFormats(of: track.metadata)
    }
  }
}

extension AssetProperty where Root == AssetTrack, Value == [TrackAssociationType] {
  /// The types that ``AssetTrack/associatedTrackIDs(_:)`` has tracks for.
  public static var availableTrackAssociationTypes: Self {
    Self("availableTrackAssociationTypes") { (track, _) throws(EngineError) in
      TrackAssociationType.allCases.filter { !track.associatedTrackIDs($0).isEmpty }
    }
  }
}

// MARK: -

extension TrackInfo {
  /// True if the frame rate may need the index.
  fileprivate var countsFrames: Bool {
    timeline.stored?.countsFrames ?? (format.kind == .video && !format.hasPlausibleRate)
  }

  /// True if the start or the end are only known from the index.
  fileprivate var hasDeepTimeRange: Bool {
    stream?.startTime == nil || stream?.duration == nil
      || timeline.stored?.source.prefersPreciseTiming == true
  }

  /// Returns the edit list, or one segment for all of it.
  fileprivate func segments(interrupt: Interrupt) throws(EngineError) -> [AssetTrackSegment] {
    guard let media = timeline.stored ?? timeline.edited?.media else {
      return timeline.segments.map(AssetTrackSegment.init)
    }
    let range = try media.timeRange(interrupt: interrupt)
    guard let movie, movie.timescale > 0, !movie.edits.isEmpty,
      let header = try media.source.movie(interrupt: interrupt), header.timescale > 0
    else { return [AssetTrackSegment](presenting: range) }
    if timeline.isOfParts {
      return movie.segments(of: header, mediaEnd: movie.mediaEnd(range))
    }
    let mediaEnd =
      if let duration = movie.duration, duration > 0 {
        Time(value: duration, timescale: movie.timescale)
      } else {
        range.end
      }
    return movie.segments(of: header, mediaEnd: mediaEnd)
  }
}
