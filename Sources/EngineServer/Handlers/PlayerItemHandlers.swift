import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `playerItem/*`.
  func registerPlayerItems(in router: inout EngineRouter) {
    serve(PlayerItemCreate.self, createPlayerItem, in: &router)
    serve(PlayerItemSet.self, setPlayerItem, in: &router)
    serve(PlayerItemSelect.self, selectTrack, in: &router)
    serve(EngineProtocol.PlayerItemState.self, playerItemState, in: &router)
    serve(PlayerItemStep.self, stepItem, in: &router)
  }

  @Sendable func createPlayerItem(
    _ request: PlayerItemCreate, _ context: RequestContext
  ) async throws -> PlayerItemCreate.Result {
    let asset = try await findAsset(request.asset)
    var rules = PlayerRules()
    var settings = PlayerItemSettings()
    settings.forwardPlaybackEndTime = rules.end(
      request.forwardPlaybackEndTime, "/forwardPlaybackEndTime")
    settings.reversePlaybackEndTime = rules.end(
      request.reversePlaybackEndTime, "/reversePlaybackEndTime")
    let initialTime = rules.numeric(request.initialTime, "/initialTime", notBefore: .zero) ?? .zero
    let duration =
      rules.numeric(
        request.preferredForwardBufferDuration, "/preferredForwardBufferDuration",
        notBefore: .zero) ?? .zero
    try rules.check()
    settings.enabledTrackIDs = request.enabledTrackIDs.map { .some($0) }
    settings.audioTimePitchAlgorithm = .init(request.audioTimePitchAlgorithm ?? .timeDomain)
    settings.videoComposition = try await .init(
      request.videoComposition, for: asset, at: "/videoComposition")
    settings.audioMix = try await .init(request.audioMix, for: asset, at: "/audioMix")
    let compositor = ClientCompositor(self, context.connection)
    let item = try await mapErrors(request.asset) { [settings] () throws(EngineError) in
      try PlayerItem(
        asset: asset, settings: settings, initialTime: initialTime,
        preferredForwardBufferDuration: duration, compositor: compositor)
    }
    try context.settle()
    let handle: PlayerItemHandle = handles.add(item)
    compositor.belongs(to: handle)
    return PlayerItemCreate.Result(playerItem: handle)
  }

  @Sendable func setPlayerItem(
    _ request: PlayerItemSet, _ context: RequestContext
  ) async throws -> EmptyResult {
    let item = try handles.find(request.playerItem)
    var rules = PlayerRules()
    var settings = PlayerItemSettings()
    settings.forwardPlaybackEndTime = rules.end(
      request.forwardPlaybackEndTime, "/forwardPlaybackEndTime")
    settings.reversePlaybackEndTime = rules.end(
      request.reversePlaybackEndTime, "/reversePlaybackEndTime")
    try rules.check()
    switch request.enabledTrackIDs {
    case .tracks(let tracks)?: settings.enabledTrackIDs = .some(tracks)
    case .asset?: settings.enabledTrackIDs = .some(nil)
    case nil: break
    }
    settings.audioTimePitchAlgorithm = request.audioTimePitchAlgorithm.map { .init($0) }
    return try await set(item, request.playerItem, context) { [settings] in
      var settings = settings
      if request.videoComposition != nil {
        settings.videoComposition = try await .init(
          request.videoComposition, for: item.asset, at: "/videoComposition")
      }
      if request.audioMix != nil {
        settings.audioMix = try await .init(request.audioMix, for: item.asset, at: "/audioMix")
      }
      return settings
    }
  }

  /// Changes an item's settings after the earlier changes of them. The item is loaded with them beside the line of its
  /// player's requests, which they enter when they take effect. On a manual clock the other requests wait.
  private func set(
    _ item: PlayerItem, _ handle: PlayerItemHandle, _ context: RequestContext,
    settings: () async throws -> PlayerItemSettings
  ) async throws -> EmptyResult {
    func prepare() async throws -> PreparedSettings {
      let settings = try await settings()
      return try await mapErrors(handle) { () throws(EngineError) in
        try await item.prepare(settings)
      }
    }
    if item.isLoadedInTurn {
      return try await change(item, context) {
        while try await !item.apply(prepare()) {}
        return EmptyResult()
      }
    }
    return try await item.changeInTurn {
      while true {
        let prepared = try await prepare()
        if try await change(item, context, { await item.apply(prepared) }) { return EmptyResult() }
      }
    }
  }

  @Sendable func selectTrack(
    _ request: PlayerItemSelect, _ context: RequestContext
  ) async throws -> EmptyResult {
    let item = try handles.find(request.playerItem)
    return try await set(item, request.playerItem, context) {
      try await mapErrors(request.playerItem) { () throws(EngineError) in
        try await item.selection(
          trackID: request.trackID, of: MediaCharacteristic(request.characteristic))
      }
    }
  }

  @Sendable func playerItemState(
    _ request: EngineProtocol.PlayerItemState, _ context: RequestContext
  ) async throws -> EngineProtocol.PlayerItemState.Result {
    let item = try handles.find(request.playerItem)
    let state = item.state
    let player = item.player.flatMap { player in
      handles.object(named: ObjectIdentifier(player), as: PlayerHandle.self)
    }
    return EngineProtocol.PlayerItemState.Result(
      status: WirePlaybackStatus(state.status),
      error: state.error.map { ErrorObject($0).about(request.playerItem) },
      duration: WireTime(state.duration),
      presentationSize: state.presentationSize.map(WireSize.init), time: WireTime(state.time),
      player: player.flatMap { handles.handle(of: $0, as: PlayerHandle.self) },
      tracks: state.tracks.map(WirePlayerItemTrack.init),
      loadedTimeRanges: state.loadedTimeRanges.map(WireTimeRange.init),
      seekableTimeRanges: state.seekableTimeRanges.map(WireTimeRange.init),
      isPlaybackLikelyToKeepUp: state.isPlaybackLikelyToKeepUp,
      isPlaybackBufferFull: state.isPlaybackBufferFull,
      isPlaybackBufferEmpty: state.isPlaybackBufferEmpty,
      canPlayFastForward: state.canPlayFastForward, canPlaySlowForward: state.canPlaySlowForward,
      canPlayReverse: state.canPlayReverse, canPlaySlowReverse: state.canPlaySlowReverse,
      canPlayFastReverse: state.canPlayFastReverse, canStepForward: state.canStepForward,
      canStepBackward: state.canStepBackward, reason: state.reason,
      damagedSamples: state.damagedSamples, dropped: WireDropped.list(state.damage))
  }

  @Sendable func stepItem(
    _ request: PlayerItemStep, _ context: RequestContext
  ) async throws -> PlayerItemStep.Result {
    let item = try handles.find(request.playerItem)
    let step = { () async throws in
      try await mapErrors(request.playerItem) { () throws(EngineError) in
        try await item.step(by: request.count)
      }
    }
    // Without a player the step is refused.
    guard let open = openPlayer(of: item) else { return PlayerItemStep.Result(try await step()) }
    return try await change(open, context) { hold in
      let end = try await step()
      await open.notifications.flush(before: end.revision, hold)
      return PlayerItemStep.Result(end)
    }
  }
}

extension PlayerItemStep.Result {
  fileprivate init(_ end: StepEnd) {
    self.init(
      stepped: end.stepped, time: WireTime(end.time), sampleIndex: end.sampleIndex,
      revision: end.revision)
  }
}
