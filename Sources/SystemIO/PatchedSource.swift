/// A source with replaced bytes at some offsets.
package final class PatchedSource: ByteSource {
  package struct Patch: Sendable {
    package let offset: Int64
    package let bytes: [UInt8]
    fileprivate var end: Int64 { offset + Int64(bytes.count) }

    package init(offset: Int64, bytes: [UInt8]) {
      self.offset = offset
      self.bytes = bytes
    }
  }

  private let source: any ByteSource
  /// The patches by offset, apart from each other.
  private let patches: [Patch]

  /// - Parameter patches: the replacements, which don't overlap.
  package init(_ source: any ByteSource, _ patches: [Patch]) {
    self.source = source
    self.patches = patches.filter { !$0.bytes.isEmpty }.sorted { $0.offset < $1.offset }
  }

  package var name: String { source.name }
  package var identity: FileIdentity? { source.identity }
  package var size: Int64 { get throws(SystemError) { try source.size } }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let count = try unsafe source.read(into: buffer, at: offset, interrupt: interrupt)
    let read = offset..<offset + Int64(max(0, count))
    var (low, high) = (0, patches.count)
    while low < high {
      let middle = (low + high) / 2
      if patches[middle].end <= read.lowerBound { low = middle + 1 } else { high = middle }
    }
    for patch in patches[low...] {
      guard patch.offset < read.upperBound else { break }
      let part = max(read.lowerBound, patch.offset)..<min(read.upperBound, patch.end)
      let bytes = patch.bytes[
        Int(part.lowerBound - patch.offset)..<Int(part.upperBound - patch.offset)]
      unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer.dropFirst(Int(part.lowerBound - offset))
      )
      .copyBytes(from: bytes)
    }
    return count
  }
}
