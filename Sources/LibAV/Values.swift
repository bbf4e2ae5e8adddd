internal import CLibAV

/// A ratio as libav keeps it; 0/1 or x/0 mean "unknown".
package struct Rational: Hashable, Sendable {
  package var numerator: Int32
  package var denominator: Int32

  package init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  init(_ value: AVRational) { self.init(value.num, value.den) }

  var rational: AVRational { AVRational(num: numerator, den: denominator) }
  /// False for the forms that mean "unknown", and for negative ones.
  package var isPositive: Bool { numerator > 0 && denominator > 0 }
  package var doubleValue: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }
}

/// Seconds per tick.
package typealias TimeBase = Rational

package enum MediaKind: String, Sendable, Hashable {
  case video, audio, subtitle, data, attachment, unknown

  init(_ type: AVMediaType) {
    switch type {
    case AVMEDIA_TYPE_VIDEO: self = .video
    case AVMEDIA_TYPE_AUDIO: self = .audio
    case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
    case AVMEDIA_TYPE_DATA: self = .data
    case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
    default: self = .unknown
    }
  }
}

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
  package var hasPalette: Bool { hasFlag(AV_PIX_FMT_FLAG_PAL) }
  /// The same samples without a range in the name, which swscale deprecates: the range is said apart.
  var withoutRangeInName: PixelFormat {
    guard let name, name.hasPrefix("yuvj") else { return self }
    return PixelFormat(name: "yuv" + name.dropFirst(4)) ?? self
  }
  /// The "j" formats say full range in their name.
  package var isFullRangeByName: Bool { name?.hasPrefix("yuvj") ?? false }
  /// Bits of the first component, 0 when unknown.
  package var bitsPerComponent: Int {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return 0 }
    return unsafe Int(descriptor.pointee.comp.0.depth)
  }
  /// How many times chroma is halved, horizontally and vertically.
  package var chromaShift: (horizontal: Int, vertical: Int) {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return (0, 0) }
    return unsafe (
      Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h)
    )
  }
}

package struct SampleFormat: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ format: AVSampleFormat) { rawValue = format.rawValue }

  package init?(name: String) {
    let format = unsafe av_get_sample_fmt(name)
    guard format != AV_SAMPLE_FMT_NONE else { return nil }
    self.init(format)
  }

  package static let float = SampleFormat(AV_SAMPLE_FMT_FLT)
  package static let floatPlanar = SampleFormat(AV_SAMPLE_FMT_FLTP)

  var format: AVSampleFormat { AVSampleFormat(rawValue: rawValue) }
  package var name: String? { unsafe string(av_get_sample_fmt_name(format)) }
  package var bytesPerSample: Int { Int(max(0, av_get_bytes_per_sample(format))) }
  package var isPlanar: Bool { av_sample_fmt_is_planar(format) == 1 }
  package var packed: SampleFormat { SampleFormat(av_get_packed_sample_fmt(format)) }
  package var planar: SampleFormat { SampleFormat(av_get_planar_sample_fmt(format)) }
}

/// The speakers of an audio stream, in libav's words ("stereo", "5.1(side)"), and their number.
package struct ChannelLayout: Hashable, Sendable {
  package var name: String
  package var channels: Int

  package init(name: String, channels: Int) {
    self.name = name
    self.channels = channels
  }

  /// False where only the number of channels is known.
  package var isSpecified: Bool { !name.isEmpty && name != "\(channels) channels" }

  init(_ layout: AVChannelLayout) {
    var layout = unsafe layout
    channels = unsafe Int(max(0, layout.nb_channels))
    name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress,
        unsafe av_channel_layout_describe(&layout, start, 256) > 0
      else { return "" }
      return unsafe String(cString: start)
    }
  }

  /// The usual layout of so many channels: mono, stereo, 2.1, 4.0, 5.0, 5.1, 6.1, 7.1.
  package static func standard(channels: Int) -> ChannelLayout {
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    defer { unsafe av_channel_layout_uninit(&layout) }
    return unsafe ChannelLayout(layout)
  }

  /// The speakers in order ("FL", "FR", "LFE" …); nil where only their number is known.
  package var labels: [String]? {
    var layout = unsafe AVChannelLayout()
    defer { unsafe av_channel_layout_uninit(&layout) }
    guard unsafe av_channel_layout_from_string(&layout, name) == 0,
      unsafe layout.order == AV_CHANNEL_ORDER_NATIVE || layout.order == AV_CHANNEL_ORDER_CUSTOM,
      unsafe layout.nb_channels <= 64
    else { return nil }
    return unsafe (0..<UInt32(layout.nb_channels)).map { index in
      let channel = unsafe av_channel_layout_channel_from_index(&layout, index)
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
        guard let start = buffer.baseAddress, unsafe av_channel_name(start, 32, channel) > 0 else {
          return ""
        }
        return unsafe String(cString: start)
      }
    }
  }

  /// Lends the layout to `body` as libav wants it; an unspecified order becomes the standard one.
  func withLayout<Result>(_ body: (inout AVChannelLayout) -> Result) -> Result {
    var layout = unsafe AVChannelLayout()
    if unsafe av_channel_layout_from_string(&layout, name) < 0
      || layout.order == AV_CHANNEL_ORDER_UNSPEC
    {
      unsafe av_channel_layout_uninit(&layout)
      unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    }
    defer { unsafe av_channel_layout_uninit(&layout) }
    return unsafe body(&layout)
  }
}

/// Colour as ITU-T H.273 code points, which libav's numbers are.
package struct ColorDescription: Hashable, Sendable {
  package var primaries: Int32
  package var transfer: Int32
  package var matrix: Int32
  /// 0 unspecified, 1 limited, 2 full.
  package var range: Int32
  package var chromaLocation: Int32

  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
    range: AVColorRange, chromaLocation: AVChromaLocation
  ) {
    self.primaries = Int32(bitPattern: primaries.rawValue)
    self.transfer = Int32(bitPattern: transfer.rawValue)
    self.matrix = Int32(bitPattern: matrix.rawValue)
    self.range = Int32(bitPattern: range.rawValue)
    self.chromaLocation = Int32(bitPattern: chromaLocation.rawValue)
  }

  /// What pictures are in whose tones have been mapped.
  package mutating func setToBT709() {
    (primaries, transfer, matrix, range) = (1, 1, 1, 1)
  }

  package static let unspecifiedCode: Int32 = 2
  package static let pq: Int32 = 16
  package static let hlg: Int32 = 18

  /// libav's names, nil where unspecified: "bt709", "smpte2084", "bt2020nc", "tv".
  package var primariesName: String? {
    unsafe named(primaries) {
      unsafe av_color_primaries_name(AVColorPrimaries(UInt32(bitPattern: $0)))
    }
  }
  package var transferName: String? {
    unsafe named(transfer) {
      unsafe av_color_transfer_name(AVColorTransferCharacteristic(UInt32(bitPattern: $0)))
    }
  }
  package var matrixName: String? {
    unsafe named(matrix) { unsafe av_color_space_name(AVColorSpace(UInt32(bitPattern: $0))) }
  }
  package var chromaLocationName: String? {
    guard chromaLocation > 0 else { return nil }
    return unsafe string(
      av_chroma_location_name(AVChromaLocation(UInt32(bitPattern: chromaLocation))))
  }
  package var isFullRange: Bool? { range == 0 ? nil : range == 2 }

  private func named(
    _ value: Int32, _ name: (Int32) -> UnsafePointer<CChar>?
  ) -> String? {
    value == ColorDescription.unspecifiedCode ? nil : unsafe string(name(value))
  }
}
