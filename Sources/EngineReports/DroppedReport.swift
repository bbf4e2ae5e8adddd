import EngineProtocol
import Terminal

/// The items that an export has left out, for a person.
package enum DroppedReport {
  /// `  left out: metadata itsk/©nam, itsk/©ART: the file can't hold it`: a line for all that is left out of a track for
  /// one reason.
  ///
  /// - Parameter listsPrograms: true if the names of the programs that made the source are listed, and the brands of its
  ///   container, in place of which the new file has its own.
  package static func lines(
    _ dropped: [WireDropped], listsPrograms: Bool = false
  ) -> [String] {
    var lines: [(subject: Subject, keys: [String])] = []
    for each in dropped where listsPrograms || !isProgram(each) {
      let subject = Subject(each)
      let keys = each.key.map { [$0.printable] } ?? []
      if !keys.isEmpty, let place = lines.firstIndex(where: { $0.subject == subject }) {
        lines[place].keys += keys
      } else {
        lines.append((subject, keys))
      }
    }
    return lines.map { $0.subject.line($0.keys) }
  }

  /// All but the key of an item.
  private struct Subject: Equatable {
    var item: WireDroppedItem
    var trackID: Int32?
    var mediaType: WireMediaType?
    var reason: String
    var stays: Bool

    init(_ dropped: WireDropped) {
      (item, trackID, mediaType) = (dropped.item, dropped.trackID, dropped.mediaType)
      reason = dropped.reason
      stays = dropped.stays == true
    }

    func line(_ keys: [String]) -> String {
      var what = DroppedReport.name(item)
      if !keys.isEmpty { what += " \(keys.joined(separator: ", "))" }
      if let trackID {
        let track = "track \(trackID) (\(mediaType?.rawValue ?? "unknown"))"
        what = item == .track ? track : "\(what) of \(track)"
      }
      let label = stays ? "stays" : "left out"
      return "  \(label): \(what): \(reason.printable)"
    }
  }

  /// The keys of programs' names and of brands, without their key spaces.
  private static let programs: Set = [
    "©enc", "©too", "©swr", "encoder", "writingapp", "muxingapp", "tsse", "isft", "major_brand",
    "minor_version", "compatible_brands",
  ]

  private static func isProgram(_ dropped: WireDropped) -> Bool {
    guard dropped.item == .metadata, dropped.stays != true, let key = dropped.key else {
      return false
    }
    let name = key.split(separator: "/").last.map(String.init) ?? key
    return programs.contains(name.lowercased())
  }

  /// `damaged samples` of `damagedSamples`.
  private static func name(_ item: WireDroppedItem) -> String {
    switch item {
    case .hdr: return "HDR metadata"
    case .alpha: return "the alpha channel"
    case .trackName: return "the name"
    default:
      return item.rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
  }
}
