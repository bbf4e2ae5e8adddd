import SystemIO

/// A tag of APE, version 1 or 2, at the end of a file
/// (https://wiki.hydrogenaud.io/index.php?title=APEv2_specification).
struct APETag: Sendable, TagForm {
  /// The range of the tag in the file.
  let range: Range<Int64>
  private let version: UInt32
  private let hasHeader: Bool
  private let flags: UInt32
  var entries: [TagEntry]

  static let footerSize = 32
  private static let headerFlag: UInt32 = 1 << 31
  private static let isHeaderFlag: UInt32 = 1 << 29

  /// Reads the tag that ends at an offset of the file; nil if there is none.
  ///
  /// - Parameters:
  ///   - read: returns bytes of the file.
  init?(
    endingAt end: Int64, _ read: (Range<Int64>) throws(SystemError) -> [UInt8]
  ) throws(SystemError) {
    guard end >= Int64(APETag.footerSize) else { return nil }
    let footer = ByteView(try read(end - Int64(APETag.footerSize)..<end))
    guard footer.hasPrefix(Array("APETAGEX".utf8)), let version = footer.littleEndian32(at: 8),
      let size = footer.littleEndian32(at: 12), let count = footer.littleEndian32(at: 16),
      let flags = footer.littleEndian32(at: 20), flags & APETag.isHeaderFlag == 0,
      size >= UInt32(APETag.footerSize)
    else { return nil }
    hasHeader = version >= 2000 && flags & APETag.headerFlag != 0
    let start = end - Int64(size)
    let whole = start - (hasHeader ? Int64(APETag.footerSize) : 0)
    guard whole >= 0, size <= UInt32(TaggedFile.limit) else {
      throw TaggedFile.damaged("an APE tag is longer than the file, or than 64 MiB")
    }
    range = whole..<end
    self.version = version
    self.flags = flags
    let body = ByteView(try read(start..<end - Int64(APETag.footerSize)))
    entries = []
    var offset = 0
    for _ in 0..<count {
      guard let length = body.littleEndian32(at: offset).map(Int.init),
        let flags = body.littleEndian32(at: offset + 4)
      else { throw TaggedFile.damaged("an APE tag has fewer items than it states") }
      let key = body.slice(from: offset + 8).untilZero
      let start = offset + 8 + key.count + 1
      guard length <= body.count - start else {
        throw TaggedFile.damaged("an item of an APE tag is longer than the tag")
      }
      let value = body.slice(from: start, count: length)
      let bytes = body.slice(from: offset, count: start - offset + length).bytes
      entries.append(TagEntry(bytes: bytes, items: APETag.items(key.tagText, value, flags)))
      offset = start + length
    }
  }

  private static func items(_ key: String, _ value: ByteView, _ flags: UInt32) -> [MetadataItem] {
    let common = MetadataItem.commonKey(of: key, in: "ape")
    func item(_ value: MetadataItem.Value) -> MetadataItem {
      MetadataItem(key: key, keySpace: "ape", commonKey: common, value: value)
    }
    guard flags >> 1 & 3 == 1 else { return value.zeroSeparated.map { item(.string($0.tagText)) } }
    guard key.lowercased().hasPrefix("cover art (") else { return [item(value.rawValue)] }
    // A file name, and the image.
    let name = value.untilZero
    let picture = value.slice(from: name.count + 1).bytes
    return [
      MetadataItem(
        picture: picture, mimeType: "jpeg",
        kind: key.lowercased() == "cover art (back)" ? 4 : 3, title: "", key: key, keySpace: "ape")
    ]
  }

  // MARK: Writing

  func isOneEntry(_ item: MetadataItem) -> Bool { !item.isArtwork }

  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry] {
    var entries: [TagEntry] = []
    var texts: [(key: String, items: [MetadataItem])] = []
    for item in items {
      let key = APETag.key(of: item, old)
      if case .data(let bytes, let type) = item.value {
        let name = "cover.\(type.split(separator: "/").last ?? "picture")"
        let value = item.isArtwork ? Array(name.utf8) + [0] + bytes : bytes
        entries.append(APETag.entry(key, value, flags: 2, [item]))
      } else if let index = texts.firstIndex(where: { $0.key == key }) {
        texts[index].items.append(item)
      } else {
        texts.append((key, [item]))
      }
    }
    return entries
      + texts.map { key, items in
        let values = items.compactMap(\.value.text).map { Array($0.utf8) }
        return APETag.entry(key, Array(values.joined(separator: [0])), flags: 0, items)
      }
  }

  private static func key(of item: MetadataItem, _ old: TagEntry?) -> String {
    if item.isArtwork { return item.pictureKind == 4 ? "Cover Art (Back)" : "Cover Art (Front)" }
    if item.keySpace == "ape" { return item.key }
    // The existing name, in its own case.
    if let key = old?.items.first(where: {
      MetadataChanges.meaning(of: $0) == MetadataChanges.meaning(of: item)
    })?.key {
      return key
    }
    let name = MetadataItem.libavKey(of: item)
    return TagNames.ofKeySpace["ape"]?.key(ofName: name) ?? name
  }

  private static func entry(
    _ key: String, _ value: [UInt8], flags: UInt32, _ items: [MetadataItem]
  ) -> TagEntry {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(clamping: value.count))
    bytes.append(littleEndian: flags)
    return TagEntry(bytes: bytes + Array(key.utf8) + [0] + value, items: items)
  }

  /// The tag as it is stored; empty if it has no items.
  var bytes: [UInt8] {
    guard !entries.isEmpty else { return [] }
    let body = entries.flatMap(\.bytes)
    func frame(_ flags: UInt32) -> [UInt8] {
      var bytes = Array("APETAGEX".utf8)
      for number in [
        version, UInt32(clamping: body.count + APETag.footerSize), UInt32(clamping: entries.count),
        flags, 0, 0,
      ] { bytes.append(littleEndian: number) }
      return bytes
    }
    return (hasHeader ? frame(flags | APETag.isHeaderFlag) : []) + body + frame(flags)
  }
}
