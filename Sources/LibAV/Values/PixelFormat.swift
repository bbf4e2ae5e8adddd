internal import CLibAV

/// A pixel format by libav's number, which differs between versions: compare names across processes.
package struct PixelFormat: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ format: AVPixelFormat) { rawValue = format.rawValue }

  package init?(name: String) {
    let format = unsafe av_get_pix_fmt(name)
    guard format != AV_PIX_FMT_NONE else { return nil }
    self.init(format)
  }

  package static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
  package static let yuvj420p = PixelFormat(AV_PIX_FMT_YUVJ420P)
  package static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
  package static let rgba = PixelFormat(AV_PIX_FMT_RGBA)
  package static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
  package static let bgr24 = PixelFormat(AV_PIX_FMT_BGR24)
  package static let gray = PixelFormat(AV_PIX_FMT_GRAY8)

  var format: AVPixelFormat { AVPixelFormat(rawValue: rawValue) }
  package var name: String? { unsafe string(av_get_pix_fmt_name(format)) }

  private func hasFlag(_ flag: Int32) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(flag) != 0
  }
  package var isRGB: Bool { hasFlag(AV_PIX_FMT_FLAG_RGB) }
  package var hasAlpha: Bool { hasFlag(AV_PIX_FMT_FLAG_ALPHA) }
  /// Packed RGB with a byte that doesn't count in place of its alpha; nil for other formats.
  package var opaque: PixelFormat? {
    switch name {
    case "bgra": PixelFormat(name: "bgr0")
    case "rgba": PixelFormat(name: "rgb0")
    default: nil
    }
  }
  package var hasPalette: Bool { hasFlag(AV_PIX_FMT_FLAG_PAL) }
  /// The same samples without a range in the name, which swscale deprecates: it has the range as a
  /// parameter.
  var withoutRangeInName: PixelFormat {
    guard let name, name.hasPrefix("yuvj") else { return self }
    return PixelFormat(name: "yuv" + name.dropFirst(4)) ?? self
  }
  /// True for the "j" formats, which have full range by their name.
  package var isFullRangeByName: Bool { name?.hasPrefix("yuvj") ?? false }
  /// The number of bits of the first component, 0 when unknown.
  package var bitsPerComponent: Int {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return 0 }
    return unsafe Int(descriptor.pointee.comp.0.depth)
  }
  /// The number of times that chroma is halved, horizontally and vertically.
  package var chromaShift: (horizontal: Int, vertical: Int) {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return (0, 0) }
    return unsafe (
      Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h)
    )
  }
  /// The resolution of chroma as it is commonly written, `4:2:0`; nil without chroma planes, and for rare ones.
  package var chromaName: String? {
    guard isYUV, !isGray else { return nil }
    switch chromaShift {
    case (0, 0): return "4:4:4"
    case (0, 1): return "4:4:0"
    case (1, 0): return "4:2:2"
    case (1, 1): return "4:2:0"
    case (2, 0): return "4:1:1"
    case (2, 2): return "4:1:0"
    default: return nil
    }
  }
}
