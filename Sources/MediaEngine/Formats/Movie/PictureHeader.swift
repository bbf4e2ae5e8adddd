import SystemIO

/// The kind and the size of a picture's file, by its first bytes.
struct PictureHeader: Sendable, Hashable {
  /// A format of files with one picture each, whose bytes as a whole are what its decoder takes.
  enum Kind: String, Sendable, CaseIterable {
    case png, jpeg, jpegLS, webp, bmp, tiff, gif, dpx, openEXR, jpeg2000, targa, qoi, sgi
    case bitmap, grayMap, pixelMap, anyMap

    /// FFmpeg's name of the decoder.
    var codec: String {
      switch self {
      case .jpeg: "mjpeg"
      case .jpegLS: "jpegls"
      case .openEXR: "exr"
      case .bitmap: "pbm"
      case .grayMap: "pgm"
      case .pixelMap: "ppm"
      case .anyMap: "pam"
      default: rawValue
      }
    }

    /// The type of a sample entry in a movie; QuickTime's where it has one.
    var sampleEntry: String {
      switch self {
      case .png: "png "
      case .jpeg: "jpeg"
      case .tiff: "tiff"
      case .gif: "gif "
      case .targa: "tga "
      default: codec.padding(to: 4)
      }
    }
  }

  var kind: Kind
  /// In pixels, as stored.
  var width: Int
  var height: Int

  /// So far into a file its size is looked for.
  private static let limit = 1 << 20

  /// - Parameter fileExtension: of the file, in lower case: Targa has no first bytes of its own.
  /// - Returns: nil for a file of another kind, and for one that doesn't state a size.
  static func read(
    _ file: BoxFile, fileExtension: String?
  ) throws(SystemError) -> PictureHeader? {
    let start = try file.peek(at: 0, count: 32)
    guard let kind = kind(of: start, fileExtension),
      let size = try size(kind, start, file), size.width > 0, size.height > 0
    else { return nil }
    return PictureHeader(kind: kind, width: size.width, height: size.height)
  }

  private static func kind(of start: ByteView, _ fileExtension: String?) -> Kind? {
    let signatures: [(kind: Kind, bytes: [UInt8])] = [
      (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), (.bmp, Array("BM".utf8)),
      (.tiff, [0x49, 0x49, 42, 0]), (.tiff, [0x4D, 0x4D, 0, 42]), (.gif, Array("GIF8".utf8)),
      (.dpx, Array("SDPX".utf8)), (.dpx, Array("XPDS".utf8)), (.openEXR, [0x76, 0x2F, 0x31, 1]),
      (.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]), (.jpeg2000, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]),
      (.qoi, Array("qoif".utf8)), (.sgi, [1, 0xDA]), (.jpegLS, [0xFF, 0xD8, 0xFF, 0xF7]),
      (.jpeg, [0xFF, 0xD8, 0xFF]), (.bitmap, Array("P1".utf8)), (.bitmap, Array("P4".utf8)),
      (.grayMap, Array("P2".utf8)), (.grayMap, Array("P5".utf8)), (.pixelMap, Array("P3".utf8)),
      (.pixelMap, Array("P6".utf8)), (.anyMap, Array("P7".utf8)),
    ]
    if let found = signatures.first(where: { start.hasPrefix($0.bytes) }) { return found.kind }
    if start.fourCC(at: 0) == "RIFF", start.fourCC(at: 8) == "WEBP" { return .webp }
    return fileExtension == "tga" ? .targa : nil
  }

  private typealias Extent = (width: Int, height: Int)

  private static func size(
    _ kind: Kind, _ start: ByteView, _ file: BoxFile
  ) throws(SystemError) -> Extent? {
    switch kind {
    case .png: pair(start, at: 16, size: 4)
    case .qoi: pair(start, at: 4, size: 4)
    case .sgi: pair(start, at: 6, size: 2)
    case .gif: pair(start, at: 6, size: 2, isLittle: true)
    case .targa: pair(start, at: 12, size: 2, isLittle: true)
    case .bmp:
      start.int32(at: 18).flatMap { width in
        // A negative height is that of rows from the top.
        start.int32(at: 22).map { (Int(width.byteSwapped), Int($0.byteSwapped.magnitude)) }
      }
    case .dpx:
      pair(
        try file.peek(at: 772, count: 8), at: 0, size: 4, isLittle: start.fourCC(at: 0) == "XPDS")
    case .webp: webp(start)
    case .jpeg, .jpegLS: try jpeg(file)
    case .tiff: try tiff(file, isLittle: start[0] == 0x49)
    case .openEXR: try openEXR(file)
    case .jpeg2000: try jpeg2000(file)
    case .bitmap, .grayMap, .pixelMap: try anyMap(file)
    case .anyMap: try arbitraryMap(file)
    }
  }

  private static func number(_ bytes: ByteView, at offset: Int, size: Int, isLittle: Bool) -> Int? {
    guard let value = bytes.unsigned(at: offset, size: size) else { return nil }
    return Int(exactly: isLittle ? value.byteSwapped >> UInt64(64 - 8 * size) : value)
  }

  private static func pair(
    _ bytes: ByteView, at offset: Int, size: Int, isLittle: Bool = false
  ) -> Extent? {
    guard let width = number(bytes, at: offset, size: size, isLittle: isLittle),
      let height = number(bytes, at: offset + size, size: size, isLittle: isLittle)
    else { return nil }
    return (width, height)
  }

  /// WebP Container Specification, and RFC 6386, section 9.1.
  private static func webp(_ start: ByteView) -> Extent? {
    func little(_ offset: Int, _ size: Int) -> Int? {
      number(start, at: offset, size: size, isLittle: true)
    }
    switch start.fourCC(at: 12) {
    case "VP8 ":
      return little(26, 2).flatMap { width in
        little(28, 2).map { (width & 0x3FFF, $0 & 0x3FFF) }
      }
    case "VP8L": return little(21, 4).map { ($0 & 0x3FFF + 1, $0 >> 14 & 0x3FFF + 1) }
    case "VP8X":
      return little(24, 3).flatMap { width in little(27, 3).map { (width + 1, $0 + 1) } }
    default: return nil
    }
  }

  /// The first frame header (ITU-T T.81, B.2.2).
  private static func jpeg(_ file: BoxFile) throws(SystemError) -> Extent? {
    var offset: Int64 = 2
    while offset < file.size {
      try file.check()
      let header = try file.peek(at: offset, count: 9)
      guard header[0] == 0xFF, let marker = header[1] else { return nil }
      switch marker {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      case 0xD9, 0xDA: return nil
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xF7:
        return pair(header, at: 5, size: 2).map { ($0.height, $0.width) }
      default:
        guard let length = header.uint16(at: 2), length >= 2 else { return nil }
        offset += 2 + Int64(length)
      }
    }
    return nil
  }

  /// The first directory (TIFF 6.0, section 2).
  private static func tiff(_ file: BoxFile, isLittle: Bool) throws(SystemError) -> Extent? {
    func read(_ bytes: ByteView, _ offset: Int, _ size: Int) -> Int? {
      number(bytes, at: offset, size: size, isLittle: isLittle)
    }
    guard let directory = read(try file.peek(at: 4, count: 4), 0, 4),
      let count = read(try file.peek(at: Int64(directory), count: 2), 0, 2)
    else { return nil }
    let entries = ByteView(try file.read(at: Int64(directory) + 2, count: count * 12))
    func value(_ tag: Int) -> Int? {
      for entry in (0..<count).map({ entries.slice(from: $0 * 12, count: 12) })
      where read(entry, 0, 2) == tag {
        return read(entry, 8, read(entry, 2, 2) == 3 ? 2 : 4)
      }
      return nil
    }
    guard let width = value(256), let height = value(257) else { return nil }
    return (width, height)
  }

  /// The attribute `displayWindow` (OpenEXR File Layout, "Header").
  private static func openEXR(_ file: BoxFile) throws(SystemError) -> Extent? {
    var offset: Int64 = 8
    while offset < limit {
      try file.check()
      let bytes = try file.peek(at: offset, count: 600).bytes
      let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, !parts[0].isEmpty, parts[2].count >= 4,
        let size = number(ByteView(Array(parts[2])), at: 0, size: 4, isLittle: true)
      else { return nil }
      if parts[0].elementsEqual("displayWindow".utf8) {
        let box = ByteView(Array(parts[2].dropFirst(4).prefix(16)))
        let edges = (0..<4).compactMap { box.int32(at: $0 * 4)?.byteSwapped }
        guard edges.count == 4 else { return nil }
        return (Int(edges[2]) - Int(edges[0]) + 1, Int(edges[3]) - Int(edges[1]) + 1)
      }
      offset += Int64(parts[0].count + parts[1].count + 2 + 4 + size)
    }
    return nil
  }

  /// The marker SIZ, which is the first after the codestream's start (ITU-T T.800, A.5.1).
  private static func jpeg2000(_ file: BoxFile) throws(SystemError) -> Extent? {
    let bytes = ByteView(try file.read(at: 0, count: 64 << 10))
    let start = (0..<max(0, bytes.count - 24)).first { bytes.uint32(at: $0) == 0xFF4F_FF51 }
    guard let start, let end = pair(bytes, at: start + 8, size: 4),
      let origin = pair(bytes, at: start + 16, size: 4)
    else { return nil }
    return (end.width - origin.width, end.height - origin.height)
  }

  /// Numbers in text, with comments from `#` to the end of a line.
  private static func anyMap(_ file: BoxFile) throws(SystemError) -> Extent? {
    let text = String(decoding: try file.read(at: 2, count: 4096), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" } }
    let numbers = lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.prefix(2)
      .compactMap { Int($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  /// Lines with a name and a number each.
  private static func arbitraryMap(_ file: BoxFile) throws(SystemError) -> Extent? {
    let text = String(decoding: try file.read(at: 0, count: 4096), as: UTF8.self)
    func value(_ name: String) -> Int? {
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(whereSeparator: \.isWhitespace)
        if parts.count == 2, parts[0] == name { return Int(parts[1]) }
      }
      return nil
    }
    guard let width = value("WIDTH"), let height = value("HEIGHT") else { return nil }
    return (width, height)
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}
