import LibAV
import Synchronization
import SystemIO

// Boxes as bytes.

func be<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
  (0..<Integer.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

func be32(_ value: Int) -> [UInt8] { be(UInt32(truncatingIfNeeded: value)) }
func be16(_ value: Int) -> [UInt8] { be(UInt16(truncatingIfNeeded: value)) }
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// The bytes of a four-character code.
func code(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
  let payload = parts.flatMap(\.self)
  return be32(payload.count + 8) + code(type) + payload
}

func fullBox(_ type: String, version: UInt8 = 0, flags: Int = 0, _ parts: [UInt8]...) -> [UInt8] {
  box(type, [version] + be32(flags).dropFirst(), parts.flatMap(\.self))
}

func mvhd(timescale: Int = 600, duration: Int = 1200, created: Int = 0) -> [UInt8] {
  fullBox(
    "mvhd",
    be32(created) + be32(0) + be32(timescale) + be32(duration) + be32(0x10000) + be16(0x100),
    zeros(10), zeros(36), zeros(24), be32(2))
}

func tkhd(id: Int = 1, flags: Int = 3, group: Int = 0, width: Int = 0, height: Int = 0) -> [UInt8] {
  fullBox(
    "tkhd", flags: flags, be32(0) + be32(0) + be32(id) + be32(0) + be32(1200), zeros(8),
    be16(-1) + be16(group) + be16(0x80) + be16(0), zeros(36),
    be32(width << 16 | 0x8000) + be32(height << 16))
}

/// The language is a packed one: 0x15C7 is "eng".
func mdhd(timescale: Int = 48000, duration: Int = 96000, language: Int = 0x15C7) -> [UInt8] {
  fullBox(
    "mdhd", be32(0) + be32(0) + be32(timescale) + be32(duration) + be16(language) + be16(0))
}

func hdlr(_ type: String, name: [UInt8] = [0], component: String = "\0\0\0\0") -> [UInt8] {
  fullBox("hdlr", code(component) + code(type), zeros(12), name)
}

func stsd(_ entries: [UInt8]..., count: Int? = nil) -> [UInt8] {
  fullBox("stsd", be32(count ?? entries.count), entries.flatMap(\.self))
}

func trak(
  id: Int = 1, handler: String = "soun", _ extra: [UInt8] = [], stsd table: [UInt8] = [],
  media: [UInt8] = []
) -> [UInt8] {
  box(
    "trak", tkhd(id: id), extra,
    box("mdia", mdhd(), hdlr(handler), media, box("minf", box("stbl", table))))
}

/// Bytes as a source.
final class BytesSource: ByteSource {
  let name = "bytes"
  let bytes: [UInt8]
  /// Claimed without being there.
  let claimedSize: Int64?
  init(_ bytes: [UInt8], claimedSize: Int64? = nil) {
    self.bytes = bytes
    self.claimedSize = claimedSize
  }

  var size: Int64 {
    get throws(SystemError) { claimedSize ?? Int64(bytes.count) }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < bytes.count else { return 0 }
    let part = bytes[Int(offset)..<min(bytes.count, Int(offset) + buffer.count)]
    unsafe buffer.copyBytes(from: part)
    return part.count
  }
}

/// Counts the bytes that are read of another source.
final class CountingSource: ByteSource {
  private let inner: any ByteSource
  private let counter = Counter()
  init(_ inner: any ByteSource) { self.inner = inner }

  var name: String { inner.name }
  var bytesRead: Int { counter.value }
  var size: Int64 {
    get throws(SystemError) { try inner.size }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let count = try unsafe inner.read(into: buffer, at: offset, interrupt: interrupt)
    counter.add(count)
    return count
  }
}

/// A number that a source can count with.
final class Counter: Sendable {
  private let storage = Atomic<Int>(0)
  var value: Int { storage.load(ordering: .relaxed) }
  func add(_ count: Int) { storage.add(count, ordering: .relaxed) }
}
