import SystemIO

/// The names of boxes that aren't understood and may carry what a user put there: copies of the samples lack
/// them. What describes structure alone, or is made anew with each file, isn't among them.
struct UnknownBoxes {
  /// Where they were found, as in "moov/trak/XYZ ".
  private(set) var names: [String] = []

  /// Of every kind of a box that holds others.
  private static let everywhere: Set = ["free", "skip", "wide"]
  /// Beside what ISO/IEC 14496-12, table 1, and the QuickTime File Format have at a file's top level.
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

  /// Takes the name of a box that is none of the known.
  ///
  /// Bytes that aren't boxes, as some lie after a movie, have no name of letters, or end nowhere.
  mutating func take(
    _ box: FileBox, in path: String, known: Set<String>, of file: BoxFile
  ) {
    guard !known.contains(box.type), !Self.everywhere.contains(box.type),
      box.declaredEnd <= file.size, !box.payload.isEmpty,
      box.type.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) || $0 == "©" })
    else { return }
    add(path + box.type)
  }

  /// Looks into a box of metadata for what isn't a list of items (`ID32`, `xml ` …).
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

  /// Looks into a box of user data, whose other boxes are items.
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
