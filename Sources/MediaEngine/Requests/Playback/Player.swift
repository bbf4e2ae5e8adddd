import Dispatch
public import MediaTime
import Synchronization
import SystemIO

/// A player without a screen: a clock, and the frames, audio and events that are due at its times (AVPlayer,
/// AVQueuePlayer).
///
/// Pictures go to the video outputs of its items, audio to a device or a file. Requests take effect in order of
/// arrival. All events are reported in one order.
public final class Player: Sendable {
  public struct Configuration: Sendable {
    public var clock = PlayerClockKind.host
    /// True for a player whose items play one after the other.
    public var isQueue = false
    /// The destination of the audio; nil for the clock's default: the audio server's default output, or none on a
    /// manual clock.
    public var audioDevice: PlayerAudioDevice?
    /// The sample rate in hertz, from 8000 to 384000.
    public var sampleRate = 48000
    /// The number of channels, from 1 to 8.
    public var channels = 2
    /// The action at the end of an item; nil for `advance` of a queue, and `pause` of others.
    public var actionAtItemEnd: ActionAtItemEnd?
    public var automaticallyWaitsToMinimizeStalling = true
    /// False for playback that goes on in silence where its media waits for bytes, as AVAudioPlayer's does.
    var stalls = true
    /// The volume, from 0 to 1.
    public var volume = 1.0
    public var isMuted = false
    public var defaultRate = 1.0
    /// The configuration for the file of its audio.
    public var engine = EngineConfiguration()
    /// The outputs of audio servers; nil where there are none.
    package var outputs: (any AudioOutputs)?
    /// Bounds how many players have items; nil for any number.
    public var slots: PlayerSlots?
    /// Measures the levels of the audio that is heard.
    var meter: LevelMeter?

    public init() {}
  }

  public let configuration: Configuration
  let core: Mutex<PlayerCore>
  let runner = Mutex<PlayerRunner?>(nil)
  let counts = Mutex(PlayerStatistics())
  let lifetime = Interrupt()
  /// Releases the path of the audio file that is being written.
  let releaseFile = Mutex<@Sendable () -> Void>({})
  /// Requests take effect one after the other.
  let line = WorkLimiter(slots: 1)
  /// The item's time at which the next picture is pushed.
  let upcoming = Mutex<ExactTime?>(nil)

  /// Creates a player, with its items if it has any.
  ///
  ///     let player = try Player(items: [item]) { event in print(event) }
  ///
  /// - Parameters:
  ///   - items: the items to play; several only in a queue.
  ///   - configuration: the clock, the audio device and the behaviour at the end of an item.
  ///   - events: receives the events, one at a time, in order; must neither wait nor call the player.
  /// - Throws: `operationNotAllowed` for an item that is in a player, for several without a queue, for `advance`
  ///   without a queue, and for an audio server on a manual clock; the errors of making the audio file.
  public init(
    items: [PlayerItem] = [], _ configuration: Configuration = Configuration(),
    events: @escaping @Sendable (PlayerEvent) -> Void
  ) throws(EngineError) {
    self.configuration = configuration
    let action = configuration.actionAtItemEnd ?? (configuration.isQueue ? .advance : .pause)
    guard configuration.isQueue || items.count < 2 else {
      throw EngineError(
        .operationNotAllowed, "A player without a queue has one item at most",
        advice: .createQueue)
    }
    guard action != .advance || configuration.isQueue else {
      throw Player.noQueue("advance at an end")
    }
    let isReal = configuration.clock != .manual
    var state = PlayerCore(
      isQueue: configuration.isQueue, clock: configuration.clock, actionAtItemEnd: action,
      emit: events)
    state.defaultRate = PlaybackRate(configuration.defaultRate) ?? .one
    state.automaticallyWaits = configuration.automaticallyWaitsToMinimizeStalling
    (state.volume, state.isMuted) = (configuration.volume, configuration.isMuted)
    state.audio.sampleRate = configuration.sampleRate
    state.audio.channels = configuration.channels
    if !items.isEmpty { try state.takeSlot(of: configuration.slots) }
    let device = configuration.audioDevice ?? (isReal ? .server(nil) : .none)
    let file = try configuration.openFile(device)
    state.take(device, hasServer: configuration.outputs != nil)
    if state.audio.state == .closed { state.gate = .idle }
    if isReal {
      if state.gate == .none { state.clock = .host }
      state.host = Deadlines.now
      state.now = { Deadlines.now }
    }
    core = Mutex(state)
    if let file { releaseFile.withLock { $0 = file.release } }
    let audio = PlayerAudio(
      file, sampleRate: configuration.sampleRate, channels: configuration.channels,
      meter: configuration.meter)
    try claim(items)
    let work = PlayerRunner(player: self, audio: audio, lifetime: lifetime)
    runner.withLock { $0 = work }
    core.withLock { core in
      core.queue = items
      if let first = items.first {
        let start = core.beginning(of: first)
        core.timebase = Timebase(item: start, host: core.host, rate: .zero)
        core.crossed = start
      }
      core.markReported()
      // It may be ready, from another player.
      if core.facts != nil {
        core.status = .readyToPlay
        core.startSequences()
        core.report()
      }
      // It may have failed in another player.
      if let first = items.first, let error = first.failure { core.passOver(first, error) }
    }
    kick()
  }

  deinit { close() }

  // MARK: Rate

  /// Plays at ``Configuration/defaultRate``.
  public func play() async throws(EngineError) -> PlayerRate {
    try await request { core throws(EngineError) in
      core.setRate(core.defaultRate)
      return core.rateReport
    }
  }

  public func pause() async throws(EngineError) -> PlayerRate {
    try await request { core throws(EngineError) in
      core.setRate(.zero)
      return core.rateReport
    }
  }

  /// Sets the rate, at once or from a time of the clock on (AVPlayer `setRate(_:time:atHostTime:)`).
  ///
  /// - Parameters:
  ///   - rate: from -32 to 32; 0 pauses.
  ///   - time: the item's time at the host time; nil for the current one.
  ///   - hostTime: a time of the player's clock; nil for now.
  ///   - immediately: false to wait where too little is decoded.
  /// - Throws: `operationNotAllowed` for a time while the player waits automatically.
  public func setRate(
    _ rate: Double, time: Time? = nil, atHostTime hostTime: Time? = nil,
    immediately: Bool = false
  ) async throws(EngineError) -> PlayerRate {
    let wanted = PlaybackRate(rate) ?? .zero
    return try await request { core throws(EngineError) in
      guard time != nil || hostTime != nil else {
        core.setRate(wanted)
        return core.rateReport
      }
      guard !core.automaticallyWaits else {
        throw EngineError(
          .operationNotAllowed,
          "A rate can't be set for a time while the player waits automatically to minimize stalling",
          advice: .disableAutomaticWaiting)
      }
      core.setRate(
        wanted, time: time.flatMap(ExactTime.init), atHostTime: hostTime.flatMap(ExactTime.init))
      return core.rateReport
    }
  }

  /// Changes settings.
  ///
  /// - Throws: `operationNotAllowed` for `advance` without a queue; for another audio device the errors of
  ///   opening it. Nothing is changed then.
  public func set(_ settings: PlayerSettings) async throws(EngineError) {
    if settings.actionAtItemEnd == .advance, !configuration.isQueue {
      throw Player.noQueue("advance at an end")
    }
    if let device = settings.audioDevice { try await setDevice(device) }
    try await request { core throws(EngineError) in
      if let rate = settings.defaultRate { core.defaultRate = PlaybackRate(rate) ?? .one }
      if let waits = settings.automaticallyWaitsToMinimizeStalling {
        core.automaticallyWaits = waits
      }
      if let volume = settings.volume { (core.volume, core.fade) = (volume, nil) }
      if let isMuted = settings.isMuted { core.isMuted = isMuted }
      if settings.volume != nil || settings.isMuted != nil { core.changeVolume() }
      if let action = settings.actionAtItemEnd {
        core.actionAtItemEnd = action
        core.replan()
        if core.standingEnd != nil, action != .none { core.actAtEnd() }
      }
      core.report()
    }
  }

  /// The state at this moment. Never waits.
  public var state: PlayerState {
    change { core in
      var state = PlayerState()
      (state.status, state.error) = (core.status, core.error)
      (state.rate, state.effectiveRate) = (core.rate.value, core.timebase.rate.value)
      state.defaultRate = core.defaultRate.value
      (state.timeControlStatus, state.reasonForWaitingToPlay) = (core.control, core.waitingReason)
      (state.currentItem, state.time) = (core.item, core.time)
      state.isSeeking = core.seek.map { !$0.isSilent } ?? false
      (state.hostTime, state.clock) = (core.hostTime, core.clock)
      (state.volume, state.isMuted) = (core.volume, core.isMuted)
      (state.actionAtItemEnd, state.revision) = (core.actionAtItemEnd, core.revision)
      state.automaticallyWaitsToMinimizeStalling = core.automaticallyWaits
      state.audio = core.audio
      return state
    }
  }

  // MARK: Seeks and prerolls

  /// Begins a seek (AVPlayer `seek(to:toleranceBefore:toleranceAfter:)`), interrupting the one before it.
  ///
  /// - Parameters:
  ///   - time: the time of the item.
  ///   - toleranceBefore: the maximum time by which the player may land before it. With both tolerances zero, the seek
  ///     lands exactly; with the default, infinity, on the nearest sync sample, which is faster.
  ///   - toleranceAfter: the maximum time by which it may land after it.
  ///   - whileScrubbing: true to complete a seek that is in progress, and to continue with the newest.
  /// - Returns: the number of the seek, which its ``SeekEnd`` has, too, and the revision of the player
  ///   if it lands.
  public func seek(
    to time: Time, toleranceBefore: Time = .positiveInfinity,
    toleranceAfter: Time = .positiveInfinity, whileScrubbing: Bool = false
  ) async throws(EngineError) -> (seek: Int, revision: Int) {
    try await request { core throws(EngineError) in
      core.beginSeek(
        to: time, before: toleranceBefore, after: toleranceAfter, isScrubbing: whileScrubbing)
    }
  }

  /// Cancels the seeks that haven't landed.
  ///
  /// - Returns: the number of cancelled seeks.
  public func cancelPendingSeeks() async throws(EngineError) -> Int {
    try await request { core throws(EngineError) in core.cancelSeeks() }
  }

  /// Cancels one seek, if it hasn't landed. Never waits.
  public func cancelSeek(_ seek: Int) {
    change { _ = $0.cancelSeeks(seek) }
    kick()
  }

  /// Decodes the media that playback at a rate begins with.
  ///
  /// - Throws: `operationNotAllowed` while the player plays, or isn't ready; the error of a failed item.
  public func preroll(atRate rate: Double) async throws(EngineError) -> Int {
    try await request { core throws(EngineError) in
      if let failure = core.failure { throw failure }
      guard core.rate == .zero, core.facts != nil else {
        throw EngineError(
          .operationNotAllowed,
          core.rate == .zero
            ? "The player isn't ready to preroll"
            : "The player can't preroll while its rate isn't 0",
          advice: core.rate == .zero ? .waitUntilReady : .pauseFirst)
      }
      return core.beginPreroll(PlaybackRate(rate) ?? .one)
    }
  }

  /// Ends the prerolls that haven't finished.
  public func cancelPendingPrerolls() async throws(EngineError) -> Int {
    try await request { core throws(EngineError) in core.endPrerolls() }
  }

  // MARK: Items

  public var items: [PlayerItem] { core.withLock(\.queue) }
  var currentItem: PlayerItem? { core.withLock(\.item) }
  var revision: Int { core.withLock(\.revision) }

  /// Replaces the current item; nil for none.
  ///
  /// - Throws: `operationNotAllowed` for an item that is in a player.
  public func replaceCurrentItem(with item: PlayerItem?) async throws(EngineError) {
    try await request { core throws(EngineError) in
      if let item, item === core.item { return }
      if let item {
        try core.takeSlot(of: self.configuration.slots)
        do throws(EngineError) {
          try self.claim([item])
        } catch {
          core.leaveSlot()
          throw error
        }
      }
      core.replaceItem(item)
    }
  }

  /// Inserts an item into the queue.
  ///
  /// - Parameters:
  ///   - item: an item without a player.
  ///   - after: the item that it comes after; nil to append it.
  ///   - dryRun: true to check only that the insertion is possible.
  /// - Throws: `operationNotAllowed` without a queue, for an item that is in a player, and for one to insert after
  ///   that isn't in the queue.
  public func insert(
    _ item: PlayerItem, after: PlayerItem? = nil, dryRun: Bool = false
  ) async throws(EngineError) -> [PlayerItem] {
    try await request { core throws(EngineError) in
      guard core.isQueue else { throw Player.noQueue("insert an item") }
      try core.takeSlot(of: self.configuration.slots)
      defer { core.leaveSlot() }
      var place = core.queue.count
      if let after {
        guard let found = core.queue.firstIndex(where: { $0 === after }) else {
          throw EngineError(
            .operationNotAllowed, "The item to insert after isn't in the queue",
            advice: .nameItemOfPlayer, path: after.asset.path)
        }
        place = found + 1
      }
      if dryRun {
        try item.requireFree()
        var items = core.queue
        items.insert(item, at: place)
        return items
      }
      try self.claim([item])
      core.insertItem(item, at: place)
      return core.queue
    }
  }

  /// Removes an item from the queue; removing the current one advances.
  public func remove(_ item: PlayerItem) async throws(EngineError) {
    try await request { core throws(EngineError) in
      guard core.queue.contains(where: { $0 === item }) else {
        throw EngineError(
          .operationNotAllowed, "The item isn't in this player",
          advice: .nameItemOfPlayer, path: item.asset.path)
      }
      core.removeItem(item)
    }
  }

  public func removeAllItems() async throws(EngineError) {
    try await request { core throws(EngineError) in core.removeAllItems() }
  }

  /// Advances to the next item of the queue.
  ///
  /// - Throws: `operationNotAllowed` without a queue.
  public func advanceToNextItem() async throws(EngineError) -> PlayerState {
    try await request { core throws(EngineError) in
      guard core.isQueue else { throw Player.noQueue("advance to an item") }
      core.replan()
      core.advance(.itemChange)
    }
    return state
  }

  /// Removes any item from the player. Never waits.
  func discard(_ item: PlayerItem) {
    change { $0.removeItem(item) }
    kick()
  }

  private static func noQueue(_ what: String) -> EngineError {
    EngineError(
      .operationNotAllowed, "A player without a queue can't \(what)",
      advice: .createQueue)
  }

  /// Assigns the items to this player.
  private func claim(_ items: [PlayerItem]) throws(EngineError) {
    for (place, item) in items.enumerated() {
      do throws(EngineError) {
        try item.claim(for: self, isAgain: items[..<place].contains { $0 === item })
      } catch {
        for claimed in items[..<place] { claimed.shared.withLock { $0.player = nil } }
        throw error
      }
    }
  }

  // MARK: Observers

  /// Adds an observer that fires at the multiples of an interval that the item's time crosses, and when it jumps,
  /// starts or stops.
  public func addPeriodicTimeObserver(
    every interval: Time
  ) async throws(EngineError) -> TimeObserver {
    try await request { core throws(EngineError) in
      try core.requireRoomForObserver()
      return core.add(.periodic(interval: interval), of: self)
    }
  }

  /// Adds an observer that fires when playback crosses one of several times of the item.
  public func addBoundaryTimeObserver(at times: [Time]) async throws(EngineError) -> TimeObserver {
    try await request { core throws(EngineError) in
      try core.requireRoomForObserver()
      return core.add(TimeObserver.Schedule(boundaries: times), of: self)
    }
  }

  func remove(_ observer: TimeObserver) {
    change { $0.observers.removeAll { $0 === observer } }
    kick()
  }

  // MARK: Ends

  /// Finishes the file of a file device, and commits it under its name.
  ///
  /// - Throws: `operationNotAllowed` without one, `fileAlreadyExists`, `diskFull`.
  public func finishAudioFile() async throws(EngineError) -> (
    path: String, size: Int, frames: Int64
  ) {
    try await line.enter(interrupt: lifetime)
    defer { line.leave() }
    catchUp()
    let (device, audio) = core.withLock { ($0.device, $0.audio) }
    guard audio.state == .open, let end = try await activeRunner.finishAudio() else {
      if case .file = device, let error = audio.error { throw error }
      throw EngineError(
        .operationNotAllowed, "The player writes no audio file",
        advice: .createWithAudioFile)
    }
    change { core in
      core.audio.state = .closed
      core.report()
    }
    return end
  }

  /// Ends the player: seeks and prerolls end unfinished, and nothing is reported afterwards. Never waits.
  public func close() {
    let isFirst = core.withLock { core in
      guard !core.isClosed else { return false }
      core.close()
      return true
    }
    guard isFirst else { return }
    lifetime.trigger()
    releaseFile.withLock(\.self)()
    Deadlines.shared.set(nil, for: self) {}
    if let runner = runner.withLock({ $0.take() }) { Task { await runner.close() } }
  }
}
