/// A block of bytes that is filled once and from then on only read, 64-byte aligned.
///
/// It lives on the heap or in shared memory, which is freed with its last reference: a lease on
/// shared memory is nothing but a reference to its block.
///
/// `@unchecked Sendable`: the filler has the only reference; later owners only read.
@safe package final class Block: @unchecked Sendable {
  /// The position of the bytes for another process.
  package struct Location: Hashable, Sendable {
    package var path: String
    package var offset: Int
  }

  /// The number of bytes after the end of every block that may be overwritten: vector code that
  /// fills frames row by row writes past the last pixel, in the last row too.
  package static let padding = 128

  package let base: UnsafeMutableRawPointer
  package let count: Int
  package let location: Location?
  private let free: @Sendable () -> Void

  init(
    base: UnsafeMutableRawPointer, count: Int, location: Location?,
    free: @escaping @Sendable () -> Void
  ) {
    unsafe self.base = base
    self.count = count
    self.location = location
    self.free = free
  }

  deinit { free() }

  /// Calls `body` with the bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
    return try body(unsafe buffer.span)
  }

  /// Returns the first `count` bytes; the whole block lives as long as they do.
  package func prefix(_ count: Int) -> Block {
    unsafe Block(base: base, count: min(count, self.count), location: location) { [self] in
      _ = self
    }
  }

  /// Calls `body` with the bytes to be filled; the caller is the only writer at the time.
  package func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    var bytes = unsafe MutableSpan(_unsafeStart: start, count: count)
    return try body(&bytes)
  }

  /// Sets a range of bytes to one value.
  package func fill(_ range: Range<Int>, with value: UInt8) {
    unsafe UnsafeMutableRawBufferPointer(rebasing: mutableBytes[range])
      .initializeMemory(as: UInt8.self, repeating: value)
  }

  /// Copies bytes to another offset of the block; the ranges don't overlap.
  package func copy(_ range: Range<Int>, to offset: Int) {
    precondition(offset >= 0 && offset + range.count <= count && range.upperBound <= count)
    unsafe (base + offset).copyMemory(from: base + range.lowerBound, byteCount: range.count)
  }

  /// The bytes, for filling the block before it is shared.
  package var mutableBytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
  }
}

/// The memory for the bytes of a result.
package protocol BlockAllocator: Sendable {
  /// Returns a block of exactly `count` bytes; ``Block/padding`` bytes after it may be overwritten.
  ///
  /// - Throws: `tryAgain` when all memory is in use for now, `outOfMemory`.
  func allocate(count: Int) throws(SystemError) -> Block
}

/// An allocator of separate blocks on the heap.
package struct HeapAllocator: BlockAllocator {
  /// The maximum size in bytes, so that a size from a hostile file takes no more.
  package static let maximumSize = 512 << 20

  package init() {}

  package func allocate(count: Int) throws(SystemError) -> Block {
    let (size, overflow) = count.addingReportingOverflow(Block.padding)
    guard !overflow, count >= 0, size <= HeapAllocator.maximumSize else {
      throw SystemError(.outOfMemory, operation: .allocate, subject: "\(count) bytes")
    }
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    let address = UInt(bitPattern: base)
    return unsafe Block(base: base, count: count, location: nil) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }
}

extension BlockAllocator {
  /// Returns a block that holds `text` as UTF-8.
  package func copy(_ text: String) throws(SystemError) -> Block {
    try unsafe copy(Array(text.utf8).span.bytes)
  }

  /// Returns a block that holds `bytes`.
  package func copy(_ bytes: RawSpan) throws(SystemError) -> Block {
    let block = try allocate(count: bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in unsafe block.mutableBytes.copyMemory(from: source) }
    return block
  }
}
