import LibAV

/// What an export makes of its source (AVAssetExportSession's presets, without their prefix).
public struct ExportPreset: Sendable, Hashable {
  public var name: String
  /// Nil for Passthrough: samples are copied as they are.
  var encoding: Encoding?

  struct Encoding: Sendable, Hashable {
    /// The picture is scaled down to fit this box, in either orientation; nil keeps the size.
    var box: PixelBox?
    /// x264's constant rate factor: 18 is near transparent, 28 visibly poorer.
    var rateFactor: Int
    /// For mono and stereo, in bits per second.
    var audioBitRate: Int64
  }

  struct PixelBox: Sendable, Hashable {
    var long: Int
    var short: Int
  }

  public static let passthrough = ExportPreset(name: "Passthrough")

  /// Every preset of this build; Passthrough is last, as it is none of AVFoundation's list.
  public static let all: [ExportPreset] = {
    var presets: [ExportPreset] = []
    if videoEncoder != nil, audioEncoder != nil {
      presets = [
        quality("LowQuality", box: PixelBox(long: 480, short: 360), 27, 64_000),
        quality("MediumQuality", box: PixelBox(long: 960, short: 720), 24, 128_000),
        quality("HighestQuality", box: nil, 18, 192_000),
        quality("640x480", box: PixelBox(long: 640, short: 480), 22, 128_000),
        quality("960x540", box: PixelBox(long: 960, short: 540), 22, 128_000),
        quality("1280x720", box: PixelBox(long: 1280, short: 720), 22, 160_000),
        quality("1920x1080", box: PixelBox(long: 1920, short: 1080), 22, 192_000),
        quality("3840x2160", box: PixelBox(long: 3840, short: 2160), 22, 192_000),
      ]
    }
    return presets + [passthrough]
  }()

  public init?(_ name: String) {
    guard let found = ExportPreset.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  private init(name: String, encoding: Encoding? = nil) {
    self.name = name
    self.encoding = encoding
  }

  private static func quality(
    _ name: String, box: PixelBox?, _ rateFactor: Int, _ audioBitRate: Int64
  ) -> ExportPreset {
    ExportPreset(
      name: name,
      encoding: Encoding(box: box, rateFactor: rateFactor, audioBitRate: audioBitRate))
  }

  /// The H.264 and AAC encoders of this build, the best first.
  static let videoEncoder = ["libx264", "libopenh264"].first(where: Encoder.isAvailable)
  static let audioEncoder = ["libfdk_aac", "aac"].first(where: Encoder.isAvailable)
}

extension ExportPreset.Encoding {
  /// The size to encode, even in both directions as 4:2:0 needs; never larger than the source.
  ///
  /// - Parameter size: with the pixels as stored; `ratio`: their sample aspect ratio, which stays.
  func size(for size: (width: Int, height: Int), ratio: Rational) -> (width: Int, height: Int) {
    var scale = 1.0
    if let box {
      let shown = Double(size.width) * (ratio.isPositive ? ratio.doubleValue : 1)
      let height = Double(size.height)
      scale = min(
        1, Double(box.long) / max(shown, height), Double(box.short) / min(shown, height))
    }
    func even(_ length: Int) -> Int {
      max(2, Int((Double(length) * scale / 2).rounded(.toNearestOrAwayFromZero)) * 2)
    }
    // An odd source loses its last row or column rather than being stretched by one.
    return scale == 1
      ? (max(2, size.width & ~1), max(2, size.height & ~1)) : (even(size.width), even(size.height))
  }
}
