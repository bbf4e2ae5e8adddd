import LibAV

/// What a preset makes of video, whatever the source.
struct VideoEncodingPreset: Sendable, Hashable {
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

/// An encoder of FFmpeg, and what it refuses.
struct VideoEncoder: Sendable {
  /// FFmpeg's name.
  let name: String
  /// In pixels, in each direction.
  let smallest: Int
  /// In frames a second: what the encoder gets, whatever the frames' times are.
  let fastest: Rational?

  init(_ name: String, smallest: Int = 1, fastest: Rational? = nil) {
    self.name = name
    self.smallest = smallest
    self.fastest = fastest
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

  /// This build's encoders, the best first.
  private var encoders: [VideoEncoder] {
    let known =
      switch self {
      case .h264: [VideoEncoder("libx264"), VideoEncoder("libopenh264", smallest: 16)]
      case .hevc: [VideoEncoder("libx265", smallest: 16)]
      case .vp9: [VideoEncoder("libvpx-vp9")]
      case .av1:
        [
          VideoEncoder("libsvtav1", smallest: 64, fastest: Rational(240, 1)),
          VideoEncoder("libaom-av1"),
        ]
      case .proRes: [VideoEncoder("prores_ks")]
      case .gif: [VideoEncoder("gif")]
      }
    return known.filter { Encoder.isAvailable($0.name) }
  }

  var isAvailable: Bool { !encoders.isEmpty }

  /// The best encoder that takes pictures of that size.
  ///
  /// - Throws: `encoderNotFound`; `operationNotSupportedForPreset` for a picture that is too small.
  func encoder(for size: (width: Int, height: Int)) throws(EngineError) -> VideoEncoder {
    let encoders = encoders
    guard let least = encoders.map(\.smallest).min() else {
      throw EngineError(
        .encoderNotFound, "This build of FFmpeg has no encoder for \(rawValue)",
        advice: .chooseAvailableEncoder)
    }
    guard let fitting = encoders.first(where: { $0.smallest <= min(size.width, size.height) })
    else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "\(rawValue) can't be encoded at \(size.width) × \(size.height) pixels: this build's encoder "
          + "takes \(least) × \(least) or more",
        hint: "Choose another preset: those of H.264 and VP9 take pictures of any size.")
    }
    return fitting
  }

  /// Whether high dynamic range stays, in ten bits; else it is mapped down.
  var keepsHighDynamicRange: Bool {
    switch self {
    case .hevc, .vp9, .av1, .proRes: true
    case .h264, .gif: false
    }
  }
}
