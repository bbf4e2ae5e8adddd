/// Parts of a file that are held in memory, for all demuxers of it: the headers of a movie's fragments, of which each
/// demuxer reads all.
package struct HeaderBytes: Sendable {
  /// The maximum number of bytes that are held. Parts beyond it are read from the file.
  private static let limit = 32 << 20

  private struct Part {
    var offset: Int64
    /// The place of its bytes in ``bytes``.
    var range: Range<Int>
    var end: Int64 { offset + Int64(range.count) }
  }

  /// In the order of the file, and apart from each other.
  private var parts: [Part] = []
  private var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { parts.isEmpty }

  /// Appends a part, which begins at or after the end of the last one, or within it. A part beyond the limit isn't held.
  package mutating func append(_ part: [UInt8], at offset: Int64) {
    var new = part[...]
    if let last = parts.last {
      guard offset >= last.offset else { return }
      new = new.dropFirst(Int(clamping: max(0, last.end - offset)))
    }
    guard !new.isEmpty, bytes.count + new.count <= HeaderBytes.limit else { return }
    let start = offset + Int64(part.count - new.count)
    let range = bytes.count..<bytes.count + new.count
    bytes += new
    if let last = parts.last, last.end == start {
      parts[parts.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      parts.append(Part(offset: start, range: range))
    }
  }

  /// Copies bytes into a buffer.
  ///
  /// - Parameter position: the position of the first byte in the file.
  /// - Returns: the number of bytes, which may be fewer than there is room for; 0 if the first one isn't held.
  func copy(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    guard low < parts.count, parts[low].offset <= position else { return 0 }
    let part = parts[low]
    let start = part.range.lowerBound + Int(position - part.offset)
    let count = min(buffer.count, part.range.upperBound - start)
    unsafe buffer.copyBytes(from: bytes[start..<start + count])
    return count
  }
}
