internal import CLibAV

/// One decoded video frame or block of audio (an `AVFrame`).
@safe package struct Frame: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFrame>

  package init() throws(LibAVError) {
    guard let pointer = unsafe av_frame_alloc() else { throw outOfMemory("frame") }
    unsafe self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = unsafe self.pointer
    unsafe av_frame_free(&pointer)
  }

  /// The presentation time that the decoder determined, in the stream's time base.
  package var pts: Int64? {
    let best = timestamp(unsafe pointer.pointee.best_effort_timestamp)
    return best ?? timestamp(unsafe pointer.pointee.pts)
  }
  /// The presentation time of the packet that the frame was decoded from, as the decoder received
  /// it.
  package var packetPTS: Int64? { timestamp(unsafe pointer.pointee.pts) }
  package func setPTS(_ value: Int64?) {
    unsafe pointer.pointee.pts = value ?? rw_no_timestamp
    unsafe pointer.pointee.best_effort_timestamp = value ?? rw_no_timestamp
  }
  /// Leaves the choice of the picture type to an encoder, which would else code the frame as I, P
  /// or B as it was in the source.
  package func resetPictureType() { unsafe pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE }
  /// Has an encoder make a sync sample of the frame.
  package func requireSync() { unsafe pointer.pointee.pict_type = AV_PICTURE_TYPE_I }
  /// Has an encoder refer to no later frame from this one, nor from those before it.
  package func requireNoBackwardReference() {
    unsafe pointer.pointee.pict_type = AV_PICTURE_TYPE_P
  }
  /// The duration in the stream's time base, 0 when unknown.
  package var duration: Int64 { unsafe max(0, rw_frame_duration(pointer)) }
  /// True if the frame is damaged, or was decoded without the frames it refers to.
  package var isCorrupt: Bool {
    unsafe pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || hasDecodeErrors
  }
  /// True if parts of the frame couldn't be decoded.
  package var hasDecodeErrors: Bool { unsafe pointer.pointee.decode_error_flags != 0 }

  package var width: Int { unsafe Int(pointer.pointee.width) }
  package var height: Int { unsafe Int(pointer.pointee.height) }
  package var pixelFormat: PixelFormat { PixelFormat(rawValue: unsafe pointer.pointee.format) }
  package var sampleAspectRatio: Rational {
    unsafe Rational(pointer.pointee.sample_aspect_ratio)
  }
  package var color: ColorDescription {
    unsafe ColorDescription(
      primaries: pointer.pointee.color_primaries, transfer: pointer.pointee.color_trc,
      matrix: pointer.pointee.colorspace, range: pointer.pointee.color_range,
      chromaLocation: pointer.pointee.chroma_location)
  }

  /// Sets the colour description; the samples stay as they are.
  package func setColor(_ color: ColorDescription) {
    let codes = color.codes
    unsafe pointer.pointee.color_primaries = codes.primaries
    unsafe pointer.pointee.color_trc = codes.transfer
    unsafe pointer.pointee.colorspace = codes.matrix
    unsafe pointer.pointee.color_range = codes.range
    unsafe pointer.pointee.chroma_location = codes.chromaLocation
  }

  /// The number of audio samples per channel.
  package var sampleCount: Int { unsafe Int(max(0, pointer.pointee.nb_samples)) }
  package var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }
  package var channelCount: Int { unsafe Int(pointer.pointee.ch_layout.nb_channels) }
  package var sampleFormat: SampleFormat { SampleFormat(rawValue: unsafe pointer.pointee.format) }
  package var channelLayout: ChannelLayout { unsafe ChannelLayout(pointer.pointee.ch_layout) }

  /// The memory of the samples, in bytes.
  package var byteCount: Int { unsafe rw_frame_memory(pointer) }

  package mutating func clear() { unsafe av_frame_unref(pointer) }
}
