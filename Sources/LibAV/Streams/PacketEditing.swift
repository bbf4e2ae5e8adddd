internal import CLibAV

/// The changes of packets for cutting and joining.
extension Packet {
  /// Returns a packet of other bytes with the same times, flags and side data.
  borrowing func replacing(_ bytes: [UInt8]) throws(LibAVError) -> Packet {
    let made = try Packet(bytes)
    try check(unsafe av_packet_copy_props(made.pointer, pointer), "copy", "packet")
    return made
  }

  /// Replaces the bytes; everything else is unchanged.
  package mutating func replaceBytes(_ bytes: [UInt8]) throws(LibAVError) {
    let made = try replacing(bytes)
    unsafe av_packet_unref(pointer)
    unsafe av_packet_move_ref(pointer, made.pointer)
  }

  /// Makes the packet a sync sample with a copy of these bytes, without times.
  package mutating func fill(_ bytes: RawSpan) throws(LibAVError) {
    clear()
    try check(
      unsafe av_new_packet(pointer, Int32(clamping: bytes.byteCount)), "allocate", "packet")
    unsafe bytes.withUnsafeBytes { source in
      if let data = unsafe pointer.pointee.data, let start = source.baseAddress {
        unsafe UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: source.count)
      }
    }
    setKey(true)
  }

  /// Removes bytes at both ends, at most all of them.
  package mutating func cut(front: Int, back: Int) {
    let front = min(max(0, front), size)
    let back = min(max(0, back), size - front)
    if let data = unsafe pointer.pointee.data { unsafe pointer.pointee.data = data + front }
    unsafe pointer.pointee.size -= Int32(clamping: front + back)
  }

  package func setKey(_ isKey: Bool) {
    unsafe pointer.pointee.flags &= ~AV_PKT_FLAG_KEY
    if isKey { unsafe pointer.pointee.flags |= AV_PKT_FLAG_KEY }
  }

  /// Marks that no other sample refers to it, or removes the mark.
  package func setDisposable(_ isDisposable: Bool) {
    unsafe pointer.pointee.flags &= ~AV_PKT_FLAG_DISPOSABLE
    if isDisposable { unsafe pointer.pointee.flags |= AV_PKT_FLAG_DISPOSABLE }
  }

  /// FFmpeg's side data: samples to drop, alpha, another configuration …
  package var sideData: [SideData] {
    unsafe (0..<Int(max(0, pointer.pointee.side_data_elems))).map { index in
      let data = unsafe pointer.pointee.side_data[index]
      return unsafe SideData(
        type: Int32(bitPattern: data.type.rawValue),
        bytes: Array(UnsafeBufferPointer(start: data.data, count: Int(data.size))))
    }
  }

  /// Adds side data.
  package mutating func add(_ data: SideData) throws(LibAVError) {
    let type = AVPacketSideDataType(UInt32(bitPattern: data.type))
    guard let place = unsafe av_packet_new_side_data(pointer, type, data.bytes.count) else {
      throw outOfMemory("packet")
    }
    unsafe place.update(from: data.bytes, count: data.bytes.count)
  }

  /// Sets the number of samples to drop after decoding, from the start and from the end.
  package mutating func setSkippedSamples(start: Int, end: Int) throws(LibAVError) {
    guard start > 0 || end > 0 || skippedSamples != nil else { return }
    guard
      // Replaces the entry if there is one.
      let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, 10)
    else { throw outOfMemory("packet") }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: data, count: 10)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe bytes.storeBytes(of: UInt32(clamping: start).littleEndian, as: UInt32.self)
    unsafe bytes.storeBytes(
      of: UInt32(clamping: end).littleEndian, toByteOffset: 4, as: UInt32.self)
  }
}
