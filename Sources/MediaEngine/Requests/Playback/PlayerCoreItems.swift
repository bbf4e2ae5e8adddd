import MediaTime
import Synchronization

/// The items of a player: those that have become ready or have failed, and the changes of the queue.
extension PlayerCore {
  // MARK: Readiness

  /// Handles an item that has become ready: seeks outside of its range end.
  ///
  /// - Parameter isFirst: false for an item that was ready with other settings.
  mutating func itemIsReady(_ ready: PlayerItem, _ facts: ItemFacts, isFirst: Bool) {
    var changes = PlayerItemChanges()
    changes.status = .readyToPlay
    changes.duration = facts.duration
    changes.presentationSize = facts.presentationSize
    changes.tracks = facts.tracks
    changes.seekableTimeRanges = [TimeRange(start: .zero, duration: facts.duration)]
    send(.itemDidChange(ready, changes))
    guard ready === item else { return }
    status = .readyToPlay
    let outside = isFirst ? moveInside(facts) : nil
    if !isFirst { leavePassedEnd() }
    if let late = lateStart.take() { begin(late: late) }
    guard ready === item else { return }
    if ready.outputs.contains(where: { $0.lacks(revision, facts.version) }) { startSequences() }
    if let outside {
      send(
        .didJump(
          ready, from: time(of: outside), to: time, cause: .itemChange, revision: revision))
      firePeriodic(.jump)
    }
    let isSeeking = seek != nil
    if let pending = seek, !isSeekable(pending.requested) {
      seek = nil
      end(pending, finished: false)
      endPassedSeeks()
    }
    // In its turn: after the earlier requests.
    if let waiting = nextSeek, !isSeekable(waiting.requested) {
      nextSeek = nil
      supersededSeeks.append(waiting)
    }
    if seek == nil {
      endPassedSeeks()
      seek = nextSeek.take()
    }
    if isSeeking, seek == nil, standingEnd != nil { takeUpPlace() }
    settleRate()
    report()
  }

  /// Moves the time of an item whose duration is known now into it.
  ///
  /// - Returns: the time outside of it, for a jump that is to be reported.
  private mutating func moveInside(_ facts: ItemFacts) -> ExactTime? {
    guard timebase.rate == .zero, let duration = ExactTime(facts.duration) else { return nil }
    let from = timebase.item
    let place = max(.zero, min(from, duration))
    timebase.item = place
    timebase.host = host
    crossed = place
    // A seek, or a start at an earlier time, has a place of its own.
    guard place != from, lateStart == nil, seek.map({ !isSeekable($0.requested) }) ?? true else {
      return nil
    }
    revision += 1
    return from
  }

  /// Handles an item that can't be played: a queue continues with the next.
  mutating func itemHasFailed(_ failed: PlayerItem, _ error: EngineError) {
    var changes = PlayerItemChanges()
    changes.status = .failed
    changes.error = error
    send(.itemDidChange(failed, changes))
    guard failed === item else { return }
    passOver(failed, error)
  }

  /// Continues after an item that can't be played to its end.
  mutating func passOver(_ failed: PlayerItem, _ error: EngineError) {
    if status == .unknown, !isQueue || queue.count == 1 { status = .readyToPlay }
    send(
      .didFailToPlayToEndTime(
        failed, error, time: time, hostTime: hostTime, revision: revision))
    if isQueue, queue.count > 1 {
      return advance(.itemChange)
    }
    endSeeks()
    endPrerolls()
    rate = isQueue ? rate : .zero
    if isQueue { return advance(.itemChange) }
    settleRate()
    report(.playbackFailed)
  }

  // MARK: Items

  /// Replaces the current item.
  mutating func replaceItem(_ new: PlayerItem?) {
    replan()
    if let old = item {
      closePiece()
      queue.removeFirst()
      release(old)
    }
    if let new { queue.insert(new, at: 0) }
    beginItem()
  }

  /// Removes an item from the queue; removing the current one advances.
  mutating func removeItem(_ old: PlayerItem) {
    guard let place = queue.firstIndex(where: { $0 === old }) else { return }
    replan()
    if place == 0 { return advance(.itemChange) }
    queue.remove(at: place)
    release(old)
  }

  /// Handles an item that has left the queue, and its loop with it.
  mutating func release(_ old: PlayerItem) {
    if !isPreview { old.shared.withLock { $0.player = nil } }
    if looper?.item === old { endLoop() }
  }

  mutating func insertItem(_ new: PlayerItem, at place: Int) {
    queue.insert(new, at: place)
    if place == 0 {
      replan()
      beginItem()
    }
  }

  mutating func removeAllItems() {
    let others = queue.dropFirst()
    queue.removeLast(max(0, queue.count - 1))
    for old in others { release(old) }
    if !queue.isEmpty { advance(.itemChange) }
  }
}
