import LibAV
import SystemIO

/// JPEGs of a device, which are decoded to frames. Used by one thread.
package final class CapturedJPEGs {
  private let frames: CapturedFrames
  private let bytes: BlockPool
  private var decoder: Decoder
  private var converter = PictureConverter()
  private var packet: Packet
  private var decoded: Frame

  /// Creates a decoder of JPEGs to frames.
  ///
  /// - Parameter maximumSize: the maximum size of a JPEG, in bytes.
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

  /// Returns memory for the bytes of a JPEG; nil where too many are in use.
  package func allocate(count: Int) -> Block? { try? bytes.allocate(count: count) }

  /// Returns the decoded frame of a JPEG; nil for a damaged one, and where there is no memory.
  package func frame(of jpeg: Block) -> Block? {
    let before = decoder.errorCounts.damage
    let isDecoded = (try? decode(jpeg)) ?? false
    defer { decoded.clear() }
    // A decoder conceals missing data, and the result is no frame of the device.
    guard isDecoded, decoder.errorCounts.damage == before, !decoded.isCorrupt,
      decoded.width == frames.layout.width, decoded.height == frames.layout.height
    else { return nil }
    return try? converter.convert(
      decoded, to: frames.layout, color: PictureColor.jpeg, allocator: frames.pool
    ).block
  }

  /// - Returns: false where the JPEG has no frame.
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

  /// Returns the bytes of a JPEG for a decoder that reports if any is missing.
  ///
  /// libavcodec looks for the end of the data before each block of pixels, and not after the last one. So the data is
  /// followed by a code that no JPEG has: of 1s alone (ITU-T T.81, annex C).
  ///
  /// - Returns: nil for bytes without an image.
  static func guarded(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard var place = scan(in: bytes) else { return nil }
    while place + 1 < bytes.count, bytes[place] != 0xFF || bytes[place + 1] != 0xD9 { place += 1 }
    let end = place + 1 < bytes.count ? place : bytes.count
    var result = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0.prefix(end)) }
    for _ in 0..<4 { result += [0xFF, 0x00] }
    return result + [0xFF, 0xD9]
  }

  /// Returns the place after the header of the first scan; nil where there is none.
  private static func scan(in bytes: Span<UInt8>) -> Int? {
    var place = 2
    while place + 4 <= bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      // Markers may be preceded by fill bytes.
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
