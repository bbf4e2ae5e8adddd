import LibAV
import SystemIO

/// JPEGs of a device, which become frames of it. One thread uses it.
package final class CapturedJPEGs {
  private let frames: CapturedFrames
  private let bytes: BlockPool
  private var decoder: Decoder
  private var converter = PictureConverter()
  private var packet: Packet
  private var decoded: Frame

  /// - Parameter maximumSize: of a JPEG, in bytes.
  /// - Throws: `decoderNotFound`, `outOfMemory`.
  package init(_ frames: CapturedFrames, maximumSize: Int) throws(EngineError) {
    self.frames = frames
    bytes = BlockPool(size: maximumSize)
    var coded = CodedFormat(codec: "mjpeg")
    (coded.width, coded.height) = (frames.layout.width, frames.layout.height)
    decoder = try mapErrors(.decode) { () throws(LibAVError) in
      try Decoder(try MediaFormat(coded), timeBase: TimeBase(1, 90_000))
    }
    packet = try mapErrors(.decode) { () throws(LibAVError) in try Packet() }
    decoded = try mapErrors(.decode) { () throws(LibAVError) in try Frame() }
  }

  /// Memory for the bytes of a JPEG; nil where too many are in use.
  package func allocate(count: Int) -> Block? { try? bytes.allocate(count: count) }

  /// The frame that a JPEG is; nil of one that is damaged, and where there is no memory.
  package func frame(of jpeg: Block) -> Block? {
    let before = decoder.complaints.damage
    let isDecoded = (try? decode(jpeg)) ?? false
    defer { decoded.clear() }
    // A decoder makes something up for what is missing, which is no picture of the device.
    guard isDecoded, decoder.complaints.damage == before, !decoded.isCorrupt,
      decoded.width == frames.layout.width, decoded.height == frames.layout.height
    else { return nil }
    return try? converter.convert(
      decoded, to: frames.layout, color: PictureColor.jpeg, allocator: frames.pool
    ).block
  }

  /// - Returns: false where there is no frame in it.
  private func decode(_ jpeg: Block) throws(LibAVError) -> Bool {
    guard let guarded = jpeg.withBytes({ Self.guarded($0) }) else { return false }
    try packet.fill(unsafe guarded.span.bytes)
    defer { packet.clear() }
    try decoder.send(packet)
    guard case .frame = try decoder.receive(into: &decoded) else { return false }
    // The decoder takes no more before it is empty.
    var next = try Frame()
    while case .frame = try decoder.receive(into: &next) {}
    return true
  }

  /// The bytes of a JPEG for a decoder that reports if any is missing.
  ///
  /// libavcodec looks for the end of the data before each block of pixels, and not after the last one. So what follows
  /// the data is a code that no JPEG has: of 1s alone (ITU-T T.81, annex C).
  ///
  /// - Returns: nil where there is no picture in it at all.
  static func guarded(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard var place = scan(in: bytes) else { return nil }
    while place + 1 < bytes.count, bytes[place] != 0xFF || bytes[place + 1] != 0xD9 { place += 1 }
    let end = place + 1 < bytes.count ? place : bytes.count
    var result = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0.prefix(end)) }
    for _ in 0..<4 { result += [0xFF, 0x00] }
    return result + [0xFF, 0xD9]
  }

  /// The place after the header of the first scan; nil where there is none.
  private static func scan(in bytes: Span<UInt8>) -> Int? {
    var place = 2
    while place + 4 <= bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      // Markers may be filled up in front.
      if marker == 0xFF {
        place += 1
        continue
      }
      place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      if marker == 0xDA { return place < bytes.count ? place : nil }
    }
    return nil
  }
}
