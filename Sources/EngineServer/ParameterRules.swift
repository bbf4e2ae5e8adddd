import EngineProtocol
import JSONRPC

// Rules of parameters that their types can't say.

extension Engine {
  /// Refuses lists that would tie up memory before any work begins.
  func requireFewer(_ count: Int, than limit: Int, _ name: String) throws(RPCError) {
    guard count > limit else { return }
    throw .invalidParams(path: "/\(name)", expected: "at most \(limit)", got: "\(count)")
  }

  func requireSome(_ list: [some Sendable], _ name: String) throws(RPCError) {
    guard list.isEmpty else { return }
    throw .invalidParams(path: "/\(name)", expected: "at least one", got: "none")
  }

  /// Several blobs need several paths.
  func requireNumbered(_ delivery: WireDelivery?, for count: Int) throws(RPCError) {
    guard count > 1, case .file(let file) = delivery,
      numbered(file.path, 0) == numbered(file.path, 1)
    else { return }
    throw .invalidParams(
      path: "/delivery/path", expected: "a path with %d, for \(count) files", got: file.path)
  }
}
