/// The text encodings of ID3v2, by the byte before a text.
enum ID3Encoding: UInt8 {
  case latin1 = 0
  /// With a byte order mark.
  case utf16 = 1
  /// Big-endian.
  case utf16BE = 2
  case utf8 = 3

  /// Creates the encoding for some texts in a version of the tag: the simplest one that has all of
  /// their characters.
  init(for texts: [String], version: Int) {
    let isASCII = texts.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }
    self = isASCII ? .latin1 : version == 4 ? .utf8 : .utf16
  }

  private var isWide: Bool { self == .utf16 || self == .utf16BE }

  /// The bytes between two texts.
  var separator: [UInt8] { isWide ? [0, 0] : [0] }

  func encode(_ text: String) -> [UInt8] {
    switch self {
    case .latin1:
      return text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    case .utf8: return Array(text.utf8)
    case .utf16:
      var bytes: [UInt8] = [0xFF, 0xFE]
      for unit in text.utf16 { bytes.append(littleEndian: unit) }
      return bytes
    case .utf16BE:
      var bytes: [UInt8] = []
      for unit in text.utf16 { bytes.append(bigEndian: unit) }
      return bytes
    }
  }

  /// Returns texts with separators between them. An empty text at the end is ignored.
  func texts(_ bytes: ByteView) -> [String] {
    var texts: [String] = []
    var rest = bytes
    var isLittleEndian = false
    while let (part, next) = split(rest) {
      texts.append(decode(part, &isLittleEndian))
      rest = next
    }
    texts.append(decode(rest, &isLittleEndian))
    while texts.count > 1, texts.last?.isEmpty == true { texts.removeLast() }
    return texts
  }

  /// Returns the bytes up to the first separator, and those after it; nil without one.
  func split(_ bytes: ByteView) -> (ByteView, ByteView)? {
    guard isWide else {
      let part = bytes.untilZero
      guard part.count < bytes.count else { return nil }
      return (part, bytes.slice(from: part.count + 1))
    }
    var place = 0
    while let unit = bytes.uint16(at: place) {
      if unit == 0 { return (bytes.slice(from: 0, count: place), bytes.slice(from: place + 2)) }
      place += 2
    }
    return nil
  }

  func decode(_ bytes: ByteView) -> String {
    var isLittleEndian = false
    return decode(bytes, &isLittleEndian)
  }

  /// - Parameter isLittleEndian: the byte order of UTF-16, by the last mark; further values may
  ///   have none.
  private func decode(_ bytes: ByteView, _ isLittleEndian: inout Bool) -> String {
    switch self {
    case .latin1: return bytes.latin1
    case .utf8: return bytes.tagText
    case .utf16, .utf16BE:
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      var place = 0
      while let unit = bytes.uint16(at: place) {
        place += 2
        if self == .utf16, place == 2, unit == 0xFFFE || unit == 0xFEFF {
          isLittleEndian = unit == 0xFFFE
        } else {
          units.append(self == .utf16 && isLittleEndian ? unit.byteSwapped : unit)
        }
      }
      return String(decoding: units, as: UTF16.self)
    }
  }
}

/// The scheme of ID3v2 that avoids bytes in a tag that look like the beginning of a frame of MPEG
/// audio.
enum Unsynchronisation {
  static func removed(from bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isAfterMark = false
    for byte in bytes {
      if isAfterMark, byte == 0 {
        isAfterMark = false
        continue
      }
      result.append(byte)
      isAfterMark = byte == 0xFF
    }
    return result
  }

  static func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if result.last == 0xFF, byte >= 0xE0 || byte == 0 { result.append(0) }
      result.append(byte)
    }
    if result.last == 0xFF { result.append(0) }
    return result
  }
}

/// Numbers with seven bits in each byte.
enum Synchsafe {
  static func decode(_ bytes: ByteView, at offset: Int) -> Int? {
    guard let value = bytes.uint32(at: offset), value & 0x8080_8080 == 0 else { return nil }
    return (0..<4).reduce(0) { $0 << 7 | Int(value >> (24 - 8 * $1) & 0x7F) }
  }

  static func encode(_ value: Int, bytes count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (7 * (count - 1 - $0)) & 0x7F) }
  }
}
