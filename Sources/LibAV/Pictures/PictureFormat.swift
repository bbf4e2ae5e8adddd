internal import CLibAV

extension PixelFormat {
  package static let rgb48 = PixelFormat(AV_PIX_FMT_RGB48LE)
  package static let rgba64 = PixelFormat(AV_PIX_FMT_RGBA64LE)
  static let gray16 = PixelFormat(AV_PIX_FMT_GRAY16LE)

  /// Of 16 bits, so that white can be moved (``PictureSurface/level(from:to:)``).
  var canBeLeveled: Bool { self == .rgb48 || self == .rgba64 || self == .gray16 }

  /// Of each component its plane, and how many bytes its elements are apart there.
  private var components: [(plane: Int, step: Int)] {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return [] }
    let all = unsafe descriptor.pointee.comp
    return [all.0, all.1, all.2, all.3].prefix(unsafe Int(descriptor.pointee.nb_components)).map {
      (Int($0.plane), Int($0.step))
    }
  }

  private func hasFlag(_ flag: Int32) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(flag) != 0
  }

  /// One component of brightness, with alpha or without; pixels of one bit don't count.
  package var isGray: Bool {
    !isRGB && !hasPalette && !isOneBit && (1...2).contains(components.count)
  }
  /// Black and white, eight pixels a byte.
  var isOneBit: Bool { self == PixelFormat(AV_PIX_FMT_MONOWHITE) || isOneBitWhite }
  /// A set bit is white.
  var isOneBitWhite: Bool { self == PixelFormat(AV_PIX_FMT_MONOBLACK) }
  /// Luma and two differences of colour, which need a matrix to become RGB.
  package var isYUV: Bool {
    !isRGB && !hasPalette && components.count >= 3
  }
  /// The picture's colours are in the samples, or in a palette of RGB, from 0 to the largest number.
  var isRGBLike: Bool { isRGB || hasPalette || isOneBit }

  private var isBayer: Bool { hasFlag(AV_PIX_FMT_FLAG_BAYER) }
  private var isBitstream: Bool { hasFlag(AV_PIX_FMT_FLAG_BITSTREAM) }
  /// Luma and chroma in one plane, two pixels together.
  private var isPackedSubsampled: Bool {
    chromaShift != (0, 0) && components.count > 1 && components[0].plane == components[1].plane
  }

  /// Numbers lie as this processor has them.
  var isLittleEndianOrBytes: Bool { !hasFlag(AV_PIX_FMT_FLAG_BE) }

  /// Both differences of colour in a plane of their own, as in nv12.
  var hasInterleavedChroma: Bool {
    isYUV && components[1].plane == components[2].plane && components[0].plane == 0
      && components[1].plane == 1
  }

  /// Whether a rectangle can be cut out of the planes at (x, y) by moving their pointers.
  func canBeCut(x: Int, y: Int) -> Bool {
    if isBayer || isBitstream || isPackedSubsampled { return false }
    let shift = chromaShift
    return x % (1 << shift.horizontal) == 0 && y % (1 << shift.vertical) == 0
  }

  /// Whether columns and rows can be repeated by copying bytes.
  var canBeExtended: Bool { !isBayer && !isBitstream }

  /// A format of the same kind and depth in which every rectangle can be cut out.
  var cuttable: PixelFormat {
    let deep = bitsPerComponent > 8
    if isRGB { return hasAlpha ? (deep ? .rgba64 : .rgba) : (deep ? .rgb48 : .rgb24) }
    let base = hasAlpha ? "yuva444p" : "yuv444p"
    let exact = deep ? "\(base)\(bitsPerComponent)le" : base
    return PixelFormat(name: exact) ?? PixelFormat(name: "\(base)16le") ?? .rgba64
  }

  /// Grey without alpha as the luma of a YUV format of the same depth.
  var grayWithChroma: PixelFormat? {
    guard isGray, !hasAlpha, let name, name.hasPrefix("gray") else { return nil }
    return PixelFormat(name: "yuv420p" + name.dropFirst(4))
  }

  /// RGB that holds at least what this format holds.
  func rgb(keepsAlpha: Bool, isDeep: Bool) -> PixelFormat {
    let alpha = keepsAlpha && hasAlpha
    return isDeep ? (alpha ? .rgba64 : .rgb48) : (alpha ? .rgba : .rgb24)
  }

  /// RGB of 8 bits in planes, for RGB that is packed; nil for all else.
  func planar(keepsAlpha: Bool) -> PixelFormat? {
    let packed: [PixelFormat] = [.rgb24, .bgr24, .rgba, .bgra]
    guard packed.contains(self) else { return nil }
    return PixelFormat(hasAlpha && keepsAlpha ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP)
  }

  /// From one element of a plane to the next, in bytes.
  func step(ofPlane plane: Int) -> Int {
    components.filter { $0.plane == plane }.map(\.step).max() ?? 1
  }
}
