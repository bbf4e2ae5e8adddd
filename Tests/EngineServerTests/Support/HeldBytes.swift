import MediaEngine
import Synchronization

/// A file whose bytes from an offset on are supplied when the test lets them.
final class HeldBytes: AssetResourceLoader {
  private struct State {
    var limit: Int64
    var held: [(AssetResource.Request, AssetResource)] = []
  }
  private let bytes: [UInt8]
  private let state: Mutex<State>

  init(_ bytes: [UInt8], limit: Int64) {
    self.bytes = bytes
    state = Mutex(State(limit: limit))
  }

  func resource(_ name: String) -> AssetResource {
    AssetResource(
      .init(
        name: name, length: Int64(bytes.count), isRandomAccess: true, timeout: .seconds(3600)),
      loader: self)
  }

  func read(_ request: AssetResource.Request, of resource: AssetResource) -> Bool {
    let isHeld = state.withLock { state in
      guard request.offset + Int64(request.length) > state.limit else { return false }
      state.held.append((request, resource))
      return true
    }
    if !isHeld { answer(request, resource) }
    return true
  }

  /// Supplies the rest.
  func open() {
    let held = state.withLock { state in
      state.limit = .max
      defer { state.held = [] }
      return state.held
    }
    for (request, resource) in held { answer(request, resource) }
  }

  private func answer(_ request: AssetResource.Request, _ resource: AssetResource) {
    let part = bytes[Int(request.offset)..<Int(request.offset) + request.length]
    try? resource.didRead(request.number, bytes: [UInt8](part), isEnd: part.endIndex == bytes.count)
  }

  func didCancel(_ request: Int, of resource: AssetResource) {}
  func didEnd(_ resource: AssetResource) {}
}
