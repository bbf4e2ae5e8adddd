import LibAV

/// What a preset makes of video, whatever the source.
struct VideoRecipe: Sendable, Hashable {
  var codec: VideoCodec
  /// The picture is scaled down to fit this box, in either orientation; nil keeps the size.
  var box: PixelBox?
  /// The encoder's constant quality on its own scale; smaller is better. Nil where it has none.
  var rateFactor: Int?
  /// The codec's profile, where not the encoder's own choice.
  var profile: String?
  /// Frames per second that are not to be exceeded.
  var highestFrameRate: Rational?

  struct PixelBox: Sendable, Hashable {
    var long: Int
    var short: Int
  }

  /// The size to encode, even in both directions as halved chroma needs; never larger than the source.
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

/// The codecs that presets encode video with.
enum VideoCodec: String, Sendable, Hashable {
  case h264 = "H.264"
  case hevc = "HEVC"
  case vp9 = "VP9"
  case av1 = "AV1"
  case proRes = "ProRes"
  case gif = "GIF"

  /// FFmpeg's name of the codec, as containers are asked for it.
  var codecName: String {
    switch self {
    case .h264: "h264"
    case .hevc: "hevc"
    case .vp9: "vp9"
    case .av1: "av1"
    case .proRes: "prores"
    case .gif: "gif"
    }
  }

  /// This build's encoder, the best it has.
  var encoder: String? {
    let names =
      switch self {
      case .h264: ["libx264", "libopenh264"]
      case .hevc: ["libx265"]
      case .vp9: ["libvpx-vp9"]
      case .av1: ["libsvtav1", "libaom-av1"]
      case .proRes: ["prores_ks"]
      case .gif: ["gif"]
      }
    return names.first(where: Encoder.isAvailable)
  }

  /// Whether high dynamic range stays, in ten bits; else it is mapped down.
  var keepsHighDynamicRange: Bool {
    switch self {
    case .hevc, .vp9, .av1, .proRes: true
    case .h264, .gif: false
    }
  }
}
