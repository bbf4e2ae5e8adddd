import LibAV

/// How long a file becomes at most by what has been put into it, its tables and its end included.
struct FileBudget {
  let limit: Int64
  private let fileType: FileType
  private let trackCount: Int
  /// All but what a transport stream repeats by the clock.
  private var bytes: Int64
  /// In seconds, from the start of the file.
  private var end = 0.0
  private var runs: [Int: Run] = [:]

  /// What QuickTime's tables write once for many samples, as long as it stays the same.
  private struct Run {
    var dts: Int64?
    var distance: Int64?
    var offset: Int64?
  }

  /// - Parameters:
  ///   - header: what is in the file already.
  ///   - metadata: what is written beside the samples, in bytes.
  init(limit: Int64, fileType: FileType, trackCount: Int, header: Int64, metadata: Int) {
    self.limit = limit
    self.fileType = fileType
    self.trackCount = trackCount
    let tail =
      fileType.isISOBMFF
      ? 2048 + 1500 * trackCount + 2 * metadata
      : fileType.isMatroska ? 1024 + 160 * trackCount : 2048 + (fileType.isOgg ? 2 * metadata : 0)
    bytes = header + Int64(tail)
  }

  var used: Int64 { bytes + (fileType.name == "ts" ? FileBudget.tables(until: end) : 0) }
  var isExceeded: Bool { used > limit }

  /// PAT and PMT ten times a second, SDT twice (mpegtsenc.c).
  private static func tables(until end: Double) -> Int64 { Int64((end + 0.5) * 25 * 188) }

  mutating func add(_ packet: borrowing Packet, isVideo: Bool, end: Double) {
    self.end = max(self.end, end)
    let size = Int64(packet.size)
    let isSync = isVideo && packet.isKey
    switch fileType.muxer {
    case _ where fileType.isISOBMFF: bytes += size + tableEntries(packet, isVideo: isVideo)
    // A block's header, or a group with its duration; at sync samples a cluster and a cue.
    case _ where fileType.isMatroska: bytes += size + (isSync ? 108 : 18)
    case _ where fileType.isOgg: bytes += size + size / 255 + 8
    // Audio is packed into units of three kilobytes, pictures have one each, with parameter sets.
    case "mpegts":
      bytes += isVideo ? (size + (isSync ? 1024 : 64) + 183) / 184 * 188 : size + size / 9 + 16
    default: bytes += size + 32
    }
  }

  private mutating func tableEntries(_ packet: borrowing Packet, isVideo: Bool) -> Int64 {
    // The size; the chunk and how many samples it has; whether others refer to it; sync samples.
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
