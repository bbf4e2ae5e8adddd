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
  /// - Throws: `noSourceTrack` for a track that the asset lacks, and the error of loading it where nothing could be
  ///   played, for an item that has been loaded. Nothing is changed then.
  public func set(_ changes: PlayerItemSettings) async throws(EngineError) {
    if let player { return try await player.change(self, changes) }
    try await withTaskInterrupt(parent: nil) { interrupt throws(EngineError) in
      try await check(changes, interrupt: interrupt)
    }
    let isApplied = shared.withLock { state -> Bool in
      // A player may have it by now.
      guard state.player == nil else { return false }
      _ = state.apply(changes)
      return true
    }
    if !isApplied { try await set(changes) }
  }

  /// Loads an item that has been loaded with other settings, to refuse those with which nothing could be played.
  func check(
    _ changes: PlayerItemSettings, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    let changed = shared.withLock { state -> ItemSettings? in
      var settings = state.settings
      return state.facts != nil && settings.apply(changes).isReadAnew ? settings : nil
    }
    if let changed { _ = try await ItemFacts.load(self, changed, interrupt: interrupt) }
  }

  /// Presents one of the tracks that are alternatives to each other, or none of them.
  ///
  /// - Parameter trackID: nil for none.
  /// - Throws: `noSourceTrack`; `operationNotAllowed` for an item that isn't ready.
  public func select(
    trackID: Int32?, of characteristic: MediaCharacteristic
  ) async throws(EngineError) {
    let groups = try await asset.load(.tracks).selectionGroups
    guard let group = groups.first(where: { $0.characteristic == characteristic }) else {
      throw EngineError(
        .noSourceTrack,
        "'\(asset.path)' has no tracks to choose from as '\(characteristic.rawValue)'",
        advice: .loadSelectionGroups, path: asset.path)
    }
    let options = group.options.map(\.trackID)
    if let trackID, !options.contains(trackID) {
      throw EngineError(
        .noSourceTrack, "Track \(trackID) of '\(asset.path)' is none of the options",
        advice: .chooseOption(options.map(String.init)),
        path: asset.path)
    }
    let tracks = try await asset.load(.tracks)
    var enabled = Set(
      settings.enabledTrackIDs ?? tracks.map(\.info).presented(mixesAudio: false).map(\.trackID))
    enabled.subtract(options)
    if let trackID { enabled.insert(trackID) }
    var changes = PlayerItemSettings()
    changes.enabledTrackIDs = .some(enabled.sorted())
    try await set(changes)
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

/// The settings of an item's presentation.
struct ItemSettings: Sendable {
  /// The IDs of the enabled tracks; nil for those that are enabled in the file.
  var enabledTrackIDs: [Int32]?
  var videoComposition = PresentationSetting<VideoComposition>.asset
  var audioMix = PresentationSetting<AudioMix>.asset
  var timePitch = AudioTimePitchAlgorithm.timeDomain
  var forwardEnd = Time.invalid
  var reverseEnd = Time.invalid

  /// - Returns: `isReadAnew` where the asset has to be read anew, `hasNewPictures` where its pictures may be others.
  @discardableResult
  mutating func apply(_ changes: PlayerItemSettings) -> (isReadAnew: Bool, hasNewPictures: Bool) {
    var isReadAnew = false
    if let tracks = changes.enabledTrackIDs {
      enabledTrackIDs = tracks
      isReadAnew = true
    }
    if let composition = changes.videoComposition {
      videoComposition = composition
      isReadAnew = true
    }
    let hasNewPictures = isReadAnew
    if let mix = changes.audioMix {
      audioMix = mix
      isReadAnew = true
    }
    if let algorithm = changes.audioTimePitchAlgorithm {
      timePitch = algorithm
      isReadAnew = true
    }
    if let end = changes.forwardPlaybackEndTime { forwardEnd = end }
    if let end = changes.reversePlaybackEndTime { reverseEnd = end }
    return (isReadAnew, hasNewPictures)
  }
}

extension PlayerItem.State {
  /// Changes settings.
  ///
  /// - Returns: true for an item that was ready, and has to be loaded again.
  mutating func apply(_ changes: PlayerItemSettings) -> Bool {
    let (isReadAnew, hasNewPictures) = settings.apply(changes)
    if hasNewPictures { pictureVersion += 1 }
    guard isReadAnew else { return false }
    version += 1
    guard status == .readyToPlay else { return false }
    status = .unknown
    return true
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
