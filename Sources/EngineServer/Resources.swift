import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// The resources whose bytes the client supplies, until they aren't read any more: longer than their handles, while
/// objects that were made from the asset are still in use.
final class Resources: Sendable {
  private struct State {
    var open: [ResourceHandle: AssetResource] = [:]
    /// The memory that clients may write to, in bytes.
    var memory: [ResourceHandle: Int] = [:]
    var hasEnded = false
  }
  private let state = Mutex(State())
  /// The limit of all memory together, in bytes.
  private let memoryLimit: Int

  init(memoryLimit: Int) { self.memoryLimit = memoryLimit }

  func add(_ resource: AssetResource, _ handle: ResourceHandle) {
    let isLate = state.withLock { state in
      if !state.hasEnded { state.open[handle] = resource }
      return state.hasEnded
    }
    if isLate { resource.end() }
  }

  func find(_ handle: ResourceHandle) -> AssetResource? { state.withLock { $0.open[handle] } }

  func remove(_ handle: ResourceHandle) {
    // Dropped outside of the lock.
    let gone = state.withLock { state in
      state.memory[handle] = nil
      return state.open.removeValue(forKey: handle)
    }
    withExtendedLifetime(gone) {}
  }

  /// Counts memory; false where the limit would be exceeded.
  func reserve(_ size: Int, for handle: ResourceHandle) -> Bool {
    state.withLock { state in
      let sum = state.memory.values.reduce(size, +)
      guard sum <= memoryLimit, state.memory[handle] == nil else {
        return state.memory[handle] != nil
      }
      state.memory[handle] = size
      return true
    }
  }

  /// Fails all reads that wait for a client that is gone.
  func endAll() {
    let open = state.withLock { state in
      state.hasEnded = true
      defer { state.open = [:] }
      return state.open
    }
    for resource in open.values { resource.end() }
  }
}

/// Requests the bytes of a resource from the client.
final class ClientLoader: AssetResourceLoader {
  private let handle: ResourceHandle
  private weak let connection: Connection?
  private let resources: Resources

  init(_ handle: ResourceHandle, connection: Connection, resources: Resources) {
    self.handle = handle
    self.connection = connection
    self.resources = resources
  }

  func read(_ request: AssetResource.Request, of resource: AssetResource) -> Bool {
    connection?.post(
      ResourceRead(
        resource: handle, request: request.number, offset: request.offset, length: request.length,
        place: request.place)) ?? false
  }

  func didCancel(_ request: Int, of resource: AssetResource) {
    connection?.post(ResourceDidCancelRead(resource: handle, request: request))
  }

  func didEnd(_ resource: AssetResource) {
    resources.remove(handle)
    connection?.post(ResourceDidEnd(resource: handle))
  }
}
