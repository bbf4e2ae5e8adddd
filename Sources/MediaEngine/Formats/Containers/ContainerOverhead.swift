/// The number of bytes that a container uses in addition to its samples.
struct ContainerOverhead: Sendable {
  // For estimates: averages of files.

  /// The typical size of the header in bytes, without metadata.
  var typicalHeader: Int64 = 100
  /// The size of tables or headers for a sample, in bytes.
  var typicalPerSample: Int64 = 4

  // For limits: maximums of files.

  /// The size of the data after the last packet, in bytes.
  var maximumTail = 2048
  /// The part of it for each track.
  var maximumTailPerTrack = 0
  /// The number of times that it contains the metadata.
  var metadataCopiesInTail = 0
  var packets = Packets.fixed(32)
  /// The number of packets of 188 bytes per second that repeat the tables of a transport stream:
  /// PAT and PMT ten times, SDT twice, in mpegtsenc.c.
  var tablePacketsPerSecond = 0

  /// The maximum size of the data for each packet.
  enum Packets: Sendable {
    /// The same number of bytes for each packet.
    case fixed(Int64)
    /// Entries in a movie's sample tables.
    case sampleTables
    /// A number of bytes for each packet, and another for sync samples of video.
    case blocks(Int64, atSyncSample: Int64)
    /// Ogg's segment tables (RFC 3533, section 6).
    case pages
    /// PES packets in transport packets (ISO/IEC 13818-1).
    case transportPackets
  }

  static let movie = ContainerOverhead(
    typicalHeader: 4096, typicalPerSample: 12, maximumTailPerTrack: 1500, metadataCopiesInTail: 2,
    packets: .sampleTables)
  /// The header of a block, or a group with its duration; at sync samples a cluster and a cue.
  static let matroska = ContainerOverhead(
    typicalHeader: 4096, typicalPerSample: 10, maximumTail: 1024, maximumTailPerTrack: 160,
    packets: .blocks(18, atSyncSample: 108))
  /// Frames one after the other; those of AAC have headers of at most nine bytes (ADTS).
  static let frames = ContainerOverhead(packets: .fixed(0))
  static let framesWithHeaders = ContainerOverhead(packets: .fixed(9))
  static let ogg = ContainerOverhead(metadataCopiesInTail: 2, packets: .pages)
  static let transportStream = ContainerOverhead(
    typicalPerSample: 100, packets: .transportPackets, tablePacketsPerSecond: 25)
}
