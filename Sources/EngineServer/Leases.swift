import EngineProtocol
import MediaEngine
import Synchronization

/// The blocks of shared memory that the caller may read, each until it is released.
final class Leases: Sendable {
  private struct Lease {
    let data: DataBuffer
    let owner: String
    /// Called when the lease has ended.
    let onEnd: (@Sendable () -> Void)?
  }
  private struct State {
    var held: [String: Lease] = [:]
  }
  private let state = Mutex(State())
  private let numbers: HandleNumbers

  init(numbers: HandleNumbers) { self.numbers = numbers }

  /// - Parameters:
  ///   - owner: the handle whose closing releases the lease.
  ///   - onEnd: called when the lease has ended, on the thread that ends it.
  func add(
    _ data: DataBuffer, owner: String, onEnd: (@Sendable () -> Void)? = nil
  ) -> LeaseHandle {
    let lease = numbers.nextHandle(LeaseHandle.self)
    state.withLock { $0.held[lease.rawValue] = Lease(data: data, owner: owner, onEnd: onEnd) }
    return lease
  }

  /// Returns the bytes of a lease; nil for one that is unknown or released.
  func data(of lease: LeaseHandle) -> DataBuffer? {
    state.withLock { $0.held[lease.rawValue]?.data }
  }

  /// Releases leases; unknown and released ones are ignored.
  func release(_ leases: [LeaseHandle]) {
    // Dropped outside the lock: the release of a block wakes those that wait for one.
    let released = state.withLock { state in
      leases.compactMap { state.held.removeValue(forKey: $0.rawValue) }
    }
    end(released)
  }

  /// Releases all leases of closed handles.
  func release(ownedBy owners: [String]) {
    let released = state.withLock { state in
      let gone = state.held.filter { owners.contains($0.value.owner) }
      for lease in gone.keys { state.held[lease] = nil }
      return gone
    }
    end(Array(released.values))
  }

  private func end(_ leases: consuming [Lease]) {
    let hooks = leases.compactMap(\.onEnd)
    // The memory is free before any listener is called.
    leases = []
    for hook in hooks { hook() }
  }

  /// Releases all leases.
  func releaseAll() {
    let released = state.withLock { state in
      defer { state.held = [:] }
      return state.held
    }
    withExtendedLifetime(released) {}
  }

  var count: Int { state.withLock { $0.held.count } }
  var bytes: Int { state.withLock { $0.held.values.reduce(0) { $0 + $1.data.count } } }
}
