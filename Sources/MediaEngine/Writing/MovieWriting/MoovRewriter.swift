import MediaTime
import SystemIO

/// Corrects the index of a movie that libavformat's muxer has written. Ends its tracks where the
/// export ends them, adds the metadata that the muxer doesn't write, and optionally moves the index
/// to the front.
///
/// Handles files of that muxer only: `ftyp`, optional padding, `mdat`, and one `moov` at the end.
/// Two copies of the index are in memory, never the media.
struct MoovRewriter {
  let file: OutputFile
  let items: MovieItemBoxes
  /// The boxes of the tracks, in their order in the file; nil leaves a track as the muxer wrote it.
  let tracks: [MovieTrackBoxes?]
  /// The major brand; nil for the muxer's.
  let brand: String?
  let isIndexFirst: Bool
  /// The time at which longer tracks end; nil for no limit.
  var end: Time?
  let interrupt: Interrupt

  /// The size above which a box isn't accepted as an index. The index of a day of a camera's video
  /// and audio has 60 MB.
  private static let maximumIndex: Int64 = 1 << 30
  /// The number of bytes that are moved at a time.
  private static let pieceSize = 4 << 20

  /// - Parameter progress: called with the fraction of the media that has been moved, 0 to 1.
  func run(_ progress: (Double) -> Void = { _ in }) throws(SystemError) {
    let (first, index) = try findIndex()
    var moov = try file.read(Int(index.count), at: index.lowerBound)
    if let end { EditListPatch.set(end, in: &moov) }
    MediaLengthPatch.apply(to: &moov)
    try interrupt.check(.finish)
    try writeBrand()
    let boxes = MovieBoxRewriter(items: items, tracks: tracks)
    var written = boxes.rewritten(ByteView(moov).slice(from: 8))
    guard isIndexFirst else {
      try write(written, at: index.lowerBound)
      try file.truncate(to: index.lowerBound + Int64(written.count))
      return
    }
    var offsets = ChunkOffsets(written)
    // If offsets no longer fit into 32 bits, the index grows, and all offsets grow with it.
    let end = index.lowerBound + Int64(written.count) * 2
    if end > Int64(UInt32.max), offsets.hasShortOnes {
      written = ChunkOffsets.widened(written)
      offsets = ChunkOffsets(written)
    }
    offsets.add(Int64(written.count), to: &written)
    try move(first..<index.lowerBound, by: Int64(written.count), progress)
    try write(written, at: first)
    try file.truncate(to: index.lowerBound + Int64(written.count))
  }

  /// Writes the file's brand as the major one, and in place of the last compatible one.
  private func writeBrand() throws(SystemError) {
    guard let brand, let code = BoxWriter.code(brand) else { return }
    let header = ByteView(try file.read(16, at: 0))
    guard header.fourCC(at: 4) == "ftyp", let size = header.uint32(at: 0), size >= 20 else {
      throw unexpected("it doesn't begin with its type")
    }
    try file.write(code[...], at: 8)
    try file.write(code[...], at: Int64(size) - 4)
  }

  private func unexpected(_ detail: String) -> SystemError {
    SystemError(
      .invalidData, operation: .finishMovie, subject: file.path, detail: detail)
  }

  /// Returns the offset of the first box after the file's type, and the range of the index.
  private func findIndex() throws(SystemError) -> (first: Int64, index: Range<Int64>) {
    var offset: Int64 = 0
    var first: Int64?
    let size = file.size
    while offset <= size - 8 {
      let bytes = ByteView(try file.read(Int(min(16, size - offset)), at: offset))
      guard let header = BoxHeader(bytes) else { break }
      let length = header.size ?? size - offset
      guard length > 0, length <= size - offset else { break }
      let end = offset + length
      if header.type == "moov" {
        guard end == size, header.headerSize == 8, end - offset <= MoovRewriter.maximumIndex
        else { break }
        return (first ?? offset, offset..<end)
      }
      if header.type != "ftyp", first == nil { first = offset }
      offset = end
    }
    throw unexpected("it has no index at its end")
  }

  private func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      try interrupt.check(.finish)
      let end = min(start + MoovRewriter.pieceSize, bytes.count)
      try file.write(bytes[start..<end], at: offset + Int64(start))
      start = end
    }
  }

  /// Moves bytes towards the end of the file, starting with the last ones.
  private func move(
    _ range: Range<Int64>, by distance: Int64, _ progress: (Double) -> Void
  ) throws(SystemError) {
    var end = range.upperBound
    while end > range.lowerBound {
      try interrupt.check(.finish)
      let count = Int(min(Int64(MoovRewriter.pieceSize), end - range.lowerBound))
      let piece = try file.read(count, at: end - Int64(count))
      try file.write(piece[...], at: end - Int64(count) + distance)
      end -= Int64(count)
      progress(1 - Double(end - range.lowerBound) / Double(range.count))
    }
  }
}

/// The tables of chunk offsets in a movie box.
struct ChunkOffsets {
  private var tables: [(range: Range<Int>, isLong: Bool)] = []

  init(_ bytes: [UInt8]) { collect(ByteView(bytes)) }

  var hasShortOnes: Bool { tables.contains { !$0.isLong } }

  private mutating func collect(_ view: ByteView) {
    for box in view.boxes {
      switch box.type {
      case "moov", "trak", "mdia", "minf", "stbl": collect(box.payload)
      case "stco", "co64":
        let start = box.payload.start
        guard box.payload.count > 8 else { break }
        tables.append((start + 8..<start + box.payload.count, box.type == "co64"))
      default: break
      }
    }
  }

  /// Adds a distance to every offset.
  func add(_ distance: Int64, to bytes: inout [UInt8]) {
    for (range, isLong) in tables {
      let size = isLong ? 8 : 4
      for place in stride(from: range.lowerBound, through: range.upperBound - size, by: size) {
        let offset = bytes[place..<place + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let moved = offset &+ UInt64(bitPattern: distance)
        if isLong {
          bytes.replace(moved, at: place)
        } else {
          bytes.replace(UInt32(truncatingIfNeeded: moved), at: place)
        }
      }
    }
  }

  /// Returns the movie box with all offsets as 64-bit numbers.
  static func widened(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BoxWriter()
    widen(ByteView(bytes), to: &writer)
    return writer.bytes
  }

  private static func widen(_ view: ByteView, to writer: inout BoxWriter) {
    for box in view.boxes {
      switch box.type {
      case "moov", "trak", "mdia", "minf", "stbl":
        writer.box(box.type) { widen(box.payload, to: &$0) }
      case "stco":
        writer.box("co64") { writer in
          writer.append(box.payload.slice(from: 0, count: 8).bytes)
          for place in stride(from: 8, through: box.payload.count - 4, by: 4) {
            writer.integer(UInt64(box.payload.uint32(at: place) ?? 0))
          }
        }
      default: writer.copy(box)
      }
    }
  }
}
