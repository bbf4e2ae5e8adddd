import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The work of a player: loads items, lands seeks, decodes what is shown and heard, and moves a manual clock.
actor PlayerRunner: QueueActor {
  nonisolated let queue = WorkQueue("player")
  unowned let player: Player
  private let audio: PlayerAudio
  let lifetime: Interrupt
  private var pictures: [ObjectIdentifier: (reader: ItemPictures, version: Int)] = [:]
  private var renderers: [ObjectIdentifier: ImageRenderer] = [:]
  /// Who decodes pictures: one at a time.
  private let pictureLine = WorkLimiter(slots: 1)
  let audioLine = WorkLimiter(slots: 1)
  /// The output of an audio server, while it is open.
  var server: ServerAudio?
  /// The attempts to open one that have failed.
  var failures = 0
  private var isWorking = false
  private var isSending = false
  private var waiters: [Signal<Void>] = []

  init(player: Player, audio: sending PlayerAudio, lifetime: Interrupt) {
    self.player = player
    self.audio = audio
    self.lifetime = lifetime
  }

  // MARK: Work

  /// The next piece of work of a player.
  enum Job {
    case load(PlayerItem)
    case land(PlayerCore.Seek, ItemFacts)
    case preroll(PlayerCore.Preroll, ItemFacts, Time)
    case show(PlayerItem, ItemFacts, Time, revision: Int)
    case notify(VideoOutput)
  }

  /// Does all that there is to do; returns when nothing is left.
  func work() async {
    guard !isWorking else {
      let end = Signal<Void>()
      waiters.append(end)
      await end.wait()
      return
    }
    isWorking = true
    while let job = player.nextJob() { await perform(job) }
    dropReaders()
    isWorking = false
    let ended = waiters
    waiters = []
    for waiter in ended { waiter.fire(()) }
    if player.configuration.clock != .manual { await sendDueFrames() }
    await pump()
    player.scheduleDeadline()
  }

  private func perform(_ job: Job) async {
    switch job {
    case .load(let item): await load(item)
    case .land(let seek, let facts): await land(seek, facts)
    case .preroll(let preroll, let facts, let time):
      _ = try? await frame(of: facts, for: player.currentItem, at: time, interrupt: lifetime)
      player.change { $0.finishPreroll(preroll.number) }
    case .show(let item, let facts, let time, let revision):
      await show(item, facts, at: time, revision)
    case .notify(let output):
      player.change { core in
        guard output.takeNotification() != nil, core.item === output.item else { return }
        core.send(.mediaDataWillChange(output, revision: core.revision))
      }
    }
  }

  private func load(_ item: PlayerItem) async {
    let interrupt = Interrupt(parent: lifetime)
    do throws(EngineError) {
      let facts = try await ItemFacts.load(item, interrupt: interrupt)
      player.change { core in
        let isNews = item.shared.withLock { state in
          guard state.status == .unknown else { return false }
          (state.status, state.facts) = (.readyToPlay, facts)
          return true
        }
        if isNews { core.itemIsReady(item, facts) }
      }
    } catch {
      if lifetime.isTriggered { return player.change { $0.queue.removeAll { $0 === item } } }
      player.change { core in
        item.shared.withLock { ($0.status, $0.error) = (.failed, error) }
        core.itemHasFailed(item, error)
      }
    }
  }

  private func land(_ seek: PlayerCore.Seek, _ facts: ItemFacts) async {
    let interrupt = seek.interrupt
    do throws(EngineError) {
      let place = try await WorkLimiter.shared.run(.realTime(ready: .zero), interrupt: interrupt) {
        () throws(EngineError) in
        try facts.place(
          at: seek.requested, before: seek.before, after: seek.after, interrupt: interrupt)
      }
      var arrival = PlayerCore.Arrival(
        time: place.time, sampleIndex: place.sampleIndex, isExact: place.isExact)
      if facts.video != nil, !seek.item.outputs.isEmpty {
        let frame = try await frame(
          of: facts, for: seek.item, at: place.time, interrupt: interrupt)
        if let start = place.frameStart, let frame, frame.timing.start != start {
          arrival.isExact = false
        }
      }
      player.change { $0.land(seek.number, arrival) }
    } catch {
      player.change { core in
        if interrupt.isTriggered { return }
        core.failSeek(seek.number)
        core.passOver(seek.item, error)
      }
    }
  }

  // MARK: Pictures

  /// Gives up what isn't used any more.
  private func dropReaders() {
    let items = Set(player.items.prefix(2).map(ObjectIdentifier.init))
    for key in pictures.keys where !items.contains(key) { pictures[key] = nil }
    if let outputs = player.currentItem?.outputs {
      let known = Set(outputs.map(ObjectIdentifier.init))
      for key in renderers.keys where !known.contains(key) { renderers[key] = nil }
    }
  }

  /// What reads the frames of an item, from a time on where it isn't open yet.
  private func reader(
    of item: PlayerItem, _ facts: ItemFacts, at time: Time
  ) throws(EngineError) -> ItemPictures? {
    guard let video = facts.video else { return nil }
    let version = item.shared.withLock(\.version)
    if let (reader, known) = pictures[ObjectIdentifier(item)], known == version { return reader }
    let reader = try ItemPictures(
      video, from: time, duration: facts.duration, interrupt: Interrupt(parent: lifetime))
    pictures[ObjectIdentifier(item)] = (reader, version)
    return reader
  }

  /// Runs `body` with the reader of an item's frames, one at a time; nil for an item without pictures.
  private func withReader<Value>(
    of item: PlayerItem?, _ facts: ItemFacts, at time: Time, interrupt: Interrupt,
    _ body: (isolated PlayerRunner, ItemPictures) async throws(EngineError) -> Value?
  ) async throws(EngineError) -> Value? {
    guard let item else { return nil }
    try await pictureLine.enter(interrupt: interrupt)
    defer { pictureLine.leave() }
    guard let reader = try reader(of: item, facts, at: time) else { return nil }
    do throws(EngineError) {
      let value = try await body(self, reader)
      note(reader, of: item, at: time)
      return value
    } catch {
      // What failed isn't gone on with.
      if !error.isCancellation { pictures[ObjectIdentifier(item)] = nil }
      throw error
    }
  }

  private func note(_ reader: ItemPictures, of item: PlayerItem, at time: Time) {
    let damaged = reader.damagedSamples
    let end = reader.decodedEnd
    item.shared.withLock { state in
      state.damagedSamples = max(state.damagedSamples, damaged)
      state.loadedTimeRange = end.flatMap {
        $0 > time ? TimeRange(start: time, end: $0) : nil
      }
    }
  }

  private func frame(
    of facts: ItemFacts, for item: PlayerItem?, at time: Time, interrupt: Interrupt
  ) async throws(EngineError) -> TimedFrame? {
    try await withReader(of: item, facts, at: time, interrupt: interrupt) {
      (_, reader) async throws(EngineError) in
      try await reader.frame(at: time, interrupt: interrupt)
    }
  }

  /// Draws a frame as an output has it.
  private func render(
    _ frame: TimedFrame, for output: VideoOutput, _ facts: ItemFacts, interrupt: Interrupt,
    timeout: Duration?
  ) async throws(EngineError) -> OutputPicture {
    let renderer = renderers[ObjectIdentifier(output)] ?? output.makeRenderer()
    renderers[ObjectIdentifier(output)] = renderer
    let settings = output.configuration
    var destination = settings.destination
    if case .shared(let memory, _) = destination {
      destination = .shared(memory, timeout: timeout)
    }
    let image = ImageOutput(
      format: settings.format, quality: settings.quality, destination: destination)
    let kind = try image.kind()
    let place = facts.sampleIndex(ofFrameAt: frame.timing.start, interrupt: interrupt)
    let moment = ImageMoment(
      requestedTime: frame.timing.start, actualTime: frame.timing.start, sampleIndex: place,
      isExact: true)
    let view = facts.video.flatMap(CanvasView.init)
    let made = try await destination.work(.realTime(ready: .zero), interrupt: interrupt) {
      () throws(EngineError) in
      let decoded = try frame.frame()
      return try renderer.render(
        decoded.value, of: frame.format, in: view, moment: moment, kind: kind, output: image)
    }
    return OutputPicture(
      image: made, itemTimeForDisplay: frame.timing.start, duration: frame.timing.duration,
      sampleIndex: place)
  }

  // MARK: Pushed pictures

  /// Sends the picture of the current time to the outputs that don't have it.
  private func show(
    _ item: PlayerItem, _ facts: ItemFacts, at time: Time, _ revision: Int
  ) async {
    let outputs = item.pushedOutputs(lacking: revision)
    do throws(EngineError) {
      let found = try await frame(of: facts, for: item, at: time, interrupt: lifetime)
      if let found {
        for output in outputs {
          await send(found, to: output, facts, revision)
        }
      } else {
        for output in outputs {
          output.didTake(.init(revision: revision, start: .invalid, sampleIndex: nil))
        }
      }
    } catch {
      for output in outputs {
        output.didTake(.init(revision: revision, start: .invalid, sampleIndex: nil))
      }
      if !lifetime.isTriggered { player.change { $0.passOver(item, error) } }
    }
  }

  /// Sends a frame to an output, unless it has no credit, or time has jumped meanwhile.
  private func send(
    _ frame: TimedFrame, to output: VideoOutput, _ facts: ItemFacts, _ revision: Int
  ) async {
    guard output.takeCredit() else {
      output.drop(outOfCredit: 1)
      output.didTake(.init(revision: revision, start: frame.timing.start, sampleIndex: nil))
      return
    }
    do throws(EngineError) {
      let picture = try await render(
        frame, for: output, facts, interrupt: lifetime, timeout: .zero)
      let isSent = player.change { core in
        guard core.revision == revision, core.item === output.item, !output.isClosed else {
          return false
        }
        output.didTake(
          .init(
            revision: revision, start: frame.timing.start, sampleIndex: picture.sampleIndex))
        core.send(
          .didOutput(
            output, picture, hostTime: core.hostTime, dropped: output.dropped, revision: revision))
        return true
      }
      if !isSent { output.didRelease() }
    } catch {
      output.didRelease()
      output.drop(outOfCredit: error.code == .leasesExhausted ? 1 : 0)
      output.didTake(.init(revision: revision, start: frame.timing.start, sampleIndex: nil))
    }
  }

  /// The next frame on the way of the item's time that an output waits for.
  private func nextFrame(
    _ moment: Player.PushMoment, interrupt: Interrupt
  ) async throws(EngineError) -> TimedFrame? {
    let time = moment.crossed
    return try await withReader(of: moment.item, moment.facts, at: time, interrupt: interrupt) {
      (_, reader) async throws(EngineError) in
      if moment.isForward { return try await reader.frame(after: time, interrupt: interrupt) }
      let start = moment.shownStart ?? time
      return try await reader.frame(before: start, interrupt: interrupt)
    }
  }

  // MARK: Pulled pictures

  func hasNewPicture(of output: VideoOutput, at time: Time) async throws(EngineError) -> Bool {
    guard let facts = output.item.facts, facts.video != nil, time.isNumeric else { return false }
    let revision = player.revision
    let limit = Interrupt(parent: lifetime)
    let found: TimedFrame?
    do throws(EngineError) {
      // What isn't decoded yet isn't there.
      found = try await player.withDeadline(.zero, limit) { () async throws(EngineError) in
        try await self.frame(of: facts, for: output.item, at: time, interrupt: limit)
      }
    } catch {
      guard limit.isTriggered, !lifetime.isTriggered else { throw error }
      return false
    }
    guard let found else { return false }
    return output.last.map { $0.revision != revision || $0.start != found.timing.start } ?? true
  }

  func copyPicture(
    of output: VideoOutput, at time: Time, onlyIfNew: Bool, timeout: Duration
  ) async throws(EngineError) -> OutputAnswer {
    let revision = player.revision
    var answer = OutputAnswer(itemTime: time, isNew: false, skipped: 0, revision: revision)
    guard let facts = output.item.facts else {
      answer.reason = output.item.state.status == .failed ? OutputAnswer.Reason.none : .notReady
      return answer
    }
    guard facts.video != nil, time.isNumeric else {
      answer.reason = OutputAnswer.Reason.none
      return answer
    }
    let limit = Interrupt(parent: lifetime)
    let found: TimedFrame?
    do throws(EngineError) {
      found = try await player.withDeadline(timeout, limit) { () async throws(EngineError) in
        try await self.frame(of: facts, for: output.item, at: time, interrupt: limit)
      }
    } catch {
      guard limit.isTriggered, !lifetime.isTriggered else { throw error }
      answer.reason = .notReady
      return answer
    }
    guard let found else {
      answer.reason = OutputAnswer.Reason.none
      return answer
    }
    let index = facts.sampleIndex(ofFrameAt: found.timing.start, interrupt: lifetime)
    let taken = VideoOutput.Taken(
      revision: revision, start: found.timing.start, sampleIndex: index)
    let last = output.last
    answer.isNew = last != taken
    guard answer.isNew || !onlyIfNew else {
      answer.reason = .notNew
      return answer
    }
    guard output.takeCredit() else {
      answer.reason = .noCredit
      return answer
    }
    do throws(EngineError) {
      answer.picture = try await render(
        found, for: output, facts, interrupt: lifetime, timeout: timeout)
    } catch {
      output.didRelease()
      throw error
    }
    if let last, last.revision == revision, let before = last.sampleIndex, let index {
      answer.skipped = max(0, index - before - 1)
    }
    output.didTake(taken)
    return answer
  }

  // MARK: Steps

  /// The frame that lies so many frames from the one that is shown at a time.
  func step(
    _ item: PlayerItem, _ facts: ItemFacts, from time: Time, by count: Int, interrupt: Interrupt
  ) async throws(EngineError) -> (stepped: Int, frame: TimedFrame?) {
    let found = try await withReader(of: item, facts, at: time, interrupt: interrupt) {
      (_, reader) async throws(EngineError) -> (stepped: Int, frame: TimedFrame?)? in
      let shown = try await reader.frame(at: time, interrupt: interrupt)
      var place = shown?.timing.start ?? time
      var last: TimedFrame?
      var stepped = 0
      while stepped != count {
        let next =
          count > 0
          ? try await reader.frame(after: place, interrupt: interrupt)
          : try await reader.frame(before: place, interrupt: interrupt)
        guard let next else { break }
        (last, place) = (next, next.timing.start)
        stepped += count > 0 ? 1 : -1
      }
      return (stepped, last)
    }
    return found ?? (0, nil)
  }

  // MARK: Time

  /// Moves a manual clock, from event to event.
  ///
  /// - Throws: `limitExceeded` after too many events; what writing the audio file throws.
  func advance(
    to target: ExactTime, limit: Int, interrupt: Interrupt
  ) async throws(EngineError) {
    await work()
    var last: (frame: TimedFrame, revision: Int)?
    while true {
      if interrupt.isTriggered { return }
      var due: TimedFrame?
      var moment = player.pushMoment
      if let last, last.revision == moment?.revision { moment = moment?.after(last.frame) }
      if let moment { due = try await nextFrame(moment, interrupt: interrupt) }
      let time = due.flatMap { frame in
        ExactTime(
          moment?.isForward ?? true
            ? frame.timing.start : frame.timing.start + frame.timing.duration)
      }
      let stop = player.change { core in
        core.run(to: target, frame: time, waits: true, limit: limit)
      }
      await render()
      switch stop {
      case .reached:
        await work()
        return
      case .itemNeeded, .jumped: await work()
      case .frameDue:
        guard let due, let moment else { continue }
        last = (due, moment.revision)
        for output in moment.item.outputs where output.configuration.isPush {
          await send(due, to: output, moment.facts, moment.revision)
        }
      case .limit:
        throw EngineError(
          .limitExceeded, "The clock was moved past \(limit) notifications",
          advice: .moveClockInSteps)
      }
    }
  }

  /// Does what is due at a time of a clock that runs by itself.
  func tick() async {
    player.catchUp()
    await work()
    await render()
    player.scheduleDeadline()
  }

  /// Sends the last frame that is due to the outputs that pictures are pushed to.
  private func sendDueFrames() async {
    guard !isSending, var moment = player.pushMoment else { return }
    // From the one that was sent last on.
    if let shown = moment.shownStart { moment.crossed = shown }
    isSending = true
    defer { isSending = false }
    var due: TimedFrame?
    var late = 0
    while let next = try? await nextFrame(moment.after(due), interrupt: lifetime) {
      let start = moment.isForward ? next.timing.start : next.timing.start + next.timing.duration
      guard let time = ExactTime(start) else { break }
      guard player.isDue(time, moment) else {
        player.nextFrame = time
        break
      }
      if due != nil { late += 1 }
      due = next
    }
    guard let due, player.revision == moment.revision else { return }
    for output in moment.item.outputs where output.configuration.isPush {
      if late > 0 { output.drop(late: late) }
      await send(due, to: output, moment.facts, moment.revision)
    }
  }

  /// Gives the device what is heard up to now.
  private func render() async {
    guard (try? await audioLine.enter(interrupt: lifetime)) != nil else { return }
    defer { audioLine.leave() }
    let (pieces, run) = player.takePieces()
    var failed: PlayerItem?
    do throws(EngineError) {
      for piece in pieces {
        failed = piece.item
        try await audio.render(piece, until: piece.runEnd ?? run, interrupt: lifetime)
      }
      guard audio.isWriting else { return }
      let frames = audio.position
      player.change { $0.audio.framesPlayed = frames }
    } catch {
      if error.stage == .write || failed == nil { return player.audioHasFailed(error) }
      guard !lifetime.isTriggered, let failed else { return }
      // The item's audio can't be read: the file goes on with silence, or with the next item.
      audio.giveUp()
      player.change { core in
        if core.item === failed { core.passOver(failed, error) }
      }
    }
  }

  func finishAudio() async throws(EngineError) -> (path: String, size: Int, frames: Int64)? {
    await render()
    try await audioLine.enter(interrupt: lifetime)
    defer { audioLine.leave() }
    return try audio.finish()
  }

  func close() {
    pictures = [:]
    renderers = [:]
    server = nil
    audio.discard()
  }
}
