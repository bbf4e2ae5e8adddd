import LibAV
import SystemIO

/// A track of a Matroska file, with the facts that libavformat doesn't pass on (RFC 9559, section 5.1.4).
struct MatroskaTrack {
  /// Nil for a kind that libavformat has no streams of.
  var kind: MediaKind?
  /// LanguageBCP47, in place of a language of three letters; nil where none is stated.
  var languageTag: String?

  private static let tracks: UInt32 = 0x1654_AE6B
  private static let cluster: UInt32 = 0x1F43_B675
  /// The limit of elements at the beginning of a segment, above the number in nearly all files.
  private static let elementLimit = 64

  /// Returns the tracks in the file's order; none where they aren't before the samples.
  static func tracks(in source: ByteReader, size: Int64) throws(SystemError) -> [MatroskaTrack] {
    guard let segment = try EBMLElement.segment(of: source) else { return [] }
    var offset = segment.content
    for _ in 0..<elementLimit {
      guard offset < size, let element = try EBMLElement(source, at: offset),
        element.id != cluster, let end = element.end
      else { break }
      if element.id == tracks {
        var found: [MatroskaTrack] = []
        try source.forEachElement(of: element) { (entry) throws(SystemError) in
          if entry.id == 0xAE { found.append(try MatroskaTrack(entry, source)) }
        }
        return found
      }
      offset = end
    }
    return []
  }

  private init(_ entry: EBMLElement, _ source: ByteReader) throws(SystemError) {
    try source.forEachElement(of: entry) { (field) throws(SystemError) in
      let count = Int(min(field.length ?? 0, 64))
      if field.id == 0x83 {
        let type = try source.bytes(at: field.content, count: count).last
        kind = type.flatMap { [0x01: .video, 0x02: .audio, 0x11: .subtitle, 0x21: .subtitle][$0] }
      }
      if field.id == 0x22_B59D {
        let text = try source.bytes(at: field.content, count: count).prefix { $0 != 0 }
        if !text.isEmpty { languageTag = String(decoding: text, as: UTF8.self) }
      }
    }
  }
}

extension ByteReader {
  /// Calls `body` with each element in another one.
  fileprivate func forEachElement(
    of parent: EBMLElement, _ body: (EBMLElement) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard let limit = parent.end else { return }
    var offset = parent.content
    while offset < limit, let element = try EBMLElement(self, at: offset), let end = element.end,
      end <= limit, end > offset
    {
      try body(element)
      offset = end
    }
  }
}
