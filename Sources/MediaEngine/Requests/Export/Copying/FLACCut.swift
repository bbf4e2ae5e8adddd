import LibAV

/// Cuts packets of FLAC, each of which is independent: the remainder of a packet is re-encoded
/// without loss.
struct FLACCut: ~Copyable {
  private let path: String
  private var decoder: Decoder

  /// nil if the encoder can't write the stream's format.
  init?(_ media: StoredTrack) throws(EngineError) {
    let parameters = media.stream.parameters
    guard parameters.codecName == "flac", [16, 24].contains(parameters.bitsPerRawSample),
      Encoder.isAvailable("flac"), parameters.hasDecoder
    else { return nil }
    path = media.path
    let described = media.stream
    decoder = try mapErrors(.decode, path: media.path) { () throws(LibAVError) in
      try Decoder(stream: described)
    }
  }

  /// Reduces a packet to some of its samples; returns their number.
  mutating func cut(
    _ packet: inout Packet, from first: Int, upTo end: Int
  ) throws(EngineError) -> Int {
    var frame = try mapErrors(.decode, path: path, Frame.init)
    try mapErrors(.decode, path: path) { () throws(LibAVError) in
      decoder.flush()
      try decoder.send(packet)
      if try decoder.receive(into: &frame) == .needsInput {
        try decoder.drain()
        _ = try decoder.receive(into: &frame)
        decoder.flush()
      }
    }
    let whole = frame.sampleCount
    let count = max(0, min(whole, end) - first)
    guard count > 0, count < whole else { return count }
    try mapErrors(.decode, path: path) { () throws(LibAVError) in
      try frame.cutSamples(front: first, back: whole - first - count)
    }
    frame.setPTS(0)
    let bytes = try encode(frame)
    try mapErrors(.encode, path: path) { () throws(LibAVError) in try packet.replaceBytes(bytes) }
    return count
  }

  private func encode(_ frame: borrowing Frame) throws(EngineError) -> [UInt8] {
    var settings = Encoder.Settings(name: "flac", media: .audio(frame.audioLayout))
    // One packet of any length.
    settings.options = ["frame_size": String(max(16, frame.sampleCount))]
    settings.threads = 1
    let made = settings
    var packet = try mapErrors(.encode, path: path, Packet.init)
    try mapErrors(.encode, path: path) { () throws(LibAVError) in
      var encoder = try Encoder(made)
      try encoder.send(frame)
      try encoder.finish()
      guard try encoder.receive(into: &packet) else {
        throw LibAVError(.unknown, operation: "encode", subject: "flac", log: [])
      }
    }
    return packet.bytes
  }

  /// Returns the STREAMINFO of a part: with its number of samples, and without a digest of all of
  /// them.
  static func streamInformation(_ extradata: [UInt8], samples: Int64) -> [UInt8] {
    guard extradata.count >= 34 else { return extradata }
    var bytes = extradata
    let total = samples > 0 && samples < 1 << 36 ? UInt64(samples) : 0
    bytes[13] = bytes[13] & 0xf0 | UInt8(total >> 32 & 0xf)
    for place in 0..<4 { bytes[14 + place] = UInt8(total >> UInt64(24 - 8 * place) & 0xff) }
    for place in 18..<34 { bytes[place] = 0 }
    return bytes
  }

  /// Returns a frame with the number of its first sample. In a file of frames alone, only these
  /// numbers state their positions, and they must be consistent although the first frame is shorter
  /// (RFC 9639, section 9.1).
  static func numbered(_ frame: [UInt8], from sample: UInt64) -> [UInt8]? {
    guard frame.count > 8, frame[0] == 0xff, frame[1] & 0xfc == 0xf8 else { return nil }
    let priming = frame[4].leadingOneCount
    let oldCount = priming == 0 ? 1 : priming
    guard oldCount != 0, priming != 1, priming < 8 else { return nil }
    let sizeBytes = [6: 1, 7: 2][Int(frame[2] >> 4)] ?? 0
    let rateBytes = [12: 1, 13: 2, 14: 2][Int(frame[2] & 15)] ?? 0
    let end = 4 + oldCount + sizeBytes + rateBytes
    guard frame.count > end + 3, Checksum.crc8(frame[..<end]) == frame[end] else { return nil }
    var bytes = [frame[0], frame[1] | 1, frame[2], frame[3]] + codedNumber(sample)
    bytes += frame[(4 + oldCount)..<end]
    bytes.append(Checksum.crc8(bytes))
    bytes += frame[(end + 1)..<(frame.count - 2)]
    let check = Checksum.crc16(bytes)
    return bytes + [UInt8(check >> 8), UInt8(check & 0xff)]
  }

  /// Returns the number in UTF-8's form, up to 36 bits.
  private static func codedNumber(_ number: UInt64) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    var count = 2
    while count < 7, number >= 1 << UInt64(5 * count + 1) { count += 1 }
    let priming = UInt8(truncatingIfNeeded: 0xff00 >> count)
    var bytes = [priming | UInt8(truncatingIfNeeded: number >> UInt64(6 * (count - 1)))]
    for place in (0..<(count - 1)).reversed() {
      bytes.append(0x80 | UInt8(number >> UInt64(6 * place) & 0x3f))
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var leadingOneCount: Int { (~self).leadingZeroBitCount }
}
