/// The changes to an asset's metadata on its way into a file. All other metadata is copied
/// unchanged.
public struct MetadataChanges: Sendable {
  /// The items to set. Each replaces all items with the same meaning.
  public var set: [MetadataItem]
  /// The items to remove: libav's names ("album_artist"), common keys ("artwork") or identifiers
  /// ("itsk/©nam"), in any case.
  public var remove: [String]

  public init(set: [MetadataItem] = [], remove: [String] = []) {
    self.set = set
    self.remove = remove
  }

  /// Returns the items without those that are removed or replaced, and with those that are set.
  func applied(to items: [MetadataItem]) -> [MetadataItem] {
    items.filter { !removes($0) } + set
  }

  /// Returns true for an item that is removed or replaced.
  func removes(_ item: MetadataItem) -> Bool {
    let meaning = MetadataChanges.meaning(of: item)
    let names = [meaning, item.identifier.lowercased(), item.commonKey?.lowercased() ?? meaning]
    return set.contains { MetadataChanges.meaning(of: $0) == meaning }
      || remove.contains { names.contains($0.lowercased()) }
  }

  /// Returns libav's name, which items of all containers have in common; the same for every
  /// artwork.
  static func meaning(of item: MetadataItem) -> String {
    item.isArtwork ? "artwork" : MetadataItem.libavKey(of: item).lowercased()
  }
}

extension MetadataItem {
  /// True if the item is an image that represents the whole asset.
  var isArtwork: Bool { commonKey == "artwork" && isData }

  /// True if the item describes the media, and neither its container nor the program that wrote it.
  var describesMedia: Bool {
    if isStructural || keySpace == "mvhd" { return false }
    return MetadataItem.libavKey(of: self).lowercased() != "encoder"
      || value.text?.hasPrefix("Lav") != true
  }

  /// True if the item describes the container. A new container has its own.
  var isStructural: Bool {
    ["ftyp", "mdhd", "hdlr", "stsd", "tmcd", "tkhd"].contains(keySpace)
  }
}
