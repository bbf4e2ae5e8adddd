import SystemIO

/// A box of a file whose payload isn't in memory.
struct FileBox {
  var type: String
  /// The offset of its header.
  var start: Int64
  /// The range of its payload, cut off at the end of the enclosing box or of the file.
  var payload: Range<Int64>
  /// The end by its own size, which may be beyond the payload's.
  var declaredEnd: Int64
}

/// A file as boxes, read a few bytes at a time, with an upper bound to the cost of a header.
///
/// Used by one thread for one reading.
final class BoxFile {
  /// Enough for several cover images; a header without them is a few kilobytes.
  private static let payloadLimit: Int64 = 16 << 20
  /// A day in fragments of a second has 200,000; boxes of eight bytes could be a million per 8 MB.
  private static let boxLimit = 500_000
  /// Above the number in any real file; an item of a few bytes uses hundreds in memory.
  private static let itemLimit = 10_000
  private static let windowSize = 4096

  let size: Int64
  private let source: any ByteSource
  private let interrupt: Interrupt
  private var window = ByteView([])
  private var windowStart: Int64 = 0
  private var remainingPayload = BoxFile.payloadLimit
  private var remainingBoxes = BoxFile.boxLimit
  private var remainingItems = BoxFile.itemLimit

  /// True if the file has more boxes than may be read.
  var isExhausted: Bool { remainingBoxes == 0 }

  init(_ source: any ByteSource, interrupt: Interrupt) throws(SystemError) {
    self.source = source
    self.interrupt = interrupt
    size = try source.size
  }

  /// Calls `body` for each box until it returns false or the range ends.
  ///
  /// A size of 0 means up to the end of the range; with `zeroEnds` it ends the list, as in
  /// QuickTime's user data.
  func forEachBox(
    in range: Range<Int64>, zeroEnds: Bool = false,
    _ body: (FileBox) throws(SystemError) -> Bool
  ) throws(SystemError) {
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, remainingBoxes > 0 {
      remainingBoxes -= 1
      try check()
      let available = min(16, range.upperBound - offset)
      guard let header = BoxHeader(try peek(at: offset, count: Int(available))) else { return }
      if header.size == nil, zeroEnds { return }
      let rest = range.upperBound - offset
      let size = max(min(header.size ?? rest, rest), header.headerSize)
      let end = offset + size
      let (declared, overflow) = offset.addingReportingOverflow(header.size ?? rest)
      let box = FileBox(
        type: header.type, start: offset, payload: offset + header.headerSize..<end,
        declaredEnd: overflow ? .max : declared)
      guard try body(box) else { return }
      offset = end
    }
  }

  /// Returns the payload of a box; nil if it exceeds the limit.
  func load(
    _ box: FileBox, limit: Int64 = BoxFile.payloadLimit
  ) throws(SystemError) -> ByteView? {
    let count = Int64(box.payload.count)
    guard count <= min(limit, remainingPayload) else { return nil }
    remainingPayload -= count
    return ByteView(try read(at: box.payload.lowerBound, count: Int(count)))
  }

  /// - Throws: `interrupted` once reading is to end.
  func check() throws(SystemError) { try interrupt.check(.readMovieHeader) }

  /// Returns the bytes at an offset, fewer at the end of the file.
  func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    try source.bytes(at: offset, count: count, interrupt: interrupt)
  }

  /// Returns the items up to the limit for one header.
  func admit(_ items: [MetadataItem]) -> [MetadataItem] {
    let admitted = items.prefix(remainingItems)
    remainingItems -= admitted.count
    return Array(admitted)
  }

  /// Returns the first bytes of a range, fewer at its end.
  func peek(at offset: Int64, count: Int) throws(SystemError) -> ByteView {
    if offset < windowStart || offset + Int64(count) > windowStart + Int64(window.count) {
      let available = max(0, min(Int64(BoxFile.windowSize), size - offset))
      window = ByteView(try read(at: offset, count: Int(available)))
      windowStart = offset
    }
    return window.slice(from: Int(offset - windowStart), count: count)
  }
}
