// The codecs that lose nothing of samples that they hold.

extension VideoCodec {
  /// RFC 9043, version 3: slices that are decoded at once, each with a checksum. Every frame begins with new states of the
  /// coder, so that it can be decoded alone.
  static let ffv1 = VideoCodec(
    name: "ffv1", title: "FFV1",
    knownEncoders: [
      VideoEncoder(
        name: "ffv1", options: ["level": "3", "slicecrc": "1", "slices": "4", "g": "1"],
        takesBitRate: false)
    ],
    usualPixelFormats: ["yuv420p"],
    otherPixelFormats: [
      "yuv422p", "yuv444p", "yuv440p", "yuv411p", "yuv410p", "yuva420p", "yuva422p", "yuva444p",
      "yuv420p9le", "yuv422p9le", "yuv444p9le", "yuv420p10le", "yuv422p10le", "yuv444p10le",
      "yuv440p10le", "yuv420p12le", "yuv422p12le", "yuv444p12le", "yuv440p12le", "yuv420p14le",
      "yuv422p14le", "yuv444p14le", "yuv420p16le", "yuv422p16le", "yuv444p16le", "yuva420p9le",
      "yuva422p9le", "yuva444p9le", "yuva420p10le", "yuva422p10le", "yuva444p10le", "yuva420p16le",
      "yuva422p16le", "yuva444p16le", "gray", "gray9le", "gray10le", "gray12le", "gray16le", "ya8",
      "bgr0", "bgra", "gbrp9le", "gbrp10le", "gbrp12le", "gbrp14le", "gbrp16le", "gbrap10le",
      "gbrap12le", "gbrap16le",
    ],
    usualBits: (10, 0), hasPredictedFrames: false, keepsHighDynamicRange: true, isLossless: true,
    keepsFields: true)

  static let png = VideoCodec(
    name: "png", title: "PNG", knownEncoders: [VideoEncoder(name: "png", takesBitRate: false)],
    usualPixelFormats: ["rgb24"],
    otherPixelFormats: ["rgba", "gray", "ya8", "rgb48be", "rgba64be", "gray16be", "ya16be"],
    usualBits: (12, 0), hasPredictedFrames: false, isLossless: true,
    keepsFields: true)

  /// A frame is the part of the canvas that changes.
  static let apng = VideoCodec(
    name: "apng", title: "APNG", knownEncoders: [VideoEncoder(name: "apng", takesBitRate: false)],
    usualPixelFormats: ["rgb24"],
    otherPixelFormats: ["rgba", "gray", "ya8", "rgb48be", "rgba64be", "gray16be", "ya16be"],
    usualBits: (8, 0), hasPredictedFrames: false, isLossless: true, isAnimation: true)

  /// QuickTime's animation codec.
  static let animation = VideoCodec(
    name: "qtrle", title: "QuickTime Animation", aliases: ["animation", "rle"],
    knownEncoders: [VideoEncoder(name: "qtrle", takesBitRate: false)],
    usualPixelFormats: ["rgb24"], otherPixelFormats: ["argb"], usualBits: (12, 0),
    isLossless: true,
    keepsFields: true)
}
