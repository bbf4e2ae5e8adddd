/// Bytes in memory that replace those of a source.
package final class MemorySource: ByteSource {
  package let name: String
  package let identity: FileIdentity?
  private let bytes: [UInt8]

  /// - Parameter source: the source that they are made from.
  package init(_ bytes: [UInt8], of source: any ByteSource) {
    self.bytes = bytes
    (name, identity) = (source.name, source.identity)
  }

  package var size: Int64 { Int64(bytes.count) }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let part = bytes[Int(offset)...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    return part.count
  }
}
