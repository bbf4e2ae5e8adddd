import SystemIO

/// The tags of a file whose tags are separate blocks, and the edit that changes them without
/// touching the rest.
struct TaggedFile: Sendable {
  /// The operations on a container's tags.
  protocol Document: Sendable {
    var items: [MetadataItem] { get }
    /// The names of blocks that aren't tags, and that only copies of the whole file preserve.
    var opaqueParts: [String] { get }
    /// True if it can store chapters.
    var holdsChapters: Bool { get }
    /// - Throws: `invalidData` for tags that can't be written correctly, with the reason.
    func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile
  }

  let document: any Document
  private let size: Int64

  /// The items of the file, including pictures.
  var items: [MetadataItem] { document.items }

  /// The file without changes.
  var unchanged: SplicedFile {
    var file = SplicedFile()
    file.append(0..<size)
    return file
  }

  /// The maximum size of all blocks of tags together, in bytes.
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

  /// Returns the error of refusing to read or to change tags, with its reason.
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
  /// Text in Latin 1.
  var latin1: String {
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }

  /// Text in UTF-8, or in Latin 1 if it isn't valid UTF-8.
  var tagText: String {
    String(validating: bytes, as: UTF8.self) ?? latin1
  }

  /// The parts between zero bytes.
  var zeroSeparated: [ByteView] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { ByteView(Array($0)) }
  }
}
