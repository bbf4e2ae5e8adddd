import SystemIO

/// The tags of a file whose tags are a block of their own, and the way to others without touching the rest.
struct TaggedFile: Sendable {
  /// What is done with a container.
  protocol Document: Sendable {
    var items: [MetadataItem] { get }
    /// The names of blocks that are no tags, and that only copies of the whole file have.
    var opaqueParts: [String] { get }
    /// True where chapters have a place.
    var holdsChapters: Bool { get }
    /// - Throws: `invalidData` for what can't be written as it has to be, with the reason.
    func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile
  }

  let document: any Document
  private let size: Int64

  /// The items of the file, pictures included.
  var items: [MetadataItem] { document.items }

  /// The file as it is.
  var unchanged: SplicedFile {
    var file = SplicedFile()
    file.append(0..<size)
    return file
  }

  /// Of all blocks of tags together, in bytes; more isn't read.
  static let limit = 64 << 20

  /// - Throws: `invalidData` for tags that can't be read, with the reason.
  init(
    _ layout: DemuxerTraits.TagLayout, of source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) {
    size = try source.size
    let reader = ByteReader(source, interrupt: interrupt)
    document =
      switch layout {
      case .frames: try FrameFile(reader, size: size)
      case .flac: try FLACFile(reader, size: size)
      case .ogg: try OggFile(reader, size: size)
      case .wave: try WaveFile(reader, size: size)
      }
  }

  /// A refusal to read or to change tags, with its reason.
  static func damaged(_ detail: String) -> SystemError {
    SystemError(.invalidData, operation: .readTags, subject: "the file", detail: detail)
  }
}

extension TaggedFile.Document {
  var opaqueParts: [String] { [] }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func append(littleEndian value: some FixedWidthInteger) {
    append(bigEndian: value.byteSwapped)
  }
}

extension ByteView {
  func littleEndian32(at offset: Int) -> UInt32? { uint32(at: offset)?.byteSwapped }

  /// Text in Latin 1.
  var latin1: String {
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }

  /// Text in UTF-8, or in Latin 1 where it isn't that.
  var tagText: String {
    String(validating: bytes, as: UTF8.self) ?? latin1
  }

  /// The parts between zero bytes.
  var zeroSeparated: [ByteView] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { ByteView(Array($0)) }
  }
}
