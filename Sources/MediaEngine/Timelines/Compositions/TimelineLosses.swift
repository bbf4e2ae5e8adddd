import LibAV
import MediaTime

/// A part of a composition that its timeline can't state.
public struct TimelineLoss: Sendable, Hashable {
  /// The position in the timeline, as a JSON pointer.
  public var path: String
  /// The name of the part, for example `characterSet 'windows-1251'`.
  public var what: String
  /// The reason, or the effect on a composition that is made of the timeline.
  public var reason: String
}

extension Composition {
  /// Returns the parts of the composition that its timeline can't state, in the order of its tracks: those of an asset
  /// once, at the first segment that shows it.
  ///
  /// - Parameter isReachable: false for an asset of bytes that no caller can name any more.
  public func timelineLosses(isReachable: (any Asset) -> Bool = { _ in true }) -> [TimelineLoss] {
    var losses: [TimelineLoss] = []
    var known: Set<ObjectIdentifier> = []
    for (number, track) in state.tracks.enumerated() {
      let path = "/tracks/\(number)"
      losses += track.timelineLosses(at: path)
      for (place, segment) in track.segments.segments.enumerated() {
        guard let asset = segment.source?.asset, known.insert(ObjectIdentifier(asset)).inserted
        else { continue }
        let path = "\(path)/segments/\(place)/source"
        if !isReachable(asset) {
          losses.append(
            TimelineLoss(
              path: path, what: "the bytes of '\(asset.path)'",
              reason: "the asset that supplied them is closed"))
        }
        losses += ((asset as? URLAsset)?.options.stated ?? []).map {
          TimelineLoss(path: path, what: $0, reason: "the file is opened without options")
        }
      }
    }
    return losses
  }
}

extension URLAsset.Options {
  /// The options that a timeline doesn't have, with their values.
  fileprivate var stated: [String] {
    var stated: [String] = []
    if let characterSet { stated.append("characterSet '\(characterSet)'") }
    if timeOffset != .zero { stated.append("timeOffset of \(timeOffset.secondsDescription)") }
    if salvage { stated.append("salvage") }
    return stated
  }
}

extension CompositionState.Track {
  /// The settings of inner compositions, and the properties that a file of subtitles was added with, which the track
  /// has of its first part.
  fileprivate func timelineLosses(at path: String) -> [TimelineLoss] {
    let sources = segments.segments.compactMap(\.source)
    var known: Set<IgnoredSetting> = []
    var losses: [TimelineLoss] = []
    for setting in sources.flatMap(\.ignoredSettings) where known.insert(setting).inserted {
      losses.append(
        TimelineLoss(
          path: path, what: "\(setting.kind) of '\(setting.path)'",
          reason: "a composition shows tracks of another one without its settings"))
    }
    guard let first = sources.first, let shown = first.info, shown.isAdded,
      let own = first.file.presentation.tracks.first(where: { $0.trackID == first.trackID })
    else { return losses }
    func lose(_ what: String) {
      losses.append(
        TimelineLoss(path: path, what: what, reason: "the file of the subtitles doesn't state it"))
    }
    if !settings.statesLanguage, let language = shown.extendedLanguageTag,
      language != own.extendedLanguageTag
    {
      lose("language '\(language)'")
    }
    if let name = first.trackName?.value.text,
      !own.metadata.contains(where: { $0.commonKey == "title" && $0.value.text == name })
    {
      lose("name '\(name)'")
    }
    let flags = shown.disposition.subtracting(own.stream?.disposition ?? [])
    for (_, name) in flags.names { lose("disposition '\(name)'") }
    return losses
  }
}
