import LibAV
import SystemIO

/// The facts of an animated GIF or PNG that libavformat doesn't report.
struct ImageAnimation: Sendable {
  /// The number of times that it is played; 0 for ever again.
  var playCount: Int
  /// True if no pixel is ever transparent, though its codec has transparency.
  var isOpaque = false

  /// The maximum number of bytes of a GIF that are searched for transparency.
  private static let limit: Int64 = 32 << 20

  /// - Parameter readsAll: true to look at all frames; false for the beginning only, where the rest may have to come
  ///   from elsewhere.
  /// - Returns: nil for other files.
  static func read(
    _ source: any ByteSource, readsAll: Bool, interrupt: Interrupt
  ) throws(SystemError) -> ImageAnimation? {
    let head = ByteView(try source.bytes(at: 0, count: 16, interrupt: interrupt))
    let reader = ByteReader(source, interrupt: interrupt)
    if head.fourCC(at: 0) == "GIF8" {
      return try ImageAnimation(gif: reader, upTo: readsAll ? limit : GIFBlocks.windowSize)
    }
    guard head.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      return nil
    }
    return try playCount(png: reader).map { ImageAnimation(playCount: $0) }
  }

  private init(playCount: Int) { self.playCount = playCount }

  /// Reads the chunk `acTL`, which precedes the image's data (PNG, third edition, 11.3.6.1); nil for a still picture.
  private static func playCount(png reader: ByteReader) throws(SystemError) -> Int? {
    var offset: Int64 = 8
    while offset < 1 << 20 {
      let chunk = ByteView(try reader.bytes(at: offset, count: 16))
      guard let length = chunk.uint32(at: 0), let type = chunk.fourCC(at: 4), type != "IDAT"
      else { return nil }
      if type == "acTL" { return chunk.uint32(at: 12).map(Int.init) }
      offset += 12 + Int64(length)
    }
    return nil
  }

  /// Reads the blocks of a GIF (GIF89a, appendix B; the application extension NETSCAPE2.0).
  ///
  /// Its canvas is opaque if the first frame covers it without a transparent colour, and no frame is cleared: the
  /// transparent pixels of later frames leave those before as they are.
  private init(gif reader: ByteReader, upTo limit: Int64) throws(SystemError) {
    // Without the extension it is played once.
    playCount = 1
    var blocks = GIFBlocks(reader, limit: limit)
    guard var state = try OpaqueCanvas(&blocks) else { return }
    var hasEnded = false
    while let kind = try blocks.next() {
      if kind == 0x3B {
        hasEnded = true
        break
      }
      if kind == 0x21 {
        guard let label = try blocks.next() else { break }
        let content = try blocks.subBlocks(upTo: 16)
        if label == 0xF9, content.count >= 4 { state.control = content[0] }
        if label == 0xFF, content.count >= 14,
          ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(
            String(decoding: content.prefix(11), as: UTF8.self)), content[11] == 1
        {
          let repeats = Int(content[12]) | Int(content[13]) << 8
          playCount = repeats == 0 ? 0 : repeats + 1
        }
      } else if kind == 0x2C {
        let image = try blocks.bytes(9)
        guard image.count == 9 else { break }
        state.add(image)
        if image[8] & 0x80 != 0 { blocks.skip(3 << (Int64(image[8] & 7) + 1)) }
        blocks.skip(1)
        _ = try blocks.subBlocks(upTo: 0)
      } else {
        break
      }
    }
    isOpaque = hasEnded && state.isOpaque
  }
}

/// The canvas of a GIF, as far as its transparency is known from the frames so far.
private struct OpaqueCanvas {
  private let size: [UInt8]
  /// The packed field of the graphic control extension before the next frame.
  var control: UInt8 = 0
  private var count = 0
  private var isCovered = true
  /// True if the last frame is to be cleared.
  private var isCleared = false

  var isOpaque: Bool { count > 0 && isCovered }

  init?(_ blocks: inout GIFBlocks) throws(SystemError) {
    let header = try blocks.bytes(13)
    guard header.count == 13 else { return nil }
    size = Array(header[6..<10])
    if header[10] & 0x80 != 0 { blocks.skip(3 << (Int64(header[10] & 7) + 1)) }
  }

  /// - Parameter image: the image descriptor after its separator.
  mutating func add(_ image: [UInt8]) {
    let disposal = control >> 2 & 7
    if count == 0 {
      isCovered =
        control & 1 == 0 && disposal != 3 && image[0..<4].allSatisfy { $0 == 0 }
        && image[4..<8].elementsEqual(size)
    } else if isCleared {
      isCovered = false
    }
    isCleared = disposal == 2
    control = 0
    count += 1
  }
}

/// The bytes of a GIF, in order.
private struct GIFBlocks {
  static let windowSize: Int64 = 1 << 16

  private let reader: ByteReader
  private let limit: Int64
  private var offset: Int64 = 0
  private var window: [UInt8] = []
  private var start: Int64 = 0

  init(_ reader: ByteReader, limit: Int64) {
    (self.reader, self.limit) = (reader, limit)
  }

  /// Returns the next byte; nil at the end, and at the limit.
  mutating func next() throws(SystemError) -> UInt8? {
    if offset < start || offset >= start + Int64(window.count) {
      guard offset < limit else { return nil }
      start = offset
      window = try reader.bytes(at: offset, count: Int(Self.windowSize))
      guard !window.isEmpty else { return nil }
    }
    defer { offset += 1 }
    return window[Int(offset - start)]
  }

  mutating func skip(_ count: Int64) { offset += count }

  /// Returns the next bytes, fewer at the end.
  mutating func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let byte = try next() { bytes.append(byte) }
    return bytes
  }

  /// Passes a list of sub-blocks, and returns its first bytes.
  mutating func subBlocks(upTo count: Int) throws(SystemError) -> [UInt8] {
    var first: [UInt8] = []
    while let length = try next(), length > 0 {
      let wanted = min(Int(length), count - first.count)
      first += try bytes(wanted)
      skip(Int64(Int(length) - wanted))
    }
    return first
  }
}
