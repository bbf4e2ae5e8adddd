public import MediaTime
import Synchronization
import SystemIO

/// The presentation of an asset in a player (AVPlayerItem): its enabled tracks, audio mix, video composition and end
/// times.
///
/// One asset may be presented by several items at the same time. An item belongs to one player, and is loaded when
/// it is that player's current item, or the next one.
public final class PlayerItem: Sendable {
  struct State {
    var status = PlaybackStatus.unknown
    var error: EngineError?
    var settings = ItemSettings()
    /// The number of changes of settings after which the asset is read anew.
    var version = 0
    /// The number of those that change its pictures.
    var pictureVersion = 0
    var facts: ItemFacts?
    weak var player: Player?
    var outputs: [VideoOutput] = []
    /// The number of samples that the decoders have skipped.
    var damagedSamples = 0
    /// The damage of each track by the track's ID: that of the reader that has met the most, since each pass meets it anew.
    var damage: [Int32: (count: Int, report: DamagedSamples)] = [:]
    /// The range that is decoded ahead.
    var loadedTimeRange: TimeRange?
    /// The bytes of that range.
    var bufferedBytes = 0
  }

  public let asset: any Asset
  /// The time at which the item begins.
  public let initialTime: Time
  /// The length of media to decode ahead; zero leaves it to the player.
  public let preferredForwardBufferDuration: Time
  /// Draws the frames that a video composition leaves to its caller.
  let compositor: (any VideoCompositing)?
  let shared: Mutex<State>
  /// Admits one change of settings at a time, in arrival order.
  let settingsLine = WorkLimiter(slots: 1)

  /// Creates an item; nothing is read before a player loads it.
  ///
  /// - Throws: `unsupportedOutputSettings` for settings that don't fit.
  public init(
    asset: any Asset, settings: PlayerItemSettings = PlayerItemSettings(),
    initialTime: Time = .zero, preferredForwardBufferDuration: Time = .zero,
    compositor: (any VideoCompositing)? = nil
  ) throws(EngineError) {
    self.asset = asset
    self.initialTime = initialTime
    self.preferredForwardBufferDuration = preferredForwardBufferDuration
    self.compositor = compositor
    var state = State()
    state.settings.apply(settings)
    shared = Mutex(state)
  }

  /// The player that has the item.
  public var player: Player? { shared.withLock(\.player) }

  var facts: ItemFacts? { shared.withLock(\.facts) }
  var settings: ItemSettings { shared.withLock(\.settings) }
  var outputs: [VideoOutput] { shared.withLock(\.outputs) }

  /// Changes settings; they are in effect at once, without a jump of time.
  ///
  /// An item that is loaded is loaded with the new settings first. It continues with its settings until then, and other
  /// requests to its player don't wait for that. On a manual clock they do: nothing may depend on the time that it takes.
  ///
  /// - Throws: `noSourceTrack` for a track that the asset lacks, and the error of loading it where nothing could be
  ///   played, for an item that has been loaded. Nothing is changed then.
  public func set(_ changes: PlayerItemSettings) async throws(EngineError) {
    try await changeSettings { () async throws(EngineError) in changes }
  }

  /// Presents one of the tracks that are alternatives to each other, or none of them.
  ///
  /// - Parameter trackID: nil for none.
  /// - Throws: `noSourceTrack`; `operationNotAllowed` for an item that isn't ready.
  public func select(
    trackID: Int32?, of characteristic: MediaCharacteristic
  ) async throws(EngineError) {
    try await changeSettings { () async throws(EngineError) in
      try await self.selection(trackID: trackID, of: characteristic)
    }
  }

  /// The state at this moment. Never waits.
  public var state: PlayerItemState {
    var result = PlayerItemState()
    let (state, player) = shared.withLock { ($0, $0.player) }
    result.status = state.status
    result.error = state.error
    result.damagedSamples = state.damagedSamples
    result.damage = state.damage.values.map(\.report).sorted { $0.trackID < $1.trackID }
    if let player { result.time = player.time(of: self) }
    guard let facts = state.facts else { return result }
    result.describe(facts, state.settings)
    if let shown = facts.video?.trackID,
      let place = result.tracks.firstIndex(where: { $0.trackID == shown })
    {
      result.tracks[place].currentVideoFrameRate = player?.frameRate(of: self, facts)
    }
    if let loaded = state.loadedTimeRange {
      result.loadedTimeRanges = [loaded]
      result.isPlaybackBufferEmpty = false
      result.isPlaybackLikelyToKeepUp = true
    }
    return result
  }

  /// Moves a paused item by frames of its first enabled video track (AVPlayerItem `step(byCount:)`).
  ///
  /// - Parameter count: below zero for steps back.
  /// - Returns: the steps that were made: fewer than `count` at an end.
  /// - Throws: `operationNotAllowed` for an item that isn't a player's current one, `operationNotSupportedForAsset`
  ///   without video.
  public func step(by count: Int) async throws(EngineError) -> StepEnd {
    guard let player else { throw notCurrent }
    return try await player.step(self, by: count)
  }

  /// The error because of which it can't be played.
  var failure: EngineError? { shared.withLock { $0.status == .failed ? $0.error : nil } }

  var notCurrent: EngineError {
    EngineError(
      .operationNotAllowed, "The item isn't the current one of a player",
      advice: .makeItemCurrent, path: asset.path)
  }

  /// Removes the item from its player, and closes its outputs. Never waits.
  public func close() {
    let (player, outputs) = shared.withLock { ($0.player, $0.outputs) }
    player?.discard(self)
    for output in outputs { output.close() }
  }
}

extension PlayerItemState {
  fileprivate mutating func describe(_ facts: ItemFacts, _ settings: ItemSettings) {
    duration = facts.duration
    presentationSize = facts.presentationSize
    tracks = facts.tracks
    seekableTimeRanges = [TimeRange(start: .zero, duration: facts.duration)]
    canPlayFastForward = true
    canPlaySlowForward = true
    let canReverse = facts.reverseProblem == nil
    (canPlayReverse, canPlaySlowReverse, canPlayFastReverse) = (canReverse, canReverse, canReverse)
    canStepForward = facts.video != nil
    canStepBackward = facts.video != nil && canReverse
    reason =
      facts.video == nil
      ? "The item has no enabled video track to step through." : facts.reverseProblem
  }
}
