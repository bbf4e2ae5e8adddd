internal import CLibAV

/// A converter of text subtitles from one codec to another (libavcodec).
@safe package struct TextConverter: ~Copyable {
  private var decoder: TextDecoder
  let encoder: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  private let styles: [String: CueStyle]
  /// True for the text of scripts whose styles the target can't hold.
  package let losesStyles: Bool

  /// - Parameter codec: an encoder's name: "mov_text", "subrip", "webvtt", "ass".
  package init(
    from format: MediaFormat, timeBase: TimeBase, to codec: String
  ) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let decoder = try TextDecoder(format, timeBase: timeBase)
    let header = decoder.header
    unsafe encoder = try TextConverter.openEncoder(codec, header: header)
    styles = CueStyle.styles(ofHeader: String(decoding: header, as: UTF8.self))
    losesStyles = decoder.isScript && codec != "ass"
    self.decoder = decoder
    name = codec
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe encoder
    unsafe avcodec_free_context(&context)
  }

  private static func openEncoder(
    _ name: String, header: [UInt8]
  ) throws(LibAVError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let context = unsafe avcodec_alloc_context3(codec)
    else { throw LibAVError(.encoderNotFound, operation: "find encoder", subject: name) }
    var made: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1000)
    if !header.isEmpty, let copy = unsafe av_mallocz(header.count + 1) {
      unsafe copy.copyMemory(from: header, byteCount: header.count)
      unsafe context.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
      unsafe context.pointee.subtitle_header_size = Int32(clamping: header.count)
    }
    let result = unsafe avcodec_open2(context, codec, nil)
    guard result >= 0 else {
      unsafe avcodec_free_context(&made)
      throw LibAVError(.init(rawValue: result), operation: "open encoder", subject: name)
    }
    return unsafe context
  }

  /// Returns the text of a packet.
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the converter stays usable.
  package mutating func decode(_ packet: borrowing Packet) throws(LibAVError) -> CueText {
    try decoder.decode(packet)
  }

  /// Encodes a text into `target`, which gets no times; returns false when it shows nothing.
  package func encode(
    _ text: CueText, into target: inout Packet
  ) throws(LibAVError) -> Bool {
    guard !text.isEmpty else { return false }
    let bytes = try bytes(of: text)
    guard !bytes.isEmpty else { return false }
    target.clear()
    try check(
      unsafe av_new_packet(target.pointer, Int32(clamping: bytes.count)), "allocate", "packet")
    unsafe target.pointer.pointee.data.update(from: bytes, count: bytes.count)
    unsafe target.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    return true
  }

  private func bytes(of text: CueText) throws(LibAVError) -> [UInt8] {
    if name == "webvtt" { return Array(text.webVTT(styles).utf8) }
    if name == "ass" { return Array(text.event(fillsLines: false, escapesBraces: true).utf8) }
    // The length of a movie's text has 16 bits.
    guard name != "mov_text" || text.plain.utf8.count <= UInt16.max else {
      throw LibAVError(.invalidData, operation: "encode", subject: name, log: [])
    }
    var subtitle = unsafe AVSubtitle()
    var event = Array(text.event(fillsLines: name != "mov_text").utf8CString)
    // Codes become tags and boxes, which are longer.
    var output = [UInt8](repeating: 0, count: 4096 + event.count * 32)
    let encoder = unsafe self.encoder
    let written = unsafe event.withUnsafeMutableBufferPointer { event -> Int32 in
      var rectangle = unsafe AVSubtitleRect()
      unsafe rectangle.type = SUBTITLE_ASS
      unsafe rectangle.ass = event.baseAddress
      return unsafe withUnsafeMutablePointer(to: &rectangle) { rectangle -> Int32 in
        var pointer: UnsafeMutablePointer<AVSubtitleRect>? = unsafe rectangle
        return unsafe withUnsafeMutablePointer(to: &pointer) { rectangles -> Int32 in
          unsafe subtitle.num_rects = 1
          unsafe subtitle.rects = rectangles
          return unsafe avcodec_encode_subtitle(
            encoder, &output, Int32(clamping: output.count), &subtitle)
        }
      }
    }
    let size = try check(written, "encode", name)
    return Array(output.prefix(Int(size)))
  }
}
