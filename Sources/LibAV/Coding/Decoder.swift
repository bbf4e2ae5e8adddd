internal import CLibAV
import SystemIO

/// A libavcodec decoder, which turns packets into frames.
@safe package struct Decoder: ~Copyable {
  package enum Output: Sendable { case frame, needsInput, endOfStream }

  private let context: UnsafeMutablePointer<AVCodecContext>
  private let name: String
  private let isVideo: Bool
  private let caller: DecoderCalls.Caller
  private let alpha: AlphaDecoder?
  private let tiles: TileDecoder?
  private let animation: AnimationDecoder?

  /// - Parameter threads: 1 decodes on the caller's thread; 0 lets libav choose.
  package init(stream: StreamInfo, threads: Int = 1) throws(LibAVError) {
    try self.init(stream.format, timeBase: stream.timeBase, threads: threads)
  }

  /// - Parameters:
  ///   - timeBase: the time base of the packets' times.
  ///   - threads: 1 decodes on the caller's thread; 0 lets libav choose.
  ///   - sharesFrames: true for threads that decode slices of one frame, where the codec can. Threads that decode a
  ///     frame each are faster from the third frame on, and each has frames of its own.
  package init(
    _ format: MediaFormat, timeBase: TimeBase, threads: Int = 1, sharesFrames: Bool = false
  ) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let alpha = format.hasSeparateAlpha ? try AlphaDecoder(format, timeBase: timeBase) : nil
    let threads = format.animation == nil ? threads : 1
    let (opened, caller) = try unsafe DecoderCalls.open(threads: threads) {
      () throws(LibAVError) in
      try unsafe Decoder.open(
        format, timeBase: timeBase, threads: threads, sharesFrames: sharesFrames)
    }
    unsafe context = opened
    self.caller = caller
    self.alpha = alpha
    let name = format.parameters.codecName
    tiles = format.tiles.map { unsafe TileDecoder($0, opened, name: name) }
    animation = format.animation.map { unsafe AnimationDecoder($0, opened, name: name) }
    self.name = name
    isVideo = format.kind == .video
  }

  static func open(
    _ format: MediaFormat, timeBase: TimeBase, threads: Int, sharesFrames: Bool = false
  ) throws(LibAVError) -> UnsafeMutablePointer<AVCodecContext> {
    let parameters = format.parameters
    let name = parameters.codecName
    guard let codec = unsafe avcodec_find_decoder(parameters.pointer.pointee.codec_id) else {
      throw LibAVError(.decoderNotFound, operation: "find decoder", subject: name)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw outOfMemory("decoder") }
    do throws(LibAVError) {
      try check(
        unsafe avcodec_parameters_to_context(context, parameters.pointer), "set up decoder", name)
      unsafe context.pointee.pkt_timebase = timeBase.rational
      unsafe context.pointee.framerate = format.averageFrameRate.rational
      unsafe context.pointee.thread_count = Int32(clamping: threads)
      if sharesFrames { unsafe context.pointee.thread_type = FF_THREAD_SLICE }
      unsafe context.pointee.max_pixels = Library.limits.pixels
      unsafe context.pointee.max_samples = Library.limits.samples
      // As the ffmpeg program does: a damaged frame is shown, and marked, rather than lost.
      unsafe context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
      try check(unsafe rw_decoder_open(context, codec), "open decoder", name)
    } catch {
      var failed: UnsafeMutablePointer<AVCodecContext>? = unsafe context
      unsafe rw_decoder_free(&failed)
      throw error
    }
    return unsafe context
  }

  /// Returns the frame of a packet that is a stream of its own, or nil if it has none.
  static func onlyFrame(
    of packet: borrowing Packet, by context: UnsafeMutablePointer<AVCodecContext>, _ name: String
  ) throws(LibAVError) -> Frame? {
    let frame = try Frame()
    unsafe rw_decoder_flush(context)
    try check(unsafe avcodec_send_packet(context, packet.pointer), "decode", name)
    var result = unsafe rw_decoder_receive(context, frame.pointer)
    if result == LibAVError.Code.tryAgain.rawValue {
      _ = unsafe avcodec_send_packet(context, nil)
      result = unsafe rw_decoder_receive(context, frame.pointer)
    }
    if result == LibAVError.Code.tryAgain.rawValue || result == rw_error_eof { return nil }
    try check(result, "decode", name)
    return frame
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    caller.begin()
    unsafe rw_decoder_free(&context)
    caller.close()
    ProcessInformation.trimHeap()
  }

  /// The number of times that the decoder has found damage in its packets, also where frames don't
  /// show it, and the number of times that it has missed frames that others refer to.
  package var errorCounts: ErrorCounts {
    unsafe ErrorCounts(
      damage: Int(rw_decoder_complaints(context, false)),
      references: Int(rw_decoder_complaints(context, true)))
  }

  package struct ErrorCounts: Sendable {
    package var damage = 0
    package var references = 0
    package init() {}

    fileprivate init(damage: Int, references: Int) {
      (self.damage, self.references) = (damage, references)
    }
  }

  /// True if packets whose frames no other frame refers to are skipped: they are not decoded and no
  /// frame comes out.
  package var skipsNonReference: Bool {
    get { unsafe context.pointee.skip_frame.rawValue >= AVDISCARD_NONREF.rawValue }
    nonmutating set {
      unsafe context.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    }
  }

  /// Skips the decoding steps that only affect the look of frames, for a caller that needs only
  /// their order.
  package func decodesOrderOnly() {
    unsafe context.pointee.skip_loop_filter = AVDISCARD_ALL
    unsafe context.pointee.skip_idct = AVDISCARD_ALL
  }

  /// Sends a packet. A decoder that still holds frames must be emptied first (``receive(into:)``).
  ///
  /// - Throws: `invalidData` for a packet it can't decode; the decoder stays usable.
  package mutating func send(_ packet: borrowing Packet) throws(LibAVError) {
    caller.begin()
    if let tiles {
      defer { caller.end() }
      return try tiles.send(packet)
    }
    if let animation {
      defer { caller.end() }
      return try animation.send(packet)
    }
    let result = unsafe avcodec_send_packet(context, packet.pointer)
    caller.end()
    try check(result, "decode", name)
    try alpha?.send(packet)
  }

  /// Ends the stream of packets; the remaining frames follow from ``receive(into:)``.
  package mutating func drain() throws(LibAVError) {
    if let tiles { return tiles.drain() }
    if let animation { return animation.drain() }
    caller.begin()
    let result = unsafe avcodec_send_packet(context, nil)
    caller.end()
    if result != rw_error_eof { try check(result, "drain decoder", name) }
  }

  package mutating func receive(into frame: inout Frame) throws(LibAVError) -> Output {
    if let output = tiles?.receive(into: &frame) ?? animation?.receive(into: &frame) {
      if output == .frame { Counters.countFrame() }
      return output
    }
    caller.begin()
    let result = unsafe rw_decoder_receive(context, frame.pointer)
    caller.end()
    switch result {
    case LibAVError.Code.tryAgain.rawValue: return .needsInput
    case rw_error_eof: return .endOfStream
    default:
      try check(result, "decode", name)
      if isVideo { Counters.countFrame() }
      try alpha?.complete(&frame)
      return .frame
    }
  }

  /// Returns the parameters of the decoded frames, with the aspect ratio of their pixels.
  package func parameters() throws(LibAVError) -> (CodecParameters, aspectRatio: Rational) {
    let parameters = try unsafe CodecParameters(of: context)
    return (parameters, unsafe Rational(context.pointee.sample_aspect_ratio))
  }

  /// Discards all decoded frames, after a seek.
  package mutating func flush() {
    caller.begin()
    unsafe rw_decoder_flush(context)
    caller.end()
    alpha?.flush()
    tiles?.flush()
    animation?.flush()
  }
}
