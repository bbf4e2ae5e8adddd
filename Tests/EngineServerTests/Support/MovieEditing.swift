import Testing

/// Changes in the tables of a movie that leave its samples where they are.
enum MovieEditing {
  /// Boxes that hold others and nothing else.
  private static let containers: Set = [
    "moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex", "edts",
  ]

  /// Calls `body` with each box's type and the place of its payload, those inside of others too.
  static func forEachBox(
    in bytes: [UInt8], _ range: Range<Int>? = nil, _ body: (String, Range<Int>) -> Void
  ) {
    let range = range ?? bytes.indices
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = Int(number(at: place, in: bytes))
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      guard size >= 8, place + size <= range.upperBound else { return }
      body(type, place + 8..<place + size)
      if containers.contains(type) { forEachBox(in: bytes, place + 8..<place + size, body) }
      place += size
    }
  }

  static func number(at place: Int, in bytes: [UInt8]) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The duration in the movie's header, in seconds (ISO/IEC 14496-12, 8.2.2); nil where there is
  /// none.
  static func duration(of bytes: [UInt8]) -> Double? {
    var duration: Double?
    forEachBox(in: bytes) { type, payload in
      guard type == "mvhd" else { return }
      let isLong = bytes[payload.lowerBound] == 1
      let place = payload.lowerBound + (isLong ? 20 : 12)
      var ticks = UInt64(number(at: place + 4, in: bytes))
      if isLong { ticks = ticks << 32 | UInt64(number(at: place + 8, in: bytes)) }
      duration = Double(ticks) / Double(number(at: place, in: bytes))
    }
    return duration
  }

  private static func write(_ value: UInt32, at place: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
    }
  }

  /// Renames all boxes of a type to a name which no reader knows.
  static func hiding(_ name: String, in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    forEachBox(in: bytes) { type, payload in
      if type == name {
        result.replaceSubrange(payload.lowerBound - 4..<payload.lowerBound, with: "free".utf8)
      }
    }
    return result
  }

  /// Calls other samples sync samples than those that are: each but the first moves on by `count`.
  static func shiftingSyncSamples(by count: UInt32, in bytes: [UInt8]) throws -> [UInt8] {
    var result = bytes
    var entries = 0
    forEachBox(in: bytes) { type, payload in
      guard type == "stss" else { return }
      entries = Int(number(at: payload.lowerBound + 4, in: bytes))
      for entry in 1..<max(1, entries) {
        let place = payload.lowerBound + 8 + 4 * entry
        write(number(at: place, in: bytes) + count, at: place, in: &result)
      }
    }
    try #require(entries > 1)
    return result
  }

  /// Calls the samples of some fragments sync samples (ISO/IEC 14496-12, 8.8.3.1).
  static func claimingSync(
    inFragments isChosen: (Int) -> Bool, of bytes: [UInt8]
  ) throws -> [UInt8] {
    var result = bytes
    var fragment = -1
    var changes = 0
    forEachBox(in: bytes) { type, payload in
      if type == "moof" { fragment += 1 }
      guard type == "tfhd" || type == "trun", isChosen(fragment) else { return }
      let flags = number(at: payload.lowerBound, in: bytes) & 0xFFFFFF
      var place = payload.lowerBound + 8
      if type == "tfhd" {
        if flags & 0x1 != 0 { place += 8 }
        for bit: UInt32 in [0x2, 0x8, 0x10] where flags & bit != 0 { place += 4 }
        guard flags & 0x20 != 0 else { return }
        write(0, at: place, in: &result)
        changes += 1
        return
      }
      if flags & 0x1 != 0 { place += 4 }
      if flags & 0x4 != 0 {
        write(0, at: place, in: &result)
        changes += 1
        place += 4
      }
      for _ in 0..<number(at: payload.lowerBound + 4, in: bytes) {
        for bit: UInt32 in [0x100, 0x200, 0x400, 0x800] where flags & bit != 0 {
          if bit == 0x400 {
            write(0, at: place, in: &result)
            changes += 1
          }
          place += 4
        }
      }
    }
    try #require(changes > 0)
    return result
  }
}
