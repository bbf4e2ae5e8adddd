import LibAV
import MediaTime

/// A codec that exports encode video with, by FFmpeg's name; ``available`` has those of this build.
public struct VideoCodec: Sendable, Hashable {
  /// FFmpeg's name of the codec, as settings and containers have it.
  public let name: String
  /// Its usual name, for messages.
  let title: String
  /// Its other names.
  var aliases: Set<String> = []
  /// The best first.
  let knownEncoders: [VideoEncoder]
  /// The formats to choose from by the source, shallow ones first.
  let usualPixelFormats: [String]
  /// The others that it can be encoded in.
  var otherPixelFormats: [String] = []
  /// The profiles that can be chosen.
  var profiles: [VideoProfile] = []
  /// The one to take for the usual pixel formats, where that isn't left to the encoder.
  var usualProfile: String?
  /// Nil where there is no constant quality to choose.
  var rateFactors: RateFactors?
  /// Bits per pixel of ordinary video at a rate factor; of a codec with a fixed rate, always.
  let usualBits: (perPixel: Double, rateFactor: Double)
  /// True if frames refer to others, so that sync samples have a distance.
  var hasPredictedFrames = true
  /// True if high dynamic range stays, in ten bits; else it is mapped down.
  var keepsHighDynamicRange = false
  /// True if its encoders take whole samples of chroma only: even sizes in 4:2:0.
  var needsWholeChroma = false
  /// True if samples stay as they are in a format that holds them; the source's own is taken then.
  var isLossless = false
  /// True if interlaced frames stay as they are, and are declared, where no other treatment is chosen.
  var keepsFields = false
  /// The one matrix and range that its YUV has; nil for codecs that state theirs.
  var color: PictureColor?
  /// Matrices that it can't state, and those, by H.273, that its YUV gets in their place.
  var replacedMatrices: [Int32: Int32] = [:]
  /// True if its YUV has limited range always, since nothing in it can state another one.
  var hasLimitedRange = false
  /// True if alpha is a stream of its own, for which the container needs a place.
  var hasSeparateAlpha = false
  /// The profile of a source with alpha, where the usual one has none.
  var profileWithAlpha: String?
  /// True if all frames are one image, of which each is the part that changes.
  var isAnimation = false
  /// The one clock that the format has; nil where any will do.
  var timeBase: TimeBase?
  /// The minimum duration of frames where no rate is stated.
  var shortestFrameDuration: Time?
  /// The maximum rate in frames a second, of the format itself.
  var fastest: Rational?

  public static func == (left: VideoCodec, right: VideoCodec) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Every codec, in the order of lists.
  static let all: [VideoCodec] = [
    h264, hevc, vp8, vp9, av1, proRes, mjpeg, ffv1, png, animation, gif, apng, webp,
  ]
  /// The names of those that this build encodes.
  public static var available: [String] { all.filter(\.isAvailable).map(\.name) }

  var isAvailable: Bool { !encoders.isEmpty }
  /// This build's, the best first.
  var encoders: [VideoEncoder] { knownEncoders.filter { Encoder.isAvailable($0.name) } }
  var pixelFormats: [String] { usualPixelFormats + otherPixelFormats }

  /// The best encoder that takes frames of that size.
  ///
  /// - Throws: `encoderNotFound`; `operationNotSupportedForPreset` for a frame that is too small.
  func encoder(for size: (width: Int, height: Int)) throws(EngineError) -> VideoEncoder {
    let encoders = encoders
    guard let least = encoders.map(\.smallest).min() else {
      throw EngineError(
        .encoderNotFound, "This build of FFmpeg has no encoder for \(title)",
        advice: .chooseAvailableEncoder)
    }
    guard let fitting = encoders.first(where: { $0.smallest <= min(size.width, size.height) })
    else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "\(title) can't be encoded at \(size.width) × \(size.height) pixels: this build's encoder "
          + "takes \(least) × \(least) or more",
        advice: .choosePresetOfAnySize)
    }
    return fitting
  }
}

extension VideoCodec {
  /// The codec called `name`, in any case.
  public init?(_ name: String) {
    let name = name.lowercased()
    guard let found = VideoCodec.all.first(where: { $0.name == name || $0.aliases.contains(name) })
    else { return nil }
    self = found
  }
}

/// A profile of a codec that settings can name.
struct VideoProfile: Sendable {
  let name: String
  /// The pixel formats that it allows, with the usual one for a source of 8 bits first.
  let pixelFormats: [String]
  /// The rate of a profile that has a fixed one.
  let bitsPerPixel: Double?
  /// The encoder's options for it, in addition to ``VideoEncoder/profileOption``.
  let options: [String: String]

  init(
    _ name: String, _ pixelFormats: String..., bitsPerPixel: Double? = nil,
    options: [String: String] = [:]
  ) {
    (self.name, self.pixelFormats, self.bitsPerPixel) = (name, pixelFormats, bitsPerPixel)
    self.options = options
  }
}

/// A scale of constant quality, on which smaller is better.
struct RateFactors: Sendable {
  let range: ClosedRange<Double>
  let isWhole: Bool
  /// The factors of quality 0 and quality 1; the middle is about the encoders' own default.
  let lowest: Double
  let highest: Double

  func factor(for quality: Double) -> Double {
    let factor = lowest + (highest - lowest) * quality
    return isWhole ? factor.rounded() : (factor * 100).rounded() / 100
  }

  var usual: Double { factor(for: 0.5) }
}

/// An encoder of FFmpeg, and the options it gets.
struct VideoEncoder: Sendable {
  /// FFmpeg's name.
  let name: String
  /// The minimum number of pixels in each direction.
  var smallest = 1
  /// A speed that suits an interactive program.
  var options: [String: String] = [:]
  /// The encoder's options for constant quality; nil where it has none.
  var constantQuality: (@Sendable (Double) -> [String: String])?
  var takesBitRate = true
  /// The option for a profile; nil where that follows from the pixel format.
  var profileOption: String?
  /// True for x265, which takes what it writes on the display and the light in a list of its own.
  var takesX265Parameters = false
  /// The maximum number of frames that it looks ahead with these options.
  var lookahead: Int32 = 0

  /// Rounded as encoders read it.
  static func constantRateFactor(_ factor: Double) -> [String: String] {
    ["crf": factor == factor.rounded() ? String(Int(factor)) : String(factor)]
  }
  /// libvpx and libaom take a bit rate for a limit.
  static func unlimitedRateFactor(_ factor: Double) -> [String: String] {
    constantRateFactor(factor).merging(["b": "0"]) { $1 }
  }
  /// In its real-time mode libaom 3.6 assigns ever finer quantizers to sync samples, at last the finest there is, at
  /// any factor. Theirs is half of the factor at least, which is about that of its other modes.
  static func boundedRateFactor(_ factor: Double) -> [String: String] {
    unlimitedRateFactor(factor).merging(["qmin": String(Int(factor / 2))]) { $1 }
  }
}

// MARK: The table

extension VideoCodec {
  static let h264 = VideoCodec(
    name: "h264", title: "H.264", aliases: ["avc"],
    knownEncoders: [
      VideoEncoder(
        name: "libx264", options: ["preset": "veryfast"],
        constantQuality: VideoEncoder.constantRateFactor, profileOption: "profile",
        lookahead: 10),
      VideoEncoder(name: "libopenh264", smallest: 16),
    ],
    usualPixelFormats: ["yuv420p"],
    otherPixelFormats: [
      "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "gray",
    ],
    profiles: [
      VideoProfile("baseline", "yuv420p"), VideoProfile("main", "yuv420p"),
      VideoProfile("high", "yuv420p", "gray"), VideoProfile("high10", "yuv420p10le", "yuv420p"),
      VideoProfile("high422", "yuv422p", "yuv422p10le", "yuv420p", "yuv420p10le"),
      VideoProfile("high444", "yuv444p", "yuv444p10le", "yuv422p", "yuv422p10le", "yuv420p"),
    ],
    rateFactors: RateFactors(range: 0...51, isWhole: false, lowest: 38, highest: 8),
    usualBits: (0.1, 23), needsWholeChroma: true)

  static let hevc = VideoCodec(
    name: "hevc", title: "HEVC", aliases: ["h265"],
    knownEncoders: [
      VideoEncoder(
        name: "libx265", smallest: 16, options: ["preset": "veryfast", "forced-idr": "1"],
        constantQuality: VideoEncoder.constantRateFactor, profileOption: "profile",
        takesX265Parameters: true, lookahead: 15)
    ],
    usualPixelFormats: ["yuv420p", "yuv420p10le"],
    otherPixelFormats: [
      "yuv422p", "yuv444p", "yuv422p10le", "yuv444p10le", "yuv420p12le", "yuv422p12le",
      "yuv444p12le",
    ],
    profiles: [
      VideoProfile("main", "yuv420p"), VideoProfile("main10", "yuv420p10le"),
      VideoProfile("main12", "yuv420p12le"), VideoProfile("main422-12", "yuv422p12le"),
      VideoProfile("main444-12", "yuv444p12le"),
      VideoProfile("main422-10", "yuv422p10le"), VideoProfile("main444-8", "yuv444p"),
      VideoProfile("main444-10", "yuv444p10le"),
    ],
    rateFactors: RateFactors(range: 0...51, isWhole: false, lowest: 43, highest: 13),
    usualBits: (0.06, 24), keepsHighDynamicRange: true, needsWholeChroma: true)

  static let vp9 = VideoCodec(
    name: "vp9", title: "VP9",
    knownEncoders: [
      VideoEncoder(
        name: "libvpx-vp9",
        options: ["deadline": "good", "cpu-used": "5", "row-mt": "1", "tile-columns": "1"],
        constantQuality: VideoEncoder.unlimitedRateFactor, lookahead: 25)
    ],
    usualPixelFormats: ["yuv420p", "yuva420p", "yuv420p10le"],
    otherPixelFormats: [
      "yuv422p", "yuv444p", "yuv422p10le", "yuv444p10le", "yuv420p12le", "yuv422p12le",
      "yuv444p12le",
    ],
    profiles: [
      VideoProfile("0", "yuv420p", "yuva420p"), VideoProfile("1", "yuv422p", "yuv444p"),
      VideoProfile("2", "yuv420p10le", "yuv420p12le"),
      VideoProfile("3", "yuv422p10le", "yuv444p10le", "yuv422p12le", "yuv444p12le"),
    ],
    rateFactors: RateFactors(range: 0...63, isWhole: true, lowest: 54, highest: 10),
    // FCC's, which isn't among its colour spaces (VP9 bitstream specification, 7.2.2).
    usualBits: (0.06, 33), keepsHighDynamicRange: true, replacedMatrices: [4: 5],
    hasSeparateAlpha: true)

  /// Its frame header has no range (RFC 6386, 9.2), and libavcodec's decoder states limited range over the container's.
  ///
  /// A rate factor is obeyed below a bit rate only, so that the limit is one that no video reaches.
  static let vp8 = VideoCodec(
    name: "vp8", title: "VP8",
    knownEncoders: [
      VideoEncoder(
        name: "libvpx",
        // libavcodec refuses alpha together with frames that aren't shown.
        options: ["deadline": "good", "cpu-used": "4", "auto-alt-ref": "0"],
        constantQuality: {
          VideoEncoder.constantRateFactor($0).merging(["b": "1000000000"]) { $1 }
        },
        lookahead: 25)
    ],
    usualPixelFormats: ["yuv420p", "yuva420p"],
    rateFactors: RateFactors(range: 4...63, isWhole: true, lowest: 54, highest: 4),
    usualBits: (0.1, 29), hasLimitedRange: true, hasSeparateAlpha: true)

  static let av1 = VideoCodec(
    name: "av1", title: "AV1",
    knownEncoders: [
      // SVT-AV1, which is as fast, writes its tables anew for each encoder that is opened, while others read
      // them, which ends the process now and then (all versions before 2026).
      VideoEncoder(
        name: "libaom-av1", options: ["usage": "realtime", "cpu-used": "8", "row-mt": "1"],
        constantQuality: VideoEncoder.boundedRateFactor)
    ],
    usualPixelFormats: ["yuv420p", "yuv420p10le"],
    profiles: [
      VideoProfile("main", "yuv420p", "yuv420p10le")
    ],
    rateFactors: RateFactors(range: 1...63, isWhole: true, lowest: 57, highest: 13),
    usualBits: (0.06, 33), keepsHighDynamicRange: true)

  /// Its frame header states primaries, transfer function and matrix, and no range (SMPTE RDD 36, 6.1.1): decoders
  /// read limited range, in any container.
  ///
  /// Its profiles have fixed rates (Apple's ProRes white paper: 147 Mbit/s for 1080p at 29.97 in 422, 330 in 4444),
  /// which are listed here by the pixel.
  static let proRes = VideoCodec(
    name: "prores", title: "ProRes",
    knownEncoders: [
      VideoEncoder(
        name: "prores_ks", options: ["vendor": "apl0"], takesBitRate: false,
        profileOption: "profile")
    ],
    usualPixelFormats: ["yuv422p10le"], otherPixelFormats: ["yuv444p10le", "yuva444p10le"],
    profiles: [
      VideoProfile("proxy", "yuv422p10le", bitsPerPixel: 0.7),
      VideoProfile("lt", "yuv422p10le", bitsPerPixel: 1.6),
      VideoProfile("standard", "yuv422p10le", bitsPerPixel: 2.4),
      VideoProfile("hq", "yuv422p10le", bitsPerPixel: 3.5),
      VideoProfile("4444", "yuv444p10le", "yuva444p10le", bitsPerPixel: 5.3),
      VideoProfile("4444xq", "yuv444p10le", "yuva444p10le", bitsPerPixel: 8),
    ],
    usualProfile: "standard", usualBits: (2.4, 0), hasPredictedFrames: false,
    keepsHighDynamicRange: true, hasLimitedRange: true, profileWithAlpha: "4444")

  /// Decoders read the matrix of JFIF at full range (ITU-T T.871), in any container.
  static let mjpeg = VideoCodec(
    name: "mjpeg", title: "Motion JPEG",
    knownEncoders: [
      VideoEncoder(
        name: "mjpeg",
        constantQuality: { factor in
          // In units of libavutil's FF_QP2LAMBDA.
          ["flags": "+qscale", "global_quality": String(Int((factor * 118).rounded()))]
        })
    ],
    usualPixelFormats: ["yuvj420p"], otherPixelFormats: ["yuvj422p", "yuvj444p"],
    rateFactors: RateFactors(range: 1...31, isWhole: false, lowest: 15, highest: 1),
    usualBits: (1.5, 5), hasPredictedFrames: false,
    color: .jpeg)

  /// Delays are in hundredths of a second, and browsers show those of less than two more slowly. Such files are made
  /// of few frames, unless more are asked for.
  static let gif = VideoCodec(
    name: "gif", title: "GIF",
    knownEncoders: [VideoEncoder(name: "gif", takesBitRate: false)],
    usualPixelFormats: ["pal8"], usualBits: (3, 0), hasPredictedFrames: false,
    timeBase: TimeBase(1, 100), shortestFrameDuration: Time(value: 2, timescale: 25),
    fastest: Rational(50, 1))
}

extension VideoCodec {
  /// Animated WebP, whose frames last whole milliseconds. libwebp makes YUV of RGB itself, by the one matrix that the
  /// format has.
  static let webp = VideoCodec(
    name: "webp", title: "WebP",
    knownEncoders: [
      VideoEncoder(
        name: "libwebp_anim", constantQuality: { ["quality": String(100 - $0)] },
        takesBitRate: false)
    ],
    usualPixelFormats: ["bgra"], otherPixelFormats: ["yuv420p"],
    profiles: [
      VideoProfile("lossy", "bgra", "yuv420p"),
      VideoProfile("lossless", "bgra", options: ["lossless": "1"]),
    ],
    rateFactors: RateFactors(range: 0...100, isWhole: false, lowest: 50, highest: 0),
    usualBits: (0.8, 25), hasPredictedFrames: false,
    color: PictureColor(matrix: PictureColor.bt601, isFullRange: false), isAnimation: true,
    timeBase: TimeBase(1, 1000),
    fastest: Rational(1000, 1))
}
