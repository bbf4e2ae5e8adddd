internal import CSystem
private import Synchronization

/// While there is one, memory that is allocated in the process holds zeros, as that of a process which has just begun.
///
/// For libraries that read what they haven't written. It is as slow as writing all memory that is allocated or
/// freed.
package final class ZeroedHeap: Sendable {
  private static let count = Mutex(0)

  package init() {
    Self.count.withLock { count in
      count += 1
      if count == 1 { rw_zero_heap(1) }
    }
  }

  deinit {
    Self.count.withLock { count in
      count -= 1
      if count == 0 { rw_zero_heap(0) }
    }
  }
}
