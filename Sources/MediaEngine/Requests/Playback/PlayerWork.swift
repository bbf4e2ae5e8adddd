import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// The access of a player's parts to its state.
extension Player {
  /// Changes the state, which is brought up to date first.
  @discardableResult
  func change<Result>(_ body: (inout PlayerCore) -> Result) -> Result {
    core.withLock { core in
      core.catchUp()
      return body(&core)
    }
  }

  /// Reports the events up to now, on a clock that isn't manual.
  func catchUp() { change { _ in } }

  /// Serves a request, after the earlier ones.
  func request<Result>(
    _ body: (inout PlayerCore) throws(EngineError) -> Result
  ) async throws(EngineError) -> Result {
    try await line.enter(interrupt: lifetime)
    defer {
      line.leave()
      kick()
    }
    return try core.withLock { (core) throws(EngineError) in
      guard !core.isClosed else { throw Player.closed }
      core.catchUp()
      return try body(&core)
    }
  }

  static var closed: EngineError {
    EngineError(.operationNotAllowed, "The player is closed", advice: .replacePlayer)
  }

  var activeRunner: PlayerRunner {
    get throws(EngineError) {
      guard let runner = runner.withLock(\.self) else { throw Player.closed }
      return runner
    }
  }

  /// Starts the pending work.
  func kick() {
    guard let runner = runner.withLock(\.self) else { return }
    Task {
      await runner.work()
      // The file has what was heard, also while time stands.
      if configuration.clock != .manual { await runner.render() }
      withExtendedLifetime(self) {}
    }
  }

  // MARK: For the runner

  /// The next piece of work.
  func nextJob() -> PlayerRunner.Job? {
    core.withLock { core in
      guard !core.isClosed, let item = core.item else { return nil }
      let status = item.shared.withLock(\.status)
      if status == .unknown { return .load(item) }
      if let facts = core.facts {
        if let seek = core.seek { return .land(seek, facts) }
        if let preroll = core.prerolls.first { return .preroll(preroll, facts, core.time) }
        if !core.isStepping,
          !item.pushedOutputs(lacking: core.revision, facts.version).isEmpty
        {
          return .show(item, facts, core.time, revision: core.revision)
        }
        // Pictures follow each other while time runs, and after a jump.
        if !core.isStepping, facts.video != nil,
          let output = item.outputs.first(where: { output in
            output.wantsNotification
              && (core.timebase.rate != .zero || output.lacks(core.revision, facts.version))
          })
        {
          return .notify(output)
        }
      }
      guard core.queue.count > 1 else { return nil }
      let next = core.queue[1]
      return next.shared.withLock(\.status) == .unknown ? .load(next) : nil
    }
  }

  /// The course of the item's time, for the sender of its pictures.
  struct PushMoment {
    let item: PlayerItem
    let facts: ItemFacts
    var crossed: Time
    let isForward: Bool
    let revision: Int
    /// The start of the picture that is shown.
    var shownStart: Time?

    func after(_ frame: TimedFrame?) -> PushMoment {
      guard let frame else { return self }
      var result = self
      result.shownStart = frame.timing.start
      if isForward { result.crossed = max(crossed, frame.timing.start) }
      return result
    }
  }

  /// Returns the course of the item's time; nil where no picture is to be sent.
  ///
  /// - Parameter isStopped: true to include pictures that were due before time has stopped.
  func pushMoment(isStopped: Bool = false) -> PushMoment? {
    core.withLock { core in
      guard !core.isClosed, core.timebase.rate != .zero || isStopped, let item = core.item,
        let facts = core.facts, facts.video != nil
      else { return nil }
      var isForward = core.timebase.rate.isForward
      if core.timebase.rate == .zero {
        guard core.seek == nil, !core.isStepping, let last = core.direction,
          last.revision == core.revision
        else { return nil }
        isForward = last.isForward
      }
      let outputs = item.outputs.filter(\.configuration.isPush)
      guard !outputs.isEmpty else { return nil }
      let shown = outputs.compactMap(\.last).first {
        $0.revision == core.revision && $0.start.isNumeric
      }
      return PushMoment(
        item: item, facts: facts, crossed: core.time(of: core.crossed),
        isForward: isForward, revision: core.revision,
        shownStart: shown?.start)
    }
  }

  /// Returns true where the item's time has reached a time.
  func isDue(_ time: ExactTime, _ moment: PushMoment) -> Bool {
    // An end that is due then comes first.
    change { core in
      guard core.revision == moment.revision else { return false }
      // Backward, a frame is shown before its end.
      return moment.isForward ? time <= core.itemTime : time > core.itemTime
    }
  }

  /// Returns the clock's time at which the item's time is `time`; nil where it stands, or has passed that.
  func hostTime(at time: Time?) -> ExactTime? {
    guard let time = time.flatMap(ExactTime.init) else { return nil }
    return core.withLock { core in
      guard core.timebase.rate.isForward else { return nil }
      return core.timebase.hostTime(at: time)
    }
  }

  /// The priority of decoding frames that are shown: a manual clock waits for them.
  var priority: WorkLimiter.Priority {
    configuration.clock == .manual ? .interactive : .realTime(ready: .zero)
  }

  /// True while the item's time stands, and isn't about to run.
  var isPaused: Bool {
    core.withLock { $0.rate == .zero && $0.timebase.rate == .zero && $0.holdsUntil == nil }
  }

  var nextFrame: ExactTime? {
    get { upcoming.withLock(\.self) }
    set { upcoming.withLock { $0 = newValue } }
  }

  /// Sets the deadline of the next event, on a clock that isn't manual.
  func scheduleDeadline() {
    guard configuration.clock != .manual else { return }
    let frame = upcoming.withLock(\.self)
    let next = core.withLock { core -> ExactTime? in
      guard !core.isClosed else { return nil }
      var next = core.nextDeadline
      guard core.timebase.rate != .zero else { return next }
      // It may be due already, where sending the one before it took long.
      if let frame, let time = core.timebase.hostTime(at: frame) {
        next = min(next ?? time, time)
      }
      if core.audio.state == .open {
        let time = core.host + ExactTime(reducing: 1, 10)
        next = min(next ?? time, time)
      }
      return next
    }
    Deadlines.shared.set(next, for: self) { [weak self] in self?.wake() }
  }

  private func wake() {
    guard let runner = runner.withLock(\.self) else { return }
    Task {
      await runner.tick()
      withExtendedLifetime(self) {}
    }
  }

  /// Returns the pieces of audio for the device, and the player's running time.
  func takePieces() -> ([PlayerCore.AudioPiece], ExactTime) {
    core.withLock { ($0.takePieces(), $0.run) }
  }

  /// Continues without audio.
  func audioHasFailed(_ error: EngineError) {
    guard !lifetime.isTriggered else { return }
    change { core in
      guard core.audio.state == .open else { return }
      core.audio.state = .unavailable
      core.audio.error = error
      core.report()
    }
  }

  /// Runs `body` with an interrupt that is triggered after a time, unless the clock is manual.
  func withDeadline<Value>(
    _ timeout: Duration, _ interrupt: Interrupt, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(EngineError) -> Value
  ) async throws(EngineError) -> Value {
    guard configuration.clock != .manual else { return try await body() }
    if timeout <= .zero {
      interrupt.trigger()
    } else {
      let (seconds, attoseconds) = timeout.components
      let end = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
      DispatchQueue.global().asyncAfter(deadline: end) { interrupt.trigger() }
    }
    return try await body()
  }

  // MARK: For items and outputs

  /// Returns the time of one of the player's items: the current time, or the start of an item that isn't current.
  func time(of item: PlayerItem) -> Time {
    change { core in
      core.item === item ? core.time : core.beginning(of: item).time()
    }
  }

  /// Returns the frames a second that are shown of an item now; nil where it isn't the current one, or that isn't
  /// known.
  func frameRate(of item: PlayerItem, _ facts: ItemFacts) -> Double? {
    let (time, rate) = change { core in
      (core.item === item ? core.time(of: core.itemTime) : .invalid, core.timebase.rate)
    }
    guard time.isNumeric else { return nil }
    guard rate != .zero else { return 0 }
    guard let duration = facts.frameDuration(at: time, interrupt: lifetime) else { return nil }
    return abs(rate.value) / duration.seconds
  }

  /// Changes an item's settings, and loads it with them while other requests wait.
  ///
  /// - Returns: false where the item has changed meanwhile, or has left the player.
  func change(
    _ item: PlayerItem, _ settings: () async throws(EngineError) -> PlayerItemSettings
  ) async throws(EngineError) -> Bool {
    guard await enterLine() else { return false }
    defer {
      line.leave()
      kick()
    }
    return change(item, in: try await item.prepare(try await settings()))
  }

  /// Changes an item's settings, with which it has been loaded.
  ///
  /// - Returns: false where the item has changed since, or has left the player.
  func change(_ item: PlayerItem, _ prepared: PreparedSettings) async -> Bool {
    guard await enterLine() else { return false }
    defer {
      line.leave()
      kick()
    }
    return change(item, in: prepared)
  }

  /// Waits for the turn of a request.
  ///
  /// - Returns: false for a player that is closed, whose items have left it.
  private func enterLine() async -> Bool {
    (try? await line.enter(interrupt: lifetime)) != nil
  }

  private func change(_ item: PlayerItem, in prepared: PreparedSettings) -> Bool {
    core.withLock { core in
      core.catchUp()
      // Another player may have it by now. It leaves this one under the lock only.
      guard item.player === self else { return false }
      switch item.shared.withLock({ $0.apply(prepared) }) {
      case .outdated: return false
      case .changed: break
      case .reloaded(let facts): core.itemIsReloaded(item, facts)
      }
      core.endsHaveChanged()
      return true
    }
  }

  /// False for a player whose audio goes nowhere.
  var hasAudio: Bool {
    if case .none = core.withLock(\.device) { return false }
    return true
  }

  func step(_ item: PlayerItem, by count: Int) async throws(EngineError) -> StepEnd {
    try await line.enter(interrupt: lifetime)
    defer {
      line.leave()
      kick()
    }
    let runner = try activeRunner
    await runner.work()
    let (facts, time, number) = try core.withLock {
      (core) throws(EngineError) -> (ItemFacts, Time, Int) in
      core.catchUp()
      guard core.item === item else { throw item.notCurrent }
      if let failure = item.failure { throw failure }
      guard let facts = core.facts else { throw item.notCurrent }
      guard facts.video != nil else { throw Player.noFrames(item) }
      if let problem = facts.reverseProblem, count < 0 {
        throw EngineError(
          .operationNotSupportedForAsset, "The item can't step backward: \(problem)",
          advice: .stepForward, path: item.asset.path)
      }
      let number = core.beginStep()
      return (facts, core.time, number)
    }
    do throws(EngineError) {
      let (stepped, frame) = try await withTaskInterrupt(parent: lifetime) {
        interrupt throws(EngineError) in
        let (stepped, frame) = try await runner.step(
          item, facts, from: time, by: count, interrupt: interrupt)
        return (stepped, frame.map { $0.timing.start })
      }
      let place = frame ?? time
      let index = facts.sampleIndex(ofFrameAt: place, interrupt: lifetime)
      return change { core in
        core.landStep(number, .init(time: place, sampleIndex: index), stepped)
      }
    } catch {
      change { $0.abandonStep(number) }
      throw error
    }
  }

  private static func noFrames(_ item: PlayerItem) -> EngineError {
    EngineError(
      .operationNotSupportedForAsset,
      "'\(item.asset.path)' has no enabled video track to step through",
      advice: .seekInstead, path: item.asset.path)
  }

  /// Returns the item's time of a request for a picture.
  func itemTime(itemTime: Time?, hostTime: Time?) -> Time {
    if let itemTime { return itemTime }
    return change { core in
      guard let hostTime = hostTime.flatMap(ExactTime.init), core.seek == nil else {
        return core.time
      }
      guard core.item != nil else { return .invalid }
      return core.time(of: core.timebase.itemTime(at: hostTime))
    }
  }

  func hasNewPicture(of output: VideoOutput, at time: Time) async throws(EngineError) -> Bool {
    try await activeRunner.hasNewPicture(of: output, at: time)
  }

  func copyPicture(
    of output: VideoOutput, at time: Time, onlyIfNew: Bool, timeout: Duration
  ) async throws(EngineError) -> OutputAnswer {
    if configuration.clock == .manual { await (try activeRunner).work() }
    return try await activeRunner.copyPicture(
      of: output, at: time, onlyIfNew: onlyIfNew, timeout: timeout)
  }
}

extension PlayerItem {
  /// The outputs that pictures are pushed to and that don't have one of a revision and a version of the item.
  func pushedOutputs(lacking revision: Int, _ version: Int) -> [VideoOutput] {
    outputs.filter { $0.configuration.isPush && $0.lacks(revision, version) }
  }

  /// - Throws: `operationNotAllowed` for an item that is in a player.
  func requireFree() throws(EngineError) {
    guard shared.withLock({ $0.player == nil }) else {
      throw EngineError(
        .operationNotAllowed, "The item is in a player already",
        advice: .removeItemThere, path: asset.path)
    }
  }

  /// - Parameter isAgain: true for an item that has been named before.
  func claim(for player: Player, isAgain: Bool = false) throws(EngineError) {
    guard !isAgain else {
      throw EngineError(
        .operationNotAllowed, "An item is named twice", advice: .createItemForEachPlace,
        path: asset.path)
    }
    let isFree = shared.withLock { state in
      guard state.player == nil else { return false }
      state.player = player
      return true
    }
    if !isFree { try requireFree() }
    // Revisions begin anew.
    for output in outputs { output.didTake(nil) }
  }
}

extension PlayerCore {
  /// Brings a clock that isn't manual up to date.
  mutating func catchUp() {
    guard let now, !isClosed else { return }
    _ = run(to: now(), waits: false)
  }

  /// Continues an item that has been loaded with other settings, at its place.
  mutating func itemIsReloaded(_ changed: PlayerItem, _ facts: ItemFacts) {
    if changed === item { reload() }
    itemIsReady(changed, facts, isFirst: false)
  }

  /// Handles an end that now lies before the current time.
  mutating func endsHaveChanged() {
    replan()
    leavePassedEnd()
    if now == nil { _ = run(to: host, waits: false) }
  }

  /// Notes that an end at which it stood is no end any more.
  mutating func leavePassedEnd() {
    guard arrival != nil, timebase.rate == .zero, let facts else { return }
    let end = end(of: facts, isForward: arrival == .forward)
    if arrival == .forward ? itemTime < end : itemTime > end { arrival = nil }
  }

  func requireRoomForObserver() throws(EngineError) {
    guard observers.count < 1000 else {
      throw EngineError(
        .limitExceeded, "The player has 1000 time observers already",
        advice: .closeObservers)
    }
  }
}
