import LibAV
import SystemIO

/// The tags of a Matroska file that libavformat doesn't pass on unchanged (RFC 9559, section
/// 5.1.8): bytes, all but the last value of a name, and tags of other tags, whose names it joins.
struct MatroskaTags {
  /// The names of such tags. Those of nested tags follow the ones that they belong to:
  /// "ARTIST/SORT_WITH".
  private(set) var unread: [String] = []
  /// The number of values by target, name and language.
  private var counts: [String: Int] = [:]

  private static let tags: UInt32 = 0x1254_C367
  private static let seekHead: UInt32 = 0x114D_9B74
  private static let cluster: UInt32 = 0x1F43_B675
  private static let simpleTag: UInt32 = 0x67C8
  /// The limit of elements at the beginning of a segment, above the number in nearly all files.
  private static let elementLimit = 64
  /// The maximum number of bytes that are read.
  private static let limit: Int64 = 16 << 20
  private static let depthLimit = 8

  init(in source: ByteReader, size: Int64) throws(SystemError) {
    guard let segment = try EBMLElement.segment(of: source) else { return }
    var places: Set<Int64> = []
    var offset = segment.content
    for _ in 0..<MatroskaTags.elementLimit {
      guard offset < size, let element = try EBMLElement(source, at: offset),
        element.id != MatroskaTags.cluster, let end = element.end
      else { break }
      if element.id == MatroskaTags.tags { places.insert(offset) }
      if element.id == MatroskaTags.seekHead {
        places.formUnion(try MatroskaTags.places(source, in: element).map { segment.content + $0 })
      }
      offset = end
    }
    for place in places.sorted() where place < size {
      guard let element = try EBMLElement(source, at: place), element.id == MatroskaTags.tags,
        let end = element.end, end <= size, element.length ?? .max <= MatroskaTags.limit
      else { continue }
      try MatroskaTags.forEachElement(source, in: element.content..<end) {
        (tag) throws(SystemError) in try read(tag: tag, source)
      }
    }
  }

  /// Returns the offsets of other tags according to a list of elements, relative to the segment's
  /// content.
  private static func places(
    _ source: ByteReader, in list: EBMLElement
  ) throws(SystemError) -> [Int64] {
    guard let end = list.end, list.length ?? .max <= 1 << 16 else { return [] }
    var places: [Int64] = []
    try forEachElement(source, in: list.content..<end) { (seek) throws(SystemError) in
      guard let end = seek.end else { return }
      var id: [UInt8] = []
      var place: [UInt8] = []
      try forEachElement(source, in: seek.content..<end) { (field) throws(SystemError) in
        if field.id == 0x53AB { id = try bytes(source, of: field) }
        if field.id == 0x53AC { place = try bytes(source, of: field) }
      }
      let value = place.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if id == [0x12, 0x54, 0xC3, 0x67], place.count <= 8, value < 1 << 60 {
        places.append(Int64(value))
      }
    }
    return places
  }

  private static func forEachElement(
    _ source: ByteReader, in range: Range<Int64>,
    _ body: (EBMLElement) throws(SystemError) -> Void
  ) throws(SystemError) {
    var offset = range.lowerBound
    while offset < range.upperBound, let element = try EBMLElement(source, at: offset),
      let end = element.end, end <= range.upperBound, end > offset
    {
      try body(element)
      offset = end
    }
  }

  /// Returns the first 4 KiB at most.
  private static func bytes(
    _ source: ByteReader, of element: EBMLElement
  ) throws(SystemError) -> [UInt8] {
    try source.bytes(at: element.content, count: Int(min(element.length ?? 0, 4096)))
  }

  private mutating func read(tag: EBMLElement, _ source: ByteReader) throws(SystemError) {
    guard tag.id == 0x7373, let end = tag.end else { return }
    var target: [UInt8] = []
    var texts: [EBMLElement] = []
    try MatroskaTags.forEachElement(source, in: tag.content..<end) {
      (child) throws(SystemError) in
      if child.id == 0x63C0 { target = try MatroskaTags.bytes(source, of: child) }
      if child.id == MatroskaTags.simpleTag { texts.append(child) }
    }
    for text in texts { try read(simpleTag: text, of: "\(target)", in: "", 0, source) }
  }

  private mutating func read(
    simpleTag: EBMLElement, of target: String, in path: String, _ depth: Int,
    _ source: ByteReader
  ) throws(SystemError) {
    guard let end = simpleTag.end, depth < MatroskaTags.depthLimit else { return }
    var name = ""
    var language = ""
    var isBinary = false
    var nested: [EBMLElement] = []
    try MatroskaTags.forEachElement(source, in: simpleTag.content..<end) {
      (child) throws(SystemError) in
      switch child.id {
      case 0x45A3:
        name = String(decoding: try MatroskaTags.bytes(source, of: child), as: UTF8.self)
      case 0x447A, 0x447B:
        language = String(decoding: try MatroskaTags.bytes(source, of: child), as: UTF8.self)
      case 0x4485: isBinary = true
      case MatroskaTags.simpleTag: nested.append(child)
      default: break
      }
    }
    let full = path + name
    counts["\(target) \(full) \(language)", default: 0] += 1
    let isRepeated = counts["\(target) \(full) \(language)"] ?? 0 > 1
    if isBinary || depth > 0 || isRepeated, !unread.contains(full), unread.count < 1000 {
      unread.append(full)
    }
    for tag in nested { try read(simpleTag: tag, of: target, in: full + "/", depth + 1, source) }
  }
}
