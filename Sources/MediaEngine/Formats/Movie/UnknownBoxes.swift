import SystemIO

/// The names of boxes that aren't understood and may carry a user's data, which copies of the
/// samples lack. Boxes that only describe structure, or are written anew with each file, aren't
/// included.
struct UnknownBoxes {
  /// The paths at which they were found, such as "moov/trak/XYZ ".
  private(set) var names: [String] = []

  /// Boxes that may be in any container box.
  private static let everywhere: Set = ["free", "skip", "wide"]
  /// Boxes at a file's top level, in addition to those of ISO/IEC 14496-12, table 1, and the
  /// QuickTime File Format.
  static let file: Set = [
    "ftyp", "styp", "moov", "moof", "mdat", "meta", "sidx", "ssix", "mfra", "pdin", "prft", "imda",
    "idat",
  ]
  static let movie: Set = [
    "mvhd", "trak", "udta", "meta", "mvex", "iods", "cmov", "rmra", "prfl", "ctab", "clip", "pssh",
    "bloc", "mere",
  ]
  static let track: Set = [
    "tkhd", "edts", "mdia", "tref", "udta", "meta", "tapt", "load", "txas", "clip", "matt", "kmat",
    "imap", "trgr", "prfl", "strk",
  ]
  private static let meta: Set = [
    "hdlr", "keys", "ctry", "lang", "ilst", "iloc", "iinf", "idat", "iprp", "pitm", "iref", "dinf",
    "ipro", "grpl", "fiin",
  ]

  /// Records the name of a box that isn't a known one.
  ///
  /// Bytes that aren't boxes, as after some movies, have no name of letters, or end beyond the
  /// file.
  mutating func take(
    _ box: FileBox, in path: String, known: Set<String>, of file: BoxFile
  ) {
    guard !known.contains(box.type), !Self.everywhere.contains(box.type),
      box.declaredEnd <= file.size, !box.payload.isEmpty,
      box.type.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) || $0 == "©" })
    else { return }
    add(path + box.type)
  }

  /// Searches a box of metadata for other content than a list of items (`ID32`, `xml ` …).
  mutating func take(meta box: FileBox, in path: String, of file: BoxFile) throws(SystemError) {
    var children = box.payload
    let start = try file.peek(at: children.lowerBound, count: 8)
    if start.fourCC(at: 4) != "hdlr", start.uint32(at: 0) == 0 {
      children = min(children.lowerBound + 4, children.upperBound)..<children.upperBound
    }
    var found = self
    try file.forEachBox(in: children) { (child) throws(SystemError) in
      found.take(child, in: path + "meta/", known: Self.meta, of: file)
      return true
    }
    self = found
  }

  /// Searches a box of user data, whose other boxes are items.
  mutating func take(userData box: FileBox, in path: String, of file: BoxFile) throws(SystemError) {
    var found = self
    try file.forEachBox(in: box.payload, zeroEnds: true) { (child) throws(SystemError) in
      if child.type == "meta" { try found.take(meta: child, in: path + "udta/", of: file) }
      if child.type == "ludt" { found.add(path + "udta/ludt") }
      return true
    }
    self = found
  }

  mutating func add(_ name: String) {
    if !names.contains(name), names.count < 1000 { names.append(name) }
  }
}
