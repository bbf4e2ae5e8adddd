internal import CSystem

/// Bytes that a demuxer reads: a file, or a test's double of one.
///
/// Reads carry their own offset, so any number of demuxers share one source.
package protocol ByteSource: AnyObject, Sendable {
  /// The name in error messages.
  var name: String { get }
  /// The size in bytes.
  var size: Int64 { get throws(SystemError) }
  /// The identity of its file; nil if it is no file.
  var identity: FileIdentity? { get }
  /// Fills `buffer` from `offset` on and returns the number of bytes, 0 at the end.
  ///
  /// A source that waits for its bytes throws `interrupted` once `interrupt` is triggered.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int
}

extension ByteSource {
  package var identity: FileIdentity? { nil }

  /// Returns the position of the first occurrence of some bytes from `offset` on; nil if there is
  /// none.
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
      // They may lie across the end of the bytes that were read.
      offset += Int64(bytes.count - wanted.count + 1)
    }
  }

  /// Returns the `count` bytes from `offset` on, fewer where the source ends.
  package func bytes(
    at offset: Int64, count: Int, interrupt: Interrupt
  ) throws(SystemError) -> [UInt8] {
    try unsafe readBytes(count: count, at: offset) { (buffer, offset) throws(SystemError) in
      try unsafe read(into: buffer, at: offset, interrupt: interrupt)
    }
  }
}

/// A source, and the interrupt that ends waiting for its bytes.
package struct ByteReader: Sendable {
  private let source: any ByteSource
  private let interrupt: Interrupt

  package init(_ source: any ByteSource, interrupt: Interrupt) {
    self.source = source
    self.interrupt = interrupt
  }

  /// Returns the `count` bytes from `offset` on, fewer where the source ends.
  package func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
    try source.bytes(at: offset, count: count, interrupt: interrupt)
  }
}

/// Returns the `count` bytes from `offset` on, by repeated calls of `read`; fewer where it returns
/// 0.
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
