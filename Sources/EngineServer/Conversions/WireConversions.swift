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
