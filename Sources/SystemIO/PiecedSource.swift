/// A source composed of parts of another source and of bytes in memory, one after the other.
package final class PiecedSource: ByteSource {
  package enum Piece: Sendable {
    case bytes([UInt8])
    /// A range of the source.
    case range(Range<Int64>)

    var count: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .range(let range): Int64(range.count)
      }
    }
  }

  private let source: any ByteSource
  private let pieces: [Piece]
  /// The start of each piece, and after them the end.
  private let starts: [Int64]

  package init(_ source: any ByteSource, _ pieces: [Piece]) {
    self.source = source
    self.pieces = pieces
    starts = pieces.reduce(into: [0]) { starts, piece in
      starts.append(starts[starts.count - 1] + piece.count)
    }
  }

  package var name: String { source.name }
  package var size: Int64 { starts[starts.count - 1] }
  package var identity: FileIdentity? { source.identity }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    // The last piece that begins at the offset or before it, and isn't empty.
    var (low, high) = (0, pieces.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let within = offset - starts[low]
    let count = Int(min(Int64(buffer.count), starts[low + 1] - offset))
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count))
    switch pieces[low] {
    case .bytes(let bytes):
      unsafe target.copyBytes(from: bytes[Int(within)..<Int(within) + count])
      return count
    case .range(let range):
      return try unsafe source.read(
        into: target, at: range.lowerBound + within, interrupt: interrupt)
    }
  }
}
