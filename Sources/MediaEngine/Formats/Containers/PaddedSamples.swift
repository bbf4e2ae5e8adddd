import LibAV
import SystemIO

/// Linear integers with fewer bits than they occupy, in the high bits: the container states both numbers.
///
/// libavformat takes the valid bits for the size of a sample, and rounds them up to bytes (`parse_waveformatex`,
/// `read_desc_chunk`). So it reads the size in their place.
struct PaddedSamples: Sendable, Hashable {
  let validBits: Int
  /// The size of a sample in place of its valid bits.
  let patch: FilePatch

  private init?(validBits: Int, size: Int, statedAt offset: Int64, _ bytes: [UInt8]) {
    // libavformat has no other sizes, and reads those that fill their bytes correctly.
    guard validBits > 0, [16, 24, 32].contains(size), (validBits + 7) / 8 * 8 < size else {
      return nil
    }
    self.validBits = validBits
    patch = FilePatch(offset: offset, bytes: bytes)
  }

  /// - Returns: nil for other files, and for samples that libavformat reads correctly.
  static func read(
    _ source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> PaddedSamples? {
    let reader = ByteReader(source, interrupt: interrupt)
    let head = ByteView(try reader.bytes(at: 0, count: 40))
    switch head.fourCC(at: 0) {
    case "RIFF", "RF64", "BW64":
      guard head.fourCC(at: 8) == "WAVE" else { return nil }
      return try PaddedSamples(wave: reader, .riff)
    case "riff":
      guard head.fourCC(at: 24) == "wave" else { return nil }
      return try PaddedSamples(wave: reader, .wave64)
    case "caff": return try PaddedSamples(coreAudio: reader)
    default: return nil
    }
  }

  /// Reads WAVEFORMATEXTENSIBLE, whose block has the size of all channels' samples.
  private init?(wave reader: ByteReader, _ rules: ChunkRules) throws(SystemError) {
    let first = rules.headSize + rules.preamble
    guard let chunk = try FileChunk.find("fmt ", before: "data", in: reader, from: first, rules)
    else { return nil }
    let bytes = ByteView(try reader.bytes(at: chunk.content, count: 40))
    // KSDATAFORMAT_SUBTYPE_PCM.
    let integers: [UInt8] = [
      1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]
    guard bytes.count == 40, bytes.littleEndian16(at: 0) == 0xFFFE,
      bytes.slice(from: 24).bytes == integers,
      let channels = bytes.littleEndian16(at: 2), channels > 0,
      let block = bytes.littleEndian16(at: 12), block % channels == 0,
      let valid = bytes.littleEndian16(at: 18)
    else { return nil }
    let size = Int(block / channels) * 8
    self.init(
      validBits: Int(valid), size: size, statedAt: chunk.content + 18,
      [UInt8(clamping: size), 0])
  }

  /// Reads the audio description of Apple's Core Audio Format, whose packet has a sample of each channel.
  private init?(coreAudio reader: ByteReader) throws(SystemError) {
    let rules = ChunkRules.caf
    guard
      let chunk = try FileChunk.find(
        "desc", before: "data", in: reader, from: rules.preamble, rules)
    else { return nil }
    let bytes = ByteView(try reader.bytes(at: chunk.content, count: 32))
    // kCAFLinearPCMFormatFlagIsFloat is 1.
    guard bytes.fourCC(at: 8) == "lpcm", let flags = bytes.uint32(at: 12), flags & 1 == 0,
      let packet = bytes.uint32(at: 16), bytes.uint32(at: 20) == 1,
      let channels = bytes.uint32(at: 24), channels > 0, packet % channels == 0,
      let valid = bytes.uint32(at: 28), valid <= 64
    else { return nil }
    let size = Int(min(packet / channels, 16)) * 8
    self.init(
      validBits: Int(valid), size: size, statedAt: chunk.content + 28,
      [0, 0, 0, UInt8(clamping: size)])
  }
}

/// A chunk of RIFF or one of its relatives.
struct FileChunk {
  var name: String
  /// The offset of its content.
  var content: Int64
  /// nil where the length is a placeholder.
  var end: Int64?

  /// No file of use has more at its top levels.
  static let limit = 10_000

  /// nil where no chunk begins: its name would be printable.
  init?(_ source: ByteReader, at offset: Int64, _ rules: ChunkRules) throws(SystemError) {
    let bytes = try source.bytes(at: offset, count: Int(rules.headSize))
    guard bytes.count == Int(rules.headSize), bytes[..<4].allSatisfy({ 32..<127 ~= $0 }) else {
      return nil
    }
    name = String(decoding: bytes[..<4], as: UTF8.self)
    content = offset + rules.headSize
    let field = bytes[rules.nameSize...]
    let length =
      rules.isBigEndian
      ? field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      : field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length < rules.firstUnknownLength else { return }
    end = (rules.countsHead ? offset : content) + Int64(length)
  }

  /// Returns the first chunk with a name, where it precedes the one that follows it by its format; nil if there is none.
  static func find(
    _ name: String, before last: String, in source: ByteReader, from start: Int64,
    _ rules: ChunkRules
  ) throws(SystemError) -> FileChunk? {
    var offset = start
    for _ in 0..<limit {
      guard let chunk = try FileChunk(source, at: offset, rules), chunk.name != last else {
        return nil
      }
      if chunk.name == name { return chunk }
      guard let end = chunk.end, end > offset else { return nil }
      offset = rules.aligned(end)
    }
    return nil
  }
}
