import LibAV
import SystemIO

/// A page of Ogg (RFC 3533, section 6).
struct OggPage {
  /// The range of the page in the file.
  let range: Range<Int64>
  private(set) var bytes: [UInt8]

  static let maximumSize = 27 + 255 + 255 * 255

  /// Reads the page that begins at an offset; nil if there is none, or if it is incomplete.
  init?(_ source: ByteReader, at offset: Int64) throws(SystemError) {
    let bytes = try source.bytes(at: offset, count: OggPage.maximumSize)
    guard bytes.count >= 27, bytes.starts(with: Array("OggS\0".utf8)) else { return nil }
    let count = Int(bytes[26])
    guard bytes.count >= 27 + count else { return nil }
    let length = bytes[27..<27 + count].reduce(27 + count) { $0 + Int($1) }
    guard length <= bytes.count else { return nil }
    self.bytes = Array(bytes[..<length])
    range = offset..<offset + Int64(length)
  }

  /// Creates a page of a header: it ends no sample.
  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = 0..<0
  }

  var isFirst: Bool { bytes[5] & 2 != 0 }
  var serial: UInt32 { ByteView(bytes).littleEndian32(at: 14) ?? 0 }
  var number: UInt32 { ByteView(bytes).littleEndian32(at: 18) ?? 0 }
  private var segments: ArraySlice<UInt8> { bytes[27..<27 + Int(bytes[26])] }

  /// Parts of packets, and whether each is the last of its packet.
  var parts: [(bytes: ArraySlice<UInt8>, isEnd: Bool)] {
    var parts: [(ArraySlice<UInt8>, Bool)] = []
    var start = 27 + Int(bytes[26])
    var end = start
    for segment in segments {
      end += Int(segment)
      guard segment < 255 else { continue }
      parts.append((bytes[start..<end], true))
      start = end
    }
    if end > start || segments.last == 255 { parts.append((bytes[start..<end], false)) }
    return parts
  }

  /// Returns the page with another number and the checksum for it.
  func numbered(_ number: UInt32) -> [UInt8] {
    var page = bytes
    var field: [UInt8] = []
    field.append(littleEndian: number)
    page.replaceSubrange(18..<22, with: field)
    return OggPage.summed(page)
  }

  private static func summed(_ bytes: [UInt8]) -> [UInt8] {
    var page = bytes
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    var sum: [UInt8] = []
    sum.append(littleEndian: Checksum.crc32(page))
    page.replaceSubrange(22..<26, with: sum)
    return page
  }

  /// Returns pages of header packets, which begin a page.
  ///
  /// - Parameter count: the previous number of pages, which is preserved if possible: the following
  ///   pages can then remain unchanged.
  static func pages(
    of packets: [[UInt8]], serial: UInt32, from number: UInt32, like count: Int
  ) -> [[UInt8]] {
    var segments: [(length: UInt8, isStart: Bool)] = []
    for packet in packets {
      var rest = packet.count
      var isStart = true
      repeat {
        segments.append((UInt8(min(rest, 255)), isStart))
        isStart = false
        rest -= 255
      } while rest >= 0
    }
    let content = packets.flatMap(\.self)
    let needed = (segments.count + 254) / 255
    let total = count >= needed && count <= segments.count ? count : needed
    var pages: [[UInt8]] = []
    var place = 0
    var offset = 0
    for index in 0..<total {
      let rest = segments.count - place
      let taken = segments[place..<place + (rest + total - index - 1) / (total - index)]
      let length = taken.reduce(0) { $0 + Int($1.length) }
      let endsPacket = taken.contains { $0.length < 255 }
      var page = Array("OggS\0".utf8) + [taken.first?.isStart == false ? 1 : 0]
      page.append(littleEndian: endsPacket ? 0 : UInt64.max)
      page.append(littleEndian: serial)
      page.append(littleEndian: number &+ UInt32(index))
      page += [0, 0, 0, 0, UInt8(taken.count)] + taken.map(\.length)
      page += content[offset..<offset + length]
      pages.append(summed(page))
      place = taken.endIndex
      offset += length
    }
    return pages
  }
}

/// The pages of a file after its headers, some of which have other numbers than before.
struct OggRenumbering: Sendable {
  let range: Range<Int64>
  /// The numbers to add to those of a stream's pages, by its serial number.
  let differences: [UInt32: UInt32]

  /// Calls `body` with the bytes of each page, and of the data between pages.
  ///
  /// A page that begins a stream begins another link of a chain, which has its own numbers.
  func forEachPage(
    of source: ByteReader, path: String, _ body: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var offset = range.lowerBound
    var isSameLink = true
    while offset < range.upperBound {
      if isSameLink, let page = try OggPage(source, at: offset) {
        isSameLink = !page.isFirst
        let difference = isSameLink ? differences[page.serial] ?? 0 : 0
        try body(difference == 0 ? page.bytes : page.numbered(page.number &+ difference))
        offset = page.range.upperBound
        continue
      }
      // Another link, or damage: copy the bytes unchanged, up to the next page.
      let bytes = try source.bytes(
        at: offset, count: Int(min(1 << 20, range.upperBound - offset)))
      guard !bytes.isEmpty else {
        throw SystemError(
          .invalidData, operation: .copy, subject: path, detail: "the source became shorter")
      }
      let next = isSameLink ? OggRenumbering.capture(in: bytes) : nil
      let taken = next ?? (isSameLink && bytes.count > 3 ? bytes.count - 3 : bytes.count)
      try body(Array(bytes[..<taken]))
      offset += Int64(taken)
    }
  }

  /// Returns the offset, after the first byte, at which the next page may begin.
  private static func capture(in bytes: [UInt8]) -> Int? {
    let mark = Array("OggS".utf8)
    guard bytes.count > 4 else { return nil }
    return (1...bytes.count - 4).first { index in
      bytes[index] == mark[0] && bytes[index..<index + 4] == mark[...]
    }
  }
}
