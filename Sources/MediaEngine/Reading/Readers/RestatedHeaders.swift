import LibAV

/// The headers of MPEG-4 part 2 that a container stores once, before each sync sample again.
///
/// A damaged picture may change what libavcodec remembers of the headers (`time_increment_bits`, the types of tables),
/// and all pictures after it are wrong then, without an error, until a header is read again. With these a decoder that
/// has passed damage decodes sync samples as one does that begins there.
struct RestatedHeaders {
  private let bytes: [UInt8]

  /// - Returns: nil for other codecs, and where the container stores no headers.
  init?(_ format: MediaFormat) {
    let parameters = format.parameters
    guard parameters.codecName == "mpeg4", !parameters.extradata.isEmpty else { return nil }
    bytes = parameters.extradata
  }

  /// Puts the headers before a sync sample that begins with a picture or a group of pictures, and has none of its own.
  func restate(in packet: inout Packet) throws(LibAVError) {
    guard packet.isKey, packet.size > 4 else { return }
    let start = packet.bytes(at: 0, count: 4)
    // Start codes of group_of_vop and vop (ISO/IEC 14496-2, table 6-3).
    guard start == [0, 0, 1, 0xB3] || start == [0, 0, 1, 0xB6] else { return }
    try packet.replaceBytes(bytes + packet.bytes)
  }
}
