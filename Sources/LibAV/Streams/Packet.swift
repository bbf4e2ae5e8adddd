internal import CLibAV

/// One compressed sample as the container stores it (an `AVPacket`).
@safe package struct Packet: ~Copyable {
  let pointer: UnsafeMutablePointer<AVPacket>

  package init() throws(LibAVError) {
    guard let pointer = unsafe av_packet_alloc() else { throw outOfMemory("packet") }
    unsafe self.pointer = pointer
  }

  /// Creates a sync sample of these bytes.
  package init(_ bytes: [UInt8]) throws(LibAVError) {
    guard let pointer = unsafe av_packet_alloc() else { throw outOfMemory("packet") }
    guard unsafe av_new_packet(pointer, Int32(clamping: bytes.count)) == 0 else {
      var failed: UnsafeMutablePointer<AVPacket>? = unsafe pointer
      unsafe av_packet_free(&failed)
      throw outOfMemory("packet")
    }
    unsafe pointer.pointee.data.update(from: bytes, count: bytes.count)
    unsafe pointer.pointee.flags |= AV_PKT_FLAG_KEY
    unsafe self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = unsafe self.pointer
    unsafe av_packet_free(&pointer)
  }

  package var streamIndex: Int {
    get { unsafe Int(pointer.pointee.stream_index) }
    nonmutating set { unsafe pointer.pointee.stream_index = Int32(clamping: newValue) }
  }
  /// The presentation time in the stream's time base; nil if the container has none.
  package var pts: Int64? {
    get { timestamp(unsafe pointer.pointee.pts) }
    nonmutating set { unsafe pointer.pointee.pts = newValue ?? rw_no_timestamp }
  }
  package var dts: Int64? {
    get { timestamp(unsafe pointer.pointee.dts) }
    nonmutating set { unsafe pointer.pointee.dts = newValue ?? rw_no_timestamp }
  }
  /// The duration in the stream's time base, 0 when unknown.
  package var duration: Int64 {
    get { unsafe max(0, pointer.pointee.duration) }
    nonmutating set { unsafe pointer.pointee.duration = newValue }
  }
  /// Sets the duration to the distance from the decode time to that of the next packet of its
  /// track, if both times are known.
  package func last(until next: borrowing Packet) {
    guard let dts, let nextDTS = next.dts, nextDTS > dts else { return }
    duration = nextDTS - dts
  }
  /// The size in bytes.
  package var size: Int { unsafe Int(max(0, pointer.pointee.size)) }
  /// The byte offset in the file, nil when unknown.
  package var position: Int64? { unsafe pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }
  package var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// True if no other sample refers to it, according to the container.
  package var isDisposable: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISPOSABLE != 0 }
  /// True for a sample to be decoded but not shown: it is before the start of an edit.
  package var isDiscarded: Bool {
    get { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    nonmutating set {
      unsafe pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
      if newValue { unsafe pointer.pointee.flags |= AV_PKT_FLAG_DISCARD }
    }
  }

  /// The number of samples to drop after decoding, from the start and from the end (encoder delay
  /// and padding).
  package var skippedSamples: (start: Int, end: Int)? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size),
      size >= 10
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: 10)
    let start = unsafe UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    let end = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    return (Int(start), Int(end))
  }

  /// The identifier of a cue of WebVTT; nil for one without any.
  package var cueIdentifier: String? { sideText(AV_PKT_DATA_WEBVTT_IDENTIFIER) }
  /// The settings of a cue of WebVTT, such as its place in the picture; nil for one without any.
  package var cueSettings: String? { sideText(AV_PKT_DATA_WEBVTT_SETTINGS) }

  private func sideText(_ type: AVPacketSideDataType) -> String? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(pointer, type, &size), size > 0
    else { return nil }
    return unsafe String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  }

  /// The decoder's configuration from this packet on, where it changes.
  package var newConfiguration: [UInt8]? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
    else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: data, count: size))
  }

  /// Calls `body` with the bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = unsafe UnsafeRawBufferPointer(start: pointer.pointee.data, count: size)
    return try body(unsafe buffer.bytes)
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: pointer.pointee.data, count: size))
  }

  /// Returns a copy of a range of the bytes, as far as they exist.
  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    let bytes = unsafe UnsafeBufferPointer(start: pointer.pointee.data, count: size)
    return unsafe Array(bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
  }

  package mutating func clear() { unsafe av_packet_unref(pointer) }

  /// Moves both times later.
  package mutating func shift(by ticks: Int64) {
    pts = pts.map { $0 &+ ticks }
    dts = dts.map { $0 &+ ticks }
  }

  /// Converts all times from one time base to another, rounding to nearest.
  package mutating func rescale(from source: TimeBase, to target: TimeBase) {
    unsafe av_packet_rescale_ts(pointer, source.rational, target.rational)
  }
}
