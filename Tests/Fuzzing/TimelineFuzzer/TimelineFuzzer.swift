import FuzzingSupport
import JSONRPC
import MediaTime
import OpenTimelineIO

/// Documents are read or refused; a document that is read has times, and is written as one that is
/// read alike.
@main
enum TimelineFuzzer: Fuzzer {
  private static let rate = Rate(30000, over: 1001)

  static func run(_ input: [UInt8]) {
    guard let document = try? JSONValue(parsing: input),
      let read = try? ReadDocument(document)
    else { return }
    requireTimes(read.timeline)
    let written = read.timeline.document(rate: rate, ownMetadata: read.ownMetadata)
    do throws(DocumentError) {
      let again = try ReadDocument(written)
      requireTimes(again.timeline)
      requireLikeness(again, read)
      try requireSameFromThenOn(again)
    } catch {
      require(false, "\(error) in \(written)")
    }
  }

  private static func requireTimes(_ timeline: EditTimeline) {
    for part in timeline.layers.flatMap(\.parts) {
      // Sums of times that are far apart may be none that can be expressed.
      guard part.target.isValid, part.source.isValid, part.target.end.isNumeric,
        part.source.end.isNumeric
      else { continue }
      require(part.target.duration >= .zero, "a negative duration: \(part)")
      require(part.source.duration >= .zero, "a negative source: \(part)")
      require(part.dissolve >= .zero, "a negative dissolve: \(part)")
      require(part.dissolve <= part.target.duration, "a dissolve is longer: \(part)")
    }
  }

  /// Times are rounded once; after that nothing changes.
  private static func requireSameFromThenOn(_ read: ReadDocument) throws(DocumentError) {
    let written = read.timeline.document(rate: rate)
    let again = try ReadDocument(written)
    require(again.timeline == read.timeline, "\(read.timeline), then \(again.timeline)")
  }

  private static func requireLikeness(_ again: ReadDocument, _ read: ReadDocument) {
    require(again.ownMetadata == read.ownMetadata, "other metadata: \(again.ownMetadata as Any)")
    require(again.timeline.name == read.timeline.name, "another name: \(again.timeline.name)")
  }
}
