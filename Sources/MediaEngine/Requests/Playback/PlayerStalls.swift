import MediaTime
import Synchronization
import SystemIO

/// Stalls: playback stops where its next frame or audio is due and waits for the bytes of a client. Frames and audio
/// that are late for another reason don't stop it.
extension PlayerCore {
  /// Stops the item's time (AVPlayerItem.playbackStalledNotification).
  ///
  /// - Parameter isBeginning: true where nothing has been presented yet: then playback waits, which isn't reported as
  ///   a stall.
  /// - Returns: true where playback waits until ``resume(_:)``.
  mutating func stall(_ media: MediaType, isBeginning: Bool) -> Bool {
    guard let item, facts != nil, rate != .zero, seek == nil, !isStepping, holdsUntil == nil else {
      return false
    }
    let isRunning = timebase.rate != .zero
    if isRunning, !isBeginning {
      send(.didStall(item, time: time, hostTime: hostTime, revision: revision))
    }
    if automaticallyWaits {
      stalls.insert(media)
      settleRate()
      report()
    } else if isRunning {
      rate = .zero
      settleRate()
      report(.stalled)
    }
    return automaticallyWaits
  }

  /// Continues after a stall, unless other media still stalls playback. After a jump there is nothing to continue.
  mutating func resume(_ media: MediaType) {
    guard stalls.remove(media) != nil else { return }
    settleRate()
    report()
  }
}

/// A read of frames or audio that a player needs at a time of its clock. It stalls playback where its bytes are late.
final class DueRead: Sendable {
  private struct State {
    var isPending = true
    var isWatched = false
    var hasStalled = false
  }
  private let state = Mutex(State())
  private let player: Player
  private let media: MediaType
  private let isBeginning: Bool
  /// The interval between two looks at a read that is overdue.
  private static let interval = ExactTime(reducing: 1, 20)

  init(_ player: Player, _ media: MediaType, isBeginning: Bool) {
    (self.player, self.media, self.isBeginning) = (player, media, isBeginning)
  }

  /// True if playback waits for it.
  var hasStalled: Bool { state.withLock(\.hasStalled) }

  /// Watches it: it is about to wait.
  ///
  /// - Parameter due: nil for a read that is due now.
  func willWait(due: @autoclosure () -> ExactTime?) {
    let isFirst = state.withLock { state in
      defer { state.isWatched = true }
      return state.isPending && !state.isWatched
    }
    if isFirst { watch(at: due() ?? Deadlines.now) }
  }

  private func watch(at time: ExactTime) {
    Deadlines.shared.set(time, for: self) { [weak self] in
      Task { await self?.look() }
    }
  }

  /// Stalls playback where the read is pending and waits for bytes.
  private func look() async {
    guard state.withLock(\.isPending) else { return }
    if player.currentItem?.asset.media.content.isWaitingForBytes == true {
      let isWaiting = player.change { core in
        // It ends under the same lock.
        guard state.withLock(\.isPending), core.stall(media, isBeginning: isBeginning)
        else { return false }
        state.withLock { $0.hasStalled = true }
        return true
      }
      if isWaiting {
        await player.runner.withLock(\.self)?.holdOutput()
        return player.kick()
      }
    }
    watch(at: Deadlines.now + Self.interval)
  }

  /// Ends the watch. Playback continues if it has stalled.
  func end() {
    guard state.withLock(\.isWatched) else { return }
    Deadlines.shared.set(nil, for: self) {}
    let hasResumed = player.change { core in
      let hasStalled = state.withLock { state in
        state.isPending = false
        return state.hasStalled
      }
      if hasStalled { core.resume(media) }
      return hasStalled
    }
    if hasResumed { player.kick() }
  }
}

extension PlayerRunner {
  /// Returns the watch of reads that are due; nil on a manual clock, which waits for them.
  ///
  /// - Parameter isBeginning: true for the first media after a jump.
  func dueRead(_ media: MediaType, isBeginning: Bool = false) -> DueRead? {
    guard player.configuration.clock != .manual, player.configuration.stalls else { return nil }
    return DueRead(player, media, isBeginning: isBeginning)
  }

  /// Stops the audio server's output while playback waits.
  func holdOutput() {
    guard let ring = server?.ring else { return }
    ring.setRunning(false)
    ring.command()
  }

  /// Gives up the reads of an item that wait for bytes: a seek needs others.
  func giveUpReads(of item: PlayerItem) {
    guard item.asset.media.content.isWaitingForBytes else { return }
    if let reading = reading.take() {
      reading.trigger()
      pictures[ObjectIdentifier(item)] = nil
    }
    server?.giveUp()
  }
}
