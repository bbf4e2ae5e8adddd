import MediaTime
import Synchronization

/// The course of time in a player: its events at the times of the clock, in order.
extension PlayerCore {
  /// The outcome of running.
  enum RunStop: Equatable {
    /// The clock is at the time.
    case reached
    /// The current item has to be loaded first.
    case itemNeeded
    /// A frame is due, and its picture has to be rendered; the item's time is ``crossed``.
    case frameDue
    /// The item's time has jumped, so that other frames follow.
    case jumped
    /// The maximum number of events was reported.
    case limit
  }

  /// A moment of the item's time at which something is due.
  private struct Moment {
    var time: ExactTime
    var isEnd = false
    var isLoopEnd = false
    var isFrame = false
  }

  private func isEarlier(_ time: ExactTime, than other: ExactTime) -> Bool {
    timebase.rate.isForward ? time < other : time > other
  }

  /// The next moment on the way of the item's time.
  ///
  /// - Parameter frame: the time of the next frame that is waited for.
  private func nextMoment(frame: ExactTime?) -> Moment? {
    guard timebase.rate != .zero, let facts else { return nil }
    let isForward = timebase.rate.isForward
    var next: Moment?
    func consider(_ moment: Moment) {
      guard let known = next else {
        next = moment
        return
      }
      if isEarlier(moment.time, than: known.time) {
        next = moment
      } else if moment.time == known.time {
        next?.isEnd = known.isEnd || moment.isEnd
        next?.isLoopEnd = known.isLoopEnd || moment.isLoopEnd
        next?.isFrame = known.isFrame || moment.isFrame
      }
    }
    for observer in observers {
      if let time = observer.schedule.next(after: crossed, isForward: isForward) {
        consider(Moment(time: time))
      }
    }
    let direction: PlaybackDirection = isForward ? .forward : .reverse
    if let looper, looper.isActive(for: item),
      let range = loopRange(facts, isForward: isForward)
    {
      let end = isForward ? range.end : range.start
      let isPast = isForward ? crossed >= end : crossed <= end
      consider(Moment(time: isPast ? crossed : end, isLoopEnd: true))
    } else if arrival != direction {
      let end = end(of: facts, isForward: isForward)
      let isPast = isForward ? crossed >= end : crossed <= end
      consider(Moment(time: isPast ? crossed : end, isEnd: true))
    }
    if let frame {
      let time = isEarlier(crossed, than: frame) ? frame : crossed
      // Backward, a frame is shown before its end: after all that is due there.
      if isForward || next.map({ isEarlier(time, than: $0.time) }) ?? true {
        consider(Moment(time: time, isFrame: true))
      }
    }
    return next
  }

  /// The clock's time of the next event, unless a request or finished work changes it.
  var nextDeadline: ExactTime? {
    if let holdsUntil { return holdsUntil }
    return nextMoment(frame: nil).flatMap { timebase.hostTime(at: $0.time) }
  }

  /// Brings the clock to a time, and reports the events on the way.
  ///
  /// - Parameters:
  ///   - frame: the time of the next frame that is waited for.
  ///   - waits: true to stop the clock at an item that has to be loaded, as on a manual clock.
  ///   - limit: the maximum of ``emitted``.
  mutating func run(
    to target: ExactTime, frame: ExactTime? = nil, waits: Bool, limit: Int = .max
  ) -> RunStop {
    let revision = revision
    while true {
      if frame != nil, revision != self.revision { return .jumped }
      if emitted >= limit { return .limit }
      if waits, needsLoading { return .itemNeeded }
      if let start = holdsUntil, start <= target {
        moveHost(to: start)
        holdsUntil = nil
        settleRate()
        report()
        continue
      }
      guard let moment = nextMoment(frame: frame), let time = timebase.hostTime(at: moment.time),
        moment.isFrame && !timebase.rate.isForward ? time < target : time <= target
      else { break }
      moveHost(to: time)
      if moment.isFrame { return .frameDue }
      pass(moment)
    }
    moveHost(to: target)
    crossed = timebase.rate == .zero ? crossed : itemTime
    return .reached
  }

  /// Returns the upcoming audio, as far as it can be foreseen.
  ///
  /// - Returns: pieces of audio, and the player's running time at their end.
  func preview(_ ahead: ExactTime) -> (pieces: [AudioPiece], run: ExactTime) {
    var copy = self
    copy.isPreview = true
    copy.now = nil
    if copy.gate == .starting {
      copy.gate = .running
      copy.settleRate(reports: false)
    }
    _ = copy.run(to: host + ahead, waits: true)
    return (copy.pieces, copy.run)
  }

  /// True while the current item has to be loaded before time can continue.
  var needsLoading: Bool {
    guard let item, !isClosed else { return false }
    return rate != .zero && item.shared.withLock { $0.status == .unknown }
  }

  /// Reports the events of a moment.
  private mutating func pass(_ moment: Moment) {
    let before = crossed
    let isForward = timebase.rate.isForward
    crossed = moment.time
    // Boundary observers in order, then periodic ones, then the end.
    for observer in observers {
      guard case .boundary(let entries, let order) = observer.schedule,
        let range = Crossing.next(after: before, among: order, isForward: isForward),
        order[range.lowerBound] == moment.time
      else { continue }
      for entry in entries[range] {
        fire(observer, at: entry.given, .boundary, index: entry.index)
      }
    }
    for observer in observers {
      guard case .periodic(let interval) = observer.schedule,
        let time = Crossing.next(after: before, every: interval, isForward: isForward),
        ExactTime(time) == moment.time
      else { continue }
      fire(observer, at: time, .interval)
    }
    if moment.isLoopEnd {
      loop()
    } else if moment.isEnd {
      arrive(isForward ? .forward : .reverse)
    }
  }

  // MARK: Ends

  /// Returns the place of the current item some time after playback has begun at another one. Passes of a loop are counted,
  /// without events.
  ///
  /// - Returns: the end that it has arrived at, and the clock's time since then; nil for that before any end.
  mutating func place(
    after elapsed: ExactTime, from start: ExactTime, _ rate: PlaybackRate
  ) -> (place: ExactTime, rest: ExactTime?) {
    let direction: PlaybackDirection = rate.isForward ? .forward : .reverse
    guard let facts, arrival != direction else { return (start + rate.factor * elapsed, nil) }
    var (place, left) = (start, elapsed)
    func time(to end: ExactTime) -> ExactTime { max(.zero, (end - place) / rate.factor) }
    if var looper, looper.isActive(for: item),
      let range = loopRange(facts, isForward: rate.isForward)
    {
      let (first, last) = rate.isForward ? (range.start, range.end) : (range.end, range.start)
      let firstPass = time(to: last)
      guard left >= firstPass else { return (place + rate.factor * left, nil) }
      let length = (last - first) / rate.factor
      // Of more passes than a player can have had, the last one has just begun.
      let passes = ((left - firstPass) / length).floor
      let following = min(passes, Self.maximumPasses) + 1
      let count = min(following, looper.following.map(Int64.init) ?? following)
      left = count > Self.maximumPasses ? .zero : left - firstPass - ExactTime(count - 1) * length
      place = first
      looper.count = min(looper.count, Int.max - Int(count)) + Int(count)
      looper.following = looper.following.map { $0 - Int(count) }
      self.looper = looper
      if count == following { return (place + rate.factor * left, nil) }
    }
    let end = end(of: facts, isForward: rate.isForward)
    let whole = time(to: end)
    guard left >= whole else { return (place + rate.factor * left, nil) }
    return (rate.isForward ? max(place, end) : min(place, end), left - whole)
  }

  /// The passes of a millisecond in 35 years.
  private static let maximumPasses: Int64 = 1 << 40

  /// Has the item arrive at the end at which its time is, some time ago. What follows continues where it would be.
  ///
  /// - Parameter end: the clock's time of a pause since then.
  mutating func passEnd(
    before rest: ExactTime, at rate: PlaybackRate, until end: ExactTime? = nil
  ) {
    let old = item
    arrive(rate.isForward ? .forward : .reverse)
    report()
    guard let item, item !== old || actionAtItemEnd == .none else { return }
    begin(
      late: LateStart(time: itemTime, hostTime: (end ?? host) - rest, rate: rate, end: end))
  }

  /// Continues an item where it would be if it had begun at an earlier time. One that isn't loaded does so when it is.
  mutating func begin(late start: LateStart) {
    guard facts != nil else { return lateStart = start }
    let elapsed = (start.end ?? host) - start.hostTime
    let (place, rest) = place(after: elapsed, from: start.time, start.rate)
    anchor(at: place, timebase.rate)
    if let rest { passEnd(before: rest, at: start.rate, until: start.end) }
  }

  /// Notes that the item has arrived at its end in a direction.
  private mutating func arrive(_ direction: PlaybackDirection) {
    guard let item else { return }
    arrival = direction
    send(
      .didPlayToEndTime(
        item, time: time(of: crossed), direction: direction, hostTime: hostTime,
        revision: revision))
    actAtEnd()
  }

  /// Performs the action for an end that the item has arrived at.
  mutating func actAtEnd() {
    switch actionAtItemEnd {
    case .none: break
    case .pause:
      anchorAtEnd()
      rate = .zero
      settleRate()
      report(.itemEnded)
    case .advance: advance(.itemChange)
    }
  }

  private mutating func anchorAtEnd() {
    // The time is the end itself, not one computed from the clock.
    timebase.item = crossed
    timebase.host = host
  }

  /// Advances to the next item of the queue.
  mutating func advance(_ cause: JumpCause, _ reason: RateChangeReason? = nil) {
    guard let old = item else { return }
    closePiece()
    queue.removeFirst()
    release(old)
    beginItem(reason)
  }

  /// Makes the first item of the queue the current one, from its initial time on.
  mutating func beginItem(_ reason: RateChangeReason? = nil) {
    endSeeks()
    endPrerolls()
    (arrival, isStepping, holdsUntil, lateStart) = (nil, false, nil, nil)
    revision += 1
    let start = item.map { beginning(of: $0) } ?? .zero
    timebase = Timebase(item: start, host: host, rate: .zero)
    crossed = start
    if facts != nil { status = .readyToPlay }
    settleRate(reports: false)
    reportChanges(reason)
    leaveSlot()
    guard let item else { return }
    startSequences()
    send(
      .didJump(
        item, from: .invalid, to: time(of: start), cause: .itemChange, revision: revision))
    firePeriodic(.jump)
    // It may have been loaded ahead, in vain.
    if let error = item.failure { passOver(item, error) }
  }

  /// Returns the time at which an item begins: its initial time, within its range where that is known.
  func beginning(of item: PlayerItem) -> ExactTime {
    var start = ExactTime(item.initialTime) ?? .zero
    if let looper, looper.item === item, let first = ExactTime(looper.timeRange.start) {
      start = max(start, first)
    }
    guard let duration = item.facts.flatMap({ ExactTime($0.duration) }) else { return start }
    return min(start, duration)
  }

  // MARK: Loops

  /// Jumps from one end of the loop's range to the other.
  private mutating func loop() {
    let isForward = timebase.rate.isForward
    guard var looper, let item, let facts, let range = loopRange(facts, isForward: isForward)
    else { return }
    let (from, to) = isForward ? (range.end, range.start) : (range.start, range.end)
    send(
      .didPlayToEndTime(
        item, time: time(of: from), direction: isForward ? .forward : .reverse,
        hostTime: hostTime, revision: revision))
    looper.count += 1
    looper.following = looper.following.map { $0 - 1 }
    self.looper = looper
    revision += 1
    closePiece()
    timebase = Timebase(item: to, host: host, rate: timebase.rate, speed: speed)
    crossed = to
    arrival = nil
    openPiece()
    startSequences()
    send(
      .didJump(
        item, from: time(of: from), to: time(of: to), cause: .loop, revision: revision))
    if let object = looper.object {
      send(.didLoop(object, loopCount: looper.count, revision: revision))
    }
    firePeriodic(.jump)
  }

  /// Begins a sequence of pictures in the outputs of the current item.
  ///
  /// - Parameter number: its revision; nil for the current one.
  mutating func startSequences(_ number: Int? = nil) {
    guard let item, !isPreview else { return }
    let revision = number ?? revision
    for output in item.outputs {
      output.startSequence(revision)
      send(.didStartSequence(output, revision: revision))
    }
  }
}
