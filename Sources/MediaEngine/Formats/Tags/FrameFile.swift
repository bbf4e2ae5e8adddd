import SystemIO

/// A file that consists of frames of audio, with tags around them: ID3v2 before, APE and ID3v1
/// after.
struct FrameFile: TaggedFile.Document {
  private let size: Int64
  private var tags: [(range: Range<Int64>, tag: ID3Tag)] = []
  private var ape: APETag?
  private var old: (range: Range<Int64>, tag: ID3v1Tag)?

  /// The maximum number of consecutive tags that are read.
  private static let maximumTags = 16

  private(set) var items: [MetadataItem] = []
  var holdsChapters: Bool { true }

  init(_ source: ByteReader, size: Int64) throws(SystemError) {
    self.size = size
    var offset: Int64 = 0
    for _ in 0..<FrameFile.maximumTags {
      let header = ByteView(try source.bytes(at: offset, count: 10))
      guard let length = ID3Tag.length(header) else { break }
      guard Int64(length) <= size - offset, length <= TaggedFile.limit else {
        throw TaggedFile.damaged("an ID3 tag is longer than the file, or than 64 MiB")
      }
      guard let tag = ID3Tag(try source.bytes(at: offset, count: length)) else {
        throw TaggedFile.damaged("an ID3 tag has a header that isn't known")
      }
      tags.append((offset..<offset + Int64(length), tag))
      offset += Int64(length)
    }
    try readEnd(source, after: offset)
    let newer = tags.flatMap(\.tag.entries).flatMap(\.items)
    // Of the same meaning, the newer form is used; the oldest only if it is the only one.
    let meanings = Set(newer.map(MetadataChanges.meaning))
    let others = (ape?.entries ?? []).flatMap(\.items).filter {
      !meanings.contains(MetadataChanges.meaning(of: $0))
    }
    let found = newer + others
    items = found.isEmpty ? old?.tag.items ?? [] : found
  }

  private mutating func readEnd(_ source: ByteReader, after start: Int64) throws(SystemError) {
    func read(_ range: Range<Int64>) throws(SystemError) -> [UInt8] {
      try source.bytes(at: range.lowerBound, count: range.count)
    }
    var end = size
    if end - Int64(ID3v1Tag.size) >= start {
      let range = end - Int64(ID3v1Tag.size)..<end
      if let tag = ID3v1Tag(try read(range)) {
        old = (range, tag)
        end = range.lowerBound
      }
    }
    end = try lyrics3(endingAt: end, after: start, source)
    if let tag = try APETag(endingAt: end, read), tag.range.lowerBound >= start { ape = tag }
  }

  /// Returns the start of a Lyrics3 block that ends at an offset, which isn't changed; the offset
  /// itself if there is none.
  private func lyrics3(
    endingAt end: Int64, after start: Int64, _ source: ByteReader
  ) throws(SystemError) -> Int64 {
    guard end - 15 >= start else { return end }
    let bytes = try source.bytes(at: end - 15, count: 15)
    guard bytes.suffix(9) == Array("LYRICS200".utf8)[...],
      let length = Int64(String(decoding: bytes.prefix(6), as: UTF8.self)),
      end - 15 - length >= start
    else { return end }
    return end - 15 - length
  }

  // MARK: Editing

  func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile {
    var file = SplicedFile()
    var start: Int64 = 0
    for (index, (range, tag)) in tags.enumerated() {
      let changed = try edited(tag, by: edit, adds: index == 0, &file.refused)
      if let changed { file.append(changed) } else { file.append(range) }
      start = range.upperBound
    }
    if tags.isEmpty { file.append(try newTag(by: edit, &file.refused)) }
    var refusedElsewhere: [TagRefusal] = []
    if let ape {
      var new = ape
      new.entries = edit.applied(to: ape.entries, in: ape, adds: false, refused: &refusedElsewhere)
      file.append(start..<ape.range.lowerBound)
      if new.entries == ape.entries { file.append(ape.range) } else { file.append(new.bytes) }
      start = ape.range.upperBound
    }
    if let old {
      file.append(start..<old.range.lowerBound)
      file.append(old.tag.edited(by: edit))
      start = old.range.upperBound
    }
    file.append(start..<size)
    return file
  }

  /// Returns the bytes of a tag that changes; nil for one that doesn't.
  private func edited(
    _ tag: ID3Tag, by edit: TagEdit, adds: Bool, _ refused: inout [TagRefusal]
  ) throws(SystemError) -> [UInt8]? {
    var new = tag
    new.entries = edit.applied(to: tag.entries, in: tag.form, adds: adds, refused: &refused)
    if adds { try addChapters(of: edit, to: &new) }
    guard new.entries != tag.entries else { return nil }
    return try FrameFile.bytes(of: new)
  }

  /// Returns a tag for a file that has none. It has the items of the other tags too, because
  /// programs that read it don't read those.
  private func newTag(
    by edit: TagEdit, _ refused: inout [TagRefusal]
  ) throws(SystemError) -> [UInt8] {
    guard !edit.added.isEmpty || edit.chapters?.isEmpty == false else { return [] }
    var tag = ID3Tag()
    var elsewhere: [TagRefusal] = []
    let others = items.filter { edit.keeps($0) && ($0.value.text != nil || $0.isArtwork) }
    tag.entries = tag.form.entries(of: others, replacing: nil, refused: &elsewhere)
    tag.entries = edit.applied(to: tag.entries, in: tag.form, refused: &refused)
    try addChapters(of: edit, to: &tag)
    return tag.entries.isEmpty ? [] : try FrameFile.bytes(of: tag)
  }

  private func addChapters(of edit: TagEdit, to tag: inout ID3Tag) throws(SystemError) {
    guard let chapters = edit.chapters else { return }
    guard let entries = tag.form.chapterEntries(chapters) else {
      throw TaggedFile.damaged(
        tag.version == 2
          ? "ID3 tags of version 2.2 have no chapters" : "ID3 tags have 255 chapters at most")
    }
    tag.entries += entries
  }

  static func bytes(of tag: ID3Tag) throws(SystemError) -> [UInt8] {
    guard let bytes = tag.bytes() else {
      throw TaggedFile.damaged("an ID3 tag would be longer than 256 MiB")
    }
    return bytes
  }
}
