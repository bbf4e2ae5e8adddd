internal import CLibAV

extension Packet {
  /// True when the packet is made of whole open bitstream units (AV1 specification, sections 5.3 and 5.9.2).
  ///
  /// Muxers leave some of them out. That of movies takes the error of its parser for the size of the
  /// sample (movenc.c, `ff_av1_filter_obus`), and writes an index that is wrong from there on.
  package var holdsWholeOBUs: Bool {
    let bytes = unsafe UnsafeBufferPointer(start: pointer.pointee.data, count: size)
    var start = 0
    while start < bytes.count {
      let header = unsafe bytes[start]
      guard header & 0x80 == 0 else { return false }
      var position = start + (header & 0x04 == 0 ? 1 : 2)
      guard header & 0x02 != 0 else { return position <= bytes.count }
      // A number in little-endian groups of seven bits.
      var (size, shift, isMore) = (0, 0, true)
      while isMore {
        guard position < bytes.count, shift < 56 else { return false }
        let group = unsafe bytes[position]
        size |= Int(group & 0x7f) << shift
        isMore = group & 0x80 != 0
        position += 1
        shift += 7
      }
      guard size <= bytes.count - position else { return false }
      start = position + size
    }
    return true
  }
}
