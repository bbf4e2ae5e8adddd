import LibAV
import SystemIO

/// A file with a TrueType or OpenType font, or a collection of them: its bytes, and the name of its first font.
struct FontFile: Sendable {
  let bytes: [UInt8]
  /// The name of the font among all, such as "DejaVu Sans Bold".
  let name: String

  static let maximumSize: Int64 = 64 << 20

  /// - Throws: as opening files; `limitExceeded` for a larger file than ``maximumSize``; `fileFormatNotRecognized` for
  ///   one that isn't a font, or has no name.
  init(
    _ location: FileLocation, _ configuration: EngineConfiguration, interrupt: Interrupt
  ) throws(EngineError) {
    let path = location.path
    if let scheme = location.foreignScheme {
      throw EngineError(
        .pathNotAllowed, "'\(path)' is a URL of the scheme \(scheme), which is not allowed",
        advice: .giveLocalPath, path: path, stage: .open)
    }
    let read = try mapErrors(.open, path: path) { () throws(SystemError) -> [UInt8]? in
      let file =
        if let bytes = location.bytes {
          try InputFile(path: path, bytes: bytes, roots: configuration.roots) as any ByteSource
        } else {
          try configuration.openSource(path, configuration.roots)
        }
      let size = try file.size
      guard size <= Self.maximumSize else { return nil }
      return try file.bytes(at: 0, count: Int(size), interrupt: interrupt)
    }
    guard let bytes = read else {
      throw EngineError(
        .limitExceeded, "The font '\(path)' is larger than \(Self.maximumSize >> 20) MiB",
        advice: .nameFontFile, path: path, stage: .open)
    }
    guard let name = FontNames.first(in: bytes) else {
      throw EngineError(
        .fileFormatNotRecognized, "'\(path)' is not a TrueType or OpenType font with a name",
        advice: .nameFontFile, path: path, stage: .open)
    }
    (self.bytes, self.name) = (bytes, name)
  }
}

/// The names in fonts (ISO/IEC 14496-22, "name").
enum FontNames {
  /// The full name of the first font of a file, or that of its family; nil for what isn't a font.
  static func first(in bytes: [UInt8]) -> String? {
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - count else { return nil }
      return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let collection = 0x7474_6366
    let start = number(0, 4) == collection ? number(12, 4) : 0
    guard let start, let tag = number(start, 4),
      [0x0001_0000, 0x4F54_544F, 0x7472_7565].contains(tag), let count = number(start + 4, 2)
    else { return nil }
    for table in 0..<count {
      let entry = start + 12 + 16 * table
      guard let tag = number(entry, 4), let offset = number(entry + 8, 4) else { return nil }
      if tag == 0x6E61_6D65 { return name(at: offset, number, bytes) }
    }
    return nil
  }

  private static func name(
    at table: Int, _ number: (Int, Int) -> Int?, _ bytes: [UInt8]
  ) -> String? {
    guard let count = number(table + 2, 2), let texts = number(table + 4, 2) else { return nil }
    var best: (rank: Int, name: String)?
    for record in 0..<count {
      let entry = table + 6 + 12 * record
      guard let platform = number(entry, 2), let language = number(entry + 4, 2),
        let kind = number(entry + 6, 2), let length = number(entry + 8, 2),
        let offset = number(entry + 10, 2)
      else { return nil }
      // The full name, else the family's; in English, else in any language.
      guard kind == 4 || kind == 1, [0, 1, 3].contains(platform) else { continue }
      let rank = (kind == 4 ? 4 : 0) + (platform == 3 ? 2 : 0) + (language == 0x409 ? 1 : 0)
      let first = table + texts + offset
      guard first >= 0, first + length <= bytes.count, rank > best?.rank ?? -1 else { continue }
      let text = bytes[first..<first + length]
      let name =
        platform == 1
        ? String(decoding: text.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        : String(
          decoding: stride(from: first, to: first + (length & ~1), by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
          }, as: UTF16.self)
      if FontNames.isUsable(name) { best = (rank, name) }
    }
    return best?.name
  }

  /// Returns true if a name can be one in a script's style.
  static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      && !name.contains(",") && !name.contains("=")
  }
}
