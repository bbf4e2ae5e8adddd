import LibAV

/// The numbers of cues of WebVTT with parts that no other text codec has (W3C WebVTT, 4.2 and 4.3).
struct WebVTTCueParts {
  private var identifiers = 0
  private var settings = 0
  private var voices = 0
  private var marks = 0

  /// Tags that are neither italic, bold nor underlined text, nor voices.
  private static let tags: Set = ["c", "lang", "ruby", "rt"]

  /// Counts the parts of a cue; none for a packet of another codec.
  ///
  /// - Parameter isWebVTT: true if its payload is WebVTT's.
  mutating func count(_ packet: borrowing Packet, isWebVTT: Bool) {
    guard isWebVTT else { return }
    // Numbers are the cues' places, which SubRip counts anew.
    if let identifier = packet.cueIdentifier, !identifier.allSatisfy(\.isNumber) {
      identifiers += 1
    }
    if packet.cueSettings != nil { settings += 1 }
    let names = Self.tagNames(of: packet.bytes)
    if names.contains("v") { voices += 1 }
    if names.contains(where: { Self.tags.contains($0) || $0.first?.isNumber == true }) {
      marks += 1
    }
  }

  /// Those that occur, with the number of cues.
  var counts: [(key: String, name: String, count: Int)] {
    [
      ("identifier", "identifiers", identifiers),
      ("settings", "settings of their place, size or alignment", settings),
      ("voice", "names of speakers", voices),
      ("markup", "classes, languages, ruby text or times within the text", marks),
    ].filter { $0.count > 0 }
  }

  /// The names of the start tags in a payload; of a timestamp its first digits.
  private static func tagNames(of payload: [UInt8]) -> [String] {
    let tags = String(decoding: payload, as: UTF8.self).split(
      separator: "<", omittingEmptySubsequences: false)
    return tags.dropFirst().map { String($0.prefix { $0.isLetter || $0.isNumber }) }
  }
}
