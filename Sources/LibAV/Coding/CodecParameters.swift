internal import CLibAV

/// A stream's codec and its parameters: an immutable copy, safe to share.
///
/// `@unchecked Sendable`: nothing writes to `pointer`'s target after `init`.
@safe package final class CodecParameters: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  init(copying source: UnsafePointer<AVCodecParameters>) throws(LibAVError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    try check(unsafe avcodec_parameters_copy(pointer, source), "copy", "codec parameters")
  }

  /// Copies the parameters of a decoder, which may have found out more from samples.
  init(of context: UnsafePointer<AVCodecContext>) throws(LibAVError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    try check(
      unsafe avcodec_parameters_from_context(pointer, context), "copy", "codec parameters")
  }

  /// Copies parameters, with another pixel format.
  convenience init(_ other: CodecParameters, as format: PixelFormat) throws(LibAVError) {
    try unsafe self.init(copying: other.pointer)
    unsafe pointer.pointee.format = format.rawValue
  }

  /// Copies parameters, with another frame size.
  convenience init(_ other: CodecParameters, width: Int, height: Int) throws(LibAVError) {
    try unsafe self.init(copying: other.pointer)
    unsafe pointer.pointee.width = Int32(clamping: width)
    unsafe pointer.pointee.height = Int32(clamping: height)
  }

  /// Copies parameters, with another number of valid bits of a linear sample.
  convenience init(_ other: CodecParameters, validBits: Int) throws(LibAVError) {
    try unsafe self.init(copying: other.pointer)
    unsafe pointer.pointee.bits_per_coded_sample = Int32(clamping: validBits)
  }

  /// Creates parameters without a codec; audio is at 48 kHz in stereo.
  init(ofNothing kind: MediaKind) throws(LibAVError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    guard kind == .audio else { return }
    unsafe pointer.pointee.sample_rate = 48000
    unsafe av_channel_layout_default(&pointer.pointee.ch_layout, 2)
  }

  /// Creates the parameters of uncompressed video.
  init(ofPictures layout: PictureLayout, color: ColorDescription) throws(LibAVError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    unsafe pointer.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe pointer.pointee.codec_id = AV_CODEC_ID_RAWVIDEO
    unsafe pointer.pointee.width = Int32(clamping: layout.width)
    unsafe pointer.pointee.height = Int32(clamping: layout.height)
    unsafe pointer.pointee.format = layout.format.rawValue
    unsafe pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe pointer.pointee.field_order = AV_FIELD_PROGRESSIVE
    let codes = color.codes
    unsafe pointer.pointee.color_primaries = codes.primaries
    unsafe pointer.pointee.color_trc = codes.transfer
    unsafe pointer.pointee.color_space = codes.matrix
    unsafe pointer.pointee.color_range = codes.range
    unsafe pointer.pointee.chroma_location = codes.chromaLocation
  }

  /// Creates the parameters of linear audio.
  init(ofAudio layout: AudioLayout) throws(LibAVError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    unsafe pointer.pointee.codec_type = AVMEDIA_TYPE_AUDIO
    unsafe pointer.pointee.codec_id = av_get_pcm_codec(layout.format.packed.format, -1)
    unsafe pointer.pointee.format = layout.format.rawValue
    unsafe pointer.pointee.sample_rate = Int32(clamping: layout.sampleRate)
    _ = unsafe layout.channels.withLayout { source in
      unsafe av_channel_layout_copy(&pointer.pointee.ch_layout, &source)
    }
  }

  /// Creates the parameters of coded samples, as far as a container needs them.
  ///
  /// - Throws: `decoderNotFound` for a name of a codec that FFmpeg doesn't know.
  init(_ coded: CodedFormat) throws(LibAVError) {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(coded.codec) else {
      throw LibAVError(.decoderNotFound, operation: "find codec", subject: coded.codec)
    }
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory("parameters") }
    unsafe self.pointer = pointer
    unsafe pointer.pointee.codec_type = descriptor.pointee.type
    unsafe pointer.pointee.codec_id = descriptor.pointee.id
    unsafe pointer.pointee.width = Int32(clamping: coded.width)
    unsafe pointer.pointee.height = Int32(clamping: coded.height)
    unsafe pointer.pointee.sample_rate = Int32(clamping: coded.sampleRate)
    unsafe pointer.pointee.initial_padding = Int32(clamping: coded.initialPadding)
    if coded.channels > 0 {
      unsafe av_channel_layout_default(
        &pointer.pointee.ch_layout, Int32(clamping: coded.channels))
    }
    let extradata = coded.extradata
    guard !extradata.isEmpty else { return }
    guard
      let memory = unsafe av_mallocz(extradata.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { throw outOfMemory("parameters") }
    unsafe memory.copyMemory(from: extradata, byteCount: extradata.count)
    unsafe pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe pointer.pointee.extradata_size = Int32(clamping: extradata.count)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = unsafe self.pointer
    unsafe avcodec_parameters_free(&pointer)
  }

  /// True if frames may be decoded in another order than they are shown in.
  package var reordersPictures: Bool {
    guard let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id) else {
      return false
    }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_REORDER != 0
  }
  package var codecName: String { unsafe string(avcodec_get_name(pointer.pointee.codec_id)) ?? "" }
  /// The name of the codec in messages: for a codec that FFmpeg doesn't know, the container's
  /// four-character code.
  package var name: String {
    guard !isKnown else { return codecName }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: codecTag >> ($0 * 8)) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) || $0 == 0xa9 }) else { return "unknown" }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
  package var isKnown: Bool { unsafe pointer.pointee.codec_id != AV_CODEC_ID_NONE }
  package var hasDecoder: Bool { unsafe avcodec_find_decoder(pointer.pointee.codec_id) != nil }
  package var isLossless: Bool { hasProperty(AV_CODEC_PROP_LOSSLESS) }

  private func hasProperty(_ property: Int32) -> Bool {
    guard let descriptor = unsafe avcodec_descriptor_get(pointer.pointee.codec_id) else {
      return false
    }
    return unsafe descriptor.pointee.props & property != 0
  }

  /// The container's four-character code, little-endian as in libav; 0 for none.
  package var codecTag: UInt32 { unsafe pointer.pointee.codec_tag }
  package var width: Int { unsafe Int(pointer.pointee.width) }
  package var height: Int { unsafe Int(pointer.pointee.height) }
  /// The pixel format of video; -1 for others, or if unknown.
  package var pixelFormat: PixelFormat { PixelFormat(rawValue: unsafe pointer.pointee.format) }
  package var sampleFormat: SampleFormat { SampleFormat(rawValue: unsafe pointer.pointee.format) }
  package var color: ColorDescription {
    unsafe ColorDescription(
      primaries: pointer.pointee.color_primaries, transfer: pointer.pointee.color_trc,
      matrix: pointer.pointee.color_space, range: pointer.pointee.color_range,
      chromaLocation: pointer.pointee.chroma_location)
  }
  /// libav's field order: 0 unknown, 1 progressive, 2 TT, 3 BB, 4 TB, 5 BT.
  package var fieldOrder: Int { unsafe Int(pointer.pointee.field_order.rawValue) }
  /// The number of frames that the decoder holds back to reorder them.
  package var reorderDepth: Int { unsafe Int(pointer.pointee.video_delay) }
  /// The bit rate in bits per second, 0 when unknown.
  package var bitRate: Int64 { unsafe pointer.pointee.bit_rate }
  package var bitsPerRawSample: Int { unsafe Int(pointer.pointee.bits_per_raw_sample) }
  var isRawVideo: Bool { unsafe pointer.pointee.codec_id == AV_CODEC_ID_RAWVIDEO }
  package var bitsPerCodedSample: Int { unsafe Int(pointer.pointee.bits_per_coded_sample) }
  /// The size in bits of a sample of a codec whose samples have one size; 0 for others.
  package var bitsPerSample: Int { unsafe Int(av_get_bits_per_sample(pointer.pointee.codec_id)) }
  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }
  package var channelLayout: ChannelLayout { unsafe ChannelLayout(pointer.pointee.ch_layout) }
  package var frameSize: Int { unsafe Int(pointer.pointee.frame_size) }
  /// The size of one block in bytes, where the format has blocks of one size; else 0.
  package var blockAlign: Int { unsafe Int(pointer.pointee.block_align) }
  /// The encoder delay in samples.
  package var initialPadding: Int { unsafe Int(pointer.pointee.initial_padding) }
  /// The number of samples that the encoder added at the end.
  package var trailingPadding: Int { unsafe Int(pointer.pointee.trailing_padding) }
  /// The number of samples to decode before a seek's target so that the output is exact (preroll).
  package var seekPreroll: Int { unsafe Int(pointer.pointee.seek_preroll) }
  /// True if colours are multiplied by alpha; nil when unknown (always before FFmpeg 8.1).
  package var isAlphaPremultiplied: Bool? {
    switch unsafe rw_alpha_mode(pointer) {
    case 1: true
    case 2: false
    default: nil
    }
  }
  package var profile: String? {
    unsafe string(avcodec_profile_name(pointer.pointee.codec_id, pointer.pointee.profile))
  }
  package var level: Int { unsafe Int(pointer.pointee.level) }
  /// True if a configuration of HEVC has parameter sets: its record (ISO/IEC 14496-15, 8.3.3.1) has
  /// arrays, or there are start codes.
  var hasHEVCParameterSets: Bool {
    guard unsafe pointer.pointee.codec_id == AV_CODEC_ID_HEVC else { return false }
    let extradata = extradata
    guard extradata.count > 22 else { return false }
    return extradata[0] == 0 || extradata[22] > 0
  }
  package var extradata: [UInt8] {
    unsafe pointer.pointee.extradata.map {
      unsafe Array(UnsafeBufferPointer(start: $0, count: Int(pointer.pointee.extradata_size)))
    } ?? []
  }
}

/// A caller's description of coded samples: 0 for a property that doesn't apply to them.
package struct CodedFormat: Sendable, Hashable {
  /// FFmpeg's name of the codec.
  package var codec: String
  /// The decoder configuration in FFmpeg's form: for H.264 the payload of `avcC`.
  package var extradata: [UInt8] = []
  package var width = 0
  package var height = 0
  package var sampleRate = 0
  package var channels = 0
  package var initialPadding = 0

  package init(codec: String) { self.codec = codec }
}

extension CodecParameters {
  /// Returns libavformat's number of a four-character code: the first character is its lowest byte.
  package static func tag(_ code: String) -> UInt32 {
    code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the same parameters with another decoder configuration, and optionally another encoder
  /// delay.
  ///
  /// - Parameter codecTag: the container's four-character code.
  package func replacing(
    extradata: [UInt8], initialPadding: Int? = nil, reorderDepth: Int? = nil,
    codecTag: String? = nil
  ) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    unsafe av_freep(&copy.pointer.pointee.extradata)
    unsafe copy.pointer.pointee.extradata_size = 0
    // Some decoders take a pointer that isn't nil for a sign that there is extradata.
    if !extradata.isEmpty {
      guard
        let memory = unsafe av_mallocz(extradata.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
      else { throw outOfMemory("parameters") }
      unsafe memory.copyMemory(from: extradata, byteCount: extradata.count)
      unsafe copy.pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
      unsafe copy.pointer.pointee.extradata_size = Int32(clamping: extradata.count)
    }
    if let codecTag {
      unsafe copy.pointer.pointee.codec_tag = Self.tag(codecTag)
    }
    if let reorderDepth {
      unsafe copy.pointer.pointee.video_delay = Int32(clamping: reorderDepth)
    }
    if let initialPadding {
      unsafe copy.pointer.pointee.initial_padding = Int32(clamping: initialPadding)
    }
    return copy
  }
}
