import SystemIO

/// The borders of the links of an Ogg file: bitstreams one after the other, each with headers of
/// its own (RFC 3533, section 4).
///
/// libavformat takes such a file for one bitstream: FFmpeg 5.1 takes the headers of a later link
/// for packets of the first or gives up, 7.1 keeps the first one's clock. So the pages are searched
/// for the borders here, and each link gets a demuxer of its own.
struct OggPages {
  private let source: any ByteSource
  private let interrupt: Interrupt
  private let size: Int64
  private var serials: Set<UInt32> = []
  private var ended: Set<UInt32> = []
  private var hasMedia = false
  private var hasHeaders = false
  private var previous: Set<UInt32> = []
  private var starts: [Int64] = []
  /// The ends of all links but the last.
  private var ends: [Int64] = []

  /// Returns true if a source begins as an Ogg file does.
  static func areIn(_ source: any ByteSource, interrupt: Interrupt) throws(SystemError) -> Bool {
    try source.bytes(at: 0, count: 4, interrupt: interrupt) == capture
  }

  /// Returns the links of a source, in order; the last one extends to the end of the source.
  /// Headers that occur twice are left out the first time: libavformat takes them for packets.
  ///
  /// - Throws: the errors of the source, `interrupted`.
  static func links(
    of source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> [Range<Int64>] {
    var pages = OggPages(source: source, interrupt: interrupt, size: try source.size)
    try pages.scan()
    return zip(pages.starts, pages.ends + [pages.size]).map { start, end in start..<max(start, end)
    }
  }

  private init(source: any ByteSource, interrupt: Interrupt, size: Int64) {
    self.source = source
    self.interrupt = interrupt
    self.size = size
  }

  private static let capture: [UInt8] = Array("OggS".utf8)
  private static let headerSize = 27

  private struct Page {
    var isFirst: Bool
    var isLast: Bool
    /// The granule position; -1 where no packet ends.
    var granule: Int64
    var serial: UInt32
    var length: Int
  }

  private mutating func scan() throws(SystemError) {
    var position: Int64 = 0
    var count = 0
    while position < size {
      count += 1
      if count % 256 == 0 { try interrupt.check(.open) }
      guard let page = try page(at: position) else {
        guard let next = try nextCapture(after: position) else { break }
        position = next
        continue
      }
      try take(page, at: position)
      position += Int64(page.length)
    }
    if starts.isEmpty { starts = [0] }
  }

  private mutating func take(_ page: Page, at position: Int64) throws(SystemError) {
    if page.isFirst {
      // All first pages of a link come before its other pages. One that doesn't, and whose link has no
      // media yet, is a stream that announces itself late, or headers once more.
      let repeats = hasHeaders && !hasMedia && serials.contains(page.serial)
      let begins =
        starts.isEmpty || repeats || hasHeaders && (hasMedia || serials.isSubset(of: ended))
      let isIntact = begins && !starts.isEmpty ? try isIntact(page, at: position) : true
      if begins, isIntact {
        if repeats {
          starts[starts.count - 1] = position
        } else {
          if !starts.isEmpty { ends.append(position) }
          starts.append(starts.isEmpty ? 0 : position)
          (previous, serials) = (serials, [])
        }
        ended = []
        (hasMedia, hasHeaders) = (false, false)
      }
      serials.insert(page.serial)
    } else {
      hasHeaders = true
      if page.granule > 0 { hasMedia = true }
      if starts.count > 1, !serials.contains(page.serial), previous.contains(page.serial) {
        // A stream continues across the border, which is none then.
        starts.removeLast()
        ends.removeLast()
        serials.formUnion(previous)
        previous = []
      }
    }
    if page.isLast { ended.insert(page.serial) }
  }

  private func page(at position: Int64) throws(SystemError) -> Page? {
    let bytes = try source.bytes(
      at: position, count: Self.headerSize + 255, interrupt: interrupt)
    guard bytes.count >= Self.headerSize, bytes.starts(with: Self.capture), bytes[4] == 0 else {
      return nil
    }
    let segments = Int(bytes[26])
    guard bytes.count >= Self.headerSize + segments else { return nil }
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    return Page(
      isFirst: bytes[5] & 2 != 0, isLast: bytes[5] & 4 != 0,
      granule: Int64(bitPattern: number(6..<14)), serial: UInt32(number(14..<18)),
      length: Self.headerSize + segments
        + bytes[Self.headerSize..<Self.headerSize + segments].reduce(0) { $0 + Int($1) })
  }

  /// Returns the position at which the next page may begin, when none begins at the end of the last
  /// one.
  private func nextCapture(after position: Int64) throws(SystemError) -> Int64? {
    var from = position + 1
    while from < size {
      try interrupt.check(.open)
      let bytes = try source.bytes(at: from, count: 1 << 16, interrupt: interrupt)
      guard bytes.count >= Self.capture.count else { return nil }
      for index in 0...bytes.count - Self.capture.count
      where bytes[index] == Self.capture[0] && bytes[index...].starts(with: Self.capture) {
        return from + Int64(index)
      }
      from += Int64(bytes.count - Self.capture.count + 1)
    }
    return nil
  }

  /// Returns true if a page's checksum is right: noise may look like a page.
  private func isIntact(_ page: Page, at position: Int64) throws(SystemError) -> Bool {
    let bytes = try source.bytes(at: position, count: page.length, interrupt: interrupt)
    guard bytes.count == page.length else { return false }
    var sum: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      let isField = (22..<26).contains(index)
      sum ^= UInt32(isField ? 0 : byte) << 24
      // The polynomial 0x04C11DB7, neither reflected nor inverted (RFC 3533, section 6).
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    let stated = bytes[22..<26].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return sum == stated
  }
}
