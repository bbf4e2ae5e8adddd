/// A part of a source, which begins at 0 and ends for its reader where the part does.
package final class SourceWindow: ByteSource {
  private let source: any ByteSource
  private let range: Range<Int64>

  package init(_ source: any ByteSource, _ range: Range<Int64>) {
    self.source = source
    self.range = range
  }

  package var name: String { source.name }

  package var size: Int64 {
    get throws(SystemError) { min(range.upperBound, try source.size) - range.lowerBound }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let room = range.upperBound - range.lowerBound - offset
    guard offset >= 0, room > 0 else { return 0 }
    let count = Int(min(Int64(buffer.count), room))
    return try unsafe source.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count)),
      at: range.lowerBound + offset, interrupt: interrupt)
  }
}
