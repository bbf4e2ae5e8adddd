internal import CLibAV

/// Takes a container apart: its streams, tags and chapters, and its packets in file order.
///
/// Synchronous and single-threaded. Opens nothing but the source it was given: no second file, no
/// network, no playlists (reliability, lock-down recipe).
@safe package struct Demuxer: ~Copyable {
  package struct Options: Sendable {
    /// Demuxers to allow beside ``Library/allowedDemuxers``.
    package var additionalFormats: [String] = []
    /// Takes packets as the container's tables describe them, without looking into the samples: faster,
    /// and right only where the tables tell everything.
    package var trustsTables = false
    package init() {}
  }

  private let context: UnsafeMutablePointer<AVFormatContext>
  private let input: InputStream
  package let streams: [StreamInfo]
  private var hasEndedEarly = false

  package init(
    source: any ByteSource, interrupt: Interrupt, options: Options = Options()
  ) throws(LibAVError) {
    Log.forgetLinesOfThisThread()
    let input = try InputStream(source: source, interrupt: interrupt)
    guard let context = unsafe avformat_alloc_context() else { throw outOfMemory("open") }
    unsafe Demuxer.lockDown(context, input: input, options: options)
    let opened = try unsafe Demuxer.open(context, input: input, options: options)
    do throws(LibAVError) {
      var streams: [StreamInfo] = []
      for index in 0..<Int(unsafe opened.pointee.nb_streams) {
        if let stream = unsafe opened.pointee.streams[index] {
          streams.append(try unsafe StreamInfo(stream))
        }
      }
      self.streams = streams
    } catch {
      var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
      unsafe avformat_close_input(&closing)
      throw error
    }
    isMovie = unsafe (string(opened.pointee.iformat.pointee.name) ?? "").hasPrefix("mov,")
    unsafe self.context = opened
    self.input = input
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe self.context
    unsafe avformat_close_input(&context)
    ProcessInformation.trimHeap()
  }

  private static func lockDown(
    _ context: UnsafeMutablePointer<AVFormatContext>, input: InputStream, options: Options
  ) {
    let formats = Library.allowedDemuxers + options.additionalFormats
    let limits = Library.limits
    unsafe context.pointee.pb = input.context
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    if options.trustsTables { unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE }
    unsafe context.pointee.probesize = limits.probeSize
    unsafe context.pointee.max_analyze_duration = limits.analyzeDuration
    unsafe context.pointee.max_streams = limits.streams
    unsafe context.pointee.interrupt_callback = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        let stream = unsafe Unmanaged<InputStream>.fromOpaque(opaque).takeUnretainedValue()
        return stream.interrupt.isTriggered ? 1 : 0
      }, opaque: Unmanaged.passUnretained(input).toOpaque())
    unsafe rw_format_deny_nested_io(context)
    unsafe av_opt_set(context, "format_whitelist", formats.joined(separator: ","), 0)
    unsafe av_opt_set(context, "protocol_whitelist", "none", 0)
  }

  /// Opens and probes; frees `context` on failure.
  private static func open(
    _ context: UnsafeMutablePointer<AVFormatContext>, input: InputStream, options: Options
  ) throws(LibAVError) -> UnsafeMutablePointer<AVFormatContext> {
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    let name = input.source.name
    let result = unsafe avformat_open_input(&opened, nil, nil, nil)
    guard result >= 0, let opened = unsafe opened else {
      // avformat_open_input has freed the context.
      try requireUninterrupted(input)
      throw input.failure ?? refusal(result, name)
    }
    do throws(LibAVError) {
      if !options.trustsTables { try unsafe findStreamInfo(opened, name) }
      if let failure = input.failure { throw failure }
      try requireUninterrupted(input)
      return unsafe opened
    } catch {
      var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
      unsafe avformat_close_input(&closing)
      try requireUninterrupted(input)
      throw input.failure ?? error
    }
  }

  /// An interrupted read looks like the end of the file to libav, which then finds the file broken or
  /// its streams fewer than they are: neither is to be believed.
  private static func requireUninterrupted(_ input: InputStream) throws(LibAVError) {
    guard input.interrupt.isTriggered else { return }
    throw LibAVError(.interrupted, operation: "open", subject: input.source.name, log: [])
  }

  private static func refusal(_ result: Int32, _ name: String) -> LibAVError {
    let code = LibAVError.Code(rawValue: result)
    return LibAVError(
      code, operation: "open", subject: name,
      // A recognised format that isn't on the whitelist shows as EINVAL.
      detail: code == .invalidArgument
        ? "its format is recognised but not allowed: playlists and text formats open other files"
        : nil)
  }

  /// Probes the streams, with the pixel bound handed to the decoders that probing opens.
  private static func findStreamInfo(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(LibAVError) {
    let count = Int(unsafe context.pointee.nb_streams)
    var options = unsafe [OpaquePointer?](repeating: nil, count: count)
    for index in 0..<count {
      unsafe av_dict_set_int(&options[index], "max_pixels", Library.limits.pixels, 0)
      unsafe av_dict_set_int(&options[index], "threads", 1, 0)
      // Nobody sees these pictures: what they are is in their headers.
      unsafe av_dict_set(&options[index], "skip_loop_filter", "all", 0)
      unsafe av_dict_set(&options[index], "skip_idct", "all", 0)
    }
    let result = unsafe avformat_find_stream_info(context, &options)
    for index in 0..<count { unsafe av_dict_free(&options[index]) }
    try check(result, "probe", name)
  }

  // MARK: Container

  /// libav's name, aliases included: "mov,mp4,m4a,3gp,3g2,mj2".
  package var formatName: String { unsafe string(context.pointee.iformat.pointee.name) ?? "" }
  /// QuickTime, MP4 and their kin.
  package let isMovie: Bool
  /// The earliest start of all streams, in microseconds.
  package var startTime: Int64? { timestamp(unsafe context.pointee.start_time) }
  /// In microseconds, nil when unknown.
  package var duration: Int64? {
    unsafe context.pointee.duration > 0 ? context.pointee.duration : nil
  }
  /// True when the duration is a guess from the bit rate.
  package var durationIsEstimate: Bool {
    unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }
  package var metadata: [Tag] { unsafe tags(context.pointee.metadata) }
  package var chapters: [Chapter] {
    (0..<Int(unsafe context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = unsafe context.pointee.chapters[index]?.pointee else { return nil }
      return unsafe Chapter(
        id: Int64(chapter.id), timeBase: TimeBase(chapter.time_base), start: chapter.start,
        end: chapter.end, metadata: tags(chapter.metadata))
    }
  }

  /// What a transport stream's tables call its programmes, without their streams.
  package var programMetadata: [[Tag]] {
    (0..<Int(unsafe context.pointee.nb_programs)).compactMap { index in
      unsafe context.pointee.programs[index].map { unsafe tags($0.pointee.metadata) }
    }
  }

  // MARK: Packets

  /// Chooses the streams whose packets are wanted; the others' are skipped, unread where possible.
  package mutating func select(streams wanted: Set<Int>) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[index]?.pointee.discard =
        wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads packets without their bytes where the file's bytes lie in `ranges`, which are in order and
  /// apart from each other: zeros stand for them. For those who want the times and places only.
  package mutating func leaveUnread(_ ranges: [Range<Int64>]) { input.unread = ranges }

  /// Reads the next packet in file order into `packet`; false at the end of the file.
  package mutating func read(into packet: inout Packet) throws(LibAVError) -> Bool {
    packet.clear()
    let result = unsafe av_read_frame(context, packet.pointer)
    // A read error of the source often arrives as an end of file.
    if let failure = input.failure { throw failure }
    if result < 0, input.interrupt.isTriggered {
      throw LibAVError(.interrupted, operation: "read", subject: input.source.name, log: [])
    }
    if result == rw_error_eof {
      hasEndedEarly = try speaksOfMore()
      try input.interrupt.check("read")
      return false
    }
    try check(result, "read", input.source.name)
    restoreLastDuration(of: packet)
    return true
  }

  /// Undoes a slip of libavformat's mov demuxer: behind an empty edit it measures the last sample up to
  /// the end of the media on the media's own clock, and so loses the length of the empty edit. A sample
  /// that an edit list cuts is none of these: with the length of the empty edit it would last longer
  /// than the one before it.
  private func restoreLastDuration(of packet: borrowing Packet) {
    guard isMovie, let dts = packet.dts, streams.indices.contains(packet.streamIndex),
      dts &+ packet.duration == streams[packet.streamIndex].duration,
      let stream = unsafe context.pointee.streams[packet.streamIndex]
    else { return }
    let count = unsafe avformat_index_get_entries_count(stream)
    guard let first = unsafe avformat_index_get_entry(stream, 0)?.pointee, first.timestamp > 0,
      let last = unsafe avformat_index_get_entry(stream, count - 1)?.pointee,
      last.pos == packet.position, last.timestamp == dts,
      let previous = unsafe avformat_index_get_entry(stream, count - 2)?.pointee,
      packet.duration &+ first.timestamp <= (last.timestamp &- previous.timestamp) / 4 &* 5
    else { return }
    packet.duration &+= first.timestamp
  }

  /// True when the container has spoken of media that lies beyond the end of the file, which shows when
  /// that is looked for or the end is reached.
  package var isTruncated: Bool { input.wasReadBeyondEnd || hasEndedEarly }

  /// Demuxers take the end of a file that is cut short for the end of its media; what the tables of a
  /// movie and the header of a Matroska file say is known all the same.
  private func speaksOfMore() throws(LibAVError) -> Bool {
    let size = try input.source.size
    if formatName.hasPrefix("matroska") {
      return try matroskaSegmentEnd(of: input.source).map { $0 > size } ?? false
    }
    guard isMovie else { return false }
    for number in streams.indices {
      guard let stream = unsafe context.pointee.streams[number],
        unsafe stream.pointee.discard != AVDISCARD_ALL
      else { continue }
      for entry in 0..<(unsafe avformat_index_get_entries_count(stream)) {
        guard let sample = unsafe avformat_index_get_entry(stream, entry)?.pointee else { continue }
        if sample.pos > size - Int64(sample.size) { return true }
      }
    }
    return false
  }

  /// Moves to a random-access point at or before `timestamp` (ticks of the stream), as a hint.
  package mutating func seek(stream: Int, to timestamp: Int64) throws(LibAVError) {
    Counters.countSeek()
    let result = unsafe av_seek_frame(context, Int32(stream), timestamp, AVSEEK_FLAG_BACKWARD)
    if let failure = input.failure { throw failure }
    try check(result, "seek", input.source.name)
  }

  /// The picture of an attached-picture stream.
  package func attachedPicture(stream: Int) -> [UInt8] {
    guard let stream = unsafe context.pointee.streams[stream],
      let data = unsafe stream.pointee.attached_pic.data
    else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(start: data, count: Int(max(0, stream.pointee.attached_pic.size))))
  }
}

/// Where a Matroska file's one segment ends by its own word; nil when it doesn't say, as in live streams
/// (RFC 8794, section 6).
private func matroskaSegmentEnd(of source: any ByteSource) throws(LibAVError) -> Int64? {
  var bytes = [UInt8](repeating: 0, count: 1024)
  let read = unsafe bytes.withUnsafeMutableBytes { buffer -> Result<Int, LibAVError> in
    do throws(LibAVError) {
      return .success(try unsafe source.read(into: buffer, at: 0))
    } catch {
      return .failure(error)
    }
  }
  var rest = bytes[..<(try read.get())]
  func number(keepsMarker: Bool) -> Int64? {
    guard let first = rest.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard rest.count >= length else { return nil }
    var value = rest.prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(length)
    let mask = UInt64(1) << (7 * length) - 1
    if !keepsMarker {
      value &= mask
      if value == mask { return nil }
    }
    return Int64(exactly: value)
  }
  guard number(keepsMarker: true) == 0x1A45_DFA3, let header = number(keepsMarker: false),
    header <= rest.count
  else { return nil }
  rest = rest.dropFirst(Int(header))
  guard number(keepsMarker: true) == 0x1853_8067, let length = number(keepsMarker: false) else {
    return nil
  }
  let (end, overflow) = Int64(rest.startIndex).addingReportingOverflow(length)
  return overflow ? .max : end
}
