import LibAV
import SystemIO

// ISO/IEC 14496-12, 8.11.1 to 8.11.12; ISO/IEC 23008-12, 6.5 and 9.3.

/// The items of the `meta` box at the top of a file: images, tiles of them, and related items.
///
/// Numbers are untrusted: values that are missing, contradictory or outside of the file are nil.
struct ItemBoxes {
  /// Above the number of boxes before any relevant one.
  private static let boxLimit = 100
  /// The size limit of a table in memory; ten thousand items use a quarter of it.
  private static let tableLimit: Int64 = 1 << 20

  /// `irot` states quarter turns anticlockwise; `imir` exchanges top and bottom by 0, left and
  /// right by 1 (ISO/IEC 23008-12:2022, 6.5.10 and 6.5.12).
  private static let rotations: [Orientation] = [.up, .rotated270, .rotated180, .rotated90]
  private static let mirrorings: [Orientation] = [.mirroredRotated180, .mirrored]

  let majorBrand: String
  /// True if the file has a movie in addition to the items, after them.
  private(set) var hasMovie = false
  private(set) var primary: UInt64?
  /// The type of the items: "pict" for images.
  private(set) var handler: String?
  /// Types of items, by their numbers: `av01`, `grid`, `Exif` …
  private(set) var types: [UInt64: String] = [:]
  private let file: BoxFile
  private var locations: ByteView?
  /// The range of item data within the `meta` box itself.
  private var itemData: Range<Int64>?
  private var references: ByteView?
  /// The properties, whose numbers begin at 1.
  private var properties: [FileBox] = []
  private var associations: [ByteView] = []

  /// - Returns: nil for a file without items, and if a movie comes first.
  init?(in file: BoxFile) throws(SystemError) {
    guard file.size >= 12 else { return nil }
    let start = try file.peek(at: 0, count: 12)
    guard start.fourCC(at: 4) == "ftyp", let brand = start.fourCC(at: 8) else { return nil }
    majorBrand = brand
    self.file = file
    var meta: FileBox?
    var count = 0
    var hasMovie = false
    try file.forEachBox(in: 0..<file.size) { (box) throws(SystemError) in
      count += 1
      if box.type == "moov" { hasMovie = true }
      if box.type == "meta", meta == nil, !hasMovie { meta = box }
      return !hasMovie && count < Self.boxLimit
    }
    self.hasMovie = hasMovie
    guard let meta else { return nil }
    let children = min(meta.payload.lowerBound + 4, meta.payload.upperBound)
    try file.forEachBox(in: children..<meta.payload.upperBound) { (box) throws(SystemError) in
      try read(box)
      return true
    }
    if locations == nil { return nil }
  }

  private mutating func read(_ box: FileBox) throws(SystemError) {
    switch box.type {
    case "hdlr":
      if handler == nil { handler = try file.load(box, limit: 65536)?.fourCC(at: 8) }
    case "pitm":
      guard primary == nil, let payload = try file.load(box, limit: 64) else { break }
      primary = payload.unsigned(at: 4, size: payload.uint8(at: 0) == 0 ? 2 : 4)
    case "iloc":
      if locations == nil {
        locations = try file.load(box, limit: Self.tableLimit) ?? ByteView([])
      }
    case "idat":
      if itemData == nil { itemData = box.payload }
    case "iinf":
      guard types.isEmpty, let payload = try file.load(box, limit: Self.tableLimit) else { break }
      readInformation(payload)
    case "iref":
      if references == nil { references = try file.load(box, limit: Self.tableLimit) }
    case "iprp":
      try file.forEachBox(in: box.payload) { (box) throws(SystemError) in
        try readProperties(box)
        return true
      }
    default: break
    }
  }

  private mutating func readInformation(_ payload: ByteView) {
    let entries = payload.slice(from: payload.uint8(at: 0) == 0 ? 6 : 8)
    for entry in entries.boxes where entry.type == "infe" {
      let version = entry.payload.uint8(at: 0) ?? 0
      // An item has a MIME type before version 2.
      guard version >= 2 else { continue }
      let idSize = version == 2 ? 2 : 4
      guard let id = entry.payload.unsigned(at: 4, size: idSize),
        let type = entry.payload.fourCC(at: 6 + idSize)
      else { continue }
      if types[id] == nil { types[id] = type }
    }
  }

  private mutating func readProperties(_ box: FileBox) throws(SystemError) {
    switch box.type {
    case "ipco":
      guard properties.isEmpty else { break }
      try file.forEachBox(in: box.payload) { (property) throws(SystemError) in
        properties.append(property)
        return true
      }
    case "ipma":
      if let payload = try file.load(box, limit: Self.tableLimit) { associations.append(payload) }
    default: break
    }
  }

  // MARK: Properties

  /// Returns the properties of some items, in the order in which they are associated with them.
  func properties(of items: Set<UInt64>) -> [UInt64: [FileBox]] {
    var found: [UInt64: [FileBox]] = [:]
    for bytes in associations {
      let idSize = bytes.uint8(at: 0) == 0 ? 2 : 4
      // One bit marks essential properties.
      let isWide = (bytes.uint8(at: 3) ?? 0) & 1 == 1
      let size = isWide ? 2 : 1
      var fields = Fields(bytes: bytes, offset: 8)
      for _ in 0..<(bytes.uint32(at: 4) ?? 0) {
        guard let id = fields.next(idSize), let count = fields.next(1) else { break }
        guard items.contains(id), found[id] == nil else {
          fields.offset += Int(count) * size
          continue
        }
        found[id] = (0..<count).compactMap { _ in
          let number = Int((fields.next(size) ?? 0) & (isWide ? 0x7FFF : 0x7F))
          return number >= 1 && number <= properties.count ? properties[number - 1] : nil
        }
      }
    }
    return found
  }

  /// Returns the payload of a small property.
  func load(_ property: FileBox) throws(SystemError) -> ByteView? {
    try file.load(property, limit: Self.tableLimit)
  }

  /// Returns the rotations and mirrorings among properties, combined; nil if there are none.
  func orientation(by properties: [FileBox]) throws(SystemError) -> Orientation? {
    var orientation: Orientation?
    for property in properties where property.type == "irot" || property.type == "imir" {
      let value = Int(try file.load(property, limit: 8)?.uint8(at: 0) ?? 0)
      let turn = property.type == "irot" ? Self.rotations[value & 3] : Self.mirrorings[value & 1]
      orientation = (orientation ?? .up).followed(by: turn)
    }
    return orientation
  }

  // MARK: References

  /// Returns the items that `item` refers to, in their order.
  func items(_ type: String, from item: UInt64) -> [UInt64] {
    var found: [UInt64] = []
    forEachReference(type) { from, to in
      if from == item, found.isEmpty { found = to }
    }
    return found
  }

  /// Returns the items that refer to `item`.
  func items(_ type: String, to item: UInt64) -> [UInt64] {
    var found: [UInt64] = []
    forEachReference(type) { from, to in
      if to.contains(item) { found.append(from) }
    }
    return found
  }

  private func forEachReference(_ type: String, _ body: (UInt64, [UInt64]) -> Void) {
    guard let references else { return }
    let idSize = references.uint8(at: 0) == 0 ? 2 : 4
    for box in references.slice(from: 4).boxes where box.type == type {
      var fields = Fields(bytes: box.payload, offset: 0)
      guard let from = fields.next(idSize), let count = fields.next(2) else { continue }
      body(from, (0..<count).compactMap { _ in fields.next(idSize) })
    }
  }

  // MARK: Places

  /// Returns the bytes of some items in the file, each in the order of its extents. Items that are
  /// stored in other items, or in more pieces than `limit`, are left out.
  ///
  /// - Parameter isWhole: true also leaves out items that reach beyond the end of the file.
  func extents(
    of items: Set<UInt64>, isWhole: Bool = false, limit: Int = 64
  ) -> [UInt64: [Range<Int64>]] {
    var found: [UInt64: [Range<Int64>]] = [:]
    guard let locations, let version = locations.uint8(at: 0),
      let sizes = locations.uint16(at: 4)
    else { return [:] }
    let (offsetSize, lengthSize) = (Int(sizes >> 12), Int(sizes >> 8 & 15))
    let (baseSize, indexSize) = (Int(sizes >> 4 & 15), version == 0 ? 0 : Int(sizes & 15))
    let idSize = version < 2 ? 2 : 4
    var fields = Fields(bytes: locations, offset: 6)
    guard let count = fields.next(idSize) else { return [:] }
    for _ in 0..<count {
      guard let id = fields.next(idSize), let method = fields.next(version == 0 ? 0 : 2),
        fields.next(2) != nil, let base = fields.next(baseSize), let extents = fields.next(2)
      else { break }
      guard items.contains(id), found[id] == nil, extents > 0, extents <= limit else {
        // Skipped in one step: extents may have no bytes, so the file's size doesn't limit their
        // number.
        fields.offset += Int(extents) * (indexSize + offsetSize + lengthSize)
        continue
      }
      let places: [Range<Int64>?] = (0..<extents).map { _ in
        guard fields.next(indexSize) != nil, let offset = fields.next(offsetSize),
          let length = fields.next(lengthSize)
        else { return nil }
        let place = place(method: method & 15, base: base, offset: offset, length: length)
        return isWhole && length > place?.count ?? 0 ? nil : place
      }
      let known = places.compactMap(\.self)
      if known.count == places.count { found[id] = known }
    }
    return found
  }

  private func place(
    method: UInt64, base: UInt64, offset: UInt64, length: UInt64
  ) -> Range<Int64>? {
    let whole: Range<Int64>
    switch method {
    case 0: whole = 0..<file.size
    case 1:
      guard let itemData else { return nil }
      whole = itemData
    // The data is in another item.
    default: return nil
    }
    guard let base = Int64(exactly: base), let offset = Int64(exactly: offset),
      let length = Int64(exactly: length)
    else { return nil }
    let (begin, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, begin < Int64(whole.count) else { return nil }
    let start = whole.lowerBound + begin
    // A length of 0 means all of it.
    let rest = whole.upperBound - start
    return start..<start + (length == 0 ? rest : min(length, rest))
  }

  private struct Fields {
    let bytes: ByteView
    var offset: Int

    mutating func next(_ size: Int) -> UInt64? {
      defer { offset += size }
      return bytes.unsigned(at: offset, size: size)
    }
  }
}

extension ByteView {
  /// Returns a number of `size` bytes, at most eight; 0 for no bytes.
  func unsigned(at offset: Int, size: Int) -> UInt64? {
    guard size <= 8, offset >= 0, offset <= count - size else { return nil }
    return (0..<size).reduce(0) { $0 << 8 | UInt64(self[offset + $1] ?? 0) }
  }
}
