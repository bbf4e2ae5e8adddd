import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `audioPlayer/*`.
  func registerAudioPlayers(in router: inout EngineRouter) {
    serve(AudioPlayerCreate.self, createAudioPlayer, in: &router)
    serve(AudioPlayerPrepareToPlay.self, prepareToPlay, in: &router)
    serve(AudioPlayerPlay.self, playAudio, in: &router)
    serve(AudioPlayerPause.self, pauseAudio, in: &router)
    serve(AudioPlayerStop.self, stopAudio, in: &router)
    serve(AudioPlayerSet.self, setAudioPlayer, in: &router)
    serve(AudioPlayerState.self, audioPlayerState, in: &router)
    serve(AudioPlayerMeters.self, audioPlayerMeters, in: &router)
    serve(AudioPlayerAdvanceClock.self, advanceAudioClock, in: &router)
    serve(AudioPlayerFinishAudioFile.self, finishAudioFile, in: &router)
  }

  @Sendable func createAudioPlayer(
    _ request: AudioPlayerCreate, _ context: RequestContext
  ) async throws -> AudioPlayerCreate.Result {
    var settings = try AudioPlayer.Configuration(request, engine: configuration)
    settings.outputs = audioOutputs(context.connection)
    settings.slots = playerSlots
    let asset: any Asset
    switch (request.url, request.asset) {
    case (let url?, nil): asset = URLAsset(url: url, configuration: configuration)
    case (nil, let handle?): asset = try await findAsset(handle)
    case (nil, nil):
      throw RPCError.invalidParams(path: "/url", expected: "url or asset", got: "neither")
    case (.some, .some):
      throw RPCError.invalidParams(path: "/url", expected: "url or asset", got: "both")
    }
    let notifications = AudioPlayerNotifications(
      context.connection, isManual: settings.clock == .manual)
    notifications.hold(context)
    let player: AudioPlayer
    if let handle = request.asset {
      player = try await mapErrors(handle) { [settings] () throws(EngineError) in
        try await AudioPlayer(asset: asset, settings) { notifications.take($0) }
      }
    } else {
      player = try await AudioPlayer(asset: asset, settings) { notifications.take($0) }
    }
    do {
      try context.settle()
    } catch {
      player.close()
      throw error
    }
    let handle: AudioPlayerHandle = handles.add(
      OpenAudioPlayer(player, path: asset.path, notifications))
    notifications.begin(handle)
    return AudioPlayerCreate.Result(
      audioPlayer: handle, duration: WireTime(player.duration),
      format: player.format.map(WireFormatDescription.init))
  }

  @Sendable func prepareToPlay(
    _ request: AudioPlayerPrepareToPlay, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await change(request.audioPlayer, context) { player throws(EngineError) in
      try await player.prepareToPlay()
    }
    return EmptyResult()
  }

  @Sendable func playAudio(
    _ request: AudioPlayerPlay, _ context: RequestContext
  ) async throws -> EmptyResult {
    var rules = PlayerRules()
    let hostTime = rules.numeric(request.atHostTime, "/atHostTime")
    try rules.check()
    try await change(request.audioPlayer, context) { player throws(EngineError) in
      try await player.play(atHostTime: hostTime)
    }
    return EmptyResult()
  }

  @Sendable func pauseAudio(
    _ request: AudioPlayerPause, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await change(request.audioPlayer, context) { player throws(EngineError) in
      try await player.pause()
    }
    return EmptyResult()
  }

  @Sendable func stopAudio(
    _ request: AudioPlayerStop, _ context: RequestContext
  ) async throws -> EmptyResult {
    try await change(request.audioPlayer, context) { player throws(EngineError) in
      try await player.stop()
    }
    return EmptyResult()
  }

  @Sendable func setAudioPlayer(
    _ request: AudioPlayerSet, _ context: RequestContext
  ) async throws -> EmptyResult {
    var rules = PlayerRules()
    var settings = AudioPlayer.Settings()
    rules.volume(request.volume, "/volume")
    settings.fadeDuration = rules.numeric(
      request.fadeDuration, "/fadeDuration", notBefore: .zero)
    rules.require(
      request.fadeDuration == nil || request.volume != nil, "/volume",
      "the volume to fade to", "none")
    rules.pan(request.pan, "/pan")
    rules.audioRate(request.rate, "/rate")
    rules.loops(request.numberOfLoops, "/numberOfLoops")
    let player = try handles.find(request.audioPlayer).player
    settings.currentTime = rules.numeric(request.currentTime, "/currentTime", notBefore: .zero)
    if let time = settings.currentTime, time.isNumeric, time >= .zero {
      rules.require(
        player.contains(time), "/currentTime",
        "a number of seconds from 0 to the duration, \(player.duration.secondsDescription)",
        time.secondsDescription)
    }
    try rules.check()
    settings.volume = request.volume
    settings.pan = request.pan
    settings.rate = request.rate
    settings.numberOfLoops = request.numberOfLoops
    try await change(request.audioPlayer, context) { [settings] player throws(EngineError) in
      try await player.set(settings)
    }
    return EmptyResult()
  }

  @Sendable func audioPlayerState(
    _ request: AudioPlayerState, _ context: RequestContext
  ) async throws -> AudioPlayerState.Result {
    let state = try handles.find(request.audioPlayer).player.state
    return AudioPlayerState.Result(
      isPlaying: state.isPlaying, currentTime: WireTime(state.currentTime),
      deviceCurrentTime: WireTime(state.deviceCurrentTime), duration: WireTime(state.duration),
      loop: state.loop, numberOfLoops: state.numberOfLoops, volume: state.volume, pan: state.pan,
      rate: state.rate, clock: WirePlayerClock(state.clock), audio: WirePlayerAudio(state.audio))
  }

  @Sendable func audioPlayerMeters(
    _ request: AudioPlayerMeters, _ context: RequestContext
  ) async throws -> AudioPlayerMeters.Result {
    let player = try handles.find(request.audioPlayer).player
    let levels = try await mapErrors(request.audioPlayer) { () throws(EngineError) in
      try player.levels()
    }
    return AudioPlayerMeters.Result(
      hostTime: WireTime(levels.hostTime), channels: levels.channels.map(WireAudioLevel.init))
  }

  @Sendable func advanceAudioClock(
    _ request: AudioPlayerAdvanceClock, _ context: RequestContext
  ) async throws -> AudioPlayerAdvanceClock.Result {
    let open = try handles.find(request.audioPlayer)
    var rules = PlayerRules()
    let (by, to) = rules.advance(by: request.by, to: request.to)
    try rules.check()
    try await open.line.enter()
    let before = open.notifications.made
    let reached: (hostTime: Time, time: Time, revision: Int, notifications: Int)
    let made: Int
    do {
      defer { open.line.leave() }
      reached = try await mapErrors(request.audioPlayer) { () throws(EngineError) in
        if let by { return try await open.player.advanceClock(by: by) }
        return try await open.player.advanceClock(to: to ?? .zero)
      }
      made = open.notifications.made - before
    }
    // Answers of a batch are written together, and its notifications after them.
    if !context.isBatched { await open.notifications.drained() }
    return AudioPlayerAdvanceClock.Result(
      hostTime: WireTime(reached.hostTime), time: WireTime(reached.time),
      revision: reached.revision, notifications: made)
  }

  @Sendable func finishAudioFile(
    _ request: AudioPlayerFinishAudioFile, _ context: RequestContext
  ) async throws -> AudioPlayerFinishAudioFile.Result {
    let file = try await change(request.audioPlayer, context) { player throws(EngineError) in
      try await player.finishAudioFile()
    }
    return AudioPlayerFinishAudioFile.Result(path: file.path, size: file.size, frames: file.frames)
  }
}

extension AudioPlayer.Configuration {
  /// - Throws: `invalidParams` with all problems.
  fileprivate init(_ request: AudioPlayerCreate, engine: EngineConfiguration) throws(RPCError) {
    self.init()
    clock = PlayerClockKind(request.clock ?? .audio)
    var rules = PlayerRules()
    rules.device(request.audioDevice, isManual: clock == .manual)
    rules.loops(request.numberOfLoops, "/numberOfLoops")
    rules.pan(request.pan, "/pan")
    rules.volume(request.volume, "/volume")
    rules.audioRate(request.rate, "/rate")
    meterInterval = rules.numeric(request.meterInterval, "/meterInterval", notBefore: .zero)
    if let interval = meterInterval, interval.isNumeric {
      rules.require(
        interval >= Self.leastMeterInterval, "/meterInterval", "at least 0.02 seconds",
        "\(interval.seconds)")
    }
    try rules.check()
    audioDevice = request.audioDevice.map(PlayerAudioDevice.init)
    numberOfLoops = request.numberOfLoops ?? 0
    pan = request.pan ?? 0
    volume = request.volume ?? 1
    enableRate = request.enableRate ?? false
    rate = request.rate ?? 1
    isMeteringEnabled = request.isMeteringEnabled ?? false
    self.engine = engine
  }

  private static let leastMeterInterval = Time(value: 20, timescale: 1000)
}

extension PlayerRules {
  fileprivate mutating func pan(_ pan: Double?, _ path: String) {
    guard let pan else { return }
    require((-1...1).contains(pan), path, "a number from -1 to 1", "\(pan)")
  }

  fileprivate mutating func audioRate(_ rate: Double?, _ path: String) {
    guard let rate else { return }
    require((0.5...2).contains(rate), path, "a number from 0.5 to 2", "\(rate)")
  }

  fileprivate mutating func loops(_ count: Int?, _ path: String) {
    guard let count else { return }
    require(count >= -1, path, "a number from -1 on", "\(count)")
  }
}
