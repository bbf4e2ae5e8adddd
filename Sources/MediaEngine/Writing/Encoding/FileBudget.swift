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
    Int64((end + 0.25) * Double(overhead.tablePacketsPerSecond) * 188)
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
    case .transportPackets:
      let headers = transportHeaders(of: size, isVideo: isVideo, isSync: isSync)
      bytes += (size + headers + 183) / 184 * 188
    }
  }

  /// The maximum size of the headers of a PES packet, of which each sample has one of its own.
  private func transportHeaders(of size: Int64, isVideo: Bool, isSync: Bool) -> Int64 {
    // Parameter sets, and the tables that are repeated at sync samples.
    if isVideo { return isSync ? 1024 : 64 }
    // The headers of PES (19 bytes) and of ADTS (7) or Opus (6, and a byte for each 255), and a clock reference (8).
    return 34 + size / 255
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
