internal import CLibAV

/// Makes subtitles of one codec that is text from packets of another (libavcodec).
@safe package struct TextConverter: ~Copyable {
  private let decoder: UnsafeMutablePointer<AVCodecContext>
  let encoder: UnsafeMutablePointer<AVCodecContext>
  private let sourceName: String
  private let name: String
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// - Parameter codec: an encoder's name: "mov_text", "subrip", "webvtt".
  package init(from stream: StreamInfo, to codec: String) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let decoder = try unsafe Decoder.open(stream, threads: 1)
    do throws(LibAVError) {
      unsafe encoder = try TextConverter.openEncoder(codec, header: decoder)
    } catch {
      var failed: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
      unsafe avcodec_free_context(&failed)
      throw error
    }
    unsafe self.decoder = decoder
    sourceName = stream.parameters.codecName
    name = codec
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
    unsafe avcodec_free_context(&context)
    unsafe context = encoder
    unsafe avcodec_free_context(&context)
  }

  /// The styles that decoders write, encoders read (the header of an ASS script).
  private static func openEncoder(
    _ name: String, header decoder: UnsafeMutablePointer<AVCodecContext>
  ) throws(LibAVError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let context = unsafe avcodec_alloc_context3(codec)
    else { throw LibAVError(.encoderNotFound, operation: "find encoder", subject: name) }
    var made: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1000)
    let size = unsafe Int(decoder.pointee.subtitle_header_size)
    if size > 0, let header = unsafe decoder.pointee.subtitle_header,
      let copy = unsafe av_mallocz(size + 1)
    {
      unsafe copy.copyMemory(from: header, byteCount: size)
      unsafe context.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
      unsafe context.pointee.subtitle_header_size = Int32(clamping: size)
    }
    let result = unsafe avcodec_open2(context, codec, nil)
    guard result >= 0 else {
      unsafe avcodec_free_context(&made)
      throw LibAVError(.init(rawValue: result), operation: "open encoder", subject: name)
    }
    return unsafe context
  }

  /// Converts the text of a packet into `target`, with the packet's times; false when it shows nothing.
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the converter stays usable.
  package mutating func convert(
    _ packet: borrowing Packet, into target: inout Packet
  ) throws(LibAVError) -> Bool {
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    try check(
      unsafe avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet.pointer), "decode",
      sourceName)
    defer { unsafe avsubtitle_free(&subtitle) }
    guard isThere != 0, unsafe subtitle.num_rects > 0 else { return false }
    unsafe subtitle.start_display_time = 0
    let size = try check(
      unsafe avcodec_encode_subtitle(encoder, &buffer, Int32(buffer.count), &subtitle), "encode",
      name)
    guard size > 0 else { return false }
    target.clear()
    try check(unsafe av_new_packet(target.pointer, size), "allocate", "packet")
    unsafe target.pointer.pointee.data.update(from: buffer, count: Int(size))
    target.pts = packet.pts
    target.dts = packet.dts
    target.duration = packet.duration
    unsafe target.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    return true
  }
}
