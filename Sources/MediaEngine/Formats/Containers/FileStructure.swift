/// The structure of a container's file at its top level.
enum FileStructure: Sendable, Hashable {
  /// A movie's boxes (ISO/IEC 14496-12).
  case boxes
  /// Matroska's elements (RFC 9559).
  case elements
  case chunks(ChunkRules)
  /// Ogg's pages (RFC 3533).
  case pages
}

/// The structure of chunks: RIFF's and those of its relatives.
struct ChunkRules: Sendable, Hashable {
  /// Chunks that contain others, at the top level; empty if the file itself contains them.
  var forms: Set<String> = []
  /// The number of bytes before the first chunk, in a form after its own header.
  var preamble: Int64
  /// The size of a chunk's name, in bytes.
  var nameSize = 4
  var lengthSize = 4
  var isBigEndian = false
  /// True if a chunk's length includes its header.
  var countsHead = false
  /// The alignment of chunks, in bytes.
  var alignment: Int64 = 1
  /// Lengths from here on are placeholders, of programs that couldn't go back to write them.
  var firstUnknownLength: UInt64

  var headSize: Int64 { Int64(nameSize + lengthSize) }

  /// Returns the offset of the chunk that follows one with this end.
  func aligned(_ end: Int64) -> Int64 { (end + alignment - 1) / alignment * alignment }

  static let riff = ChunkRules(
    forms: ["RIFF", "RF64", "BW64"], preamble: 4, alignment: 2, firstUnknownLength: 0x7FFF_F000)
  static let aiff = ChunkRules(
    forms: ["FORM"], preamble: 4, isBigEndian: true, alignment: 2, firstUnknownLength: 0x7FFF_F000)
  /// Sony's: names of 16 bytes, of which the first four are those of RIFF.
  static let wave64 = ChunkRules(
    forms: ["riff"], preamble: 16, nameSize: 16, lengthSize: 8, countsHead: true, alignment: 8,
    firstUnknownLength: 1 << 62)
  /// Apple Core Audio Format Specification, "CAF Chunk Overview": a length of -1 is unknown.
  static let caf = ChunkRules(
    preamble: 8, lengthSize: 8, isBigEndian: true, firstUnknownLength: 1 << 62)
}
