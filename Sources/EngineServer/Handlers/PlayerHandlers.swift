import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `player/*`.
  func registerPlayers(in router: inout EngineRouter) {
    serve(PlayerCreate.self, createPlayer, in: &router)
    serve(PlayerPlay.self, play, in: &router)
    serve(PlayerPause.self, pause, in: &router)
    serve(PlayerSetRate.self, setRate, in: &router)
    serve(PlayerSet.self, setPlayer, in: &router)
    serve(EngineProtocol.PlayerState.self, playerState, in: &router)
    serve(PlayerSeek.self, seek, in: &router)
    serve(PlayerCancelPendingSeeks.self, cancelPendingSeeks, in: &router)
    serve(PlayerPreroll.self, preroll, in: &router)
    serve(PlayerCancelPendingPrerolls.self, cancelPendingPrerolls, in: &router)
    serve(PlayerReplaceCurrentItem.self, replaceCurrentItem, in: &router)
    serve(PlayerItems.self, playerItems, in: &router)
    serve(PlayerInsert.self, insertItem, in: &router)
    serve(PlayerRemove.self, removeItem, in: &router)
    serve(PlayerRemoveAllItems.self, removeAllItems, in: &router)
    serve(PlayerAdvanceToNextItem.self, advanceToNextItem, in: &router)
    serve(PlayerAddPeriodicTimeObserver.self, addPeriodicTimeObserver, in: &router)
    serve(PlayerAddBoundaryTimeObserver.self, addBoundaryTimeObserver, in: &router)
    serve(PlayerAdvanceClock.self, advanceClock, in: &router)
    serve(PlayerFinishAudioFile.self, finishAudioFile, in: &router)
  }

  @Sendable func createPlayer(
    _ request: PlayerCreate, _ context: RequestContext
  ) async throws -> PlayerCreate.Result {
    let items = try (request.items ?? []).map { try handles.find($0) }
    try requireFewer(items.count, than: 10_000, "items")
    guard handles.counts[HandleKind.player.rawValue, default: 0] < Self.maximumPlayers else {
      throw ErrorObject(
        EngineError(
          .limitExceeded, "There are \(Self.maximumPlayers) players already",
          advice: .closeOtherPlayer))
    }
    var settings = try Player.Configuration(request, engine: configuration)
    settings.outputs = audioOutputs(context.connection)
    settings.slots = playerSlots
    let notifications = PlayerNotifications(
      self, context.connection, isManual: settings.clock == .manual)
    _ = notifications.hold(context)
    let player = try Player(items: items, settings) { notifications.take($0) }
    do {
      try context.settle()
    } catch {
      player.close()
      notifications.close()
      throw error
    }
    let handle: PlayerHandle = handles.add(OpenPlayer(player, notifications))
    notifications.begin(handle)
    return PlayerCreate.Result(player: handle)
  }

  private static let maximumPlayers = 64

  // MARK: Rate

  @Sendable func play(
    _ request: PlayerPlay, _ context: RequestContext
  ) async throws -> WirePlayerRate {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      WirePlayerRate(
        try await mapErrors(request.player) { () throws(EngineError) in
          try await open.player.play()
        })
    }
  }

  @Sendable func pause(
    _ request: PlayerPause, _ context: RequestContext
  ) async throws -> WirePlayerRate {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      WirePlayerRate(
        try await mapErrors(request.player) { () throws(EngineError) in
          try await open.player.pause()
        })
    }
  }

  @Sendable func setRate(
    _ request: PlayerSetRate, _ context: RequestContext
  ) async throws -> WirePlayerRate {
    let open = try handles.find(request.player)
    var rules = PlayerRules()
    rules.rate(request.rate, "/rate")
    let time = rules.numeric(request.time, "/time")
    let hostTime = rules.numeric(request.atHostTime, "/atHostTime")
    try rules.check()
    return try await change(open, context) { hold in
      let rate = try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.setRate(
          request.rate, time: time, atHostTime: hostTime,
          immediately: request.immediately ?? false)
      }
      // A pass of a loop may just have ended.
      await open.notifications.flush(before: rate.revision, hold)
      return WirePlayerRate(rate)
    }
  }

  @Sendable func setPlayer(
    _ request: PlayerSet, _ context: RequestContext
  ) async throws -> EmptyResult {
    let open = try handles.find(request.player)
    var rules = PlayerRules()
    rules.volume(request.volume, "/volume")
    rules.rate(request.defaultRate, "/defaultRate")
    rules.device(request.audioDevice, isManual: open.player.configuration.clock == .manual)
    try rules.check()
    var settings = PlayerSettings()
    settings.volume = request.volume
    settings.isMuted = request.isMuted
    settings.audioDevice = request.audioDevice.map(PlayerAudioDevice.init)
    settings.actionAtItemEnd = request.actionAtItemEnd.map(ActionAtItemEnd.init)
    settings.automaticallyWaitsToMinimizeStalling = request.automaticallyWaitsToMinimizeStalling
    settings.defaultRate = request.defaultRate
    return try await change(open, context) { [settings] _ in
      try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.set(settings)
      }
      return EmptyResult()
    }
  }

  @Sendable func playerState(
    _ request: EngineProtocol.PlayerState, _ context: RequestContext
  ) async throws -> EngineProtocol.PlayerState.Result {
    let state = try handles.find(request.player).player.state
    return EngineProtocol.PlayerState.Result(
      status: WirePlaybackStatus(state.status),
      error: state.error.map { ErrorObject($0).about(request.player) }, rate: state.rate,
      effectiveRate: state.effectiveRate, defaultRate: state.defaultRate,
      timeControlStatus: WireTimeControlStatus(state.timeControlStatus),
      reasonForWaitingToPlay: state.reasonForWaitingToPlay.map(WireWaitingReason.init),
      currentItem: state.currentItem.flatMap(handle), time: WireTime(state.time),
      isSeeking: state.isSeeking, hostTime: WireTime(state.hostTime),
      clock: WirePlayerClock(state.clock), volume: state.volume, isMuted: state.isMuted,
      actionAtItemEnd: WireActionAtItemEnd(state.actionAtItemEnd),
      automaticallyWaitsToMinimizeStalling: state.automaticallyWaitsToMinimizeStalling,
      revision: state.revision, audio: WirePlayerAudio(state.audio))
  }

  // MARK: Seeks and prerolls

  @Sendable func seek(
    _ request: PlayerSeek, _ context: RequestContext
  ) async throws -> RevisedOperationReply<PlayerDidSeek> {
    let open = try handles.find(request.player)
    var rules = PlayerRules()
    let time = rules.destination(request.time, "/time")
    let before = rules.tolerance(request.toleranceBefore, "/toleranceBefore")
    let after = rules.tolerance(request.toleranceAfter, "/toleranceAfter")
    try rules.check()
    let reply: PlayerOperationReply<PlayerDidSeek, Int> = try await perform(
      PlayerSeek.method, request.completion, open, context, cancel: open.player.cancelSeek
    ) { work in
      let (seek, revision) = try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.seek(
          to: time, toleranceBefore: before, toleranceAfter: after,
          whileScrubbing: request.whileScrubbing ?? false)
      }
      open.notifications.expect(
        seek: seek, work.operation, work.hold, answer: work.answer)
      await open.notifications.flush(before: revision, work.hold)
      return (seek, revision)
    }
    switch reply {
    case .started(let operation, let revision): return .started(operation, revision: revision)
    case .finished(let end): return .finished(end)
    }
  }

  @Sendable func cancelPendingSeeks(
    _ request: PlayerCancelPendingSeeks, _ context: RequestContext
  ) async throws -> WireCancelledCount {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      WireCancelledCount(
        cancelled: try await mapErrors(request.player) { () throws(EngineError) in
          try await open.player.cancelPendingSeeks()
        })
    }
  }

  @Sendable func preroll(
    _ request: PlayerPreroll, _ context: RequestContext
  ) async throws -> OperationReply<PlayerDidPreroll> {
    let open = try handles.find(request.player)
    var rules = PlayerRules()
    rules.rate(request.rate, "/rate")
    try rules.check()
    let reply: PlayerOperationReply<PlayerDidPreroll, Void> = try await perform(
      PlayerPreroll.method, request.completion, open, context,
      cancel: { _ in Task { _ = try? await open.player.cancelPendingPrerolls() } }
    ) { work in
      let preroll = try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.preroll(atRate: request.rate)
      }
      open.notifications.expect(
        preroll: preroll, work.operation, work.hold, answer: work.answer)
      return (preroll, ())
    }
    switch reply {
    case .started(let operation, _): return .started(operation)
    case .finished(let end): return .finished(end)
    }
  }

  @Sendable func cancelPendingPrerolls(
    _ request: PlayerCancelPendingPrerolls, _ context: RequestContext
  ) async throws -> WireCancelledCount {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      WireCancelledCount(
        cancelled: try await mapErrors(request.player) { () throws(EngineError) in
          try await open.player.cancelPendingPrerolls()
        })
    }
  }

  // MARK: The clock

  @Sendable func advanceClock(
    _ request: PlayerAdvanceClock, _ context: RequestContext
  ) async throws -> PlayerAdvanceClock.Result {
    let open = try handles.find(request.player)
    var rules = PlayerRules()
    let (by, to) = rules.advance(by: request.by, to: request.to)
    try rules.check()
    try await open.line.enter()
    let reached: (hostTime: Time, time: Time, revision: Int, notifications: Int)
    do {
      defer { open.line.leave() }
      reached = try await mapErrors(request.player) { () throws(EngineError) in
        if let by { return try await open.player.advanceClock(by: by) }
        return try await open.player.advanceClock(to: to ?? .zero)
      }
    }
    // Answers of a batch are written together, and its notifications after them.
    if !context.isBatched { await open.notifications.drained() }
    return PlayerAdvanceClock.Result(
      hostTime: WireTime(reached.hostTime), time: WireTime(reached.time),
      revision: reached.revision, notifications: reached.notifications)
  }

  @Sendable func finishAudioFile(
    _ request: PlayerFinishAudioFile, _ context: RequestContext
  ) async throws -> PlayerFinishAudioFile.Result {
    let open = try handles.find(request.player)
    return try await change(open, context) { _ in
      let file = try await mapErrors(request.player) { () throws(EngineError) in
        try await open.player.finishAudioFile()
      }
      return PlayerFinishAudioFile.Result(path: file.path, size: file.size, frames: file.frames)
    }
  }
}

extension Player.Configuration {
  /// - Throws: `invalidParams` with all problems.
  fileprivate init(_ request: PlayerCreate, engine: EngineConfiguration) throws(RPCError) {
    self.init()
    clock = PlayerClockKind(request.clock ?? .audio)
    var rules = PlayerRules()
    rules.volume(request.volume, "/volume")
    rules.rate(request.defaultRate, "/defaultRate")
    rules.device(request.audioDevice, isManual: clock == .manual)
    let rate = rules.number(
      request.audioFormat?.sampleRate, 8000...384_000, "/audioFormat/sampleRate")
    let count = rules.number(request.audioFormat?.channels, 1...8, "/audioFormat/channels")
    try rules.check()
    isQueue = request.isQueue ?? false
    audioDevice = request.audioDevice.map(PlayerAudioDevice.init)
    if let rate { sampleRate = rate }
    if let count { channels = count }
    actionAtItemEnd = request.actionAtItemEnd.map { ActionAtItemEnd($0) }
    automaticallyWaitsToMinimizeStalling = request.automaticallyWaitsToMinimizeStalling ?? true
    volume = request.volume ?? 1
    isMuted = request.isMuted ?? false
    defaultRate = request.defaultRate ?? 1
    self.engine = engine
  }
}
