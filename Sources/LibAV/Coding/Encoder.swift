internal import CLibAV

/// A libavcodec encoder, which turns frames into packets.
@safe package struct Encoder: ~Copyable {
  package struct Video: Sendable {
    package var layout: PictureLayout
    /// The pixel format: the layout's, unless the frames have a palette, which no layout can
    /// describe.
    package var format: PixelFormat
    package var timeBase: TimeBase
    package var frameRate: Rational
    package var sampleAspectRatio: Rational
    package var color: ColorDescription?
    /// libav's field order, as of ``CodecParameters``; 0 for unknown.
    package var fieldOrder = 0
    package init(layout: PictureLayout, timeBase: TimeBase, frameRate: Rational) {
      self.layout = layout
      format = layout.format
      self.timeBase = timeBase
      self.frameRate = frameRate
      sampleAspectRatio = Rational(0, 1)
    }
  }

  package enum Media: Sendable {
    case video(Video)
    case audio(AudioLayout)
  }

  package struct Settings: Sendable {
    /// An encoder's name: "libx264", "aac".
    package var name: String
    package var media: Media
    /// The bit rate in bits per second; nil for the encoder's own choice.
    package var bitRate: Int64?
    /// The maximum distance between sync samples, in frames.
    package var keyFrameInterval: Int?
    /// The encoder's private options.
    package var options: [String: String]
    /// True if parameter sets go to the container's header instead of the stream.
    package var usesGlobalHeader: Bool
    /// The number of threads; 0 for the encoder's own choice. That of x265 is 1 in any case.
    package var threads: Int

    package init(name: String, media: Media) {
      self.name = name
      self.media = media
      options = [:]
      usesGlobalHeader = false
      threads = 0
    }
  }

  let context: UnsafeMutablePointer<AVCodecContext>
  package let name: String
  package let timeBase: TimeBase

  package static func isAvailable(_ name: String) -> Bool {
    unsafe avcodec_find_encoder_by_name(name) != nil
  }

  package init(_ settings: Settings) throws(LibAVError) {
    Log.clearLinesOfThisThread()
    let opened = try unsafe Encoder.open(settings)
    unsafe context = opened
    name = settings.name
    timeBase = unsafe TimeBase(opened.pointee.time_base)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe self.context
    unsafe avcodec_free_context(&context)
  }

  private static func open(
    _ settings: Settings
  ) throws(LibAVError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = unsafe avcodec_find_encoder_by_name(settings.name) else {
      throw LibAVError(.encoderNotFound, operation: "find encoder", subject: settings.name)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw outOfMemory("encoder") }
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    for (key, value) in repeatableOptions(settings) { unsafe av_dict_set(&options, key, value, 0) }
    unsafe configure(context, settings)
    let result = unsafe avcodec_open2(context, codec, &options)
    guard result >= 0 else {
      var failed: UnsafeMutablePointer<AVCodecContext>? = unsafe context
      unsafe avcodec_free_context(&failed)
      throw LibAVError(.init(rawValue: result), operation: "open encoder", subject: settings.name)
    }
    return unsafe context
  }

  /// Returns the options, with those by which the same pictures become the same bytes.
  ///
  /// With AVX-512 the macroblock tree of x264 (`mbtree_propagate_list` in its mc-a2.asm) takes eight
  /// blocks at a time. Of a row whose number of blocks isn't a multiple of eight, it takes those of the
  /// next row, and after the last one memory that was never written. With AVX2, encoding takes 6 %
  /// longer.
  private static func repeatableOptions(_ settings: Settings) -> [String: String] {
    var options = settings.options
    guard settings.name == "libx264", Library.hasAVX512,
      case .video(let video) = settings.media, (video.layout.width + 15) / 16 % 8 != 0
    else { return options }
    let parameters = [options["x264-params"], "asm=AVX2,FMA3,BMI2"].compactMap(\.self)
    options["x264-params"] = parameters.joined(separator: ":")
    return options
  }

  private static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: Settings
  ) {
    // x265 3.5 with several frames at a time makes other bytes now and then, by how busy the
    // machine is. One at a time still has a thread for each row of its blocks.
    let threads = settings.name == "libx265" ? 1 : settings.threads
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    if let rate = settings.bitRate { unsafe context.pointee.bit_rate = rate }
    if let interval = settings.keyFrameInterval {
      unsafe context.pointee.gop_size = Int32(clamping: interval)
    }
    if settings.usesGlobalHeader {
      unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    }
    switch settings.media {
    case .video(let video):
      unsafe context.pointee.width = Int32(clamping: video.layout.width)
      unsafe context.pointee.height = Int32(clamping: video.layout.height)
      unsafe context.pointee.pix_fmt = video.format.format
      unsafe context.pointee.time_base = video.timeBase.rational
      unsafe context.pointee.framerate = video.frameRate.rational
      unsafe context.pointee.sample_aspect_ratio = video.sampleAspectRatio.rational
      unsafe context.pointee.field_order = AVFieldOrder(UInt32(clamping: video.fieldOrder))
      if let color = video.color {
        unsafe context.pointee.color_primaries =
          AVColorPrimaries(UInt32(bitPattern: color.primaries))
        unsafe context.pointee.color_trc =
          AVColorTransferCharacteristic(UInt32(bitPattern: color.transfer))
        unsafe context.pointee.colorspace = AVColorSpace(UInt32(bitPattern: color.matrix))
        unsafe context.pointee.color_range = AVColorRange(UInt32(bitPattern: color.range))
        unsafe context.pointee.chroma_sample_location =
          AVChromaLocation(UInt32(bitPattern: color.chromaLocation))
      }
    case .audio(let layout):
      unsafe context.pointee.sample_rate = Int32(clamping: layout.sampleRate)
      unsafe context.pointee.sample_fmt = layout.format.format
      unsafe context.pointee.time_base =
        TimeBase(1, Int32(clamping: layout.sampleRate)).rational
      _ = unsafe layout.channels.withLayout { source in
        unsafe av_channel_layout_copy(&context.pointee.ch_layout, &source)
      }
    }
  }

  package var isAudio: Bool { unsafe context.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
  /// The number of samples per audio frame that the encoder needs, 0 for any number.
  package var frameSize: Int { unsafe Int(context.pointee.frame_size) }
  /// The number of samples that the encoder puts before the first real one.
  package var initialPadding: Int { unsafe Int(context.pointee.initial_padding) }

  /// Parameter sets for the container's header, where `usesGlobalHeader` is set.
  package var extradata: [UInt8] {
    unsafe context.pointee.extradata.map {
      unsafe Array(
        UnsafeBufferPointer(start: $0, count: Int(context.pointee.extradata_size)))
    } ?? []
  }

  /// Sends a frame.
  package mutating func send(_ frame: borrowing Frame) throws(LibAVError) {
    try check(unsafe avcodec_send_frame(context, frame.pointer), "encode", name)
  }

  package mutating func finish() throws(LibAVError) {
    try check(unsafe avcodec_send_frame(context, nil), "finish encoder", name)
  }

  /// Receives the next packet, in the encoder's time base; returns false when the encoder needs
  /// another frame or is done.
  package mutating func receive(into packet: inout Packet) throws(LibAVError) -> Bool {
    packet.clear()
    let result = unsafe avcodec_receive_packet(context, packet.pointer)
    if result == rw_error_eof || result == LibAVError.Code.tryAgain.rawValue { return false }
    try check(result, "encode", name)
    return true
  }

  /// Returns the pixel formats that the encoder supports, empty for any.
  package static func pixelFormats(of name: String) -> [PixelFormat] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      var next = unsafe rw_encoder_pixel_formats(codec)
    else { return [] }
    var formats: [PixelFormat] = []
    while unsafe next.pointee != AV_PIX_FMT_NONE {
      unsafe formats.append(PixelFormat(next.pointee))
      unsafe next += 1
    }
    return formats
  }

  package static func sampleFormats(of name: String) -> [SampleFormat] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      var next = unsafe rw_encoder_sample_formats(codec)
    else { return [] }
    var formats: [SampleFormat] = []
    while unsafe next.pointee != AV_SAMPLE_FMT_NONE {
      unsafe formats.append(SampleFormat(next.pointee))
      unsafe next += 1
    }
    return formats
  }

  /// Returns the sample rates that the encoder supports, in hertz, empty for any.
  package static func sampleRates(of name: String) -> [Int] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      var next = unsafe rw_encoder_sample_rates(codec)
    else { return [] }
    var rates: [Int] = []
    while unsafe next.pointee != 0 {
      unsafe rates.append(Int(next.pointee))
      unsafe next += 1
    }
    return rates
  }
}
