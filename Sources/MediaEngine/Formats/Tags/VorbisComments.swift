import LibAV

/// A list of Vorbis comments: the name of the program that wrote it, and texts such as
/// `TITLE=Evening`.
struct VorbisComments: Sendable, TagForm {
  private let vendor: ByteView
  var entries: [TagEntry]
  /// The bytes after the comments: the framing bit of Vorbis, or bytes that Opus allows.
  private let rest: ByteView

  /// nil for bytes that aren't such a list.
  init?(_ bytes: ByteView) {
    guard let length = bytes.littleEndian32(at: 0).map(Int.init), length <= bytes.count - 8,
      let count = bytes.littleEndian32(at: 4 + length)
    else { return nil }
    vendor = bytes.slice(from: 4, count: length)
    entries = []
    var offset = 8 + length
    for _ in 0..<count {
      guard let length = bytes.littleEndian32(at: offset).map(Int.init),
        length <= bytes.count - offset - 4
      else { return nil }
      let comment = bytes.slice(from: offset + 4, count: length)
      entries.append(VorbisComments.entry(comment.bytes))
      offset += 4 + length
    }
    rest = bytes.slice(from: offset)
  }

  /// Creates an empty list.
  init() {
    vendor = ByteView(Array("reelwire".utf8))
    entries = []
    rest = ByteView([])
  }

  private static func entry(_ comment: [UInt8]) -> TagEntry {
    guard let sign = comment.firstIndex(of: UInt8(ascii: "=")) else {
      return TagEntry(bytes: comment)
    }
    let key = ByteView(Array(comment[..<sign])).tagText.uppercased()
    let value = Array(comment[(sign + 1)...])
    if isChapter(key) { return TagEntry(bytes: comment, isChapter: true) }
    if key == "METADATA_BLOCK_PICTURE", let block = base64Bytes(value),
      let picture = FLACPicture(ByteView(block))
    {
      return TagEntry(bytes: comment, items: [picture.item(key: key)])
    }
    let item = MetadataItem(
      key: key, keySpace: "vorbis", commonKey: MetadataItem.commonKey(of: key, in: "vorbis"),
      value: .string(ByteView(value).tagText))
    return TagEntry(bytes: comment, items: [item])
  }

  /// Returns true for `CHAPTER001`, `CHAPTER001NAME`, `CHAPTER001URL`.
  private static func isChapter(_ key: String) -> Bool {
    guard key.hasPrefix("CHAPTER") else { return false }
    let rest = key.dropFirst(7)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return digits.count >= 2 && ["", "NAME", "URL"].contains(rest.dropFirst(digits.count))
  }

  // MARK: Writing

  func isOneEntry(_ item: MetadataItem) -> Bool { false }

  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry] {
    items.compactMap { item in
      if item.isArtwork {
        guard let picture = FLACPicture(item) else { return nil }
        let comment = "METADATA_BLOCK_PICTURE=" + base64(picture.bytes)
        return TagEntry(bytes: Array(comment.utf8), items: [item])
      }
      guard let text = item.value.text else {
        refused.append(TagRefusal(item: item, reason: "comments are texts"))
        return nil
      }
      let name = name(of: item, old)
      guard !name.isEmpty, name.utf8.allSatisfy({ (0x20...0x7D).contains($0) && $0 != 0x3D }) else {
        refused.append(
          TagRefusal(
            item: item, reason: "names of comments are ASCII, and have no equals sign"))
        return nil
      }
      return TagEntry(bytes: Array("\(name)=\(text)".utf8), items: [item])
    }
  }

  private func name(of item: MetadataItem, _ old: TagEntry?) -> String {
    if item.keySpace == "vorbis" { return item.key }
    // The existing name, in its own case.
    if let old, let key = old.items.first?.key,
      old.items.contains(where: {
        MetadataChanges.meaning(of: $0) == MetadataChanges.meaning(of: item)
      }), let sign = old.bytes.firstIndex(of: UInt8(ascii: "="))
    {
      return sign == key.utf8.count ? ByteView(Array(old.bytes[..<sign])).tagText : key
    }
    let name = MetadataItem.libavKey(of: item)
    return TagNames.ofKeySpace["vorbis"]?.key(ofName: name) ?? name
  }

  /// Returns chapters as comments.
  static func chapterEntries(_ chapters: [TagChapter]) -> [TagEntry] {
    chapters.prefix(1000).enumerated().flatMap { index, chapter in
      let number = "CHAPTER" + padded(Int64(index), 3)
      let (hours, minutes) = (chapter.start / 3_600_000, chapter.start / 60_000 % 60)
      let time =
        "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(chapter.start / 1000 % 60, 2))"
        + ".\(padded(chapter.start % 1000, 3))"
      return ["\(number)=\(time)", "\(number)NAME=\(chapter.title)"].map {
        TagEntry(bytes: Array($0.utf8), isChapter: true)
      }
    }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(max(0, number))"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(clamping: vendor.count))
    bytes += vendor.bytes
    bytes.append(littleEndian: UInt32(clamping: entries.count))
    for entry in entries {
      bytes.append(littleEndian: UInt32(clamping: entry.bytes.count))
      bytes += entry.bytes
    }
    return bytes + rest.bytes
  }
}

/// A picture in FLAC's form (RFC 9639, section 8.8).
struct FLACPicture {
  private let kind: UInt32
  private let mimeType: String
  private let title: String
  /// Width, height, depth and colours.
  private let geometry: [UInt32]
  private let picture: [UInt8]

  init?(_ bytes: ByteView) {
    var offset = 4
    func text() -> ByteView? {
      guard let length = bytes.uint32(at: offset).map(Int.init),
        length <= bytes.count - offset - 4
      else { return nil }
      defer { offset += 4 + length }
      return bytes.slice(from: offset + 4, count: length)
    }
    guard let kind = bytes.uint32(at: 0), let type = text(), let title = text() else { return nil }
    let geometry = (0..<4).compactMap { bytes.uint32(at: offset + 4 * $0) }
    offset += 16
    guard geometry.count == 4, let picture = text(), type.latin1 != "-->" else { return nil }
    (self.kind, self.geometry) = (kind, geometry)
    (mimeType, self.title, self.picture) = (type.latin1, title.tagText, picture.bytes)
  }

  init?(_ item: MetadataItem) {
    guard case .data(let bytes, let type) = item.value else { return nil }
    let view = ByteView(bytes)
    kind = UInt32(clamping: item.pictureKind)
    mimeType = view.imageType ?? type
    title = item.extraAttributes["info"] ?? ""
    let size = view.imageSize
    geometry = [size?.width ?? 0, size?.height ?? 0, 0, 0].map { UInt32(clamping: $0) }
    picture = bytes
  }

  func item(key: String) -> MetadataItem {
    MetadataItem(
      picture: picture, mimeType: mimeType, kind: Int(kind), title: title, key: key,
      keySpace: "vorbis")
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: kind)
    for text in [mimeType, title] {
      bytes.append(bigEndian: UInt32(clamping: text.utf8.count))
      bytes += Array(text.utf8)
    }
    for number in geometry { bytes.append(bigEndian: number) }
    bytes.append(bigEndian: UInt32(clamping: picture.count))
    return bytes + picture
  }
}

/// Decodes a text (RFC 4648, section 4), ignoring other characters in it; nil if it isn't base64.
func base64Bytes(_ text: [UInt8]) -> [UInt8]? {
  var result: [UInt8] = []
  result.reserveCapacity(text.count / 4 * 3)
  var (buffer, bits): (UInt32, Int) = (0, 0)
  for character in text {
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    case UInt8(ascii: "="), 9, 10, 13, 32: continue
    default: return nil
    }
    buffer = buffer << 6 | UInt32(value)
    bits += 6
    guard bits >= 8 else { continue }
    bits -= 8
    result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
  }
  return result
}
