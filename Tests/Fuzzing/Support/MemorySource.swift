import SystemIO

/// Bytes in memory as a file, with an upper bound to what is read of them.
///
/// What reads without an end, within a file that has one, is interrupted; what goes on all the same is
/// found by libFuzzer's time limit.
package final class MemorySource: ByteSource {
  package let name = "input"
  private let bytes: [UInt8]
  /// So many bytes come at a time.
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
