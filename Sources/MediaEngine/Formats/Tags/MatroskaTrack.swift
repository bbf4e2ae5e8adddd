import LibAV
import SystemIO

/// A track of a Matroska file, with the facts that libavformat doesn't pass on (RFC 9559, section 5.1.4).
struct MatroskaTrack {
  /// Nil for a kind that libavformat has no streams of.
  var kind: MediaKind?
  /// LanguageBCP47, in place of a language of three letters; nil where none is stated.
  var languageTag: String?

  private static let tracks: UInt32 = 0x1654_AE6B

  /// Returns the tracks in the file's order; none where they aren't before the samples.
  static func tracks(in source: ByteReader, size: Int64) throws(SystemError) -> [MatroskaTrack] {
    var found: [MatroskaTrack] = []
    try EBMLElement.segment(of: source)?.forEachHeaderElement(in: source, size: size) {
      (element) throws(SystemError) in
      guard element.id == tracks else { return true }
      try element.forEachChild(in: source) { (entry) throws(SystemError) in
        if entry.id == 0xAE { found.append(try MatroskaTrack(entry, source)) }
      }
      return false
    }
    return found
  }

  private init(_ entry: EBMLElement, _ source: ByteReader) throws(SystemError) {
    try entry.forEachChild(in: source) { (field) throws(SystemError) in
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
