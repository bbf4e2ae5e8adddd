import EngineProtocol
public import JSONRPC

extension Engine {
  /// Every request that is served, in the order of the reference.
  public static let requests = Engine().makeEngineRouter().requests

  /// Returns the handlers of all requests.
  public func makeRouter() -> Router { makeEngineRouter().router }

  /// Returns the handlers of all requests, in the order of the reference: this is the one list of them, each next to
  /// its functions. `make check` fails when a declared one isn't in it.
  private func makeEngineRouter() -> EngineRouter {
    var router = EngineRouter()
    registerEngine(in: &router)
    registerHandles(in: &router)
    registerAssets(in: &router)
    registerResources(in: &router)
    registerTracks(in: &router)
    registerCompositions(in: &router)
    registerVideoCompositions(in: &router)
    registerAudioMixes(in: &router)
    registerVideoCompositors(in: &router)
    registerImageGenerators(in: &router)
    registerExportSessions(in: &router)
    registerAssetReaders(in: &router)
    registerAssetWriters(in: &router)
    registerSampleCursors(in: &router)
    registerWaveforms(in: &router)
    registerAnalysis(in: &router)
    registerPlayers(in: &router)
    registerPlayerItems(in: &router)
    registerVideoOutputs(in: &router)
    registerPlayerLoopers(in: &router)
    registerAudioPlayers(in: &router)
    registerCaptureSessions(in: &router)
    registerCaptureOutputs(in: &router)
    registerAudioRecorders(in: &router)
    registerCapture(in: &router)
    registerLibraries(in: &router)
    registerFetchResults(in: &router)
    registerTime(in: &router)
    return router
  }

  /// Registers a handler that is refused after `shutdown`. A cancelled handler ends as cancelled, regardless of its
  /// error.
  func serve<Request: EngineRequest>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) async throws -> Request.Result,
    in router: inout EngineRouter
  ) {
    let isRefused = options.isForDevices && Request.placement.opensMedia
    router.on(type) { request, context in
      try self.requireRunning()
      if isRefused { throw ErrorObject(refusalByDevices: Request.method) }
      do {
        return try await handler(request, context)
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
  }
}

/// The functions that serve the engine's requests.
struct EngineRouter {
  private(set) var router = Router()
  /// The requests, in the order of their registration. The router's own list has them as types of a more general
  /// protocol, from which each would have to be cast: at every start, by a search of all the program's conformances.
  private(set) var requests: [any EngineRequest.Type] = []

  /// Serves a request as ``Router`` does.
  mutating func on<Request: EngineRequest>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) async throws -> Request.Result
  ) {
    requests.append(type)
    router.on(type, handler)
  }

  /// Serves a request as ``Router`` does.
  mutating func onReader<Request: EngineRequest>(
    _ type: Request.Type,
    _ handler: @escaping @Sendable (Request, RequestContext) throws -> Request.Result
  ) {
    requests.append(type)
    router.onReader(type, handler)
  }

  /// Serves a notification as ``Router`` does.
  mutating func onReader<Notification: NotificationType>(
    _ type: Notification.Type,
    _ handler: @escaping @Sendable (Notification, RequestContext) throws -> Void
  ) {
    router.onReader(type, handler)
  }
}

extension RequestContext {
  /// Settles a request whose handler is about to make an object: the caller wouldn't know of an object whose request
  /// was cancelled. A later cancel is too late, so nothing may throw after this.
  func settle() throws(CancellationError) {
    guard seal() else { throw CancellationError() }
  }
}

extension Placement {
  /// True for requests that open files of media, or make objects that do.
  fileprivate var opensMedia: Bool {
    switch self {
    case .main, .spread, .library: true
    case .ofHandles, .devices, .all: false
    }
  }
}

extension ErrorObject {
  /// Creates the error of a request that opens media, for the process that can reach devices.
  fileprivate init(refusalByDevices method: String) {
    self.init(
      .operationNotAllowed, "'\(method)' isn't served by the process of devices",
      advice: .sendToProcessOfMedia)
  }
}
