public import MediaTime
import Synchronization

/// The statistics of a player's pictures and audio, and the size of its buffers.
public struct PlayerStatistics: Sendable {
  /// The pictures that its outputs have returned, or sent.
  public var presented = 0
  /// The pictures that weren't sent to an output for lack of credit.
  public var outOfCredit = 0
  /// The pictures that weren't sent because later ones were due already.
  public var late = 0
  /// The pictures that no caller has asked for, or that were passed over at a high rate.
  public var skipped = 0
  public var underruns = 0
  /// The maximum time from a moment to its report, or to its picture.
  public var maximumLateness = Time.zero
  /// The bytes of frames and audio that are decoded and wait for their time.
  public var bufferedBytes = 0
}

/// The slots of an engine for players with items, which are limited: a player with an item has one.
public final class PlayerSlots: Sendable {
  /// One slot, in use as long as it is referred to.
  final class Slot: Sendable {
    private let slots: PlayerSlots
    fileprivate init(_ slots: PlayerSlots) { self.slots = slots }
    deinit { slots.free.withLock { $0 += 1 } }
  }

  private let count: Int
  private let free: Mutex<Int>

  public init(_ count: Int) {
    self.count = count
    free = Mutex(count)
  }

  /// Takes a free slot.
  ///
  /// - Throws: `limitExceeded` where all are in use.
  func take() throws(EngineError) -> Slot {
    let isTaken = free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
    guard isTaken else {
      throw EngineError(
        .limitExceeded, "\(count) players have items already", advice: .closeOtherPlayer)
    }
    return Slot(self)
  }
}

extension PlayerCore {
  /// Acquires a slot for a player with an item.
  ///
  /// - Throws: `limitExceeded`.
  mutating func takeSlot(of slots: PlayerSlots?) throws(EngineError) {
    if slot == nil { slot = try slots?.take() }
  }

  /// Releases the slot where there is no item.
  mutating func leaveSlot() { if item == nil { slot = nil } }

  /// Notes the lateness of a picture that is sent now.
  mutating func notePicture(at start: Time) {
    guard timebase.rate != .zero, let due = ExactTime(start).flatMap(timebase.hostTime) else {
      return
    }
    maximumLateness = max(maximumLateness, lateness(due))
  }
}

extension Player {
  /// The statistics so far. Never waits.
  public var statistics: PlayerStatistics {
    var result = counts.withLock(\.self)
    let (items, underruns, lateness) = core.withLock {
      ($0.queue, $0.audio.underruns, $0.maximumLateness)
    }
    (result.underruns, result.maximumLateness) = (underruns, lateness)
    for item in items { result.bufferedBytes += item.shared.withLock(\.bufferedBytes) }
    return result
  }

  func count(_ body: (inout PlayerStatistics) -> Void) { counts.withLock { body(&$0) } }
}

extension PlayerRunner {
  /// Counts a picture for which an output has no credit.
  func drop(outOfCredit output: VideoOutput) {
    output.drop(outOfCredit: 1)
    player.count { $0.outOfCredit += 1 }
  }

  /// Counts pictures that came too late for an output.
  func drop(late count: Int, of output: VideoOutput) {
    output.drop(late: count)
    player.count { $0.late += count }
  }
}
