import MediaTime
import Synchronization

/// The items of a player: those that have become ready or have failed, and the changes of the queue.
extension PlayerCore {
  // MARK: Readiness

  /// Handles an item that has become ready: seeks outside of its range end.
  mutating func itemIsReady(_ ready: PlayerItem, _ facts: ItemFacts) {
    var changes = PlayerItemChanges()
    changes.status = .readyToPlay
    changes.duration = facts.duration
    changes.presentationSize = facts.presentationSize
    changes.tracks = facts.tracks
    changes.seekableTimeRanges = [TimeRange(start: .zero, duration: facts.duration)]
    send(.itemDidChange(ready, changes))
    guard ready === item else { return }
    status = .readyToPlay
    if timebase.rate == .zero, let duration = ExactTime(facts.duration) {
      timebase.item = max(.zero, min(timebase.item, duration))
      timebase.host = host
      crossed = timebase.item
    }
    if let late = lateStart.take() { begin(late: late) }
    guard ready === item else { return }
    startSequences()
    for pending in [seek, nextSeek].compactMap(\.self) where !isSeekable(pending.requested) {
      if seek?.number == pending.number { seek = nil }
      if nextSeek?.number == pending.number { nextSeek = nil }
      end(pending, finished: false)
    }
    settleRate()
    report()
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
