internal import CLibAV
import SystemIO

/// A muxer, which writes packets into a container.
///
/// Streams first, then the header, packets, ``finish()``. Every result is checked: a full disk may
/// show only in the trailer's flush (reliability F27–F28).
@safe package struct Muxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let output: OutputStream
  private let behavior: MuxerBehavior
  /// The duration of the last packet, in its stream's ticks.
  private var lastDuration: Int64 = 0
  /// The statistics of the streams by number, as far as there are packets.
  package private(set) var written: [StreamStatistics] = []

  /// The counts of a stream's packets.
  package struct StreamStatistics: Sendable {
    package var packets = 0
    fileprivate var lastDTS: Int64?
  }

  /// - Parameter format: a muxer's name: "mp4", "mov", "matroska".
  package init(
    _ target: any MuxerOutput, format: String, interrupt: Interrupt
  ) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let output = try OutputStream(target, interrupt: interrupt)
    guard let muxer = unsafe av_guess_format(format, nil, nil) else {
      throw LibAVError(.muxerNotFound, operation: "find muxer", subject: format)
    }
    var made: UnsafeMutablePointer<AVFormatContext>? = nil
    try check(unsafe avformat_alloc_output_context2(&made, muxer, nil, ""), "create", target.path)
    guard let context = unsafe made else { throw outOfMemory("muxer") }
    unsafe context.pointee.pb = output.context
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // By default libavformat would empty the buffer after each packet: a call of the system for
    // each.
    unsafe context.pointee.flush_packets = 0
    // FLAC, Opus and TrueHD in MP4 count as experimental, though they are specified by now.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    unsafe rw_format_deny_nested_io(context)
    unsafe self.context = context
    self.output = output
    behavior = MuxerBehavior(format)
    if behavior.drawsNumbers { unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT }
  }

  deinit { unsafe avformat_free_context(context) }

  /// True when encoders must put their parameter sets into the header.
  package var needsGlobalHeader: Bool {
    unsafe context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0
  }

  /// Returns true if the named muxer supports a stream of `parameters`, and if memory is too short
  /// to find out: then writing fails, and reports why.
  ///
  /// Its table of codecs isn't complete (AV1 is none for QuickTime, APE none for Matroska), so it
  /// writes a header into memory as a test.
  package static func canHold(_ parameters: CodecParameters, format: String) -> Bool {
    guard parameters.isKnown, let muxer = unsafe av_guess_format(format, nil, nil) else {
      return false
    }
    let isListed =
      unsafe avformat_query_codec(
        muxer, parameters.pointer.pointee.codec_id, FF_COMPLIANCE_EXPERIMENTAL) == 1
    return isListed && statesPictures(of: parameters, format: format)
      && Log.muted { unsafe takesHeader(of: parameters, muxer) }
  }

  private static func takesHeader(
    of parameters: CodecParameters, _ muxer: UnsafePointer<AVOutputFormat>
  ) -> Bool {
    var made: UnsafeMutablePointer<AVFormatContext>? = nil
    guard unsafe avformat_alloc_output_context2(&made, muxer, nil, "") >= 0,
      let context = unsafe made
    else { return true }
    defer {
      var bytes: UnsafeMutablePointer<UInt8>? = nil
      if let output = unsafe context.pointee.pb {
        unsafe avio_close_dyn_buf(output, &bytes)
        unsafe av_free(bytes)
      }
      unsafe avformat_free_context(context)
    }
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    guard unsafe avio_open_dyn_buf(&context.pointee.pb) >= 0,
      let stream = unsafe avformat_new_stream(context, nil),
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer) >= 0
    else { return true }
    unsafe setTag(of: stream, as: parameters, muxer)
    unsafe stream.pointee.time_base =
      TimeBase(
        1, parameters.sampleRate > 0 ? Int32(clamping: parameters.sampleRate) : 90_000
      ).rational
    let result = unsafe avformat_write_header(context, nil)
    return result >= 0 || LibAVError.Code(rawValue: result) == .outOfMemory
  }

  // MARK: Before the header

  /// Adds a stream of existing packets and returns its index.
  ///
  /// - Parameter timeBase: the clock of the stream, if the container supports it.
  package mutating func addStream(
    copying source: MediaFormat, timeBase: TimeBase, describedBy description: StreamDescription
  ) throws(LibAVError) -> Int {
    let stream = try unsafe newStream()
    try check(
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, source.parameters.pointer), "copy",
      "codec parameters")
    unsafe Muxer.setTag(of: stream, as: source.parameters, context.pointee.oformat)
    if unsafe stream.pointee.codecpar.pointee.codec_tag == 0, behavior.needsHVC1,
      source.parameters.hasHEVCParameterSets
    {
      unsafe stream.pointee.codecpar.pointee.codec_tag = Muxer.hvc1
    }
    unsafe completeLayout(of: stream)
    unsafe stream.pointee.time_base = timeBase.rational
    unsafe stream.pointee.avg_frame_rate = source.averageFrameRate.rational
    unsafe stream.pointee.sample_aspect_ratio = source.sampleAspectRatio.rational
    // Muxers refuse a stream whose two ratios differ; the container's counts.
    unsafe stream.pointee.codecpar.pointee.sample_aspect_ratio = source.sampleAspectRatio.rational
    return try unsafe describe(stream, description)
  }

  /// Adds a stream whose packets come from `encoder`; returns its index.
  package mutating func addStream(
    encoder: borrowing Encoder, describedBy description: StreamDescription
  ) throws(LibAVError) -> Int {
    let stream = try unsafe newStream()
    try check(
      unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), "copy",
      "codec parameters")
    if behavior.needsHVC1,
      unsafe encoder.context.pointee.codec_id == AV_CODEC_ID_HEVC, needsGlobalHeader
    {
      unsafe stream.pointee.codecpar.pointee.codec_tag = Muxer.hvc1
    }
    unsafe completeLayout(of: stream)
    unsafe stream.pointee.time_base = encoder.context.pointee.time_base
    unsafe stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
    unsafe stream.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
    return try unsafe describe(stream, description)
  }

  /// Adds a stream of text that `converter` makes; returns its index.
  package mutating func addStream(
    converter: borrowing TextConverter, timeBase: TimeBase,
    describedBy description: StreamDescription
  ) throws(LibAVError) -> Int {
    let stream = try unsafe newStream()
    try check(
      unsafe avcodec_parameters_from_context(stream.pointee.codecpar, converter.encoder), "copy",
      "codec parameters")
    unsafe stream.pointee.time_base = timeBase.rational
    return try unsafe describe(stream, description)
  }

  /// Adds a file inside the file, if the container has attachments (Matroska).
  ///
  /// - Parameter codec: FFmpeg's name of the content's codec, which the muxer writes as a type if
  ///   it knows it: "mjpeg", "png".
  package mutating func addAttachment(
    _ bytes: [UInt8], codec: String, name: String, mimeType: String, tags: [Tag] = []
  ) throws(LibAVError) {
    let stream = try unsafe newStream()
    guard let parameters = unsafe stream.pointee.codecpar,
      let copy = unsafe av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw outOfMemory("attachment") }
    unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    unsafe parameters.pointee.codec_id = codecID(codec)
    unsafe parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
    unsafe parameters.pointee.extradata_size = Int32(clamping: bytes.count)
    unsafe setTags(
      &stream.pointee.metadata,
      [Tag(key: "filename", value: name), Tag(key: "mimetype", value: mimeType)] + tags)
  }

  /// Adds an attachment of another file.
  package mutating func addAttachment(copying source: StreamInfo) throws(LibAVError) {
    let stream = try unsafe newStream()
    try check(
      unsafe avcodec_parameters_copy(stream.pointee.codecpar, source.parameters.pointer), "copy",
      "codec parameters")
    unsafe setTags(&stream.pointee.metadata, source.metadata)
  }

  /// Adds a stream of one packet that is an image of the whole file; returns its index.
  package mutating func addPicture(
    codec: String, width: Int, height: Int, tags: [Tag]
  ) throws(LibAVError) -> Int {
    let stream = try unsafe newStream()
    guard let parameters = unsafe stream.pointee.codecpar else { throw outOfMemory("picture") }
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe parameters.pointee.codec_id = codecID(codec)
    unsafe parameters.pointee.width = Int32(clamping: width)
    unsafe parameters.pointee.height = Int32(clamping: height)
    unsafe stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
    unsafe stream.pointee.time_base = TimeBase(1, 90000).rational
    unsafe setTags(&stream.pointee.metadata, tags)
    return unsafe Int(stream.pointee.index)
  }

  private func codecID(_ name: String) -> AVCodecID {
    unsafe avcodec_descriptor_get_by_name(name)?.pointee.id ?? AV_CODEC_ID_NONE
  }

  private func newStream() throws(LibAVError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = unsafe avformat_new_stream(context, nil) else {
      throw outOfMemory("stream")
    }
    return unsafe stream
  }

  /// Sets uncompressed audio without a channel layout to the standard layout of its number of
  /// channels, as the ffmpeg program does, if the muxer writes nothing without.
  private func completeLayout(of stream: UnsafeMutablePointer<AVStream>) {
    guard behavior.needsChannelLayout, let parameters = unsafe stream.pointee.codecpar,
      unsafe parameters.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC,
      let codec = unsafe string(avcodec_get_name(parameters.pointee.codec_id)),
      codec.hasPrefix("pcm_")
    else { return }
    unsafe av_channel_layout_default(
      &parameters.pointee.ch_layout, parameters.pointee.ch_layout.nb_channels)
  }

  /// Sets the description of a stream in addition to its parameters; returns its index.
  private func describe(
    _ stream: UnsafeMutablePointer<AVStream>, _ description: StreamDescription
  ) throws(LibAVError) -> Int {
    for data in description.sideData {
      try check(
        unsafe rw_stream_set_side_data(
          stream, AVPacketSideDataType(UInt32(bitPattern: data.type)), data.bytes,
          data.bytes.count), "copy", "side data")
    }
    unsafe stream.pointee.disposition = description.disposition.rawValue
    unsafe setTags(&stream.pointee.metadata, description.tags)
    return unsafe Int(stream.pointee.index)
  }

  /// The code of HEVC whose parameter sets are in the sample description.
  private static let hvc1: UInt32 = 0x3163_7668

  /// Sets the four-character code of a stream with the parameters of a source, and for raw video the bits of a pixel.
  private static func setTag(
    of stream: UnsafeMutablePointer<AVStream>, as source: CodecParameters,
    _ muxer: UnsafePointer<AVOutputFormat>
  ) {
    let format = unsafe string(muxer.pointee.name) ?? ""
    let raw = source.isRawVideo ? rawVideoTag(of: source, format: format) : nil
    guard let raw, raw.tag != 0 else {
      unsafe stream.pointee.codecpar.pointee.codec_tag = acceptedTag(of: source, muxer)
      return
    }
    unsafe stream.pointee.codecpar.pointee.codec_tag = raw.tag
    if raw.bits > 0 { unsafe stream.pointee.codecpar.pointee.bits_per_coded_sample = raw.bits }
  }

  /// Returns the source's four-character code if this container knows it for the codec, else 0: the
  /// muxer's own choice (the ffmpeg program's rule for stream copies).
  private static func acceptedTag(
    of parameters: CodecParameters, _ muxer: UnsafePointer<AVOutputFormat>
  ) -> UInt32 {
    guard let table = unsafe muxer.pointee.codec_tag else {
      return parameters.codecTag
    }
    let codec = unsafe parameters.pointer.pointee.codec_id
    // Dolby Vision's codes of HEVC and H.264 are those of movies.
    let isDolby = ["dvh1", "dvhe", "dva1", "dvav"].contains {
      CodecParameters.tag($0) == parameters.codecTag
    }
    let name = unsafe string(muxer.pointee.name) ?? ""
    if isDolby, !MuxerBehavior(name).needsHVC1 { return 0 }
    if unsafe av_codec_get_id(table, parameters.codecTag) == codec { return parameters.codecTag }
    var ignored: UInt32 = 0
    return unsafe av_codec_get_tag2(table, codec, &ignored) == 0 ? parameters.codecTag : 0
  }

  package mutating func setMetadata(_ tags: [Tag]) {
    unsafe setTags(&context.pointee.metadata, tags)
  }

  private func setTags(_ dictionary: inout OpaquePointer?, _ tags: [Tag]) {
    for tag in tags {
      unsafe av_dict_set(&dictionary, tag.key, tag.value, AV_DICT_MULTIKEY)
    }
  }

  /// Sets the chapters, in microseconds.
  package mutating func setChapters(
    _ chapters: [(id: Int64, start: Int64, end: Int64, metadata: [Tag])]
  ) throws(LibAVError) {
    guard !chapters.isEmpty else { return }
    let size = MemoryLayout<Int>.stride  // of a pointer
    guard let list = unsafe av_calloc(chapters.count, size) else { throw outOfMemory("chapters") }
    unsafe context.pointee.chapters = list.assumingMemoryBound(
      to: UnsafeMutablePointer<AVChapter>?.self)
    for (index, chapter) in chapters.enumerated() {
      guard let memory = unsafe av_mallocz(MemoryLayout<AVChapter>.size) else {
        throw outOfMemory("chapters")
      }
      let made = unsafe memory.assumingMemoryBound(to: AVChapter.self)
      unsafe made.pointee.id = chapter.id
      unsafe made.pointee.time_base = TimeBase(1, AV_TIME_BASE).rational
      unsafe made.pointee.start = chapter.start
      unsafe made.pointee.end = chapter.end
      unsafe setTags(&made.pointee.metadata, chapter.metadata)
      unsafe context.pointee.chapters[index] = made
      unsafe context.pointee.nb_chapters = UInt32(index + 1)
    }
  }

  // MARK: Writing

  /// True if packets are flushed to the file at once, for which a fragment is collected as a whole.
  package var flushesPackets: Bool {
    get { unsafe context.pointee.flush_packets == 1 }
    set { unsafe context.pointee.flush_packets = newValue ? 1 : 0 }
  }

  /// Has packets converted to the container's form (ADTS into AAC's raw data blocks), which the
  /// muxer turns off in movies without samples in the header. Needed only where the header waits
  /// for packets; call it after the header.
  package mutating func filterPackets() {
    unsafe context.pointee.flags |= AVFMT_FLAG_AUTO_BSF
  }

  package mutating func writeHeader(options: [String: String] = [:]) throws(LibAVError) {
    var dictionary: OpaquePointer? = nil
    defer { unsafe av_dict_free(&dictionary) }
    for (key, value) in options { unsafe av_dict_set(&dictionary, key, value, 0) }
    try finishing(unsafe avformat_write_header(context, &dictionary), "write header")
  }

  /// The length of the file so far in bytes, without the data that the muxer holds back.
  package var position: Int64 { unsafe avio_tell(output.context) }

  /// Returns the muxer's time base of a stream, known once the header is written.
  package func timeBase(of stream: Int) -> TimeBase {
    unsafe context.pointee.streams[stream].map { unsafe TimeBase($0.pointee.time_base) }
      ?? TimeBase(1, AV_TIME_BASE)
  }

  /// Returns true if the muxer can parse the packet as it has to; it writes other packets wrongly.
  package func canWrite(_ packet: borrowing Packet) -> Bool {
    let stream = unsafe context.pointee.streams[packet.streamIndex]
    guard unsafe stream?.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AV1 else { return true }
    return packet.holdsWholeOBUs
  }

  /// Writes a packet, interleaved by decode time; `packet` is empty afterwards.
  ///
  /// - Throws: `invalidData` for a packet that it can't write (``canWrite(_:)``), and in a movie
  ///   for one whose decode time is later after the one before it than the tables can hold: the
  ///   muxer would move it.
  package mutating func write(_ packet: inout Packet) throws(LibAVError) {
    guard canWrite(packet) else {
      throw LibAVError(
        .invalidData, operation: "write", subject: output.target.path,
        detail: "a sample is no whole number of open bitstream units", log: [])
    }
    lastDuration = packet.duration
    count(packet)
    separate(&packet)
    try checkDistance(packet)
    written[packet.streamIndex].lastDTS = packet.dts
    try finishing(unsafe av_interleaved_write_frame(context, packet.pointer), "write")
  }

  private mutating func checkDistance(_ packet: borrowing Packet) throws(LibAVError) {
    guard behavior.limitsDistance, let dts = packet.dts else { return }
    if let last = written[packet.streamIndex].lastDTS, dts > last, dts &- last >= Int64(Int32.max) {
      throw LibAVError(
        .invalidData, operation: "write", subject: output.target.path,
        detail: "two samples of a track are further apart than a movie's tables can state", log: [])
    }
  }

  /// Moves decode times that the container's clock doesn't distinguish a tick apart, as long as no
  /// frame is decoded after it is shown. A packet of audio that begins with the packet before it, or
  /// earlier by up to its duration, begins a tick after it, as in FFmpeg's `-c copy`.
  private func separate(_ packet: inout Packet) {
    guard unsafe context.pointee.oformat.pointee.flags & AVFMT_TS_NONSTRICT == 0,
      let dts = packet.dts, let last = written[packet.streamIndex].lastDTS, dts <= last,
      let pts = packet.pts
    else { return }
    if pts > last {
      packet.dts = last + 1
    } else if isAudio(packet.streamIndex), pts == dts, last &- pts <= packet.duration {
      packet.dts = last + 1
      packet.pts = last + 1
    }
  }

  private func isAudio(_ stream: Int) -> Bool {
    unsafe context.pointee.streams[stream]?.pointee.codecpar.pointee.codec_type
      == AVMEDIA_TYPE_AUDIO
  }

  private mutating func count(_ packet: borrowing Packet) {
    let stream = packet.streamIndex
    while written.count <= stream { written.append(StreamStatistics()) }
    written[stream].packets += 1
  }

  /// Writes the packets that wait for others, and ends their fragment; a movie's header first, if
  /// it waits for the first packets.
  package mutating func endFragment() throws(LibAVError) {
    try finishing(unsafe av_interleaved_write_frame(context, nil), "write")
    try finishing(unsafe av_write_frame(context, nil), "write")
    unsafe avio_flush(output.context)
    try finishing(unsafe output.context?.pointee.error ?? 0, "flush")
  }

  /// Writes the container's trailer and flushes all bytes.
  package mutating func finish() throws(LibAVError) {
    if behavior.needsFinalDelay, lastDuration > 0 {
      try setFinalDelay()
    }
    try finishing(unsafe av_write_trailer(context), "write trailer")
    unsafe avio_flush(output.context)
    let error = unsafe output.context?.pointee.error ?? 0
    try finishing(error, "flush")
  }

  /// GIF's muxer takes ticks, that of APNG a fraction of a second in numbers of 16 bits.
  private func setFinalDelay() throws(LibAVError) {
    let options = unsafe context.pointee.priv_data
    guard let stream = unsafe context.pointee.streams[0], behavior.hasFinalDelayInSeconds else {
      unsafe av_opt_set_int(options, "final_delay", lastDuration, 0)
      return
    }
    let clock = unsafe stream.pointee.time_base
    var delay = AVRational()
    unsafe av_reduce(
      &delay.num, &delay.den, lastDuration * Int64(clock.num), Int64(clock.den), Int64(UInt16.max))
    try check(
      unsafe av_opt_set_q(options, "final_delay", delay, 0), "set the last duration",
      output.target.path)
  }

  private func finishing(_ result: Int32, _ operation: String) throws(LibAVError) {
    if let failure = output.failure { throw failure }
    if output.interrupt.isTriggered {
      throw LibAVError(.interrupted, operation: operation, subject: output.target.path, log: [])
    }
    try check(result, operation, output.target.path)
  }
}
