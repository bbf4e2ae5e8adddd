/// How many bytes a container takes beside its samples.
struct ContainerOverhead: Sendable {
  // For estimates: what files have on average.

  /// In bytes, without metadata.
  var typicalHeader: Int64 = 100
  /// What tables or headers take for a sample, in bytes.
  var typicalPerSample: Int64 = 4

  // For limits: what files have at most.

  /// What is written after the last packet, in bytes.
  var maximumTail = 2048
  /// Of that, for each track.
  var maximumTailPerTrack = 0
  /// How many times the metadata is written there.
  var metadataCopiesInTail = 0
  var packets = Packets.fixed(32)
  /// Packets of 188 bytes a second that repeat the tables of a transport stream: PAT and PMT ten times,
  /// SDT twice, in mpegtsenc.c.
  var tablePacketsPerSecond = 0

  /// What is written about each packet, at most.
  enum Packets: Sendable {
    /// As many bytes for each.
    case fixed(Int64)
    /// Entries in a movie's sample tables.
    case sampleTables
    /// As many bytes for each, and as many for sync samples of video.
    case blocks(Int64, atSyncSample: Int64)
    /// Ogg's segment tables (RFC 3533, section 6).
    case pages
    /// PES packets in transport packets (ISO/IEC 13818-1).
    case transportPackets
  }

  static let movie = ContainerOverhead(
    typicalHeader: 4096, typicalPerSample: 12, maximumTailPerTrack: 1500, metadataCopiesInTail: 2,
    packets: .sampleTables)
  /// A block's header, or a group with its duration; at sync samples a cluster and a cue.
  static let matroska = ContainerOverhead(
    typicalHeader: 4096, typicalPerSample: 10, maximumTail: 1024, maximumTailPerTrack: 160,
    packets: .blocks(18, atSyncSample: 108))
  static let ogg = ContainerOverhead(metadataCopiesInTail: 2, packets: .pages)
  static let transportStream = ContainerOverhead(
    typicalPerSample: 100, packets: .transportPackets, tablePacketsPerSecond: 25)
}
