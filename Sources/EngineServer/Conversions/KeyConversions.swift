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
    func bool(_ value: AssetValue) -> Bool? {
      if case .bool(let flag) = value { flag } else { nil }
    }
    func double(_ value: AssetValue) -> Double? {
      if case .double(let number) = value { number } else { nil }
    }
    func items(_ value: AssetValue) -> [WireMetadataItem]? {
      if case .metadata(let items) = value { items.map(WireMetadataItem.init) } else { nil }
    }
    self.init(
      duration: state(.duration) { if case .time(let time) = $0 { WireTime(time) } else { nil } },
      providesPreciseDurationAndTiming: state(.providesPreciseDurationAndTiming, bool),
      tracks: state(.tracks) {
        if case .tracks(let tracks) = $0 { tracks.map(WireTrack.init) } else { nil }
      },
      metadata: state(.metadata, items), commonMetadata: state(.commonMetadata, items),
      isPlayable: state(.isPlayable, bool), isReadable: state(.isReadable, bool),
      isExportable: state(.isExportable, bool),
      hasProtectedContent: state(.hasProtectedContent, bool),
      preferredTransform: state(.preferredTransform) {
        if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
      },
      naturalSize: state(.naturalSize) {
        if case .size(let size) = $0 { WireSize(size) } else { nil }
      },
      preferredRate: state(.preferredRate, double), preferredVolume: state(.preferredVolume, double)
    )
  }
}

extension WireTrackValues {
  init(_ states: [TrackKey: KeyState<TrackValue>]) {
    func state<Value>(
      _ key: TrackKey, _ convert: (TrackValue) -> Value?
    ) -> WireKeyState<Value>? {
      states[key].map { WireKeyState($0, key: key.rawValue, convert) }
    }
    func bool(_ value: TrackValue) -> Bool? {
      if case .bool(let flag) = value { flag } else { nil }
    }
    func double(_ value: TrackValue) -> Double? {
      if case .double(let number) = value { number } else { nil }
    }
    func text(_ value: TrackValue) -> String? {
      if case .text(let text) = value { text } else { nil }
    }
    self.init(
      mediaType: state(.mediaType) {
        if case .mediaType(let type) = $0 { WireMediaType(type) } else { nil }
      },
      formatDescriptions: state(.formatDescriptions) {
        if case .formatDescriptions(let list) = $0 {
          list.map(WireFormatDescription.init)
        } else {
          nil
        }
      },
      mediaCharacteristics: state(.mediaCharacteristics) {
        if case .mediaCharacteristics(let list) = $0 { wire(list) } else { nil }
      },
      timeRange: state(.timeRange) {
        if case .timeRange(let range) = $0 { WireTimeRange(range) } else { nil }
      },
      naturalTimeScale: state(.naturalTimeScale) {
        if case .integer(let number) = $0 { Int32(clamping: number) } else { nil }
      },
      estimatedDataRate: state(.estimatedDataRate, double),
      totalSampleDataLength: state(.totalSampleDataLength) {
        if case .integer(let number) = $0 { number } else { nil }
      },
      languageCode: state(.languageCode, text),
      extendedLanguageTag: state(.extendedLanguageTag, text),
      naturalSize: state(.naturalSize) {
        if case .size(let size) = $0 { WireSize(size) } else { nil }
      },
      preferredTransform: state(.preferredTransform) {
        if case .transform(let transform) = $0 { WireTransform(transform) } else { nil }
      },
      preferredVolume: state(.preferredVolume, double),
      nominalFrameRate: state(.nominalFrameRate, double),
      minFrameDuration: state(.minFrameDuration) {
        if case .time(let time) = $0 { WireTime(time) } else { nil }
      },
      requiresFrameReordering: state(.requiresFrameReordering, bool),
      hasAudioSampleDependencies: state(.hasAudioSampleDependencies, bool),
      isEnabled: state(.isEnabled, bool), isPlayable: state(.isPlayable, bool),
      isDecodable: state(.isDecodable, bool), isSelfContained: state(.isSelfContained, bool),
      metadata: state(.metadata) {
        if case .metadata(let items) = $0 { items.map(WireMetadataItem.init) } else { nil }
      })
  }
}
