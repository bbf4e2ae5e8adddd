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
    self.init()
    for (key, state) in states { set(key, state) }
  }

  private mutating func set(_ key: AssetKey, _ state: KeyState<AssetValue>) {
    func wire<Value>(_ convert: (AssetValue) -> Value?) -> WireKeyState<Value> {
      WireKeyState(state, key: key.rawValue, convert)
    }
    switch key {
    case .duration: duration = wire(\.time)
    case .providesPreciseDurationAndTiming: providesPreciseDurationAndTiming = wire(\.bool)
    case .preferredRate: preferredRate = wire(\.double)
    case .preferredVolume: preferredVolume = wire(\.double)
    case .preferredTransform:
      preferredTransform = wire {
        if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
      }
    case .naturalSize:
      naturalSize = wire {
        if case .size(let size) = $0 { WireSize(size) } else { nil }
      }
    case .minimumTimeOffsetFromLive: minimumTimeOffsetFromLive = wire(\.time)
    case .tracks:
      tracks = wire {
        if case .tracks(let tracks) = $0 { tracks.map(WireTrack.init) } else { nil }
      }
    case .trackGroups:
      trackGroups = wire {
        if case .trackGroups(let groups) = $0 {
          groups.map(WireTrackGroup.init(trackIDs:))
        } else {
          nil
        }
      }
    case .creationDate:
      creationDate = wire {
        if case .item(let item) = $0 { item.map(WireMetadataItem.init) } else { nil }
      }
    case .lyrics:
      lyrics = wire { if case .text(let text) = $0 { text } else { nil } }
    case .commonMetadata: commonMetadata = wire(\.items)
    case .metadata: metadata = wire(\.items)
    case .availableMetadataFormats: availableMetadataFormats = wire(\.texts)
    case .availableChapterLocales: availableChapterLocales = wire(\.texts)
    case .availableMediaCharacteristicsWithMediaSelectionOptions:
      availableMediaCharacteristicsWithMediaSelectionOptions = wire {
        if case .characteristics(let list) = $0 {
          list.map(WireMediaCharacteristic.init)
        } else {
          nil
        }
      }
    case .preferredMediaSelection:
      preferredMediaSelection = wire {
        if case .selection(let selection) = $0 { WireMediaSelection(selection) } else { nil }
      }
    case .allMediaSelections:
      allMediaSelections = wire {
        if case .selections(let list) = $0 { list.map(WireMediaSelection.init) } else { nil }
      }
    case .hasProtectedContent: hasProtectedContent = wire(\.bool)
    case .canContainFragments: canContainFragments = wire(\.bool)
    case .containsFragments: containsFragments = wire(\.bool)
    case .overallDurationHint: overallDurationHint = wire(\.time)
    case .isPlayable: isPlayable = wire(\.bool)
    case .isExportable: isExportable = wire(\.bool)
    case .isReadable: isReadable = wire(\.bool)
    case .isComposable: isComposable = wire(\.bool)
    case .isCompatibleWithSavedPhotosAlbum: isCompatibleWithSavedPhotosAlbum = wire(\.bool)
    case .isCompatibleWithAirPlayVideo: isCompatibleWithAirPlayVideo = wire(\.bool)
    case .variants:
      variants = wire { _ in [] }
    // Requests of their own answer with these.
    case .chapters, .illustratedChapters, .mediaSelectionGroups: break
    }
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
    self.init()
    for (key, state) in states { set(key, state) }
  }

  private mutating func set(_ key: TrackKey, _ state: KeyState<TrackValue>) {
    func wire<Value>(_ convert: (TrackValue) -> Value?) -> WireKeyState<Value> {
      WireKeyState(state, key: key.rawValue, convert)
    }
    switch key {
    case .mediaType:
      mediaType = wire {
        if case .mediaType(let type) = $0 { WireMediaType(type) } else { nil }
      }
    case .formatDescriptions:
      formatDescriptions = wire {
        if case .formatDescriptions(let list) = $0 {
          list.map(WireFormatDescription.init)
        } else {
          nil
        }
      }
    case .mediaCharacteristics:
      mediaCharacteristics = wire {
        if case .mediaCharacteristics(let list) = $0 {
          list.map(WireMediaCharacteristic.init)
        } else {
          nil
        }
      }
    case .timeRange:
      timeRange = wire {
        if case .timeRange(let range) = $0 { WireTimeRange(range) } else { nil }
      }
    case .naturalTimeScale:
      naturalTimeScale = wire { $0.integer.map(Int32.init(clamping:)) }
    case .estimatedDataRate: estimatedDataRate = wire(\.double)
    case .totalSampleDataLength: totalSampleDataLength = wire(\.integer)
    case .languageCode: languageCode = wire(\.text)
    case .extendedLanguageTag: extendedLanguageTag = wire(\.text)
    case .naturalSize:
      naturalSize = wire {
        if case .size(let size) = $0 { WireSize(size) } else { nil }
      }
    case .preferredTransform:
      preferredTransform = wire {
        if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
      }
    case .preferredVolume: preferredVolume = wire(\.double)
    case .nominalFrameRate: nominalFrameRate = wire(\.double)
    case .minFrameDuration:
      minFrameDuration = wire {
        if case .time(let time) = $0 { WireTime(time) } else { nil }
      }
    case .requiresFrameReordering: requiresFrameReordering = wire(\.bool)
    case .hasAudioSampleDependencies: hasAudioSampleDependencies = wire(\.bool)
    case .isEnabled: isEnabled = wire(\.bool)
    case .isPlayable: isPlayable = wire(\.bool)
    case .isDecodable: isDecodable = wire(\.bool)
    case .isSelfContained: isSelfContained = wire(\.bool)
    case .segments:
      segments = wire {
        if case .segments(let list) = $0 { list.map(WireTrackSegment.init) } else { nil }
      }
    case .commonMetadata: commonMetadata = wire(\.items)
    case .metadata: metadata = wire(\.items)
    case .availableMetadataFormats:
      availableMetadataFormats = wire {
        if case .texts(let texts) = $0 { texts } else { nil }
      }
    case .availableTrackAssociationTypes:
      availableTrackAssociationTypes = wire {
        if case .associationTypes(let list) = $0 {
          list.map(WireTrackAssociationType.init)
        } else {
          nil
        }
      }
    case .canProvideSampleCursors: canProvideSampleCursors = wire(\.bool)
    }
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
