import SystemIO

/// A FLAC file: blocks of metadata before the frames (RFC 9639, section 8).
struct FLACFile: TaggedFile.Document {
  /// A block. Only comments and pictures are in memory.
  private struct Block {
    var type: UInt8
    var content: Range<Int64>
    var entry: TagEntry?
  }

  private enum Kind {
    static let padding: UInt8 = 1
    static let application: UInt8 = 2
    static let comments: UInt8 = 4
    static let cueSheet: UInt8 = 5
    static let picture: UInt8 = 6
  }

  /// The form of stored pictures: blocks.
  private struct PictureForm: TagForm {
    func isOneEntry(_ item: MetadataItem) -> Bool { false }

    func entries(
      of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
    ) -> [TagEntry] {
      items.compactMap { item in
        FLACPicture(item).map { TagEntry(bytes: $0.bytes, items: [item]) }
      }
    }
  }

  private let size: Int64
  /// ID3 tags before the actual file, which aren't part of FLAC but occur.
  private let prefix: FrameFile?
  private let start: Int64
  private var blocks: [Block] = []
  private let comments: VorbisComments?
  /// The offset of the frames.
  private let end: Int64

  private static let maximumBlocks = 4096
  private static let lengthLimit = 1 << 24

  let items: [MetadataItem]
  var holdsChapters: Bool { true }

  var opaqueParts: [String] {
    blocks.compactMap { block in
      block.type == Kind.cueSheet
        ? "flac/CUESHEET" : block.type == Kind.application ? "flac/APPLICATION" : nil
    }
  }

  init(_ source: ByteReader, size: Int64) throws(SystemError) {
    self.size = size
    let header = ByteView(try source.bytes(at: 0, count: 10))
    let length = Int64(ID3Tag.length(header) ?? 0)
    start = length
    prefix = length > 0 ? try FrameFile(source, size: length) : nil
    guard try source.bytes(at: start, count: 4) == Array("fLaC".utf8) else {
      throw TaggedFile.damaged("FLAC's marker isn't where it has to be")
    }
    var offset = start + 4
    var total = 0
    var comments: VorbisComments?
    var isLast = false
    while !isLast {
      let head = ByteView(try source.bytes(at: offset, count: 4))
      guard let word = head.uint32(at: 0), blocks.count < FLACFile.maximumBlocks else {
        throw TaggedFile.damaged("the blocks of metadata don't end")
      }
      isLast = word >> 31 == 1
      let length = Int64(word & 0xFF_FFFF)
      var block = Block(
        type: UInt8(word >> 24 & 0x7F), content: offset + 4..<offset + 4 + length)
      guard block.content.upperBound <= size else {
        throw TaggedFile.damaged("a block of metadata is longer than the file")
      }
      offset = block.content.upperBound
      if block.type == Kind.comments || block.type == Kind.picture {
        total += Int(length)
        guard total <= TaggedFile.limit else {
          throw TaggedFile.damaged("comments and pictures are longer than 64 MiB")
        }
        let bytes = try source.bytes(at: block.content.lowerBound, count: Int(length))
        if block.type == Kind.comments, comments == nil {
          guard let list = VorbisComments(ByteView(bytes)) else {
            throw TaggedFile.damaged("the list of comments is damaged")
          }
          comments = list
        } else if block.type == Kind.picture {
          let picture = FLACPicture(ByteView(bytes))
          block.entry = TagEntry(
            bytes: bytes, items: picture.map { [$0.item(key: "METADATA_BLOCK_PICTURE")] } ?? [])
        }
      }
      blocks.append(block)
    }
    end = offset
    self.comments = comments
    let own = (comments?.entries ?? []).flatMap(\.items) + blocks.flatMap { $0.entry?.items ?? [] }
    items = own.isEmpty ? prefix?.items ?? [] : own
  }

  func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile {
    if edit.chapters?.isEmpty == false, blocks.contains(where: { $0.type == Kind.cueSheet }) {
      throw TaggedFile.damaged(
        "its chapters are those of a cue sheet, which chapters can't replace")
    }
    var file = SplicedFile()
    if let prefix {
      var elsewhere = try prefix.edited(by: edit.replacing)
      elsewhere.refused = []
      file.pieces = elsewhere.pieces
    }
    file.append(start..<start + 4)
    // Pictures are blocks, all other items are comments.
    let textEdit = edit.limited { $0 != "artwork" }
    let pictureEdit = edit.limited { $0 == "artwork" }
    var list = comments ?? VorbisComments()
    list.entries = textEdit.applied(to: list.entries, in: list, refused: &file.refused)
    list.entries += edit.chapters.map(VorbisComments.chapterEntries) ?? []
    let pictures = pictureEdit.applied(
      to: blocks.compactMap(\.entry), in: PictureForm(), refused: &file.refused)
    let newList =
      list.entries == comments?.entries || (comments == nil && list.entries.isEmpty)
      ? nil : list.bytes
    try write(newList, pictures, to: &file)
    file.append(end..<size)
    return file
  }

  /// Writes the blocks in their order; comments and pictures in the place of the previous ones.
  private func write(
    _ list: [UInt8]?, _ pictures: [TagEntry], to file: inout SplicedFile
  ) throws(SystemError) {
    var output: [(type: UInt8, content: SplicedFile.Piece)] = []
    var waiting = pictures[...]
    var hasComments = false
    for block in blocks where block.type != Kind.padding {
      if block.type == Kind.comments, !hasComments, let list {
        output.append((block.type, .bytes(list)))
        hasComments = true
      } else if let entry = block.entry {
        // Pictures that remain precede those that were added.
        while let first = waiting.first, first != entry,
          !blocks.contains(where: { $0.entry == first })
        {
          output.append((Kind.picture, .bytes(first.bytes)))
          waiting = waiting.dropFirst()
        }
        guard waiting.first == entry else { continue }
        waiting = waiting.dropFirst()
        output.append((block.type, .source(block.content)))
      } else {
        hasComments = hasComments || block.type == Kind.comments
        output.append((block.type, .source(block.content)))
      }
    }
    if let list, !hasComments { output.append((Kind.comments, .bytes(list))) }
    output += waiting.map { (Kind.picture, .bytes($0.bytes)) }
    let length = output.reduce(0) { $0 + 4 + Int64($1.content.byteCount) }
    guard output.allSatisfy({ $0.content.byteCount < FLACFile.lengthLimit }) else {
      throw TaggedFile.damaged("a block would be longer than the 16 MiB that FLAC has room for")
    }
    addPadding(to: &output, after: length)
    for (index, block) in output.enumerated() {
      let last: UInt32 = index == output.count - 1 ? 0x8000_0000 : 0
      var header: [UInt8] = []
      header.append(
        bigEndian: last | UInt32(block.type) << 24 | UInt32(clamping: block.content.byteCount))
      file.append(header)
      switch block.content {
      case .source(let range): file.append(range)
      case .bytes(let bytes): file.append(bytes)
      case .pages: break
      }
    }
  }

  /// Fills up the previous padding, so that the frames stay at their offset if possible.
  private func addPadding(
    to output: inout [(type: UInt8, content: SplicedFile.Piece)], after length: Int64
  ) {
    let padding = blocks.filter { $0.type == Kind.padding }
    let room = end - start - 4 - length
    if padding.isEmpty && room == 0 { return }
    let wanted = room >= 4 ? room - 4 : room == 0 ? -1 : padding.isEmpty ? -1 : 1024
    guard wanted >= 0 else { return }
    var rest = wanted
    while true {
      let part = min(rest, Int64(FLACFile.lengthLimit - 1))
      output.append((Kind.padding, .bytes([UInt8](repeating: 0, count: Int(part)))))
      rest -= part
      guard rest >= 4 else { return }
      rest -= 4
    }
  }
}

extension SplicedFile.Piece {
  /// In bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .source(let range): range.count
    case .bytes(let bytes): bytes.count
    case .pages(let pages): pages.range.count
    }
  }
}
