import LibAV

/// The requirements for a generated picture.
public struct ImageOutput: Sendable {
  /// "jpeg", "png", "webp", "bmp", or one of ``rawFormats``.
  public var format: String
  /// 0 to 1, for JPEG and WebP.
  public var quality: Double
  public var destination: Destination

  public init(
    format: String = "jpeg", quality: Double = 0.85, destination: Destination = .heap
  ) {
    self.format = format
    self.quality = quality
    self.destination = destination
  }

  enum Kind {
    case encoded(ImageFormat)
    case raw(PixelFormat)
  }

  /// FFmpeg's names. Those that end in "le" have samples of 16 bits, the low byte first.
  public static let rawFormats = [
    "rgb24", "rgba", "bgra", "gray", "yuv420p", "rgb48le", "rgba64le", "gray16le", "yuv420p10le",
  ]

  /// - Throws: `unsupportedOutputSettings`, `encoderNotFound`.
  func kind() throws(EngineError) -> Kind {
    if let format = ImageFormat(rawValue: format) {
      guard format.isAvailable else {
        throw EngineError(
          .encoderNotFound, "This build has no encoder for \(format.rawValue)",
          advice: .chooseImageFormat(EngineHost.imageFormats))
      }
      return .encoded(format)
    }
    guard ImageOutput.rawFormats.contains(format), let raw = PixelFormat(name: format) else {
      throw EngineError(
        .unsupportedOutputSettings, "Images can't be had as '\(format)'",
        advice: .chooseImageFormat(EngineHost.imageFormats + ImageOutput.rawFormats))
    }
    return .raw(raw)
  }
}
