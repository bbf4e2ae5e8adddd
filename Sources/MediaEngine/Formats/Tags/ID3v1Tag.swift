/// The 128 bytes of ID3v1 at the end of a file. Values that are too long for their fields are cut
/// off.
struct ID3v1Tag: Sendable {
  static let size = 128
  private var bytes: [UInt8]

  /// The fields by libav's names. A track number uses the end of the comment (ID3v1.1).
  private static let fields: [(name: String, range: Range<Int>)] = [
    ("title", 3..<33), ("artist", 33..<63), ("album", 63..<93), ("date", 93..<97),
    ("comment", 97..<127),
  ]

  init?(_ bytes: [UInt8]) {
    guard bytes.count == ID3v1Tag.size, bytes.starts(with: "TAG".utf8) else { return nil }
    self.bytes = bytes
  }

  private var hasTrack: Bool { bytes[125] == 0 && bytes[126] != 0 }

  private func text(_ range: Range<Int>) -> String {
    var text = ByteView(Array(bytes[range])).untilZero.tagText
    while text.last == " " { text.removeLast() }
    return text
  }

  var items: [MetadataItem] {
    var texts = ID3v1Tag.fields.map { (name: $0.name, text: text($0.range)) }
    if hasTrack { texts.append(("track", "\(bytes[126])")) }
    let genre = Int(bytes[127])
    if id3Genres.indices.contains(genre) { texts.append(("genre", id3Genres[genre])) }
    return texts.compactMap { name, text in
      guard !text.isEmpty else { return nil }
      let key = TagNames.id3.key(ofName: name) ?? name
      return MetadataItem(
        key: key, keySpace: "id3", commonKey: MetadataItem.commonKey(of: key, in: "id3"),
        value: .string(text))
    }
  }

  /// Returns the tag with a change: removed fields are empty, and set ones are cut off to their
  /// length.
  func edited(by edit: TagEdit) -> [UInt8] {
    var new = self
    for item in items where !edit.keeps(item) { new.set(MetadataChanges.meaning(of: item), "") }
    for group in edit.added {
      if let text = group.items.first?.value.text { new.set(group.meaning, text) }
    }
    return new.bytes
  }

  private mutating func set(_ name: String, _ text: String) {
    switch name {
    case "track":
      // Without a number, the bytes belong to the comment.
      let number = UInt8(text.prefix { $0.isASCII && $0.isNumber }) ?? 0
      if number > 0 || hasTrack { bytes[125] = 0 }
      if number > 0 || hasTrack { bytes[126] = number }
    case "genre":
      let number = id3Genres.firstIndex { $0.lowercased() == text.lowercased() }
      bytes[127] = number.flatMap { UInt8(exactly: $0) } ?? 255
    default:
      guard let field = ID3v1Tag.fields.first(where: { $0.name == name }) else { return }
      let range = name == "comment" && hasTrack ? 97..<125 : field.range
      let content = ID3Encoding.latin1.encode(text).prefix(range.count)
      let padding = [UInt8](repeating: 0, count: range.count - content.count)
      bytes.replaceSubrange(range, with: content + padding)
    }
  }
}
