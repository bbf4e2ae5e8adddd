internal import CLibAV

extension PixelFormat {
  package static let rgb48 = PixelFormat(AV_PIX_FMT_RGB48LE)
  package static let rgba64 = PixelFormat(AV_PIX_FMT_RGBA64LE)
  static let gray16 = PixelFormat(AV_PIX_FMT_GRAY16LE)

  /// The position of a component's samples.
  struct Component {
    var plane: Int
    /// The offset of the first sample in the plane, and the distance from one to the next, in
    /// bytes.
    var offset: Int
    var step: Int
    /// The shift of the value in a sample, which has one byte or two; floating point has four.
    var shift: Int
    var depth: Int
    var bytes: Int { shift + depth > 8 ? (depth == 32 ? 4 : 2) : 1 }
  }

  /// The components: red, green and blue, or luma and chroma, then alpha.
  var components: [Component] {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return [] }
    let all = unsafe descriptor.pointee.comp
    return [all.0, all.1, all.2, all.3].prefix(unsafe Int(descriptor.pointee.nb_components)).map {
      Component(
        plane: Int($0.plane), offset: Int($0.offset), step: Int($0.step), shift: Int($0.shift),
        depth: Int($0.depth))
    }
  }

  private func hasFlag(_ flag: Int32) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(flag) != 0
  }

  /// True for one component of brightness, with alpha or without; pixels of one bit don't count.
  package var isGray: Bool {
    !isRGB && !hasPalette && !isOneBit && (1...2).contains(components.count)
  }
  /// True for black and white, eight pixels a byte.
  var isOneBit: Bool { self == PixelFormat(AV_PIX_FMT_MONOWHITE) || isOneBitWhite }
  /// True if a set bit is white.
  var isOneBitWhite: Bool { self == PixelFormat(AV_PIX_FMT_MONOBLACK) }
  /// True for luma and two colour differences, which need a matrix to become RGB.
  package var isYUV: Bool {
    !isRGB && !hasPalette && components.count >= 3
  }
  /// True if the frame's colours are in the samples, or in a palette of RGB, from 0 to the maximum
  /// value.
  var isRGBLike: Bool { isRGB || hasPalette || isOneBit }

  /// True if both colour differences share a plane, as in nv12.
  var hasInterleavedChroma: Bool {
    isYUV && components[1].plane == components[2].plane && components[0].plane == 0
      && components[1].plane == 1
  }

  /// True if numbers of two bytes begin with the high one.
  var isBigEndian: Bool { hasFlag(AV_PIX_FMT_FLAG_BE) }
  /// True for CIE's X, Y and Z, which libav counts as neither RGB nor anything else.
  private var isXYZ: Bool { name?.hasPrefix("xyz") ?? false }

  /// True if its samples can be read one by one, at the positions of ``components``: whole numbers
  /// of 8 to 16 bits, all of the same depth.
  var hasPlainSamples: Bool {
    let flags = [
      AV_PIX_FMT_FLAG_BITSTREAM, AV_PIX_FMT_FLAG_PAL, AV_PIX_FMT_FLAG_BAYER,
      AV_PIX_FMT_FLAG_HWACCEL, AV_PIX_FMT_FLAG_FLOAT,
    ]
    // Of uyyvyy411 libav's description is not exact: three bytes have two samples of luma.
    let isUneven =
      chromaShift.horizontal > 1 && components.count > 2
      && components[0].plane == components[1].plane
    guard let depth = components.first?.depth, !isXYZ, !isUneven, !flags.contains(where: hasFlag)
    else { return false }
    let bytes = depth > 8 ? 2 : 1
    return (8...16).contains(depth)
      && components.allSatisfy { $0.depth == depth && $0.bytes == bytes }
  }

  /// Returns the format of planes of RGB in floating point, which zimg has in aligned memory of our
  /// own.
  static func floatingRGB(hasAlpha: Bool) -> PixelFormat {
    PixelFormat(hasAlpha ? AV_PIX_FMT_GBRAPF32LE : AV_PIX_FMT_GBRPF32LE)
  }

  /// The format with plain samples that holds at least the content of this one.
  var plain: PixelFormat {
    if hasPlainSamples { return self }
    let isDeep = bitsPerComponent > 8
    if isGray { return isDeep ? .gray16 : .gray }
    if !isYUV || isXYZ { return rgb(keepsAlpha: true, isDeep: isDeep) }
    let name = hasAlpha ? "yuva444p" : "yuv444p"
    return PixelFormat(name: isDeep ? name + "16le" : name) ?? .rgba64
  }

  /// Returns the RGB format that holds at least the content of this one.
  func rgb(keepsAlpha: Bool, isDeep: Bool) -> PixelFormat {
    let alpha = keepsAlpha && hasAlpha
    return isDeep ? (alpha ? .rgba64 : .rgb48) : (alpha ? .rgba : .rgb24)
  }

  /// Returns the distance from one element of a plane to the next, in bytes.
  func step(ofPlane plane: Int) -> Int {
    components.filter { $0.plane == plane }.map(\.step).min() ?? 1
  }

  /// The YUV format of the same depth, with chroma of luma's size.
  var fullChroma: PixelFormat {
    let depth = bitsPerComponent
    let name = (hasAlpha ? "yuva444p" : "yuv444p") + (depth > 8 ? "\(depth)le" : "")
    return PixelFormat(name: name) ?? PixelFormat(AV_PIX_FMT_YUV444P16LE)
  }

  /// Returns true if a turned frame has its chroma samples at the positions of the stored one: they
  /// are not between those of luma, and halved in both directions alike if these are exchanged.
  func canBeTurned(_ orientation: Orientation) -> Bool {
    let shift = chromaShift
    if shift == (0, 0) { return true }
    return components[0].plane != components[1].plane
      && (shift.horizontal == shift.vertical || !orientation.swapsAxes)
  }
}

// MARK: Formats that hold others

extension PixelFormat {
  /// Returns true if all samples of another format can be stored in this one and read again as they were: its
  /// own, whatever the order of their bytes and planes.
  package func holds(_ other: PixelFormat) -> Bool {
    costs(of: other).prefix(4).allSatisfy { $0 == 0 }
  }

  /// Returns the one of several formats that loses least of this one, and of those the smallest; nil of none.
  package func bestReplacement(of formats: [PixelFormat]) -> PixelFormat? {
    if formats.contains(withoutRangeInName) { return withoutRangeInName }
    return formats.min { $0.costs(of: self).lexicographicallyPrecedes($1.costs(of: self)) }
  }

  /// The costs of storing another format here: losses, the worst first, then superfluous samples and bits.
  private func costs(of other: PixelFormat) -> [Int] {
    let (mine, its) = (kind, other.kind)
    let (own, shift) = (chromaShift, other.chromaShift)
    let depth = other.isOneBit ? 1 : other.hasPalette ? 8 : other.bitsPerComponent
    // Grey is the same in RGB; colour isn't in YUV.
    let isConverted = mine != its && !(its == .gray && mine == .rgb)
    let lost = max(0, own.horizontal - shift.horizontal) + max(0, own.vertical - shift.vertical)
    return [
      other.hasAlpha && !hasAlpha ? 1 : 0, isConverted ? 1 + (mine == .gray ? 1 : 0) : 0,
      max(0, depth - bitsPerComponent), its == .yuv && mine == .yuv ? lost : 0,
      hasAlpha && !other.hasAlpha ? 1 : 0, mine == its ? 0 : 1, bitsPerComponent,
      -own.horizontal - own.vertical,
    ]
  }

  private enum Kind { case gray, rgb, yuv }

  private var kind: Kind { isGray || isOneBit ? .gray : isYUV ? .yuv : .rgb }
}
