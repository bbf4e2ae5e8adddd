import LibAV

/// The maximum length of a file with the packets that have been written to it, its tables and its end included.
struct FileBudget {
  let limit: Int64
  private let overhead: ContainerOverhead
  private let trackCount: Int
  /// All bytes but the tables that a transport stream repeats by the clock.
  private var bytes: Int64
  /// The end in seconds, from the start of the file.
  private var end = 0.0
  private var runs: [Int: Run] = [:]

  /// The values that QuickTime's tables write once for many samples, as long as they stay the same.
  private struct Run {
    var dts: Int64?
    var distance: Int64?
    var offset: Int64?
  }

  /// - Parameters:
  ///   - header: the bytes that the file has already.
  ///   - metadata: the bytes of its metadata, in addition to the samples.
  init(limit: Int64, fileType: FileType, trackCount: Int, header: Int64, metadata: Int) {
    self.limit = limit
    overhead = fileType.format.overhead
    self.trackCount = trackCount
    let tail =
      overhead.maximumTail + overhead.maximumTailPerTrack * trackCount
      + overhead.metadataCopiesInTail * metadata
    bytes = header + Int64(tail)
  }

  var used: Int64 { bytes + (overhead.tablePacketsPerSecond > 0 ? tables : 0) }
  var isExceeded: Bool { used > limit }

  /// The bytes of the tables that are repeated by the clock.
  private var tables: Int64 {
    Int64((end + 0.5) * Double(overhead.tablePacketsPerSecond) * 188)
  }

  mutating func add(_ packet: borrowing Packet, isVideo: Bool, end: Double) {
    self.end = max(self.end, end)
    let size = Int64(packet.size)
    let isSync = isVideo && packet.isKey
    switch overhead.packets {
    case .fixed(let count): bytes += size + count
    case .sampleTables: bytes += size + tableEntries(packet, isVideo: isVideo)
    case .blocks(let count, let atSyncSample): bytes += size + (isSync ? atSyncSample : count)
    case .pages: bytes += size + size / 255 + 8
    // Audio is packed into units of three kilobytes; video frames have one each, with parameter sets.
    case .transportPackets:
      bytes += isVideo ? (size + (isSync ? 1024 : 64) + 183) / 184 * 188 : size + size / 9 + 16
    }
  }

  private mutating func tableEntries(_ packet: borrowing Packet, isVideo: Bool) -> Int64 {
    // The size; the chunk and its number of samples; the flag for other samples' references; sync samples.
    var entries: Int64 = 4 + (trackCount > 1 ? 20 : 1)
    if isVideo { entries += 1 + (packet.isKey ? 4 : 0) }
    var run = runs[packet.streamIndex] ?? Run()
    let distance = run.dts.flatMap { last in packet.dts.map { $0 &- last } }
    if distance == nil || distance != run.distance { entries += 8 }
    let offset = packet.pts.flatMap { pts in packet.dts.map { pts &- $0 } }
    if offset != run.offset { entries += 8 }
    run = Run(dts: packet.dts, distance: distance, offset: offset)
    runs[packet.streamIndex] = run
    return entries
  }
}

extension EngineError {
  /// Not even the first samples fit.
  static func fileTooLong(path: String, limit: Int64) -> EngineError {
    EngineError(
      .maximumFileSizeReached,
      "Can't write '\(path)': its first samples take more than the \(limit) bytes that it may have",
      advice: .raiseFileLengthLimit, path: path, stage: .write)
  }
}
