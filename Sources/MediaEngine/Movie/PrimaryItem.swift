import LibAV
import SystemIO

// ISO/IEC 14496-12, 8.11.1 to 8.11.4 and 8.11.11; ISO/IEC 23008-12, 9.3; AVIF, section 6.

extension PrimaryItem {
  /// The picture of a still AVIF file, which is an item of its `meta` box and no sample of a track; nil of
  /// all other files.
  ///
  /// - Throws: `fileFailedToParse` where no place is stated for a libavformat that needs it
  ///   (``Demuxer/misplacesPrimaryItem``), what reading the source throws, and `operationCancelled` once
  ///   interrupted.
  static func read(
    from source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> PrimaryItem? {
    let items = try mapErrors(.open, path: source.name) { () throws(SystemError) in
      try ItemBoxes(in: BoxFile(source, interrupt: interrupt))
    }
    guard let items else { return nil }
    let place = Demuxer.misplacesPrimaryItem ? items.placeOfPrimaryItem : nil
    if Demuxer.misplacesPrimaryItem, place == nil {
      throw EngineError(
        .fileFailedToParse,
        "'\(source.name)' is an AVIF file that doesn't state where its picture is",
        hint: "Its boxes 'pitm' and 'iloc' are damaged or don't agree: get the file once more.",
        path: source.name, stage: .open)
    }
    return items.primary.map { number in
      let turn = AffineTransform(items.orientationOfPrimaryItem, of: Size(width: 0, height: 0))
      return PrimaryItem(number: number, place: place, displayMatrix: turn.displayMatrix)
    }
  }
}

/// What a still AVIF states of its items.
private struct ItemBoxes {
  /// More boxes come before none that matters.
  private static let boxLimit = 100

  /// `irot` counts quarters anticlockwise; `imir` exchanges top and bottom by 0, left and right by 1
  /// (ISO/IEC 23008-12:2022, 6.5.10 and 6.5.12).
  private static let rotations: [Orientation] = [.up, .rotated270, .rotated180, .rotated90]
  private static let mirrorings: [Orientation] = [.mirroredRotated180, .mirrored]

  private(set) var primary: UInt64?
  private var locations: ByteView?
  /// Where items are that lie in the `meta` box itself.
  private var itemData: Range<Int64>?
  private let fileSize: Int64
  /// The turns and mirrorings among the properties, by their numbers, which count from 1.
  private var turns: [Int: Orientation] = [:]
  private var associations: [ByteView] = []

  /// - Returns: nil for what isn't a still AVIF to libavformat: by its brand, or as a movie comes first.
  init?(in file: BoxFile) throws(SystemError) {
    guard file.size >= 12 else { return nil }
    let start = try file.peek(at: 0, count: 12)
    guard start.fourCC(at: 4) == "ftyp", start.fourCC(at: 8) == "avif" else { return nil }
    fileSize = file.size
    var meta: FileBox?
    var count = 0
    try file.forEachBox(in: 0..<file.size) { (box) throws(SystemError) in
      count += 1
      if box.type == "meta" { meta = box }
      return meta == nil && box.type != "moov" && count < Self.boxLimit
    }
    guard let meta else { return nil }
    let children = min(meta.payload.lowerBound + 4, meta.payload.upperBound)
    try file.forEachBox(in: children..<meta.payload.upperBound) { (box) throws(SystemError) in
      switch box.type {
      case "pitm":
        guard primary == nil, let payload = try file.load(box, limit: 64) else { break }
        primary = payload.unsigned(at: 4, size: payload.uint8(at: 0) == 0 ? 2 : 4)
      case "iloc":
        if locations == nil { locations = try file.load(box, limit: 1 << 20) ?? ByteView([]) }
      case "idat":
        if itemData == nil { itemData = box.payload }
      case "iprp":
        try file.forEachBox(in: box.payload) { (box) throws(SystemError) in
          try readProperties(box, file)
          return true
        }
      default: break
      }
      return true
    }
    if locations == nil { return nil }
  }

  private mutating func readProperties(_ box: FileBox, _ file: BoxFile) throws(SystemError) {
    switch box.type {
    case "ipco":
      guard turns.isEmpty else { break }
      var number = 0
      try file.forEachBox(in: box.payload) { (property) throws(SystemError) in
        number += 1
        guard property.type == "irot" || property.type == "imir" else { return true }
        let value = Int(try file.load(property, limit: 8)?.uint8(at: 0) ?? 0)
        turns[number] =
          property.type == "irot" ? Self.rotations[value & 3] : Self.mirrorings[value & 1]
        return true
      }
    case "ipma":
      if let payload = try file.load(box, limit: 1 << 20) { associations.append(payload) }
    default: break
    }
  }

  /// Its turns and mirrorings, one after the other as they are associated with it.
  var orientationOfPrimaryItem: Orientation {
    guard let primary, !turns.isEmpty else { return .up }
    for bytes in associations {
      let idSize = bytes.uint8(at: 0) == 0 ? 2 : 4
      // One bit is set where the property is essential.
      let isWide = (bytes.uint8(at: 3) ?? 0) & 1 == 1
      let size = isWide ? 2 : 1
      var fields = Fields(bytes: bytes, offset: 8)
      for _ in 0..<(bytes.uint32(at: 4) ?? 0) {
        guard let id = fields.next(idSize), let count = fields.next(1) else { break }
        guard id == primary else {
          fields.offset += Int(count) * size
          continue
        }
        return (0..<count).reduce(.up) { orientation, _ in
          let property = Int((fields.next(size) ?? 0) & (isWide ? 0x7FFF : 0x7F))
          return turns[property].map(orientation.followed) ?? orientation
        }
      }
    }
    return .up
  }

  /// Nil where none is stated; of several extents, which libavformat refuses, the first.
  var placeOfPrimaryItem: Range<Int64>? {
    guard let primary, let locations, let version = locations.uint8(at: 0),
      let sizes = locations.uint16(at: 4)
    else { return nil }
    let (offsetSize, lengthSize) = (Int(sizes >> 12), Int(sizes >> 8 & 15))
    let (baseSize, indexSize) = (Int(sizes >> 4 & 15), version == 0 ? 0 : Int(sizes & 15))
    let idSize = version < 2 ? 2 : 4
    var fields = Fields(bytes: locations, offset: 6)
    guard let count = fields.next(idSize) else { return nil }
    for _ in 0..<count {
      guard let id = fields.next(idSize), let method = fields.next(version == 0 ? 0 : 2),
        fields.next(2) != nil, let base = fields.next(baseSize), let extents = fields.next(2)
      else { return nil }
      if id == primary, extents > 0 {
        guard fields.next(indexSize) != nil, let offset = fields.next(offsetSize),
          let length = fields.next(lengthSize)
        else { return nil }
        return place(method: method & 15, base: base, offset: offset, length: length)
      }
      // Not one by one: they may be of no bytes.
      fields.offset += Int(extents) * (indexSize + offsetSize + lengthSize)
    }
    return nil
  }

  private func place(
    method: UInt64, base: UInt64, offset: UInt64, length: UInt64
  ) -> Range<Int64>? {
    let whole: Range<Int64>
    switch method {
    case 0: whole = 0..<fileSize
    case 1:
      guard let itemData else { return nil }
      whole = itemData
    // In another item.
    default: return nil
    }
    guard let base = Int64(exactly: base), let offset = Int64(exactly: offset),
      let length = Int64(exactly: length)
    else { return nil }
    let (begin, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, begin < Int64(whole.count) else { return nil }
    let start = whole.lowerBound + begin
    // None means all there is.
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
  /// A number of `size` bytes, at most eight; 0 of none.
  fileprivate func unsigned(at offset: Int, size: Int) -> UInt64? {
    guard size <= 8, offset >= 0, offset <= count - size else { return nil }
    return (0..<size).reduce(0) { $0 << 8 | UInt64(self[offset + $1] ?? 0) }
  }
}
