import SystemIO

/// Several values of one tag, in a file whose tags are a block of their own.
///
/// libavformat's muxers write one value under each name. So they write one that takes the room of all, and the block is
/// edited when the file is complete: everything else stays where it is.
struct TagValues: Sendable, Hashable {
  /// libav's name of the tag.
  var name: String
  var values: [String]

  /// libav's names that its muxers have another comment for (vorbiscomment.c).
  private static let comments = [
    "album_artist": "ALBUMARTIST", "track": "TRACKNUMBER", "disc": "DISCNUMBER",
    "comment": "DESCRIPTION",
  ]

  /// The value that a muxer writes: all of them, and of comments as many bytes as these take one by one.
  func placeholder(in layout: DemuxerTraits.TagLayout) -> String {
    let joined = values.joined(separator: ";")
    guard layout != .frames else { return joined }
    // Each has a length of four bytes, its name and a sign.
    let comment = 5 + (TagValues.comments[name.lowercased()] ?? name).utf8.count
    return joined + String(repeating: " ", count: (values.count - 1) * (comment - 1))
  }

  /// Room for tags that is left free in addition to what a muxer leaves, in bytes.
  var padding: Int { values.reduce(0) { $0 + $1.utf8.count + name.utf8.count + 16 } }

  /// Puts values in the place of those that a muxer has written.
  ///
  /// - Parameter file: complete.
  /// - Returns: those that stay as they were written, for the block would become longer.
  static func write(
    _ tags: [TagValues], _ layout: DemuxerTraits.TagLayout, to file: OutputFile,
    interrupt: Interrupt
  ) throws(SystemError) -> [TagValues] {
    let items = tags.flatMap { tag in
      tag.values.map { MetadataItem(key: tag.name, keySpace: "libav", value: .string($0)) }
    }
    let edited: SplicedFile
    do throws(SystemError) {
      let written = try TaggedFile(layout, of: WrittenBytes(file), interrupt: interrupt)
      let edit = TagEdit(
        of: written.items, metadata: nil, changes: MetadataChanges(set: items), chapters: nil)
      edited = try written.document.edited(by: edit)
    } catch {
      guard error.code == .invalidData else { throw error }
      return tags
    }
    guard edited.refused.isEmpty, edited.size == file.size, let pieces = edited.replacements else {
      return tags
    }
    for piece in pieces { try file.write(piece.bytes[...], at: piece.offset) }
    return []
  }
}

extension DroppedItem {
  /// Several values that are one in the file.
  init(joined tag: TagValues) {
    self.init(
      item: .metadata, key: tag.name,
      reason: "its \(tag.values.count) values are written as one, with semicolons")
  }
}
