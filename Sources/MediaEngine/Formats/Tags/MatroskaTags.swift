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
  private static let simpleTag: UInt32 = 0x67C8
  /// The maximum number of bytes that are read.
  private static let limit: Int64 = 16 << 20
  private static let depthLimit = 8

  init(in source: ByteReader, size: Int64) throws(SystemError) {
    guard let segment = try EBMLElement.segment(of: source) else { return }
    var places: Set<Int64> = []
    try segment.forEachHeaderElement(in: source, size: size) { (element) throws(SystemError) in
      if element.id == MatroskaTags.tags { places.insert(element.offset) }
      if element.id == EBMLElement.seekHead {
        places.formUnion(
          try element.positions(ofElements: MatroskaTags.tags, in: source).map {
            segment.content + $0
          })
      }
      return true
    }
    for place in places.sorted() where place < size {
      guard let element = try EBMLElement(source, at: place), element.id == MatroskaTags.tags,
        let end = element.end, end <= size, element.length ?? .max <= MatroskaTags.limit
      else { continue }
      try element.forEachChild(in: source) { (tag) throws(SystemError) in
        try read(tag: tag, source)
      }
    }
  }

  /// Returns the first 4 KiB at most.
  private static func bytes(
    _ source: ByteReader, of element: EBMLElement
  ) throws(SystemError) -> [UInt8] {
    try source.bytes(at: element.content, count: Int(min(element.length ?? 0, 4096)))
  }

  private mutating func read(tag: EBMLElement, _ source: ByteReader) throws(SystemError) {
    guard tag.id == 0x7373 else { return }
    var target: [UInt8] = []
    var texts: [EBMLElement] = []
    try tag.forEachChild(in: source) { (child) throws(SystemError) in
      if child.id == 0x63C0 { target = try MatroskaTags.bytes(source, of: child) }
      if child.id == MatroskaTags.simpleTag { texts.append(child) }
    }
    for text in texts { try read(simpleTag: text, of: "\(target)", in: "", 0, source) }
  }

  private mutating func read(
    simpleTag: EBMLElement, of target: String, in path: String, _ depth: Int,
    _ source: ByteReader
  ) throws(SystemError) {
    guard depth < MatroskaTags.depthLimit else { return }
    var name = ""
    var language = ""
    var isBinary = false
    var nested: [EBMLElement] = []
    try simpleTag.forEachChild(in: source) { (child) throws(SystemError) in
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
