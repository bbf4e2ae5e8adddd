import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// Engine values as the caller sees them. Each is said once, here.

extension WireSize {
  init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension WireTransform {
  init(_ transform: AffineTransform) {
    self.init(
      a: transform.a, b: transform.b, c: transform.c, d: transform.d, tx: transform.tx,
      ty: transform.ty)
  }
}

extension WireMediaType {
  init(_ type: MediaType) { self = WireMediaType(rawValue: type.rawValue) ?? .metadata }
}

extension MediaType {
  init(_ type: WireMediaType) { self = MediaType(rawValue: type.rawValue) ?? .metadata }
}

func wire(_ characteristics: [MediaCharacteristic]) -> [WireMediaCharacteristic] {
  characteristics.compactMap { WireMediaCharacteristic(rawValue: $0.rawValue) }
}

extension WireTrack {
  init(_ track: AssetTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      mediaSubType: track.mediaSubType,
      mediaCharacteristics: wire(track.mediaCharacteristics), isEnabled: track.isEnabled,
      isDecodable: track.isDecodable, languageCode: track.languageCode,
      extendedLanguageTag: track.extendedLanguageTag,
      naturalSize: track.mediaType == .video ? WireSize(track.naturalSize) : nil)
  }
}

extension WireMetadataItem {
  /// Larger values are named with their size; their bytes come by a request of their own.
  private static let largestInlineValue = 4096

  init(_ item: MetadataItem) {
    let value: WireMetadataValue
    let dataType: String
    switch item.value {
    case .string(let text):
      value = .string(text)
      dataType = "com.apple.metadata.datatype.UTF-8"
    case .data(let bytes, let mimeType):
      let isSmall = bytes.count <= WireMetadataItem.largestInlineValue
      value = .data(
        WireMetadataData(
          data: isSmall ? Base64Data(bytes: bytes) : nil, size: bytes.count, mimeType: mimeType))
      dataType = mimeType
    }
    self.init(
      identifier: item.identifier, key: item.key, keySpace: item.keySpace,
      commonKey: item.commonKey, extendedLanguageTag: item.extendedLanguageTag,
      dataType: dataType, value: value)
  }
}

extension MetadataItem {
  init(_ item: WireMetadataItem) {
    let value: Value =
      switch item.value {
      case .string(let text): .string(text)
      case .number(let number):
        .string(number.rounded() == number ? "\(Int64(clamping: number))" : "\(number)")
      case .bool(let flag): .string(flag ? "true" : "false")
      case .data(let data): .data(data.data?.bytes ?? [], mimeType: data.mimeType ?? "")
      }
    self.init(
      key: item.key, keySpace: item.keySpace, commonKey: item.commonKey,
      extendedLanguageTag: item.extendedLanguageTag, value: value)
  }
}

extension Int64 {
  /// The nearest integer, whatever the number: `Int64(Double)` would trap.
  fileprivate init(clamping number: Double) {
    self = Int64(exactly: number.rounded()) ?? (number > 0 ? .max : .min)
  }
}

extension WireColor {
  init(_ color: FormatDescription.Color) {
    self.init(
      primaries: color.primaries, transfer: color.transfer, matrix: color.matrix,
      range: color.isFullRange.map { $0 ? "full" : "limited" })
  }
}

extension WireFormatDescription {
  init(_ format: FormatDescription) {
    self.init(
      mediaType: WireMediaType(format.mediaType), mediaSubType: format.mediaSubType,
      codec: format.codec, profile: format.profile, level: format.level,
      extradataSize: format.extradataSize, video: format.video.map(WireVideoFormat.init),
      audio: format.audio.map { WireAudioFormat($0, formatID: format.mediaSubType) })
  }
}

extension WireVideoFormat {
  init(_ format: FormatDescription.Video) {
    self.init(
      dimensions: WireSize(format.dimensions),
      presentationDimensions: WireSize(format.presentationDimensions),
      pixelAspectRatio: format.pixelAspectRatio.map {
        WirePixelAspectRatio(horizontalSpacing: $0.horizontal, verticalSpacing: $0.vertical)
      },
      fieldCount: format.fieldCount,
      fieldDetail: format.isTopFieldFirst.map { $0 ? .temporalTopFirst : .temporalBottomFirst },
      bitsPerComponent: format.bitsPerComponent, pixelFormat: format.pixelFormat,
      color: WireColor(format.color), chromaLocation: format.chromaLocation,
      containsAlphaChannel: format.containsAlphaChannel)
  }
}

extension WireAudioFormat {
  init(_ format: FormatDescription.Audio, formatID: String) {
    self.init(
      sampleRate: format.sampleRate, formatID: formatID, formatFlags: format.formatFlags,
      bytesPerPacket: UInt32(clamping: format.bytesPerPacket),
      framesPerPacket: UInt32(clamping: format.framesPerPacket),
      bytesPerFrame: UInt32(clamping: format.bytesPerFrame),
      channelsPerFrame: UInt32(clamping: format.channels),
      bitsPerChannel: UInt32(clamping: format.bitsPerChannel),
      channelLayout: format.channelLayout)
  }
}

extension WirePlane {
  init(_ plane: PicturePlane) {
    self.init(offset: plane.offset, bytesPerRow: plane.bytesPerRow, height: plane.height)
  }
}

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
