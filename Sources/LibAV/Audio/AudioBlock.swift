internal import CLibAV
import SystemIO

/// A block of audio that is being filled: interleaved in one plane, or a plane for each channel.
@safe package struct AudioBlock: ~Copyable {
  package let layout: AudioLayout
  /// The number of samples per channel that fit, in the unit of ``count`` and ``room``.
  package let capacity: Int
  package private(set) var count = 0
  private let block: Block
  private let planes: Int
  /// The size of one sample in a plane, in bytes.
  private let sampleSize: Int

  /// - Throws: the errors of `allocator`.
  package init(
    layout: AudioLayout, capacity: Int, allocator: any BlockAllocator
  ) throws(LibAVError) {
    let channels = max(1, layout.channels.channels)
    let planes = layout.format.isPlanar ? channels : 1
    let sampleSize = layout.format.bytesPerSample * (layout.format.isPlanar ? 1 : channels)
    // Before any member is set: optimized code of Swift 6.3 releases members that aren't there yet
    // when a closure that throws is called in between.
    let block = try asLibAVError(allocator.allocate(count: capacity * planes * sampleSize))
    self.layout = layout
    self.capacity = capacity
    self.planes = planes
    self.sampleSize = sampleSize
    self.block = block
  }

  package var room: Int { capacity - count }

  /// Returns the address of sample `index` of a plane.
  private func place(_ plane: Int, _ index: Int) -> UnsafeMutableRawPointer {
    unsafe block.base + (plane * capacity + index) * sampleSize
  }

  /// Calls `body` with the planes from the first free sample on, in libav's form; `body` returns
  /// the number of samples that it has written.
  mutating func fill(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
  ) throws(LibAVError) {
    let filled = unsafe withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<UInt8>?.self, capacity: planes
    ) { pointers -> Int32 in
      guard let start = pointers.baseAddress else { return 0 }
      for plane in 0..<planes {
        unsafe (start + plane).initialize(
          to: place(plane, count).assumingMemoryBound(to: UInt8.self))
      }
      return unsafe body(start)
    }
    count += Int(try check(filled, "convert audio", ""))
  }

  /// Copies samples of a frame that has this block's layout.
  package mutating func append(_ frame: borrowing Frame, _ range: Range<Int>) {
    for plane in 0..<planes {
      guard let source = unsafe frame.pointer.pointee.extended_data[plane] else { continue }
      unsafe place(plane, count).copyMemory(
        from: source + range.lowerBound * sampleSize, byteCount: range.count * sampleSize)
    }
    count += range.count
  }

  /// Removes the first samples.
  package mutating func drop(_ dropped: Int) {
    guard dropped > 0 else { return }
    let dropped = min(dropped, count)
    for plane in 0..<planes {
      unsafe place(plane, 0).copyMemory(
        from: place(plane, dropped), byteCount: (count - dropped) * sampleSize)
    }
    count -= dropped
  }

  /// Returns the block of the samples so far; the planes follow each other without padding.
  package consuming func finish() -> Block {
    guard count < capacity else { return block }
    for plane in 0..<planes {
      unsafe (block.base + plane * count * sampleSize).copyMemory(
        from: place(plane, 0), byteCount: count * sampleSize)
    }
    return block.prefix(count * planes * sampleSize)
  }
}
