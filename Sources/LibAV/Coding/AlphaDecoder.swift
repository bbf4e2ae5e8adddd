internal import CLibAV

/// A decoder of the transparency of VP8 and VP9, which is a stream of its own: Matroska adds it to
/// each block as addition number 1 (WebM Project, "Alpha Channel"). Its luma is the fourth plane of
/// the frames, which FFmpeg's own decoders leave out.
///
/// It has no delay: the frame of a packet is there as soon as the packet is sent.
@safe final class AlphaDecoder {
  /// The maximum number of pending frames; no decoder of the colour planes has a longer delay.
  private static let pendingLimit = 128

  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  /// The alpha frames whose colour frames haven't come out yet, in their order.
  private var pending: [Picture] = []

  /// A frame in a list.
  private final class Picture {
    var frame: Frame
    init(_ frame: consuming Frame) { self.frame = frame }
  }

  init(_ format: MediaFormat, timeBase: TimeBase) throws(LibAVError) {
    unsafe context = try Decoder.open(format, timeBase: timeBase, threads: 1)
    name = format.parameters.codecName
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe rw_decoder_free(&context)
  }

  /// - Throws: `invalidData` where the alpha in the packet is damaged; the frame then is opaque.
  func send(_ packet: borrowing Packet) throws(LibAVError) {
    guard let bytes = packet.alpha else { return }
    let alpha = try Packet(bytes)
    alpha.pts = packet.pts
    alpha.dts = packet.dts
    try check(unsafe avcodec_send_packet(context, alpha.pointer), "decode transparency", name)
    while true {
      let frame = try Frame()
      let result = unsafe rw_decoder_receive(context, frame.pointer)
      if result == LibAVError.Code.tryAgain.rawValue { break }
      try check(result, "decode transparency", name)
      pending.append(Picture(frame))
      if pending.count > AlphaDecoder.pendingLimit { pending.removeFirst() }
    }
  }

  /// Discards all decoded frames, after a seek.
  func flush() {
    pending = []
    unsafe rw_decoder_flush(context)
  }

  /// Adds the alpha of the same time as the fourth plane of a frame: opaque if there is none.
  func complete(_ frame: inout Frame) throws(LibAVError) {
    guard let format = frame.pixelFormat.withAlpha, let pts = frame.pts else { return }
    let count = pending.prefix { ($0.frame.pts ?? .min) <= pts }.count
    let last = count > 0 ? pending[count - 1] : nil
    pending.removeFirst(count)
    if let alpha = last, alpha.frame.pts == pts, AlphaDecoder.fits(alpha.frame, frame) {
      let source = unsafe alpha.frame.pointer
      unsafe frame.pointer.pointee.buf.3 = av_buffer_ref(source.pointee.buf.0)
      unsafe frame.pointer.pointee.data.3 = source.pointee.data.0
      unsafe frame.pointer.pointee.linesize.3 = source.pointee.linesize.0
    } else {
      try AlphaDecoder.addOpaquePlane(to: &frame)
    }
    guard unsafe frame.pointer.pointee.buf.3 != nil else { throw outOfMemory("frame") }
    unsafe frame.pointer.pointee.format = format.rawValue
  }

  /// Returns true if the luma of `alpha` has the size and depth of the frame, in memory of its own
  /// that can be shared.
  private static func fits(_ alpha: borrowing Frame, _ frame: borrowing Frame) -> Bool {
    unsafe alpha.width == frame.width && alpha.height == frame.height
      && alpha.pixelFormat.bitsPerComponent == frame.pixelFormat.bitsPerComponent
      && alpha.pointer.pointee.buf.0 != nil
  }

  private static func addOpaquePlane(to frame: inout Frame) throws(LibAVError) {
    let bits = frame.pixelFormat.bitsPerComponent
    let lineSize = (frame.width * (bits > 8 ? 2 : 1) + 63) / 64 * 64
    let size = lineSize * frame.height
    guard let buffer = unsafe av_buffer_alloc(size), let data = unsafe buffer.pointee.data else {
      throw outOfMemory("frame")
    }
    if bits > 8 {
      let opaque = UInt16((1 << bits) - 1).littleEndian
      unsafe UnsafeMutableRawPointer(data).initializeMemory(
        as: UInt16.self, repeating: opaque, count: size / 2)
    } else {
      unsafe data.initialize(repeating: 255, count: size)
    }
    unsafe frame.pointer.pointee.buf.3 = buffer
    unsafe frame.pointer.pointee.data.3 = data
    unsafe frame.pointer.pointee.linesize.3 = Int32(clamping: lineSize)
  }
}

extension Packet {
  /// The alpha of a sample of VP8 or VP9; nil if there is none.
  var alpha: [UInt8]? {
    var size = 0
    guard
      let data = unsafe av_packet_get_side_data(
        pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8
    else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: data, count: size)
    // The identifier of the addition: number 1, of eight bytes.
    guard unsafe bytes.prefix(8).elementsEqual([0, 0, 0, 0, 0, 0, 0, 1]) else { return nil }
    return unsafe Array(bytes.dropFirst(8))
  }

  /// Returns true if the alpha is predicted from that of other samples (RFC 6386, 9.1; VP9
  /// bitstream specification, 6.2), so that decoding can't begin with it. The two streams have sync
  /// samples of their own.
  func hasPredictedAlpha(_ isVP9: Bool) -> Bool {
    guard let first = alpha?.first else { return false }
    guard isVP9 else { return first & 1 != 0 }
    // A marker and the profile, whose third version has one more bit, come first; then a bit that
    // shows an older frame, and a bit that marks a frame that is no key frame.
    let header = first & 0x30 == 0x30 ? first << 1 : first
    return first >> 6 != 2 || header & 0x0C != 0
  }
}

extension MediaFormat {
  /// Returns true if the samples have their alpha in a stream of its own, by Matroska's AlphaMode.
  func hasSeparateAlpha(by tags: [Tag]) -> Bool {
    kind == .video && ["vp8", "vp9"].contains(parameters.codecName)
      && tags.contains { $0.key.lowercased() == "alpha_mode" && $0.value == "1" }
  }
}

extension PixelFormat {
  /// The same format with a plane of alpha; nil if there is no such format.
  var withAlpha: PixelFormat? {
    guard let name = withoutRangeInName.name, name.hasPrefix("yuv"), !hasAlpha else { return nil }
    return PixelFormat(name: "yuva" + name.dropFirst(3))
  }
}
