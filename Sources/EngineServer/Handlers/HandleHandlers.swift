import EngineProtocol
import JSONRPC

// These take effect on the reading thread, wholly in arrival order.

extension Engine {
  /// Registers the handlers of `handle/*` and `blob/release`.
  func registerHandles(in router: inout EngineRouter) {
    router.onReader(HandleList.self, listHandles)
    router.onReader(HandleClose.self, closeHandle)
    router.onReader(BlobRelease.self, releaseBlobs)
  }

  @Sendable func listHandles(
    _ request: HandleList, _ context: RequestContext
  ) throws -> HandleList.Result {
    try requireRunning()
    return HandleList.Result(handles: handles.list())
  }

  @Sendable func closeHandle(
    _ request: HandleClose, _ context: RequestContext
  ) throws -> EmptyResult {
    try requireRunning()
    let part = capturePart(request.handle)
    leases.release(ownedBy: try handles.close(request.handle))
    if let (session, removal) = part { session.remove(removal, context) }
    return EmptyResult()
  }

  @Sendable func releaseBlobs(_ notification: BlobRelease, _ context: RequestContext) throws {
    leases.release(notification.leases)
  }
}
