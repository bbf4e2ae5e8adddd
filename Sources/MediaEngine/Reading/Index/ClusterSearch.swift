import SystemIO

/// Finds the clusters of a Matroska file that has no cues, as recorders leave it, by bisection (RFC 9559,
/// section 5.1.3).
struct ClusterSearch {
  struct Cluster: Hashable {
    /// In ticks of the file, as its tracks' usually are.
    var time: Int64
    /// Of its first byte in the file.
    var position: Int64
  }

  let file: any ByteSource
  /// In bytes.
  let size: Int64
  let interrupt: Interrupt

  private static let id: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
  /// The number of positions at which the file is probed, to see whether its time stamps ascend.
  private static let probeCount: Int64 = 16
  /// Bisection ends where less than this is left, in bytes.
  private static let resolution: Int64 = 1 << 20

  /// Returns the first cluster that begins at a position or after it.
  func cluster(from place: Int64) throws(SystemError) -> Cluster? {
    var place = place
    while let found = try file.position(of: ClusterSearch.id, from: place, interrupt: interrupt) {
      let head = try file.bytes(at: found + 4, count: 64, interrupt: interrupt)
      if let time = ClusterSearch.time(head[...]) { return Cluster(time: time, position: found) }
      place = found + 1
    }
    return nil
  }

  /// Returns the last cluster that begins no later than a time, and the next one, as near as
  /// bisection gets.
  ///
  /// - Parameter range: the positions in the file that are examined; nil for all.
  func clusters(
    around time: Int64, in range: Range<Int64>? = nil
  ) throws(SystemError) -> [Cluster] {
    var (low, high) = (range?.lowerBound ?? 0, range?.upperBound ?? size)
    var before: Cluster?
    var after: Cluster?
    while high - low > ClusterSearch.resolution {
      let middle = low + (high - low) / 2
      let found = try cluster(from: middle)
      if let found, found.position < high, found.time <= time {
        before = found
        low = found.position + 1
      } else {
        if let found, found.time > time { after = found }
        high = middle
      }
    }
    return [before, after].compactMap(\.self)
  }

  /// Returns true if the times of clusters ascend all through the file, as far as a few probes can
  /// show.
  func timesAscend() throws(SystemError) -> Bool {
    var last: Cluster?
    for probe in 0..<ClusterSearch.probeCount {
      let found = try cluster(from: size / ClusterSearch.probeCount * probe)
      if let last, let found, found != last, found.time <= last.time { return false }
      last = found ?? last
    }
    return last != nil
  }

  /// Returns the timestamp, which is among the first elements.
  ///
  /// - Parameter bytes: the bytes after a cluster's ID.
  private static func time(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var rest = bytes
    guard number(&rest) != nil else { return nil }
    // CRC-32, Void, Position and PrevSize may come first.
    while let id = rest.popFirst(), [0xE7, 0xBF, 0xEC, 0xA7, 0xAB].contains(id) {
      guard let length = number(&rest), length <= rest.count else { return nil }
      let content = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      guard id == 0xE7 else { continue }
      return length <= 8 ? Int64(exactly: content.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) : nil
    }
    return nil
  }

  /// Returns a length (RFC 8794, section 4).
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    guard let first = bytes.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard bytes.count >= length else { return nil }
    let value = bytes.prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    bytes = bytes.dropFirst(length)
    return value & (1 << (7 * length) - 1)
  }
}
