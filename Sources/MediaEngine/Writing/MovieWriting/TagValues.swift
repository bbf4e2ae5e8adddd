import SystemIO

/// The values of one tag, in a file whose tags are a separate block.
///
/// libavformat's muxers write one value for each name. A placeholder of the size of all values is
/// therefore written first. When the file is complete, the block is edited, and everything else
/// remains in its position.
struct TagValues: Sendable, Hashable {
  /// libav's name of the tag.
  var name: String
  var values: [String]

  /// The names of comments for which the muxers use other names than libav's (vorbiscomment.c).
  private static let comments = [
    "album_artist": "ALBUMARTIST", "track": "TRACKNUMBER", "disc": "DISCNUMBER",
    "comment": "DESCRIPTION",
  ]

  /// Returns the value for the muxer: all values joined; in comments, with the bytes that they need
  /// one by one.
  func placeholder(in layout: DemuxerTraits.TagLayout) -> String {
    let joined = values.joined(separator: ";")
    guard layout != .frames else { return joined }
    // Each comment has a length of four bytes, its name and an equals sign.
    let comment = 5 + (TagValues.comments[name.lowercased()] ?? name).utf8.count
    return joined + String(repeating: " ", count: (values.count - 1) * (comment - 1))
  }

  /// The number of bytes to leave free for tags in addition to the muxer's padding.
  var padding: Int { values.reduce(0) { $0 + $1.utf8.count + name.utf8.count + 16 } }

  /// Replaces the values that a muxer has written.
  ///
  /// - Parameter file: complete.
  /// - Returns: the tags that weren't replaced, because the block would have become longer.
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
  /// Reports several values that were joined into one in the file.
  init(joined tag: TagValues) {
    self.init(
      item: .metadata, key: tag.name,
      reason: "its \(tag.values.count) values are written as one, with semicolons")
  }
}
