import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

// The items and observers of players.

extension Engine {
  private func wire(_ items: [PlayerItem]) -> [PlayerItemHandle] { items.compactMap(handle) }

  @Sendable func replaceCurrentItem(
    _ request: PlayerReplaceCurrentItem, _ context: RequestContext
  ) async throws -> EmptyResult {
    let open = try handles.find(request.player)
    let item = try request.playerItem.map { try handles.find($0) }
    return try await change(open, context) { _ in
      try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.replaceCurrentItem(with: item)
      }
      return EmptyResult()
    }
  }

  @Sendable func playerItems(
    _ request: PlayerItems, _ context: RequestContext
  ) async throws -> WirePlayerItems {
    let open = try handles.find(request.player)
    try await open.line.enter()
    defer { open.line.leave() }
    return WirePlayerItems(items: wire(open.player.items))
  }

  @Sendable func insertItem(
    _ request: PlayerInsert, _ context: RequestContext
  ) async throws -> WirePlayerItems {
    let open = try handles.find(request.player)
    let item = try handles.find(request.playerItem)
    let after = try request.after.map { try handles.find($0) }
    return try await change(open, context) { _ in
      let items = try await mapErrors(request.playerItem) { () throws(EngineError) in
        try await open.player.insert(item, after: after, dryRun: request.dryRun ?? false)
      }
      return WirePlayerItems(items: wire(items))
    }
  }

  @Sendable func removeItem(
    _ request: PlayerRemove, _ context: RequestContext
  ) async throws -> EmptyResult {
    let open = try handles.find(request.player)
    let item = try handles.find(request.playerItem)
    return try await change(open, context) { _ in
      try await mapErrors(request.playerItem) { () throws(EngineError) in
        try await open.player.remove(item)
      }
      return EmptyResult()
    }
  }

  @Sendable func removeAllItems(
    _ request: PlayerRemoveAllItems, _ context: RequestContext
  ) async throws -> EmptyResult {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.removeAllItems()
      }
      return EmptyResult()
    }
  }

  @Sendable func advanceToNextItem(
    _ request: PlayerAdvanceToNextItem, _ context: RequestContext
  ) async throws -> PlayerAdvanceToNextItem.Result {
    let open = try handles.find(request.player)
    return try await change(open, context) { hold in
      let state = try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.advanceToNextItem()
      }
      await open.notifications.flush(before: state.revision, hold)
      return PlayerAdvanceToNextItem.Result(
        currentItem: state.currentItem.flatMap(handle), items: wire(open.player.items),
        revision: state.revision)
    }
  }

  // MARK: Observers

  @Sendable func addPeriodicTimeObserver(
    _ request: PlayerAddPeriodicTimeObserver, _ context: RequestContext
  ) async throws -> WireNewTimeObserver {
    let open = try handles.find(request.player)
    let interval = request.interval.time
    guard interval.isNumeric, interval.epoch == 0, interval > .zero else {
      throw RPCError.invalidParams(
        path: "/interval", expected: "a number of seconds above 0", got: interval.description)
    }
    return try await addObserver(request.player, open, context) { () throws(EngineError) in
      try await open.player.addPeriodicTimeObserver(every: interval)
    }
  }

  @Sendable func addBoundaryTimeObserver(
    _ request: PlayerAddBoundaryTimeObserver, _ context: RequestContext
  ) async throws -> WireNewTimeObserver {
    let open = try handles.find(request.player)
    try requireSome(request.times, "times")
    try requireFewer(request.times.count, than: 10_000, "times")
    var rules = PlayerRules()
    let times = request.times.enumerated().compactMap { index, time in
      rules.numeric(time, "/times/\(index)")
    }
    try rules.check()
    return try await addObserver(request.player, open, context) { () throws(EngineError) in
      try await open.player.addBoundaryTimeObserver(at: times)
    }
  }

  private func addObserver(
    _ player: PlayerHandle, _ open: OpenPlayer, _ context: RequestContext,
    make: () async throws(EngineError) -> TimeObserver
  ) async throws -> WireNewTimeObserver {
    try await change(open, context) { _ in
      let observer = try await mapErrors(player) { () throws(EngineError) in try await make() }
      do {
        try context.settle()
        return WireNewTimeObserver(timeObserver: try handles.add(observer, partOf: player))
      } catch {
        observer.close()
        throw error
      }
    }
  }
}
