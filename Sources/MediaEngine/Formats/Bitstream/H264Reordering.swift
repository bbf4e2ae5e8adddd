/// The number of frames that a decoder delays to reorder them, in H.264's sequence parameter sets
/// (Rec. ITU-T H.264, section 7.3.2.1.1 and Annex E).
struct H264Reordering {
  /// max_num_reorder_frames and max_dec_frame_buffering; nil if the set doesn't have them.
  private(set) var depth: UInt32?
  private(set) var buffering: UInt32?
  private let payload: [UInt8]
  /// The position of the two numbers, in bits.
  private var place = 0

  init?(_ unit: [UInt8]) {
    payload = withoutEmulationPrevention(unit)
    guard payload.count > 4, payload[0] & 0x1f == 7 else { return nil }
    var reader = BitReader(payload)
    guard reader.read(8) != nil, let profile = reader.read(8), reader.read(16) != nil,
      readSPS(&reader, profile: profile), let hasUsability = reader.readFlag()
    else { return nil }
    if hasUsability, !readVUI(&reader) { return nil }
  }

  private func readSPS(_ reader: inout BitReader, profile: UInt32) -> Bool {
    guard reader.readUE() != nil else { return false }
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
      guard let chroma = reader.readUE(), chroma != 3 || reader.readFlag() != nil,
        reader.skipUE(2), reader.readFlag() != nil, let hasMatrices = reader.readFlag()
      else { return false }
      if hasMatrices, !skipScalingLists(&reader, chroma == 3 ? 12 : 8) { return false }
    }
    guard reader.skipUE(1), let order = reader.readUE() else { return false }
    switch order {
    case 0: guard reader.skipUE(1) else { return false }
    case 1:
      guard reader.readFlag() != nil, reader.skipUE(2), let count = reader.readUE(), count < 256,
        reader.skipUE(Int(count))
      else { return false }
    default: break
    }
    guard reader.skipUE(1), reader.readFlag() != nil, reader.skipUE(2),
      let isFramesOnly = reader.readFlag(), isFramesOnly || reader.readFlag() != nil,
      reader.readFlag() != nil, let isCropped = reader.readFlag(),
      reader.skipUE(isCropped ? 4 : 0)
    else { return false }
    return true
  }

  private func skipScalingLists(_ reader: inout BitReader, _ count: Int) -> Bool {
    for list in 0..<count {
      guard let isThere = reader.readFlag() else { return false }
      guard isThere else { continue }
      var (last, next) = (8, 8)
      for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
        guard let delta = reader.readSE() else { return false }
        next = (last + Int(delta) + 256) & 255
        last = next == 0 ? last : next
      }
    }
    return true
  }

  private mutating func readVUI(_ reader: inout BitReader) -> Bool {
    guard let hasRatio = reader.readFlag() else { return false }
    if hasRatio {
      guard let ratio = reader.read(8), ratio != 255 || reader.read(32) != nil else {
        return false
      }
    }
    guard let hasOverscan = reader.readFlag(), !hasOverscan || reader.readFlag() != nil,
      let hasSignal = reader.readFlag()
    else { return false }
    if hasSignal {
      guard reader.read(4) != nil, let hasColor = reader.readFlag(),
        !hasColor || reader.read(24) != nil
      else { return false }
    }
    guard let hasChromaPlace = reader.readFlag(), reader.skipUE(hasChromaPlace ? 2 : 0),
      let hasTiming = reader.readFlag(), !hasTiming || reader.skip(65)
    else { return false }
    var hasBuffer = false
    for _ in 0..<2 {
      guard let isThere = reader.readFlag() else { return false }
      if isThere, !skipHRD(&reader) { return false }
      hasBuffer = hasBuffer || isThere
    }
    guard !hasBuffer || reader.readFlag() != nil, reader.readFlag() != nil,
      let isRestricted = reader.readFlag()
    else { return false }
    guard isRestricted else { return true }
    guard reader.readFlag() != nil, reader.skipUE(4) else { return false }
    place = reader.position
    depth = reader.readUE()
    buffering = reader.readUE()
    return buffering != nil
  }

  private func skipHRD(_ reader: inout BitReader) -> Bool {
    guard let count = reader.readUE(), count < 32, reader.read(8) != nil else { return false }
    for _ in 0...count {
      guard reader.skipUE(2), reader.readFlag() != nil else { return false }
    }
    return reader.read(20) != nil
  }

  /// Returns the set with another depth; nil if it has none. The two numbers are the last ones in
  /// the set.
  func setting(depth: UInt32) -> [UInt8]? {
    guard let buffering else { return nil }
    var reader = BitReader(payload)
    var writer = BitWriter()
    writer.copy(place, from: &reader)
    writer.writeUE(depth)
    writer.writeUE(max(buffering, depth))
    writer.align()
    return withEmulationPrevention(writer.bytes)
  }
}

extension BitReader {
  fileprivate mutating func skip(_ count: Int) -> Bool {
    for _ in 0..<count where readFlag() == nil { return false }
    return true
  }

  /// Reads a signed number in Exp-Golomb code.
  mutating func readSE() -> Int32? {
    readUE().map { $0 & 1 == 1 ? Int32(clamping: ($0 >> 1) + 1) : -Int32(clamping: $0 >> 1) }
  }

  /// Skips numbers in Exp-Golomb code, signed or not.
  mutating func skipUE(_ count: Int) -> Bool {
    for _ in 0..<count where readUE() == nil { return false }
    return true
  }
}
