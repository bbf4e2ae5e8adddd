/// Tracks that are alternatives to each other, of which one is presented (AVMediaSelectionGroup).
public struct MediaSelectionGroup: Sendable {
  /// `audible`, `legible` or `visual`.
  public let characteristic: MediaCharacteristic
  /// In the container's order.
  public var options: [AssetTrack]
  /// The option that is presented unless another one is chosen; nil for none.
  public let defaultOption: AssetTrack?
  /// True where presenting none of them is a choice.
  public var allowsEmptySelection: Bool { characteristic == .legible }
}

extension MediaSelectionGroup {
  /// Narrows the options, and puts them in the order of the languages, the most preferred first.
  public mutating func keepOptions(
    playable: Bool = false, with characteristics: [MediaCharacteristic] = [],
    without excluded: [MediaCharacteristic] = [], preferredLanguages: [String]? = nil
  ) {
    options = options.filter { option in
      let traits = option.mediaCharacteristics
      return (!playable || option.isPlayable) && characteristics.allSatisfy(traits.contains)
        && !excluded.contains(where: traits.contains)
    }
    guard let preferredLanguages else { return }
    options = preferredLanguages.flatMap { language in
      options.filter { option in
        option.extendedLanguageTag.map { languageTag($0, matches: language) } ?? false
      }
    }.reduce(into: []) { retained, option in
      if !retained.contains(where: { $0 === option }) { retained.append(option) }
    }
  }
}

/// The choice in every group: a track's number, or nil for nothing (AVMediaSelection).
public struct MediaSelection: Sendable, Hashable {
  /// The choice in one group.
  public struct Choice: Sendable, Hashable {
    public let characteristic: MediaCharacteristic
    /// Nil where nothing is presented.
    public let trackID: Int32?
  }
  /// One for each group.
  public let choices: [Choice]
}

extension [AssetTrack] {
  /// The groups that there is something to choose of.
  ///
  /// A movie's header states which tracks are alternatives; in other containers all tracks of a kind are,
  /// as players have it. Audio and video without an alternative are no choice; a subtitle is one, for
  /// it can be left out.
  var selectionGroups: [MediaSelectionGroup] {
    let characteristics: [MediaCharacteristic] = [.audible, .legible, .visual]
    return characteristics.compactMap { characteristic in
      let candidates = filter { $0.mediaCharacteristics.contains(characteristic) }
      let isLegible = characteristic == .legible
      let options = isLegible ? candidates : candidates.alternatives
      guard options.count >= (isLegible ? 1 : 2) else { return nil }
      let presented = options.first(where: \.isPresentedByDefault)
      return MediaSelectionGroup(
        characteristic: characteristic, options: options,
        defaultOption: presented ?? (isLegible ? nil : options.first))
    }
  }

  /// The first set of tracks that are alternatives to each other.
  private var alternatives: [AssetTrack] {
    guard contains(where: { $0.info.movie != nil }) else { return self }
    for track in self where track.info.alternateGroup != 0 {
      let members = filter { $0.info.alternateGroup == track.info.alternateGroup }
      if members.count > 1 { return members }
    }
    return []
  }
}

extension [MediaSelectionGroup] {
  var preferredSelection: MediaSelection {
    MediaSelection(
      choices: map {
        MediaSelection.Choice(
          characteristic: $0.characteristic, trackID: $0.defaultOption?.trackID)
      })
  }

  /// Returns every combination of options, at most `limit`.
  func allSelections(limit: Int = 1000) -> [MediaSelection] {
    var selections: [[MediaSelection.Choice]] = [[]]
    for group in self {
      let choices =
        group.options.map(\.trackID).map(Optional.some) + (group.allowsEmptySelection ? [nil] : [])
      selections = Array<[MediaSelection.Choice]>(
        selections.lazy.flatMap { selection in
          choices.lazy.map { trackID in
            selection + [
              MediaSelection.Choice(characteristic: group.characteristic, trackID: trackID)
            ]
          }
        }.prefix(limit))
    }
    return isEmpty ? [] : selections.map(MediaSelection.init)
  }
}
