import LibAV

func availableMetadataFormats(of items: [MetadataItem]) -> [String] {
  Array(Set(items.map(\.keySpace))).sorted()
}
public func languageTag(_ tag: String, matches wanted: String) -> Bool {
  tag.lowercased().hasPrefix(wanted.lowercased())
}
extension MetadataItem {
  static func merged(_ own: [MetadataItem], with tags: [Tag], formatName: String) -> [MetadataItem]
  {
    own
      + tags.map { MetadataItem($0, formatName: formatName) }.filter { item in
        !own.contains { $0.value.text == item.value.text }
      }
  }
  public var format: String { keySpace }
  public var isData: Bool { if case .data = value { true } else { false } }
}
extension [MetadataItem] {
  public var filteredForSharing: [MetadataItem] { self }
  public func filteredAndSorted(accordingToPreferredLanguages: [String]) -> [MetadataItem] { self }
}
