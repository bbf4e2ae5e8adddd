/// What is changed of an asset's metadata on its way into a file; everything else stays as it is.
public struct MetadataChanges: Sendable {
  /// Each takes the place of all items that mean the same.
  public var set: [MetadataItem]
  /// What is removed: libav's names ("album_artist"), common keys ("artwork") or identifiers
  /// ("itsk/©nam"), whatever their case.
  public var remove: [String]

  public init(set: [MetadataItem] = [], remove: [String] = []) {
    self.set = set
    self.remove = remove
  }

  /// The items without those that are removed or replaced, and with those that are set.
  func applied(to items: [MetadataItem]) -> [MetadataItem] {
    items.filter { !removes($0) } + set
  }

  /// True for an item that doesn't stay as it is.
  func removes(_ item: MetadataItem) -> Bool {
    let meaning = MetadataChanges.meaning(of: item)
    let names = [meaning, item.identifier.lowercased(), item.commonKey?.lowercased() ?? meaning]
    return set.contains { MetadataChanges.meaning(of: $0) == meaning }
      || remove.contains { names.contains($0.lowercased()) }
  }

  /// libav's name, which items of all containers have in common; of every picture the same.
  static func meaning(of item: MetadataItem) -> String {
    item.isArtwork ? "artwork" : MetadataItem.libavKey(of: item).lowercased()
  }
}

extension MetadataItem {
  /// Whether it is a picture that stands for the whole.
  var isArtwork: Bool { commonKey == "artwork" && isData }

  /// True for what describes the media, and neither its container nor the program that wrote it.
  var describesMedia: Bool {
    if isStructural || keySpace == "mvhd" { return false }
    return MetadataItem.libavKey(of: self).lowercased() != "encoder"
      || value.text?.hasPrefix("Lav") != true
  }

  /// True for what describes the container, which a new one has of its own.
  var isStructural: Bool {
    ["ftyp", "mdhd", "hdlr", "stsd", "tmcd", "tkhd"].contains(keySpace)
  }
}
