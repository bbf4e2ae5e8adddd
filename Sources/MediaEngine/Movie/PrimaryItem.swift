import LibAV
import SystemIO

// ISO/IEC 14496-12, 8.11.1 to 8.11.4 and 8.11.11; AVIF, section 6.

/// The picture of a still AVIF file, which is an item of its `meta` box and no sample of a track.
enum PrimaryItem {
  /// Where the picture lies, for a libavformat that doesn't find it by itself
  /// (``Demuxer/misplacesPrimaryItem``); nil of all other files.
  ///
  /// - Throws: `fileFailedToParse` where no place is stated, what reading the source throws, and
  ///   `operationCancelled` once interrupted.
  static func place(
    in source: some ByteSource, interrupt: Interrupt
  ) throws(EngineError) -> Range<Int64>? {
    guard Demuxer.misplacesPrimaryItem else { return nil }
    let items = try mapErrors(.open, path: source.name) { () throws(SystemError) in
      try ItemLocations(in: BoxFile(source, interrupt: interrupt))
    }
    guard let items else { return nil }
    if let place = items.placeOfPrimaryItem { return place }
    throw EngineError(
      .fileFailedToParse,
      "'\(source.name)' is an AVIF file that doesn't state where its picture is",
      hint: "Its boxes 'pitm' and 'iloc' are damaged or don't agree: get the file once more.",
      path: source.name, stage: .open)
  }
}

/// What a still AVIF states of its items.
private struct ItemLocations {
  /// More boxes come before none that matters.
  private static let boxLimit = 100

  private var primary: UInt64?
  private var locations: ByteView?
  /// Where items are that lie in the `meta` box itself.
  private var itemData: Range<Int64>?
  private let fileSize: Int64

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
      default: break
      }
      return true
    }
    if locations == nil { return nil }
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
