internal import CLibAV

// A container states the pixel format of raw video by a code, and muxers write a file of any format. One without a
// code of its own is read as another format then, or not at all.

extension Muxer {
  /// Returns the code of raw video by which a container states its pixel format, and the number of bits of a pixel that
  /// belongs to it: 0 where readers don't need it. Nil for a format that the container can't state.
  ///
  /// - Parameter format: the name of the muxer.
  static func rawVideoTag(
    of parameters: CodecParameters, format: String
  ) -> (tag: UInt32, bits: Int32)? {
    // Rows from the bottom up, which AVI alone states.
    if parameters.extradata.suffix(9).elementsEqual("BottomUp\0".utf8) { return nil }
    let pixels = unsafe AVPixelFormat(parameters.pointer.pointee.format)
    switch format {
    case "mov":
      // The older form of the same format, with signed chroma (raw_decode of rawdec.c).
      if parameters.codecTag == CodecParameters.tag("yuv2") { return (parameters.codecTag, 0) }
      return parameters.pixelFormat.name.flatMap { movieTags[$0] }.map {
        // Palettes have 1, 2, 4 or 8 bits.
        let isSmall = $0.bits == 8 && [1, 2, 4].contains(parameters.bitsPerCodedSample)
        return (CodecParameters.tag($0.code), isSmall ? 0 : $0.bits)
      }
    case "matroska":
      let tag = avcodec_pix_fmt_to_codec_tag(pixels)
      // Neither signed chroma nor a palette is stated.
      let isSigned = parameters.codecTag == CodecParameters.tag("yuv2")
      let hasPalette = parameters.pixelFormat.name == "pal8"
      return tag == 0 || isSigned || hasPalette ? nil : (tag, 0)
    default: return (0, 0)
    }
  }

  /// QuickTime's codes of pixel formats: `mov_pix_fmt_tags` of movenc.c, where `pix_fmt_bps_mov` of raw.c reads the
  /// format of `raw ` from the number of bits.
  private static let movieTags: [String: (code: String, bits: Int32)] = [
    "yuyv422": ("yuvs", 0), "uyvy422": ("2vuy", 0),
    "rgb555be": ("raw ", 16), "pal8": ("raw ", 8), "rgb555le": ("L555", 16),
    "rgb565le": ("L565", 16), "rgb565be": ("B565", 16),
    "gray16be": ("b16g", 16), "rgb24": ("raw ", 24), "bgr24": ("24BG", 24),
    "argb": ("raw ", 32), "bgra": ("BGRA", 32), "rgba": ("RGBA", 32), "abgr": ("ABGR", 32),
    "rgb48be": ("b48r", 48),
  ]

  /// Returns true if a container states everything that a decoder of pictures needs in addition to the samples. Some
  /// codecs of movies need the bits of a pixel, the palette or an atom of the sample description, which libavformat
  /// leaves out of Matroska.
  static func statesPictures(of parameters: CodecParameters, format: String) -> Bool {
    if parameters.isRawVideo { return rawVideoTag(of: parameters, format: format) != nil }
    guard format == "matroska" else { return true }
    // A palette in the decoder configuration is written.
    if parameters.codecName == "smc" { return !parameters.extradata.isEmpty }
    return !["qtrle", "8bps", "avui"].contains(parameters.codecName)
  }
}
