import EngineProtocol
import Terminal

/// What an export has left out, for a person.
package enum DroppedReport {
  /// `  left out: track 3 (subtitle): the file can't hold it`.
  package static func line(_ dropped: WireDropped) -> String {
    var what = name(dropped.item)
    if let key = dropped.key { what += " \(key.printable)" }
    if let trackID = dropped.trackID {
      let track = "track \(trackID) (\(dropped.mediaType?.rawValue ?? "unknown"))"
      what = dropped.item == .track ? track : "\(what) of \(track)"
    }
    return "  left out: \(what): \(dropped.reason.printable)"
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
