public import MediaTime

/// The keys of an asset that can be loaded (AVAsset).
public enum AssetKey: String, Sendable, Hashable, CaseIterable {
  case duration, providesPreciseDurationAndTiming, preferredRate, preferredVolume
  case preferredTransform, naturalSize, minimumTimeOffsetFromLive, tracks, trackGroups
  case creationDate, lyrics, commonMetadata, metadata, availableMetadataFormats
  case availableChapterLocales, availableMediaCharacteristicsWithMediaSelectionOptions
  case preferredMediaSelection, allMediaSelections, hasProtectedContent, canContainFragments
  case containsFragments, overallDurationHint, isPlayable, isExportable, isReadable, isComposable
  case isCompatibleWithSavedPhotosAlbum, isCompatibleWithAirPlayVideo, variants
  /// The chapters with their titles, and with their pictures too: what
  /// ``Asset/loadChapterMetadataGroups(withTitleLocale:containingArtwork:ticket:)`` takes them from.
  case chapters, illustratedChapters
  /// What ``Asset/loadMediaSelectionGroup(for:ticket:)`` takes its answer from.
  case mediaSelectionGroups
}

/// The value of a key of an asset; each key has one form.
public enum AssetValue: Sendable {
  case time(Time)
  case bool(Bool)
  case double(Double)
  case text(String?)
  case texts([String])
  case tracks([AssetTrack])
  /// By track numbers.
  case trackGroups([[Int32]])
  case item(MetadataItem?)
  case metadata([MetadataItem])
  case timedGroups([TimedMetadataGroup])
  case characteristics([MediaCharacteristic])
  case selection(MediaSelection)
  case selections([MediaSelection])
  case selectionGroups([MediaSelectionGroup])
  case transform(AffineTransform)
  case size(Size)
  /// Always empty: files have no variants.
  case variants
}

/// Metadata of a part of an asset (AVTimedMetadataGroup).
public struct TimedMetadataGroup: Sendable, Hashable {
  public var timeRange: TimeRange
  public var items: [MetadataItem]

  public init(timeRange: TimeRange, items: [MetadataItem]) {
    self.timeRange = timeRange
    self.items = items
  }
}
