public import MediaTime
import Synchronization

/// Plays an item, or a range of it, again and again (AVPlayerLooper).
///
/// The item loops in itself: AVFoundation inserts at least three copies of a template instead. Each pass ends with
/// `didPlayToEndTime`.
public final class PlayerLooper: Sendable {
  public enum Status: String, Sendable {
    case unknown, ready, failed, cancelled
  }

  /// The item that loops.
  public let item: PlayerItem
  /// The range of a pass; invalid for all of the item.
  public let timeRange: TimeRange
  private let player: Player
  private let ended = Mutex(0)
  /// The number of passes, once it doesn't loop any more.
  var passes: Int { ended.withLock(\.self) }

  /// Inserts an item into a queue; it loops once it is the current one. An item of that queue changes its place.
  ///
  /// - Parameter existingItemsFirst: true to play the items that are in the queue before it.
  /// - Throws: `operationNotAllowed` for a player without a queue, one that loops already, and an item that is in
  ///   another player.
  public init(
    player: Player, templateItem: PlayerItem, timeRange: TimeRange? = nil,
    existingItemsFirst: Bool = false
  ) async throws(EngineError) {
    if let timeRange, timeRange.isValid {
      guard timeRange.start.isNumeric, timeRange.duration.isNumeric, timeRange.start >= .zero,
        timeRange.duration > .zero
      else {
        throw EngineError(
          .operationNotAllowed, "The time range \(timeRange.secondsDescription) is not one to loop",
          advice: .giveRangeToLoop)
      }
    }
    (item, self.player, self.timeRange) = (templateItem, player, timeRange ?? .invalid)
    try await player.loop(self, existingItemsFirst: existingItemsFirst)
  }

  /// The looper's state. Never waits.
  public var state: (status: Status, error: EngineError?, loopCount: Int, items: [PlayerItem]) {
    let (count, isActive) = player.loopState(of: self)
    let item = item.shared.withLock { ($0.status, $0.error, $0.facts) }
    let loop = LoopState(item: self.item, timeRange: timeRange)
    if let facts = item.2, loop.range(facts, isForward: true) == nil {
      let end = self.item.settings.forwardEnd
      let last = end.isNumeric ? max(.zero, min(end, facts.duration)) : facts.duration
      let error = EngineError(
        .operationNotAllowed,
        "The time range \(timeRange.secondsDescription) lies outside of the item, which ends at "
          + last.secondsDescription,
        advice: .chooseRangeOfTrack(start: .zero, end: last))
      return (.failed, error, count, [self.item])
    }
    let status: Status =
      if !isActive, item.0 != .failed {
        .cancelled
      } else {
        switch item.0 {
        case .unknown: .unknown
        case .readyToPlay: .ready
        case .failed: .failed
        }
      }
    return (status, item.1, count, [self.item])
  }

  /// Ends looping with the pass that is being played.
  public func disable() async throws(EngineError) { try await player.disable(self) }

  /// Ends looping with the pass that is being played. Never waits.
  public func close() { player.closeLooper(self) }

  /// Notes the end of its loop.
  func didEnd(after passes: Int) { ended.withLock { $0 = passes } }
}

/// The loop of a player's item.
struct LoopState {
  weak var object: PlayerLooper?
  let item: PlayerItem
  let timeRange: TimeRange
  var count = 0
  var isDisabled = false
  /// The passes that follow the one that is played; nil without an end.
  var following: Int?

  func isActive(for current: PlayerItem?) -> Bool {
    !isDisabled && current === item && following != 0
  }

  /// Returns the range of a pass, clipped to the item and to its end in the direction; nil where it lies outside.
  func range(_ facts: ItemFacts, isForward: Bool) -> (start: ExactTime, end: ExactTime)? {
    guard var end = ExactTime(facts.duration) else { return nil }
    var start = ExactTime.zero
    if timeRange.isValid, let first = ExactTime(timeRange.start),
      let length = ExactTime(timeRange.duration)
    {
      (start, end) = (first, min(first + length, end))
    }
    let settings = item.settings
    if isForward, let last = ExactTime(settings.forwardEnd) { end = min(end, last) }
    if !isForward, let last = ExactTime(settings.reverseEnd) { start = max(start, last) }
    return start < end ? (start, end) : nil
  }
}

extension Player {
  func loop(_ looper: PlayerLooper, existingItemsFirst: Bool) async throws(EngineError) {
    try await request { core throws(EngineError) in
      guard core.isQueue else {
        throw EngineError(
          .operationNotAllowed, "A player without a queue can't loop an item",
          advice: .createQueue)
      }
      guard core.looper?.isDisabled ?? true else {
        throw EngineError(
          .operationNotAllowed, "The player loops an item already",
          advice: .disableLooper)
      }
      try core.takeSlot(of: self.configuration.slots)
      defer { core.leaveSlot() }
      let place = core.queue.firstIndex { $0 === looper.item }
      if place == nil { try looper.item.claim(for: self) }
      core.replan()
      core.endLoop()
      if let place {
        if place == 0 { core.closePiece() }
        core.queue.remove(at: place)
        // Where it stays the current item, nothing else is it meanwhile.
        if place == 0, existingItemsFirst, !core.queue.isEmpty {
          // Its slot stays, so that the item does.
          let slot = core.slot
          core.beginItem()
          core.slot = slot
        }
      }
      core.looper = LoopState(object: looper, item: looper.item, timeRange: looper.timeRange)
      core.insertItem(looper.item, at: existingItemsFirst ? core.queue.count : 0)
    }
  }

  func loopState(of looper: PlayerLooper) -> (count: Int, isActive: Bool) {
    core.withLock { core in
      guard let state = core.looper, state.object === looper else {
        return (looper.passes, false)
      }
      return (state.count, !state.isDisabled)
    }
  }

  func disable(_ looper: PlayerLooper) async throws(EngineError) {
    try await request { core throws(EngineError) in core.disable(looper) }
  }

  func closeLooper(_ looper: PlayerLooper) {
    change { $0.disable(looper) }
    kick()
  }
}

extension PlayerCore {
  mutating func disable(_ looper: PlayerLooper) {
    guard self.looper?.object === looper, self.looper?.isDisabled == false else { return }
    self.looper?.isDisabled = true
  }

  /// Ends the loop for good: its range has no effect any more.
  mutating func endLoop() {
    if !isPreview, let looper { looper.object?.didEnd(after: looper.count) }
    looper = nil
  }

  /// Returns the range of the loop of the current item, in a direction; nil without one.
  func loopRange(_ facts: ItemFacts, isForward: Bool) -> (start: ExactTime, end: ExactTime)? {
    guard let looper, looper.item === item else { return nil }
    return looper.range(facts, isForward: isForward)
  }
}
