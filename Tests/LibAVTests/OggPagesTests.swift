import Foundation
import SystemIO
import Testing

@testable import LibAV

/// The starts of an Ogg file's links, by its pages alone.
struct OggPagesTests {
  private enum Kind: UInt8 { case inner = 0, first = 2, last = 4, only = 6 }

  /// A page as RFC 3533 has it, with its checksum.
  private func page(_ kind: Kind, _ serial: UInt32, _ granule: Int64, size: Int = 40) -> [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
    var bytes = Array("OggS".utf8) + [0, kind.rawValue]
    bytes += number(UInt64(bitPattern: granule), 8) + number(UInt64(serial), 4) + number(0, 8)
    bytes += [UInt8(size / 255 + 1)] + Array(repeating: 255, count: size / 255)
    bytes += [UInt8(size % 255)] + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var sum: UInt32 = 0
    for byte in bytes {
      for bit in (0..<8).reversed() {
        let carry = sum >> 31 ^ UInt32(byte >> UInt8(bit) & 1)
        sum = sum << 1 ^ (carry == 1 ? 0x04C1_1DB7 : 0)
      }
    }
    bytes.replaceSubrange(22..<26, with: number(UInt64(sum), 4))
    return bytes
  }

  private func links(_ bytes: [UInt8]) throws -> [Range<Int64>] {
    try OggPages.links(of: BytesSource(bytes), interrupt: Interrupt())
  }

  private func link(_ serial: UInt32, pages: Int = 3) -> [UInt8] {
    page(.first, serial, 0) + page(.inner, serial, 0, size: 4000)
      + (1...pages).flatMap { page($0 == pages ? .last : .inner, serial, Int64($0) * 1000) }
  }

  @Test(arguments: [[1], [1, 2], [1, 1, 1], [1, 2, 1, 3]] as [[UInt32]])
  func linksFollowEachOther(_ serials: [UInt32]) throws {
    let parts = serials.map { link($0) }
    var start: Int64 = 0
    var expected: [Range<Int64>] = []
    for part in parts {
      expected.append(start..<start + Int64(part.count))
      start += Int64(part.count)
    }
    #expect(try links(parts.flatMap(\.self)) == expected)
  }

  @Test func streamsOfOneLinkBelongTogether() throws {
    let one =
      page(.first, 1, 0) + page(.first, 2, 0) + page(.inner, 1, 0) + page(.inner, 2, 0)
      + page(.inner, 1, 900) + page(.inner, 2, 80) + page(.last, 1, 1000) + page(.last, 2, 90)
    #expect(try links(one).count == 1)
    #expect(
      try links(one + one) == [
        0..<Int64(one.count), Int64(one.count)..<Int64(2 * one.count),
      ])
  }

  /// A stream that announces itself before there is media is none of another link.
  @Test func aLateStreamIsPartOfTheLink() throws {
    let bytes =
      page(.first, 1, 0) + page(.inner, 1, 0) + page(.first, 2, 0) + page(.inner, 2, 0)
      + page(.last, 1, 900) + page(.last, 2, 80)
    #expect(try links(bytes).count == 1)
  }

  /// There is no border where another stream continues, against the specification.
  @Test func noStreamCrossesABorder() throws {
    let bytes =
      page(.first, 1, 0) + page(.first, 2, 0) + page(.inner, 1, 900) + page(.last, 2, 80)
      + page(.first, 3, 0) + page(.inner, 3, 10) + page(.last, 1, 1900)
    #expect(try links(bytes).count == 1)
  }

  @Test func noiseIsPassedOver() throws {
    let noise = (0..<3000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
    var broken = page(.first, 9, 0)
    broken[40] ^= 1
    let bytes = link(1) + noise + Array("OggS".utf8) + link(2) + broken + noise
    let second = Int64(link(1).count + noise.count + 4)
    #expect(try links(bytes) == [0..<second, second..<Int64(bytes.count)])
  }

  @Test func everyCutIsReadToItsEnd() throws {
    let bytes = link(1) + link(2)
    let border = link(1).count
    for count in stride(from: 4, through: bytes.count, by: 7) {
      let found = try links(Array(bytes.prefix(count)))
      #expect(found.last?.upperBound == Int64(count))
      #expect(found.count == (count >= border + page(.first, 2, 0).count ? 2 : 1))
    }
  }
}

private final class BytesSource: ByteSource {
  let name = "bytes"
  private let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int64 { Int64(bytes.count) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset < size else { return 0 }
    let part = bytes[Int(offset)...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    return part.count
  }
}
