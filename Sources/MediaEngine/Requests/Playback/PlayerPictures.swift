import MediaTime
import SystemIO

/// The pictures of a player's video outputs: those that are sent when they are due, and those that callers copy.
extension PlayerRunner {
  // MARK: Pushed pictures

  /// Sends the picture of the current time to the outputs that don't have it.
  func show(
    _ item: PlayerItem, _ facts: ItemFacts, at time: Time, _ revision: Int
  ) async {
    let outputs = item.pushedOutputs(lacking: revision, facts.version)
    do throws(EngineError) {
      let found = try await frame(
        of: facts, for: item, at: time, due: dueRead(.video, isBeginning: true),
        interrupt: lifetime)
      if let found {
        for output in outputs {
          await send(found, to: output, facts, revision)
        }
      } else {
        for output in outputs {
          output.didTake(.init(revision: revision, version: facts.version, start: .invalid))
        }
      }
    } catch {
      for output in outputs {
        output.didTake(.init(revision: revision, version: facts.version, start: .invalid))
      }
      fail(item, error)
    }
  }

  /// Sends the picture of a landing that another seek has waited for: that one is in flight before the time of this one
  /// is shown as the current time.
  func showLanding(
    of seek: PlayerCore.Seek, _ frame: TimedFrame, _ facts: ItemFacts
  ) async {
    for output in seek.item.pushedOutputs(lacking: seek.revision, facts.version) {
      await send(frame, to: output, facts, seek.revision)
    }
  }

  /// Sends a frame to an output, unless it has no credit, or time has jumped meanwhile.
  func send(
    _ frame: TimedFrame, to output: VideoOutput, _ facts: ItemFacts, _ revision: Int
  ) async {
    var taken = VideoOutput.Taken(
      revision: revision, version: facts.version, start: frame.timing.start)
    guard output.takeCredit() else {
      drop(outOfCredit: output)
      output.didTake(taken)
      return
    }
    do throws(EngineError) {
      let picture = try await render(
        frame, for: output, facts, interrupt: lifetime, timeout: .zero)
      taken.sampleIndex = picture.sampleIndex
      let isSent = player.change { [taken] core in
        guard core.shows(revision), core.item === output.item, !output.isClosed else {
          return false
        }
        output.didTake(taken)
        core.notePicture(at: frame.timing.start)
        core.send(
          .didOutput(
            output, picture, hostTime: core.hostTime, dropped: output.dropped, revision: revision))
        return true
      }
      if isSent { player.count { $0.presented += 1 } } else { output.didRelease() }
    } catch {
      output.didRelease()
      output.didTake(taken)
      if error.code == .leasesExhausted { return drop(outOfCredit: output) }
      fail(output.item, error)
    }
  }

  /// Returns the next frame on the way of the item's time that an output waits for.
  ///
  /// - Parameter due: the watch of one that playback stalls without.
  func nextFrame(
    _ moment: Player.PushMoment, due: DueRead? = nil, interrupt: Interrupt
  ) async throws(EngineError) -> TimedFrame? {
    let time = moment.crossed
    return try await withReader(
      of: moment.item, moment.facts, at: time, due: due, interrupt: interrupt
    ) {
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
      // A frame that isn't decoded yet doesn't count.
      found = try await player.withDeadline(.zero, limit) { () async throws(EngineError) in
        try await self.frame(of: facts, for: output.item, at: time, interrupt: limit)
      }
    } catch {
      guard limit.isTriggered, !lifetime.isTriggered else { throw error }
      return false
    }
    guard let found else { return false }
    let wanted = VideoOutput.Taken(
      revision: revision, version: facts.version, start: found.timing.start)
    return output.last.map { !$0.isSame(as: wanted) } ?? true
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
    guard facts.video != nil, time.isNumeric, time >= .zero else {
      answer.reason = OutputAnswer.Reason.none
      return answer
    }
    let isAtHand = pictures[ObjectIdentifier(output.item)]?.reader.holds(time) ?? false
    if player.isPaused, facts.hasStills, !isAtHand {
      let isFrozen = stills[ObjectIdentifier(output)]?.last != nil
      if timeout > .zero || isFrozen || player.configuration.clock == .manual {
        return try await copyStill(of: output, facts, at: time, onlyIfNew: onlyIfNew, answer)
      }
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
      revision: revision, version: facts.version, start: found.timing.start, sampleIndex: index)
    return try await give(taken, by: output, onlyIfNew: onlyIfNew, answer) {
      (runner) async throws(EngineError) in
      try await runner.render(
        found, for: output, facts, interrupt: runner.lifetime, timeout: timeout)
    }
  }

  /// Answers with a picture, unless the output has returned it before, or its caller has the maximum number.
  ///
  /// - Parameter make: makes the picture; nil where nothing is shown.
  func give(
    _ taken: VideoOutput.Taken, by output: VideoOutput, onlyIfNew: Bool, _ given: OutputAnswer,
    _ make: (isolated PlayerRunner) async throws(EngineError) -> OutputPicture?
  ) async throws(EngineError) -> OutputAnswer {
    var answer = given
    let last = output.last
    answer.isNew = last.map { !$0.isSame(as: taken) } ?? true
    guard answer.isNew || !onlyIfNew else {
      answer.reason = .notNew
      return answer
    }
    guard output.takeCredit() else {
      answer.reason = .noCredit
      return answer
    }
    do throws(EngineError) {
      answer.picture = try await make(self)
    } catch {
      output.didRelease()
      throw error
    }
    guard answer.picture != nil else {
      output.didRelease()
      answer.reason = OutputAnswer.Reason.none
      return answer
    }
    if let last, last.revision == taken.revision, let before = last.sampleIndex,
      let index = taken.sampleIndex
    {
      answer.skipped = max(0, index - before - 1)
    }
    output.didTake(taken)
    let skipped = answer.skipped
    player.count {
      $0.presented += 1
      $0.skipped += skipped
    }
    return answer
  }

  /// Sends the due frames to the outputs that pictures are pushed to: of several that are decoded, the last.
  func sendDueFrames() async {
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    player.nextFrame = nil
    while let moment = player.pushMoment(isStopped: true), await sendDueFrame(moment) {}
  }

  /// Sends the last frame that is due.
  ///
  /// - Returns: true where one was sent, and the next one isn't decoded yet.
  private func sendDueFrame(_ current: Player.PushMoment) async -> Bool {
    var moment = current
    // From the one that was sent last on.
    if let shown = moment.shownStart { moment.crossed = shown }
    // A frame that is due doesn't wait for the next one.
    let decoded = Interrupt(parent: lifetime)
    decoded.trigger()
    let reading = Interrupt(parent: lifetime)
    self.reading = reading
    defer { self.reading = nil }
    var due: TimedFrame?
    var late = 0
    var isMissing = false
    var upcoming: ExactTime?
    while true {
      let next: TimedFrame?
      let isAhead = due != nil && moment.isForward
      do throws(EngineError) {
        next = try await nextFrame(
          moment.after(due), due: isAhead ? nil : dueRead(.video),
          interrupt: isAhead ? decoded : reading)
      } catch {
        isMissing = isAhead && error.isCancellation
        if !isMissing, !reading.isTriggered { fail(moment.item, error) }
        break
      }
      guard let next else { break }
      let start = moment.isForward ? next.timing.start : next.timing.start + next.timing.duration
      guard let time = ExactTime(start) else { break }
      guard player.isDue(time, moment) else {
        upcoming = time
        break
      }
      if due != nil { late += 1 }
      due = next
    }
    guard player.revision == moment.revision else { return false }
    if let due {
      for output in moment.item.outputs where output.configuration.isPush {
        if late > 0 { drop(late: late, of: output) }
        await send(due, to: output, moment.facts, moment.revision)
      }
    }
    player.nextFrame = upcoming
    return isMissing
  }
}
