/// Video object planes of MPEG-4 without coded data (ISO/IEC 14496-2, 6.2.5, `vop_coded`): the
/// previous frame remains on screen, and a decoder returns no frame.
struct MPEG4Objects {
  /// The number of bits of a plane's time increment; nil before the first object layer.
  private var incrementBits: Int?

  init(_ extradata: [UInt8]) { read(extradata) { _, _ in false } }

  /// Returns true for a sample whose first plane isn't coded.
  mutating func isUncoded(_ bytes: [UInt8]) -> Bool {
    var isUncoded = false
    read(bytes) { planes, bits in
      isUncoded = bits.map { !MPEG4Objects.isCoded(planes, incrementBits: $0) } ?? false
      return true
    }
    return isUncoded
  }

  /// Reads object layers, and calls `plane` with the bytes after a plane's start code, until it
  /// returns true.
  private mutating func read(_ bytes: [UInt8], plane: (ArraySlice<UInt8>, Int?) -> Bool) {
    var place = 0
    while place + 3 < bytes.count {
      guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
        place += 1
        continue
      }
      let (code, rest) = (bytes[place + 3], bytes[(place + 4)...])
      if (0x20...0x2f).contains(code) { incrementBits = MPEG4Objects.incrementBits(rest) }
      if code == 0xb6, plane(rest, incrementBits) { return }
      place += 4
    }
  }

  /// Reads 6.2.3, the object layer up to `vop_time_increment_resolution`.
  private static func incrementBits(_ layer: ArraySlice<UInt8>) -> Int? {
    var reader = BitReader(Array(layer.prefix(64)))
    guard reader.read(9) != nil, let isIdentified = reader.read(1),
      isIdentified == 0 || reader.read(7) != nil, let aspect = reader.read(4),
      aspect != 15 || reader.read(16) != nil, let hasControl = reader.read(1)
    else { return nil }
    if hasControl == 1 {
      guard reader.read(3) != nil, let hasBuffer = reader.read(1) else { return nil }
      if hasBuffer == 1 {
        for count in [16, 16, 16, 15, 16] where reader.read(count) == nil { return nil }
      }
    }
    guard let shape = reader.read(2), shape == 0, reader.read(1) != nil,
      let resolution = reader.read(16), resolution > 0
    else { return nil }
    return max(1, 32 - (resolution - 1).leadingZeroBitCount)
  }

  private static func isCoded(_ plane: ArraySlice<UInt8>, incrementBits: Int) -> Bool {
    var reader = BitReader(Array(plane.prefix(32)))
    guard reader.read(2) != nil else { return true }
    while let second = reader.read(1), second == 1 {}
    guard reader.read(1) != nil, reader.read(incrementBits) != nil, reader.read(1) != nil,
      let isCoded = reader.read(1)
    else { return true }
    return isCoded == 1
  }
}
