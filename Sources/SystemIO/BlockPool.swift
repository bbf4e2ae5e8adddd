internal import Synchronization

/// A pool of blocks of one size on the heap, for large data that comes many times a second.
package final class BlockPool: BlockAllocator {
  private struct Store: Sendable {
    /// The addresses of the free blocks.
    var free: [UInt] = []
    var inUse = 0
  }

  private final class Shared: Sendable {
    let store = Mutex(Store())

    func give(back address: UInt, retaining limit: Int) {
      let isRetained = store.withLock { store in
        store.inUse -= 1
        guard store.free.count < limit else { return false }
        store.free.append(address)
        return true
      }
      if !isRetained { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    deinit {
      for address in store.withLock({ $0.free }) {
        unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      }
    }
  }

  private let size: Int
  private let maximum: Int
  private let shared = Shared()
  /// The maximum number of free blocks that are retained.
  private static let retained = 8
  /// The maximum size of all blocks in use, in bytes.
  private static let limit = 256 << 20

  /// - Parameter size: the size of each block, in bytes.
  package init(size: Int) {
    self.size = size
    maximum = max(Self.retained, Self.limit / max(1, size))
  }

  /// - Throws: `tryAgain` at the maximum number of blocks in use, `outOfMemory`.
  package func allocate(count: Int) throws(SystemError) -> Block {
    guard count <= size, size <= HeapAllocator.maximumSize else {
      throw SystemError(.outOfMemory, operation: .allocate, subject: "\(count) bytes")
    }
    let (mayHave, known) = shared.store.withLock { store -> (Bool, UInt?) in
      guard store.inUse < maximum else { return (false, nil) }
      store.inUse += 1
      return (true, store.free.popLast())
    }
    guard mayHave else {
      throw SystemError(.tryAgain, operation: .allocate, subject: "\(count) bytes")
    }
    let address =
      known
      ?? UInt(
        bitPattern: UnsafeMutableRawPointer.allocate(
          byteCount: size + Block.padding, alignment: 64))
    guard let base = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      throw SystemError(.outOfMemory, operation: .allocate, subject: "\(count) bytes")
    }
    return unsafe Block(base: base, count: count, location: nil) { [shared] in
      shared.give(back: address, retaining: Self.retained)
    }
  }
}
