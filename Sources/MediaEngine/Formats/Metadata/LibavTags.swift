import LibAV

// Conversion of libav's tags to items and back: libav flattens all containers to names of its own.

extension MetadataItem {
  /// Creates the item of a libav tag, under its container's name.
  init(_ tag: Tag, keySpace: String) {
    let (name, language) = MetadataItem.splitLanguage(tag.key)
    let (space, key, info) = MetadataItem.origin(
      of: name, hasLanguage: language != nil, in: keySpace)
    self.init(
      key: key, keySpace: space, commonKey: MetadataItem.commonKey(of: key, in: space),
      extendedLanguageTag: language, value: .string(tag.value),
      extraAttributes: info.map { ["info": $0] } ?? [:])
  }

  /// Creates the item of an attached picture.
  init(artwork bytes: [UInt8], codec: String, keySpace space: String) {
    let mimeType = codec == "mjpeg" ? "image/jpeg" : "image/\(codec)"
    let key =
      ["itsk": "covr", "id3": "APIC", "vorbis": "METADATA_BLOCK_PICTURE", "asf": "WM/Picture"][
        space] ?? "artwork"
    self.init(
      key: key, keySpace: space, commonKey: "artwork", value: .data(bytes, mimeType: mimeType))
  }

  /// Returns the name under which libav writes an item: its own for the keys it knows, or else the
  /// key.
  package static func libavKey(of item: MetadataItem) -> String {
    if let name = TagNames.ofKeySpace[item.keySpace]?.name(ofKey: item.key) {
      guard let info = item.extraAttributes["info"], item.keySpace == "id3" else { return name }
      // A comment with a description is named by its description, as are the texts that users
      // define.
      return item.key == "COMM" ? info : name
    }
    switch (item.keySpace, item.key) {
    case ("id3", "TXXX"): return item.extraAttributes["info"] ?? item.key
    case ("id3", "PRIV"): return "id3v2_priv." + (item.extraAttributes["info"] ?? "")
    case ("itlk", _): return item.extraAttributes["name"] ?? MetadataItem.longKeyName(item.key)
    default: return item.key
    }
  }

  /// Returns the tags under which libav writes items.
  ///
  /// A name can occur once. A repetition in another language has the language's code at the end, in
  /// libav's form ("title-deu"), other values follow the first after a semicolon, and equal ones
  /// are written once. Items that describe the container itself, and bytes, are left out.
  static func libavTags(of items: [MetadataItem]) -> [Tag] {
    var names: [String] = []
    var values: [String: [String]] = [:]
    var languages: [String: String?] = [:]
    for item in items where !structuralSpaces.contains(item.keySpace) {
      guard let text = item.value.text else { continue }
      var name = libavKey(of: item)
      let language = item.extendedLanguageTag.flatMap(iso639(ofTag:))
      if let first = languages[name] {
        if let language, language != first, !(values[name] ?? []).contains(text) {
          name += "-\(language)"
        }
      } else {
        languages.updateValue(language, forKey: name)
      }
      if values[name] == nil { names.append(name) }
      if values[name]?.contains(text) != true { values[name, default: []].append(text) }
    }
    return names.map { Tag(key: $0, value: (values[$0] ?? []).joined(separator: ";")) }
  }

  /// Returns the names under which ``libavTags(of:)`` writes several values as one, and the values.
  static func joinedValues(of items: [MetadataItem]) -> [(name: String, values: [String])] {
    var values: [String: [String]] = [:]
    var names: [String] = []
    for item in items where !structuralSpaces.contains(item.keySpace) {
      guard let text = item.value.text, item.extendedLanguageTag == nil else { continue }
      let name = libavKey(of: item)
      if values[name] == nil { names.append(name) }
      if values[name]?.contains(text) != true { values[name, default: []].append(text) }
    }
    return names.compactMap { name in
      let all = values[name] ?? []
      return all.count > 1 ? (name, all) : nil
    }
  }

  /// Returns all of a movie's own items, and those of libav's tags that add to them.
  ///
  /// - Parameter elsewhere: texts that aren't metadata but that libav reports as tags, such as the
  ///   name of a track's compressor.
  static func merged(
    _ own: [MetadataItem], with tags: [Tag], keySpace: String, elsewhere: [String] = []
  ) -> [MetadataItem] {
    let texts = Set(own.compactMap(\.value.text) + elsewhere)
    let numbers = Set(own.compactMap(\.value.numberValue))
    let hasPlace = own.contains { $0.keySpace == "uiso" && $0.key == "loci" }
    // libav's form of values that it can't read, as of a number of eight bytes, isn't a second
    // item.
    let named = Set(own.filter { $0.keySpace == "mdta" }.map(\.key))
    let hasRating = own.contains { $0.keySpace == "uiso" && $0.key == "rtng" }
    // libav repeats a text in a language under the bare name.
    var added: Set<Tag> = []
    var result = own
    for tag in tags where !tag.value.isEmpty && !texts.contains(tag.value) {
      let name = splitLanguage(tag.key).0
      // A number can be written in many ways, and a location with its name at the end.
      if let number = Double(tag.value), numbers.contains(number) { continue }
      if hasPlace, name == "location" { continue }
      if named.contains(tag.key) || (hasRating && name == "rating") { continue }
      guard added.insert(Tag(key: name, value: tag.value)).inserted else { continue }
      result.append(MetadataItem(tag, keySpace: keySpace))
    }
    return result
  }

  /// The key spaces of items that describe the container, and must not be written to another.
  private static let structuralSpaces: Set = [
    "ftyp", "mvhd", "mdhd", "hdlr", "stsd", "tmcd", "tkhd",
  ]

  /// Returns the origin of one of libav's names: the key space, the key in it, and the description
  /// within an ID3 frame.
  private static func origin(
    of name: String, hasLanguage: Bool, in space: String
  ) -> (space: String, key: String, info: String?) {
    if ["major_brand", "minor_version", "compatible_brands"].contains(name.lowercased()) {
      return ("ftyp", name.lowercased(), nil)
    }
    if name.hasPrefix("com.apple.") || name.hasPrefix("com.android.") { return ("mdta", name, nil) }
    let known = TagNames.ofKeySpace[space]?.key(ofName: name)
    switch space {
    case "itsk":
      if let box = movieBoxes[name] { return (box, name, nil) }
      // A language belongs to 3GPP's form of the key.
      if name == "location", hasLanguage { return ("uiso", "loci", nil) }
      if ["location", "make", "model"].contains(name) { return ("udta", known ?? name, nil) }
      return known.map { (space, $0, nil) } ?? ("mdta", name, nil)
    case "id3": return id3Origin(of: name, known)
    case "vorbis":
      // The names are case-insensitive; libav's own are in lower case.
      return (space, (name == name.lowercased() ? known : nil) ?? name.uppercased(), nil)
    case "matroska": return (space, (name == name.lowercased() ? known : nil) ?? name, nil)
    case "riff":
      return broadcastNames.contains(name) ? ("bext", name, nil) : (space, known ?? name, nil)
    default: return (space, known ?? name, nil)
    }
  }

  private static func id3Origin(
    of name: String, _ known: String?
  ) -> (space: String, key: String, info: String?) {
    if let known { return ("id3", known, nil) }
    let owner = "id3v2_priv."
    if name.hasPrefix(owner) { return ("id3", "PRIV", String(name.dropFirst(owner.count))) }
    if name.hasPrefix("lyrics-") { return ("id3", "USLT", String(name.dropFirst(7))) }
    let isFrame =
      name.count == 4 && "TWCIMPRSAEGLUO".contains(name.first ?? " ")
      && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    // Texts that users define, and comments with a description.
    return isFrame ? ("id3", name, nil) : ("id3", "TXXX", name)
  }

  /// Splits the language from a name: libav appends it for a text in another language than the
  /// first, "title-eng".
  private static func splitLanguage(_ key: String) -> (String, String?) {
    let parts = key.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let language = parts.last, language.count == 3,
      language.allSatisfy({ $0.isASCII && $0.isLowercase }), let name = parts.first
    else { return (key, nil) }
    return (String(name), bcp47(ofISO639: String(language)))
  }

  /// Returns the name after the domain: names have dots of their own, domains such as
  /// "com.apple.iTunes" two.
  private static func longKeyName(_ key: String) -> String {
    let domain = "com.apple.iTunes."
    return key.hasPrefix(domain) ? String(key.dropFirst(domain.count)) : key
  }
}

/// The boxes of a movie that libav reports as tags.
private let movieBoxes = [
  "creation_time": "mvhd", "language": "mdhd", "handler_name": "hdlr", "vendor_id": "stsd",
  "timecode": "tmcd", "rotate": "tkhd",
]

/// The fields of the Broadcast Wave format (EBU Tech 3285).
private let broadcastNames: Set = [
  "description", "originator", "originator_reference", "origination_date", "origination_time",
  "time_reference", "umid", "coding_history",
]

extension MetadataItem.Value {
  fileprivate var numberValue: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .string, .data: nil
    }
  }
}
