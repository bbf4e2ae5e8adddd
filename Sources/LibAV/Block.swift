/// A block of bytes that is filled once and from then on only read, 64-byte aligned.
///
/// It lives on the heap or in shared memory, and returns there when its last holder lets go: a lease
/// on shared memory is nothing but a reference to its block.
///
/// `@unchecked Sendable`: the filler has the only reference; who gets it afterwards only reads.
@safe package final class Block: @unchecked Sendable {
  /// Where another process finds the bytes.
  package struct Location: Hashable, Sendable {
    package var path: String
    package var offset: Int
  }

  let base: UnsafeMutableRawPointer
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

  /// Lends the bytes to `body`.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
    return try body(unsafe buffer.span)
  }

  /// The first `count` bytes, which hold on to all of them.
  func prefix(_ count: Int) -> Block {
    unsafe Block(base: base, count: min(count, self.count), location: location) { [self] in
      _ = self
    }
  }

  var mutableBytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
  }
}

/// Where the bytes of a result go.
package protocol BlockAllocator: Sendable {
  /// A block of exactly `count` bytes; what follows it within ``blockPadding`` bytes is nobody's.
  ///
  /// - Throws: `tryAgain` when no room came free in time, `interrupted`, `outOfMemory`.
  func allocate(count: Int, interrupt: Interrupt) throws(LibAVError) -> Block
}

/// swscale's vector code may write past the last pixel of a row, the last row included.
let blockPadding = 128

/// Blocks on the heap, each freed by itself.
package struct HeapAllocator: BlockAllocator {
  package init() {}

  package func allocate(count: Int, interrupt: Interrupt) throws(LibAVError) -> Block {
    let (size, overflow) = count.addingReportingOverflow(blockPadding)
    guard !overflow, count >= 0, size <= Library.limits.allocation else {
      throw outOfMemory("allocate", "\(count) bytes")
    }
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    let address = UInt(bitPattern: base)
    return unsafe Block(base: base, count: count, location: nil) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }
}

/// A block of `allocator` that holds `text` as UTF-8.
package func copy(
  _ text: String, to allocator: any BlockAllocator, interrupt: Interrupt
) throws(LibAVError) -> Block {
  try unsafe copy(Array(text.utf8).span.bytes, to: allocator, interrupt: interrupt)
}

/// A block of `allocator` that holds `bytes`.
package func copy(
  _ bytes: RawSpan, to allocator: any BlockAllocator, interrupt: Interrupt
) throws(LibAVError) -> Block {
  let block = try allocator.allocate(count: bytes.byteCount, interrupt: interrupt)
  unsafe bytes.withUnsafeBytes { source in unsafe block.mutableBytes.copyMemory(from: source) }
  return block
}
