import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// Engine values in the caller's form. Each is converted once, here.

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

extension WireTrack {
  init(_ track: AssetTrack) {
    self.init(
      trackID: track.trackID, mediaType: WireMediaType(track.mediaType),
      mediaSubType: track.mediaSubType,
      mediaCharacteristics: track.mediaCharacteristics.map(WireMediaCharacteristic.init),
      isEnabled: track.isEnabled,
      isDecodable: track.isDecodable, languageCode: track.languageCode,
      extendedLanguageTag: track.extendedLanguageTag,
      naturalSize: track.mediaType == .video ? WireSize(track.naturalSize) : nil)
  }
}

extension WireImageFormat {
  enum Form {
    /// A file in memory.
    case file
    /// Pixels in one plane.
    case packedPixels
    /// Pixels in planes, of which chroma has fewer.
    case subsampledPixels
  }

  var form: Form {
    switch self {
    case .jpeg, .png, .webp, .bmp: .file
    case .rgb24, .rgba, .bgra, .gray, .rgb48le, .rgba64le, .gray16le: .packedPixels
    case .yuv420p, .yuv420p10le: .subsampledPixels
    }
  }
}

extension WirePlane {
  init(_ plane: PicturePlane) {
    self.init(offset: plane.offset, bytesPerRow: plane.bytesPerRow, height: plane.height)
  }
}
