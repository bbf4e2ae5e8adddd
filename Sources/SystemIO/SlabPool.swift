internal import CSystem
internal import Glibc
internal import Synchronization

/// Shared memory for callers: sealed memfds, cut into blocks and recycled.
///
/// A slab has no name, so there is nothing to unlink and nothing is left after a kill -9. Its size
/// can't change, and no other process can map it for writing unless the pool is made for that. A
/// slab lives as long as the pool: its path stays true for every caller that has mapped it.
package final class SlabPool: BlockAllocator {
  /// The sum of all slabs' sizes, in bytes.
  package let capacity: Int
  /// True if other processes may write to the blocks.
  private let isWritableByOthers: Bool
  private let shared = Shared()

  package static let slabSize = 16 << 20

  package init(capacity: Int, isWritableByOthers: Bool = false) {
    (self.capacity, self.isWritableByOthers) = (capacity, isWritableByOthers)
  }

  /// The number of bytes in blocks that are in use.
  package var bytesInUse: Int { shared.state.withLock { $0.bytesInUse } }

  /// - Throws: `tryAgain` at once when all memory is in use: ``whenReleased(after:_:)``, then try
  ///   again.
  package func allocate(count: Int) throws(SystemError) -> Block {
    let (padded, overflow) = count.addingReportingOverflow(Block.padding + 63)
    let size = padded & ~63
    guard !overflow, count >= 0, size <= capacity else {
      throw SystemError(
        .outOfMemory, operation: .share, subject: "\(count) bytes",
        detail: "one block is larger than all shared memory (\(capacity) bytes)")
    }
    guard let block = try reserve(size, for: count) else {
      throw SystemError(
        .tryAgain, operation: .share, subject: "\(count) bytes",
        detail: "all \(capacity) bytes of shared memory are leased")
    }
    return block
  }

  /// The number of blocks that have been released so far.
  package var releaseCount: Int { shared.state.withLock { $0.releaseCount } }

  /// Calls `action` once when a block is released, at once if one was since `count` was read.
  ///
  /// - Returns: the number of the action for ``endWaiting(_:)``.
  package func whenReleased(after count: Int, _ action: @escaping @Sendable () -> Void) -> Int {
    let (number, isLate) = shared.state.withLock { state in
      state.lastWaiter += 1
      if state.releaseCount == count { state.waiters[state.lastWaiter] = action }
      return (state.lastWaiter, state.releaseCount != count)
    }
    if isLate { action() }
    return number
  }

  package func endWaiting(_ number: Int) {
    shared.state.withLock { state in state.waiters[number] = nil }
  }

  /// Reserves a free range that fits, or one in a new slab; nil when all memory is in use.
  ///
  /// - Parameter count: the number of bytes of it that are used.
  private func reserve(_ size: Int, for count: Int) throws(SystemError) -> Block? {
    try shared.state.withLock { state throws(SystemError) -> Block? in
      for number in state.slabs.indices {
        if let block = state.block(of: size, for: count, inSlab: number, shared) { return block }
      }
      // A larger slab than usual only for a block that needs it; a smaller one when little room is
      // left.
      let room = capacity - state.slabs.reduce(0) { $0 + $1.size }
      let wanted = max(size, min(SlabPool.slabSize, room))
      if wanted > room { state.retireIdleSlabs(untilFree: wanted - room) }
      guard wanted <= capacity - state.slabs.reduce(0, { $0 + $1.size }) else { return nil }
      state.slabs.append(try Slab(size: wanted, isWritableByOthers: isWritableByOthers))
      return state.block(of: size, for: count, inSlab: state.slabs.count - 1, shared)
    }
  }
}

/// The state that all views of one pool share.
private final class Shared: Sendable {
  struct State {
    var slabs: [Slab] = []
    var bytesInUse = 0
    var releaseCount = 0
    var lastWaiter = 0
    var waiters: [Int: @Sendable () -> Void] = [:]

    /// - Returns: nil if a slab has no free range that fits.
    mutating func block(
      of size: Int, for count: Int, inSlab number: Int, _ shared: Shared
    ) -> Block? {
      guard let offset = slabs[number].freeRanges.allocate(size) else { return nil }
      bytesInUse += size
      let slab = slabs[number]
      let descriptor = slab.descriptor
      return unsafe Block(
        base: slab.base + offset, count: count,
        location: Block.Location(path: slab.path, offset: offset)
      ) {
        shared.release(offset, size: size, ofSlab: descriptor)
      }
    }

    /// Retires slabs without blocks in use, to make room for a larger one.
    mutating func retireIdleSlabs(untilFree wanted: Int) {
      var missing = wanted
      slabs.removeAll { slab in
        guard missing > 0, slab.isIdle else { return false }
        missing -= slab.size
        slab.retire()
        return true
      }
    }
  }

  let state = Mutex(State())

  /// - Parameter descriptor: the descriptor of the slab, which no other ever has.
  func release(_ offset: Int, size: Int, ofSlab descriptor: Int32) {
    let waiters = state.withLock { state in
      if let number = state.slabs.firstIndex(where: { $0.descriptor == descriptor }) {
        state.slabs[number].freeRanges.release(offset, size)
      }
      state.bytesInUse -= size
      state.releaseCount += 1
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter() }
  }
}

/// One sealed memfd and its mapping.
@safe private struct Slab {
  let base: UnsafeMutableRawPointer
  let size: Int
  let path: String
  var freeRanges: FreeRanges
  let descriptor: Int32

  init(size: Int, isWritableByOthers: Bool) throws(SystemError) {
    func failure(_ operation: SystemError.Operation) -> SystemError {
      SystemError(errno: errno, operation: operation, subject: "shared memory")
    }
    let fd = unsafe rw_memfd_create("reelwire")
    guard fd >= 0 else { throw failure(.create) }
    guard ftruncate(fd, size) == 0,
      let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
      unsafe base != MAP_FAILED,
      (isWritableByOthers ? rw_memfd_seal_size(fd) : rw_memfd_seal(fd)) == 0
    else {
      let error = failure(.map)
      close(fd)
      throw error
    }
    unsafe self.base = base
    self.size = size
    descriptor = fd
    path = "/proc/\(getpid())/fd/\(fd)"
    freeRanges = FreeRanges(size: size)
  }

  var isIdle: Bool { freeRanges.freeCount == size }

  /// Frees the memory but leaves the descriptor's number in use, so that the path a caller may have
  /// mapped never comes to mean another slab.
  func retire() {
    unsafe munmap(base, size)
    let null = unsafe rw_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
    if null >= 0 {
      dup2(null, descriptor)
      close(null)
    }
  }
}

/// The free ranges of a slab, in order, joined where they touch.
struct FreeRanges {
  private(set) var ranges: [Range<Int>]
  private(set) var freeCount: Int

  init(size: Int) {
    ranges = [0..<size]
    freeCount = size
  }

  mutating func allocate(_ size: Int) -> Int? {
    guard let index = ranges.firstIndex(where: { $0.count >= size }) else { return nil }
    let offset = ranges[index].lowerBound
    if ranges[index].count == size {
      ranges.remove(at: index)
    } else {
      ranges[index] = offset + size..<ranges[index].upperBound
    }
    freeCount -= size
    return offset
  }

  mutating func release(_ offset: Int, _ size: Int) {
    var range = offset..<offset + size
    var index = ranges.firstIndex { $0.lowerBound > offset } ?? ranges.count
    if index < ranges.count, ranges[index].lowerBound == range.upperBound {
      range = offset..<ranges[index].upperBound
      ranges.remove(at: index)
    }
    if index > 0, ranges[index - 1].upperBound == offset {
      range = ranges[index - 1].lowerBound..<range.upperBound
      ranges.remove(at: index - 1)
      index -= 1
    }
    ranges.insert(range, at: index)
    freeCount += size
  }
}
