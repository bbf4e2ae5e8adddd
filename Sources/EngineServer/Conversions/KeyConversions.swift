import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension WireKeyState {
  /// The state of a key, with `convert` taking out the one form its value has.
  init<EngineValue>(
    _ state: KeyState<EngineValue>, key: String, _ convert: (EngineValue) -> Value?
  ) {
    switch state {
    case .unknown: self.init(status: .unknown)
    case .loading: self.init(status: .loading)
    case .cancelled: self.init(status: .cancelled)
    case .failed(let error):
      self.init(status: .failed, error: ErrorObject(error).about(key: key))
    case .loaded(let value): self.init(status: .loaded, value: convert(value))
    }
  }
}

extension WireAssetValues {
  init(_ states: [AssetKey: KeyState<AssetValue>]) {
    func state<Value>(
      _ key: AssetKey, _ convert: (AssetValue) -> Value?
    ) -> WireKeyState<Value>? {
      states[key].map { WireKeyState($0, key: key.rawValue, convert) }
    }
    self.init()
    duration = state(.duration, \.time)
    providesPreciseDurationAndTiming = state(.providesPreciseDurationAndTiming, \.bool)
    preferredRate = state(.preferredRate, \.double)
    preferredVolume = state(.preferredVolume, \.double)
    preferredTransform = state(.preferredTransform) {
      if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
    }
    naturalSize = state(.naturalSize) {
      if case .size(let size) = $0 { WireSize(size) } else { nil }
    }
    minimumTimeOffsetFromLive = state(.minimumTimeOffsetFromLive, \.time)
    tracks = state(.tracks) {
      if case .tracks(let tracks) = $0 { tracks.map(WireTrack.init) } else { nil }
    }
    trackGroups = state(.trackGroups) {
      if case .trackGroups(let groups) = $0 {
        groups.map(WireTrackGroup.init(trackIDs:))
      } else {
        nil
      }
    }
    creationDate = state(.creationDate) {
      if case .item(let item) = $0 { item.map(WireMetadataItem.init) } else { nil }
    }
    lyrics = state(.lyrics) { if case .text(let text) = $0 { text } else { nil } }
    commonMetadata = state(.commonMetadata, \.items)
    metadata = state(.metadata, \.items)
    availableMetadataFormats = state(.availableMetadataFormats, \.texts)
    availableChapterLocales = state(.availableChapterLocales, \.texts)
    availableMediaCharacteristicsWithMediaSelectionOptions = state(
      .availableMediaCharacteristicsWithMediaSelectionOptions
    ) { if case .characteristics(let list) = $0 { wire(list) } else { nil } }
    preferredMediaSelection = state(.preferredMediaSelection) {
      if case .selection(let selection) = $0 { WireMediaSelection(selection) } else { nil }
    }
    allMediaSelections = state(.allMediaSelections) {
      if case .selections(let list) = $0 { list.map(WireMediaSelection.init) } else { nil }
    }
    hasProtectedContent = state(.hasProtectedContent, \.bool)
    canContainFragments = state(.canContainFragments, \.bool)
    containsFragments = state(.containsFragments, \.bool)
    overallDurationHint = state(.overallDurationHint, \.time)
    isPlayable = state(.isPlayable, \.bool)
    isExportable = state(.isExportable, \.bool)
    isReadable = state(.isReadable, \.bool)
    isComposable = state(.isComposable, \.bool)
    isCompatibleWithSavedPhotosAlbum = state(.isCompatibleWithSavedPhotosAlbum, \.bool)
    isCompatibleWithAirPlayVideo = state(.isCompatibleWithAirPlayVideo, \.bool)
    variants = state(.variants) { _ in [] }
  }
}

extension AssetValue {
  fileprivate var time: WireTime? { if case .time(let time) = self { WireTime(time) } else { nil } }
  fileprivate var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  fileprivate var double: Double? { if case .double(let number) = self { number } else { nil } }
  fileprivate var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
  fileprivate var items: [WireMetadataItem]? {
    if case .metadata(let items) = self { items.map(WireMetadataItem.init) } else { nil }
  }
}

extension WireTrackValues {
  init(_ states: [TrackKey: KeyState<TrackValue>]) {
    func state<Value>(
      _ key: TrackKey, _ convert: (TrackValue) -> Value?
    ) -> WireKeyState<Value>? {
      states[key].map { WireKeyState($0, key: key.rawValue, convert) }
    }
    self.init()
    mediaType = state(.mediaType) {
      if case .mediaType(let type) = $0 { WireMediaType(type) } else { nil }
    }
    formatDescriptions = state(.formatDescriptions) {
      if case .formatDescriptions(let list) = $0 {
        list.map(WireFormatDescription.init)
      } else {
        nil
      }
    }
    mediaCharacteristics = state(.mediaCharacteristics) {
      if case .mediaCharacteristics(let list) = $0 { wire(list) } else { nil }
    }
    timeRange = state(.timeRange) {
      if case .timeRange(let range) = $0 { WireTimeRange(range) } else { nil }
    }
    naturalTimeScale = state(.naturalTimeScale) { $0.integer.map(Int32.init(clamping:)) }
    estimatedDataRate = state(.estimatedDataRate, \.double)
    totalSampleDataLength = state(.totalSampleDataLength, \.integer)
    languageCode = state(.languageCode, \.text)
    extendedLanguageTag = state(.extendedLanguageTag, \.text)
    naturalSize = state(.naturalSize) {
      if case .size(let size) = $0 { WireSize(size) } else { nil }
    }
    preferredTransform = state(.preferredTransform) {
      if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
    }
    preferredVolume = state(.preferredVolume, \.double)
    nominalFrameRate = state(.nominalFrameRate, \.double)
    minFrameDuration = state(.minFrameDuration) {
      if case .time(let time) = $0 { WireTime(time) } else { nil }
    }
    requiresFrameReordering = state(.requiresFrameReordering, \.bool)
    hasAudioSampleDependencies = state(.hasAudioSampleDependencies, \.bool)
    isEnabled = state(.isEnabled, \.bool)
    isPlayable = state(.isPlayable, \.bool)
    isDecodable = state(.isDecodable, \.bool)
    isSelfContained = state(.isSelfContained, \.bool)
    segments = state(.segments) {
      if case .segments(let list) = $0 { list.map(WireTrackSegment.init) } else { nil }
    }
    commonMetadata = state(.commonMetadata, \.items)
    metadata = state(.metadata, \.items)
    availableMetadataFormats = state(.availableMetadataFormats) {
      if case .texts(let texts) = $0 { texts } else { nil }
    }
    availableTrackAssociationTypes = state(.availableTrackAssociationTypes) {
      if case .associationTypes(let list) = $0 {
        list.compactMap { WireTrackAssociationType(rawValue: $0.rawValue) }
      } else {
        nil
      }
    }
    canProvideSampleCursors = state(.canProvideSampleCursors, \.bool)
  }
}

extension TrackValue {
  fileprivate var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  fileprivate var double: Double? { if case .double(let number) = self { number } else { nil } }
  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var items: [WireMetadataItem]? {
    if case .metadata(let items) = self { items.map(WireMetadataItem.init) } else { nil }
  }
}

extension WireTrackSegment {
  init(_ segment: AssetTrackSegment) {
    self.init(timeMapping: WireTimeMapping(segment.timeMapping), isEmpty: segment.isEmpty)
  }
}

extension WireMediaSelection {
  init(_ selection: MediaSelection) {
    self.init(
      choices: selection.choices.compactMap { choice in
        WireMediaCharacteristic(rawValue: choice.characteristic.rawValue).map {
          WireMediaSelectionChoice(mediaCharacteristic: $0, trackID: choice.trackID)
        }
      })
  }
}

extension WireMediaSelectionOption {
  init(_ track: AssetTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      mediaSubTypes: [track.mediaSubType], mediaCharacteristics: wire(track.mediaCharacteristics),
      isPlayable: track.isPlayable, extendedLanguageTag: track.extendedLanguageTag,
      displayName: track.displayName,
      commonMetadata: track.metadata.filter { $0.commonKey != nil }.map(WireMetadataItem.init))
  }
}
