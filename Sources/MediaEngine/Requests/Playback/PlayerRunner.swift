import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The work of a player: loads items, lands seeks, decodes frames and audio, and moves a manual clock.
actor PlayerRunner: QueueActor {
  nonisolated let queue = WorkQueue("player")
  unowned let player: Player
  let audio: PlayerAudio
  let lifetime: Interrupt
  var pictures: [ObjectIdentifier: (reader: ItemPictures, version: Int)] = [:]
  private var renderers: [ObjectIdentifier: ImageRenderer] = [:]
  /// The generators of outputs whose pictures are copied while time stands.
  var stills: [ObjectIdentifier: StillPictures] = [:]
  /// Admits one task at a time to decoding frames.
  private let pictureLine = WorkLimiter(slots: 1)
  let audioLine = WorkLimiter(slots: 1)
  /// The output of an audio server, while it is open.
  var server: ServerAudio?
  /// The attempts to open one that have failed.
  var failures = 0
  private var isWorking = false
  var isSending = false
  /// Ends the read of the next frame that is due.
  var reading: Interrupt?
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

  /// Does all pending work; returns when none is left.
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
    let start = item.shared.withLock(\.self)
    do throws(EngineError) {
      var facts = try await ItemFacts.load(item, start.settings, interrupt: interrupt)
      facts.version = start.pictureVersion
      if player.hasAudio {
        try await facts.requireAudio(for: player.configuration, interrupt: interrupt)
      }
      player.change { [facts] core in
        let isNews = item.shared.withLock { state in
          // With settings that were changed meanwhile it is loaded again.
          guard state.status == .unknown, state.version == start.version else { return false }
          (state.status, state.facts) = (.readyToPlay, facts)
          return true
        }
        if isNews { core.itemIsReady(item, facts, isFirst: start.facts == nil) }
      }
    } catch {
      if lifetime.isTriggered { return player.change { $0.queue.removeAll { $0 === item } } }
      player.change { core in
        let isNews = item.shared.withLock { state in
          guard state.version == start.version else { return false }
          (state.status, state.error) = (.failed, error)
          return true
        }
        if isNews { core.itemHasFailed(item, error) }
      }
    }
  }

  private func land(_ seek: PlayerCore.Seek, _ facts: ItemFacts) async {
    let interrupt = seek.interrupt
    giveUpReads(of: seek.item)
    do throws(EngineError) {
      let place = try await WorkLimiter.shared.run(player.priority, interrupt: interrupt) {
        () throws(EngineError) in
        try facts.place(
          at: seek.requested, before: seek.before, after: seek.after, interrupt: interrupt)
      }
      var arrival = PlayerCore.Arrival(
        time: place.time, sampleIndex: place.sampleIndex, isExact: place.isExact)
      let outputs = seek.item.outputs
      var shown: TimedFrame?
      if player.isPaused, facts.hasStills, let output = outputs.first,
        !outputs.contains(where: \.configuration.isPush)
      {
        let picture = try await still(of: output, facts, place, interrupt: interrupt)
        if let picture, !picture.image.moment.isExact { arrival.isExact = false }
      } else if facts.video != nil, !outputs.isEmpty {
        let frame = try await frame(
          of: facts, for: seek.item, at: place.time, interrupt: interrupt)
        if let start = place.frameStart, let frame, frame.timing.start != start {
          arrival.isExact = false
        }
        shown = frame
      }
      let isFollowed = player.change { $0.land(seek.number, arrival) }
      if isFollowed, let shown { await showLanding(of: seek, shown, facts) }
    } catch {
      player.change { core in
        if interrupt.isTriggered { return }
        core.failSeek(seek.number)
        core.passOver(seek.item, error)
      }
    }
  }

  // MARK: Pictures

  /// Drops the readers, renderers and generators that aren't used any more.
  private func dropReaders() {
    // Pictures of a time that runs are those of the reader: a second decoder would only take memory.
    if !player.isPaused { stills = [:] }
    let items = Set(player.items.prefix(2).map(ObjectIdentifier.init))
    for key in pictures.keys where !items.contains(key) { pictures[key] = nil }
    // Of no output without an item: another one may get its identity.
    let known = Set((player.currentItem?.outputs ?? []).map(ObjectIdentifier.init))
    for key in renderers.keys where !known.contains(key) { renderers[key] = nil }
    for key in stills.keys where !known.contains(key) { stills[key] = nil }
  }

  /// Returns the reader of an item's frames, opened at a time if it isn't open yet.
  private func reader(
    of item: PlayerItem, _ facts: ItemFacts, at time: Time
  ) throws(EngineError) -> ItemPictures? {
    guard let video = facts.video else { return nil }
    if let (reader, known) = pictures[ObjectIdentifier(item)], known == facts.version {
      return reader
    }
    let reader = try ItemPictures(
      video, from: time, duration: facts.duration, priority: player.priority,
      interrupt: Interrupt(parent: lifetime))
    pictures[ObjectIdentifier(item)] = (reader, facts.version)
    return reader
  }

  /// The media that is decoded before playback continues after a stall.
  private static let cushion = Time(value: 1, timescale: 2)

  /// Runs `body` with the reader of an item's frames, one at a time; nil for an item without video.
  ///
  /// - Parameter due: the watch of a frame that playback stalls without; it ends.
  func withReader<Value>(
    of item: PlayerItem?, _ facts: ItemFacts, at time: Time, due: DueRead? = nil,
    interrupt: Interrupt,
    _ body: (isolated PlayerRunner, ItemPictures) async throws(EngineError) -> Value?
  ) async throws(EngineError) -> Value? {
    guard let item else { return nil }
    try await pictureLine.enter(interrupt: interrupt)
    defer { pictureLine.leave() }
    guard let reader = try reader(of: item, facts, at: time) else { return nil }
    if let due {
      let player = player
      reader.willWait = { [unowned reader] in
        due.willWait(due: player.hostTime(at: reader.decodedEnd))
      }
    }
    defer {
      reader.willWait = nil
      due?.end()
    }
    do throws(EngineError) {
      let value = try await body(self, reader)
      if due?.hasStalled == true, let end = reader.decodedEnd {
        try await reader.fill(until: end + Self.cushion, interrupt: interrupt)
      }
      note(reader, of: item, at: time)
      return value
    } catch {
      // A failed reader isn't used again.
      if !error.isCancellation { pictures[ObjectIdentifier(item)] = nil }
      throw error
    }
  }

  private func note(_ reader: ItemPictures, of item: PlayerItem, at time: Time) {
    reader.noteDamage(in: item)
    let end = reader.decodedEnd
    let bytes = reader.byteCount
    item.shared.withLock { state in
      state.bufferedBytes = bytes
      state.loadedTimeRange = end.flatMap {
        $0 > time ? TimeRange(start: time, end: $0) : nil
      }
    }
  }

  func frame(
    of facts: ItemFacts, for item: PlayerItem?, at time: Time, due: DueRead? = nil,
    interrupt: Interrupt
  ) async throws(EngineError) -> TimedFrame? {
    try await withReader(of: item, facts, at: time, due: due, interrupt: interrupt) {
      (_, reader) async throws(EngineError) in
      try await reader.frame(at: time, interrupt: interrupt)
    }
  }

  /// Draws a frame in the form of an output.
  func render(
    _ frame: TimedFrame, for output: VideoOutput, _ facts: ItemFacts, interrupt: Interrupt,
    timeout: Duration?
  ) async throws(EngineError) -> OutputPicture {
    let renderer =
      renderers[ObjectIdentifier(output)]
      ?? ImageRenderer(configuration: output.drawing, size: output.size)
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
    let made = try await destination.work(player.priority, interrupt: interrupt) {
      () throws(EngineError) in
      let decoded = try frame.frame()
      return try renderer.render(
        decoded.value, of: frame.format, in: view, moment: moment, kind: kind, output: image)
    }
    return OutputPicture(
      image: made, itemTimeForDisplay: frame.timing.start, duration: frame.timing.duration,
      sampleIndex: place)
  }

  /// Ends the playback of an item that can't continue, if it is the current one.
  func fail(_ item: PlayerItem, _ error: EngineError) {
    guard !lifetime.isTriggered else { return }
    player.change { core in
      if core.item === item { core.passOver(item, error) }
    }
  }

  // MARK: Steps

  /// Returns the start of the frame that is shown at a time: by the index, or that time itself.
  private func shownStart(
    _ facts: ItemFacts, at time: Time, interrupt: Interrupt
  ) async throws(EngineError) -> Time {
    try await WorkLimiter.shared.run(player.priority, interrupt: interrupt) {
      () throws(EngineError) in
      try facts.place(at: time, before: .zero, after: .zero, interrupt: interrupt).frameStart
        ?? time
    }
  }

  /// Returns the frame that is `count` frames from the one that is shown at a time.
  func step(
    _ item: PlayerItem, _ facts: ItemFacts, from time: Time, by count: Int, interrupt: Interrupt
  ) async throws(EngineError) -> (stepped: Int, frame: TimedFrame?) {
    let start = try await shownStart(facts, at: time, interrupt: interrupt)
    let found = try await withReader(of: item, facts, at: time, interrupt: interrupt) {
      (_, reader) async throws(EngineError) -> (stepped: Int, frame: TimedFrame?)? in
      var place = start
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
  /// - Throws: `limitExceeded` after too many events; the errors of writing the audio file.
  func advance(
    to target: ExactTime, interrupt: Interrupt
  ) async throws(EngineError) {
    let before = player.core.withLock(\.emitted)
    let limit = before + Player.maximumEvents
    await work()
    var last: (frame: TimedFrame, revision: Int)?
    while true {
      if interrupt.isTriggered { return }
      var due: TimedFrame?
      var moment = player.pushMoment()
      if let last, last.revision == moment?.revision { moment = moment?.after(last.frame) }
      if let current = moment {
        do throws(EngineError) {
          due = try await nextFrame(current, interrupt: interrupt)
        } catch {
          if interrupt.isTriggered { return }
          fail(current.item, error)
          moment = nil
        }
      }
      let time = due.flatMap { frame in
        ExactTime(
          moment?.isForward ?? true
            ? frame.timing.start : frame.timing.start + frame.timing.duration)
      }
      // Not too many at once, so that a cancel is noticed between two events.
      let (stop, emitted) = player.change { core in
        let stop = core.run(
          to: target, frame: time, waits: true, limit: min(limit, core.emitted + 256))
        return (stop, core.emitted)
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
      case .limit where emitted < limit: continue
      case .limit:
        let time = player.core.withLock(\.host).time()
        throw EngineError(
          .limitExceeded,
          "The clock was moved past \(emitted - before) notifications, to \(time.secondsDescription)",
          advice: .moveClockInSteps)
      }
    }
  }

  /// Does the work that is due, on a clock that isn't manual.
  func tick() async {
    player.catchUp()
    await work()
    await render()
    player.scheduleDeadline()
  }

  /// Writes the audio up to now to the device.
  func render() async {
    guard (try? await audioLine.enter(interrupt: lifetime)) != nil else { return }
    defer { audioLine.leave() }
    let (pieces, run) = player.takePieces()
    let due = audio.isWriting ? dueRead(.audio) : nil
    defer { due?.end() }
    var failed: PlayerItem?
    do throws(EngineError) {
      for piece in pieces {
        failed = piece.item
        try await audio.render(
          piece, until: piece.runEnd ?? run, due: due, interrupt: lifetime)
      }
      guard audio.isWriting else { return }
      let frames = audio.writtenFrames
      player.change { $0.audio.framesPlayed = frames }
    } catch {
      if error.stage == .write || failed == nil { return player.audioHasFailed(error) }
      guard !lifetime.isTriggered, let failed else { return }
      // The item's audio can't be read: the file continues with silence, or with the next item.
      audio.giveUp()
      fail(failed, error)
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
    (renderers, stills) = ([:], [:])
    server = nil
    audio.discard()
  }
}
