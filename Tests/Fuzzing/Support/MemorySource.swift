import SystemIO

/// Bytes in memory as a file, with an upper bound to the bytes read.
///
/// A reader that doesn't stop, within a file that has an end, is interrupted; if it continues all
/// the same, libFuzzer's time limit finds it.
package final class MemorySource: ByteSource {
  package let name = "input"
  private let bytes: [UInt8]
  /// The maximum number of bytes of one read.
  private let pieceSize: Int
  private let budget: Budget

  package init(_ bytes: [UInt8], pieceSize: Int = .max, budget: Budget = Budget()) {
    self.bytes = bytes
    self.pieceSize = max(1, pieceSize)
    self.budget = budget
  }

  package var size: Int64 {
    get throws(SystemError) { Int64(bytes.count) }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    budget.take(min(buffer.count, bytes.count), of: interrupt)
    try interrupt.check(.read)
    guard offset >= 0, offset < bytes.count else { return 0 }
    let end = min(bytes.count, Int(offset) + min(buffer.count, pieceSize))
    buffer.copyBytes(from: bytes[Int(offset)..<end])
    return end - Int(offset)
  }
}
