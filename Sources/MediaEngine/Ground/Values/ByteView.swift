/// A range of bytes in memory, read in big-endian order at any offset: nil beyond the range.
struct ByteView: Sendable, Hashable {
  private let storage: [UInt8]
  private let range: Range<Int>

  init(_ bytes: [UInt8]) {
    storage = bytes
    range = bytes.indices
  }

  private init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    self.range = range
  }

  var count: Int { range.count }
  /// The offset of the range in the underlying bytes.
  var start: Int { range.lowerBound }
  var bytes: [UInt8] { Array(storage[range]) }

  /// Returns up to `count` bytes from `offset` on; without a count, all bytes from there on.
  func slice(from offset: Int, count: Int = .max) -> ByteView {
    let start = range.lowerBound + min(max(0, offset), self.count)
    let end = start + min(max(0, count), range.upperBound - start)
    return ByteView(storage, start..<end)
  }

  subscript(offset: Int) -> UInt8? {
    offset >= 0 && offset < count ? storage[range.lowerBound + offset] : nil
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer? {
    let size = Integer.bitWidth / 8
    guard offset >= 0, offset <= count - size else { return nil }
    var value: Integer = 0
    for index in 0..<size {
      value = (value << 8) | Integer(truncatingIfNeeded: storage[range.lowerBound + offset + index])
    }
    return value
  }

  func uint8(at offset: Int) -> UInt8? { self[offset] }
  func uint16(at offset: Int) -> UInt16? { integer(UInt16.self, at: offset) }
  func int16(at offset: Int) -> Int16? { integer(Int16.self, at: offset) }
  func uint32(at offset: Int) -> UInt32? { integer(UInt32.self, at: offset) }
  func int32(at offset: Int) -> Int32? { integer(Int32.self, at: offset) }
  func uint64(at offset: Int) -> UInt64? { integer(UInt64.self, at: offset) }
  func int64(at offset: Int) -> Int64? { integer(Int64.self, at: offset) }
  func littleEndian16(at offset: Int) -> UInt16? { uint16(at: offset)?.byteSwapped }
  func littleEndian32(at offset: Int) -> UInt32? { uint32(at: offset)?.byteSwapped }

  /// Returns a four-character code. Its bytes are Latin 1, which has © at QuickTime's code.
  func fourCC(at offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    var text = ""
    for index in 0..<4 {
      text.unicodeScalars.append(Unicode.Scalar(storage[range.lowerBound + offset + index]))
    }
    return text
  }

  /// Returns a 16.16 fixed-point number.
  func fixed16(at offset: Int) -> Double? { int32(at: offset).map { Double($0) / 65536 } }
  /// Returns an 8.8 fixed-point number.
  func fixed8(at offset: Int) -> Double? { int16(at: offset).map { Double($0) / 256 } }

  /// The bytes up to the first zero byte.
  var untilZero: ByteView {
    let end = storage[range].firstIndex(of: 0) ?? range.upperBound
    return ByteView(storage, range.lowerBound..<end)
  }

  /// The text after a length byte, limited to the existing bytes.
  var pascalString: ByteView { slice(from: 1, count: Int(self[0] ?? 0)) }

  func hasPrefix(_ prefix: [UInt8]) -> Bool { storage[range].starts(with: prefix) }

  static func == (a: ByteView, b: ByteView) -> Bool {
    a.storage[a.range] == b.storage[b.range]
  }

  func hash(into hasher: inout Hasher) { hasher.combine(storage[range]) }
}

/// The size and type at the beginning of a box.
struct BoxHeader {
  var type: String
  /// The size of the header: 8 or 16 bytes.
  var headerSize: Int64
  /// The size with the header; nil for a box that reaches to the end of its container.
  var size: Int64?

  /// nil if there is no header, or one with an invalid size.
  init?(_ bytes: ByteView) {
    guard let short = bytes.uint32(at: 0), let type = bytes.fourCC(at: 4) else { return nil }
    self.type = type
    switch short {
    case 0:
      headerSize = 8
      size = nil
    case 1:
      guard let long = bytes.uint64(at: 8), long >= 16 else { return nil }
      headerSize = 16
      // A size that no file offset can express is beyond every end.
      size = Int64(exactly: long) ?? .max
    case 2..<8: return nil
    default:
      headerSize = 8
      size = Int64(short)
    }
  }
}

/// A box whose payload is in memory.
struct MemoryBox: Sendable {
  var type: String
  var payload: ByteView
}

/// Consecutive boxes in memory. The last one ends with the bytes, regardless of its stated size; an
/// invalid size ends the list.
struct MemoryBoxes: Sequence, IteratorProtocol {
  private let bytes: ByteView
  private var offset = 0

  init(_ bytes: ByteView) { self.bytes = bytes }

  mutating func next() -> MemoryBox? {
    let rest = bytes.count - offset
    guard rest >= 8, let header = BoxHeader(bytes.slice(from: offset, count: 16)) else {
      return nil
    }
    let size = Int(Swift.min(header.size ?? Int64(rest), Int64(rest)))
    let headerSize = Int(header.headerSize)
    defer { offset += Swift.max(size, headerSize) }
    return MemoryBox(
      type: header.type,
      payload: bytes.slice(from: offset + headerSize, count: size - headerSize))
  }
}

extension ByteView {
  var boxes: MemoryBoxes { MemoryBoxes(self) }

  func firstBox(_ type: String) -> ByteView? { boxes.first { $0.type == type }?.payload }
}
