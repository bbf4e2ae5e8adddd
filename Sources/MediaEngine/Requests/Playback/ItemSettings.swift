import MediaTime
import Synchronization
import SystemIO

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

/// Other settings of an item, with which it has been loaded if it was loaded before.
package struct PreparedSettings: Sendable {
  fileprivate let changes: PlayerItemSettings
  /// The number of changes before them.
  fileprivate let version: Int
  /// Nil where the asset isn't read anew.
  fileprivate let facts: ItemFacts?
}

extension PlayerItem.State {
  /// The outcome of new settings.
  enum Change {
    /// The item has changed since it was loaded with them: it has to be loaded again, and nothing is changed.
    case outdated
    case changed
    /// The item is ready with other facts.
    case reloaded(ItemFacts)
  }

  mutating func apply(_ prepared: PreparedSettings) -> Change {
    guard version == prepared.version else { return .outdated }
    var wanted = settings
    let (isReadAnew, hasNewPictures) = wanted.apply(prepared.changes)
    // It may have been loaded for the first time meanwhile.
    guard !isReadAnew || facts == nil || prepared.facts != nil else { return .outdated }
    settings = wanted
    if hasNewPictures { pictureVersion += 1 }
    guard isReadAnew else { return .changed }
    version += 1
    guard status == .readyToPlay, var loaded = prepared.facts else { return .changed }
    loaded.version = pictureVersion
    facts = loaded
    return .reloaded(loaded)
  }
}

extension PlayerItem {
  /// Changes settings, which `settings` returns after all earlier changes.
  func changeSettings(
    _ settings: () async throws(EngineError) -> PlayerItemSettings
  ) async throws(EngineError) {
    while true {
      let isChanged: Bool
      if let player, player.configuration.clock == .manual {
        isChanged = try await player.change(self, settings)
      } else {
        try await enterSettings()
        defer { settingsLine.leave() }
        isChanged = await apply(try await prepare(try await settings()))
      }
      if isChanged { return }
    }
  }

  /// True where other requests to its player wait while it is loaded with other settings.
  package var isLoadedInTurn: Bool { player?.configuration.clock == .manual }

  /// Returns after the earlier changes of settings; `settingsLine.leave()` ends the turn.
  private func enterSettings() async throws(EngineError) {
    try await withTaskInterrupt(parent: nil) { interrupt throws(EngineError) in
      try await settingsLine.enter(interrupt: interrupt)
    }
  }

  /// Runs `body` after the earlier changes of settings, and before the later ones.
  package func changeInTurn<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await enterSettings()
    defer { settingsLine.leave() }
    return try await body()
  }

  /// Loads an item that has been loaded with other settings, and refuses those with which nothing could be played.
  ///
  /// - Throws: the errors of ``set(_:)``.
  package func prepare(
    _ changes: PlayerItemSettings
  ) async throws(EngineError) -> PreparedSettings {
    let (version, wanted) = shared.withLock { state -> (Int, ItemSettings?) in
      var settings = state.settings
      let isReadAnew = settings.apply(changes).isReadAnew
      return (state.version, state.facts != nil && isReadAnew ? settings : nil)
    }
    var facts: ItemFacts?
    if let wanted {
      let player = player
      // Not ended by the player: the item stays when that is closed.
      facts = try await withTaskInterrupt { interrupt throws(EngineError) in
        try await ItemLoading().load(self, wanted, for: player, interrupt: interrupt)
      }
    }
    return PreparedSettings(changes: changes, version: version, facts: facts)
  }

  /// Puts prepared settings into effect, in the player's turn.
  ///
  /// - Returns: false where the item has changed since: they have to be prepared again.
  package func apply(_ prepared: PreparedSettings) async -> Bool {
    if let player { return await player.change(self, prepared) }
    return shared.withLock { state in
      // A player may have it by now.
      guard state.player == nil else { return false }
      if case .outdated = state.apply(prepared) { return false }
      return true
    }
  }

  /// Returns the settings that present one of the tracks that are alternatives to each other.
  ///
  /// - Throws: `noSourceTrack`.
  package func selection(
    trackID: Int32?, of characteristic: MediaCharacteristic
  ) async throws(EngineError) -> PlayerItemSettings {
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
    return changes
  }
}

/// The loading of an item with other settings, on a queue of its own: its player continues meanwhile.
private actor ItemLoading: QueueActor {
  nonisolated let queue = WorkQueue("playerItem")

  func load(
    _ item: PlayerItem, _ settings: ItemSettings, for player: Player?, interrupt: Interrupt
  ) async throws(EngineError) -> ItemFacts {
    let facts = try await ItemFacts.load(item, settings, interrupt: interrupt)
    if let player, player.hasAudio {
      try await facts.requireAudio(for: player.configuration, interrupt: interrupt)
    }
    return facts
  }
}
