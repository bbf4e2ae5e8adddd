import LibAV
public import MediaTime
import SystemIO

// The properties of an asset (AVPartialAsyncProperty's extensions for AVAsset): name, meaning, and how
// each is loaded.

/// The source of an asset's properties. Its functions block, on one of the asset's queues.
protocol AssetPropertySource: Sendable {
  /// The tracks as far as they are loaded.
  var knownTracks: [AssetTrack] { get }
  /// Always the same objects.
  func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack]
  func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem]
  func duration(interrupt: Interrupt) throws(EngineError) -> Time
  /// True if the duration may need the whole file.
  var isDurationDeep: Bool { get }
  func providesPreciseDuration(interrupt: Interrupt) throws(EngineError) -> Bool
  /// Returns the header of a movie; nil for all else.
  func movie(interrupt: Interrupt) throws(EngineError) -> Movie?
  /// Returns the facts about the file; nil where the asset isn't one file.
  func containerFacts(interrupt: Interrupt) throws(EngineError) -> ContainerFacts?
  /// Returns the language of the chapters' titles (BCP 47); nil without chapters.
  func chapterLocale(interrupt: Interrupt) throws(EngineError) -> String?
  func chapterGroups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup]
}

extension AssetPropertySource {
  func containerFacts(interrupt: Interrupt) throws(EngineError) -> ContainerFacts? { nil }

  fileprivate func firstVideo(interrupt: Interrupt) throws(EngineError) -> AssetTrack? {
    try tracks(interrupt: interrupt).first { $0.mediaType == .video }
  }

  /// Returns true if there is media that can be decoded. Of an asset that is encrypted in part, the
  /// other tracks can be used.
  fileprivate func isDecodable(interrupt: Interrupt) throws(EngineError) -> Bool {
    try tracks(interrupt: interrupt).contains {
      $0.info.isDecodableMedia && !$0.info.isProtected
    }
  }
}

// MARK: Timing

extension AssetProperty where Root == any Asset, Value == Time {
  /// The duration of the asset.
  ///
  /// Exact where ``providesPreciseDurationAndTiming`` is true; otherwise the statement of the
  /// file's header, or an estimate from its data rate. A file without any statement is read to its
  /// end.
  public static var duration: Self {
    Self("duration", isDeep: { $0.isDurationDeep }) { (source, interrupt) throws(EngineError) in
      try source.duration(interrupt: interrupt)
    }
  }

  /// The duration of a fragmented movie with all its fragments, as its `mehd` box states; invalid
  /// without one.
  public static var overallDurationHint: Self {
    Self("overallDurationHint") { (source, interrupt) throws(EngineError) in
      try source.movie(interrupt: interrupt)?.overallDurationHint ?? .invalid
    }
  }

  /// The minimum distance from live at which the asset can be played: invalid, because a file isn't
  /// live.
  public static var minimumTimeOffsetFromLive: Self {
    Self("minimumTimeOffsetFromLive") { (_, _) throws(EngineError) in .invalid }
  }
}

extension AssetProperty where Root == any Asset, Value == Bool {
  /// Indicates that ``duration`` and the times of samples are exact: always with
  /// ``URLAsset/Options/preferPreciseDurationAndTiming``, else where the container states them.
  public static var providesPreciseDurationAndTiming: Self {
    Self("providesPreciseDurationAndTiming") { (source, interrupt) throws(EngineError) in
      try source.providesPreciseDuration(interrupt: interrupt)
    }
  }

  /// Indicates that fragments may follow the movie's header (`mvex`); false for other containers.
  public static var canContainFragments: Self {
    Self("canContainFragments") { (source, interrupt) throws(EngineError) in
      try source.movie(interrupt: interrupt)?.canContainFragments ?? false
    }
  }

  /// Indicates that the movie has at least one fragment (`moof`); false for other containers.
  public static var containsFragments: Self {
    Self("containsFragments") { (source, interrupt) throws(EngineError) in
      try source.movie(interrupt: interrupt)?.containsFragments ?? false
    }
  }
}

extension AssetProperty where Root == any Asset, Value == Double {
  /// The rate to play at by the movie's header; 1 for other containers.
  public static var preferredRate: Self {
    Self("preferredRate") { (source, interrupt) throws(EngineError) in
      try source.movie(interrupt: interrupt)?.preferredRate ?? 1
    }
  }

  /// The volume to play at by the movie's header, 1 for full volume; 1 for other containers.
  public static var preferredVolume: Self {
    Self("preferredVolume") { (source, interrupt) throws(EngineError) in
      try source.movie(interrupt: interrupt)?.preferredVolume ?? 1
    }
  }
}

// MARK: Tracks

extension AssetProperty where Root == any Asset, Value == [AssetTrack] {
  /// The tracks in the container's order; always the same objects.
  public static var tracks: Self {
    Self("tracks") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt)
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [[Int32]] {
  /// The groups of tracks that are alternatives to each other, as track numbers (AVAssetTrackGroup).
  public static var trackGroups: Self {
    Self("trackGroups") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).alternateGroups
    }
  }
}

extension AssetProperty where Root == any Asset, Value == Size {
  /// The first video track's ``AssetTrack/naturalSize``, in pixels; zero without one.
  public static var naturalSize: Self {
    Self("naturalSize") { (source, interrupt) throws(EngineError) in
      try source.firstVideo(interrupt: interrupt)?.naturalSize ?? .zero
    }
  }
}

extension AssetProperty where Root == any Asset, Value == AffineTransform {
  /// The first video track's preferred transform; the identity without one.
  public static var preferredTransform: Self {
    Self("preferredTransform") { (source, interrupt) throws(EngineError) in
      try source.firstVideo(interrupt: interrupt)?.info.preferredTransform ?? .identity
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [Never] {
  /// The variants of a stream (AVAssetVariant), of which a file has none.
  package static var variants: Self { Self("variants") { (_, _) throws(EngineError) in [] } }
}

// MARK: Capabilities

extension AssetProperty where Root == any Asset, Value == Bool {
  /// Indicates that at least one track is encrypted.
  public static var hasProtectedContent: Self {
    Self("hasProtectedContent") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).contains(where: \.info.isProtected)
    }
  }

  /// Indicates that this build can decode a video or audio track of it that isn't encrypted.
  public static var isPlayable: Self {
    Self("isPlayable") { (source, interrupt) throws(EngineError) in
      try source.isDecodable(interrupt: interrupt)
    }
  }

  /// Indicates that an ``AssetReader`` can decode a track of it: as `isPlayable`.
  public static var isReadable: Self {
    Self("isReadable") { (source, interrupt) throws(EngineError) in
      try source.isDecodable(interrupt: interrupt)
    }
  }

  /// Indicates that it can be part of a composition: as `isPlayable`.
  public static var isComposable: Self {
    Self("isComposable") { (source, interrupt) throws(EngineError) in
      try source.isDecodable(interrupt: interrupt)
    }
  }

  /// Indicates that an ``ExportSession`` can export it: at least one track isn't encrypted.
  public static var isExportable: Self {
    Self("isExportable") { (source, interrupt) throws(EngineError) in
      try !source.tracks(interrupt: interrupt).allSatisfy(\.info.isProtected)
    }
  }

  /// False: there is no photo library here.
  public static var isCompatibleWithSavedPhotosAlbum: Self {
    Self("isCompatibleWithSavedPhotosAlbum") { (_, _) throws(EngineError) in false }
  }

  /// False: there is no AirPlay here.
  public static var isCompatibleWithAirPlayVideo: Self {
    Self("isCompatibleWithAirPlayVideo") { (_, _) throws(EngineError) in false }
  }
}

// MARK: Metadata

extension AssetProperty where Root == any Asset, Value == [MetadataItem] {
  /// All metadata of the asset as a whole, in the container's order, attached pictures last.
  public static var metadata: Self {
    Self("metadata") { (source, interrupt) throws(EngineError) in
      try source.metadata(interrupt: interrupt)
    }
  }

  /// The metadata that has a common key.
  public static var commonMetadata: Self {
    Self("commonMetadata") { (source, interrupt) throws(EngineError) in
      try source.metadata(interrupt: interrupt).filter { $0.commonKey != nil }
    }
  }
}

extension AssetProperty where Root == any Asset, Value == MetadataItem? {
  /// The first item of the common key "creationDate"; nil without one.
  public static var creationDate: Self {
    Self("creationDate") { (source, interrupt) throws(EngineError) in
      try source.metadata(interrupt: interrupt).first { $0.commonKey == "creationDate" }
    }
  }
}

extension AssetProperty where Root == any Asset, Value == String? {
  /// The lyrics of a song; nil without any.
  public static var lyrics: Self {
    Self("lyrics") { (source, interrupt) throws(EngineError) in
      try source.metadata(interrupt: interrupt).lazy.compactMap(\.lyrics).first
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [String] {
  /// The formats of the asset's metadata, for example "com.apple.itunes" (AVMetadataFormat).
  public static var availableMetadataFormats: Self {
    Self("availableMetadataFormats") { (source, interrupt) throws(EngineError) in
      MediaEngine.availableMetadataFormats(of: try source.metadata(interrupt: interrupt))
    }
  }

  /// The languages of the chapters' titles as BCP 47 tags, "und" where the file states none; empty without
  /// chapters.
  public static var availableChapterLocales: Self {
    Self("availableChapterLocales") { (source, interrupt) throws(EngineError) in
      try source.chapterLocale(interrupt: interrupt).map { [$0] } ?? []
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [TimedMetadataGroup] {
  static var chapters: Self {
    Self("chapters") { (source, interrupt) throws(EngineError) in
      try source.chapterGroups(isIllustrated: false, interrupt: interrupt)
    }
  }

  static var illustratedChapters: Self {
    Self("illustratedChapters", isDeep: { _ in true }) {
      (source, interrupt) throws(EngineError) in
      try source.chapterGroups(isIllustrated: true, interrupt: interrupt)
    }
  }
}

// MARK: Media selection

extension AssetProperty where Root == any Asset, Value == [MediaSelectionGroup] {
  static var mediaSelectionGroups: Self {
    Self("mediaSelectionGroups") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).selectionGroups
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [MediaCharacteristic] {
  /// The characteristics that ``Asset/loadMediaSelectionGroup(for:)`` has a group for.
  public static var availableMediaCharacteristicsWithMediaSelectionOptions: Self {
    Self("availableMediaCharacteristicsWithMediaSelectionOptions") {
      (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).selectionGroups.map(\.characteristic)
    }
  }
}

extension AssetProperty where Root == any Asset, Value == MediaSelection {
  /// The default option of every group.
  public static var preferredMediaSelection: Self {
    Self("preferredMediaSelection") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).selectionGroups.preferredSelection
    }
  }
}

extension AssetProperty where Root == any Asset, Value == [MediaSelection] {
  /// Every combination of options, at most 1000.
  public static var allMediaSelections: Self {
    Self("allMediaSelections") { (source, interrupt) throws(EngineError) in
      try source.tracks(interrupt: interrupt).selectionGroups.allSelections()
    }
  }
}
