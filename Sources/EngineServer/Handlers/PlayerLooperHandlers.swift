import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `playerLooper/*`.
  func registerPlayerLoopers(in router: inout EngineRouter) {
    serve(PlayerLooperCreate.self, createPlayerLooper, in: &router)
    serve(PlayerLooperState.self, playerLooperState, in: &router)
    serve(PlayerLooperDisable.self, disableLooper, in: &router)
  }

  @Sendable func createPlayerLooper(
    _ request: PlayerLooperCreate, _ context: RequestContext
  ) async throws -> PlayerLooperCreate.Result {
    let open = try handles.find(request.player)
    let item = try handles.find(request.templateItem)
    var rules = PlayerRules()
    let range = request.timeRange.flatMap { $0.range.isValid ? $0.range : nil }
    if let range {
      _ = rules.numeric(WireTime(range.start), "/timeRange/start", notBefore: .zero)
      _ = rules.numeric(WireTime(range.duration), "/timeRange/duration", notBefore: .zero)
      rules.require(range.duration != .zero, "/timeRange/duration", "a number above 0", "0")
    }
    try rules.check()
    return try await change(open, context) { _ in
      let looper = try await mapErrors(request.templateItem) { () throws(EngineError) in
        try await PlayerLooper(
          player: open.player, templateItem: item, timeRange: range,
          existingItemsFirst: request.existingItemsOrdering == .loopingItemsFollowExistingItems)
      }
      do {
        try context.settle()
      } catch {
        looper.close()
        throw error
      }
      return PlayerLooperCreate.Result(
        playerLooper: handles.add(looper),
        loopingPlayerItems: looper.state.items.compactMap(handle))
    }
  }

  @Sendable func playerLooperState(
    _ request: PlayerLooperState, _ context: RequestContext
  ) async throws -> PlayerLooperState.Result {
    let state = try handles.find(request.playerLooper).state
    return PlayerLooperState.Result(
      status: WireLooperStatus(state.status),
      error: state.error.map { ErrorObject($0).about(request.playerLooper) },
      loopCount: state.loopCount, loopingPlayerItems: state.items.compactMap(handle))
  }

  @Sendable func disableLooper(
    _ request: PlayerLooperDisable, _ context: RequestContext
  ) async throws -> EmptyResult {
    let looper = try handles.find(request.playerLooper)
    return try await change(looper.item, context) {
      try await mapErrors(request.playerLooper) { () throws(EngineError) in
        try await looper.disable()
      }
      return EmptyResult()
    }
  }
}
