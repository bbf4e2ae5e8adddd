import MediaTime
import Synchronization
import SystemIO

/// The changes that requests make to a player. Each takes effect at once, at the clock's time, which is up to date.
extension PlayerCore {
  var rateReport: PlayerRate {
    PlayerRate(
      rate: rate.value, timeControlStatus: control, reasonForWaitingToPlay: waitingReason,
      revision: revision)
  }

  // MARK: Rate

  /// Sets the desired rate.
  mutating func setRate(_ wanted: PlaybackRate) {
    holdsUntil = nil
    if wanted == .zero {
      if lateStart?.end == nil { lateStart?.end = host }
    } else if lateStart?.rate != wanted || lateStart?.end != nil {
      lateStart = nil
    }
    endPrerolls(unless: wanted)
    var reason = RateChangeReason.setRateCalled
    var wanted = wanted
    if isEnd(for: wanted) {
      // At an end there is nothing to play in its direction.
      wanted = .zero
      reason = .itemEnded
    }
    if failure != nil, wanted != .zero {
      wanted = .zero
      reason = .playbackFailed
    }
    if wanted != .zero, wanted != rate || arrival != nil { replanForRate(wanted) }
    let isTurned = rate != .zero && wanted != .zero && rate.isForward != wanted.isForward
    rate = wanted
    settleRate()
    if isTurned { startSequences() }
    report(reason)
  }

  /// Replans the audio for a rate. Playback that continues at its rate after a pause needs no other audio.
  private mutating func replanForRate(_ wanted: PlaybackRate) {
    guard rate == .zero, pieces.last?.rate == wanted, pieces.last?.end == itemTime else {
      return replan()
    }
  }

  /// Sets the desired rate, with the item's time at a time of the clock.
  ///
  /// - Parameters:
  ///   - time: the item's time then; nil for the current one, which is that of a pending seek.
  ///   - hostTime: nil for now.
  mutating func setRate(_ wanted: PlaybackRate, time: ExactTime?, atHostTime hostTime: ExactTime?) {
    guard let item else {
      rate = wanted
      return report()
    }
    let time = time ?? pendingTime
    if time == nil { endSeeks() }
    // Its time stands: playback doesn't begin.
    if failure != nil || time == nil && isEnd(for: wanted) { return setRate(wanted) }
    let before = timebase.rate
    endSeeks()
    endPrerolls()
    replan()
    isStepping = false
    let moment = hostTime ?? host
    let from = itemTime
    var start = time ?? from
    closePiece()
    if time != nil {
      revision += 1
      arrival = nil
    }
    // Playback that began at an earlier time has run since, up to an end after which some of that time is left.
    var rest: ExactTime?
    lateStart = nil
    if moment < host, wanted != .zero {
      if facts == nil {
        lateStart = LateStart(time: start, hostTime: moment, rate: wanted)
      } else {
        (start, rest) = place(after: host - moment, from: start, wanted)
      }
    }
    timebase = Timebase(item: start, host: host, rate: .zero)
    crossed = start
    rate = wanted
    holdsUntil = moment > host && wanted != .zero ? moment : nil
    settleRate(reports: false)
    if time != nil {
      startSequences()
      send(
        .didJump(
          item, from: self.time(of: from), to: self.time(of: start), cause: .setRate,
          revision: revision))
      firePeriodic(.jump)
    } else if (before == .zero) != (timebase.rate == .zero) {
      pendingStart = before == .zero ? .start : .stop
    }
    report()
    // The next item began at that end, or time has run beyond it.
    if let rest { passEnd(before: rest, at: rate) }
  }

  /// The time that a pending seek is to reach; nil without one.
  private var pendingTime: ExactTime? {
    guard let seek = nextSeek ?? seek else { return nil }
    return ExactTime(seek.requested) ?? facts.flatMap { ExactTime($0.duration) }
  }

  /// Fades the volume over a duration of the player's running time.
  mutating func fade(to wanted: Double, over duration: ExactTime) {
    let now = AudioGain(volume: Float(volume), fade: fade).volume(at: run)
    volume = wanted
    fade = AudioGain.Fade(from: now, start: run, end: run + duration)
    changeVolume()
  }

  /// Plays anew a piece of audio after a change of volume.
  mutating func changeVolume() {
    closePiece()
    openPiece()
  }

  /// Reloads the item from its place.
  mutating func reload() {
    replan()
    closePiece()
    openPiece(isRead: true)
  }

  // MARK: Seeks

  /// Begins a seek: the item's time stands at the wanted time until it has landed.
  ///
  /// - Returns: nil where the seek has ended at once.
  mutating func beginSeek(
    to wanted: Time, before: Time, after: Time, isScrubbing: Bool
  ) -> (seek: Int, revision: Int) {
    lastSeek += 1
    let number = lastSeek
    endPrerolls()
    func refuse() -> (Int, Int) {
      send(
        .didSeek(
          SeekEnd(
            seek: number, item: item, finished: false, requestedTime: wanted, revision: revision)))
      return (number, revision)
    }
    // A failed item never lands.
    guard let item, failure == nil else { return refuse() }
    if isScrubbing, let seek, seek.isScrubbing, !seek.isSilent {
      guard isSeekable(wanted) else {
        // In its turn: after the earlier requests.
        supersededSeeks.append(contentsOf: nextSeek.take().map { [$0] } ?? [])
        supersededSeeks.append(
          Seek(
            number: number, item: item, requested: wanted, before: before, after: after,
            revision: revision, isScrubbing: true, interrupt: Interrupt()))
        return (number, revision)
      }
      if let waiting = nextSeek.take() { supersededSeeks.append(waiting) }
      revision += 1
      nextSeek = Seek(
        number: number, item: item, requested: wanted, before: before, after: after,
        revision: revision, isScrubbing: true, interrupt: Interrupt())
      return (number, revision)
    }
    let resumed = endSeeks()
    lateStart = nil
    guard isSeekable(wanted) else {
      if resumed { takeUpPlace() }
      return refuse()
    }
    isStepping = false
    replan()
    revision += 1
    seek = Seek(
      number: number, item: item, requested: wanted, before: before, after: after,
      revision: revision, isScrubbing: isScrubbing, interrupt: Interrupt())
    settleRate(reports: false)
    reportChanges()
    return (number, revision)
  }

  /// Returns true for a time within the item, as far as its duration is known.
  func isSeekable(_ time: Time) -> Bool {
    if time == .positiveInfinity { return true }
    guard time.isNumeric, time >= .zero else { return false }
    return facts?.contains(time) ?? true
  }

  mutating func end(_ seek: Seek, finished: Bool, _ landing: Arrival? = nil) {
    seek.interrupt.trigger()
    guard !seek.isSilent else { return }
    send(
      .didSeek(
        SeekEnd(
          seek: seek.number, item: seek.item, finished: finished, requestedTime: seek.requested,
          actualTime: landing?.time, sampleIndex: landing?.sampleIndex, isExact: landing?.isExact,
          revision: seek.revision)))
  }

  /// Ends the seeks that are pending, interrupted.
  ///
  /// - Returns: true where there were any.
  @discardableResult
  mutating func endSeeks() -> Bool {
    let pending =
      [seek.take()].compactMap(\.self) + supersededSeeks + [nextSeek.take()].compactMap(\.self)
    supersededSeeks = []
    for seek in pending { end(seek, finished: false) }
    return !pending.isEmpty
  }

  mutating func endPassedSeeks() {
    let passed = supersededSeeks
    supersededSeeks = []
    for seek in passed { end(seek, finished: false) }
  }

  /// Cancels pending seeks, or the one of a number: the item is where it was before.
  ///
  /// - Returns: the number of cancelled seeks.
  mutating func cancelSeeks(_ number: Int? = nil) -> Int {
    if let number {
      if let waiting = nextSeek, waiting.number == number {
        nextSeek = nil
        end(waiting, finished: false)
        return 1
      }
      guard let current = seek, current.number == number, !current.isSilent else { return 0 }
      seek = nil
      end(current, finished: false)
      endPassedSeeks()
      if var next = nextSeek.take() {
        next.landingBefore = current.landingBefore
        seek = next
      } else {
        takeUpPlace()
      }
      return 1
    }
    let count =
      [seek, nextSeek].compactMap(\.self).filter { !$0.isSilent }.count + supersededSeeks.count
    if endSeeks() { takeUpPlace() }
    return count
  }

  /// Reads the item from its place, without a report. It may be at an end that a seek would have left.
  mutating func takeUpPlace() {
    if let end = standingEnd, actionAtItemEnd != .none,
      rate == .zero || rate.isForward == (end == .forward)
    {
      actAtEnd()
    }
    settleRate(reports: false)
    reportChanges()
  }

  /// Lands a seek: the item is at its place from now on.
  ///
  /// - Returns: true where it has landed and another seek, which waited for it, is in flight.
  @discardableResult
  mutating func land(_ number: Int, _ landing: Arrival) -> Bool {
    guard let seek, seek.number == number, let item else { return false }
    let from = time(of: itemTime)
    let next = nextSeek.take()
    self.seek = nil
    let place = ExactTime(landing.time) ?? itemTime
    timebase = Timebase(item: place, host: host, rate: .zero)
    crossed = place
    arrival = nil
    if var next {
      // The one that waited is in flight now: time stands still.
      next.landingBefore = seek.revision
      self.seek = next
    }
    startSequences(seek.revision)
    end(seek, finished: true, landing)
    send(.didJump(item, from: from, to: landing.time, cause: .seek, revision: seek.revision))
    if next == nil { firePeriodic(.jump) }
    // Their revisions are greater than that of the landing.
    endPassedSeeks()
    settleRate(reports: false)
    reportChanges()
    return next != nil
  }

  /// Returns true where pictures of a revision are sent: those of the current one, and of a landing that another
  /// scrubbing seek follows. After any other jump a picture of that landing would be one of the past.
  func shows(_ number: Int) -> Bool { number == revision || number == seek?.landingBefore }

  /// Ends a seek whose place can't be read.
  mutating func failSeek(_ number: Int) {
    guard let seek, seek.number == number else { return }
    self.seek = nextSeek.take()
    end(seek, finished: false)
    endPassedSeeks()
    settleRate(reports: false)
    reportChanges()
  }

  // MARK: Steps

  /// Begins a step: the player pauses, and the item's time stands until it has landed.
  mutating func beginStep() -> Int {
    endSeeks()
    endPrerolls()
    (holdsUntil, lateStart) = (nil, nil)
    rate = .zero
    isStepping = true
    lastStep += 1
    stalls = []
    replan()
    settleRate()
    report()
    return lastStep
  }

  mutating func landStep(_ number: Int, _ landing: Arrival, _ stepped: Int) -> StepEnd {
    guard number == lastStep, isStepping, let item else {
      return StepEnd(stepped: 0, time: time, revision: revision)
    }
    isStepping = false
    let from = time(of: itemTime)
    let place = ExactTime(landing.time) ?? itemTime
    timebase = Timebase(item: place, host: host, rate: .zero)
    crossed = place
    if stepped != 0 {
      arrival = nil
      revision += 1
      startSequences()
      send(.didJump(item, from: from, to: landing.time, cause: .step, revision: revision))
      firePeriodic(.jump)
    }
    report()
    return StepEnd(
      stepped: stepped, time: landing.time, sampleIndex: landing.sampleIndex, revision: revision)
  }

  mutating func abandonStep(_ number: Int) {
    guard number == lastStep, isStepping else { return }
    isStepping = false
    settleRate()
    report()
  }

  // MARK: Prerolls

  mutating func beginPreroll(_ rate: PlaybackRate) -> Int {
    endPrerolls()
    lastPreroll += 1
    prerolls.append(Preroll(number: lastPreroll, rate: rate))
    return lastPreroll
  }

  /// Ends prerolls that haven't finished, except those of the rate that playback begins with.
  @discardableResult
  mutating func endPrerolls(unless rate: PlaybackRate? = nil) -> Int {
    let ended = prerolls.filter { $0.rate != rate }
    prerolls.removeAll { $0.rate != rate }
    for preroll in ended { send(.didPreroll(preroll: preroll.number, finished: false)) }
    return ended.count
  }

  mutating func finishPreroll(_ number: Int) {
    guard prerolls.contains(where: { $0.number == number }) else { return }
    prerolls.removeAll { $0.number == number }
    send(.didPreroll(preroll: number, finished: true))
  }

  // MARK: Observers

  mutating func add(_ schedule: TimeObserver.Schedule, of player: Player) -> TimeObserver {
    lastObserver += 1
    let observer = TimeObserver(schedule, number: lastObserver, of: player)
    observers.append(observer)
    if observer.isPeriodic, item != nil { fire(observer, at: time, .registered) }
    return observer
  }

  // MARK: End

  /// Ends everything: nothing is emitted afterwards.
  mutating func close() {
    endSeeks()
    endPrerolls()
    observers = []
    closePiece()
    timebase = Timebase(item: itemTime, host: host, rate: .zero)
    isClosed = true
    for old in queue { old.shared.withLock { $0.player = nil } }
    queue = []
    leaveSlot()
  }
}
