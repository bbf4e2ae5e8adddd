import LibAV

/// An upper bound of the bytes that a track's packets take in the complete index of a ``HybridMovie``.
struct MovieIndexBound {
  /// The boxes of a track beyond those of a movie in fragments: the headers of the tables, edits, and times of 8 bytes.
  static let fixedPerTrack = 400
  /// The fields of a run of samples that a chunk may begin and end, its position, and its number of samples.
  static let perChunk = 36
  /// The entries of a track whose decoding begins some time before a sample, at a change of that distance.
  private static let perRoll = 64

  private var samples = 0
  private var entries = 0
  private var last: (dts: Int64?, distance: Int64?, offset: Int64?)

  /// The bytes of the packets so far, in that number of chunks.
  func bytes(of traits: PlainMovieHeader.TrackTraits, chunks: Int) -> Int {
    var perChunk = Self.perChunk
    if case .time? = traits.roll { perChunk += Self.perRoll }
    return entries + chunks * perChunk + Self.fixedPerTrack
  }

  mutating func add(_ packet: borrowing Packet, _ traits: PlainMovieHeader.TrackTraits) {
    // The size; and of video the dependencies and the number of a sync sample.
    entries += 4
    if traits.isVideo { entries += packet.isKey ? 5 : 1 }
    let distance = last.dts.flatMap { last in packet.dts.map { $0 &- last } }
    if distance == nil || distance != last.distance {
      entries += 8
      if case .time? = traits.roll { entries += Self.perRoll }
    }
    let offset = packet.pts.flatMap { pts in packet.dts.map { pts &- $0 } }
    if traits.isVideo, offset != last.offset { entries += 8 }
    last = (packet.dts, distance, offset)
  }
}
