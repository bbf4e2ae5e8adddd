internal import CSystem

/// Bytes that a demuxer reads: a file, or a test's double of one.
///
/// Reads carry their own offset, so any number of demuxers share one source.
package protocol ByteSource: AnyObject, Sendable {
  /// What error messages call it.
  var name: String { get }
  /// In bytes.
  var size: Int64 { get throws(SystemError) }
  /// Which file it is; nil where it is none.
  var identity: FileIdentity? { get }
  /// Fills `buffer` from `offset` on and returns how much was filled, 0 at the end.
  ///
  /// A source that waits for its bytes gives up with `interrupted` once `interrupt` is triggered.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int
}

extension ByteSource {
  package var identity: FileIdentity? { nil }

  /// Where some bytes begin that are looked for from `offset` on; nil where the source ends without them.
  package func position(
    of wanted: [UInt8], from offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int64? {
    var offset = offset
    while true {
      try interrupt.check(.search)
      let bytes = try bytes(at: offset, count: 256 << 10, interrupt: interrupt)
      let place = unsafe bytes.withUnsafeBytes { bytes in
        unsafe rw_find(bytes.baseAddress, bytes.count, wanted, wanted.count)
      }
      if place >= 0 { return offset + Int64(place) }
      guard bytes.count > wanted.count else { return nil }
      // They may lie across the end of what was read.
      offset += Int64(bytes.count - wanted.count + 1)
    }
  }

  /// The `count` bytes from `offset` on, fewer where the source ends.
  package func bytes(
    at offset: Int64, count: Int, interrupt: Interrupt
  ) throws(SystemError) -> [UInt8] {
    try unsafe readBytes(count: count, at: offset) { (buffer, offset) throws(SystemError) in
      try unsafe read(into: buffer, at: offset, interrupt: interrupt)
    }
  }
}

/// A source, and what ends waiting for its bytes.
package struct ByteReader: Sendable {
  private let source: any ByteSource
  private let interrupt: Interrupt

  package init(_ source: any ByteSource, interrupt: Interrupt) {
    self.source = source
    self.interrupt = interrupt
  }

  /// The `count` bytes from `offset` on, fewer where the source ends.
  package func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    try source.bytes(at: offset, count: count, interrupt: interrupt)
  }
}

/// The `count` bytes from `offset` on, by as many calls of `read` as it takes; fewer where it returns 0.
func readBytes(
  count: Int, at offset: Int64,
  _ read: (UnsafeMutableRawBufferPointer, Int64) throws(SystemError) -> Int
) throws(SystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
    let target = UnsafeMutableRawBufferPointer(buffer)
    while filled < count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...])
      let size = try unsafe read(rest, offset + Int64(filled))
      guard size > 0 else { return }
      filled += size
    }
  }
  bytes.removeLast(count - filled)
  return bytes
}
