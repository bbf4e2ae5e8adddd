import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

/// A key of the wire: the engine's property, and the member of the answer for its state.
struct KeyBinding<Root, Values> {
  let property: PartialAssetProperty<Root>
  private let fill: (Root?, inout Values) -> Void

  init<Value, WireValue>(
    _ property: AssetProperty<Root, Value>,
    _ member: WritableKeyPath<Values, WireKeyState<WireValue>?>,
    status: @escaping (Root) -> AssetPropertyStatus<Value>,
    key: String, _ convert: @escaping (Value) -> WireValue?
  ) {
    self.property = PartialAssetProperty(property)
    fill = { root, values in
      let status = root.map(status) ?? .notYetLoaded
      values[keyPath: member] = WireKeyState(status, key: key, convert)
    }
  }

  /// Enters the state of the property; "not loaded yet" for an object that isn't loaded itself.
  func fill(_ values: inout Values, of root: Root?) { fill(root, &values) }
}

extension WireKeyState {
  init<EngineValue>(
    _ status: AssetPropertyStatus<EngineValue>, key: String, _ convert: (EngineValue) -> Value?
  ) {
    switch status {
    case .notYetLoaded: self.init(status: .unknown)
    case .loading: self.init(status: .loading)
    case .cancelled: self.init(status: .cancelled)
    case .failed(let error):
      self.init(status: .failed, error: ErrorObject(error).about(key: key))
    case .loaded(let value): self.init(status: .loaded, value: convert(value))
    }
  }
}

extension WireAssetValues {
  /// Creates the states of keys at this moment.
  init(_ keys: [WireAssetKey], of asset: any Asset) {
    self.init()
    for key in keys { key.binding.fill(&self, of: asset) }
  }
}

extension WireTrackValues {
  /// Creates the states of keys at this moment; nil stands for a track that isn't loaded yet.
  init(_ keys: [WireTrackKey], of track: AssetTrack?) {
    self.init()
    for key in keys { key.binding.fill(&self, of: track) }
  }
}

extension WireAssetKey {
  typealias Binding = KeyBinding<any Asset, WireAssetValues>

  private func bind<Value, WireValue>(
    _ property: AssetProperty<any Asset, Value>,
    _ member: WritableKeyPath<WireAssetValues, WireKeyState<WireValue>?>,
    _ convert: @escaping (Value) -> WireValue?
  ) -> Binding {
    Binding(property, member, status: { $0.status(of: property) }, key: rawValue, convert)
  }

  var binding: Binding {
    switch self {
    case .duration: bind(.duration, \.duration, WireTime.init)
    case .providesPreciseDurationAndTiming:
      bind(
        .providesPreciseDurationAndTiming,
        \.providesPreciseDurationAndTiming, \.self)
    case .preferredRate: bind(.preferredRate, \.preferredRate, \.self)
    case .preferredVolume: bind(.preferredVolume, \.preferredVolume, \.self)
    case .preferredTransform: bind(.preferredTransform, \.preferredTransform, WireTransform.init)
    case .naturalSize: bind(.naturalSize, \.naturalSize, WireSize.init)
    case .minimumTimeOffsetFromLive:
      bind(
        .minimumTimeOffsetFromLive,
        \.minimumTimeOffsetFromLive, WireTime.init)
    case .tracks: bind(.tracks, \.tracks) { $0.map(WireTrack.init) }
    case .trackGroups: bind(.trackGroups, \.trackGroups) { $0.map(WireTrackGroup.init(trackIDs:)) }
    case .creationDate: bind(.creationDate, \.creationDate) { $0.map(WireMetadataItem.init) }
    case .lyrics: bind(.lyrics, \.lyrics, \.self)
    case .commonMetadata: bind(.commonMetadata, \.commonMetadata) { $0.map(WireMetadataItem.init) }
    case .metadata: bind(.metadata, \.metadata) { $0.map(WireMetadataItem.init) }
    case .availableMetadataFormats:
      bind(
        .availableMetadataFormats,
        \.availableMetadataFormats, \.self)
    case .availableChapterLocales: bind(.availableChapterLocales, \.availableChapterLocales, \.self)
    case .availableMediaCharacteristicsWithMediaSelectionOptions:
      bind(
        .availableMediaCharacteristicsWithMediaSelectionOptions,
        \.availableMediaCharacteristicsWithMediaSelectionOptions
      ) { $0.map(WireMediaCharacteristic.init) }
    case .preferredMediaSelection:
      bind(
        .preferredMediaSelection,
        \.preferredMediaSelection, WireMediaSelection.init)
    case .allMediaSelections:
      bind(
        .allMediaSelections,
        \.allMediaSelections
      ) { $0.map(WireMediaSelection.init) }
    case .hasProtectedContent: bind(.hasProtectedContent, \.hasProtectedContent, \.self)
    case .canContainFragments: bind(.canContainFragments, \.canContainFragments, \.self)
    case .containsFragments: bind(.containsFragments, \.containsFragments, \.self)
    case .overallDurationHint: bind(.overallDurationHint, \.overallDurationHint, WireTime.init)
    case .isPlayable: bind(.isPlayable, \.isPlayable, \.self)
    case .isExportable: bind(.isExportable, \.isExportable, \.self)
    case .isReadable: bind(.isReadable, \.isReadable, \.self)
    case .isComposable: bind(.isComposable, \.isComposable, \.self)
    case .isCompatibleWithSavedPhotosAlbum:
      bind(
        .isCompatibleWithSavedPhotosAlbum,
        \.isCompatibleWithSavedPhotosAlbum, \.self)
    case .isCompatibleWithAirPlayVideo:
      bind(
        .isCompatibleWithAirPlayVideo,
        \.isCompatibleWithAirPlayVideo, \.self)
    case .variants: bind(.variants, \.variants) { _ in [] }
    case .containerFacts:
      bind(.containerFacts, \.containerFacts) { $0.map(WireContainerFacts.init) }
    }
  }
}

extension WireContainerFacts {
  init(_ facts: ContainerFacts) {
    self.init(
      formatName: facts.formatName, formatLongName: facts.formatLongName, size: facts.size,
      bitRate: facts.bitRate, streamCount: facts.streamCount, isCutShort: facts.isCutShort,
      missingBytes: facts.missingBytes, isEncrypted: facts.isEncrypted, hasIndex: facts.hasIndex,
      characterSet: facts.characterSet, characterSetIsGuess: facts.characterSetIsGuess)
  }
}

extension WireTrackKey {
  typealias Binding = KeyBinding<AssetTrack, WireTrackValues>

  private func bind<Value, WireValue>(
    _ property: AssetProperty<AssetTrack, Value>,
    _ member: WritableKeyPath<WireTrackValues, WireKeyState<WireValue>?>,
    _ convert: @escaping (Value) -> WireValue?
  ) -> Binding {
    Binding(property, member, status: { $0.status(of: property) }, key: rawValue, convert)
  }

  var binding: Binding {
    switch self {
    case .mediaType: bind(.mediaType, \.mediaType, WireMediaType.init)
    case .formatDescriptions:
      bind(
        .formatDescriptions,
        \.formatDescriptions
      ) { $0.map(WireFormatDescription.init) }
    case .mediaCharacteristics:
      bind(
        .mediaCharacteristics,
        \.mediaCharacteristics
      ) { $0.map(WireMediaCharacteristic.init) }
    case .timeRange: bind(.timeRange, \.timeRange, WireTimeRange.init)
    case .naturalTimeScale: bind(.naturalTimeScale, \.naturalTimeScale, \.self)
    case .estimatedDataRate: bind(.estimatedDataRate, \.estimatedDataRate, \.self)
    case .totalSampleDataLength: bind(.totalSampleDataLength, \.totalSampleDataLength, \.self)
    case .languageCode: bind(.languageCode, \.languageCode, \.self)
    case .extendedLanguageTag: bind(.extendedLanguageTag, \.extendedLanguageTag, \.self)
    case .naturalSize: bind(.naturalSize, \.naturalSize, WireSize.init)
    case .preferredTransform: bind(.preferredTransform, \.preferredTransform, WireTransform.init)
    case .preferredVolume: bind(.preferredVolume, \.preferredVolume, \.self)
    case .nominalFrameRate: bind(.nominalFrameRate, \.nominalFrameRate, \.self)
    case .minFrameDuration: bind(.minFrameDuration, \.minFrameDuration, WireTime.init)
    case .requiresFrameReordering: bind(.requiresFrameReordering, \.requiresFrameReordering, \.self)
    case .hasAudioSampleDependencies:
      bind(
        .hasAudioSampleDependencies,
        \.hasAudioSampleDependencies, \.self)
    case .isEnabled: bind(.isEnabled, \.isEnabled, \.self)
    case .isPlayable: bind(.isPlayable, \.isPlayable, \.self)
    case .isDecodable: bind(.isDecodable, \.isDecodable, \.self)
    case .isSelfContained: bind(.isSelfContained, \.isSelfContained, \.self)
    case .segments: bind(.segments, \.segments) { $0.map(WireTrackSegment.init) }
    case .commonMetadata: bind(.commonMetadata, \.commonMetadata) { $0.map(WireMetadataItem.init) }
    case .metadata: bind(.metadata, \.metadata) { $0.map(WireMetadataItem.init) }
    case .availableMetadataFormats:
      bind(
        .availableMetadataFormats,
        \.availableMetadataFormats, \.self)
    case .availableTrackAssociationTypes:
      bind(
        .availableTrackAssociationTypes,
        \.availableTrackAssociationTypes
      ) { $0.map(WireTrackAssociationType.init) }
    case .canProvideSampleCursors: bind(.canProvideSampleCursors, \.canProvideSampleCursors, \.self)
    }
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
      choices: selection.choices.map { choice in
        WireMediaSelectionChoice(
          mediaCharacteristic: WireMediaCharacteristic(choice.characteristic),
          trackID: choice.trackID)
      })
  }
}

extension WireMediaSelectionOption {
  init(_ track: AssetTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      mediaSubTypes: [track.mediaSubType],
      mediaCharacteristics: track.mediaCharacteristics.map(WireMediaCharacteristic.init),
      isPlayable: track.isPlayable, extendedLanguageTag: track.extendedLanguageTag,
      displayName: track.displayName,
      commonMetadata: track.metadata.filter { $0.commonKey != nil }.map(WireMetadataItem.init))
  }
}
