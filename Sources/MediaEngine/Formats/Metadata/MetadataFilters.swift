// Filters for metadata items, like AVMetadataItem's class methods.

extension MetadataItem {
  /// The format of the item's key space, by AVFoundation's name if it has one.
  ///
  /// The names of the other formats are the engine's: `org.xiph.vorbis-comment`, `org.matroska`,
  /// `com.microsoft.riff-info`, `com.microsoft.asf`, `com.monkeysaudio.ape-tag`, `ch.ebu.bext`,
  /// `com.apple.caf`, and for the rest `unknown.` and the key space.
  public var format: String {
    switch keySpace {
    case "udta": "com.apple.quicktime.udta"
    case "uiso": "org.mp4ra"
    case "mdta": "com.apple.quicktime.mdta"
    case "itsk", "itlk": "com.apple.itunes"
    case "id3": "org.id3"
    case "vorbis": "org.xiph.vorbis-comment"
    case "matroska": "org.matroska"
    case "riff": "com.microsoft.riff-info"
    case "asf": "com.microsoft.asf"
    case "ape": "com.monkeysaudio.ape-tag"
    case "bext": "ch.ebu.bext"
    case "caaf": "com.apple.caf"
    default: "unknown.\(keySpace)"
    }
  }
}

/// Returns the formats of the items, each once, in the order of their first items.
public func availableMetadataFormats(of items: [MetadataItem]) -> [String] {
  var seen: Set<String> = []
  return items.map(\.format).filter { seen.insert($0).inserted }
}

extension Sequence where Element == MetadataItem {
  /// Returns the items of a format, by its name from ``availableMetadataFormats(of:)``.
  public func filtered(byFormat format: String) -> [MetadataItem] {
    filter { $0.format == format }
  }

  /// Returns the items with an identifier, `keySpace/key`.
  public func filtered(byIdentifier identifier: String) -> [MetadataItem] {
    filter { $0.identifier == identifier }
  }

  /// Returns the items with a key in a key space; nil matches all.
  public func filtered(byKey key: String?, keySpace: String?) -> [MetadataItem] {
    filter { (key == nil || $0.key == key) && (keySpace == nil || $0.keySpace == keySpace) }
  }

  /// Returns the items with a common key.
  public func filtered(byCommonKey key: String) -> [MetadataItem] {
    filter { $0.commonKey == key }
  }

  /// Returns the items in one of the languages, those in preferred languages first.
  ///
  /// A language is a BCP 47 tag and matches all tags that begin with its parts, in any case: "en"
  /// matches "en-US". It also matches shorter tags that it begins with, after all full matches:
  /// "en-US" matches "en" if nothing better exists (RFC 4647, lookup). Items without a language
  /// don't match. Equal matches stay in their order.
  public func filteredAndSorted(
    accordingToPreferredLanguages languages: [String]
  ) -> [MetadataItem] {
    var ranked: [(rank: Int, position: Int, item: MetadataItem)] = []
    for (position, item) in enumerated() {
      guard let tag = item.extendedLanguageTag else { continue }
      let ranks = languages.enumerated().compactMap { preference, language in
        languageDistance(of: tag, from: language).map { preference * 1000 + $0 }
      }
      if let rank = ranks.min() { ranked.append((rank, position, item)) }
    }
    return ranked.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.item)
  }

  /// The items that can be shared: without locations and without the names of those who made,
  /// bought or filmed the asset.
  ///
  /// Bytes of unknown meaning in a movie's user data, and XMP and Exif as a whole, can contain such
  /// information and are left out, too. Images stay (AVMetadataItemFilter.forSharing).
  public var filteredForSharing: [MetadataItem] {
    filter { !$0.isPrivate }
  }
}

extension MetadataItem {
  fileprivate var isPrivate: Bool {
    if commonKey == "location" { return true }
    let lower = key.lowercased()
    if case .data(_, let mimeType) = value, !mimeType.hasPrefix("image/") {
      if keySpace == "udta" || keySpace == "uiso" { return true }
    }
    switch keySpace {
    case "itsk": if privateITunesKeys.contains(key) { return true }
    case "id3": if ["PRIV", "UFID", "TOWN", "OWNE", "GEOB", "COMR"].contains(key) { return true }
    default: break
    }
    let names = [lower, extraAttributes["info"]?.lowercased() ?? ""]
    return names.contains { name in privateKeys.contains { name.contains($0) } }
  }
}

/// The buyer, and the buyer's account.
private let privateITunesKeys: Set = [
  "apID", "ownr", "purd", "akID", "sfID", "cnID", "xid ", "flvr", "soid",
]

private let privateKeys = [
  "location", "gps", "latitude", "longitude", "direction.facing", "direction.motion", "xmp", "exif",
  "owner", "email", "phone", "serial", "camera.identifier", "content.identifier", "user_id",
  "userid", "username", "account", "imei", "uuid", "umid",
]
