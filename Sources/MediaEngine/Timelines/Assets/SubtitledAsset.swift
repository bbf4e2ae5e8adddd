import LibAV
import MediaTime
import SystemIO

/// An asset with the subtitles of other files as tracks of its own, for exports.
///
/// Its properties are those of the asset.
final class SubtitledAsset: Asset, PresentationSource {
  private let asset: any Asset
  private let sources: [(file: SubtitleFile, asset: URLAsset)]
  private let made = SingleFlight<Contents>()
  private var content: any PresentationSource { asset.media.content }

  /// A track of an added file.
  struct Added: Sendable {
    /// The number of the file among those that were added.
    let number: Int
    let asset: URLAsset
    /// The presentation of the file.
    let presentation: Presentation
    /// The number of the track in its file.
    let trackID: Int32
  }

  private struct Contents {
    var presentation: Presentation
    /// By the numbers of the tracks in the asset.
    var added: [Int32: Added] = [:]
  }

  /// - Throws: `incorrectlyConfigured` for a character set that isn't known, or an offset that is no time.
  init(_ asset: any Asset, _ subtitles: [SubtitleFile]) throws(EngineError) {
    let film = asset.media.content
    self.asset = asset
    sources = try subtitles.map { file throws(EngineError) in
      var options = URLAsset.Options()
      options.characterSet = file.characterSet
      options.timeOffset = file.timeOffset
      try options.validate()
      let asset = URLAsset(
        subtitles: file.url, options: options, configuration: film.configuration
      ) { (interrupt) throws(EngineError) in
        try film.presentation(interrupt: interrupt).frameDurationOfVideo(interrupt: interrupt)
      }
      return (file, asset)
    }
  }

  var path: String { asset.path }
  var media: AssetMedia { AssetMedia(self) }
  var properties: AssetProperties { asset.properties }
  var prefersPreciseTiming: Bool { content.prefersPreciseTiming }
  var configuration: EngineConfiguration { content.configuration }
  var files: [String] { content.files + sources.flatMap(\.asset.media.content.files) }
  var isWaitingForBytes: Bool { content.isWaitingForBytes }
  var missingBytes: Int64 { content.missingBytes }
  var subtitles: [SubtitleFile] { sources.map(\.file) }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation {
    try contents(interrupt: interrupt).presentation
  }

  private func contents(interrupt: Interrupt) throws(EngineError) -> Contents {
    try made.get(interrupt: interrupt) { () throws(EngineError) in
      let files = try sources.map { source throws(EngineError) in
        try source.asset.media.content.presentation(interrupt: interrupt)
      }
      return try contents(try content.presentation(interrupt: interrupt), files)
    }
  }

  /// Returns the tracks of the added files, in the order of the asset's tracks. Suspends while the files are loaded.
  ///
  /// - Throws: the errors of opening the files; `noSourceTrack`.
  func addedTracks(
    interrupt: Interrupt
  ) async throws(EngineError) -> [(info: TrackInfo, added: Added)] {
    _ = try await loadPresentation(interrupt: interrupt)
    let contents = try contents(interrupt: interrupt)
    return contents.presentation.tracks.compactMap { info in
      contents.added[info.trackID].map { (info, $0) }
    }
  }

  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation {
    // The files are loaded first; the tracks are put together once.
    _ = try await content.loadPresentation(interrupt: interrupt)
    for source in sources {
      _ = try await source.asset.media.content.loadPresentation(interrupt: interrupt)
    }
    return try presentation(interrupt: interrupt)
  }

  /// The end of the last track: cues after the end of the film aren't lost.
  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    var end = try content.preciseDuration(interrupt: interrupt)
    for (file, asset) in sources {
      let presentation = try asset.media.content.presentation(interrupt: interrupt)
      guard let track = file.track(in: presentation.tracks) else { continue }
      end = max(end, try track.timeline.timeRange(interrupt: interrupt).end)
    }
    return end
  }

  func sourceFile(
    interrupt: Interrupt
  ) throws(EngineError) -> (identity: FileIdentity, demuxer: String)? {
    try content.sourceFile(interrupt: interrupt)
  }

  func unpresented(interrupt: Interrupt) throws(EngineError) -> [UnpresentedItem] {
    try content.unpresented(interrupt: interrupt)
  }

  /// - Parameter files: those of the subtitles, in their order.
  /// - Throws: `noSourceTrack` for a file without such subtitles, and for a replaced track that isn't there.
  private func contents(
    _ presentation: Presentation, _ files: [Presentation]
  ) throws(EngineError) -> Contents {
    var contents = Contents(presentation: presentation)
    var next = (presentation.tracks.map(\.trackID).max() ?? 0) &+ 1
    for (place, (subtitles, file)) in zip(sources, files).enumerated() {
      guard let source = subtitles.file.track(in: file.tracks) else {
        let wanted =
          subtitles.file.trackID.map { "no track \($0) of subtitles" } ?? "no subtitles"
        throw EngineError(
          .noSourceTrack, "'\(file.path)' has \(wanted)", advice: .nameTextTrack, path: file.path)
      }
      let number = subtitles.file.replacedTrackID ?? next
      contents.added[number] = Added(
        number: place, asset: subtitles.asset, presentation: file, trackID: source.trackID)
      guard subtitles.file.replacedTrackID != nil else {
        contents.presentation.tracks.append(
          subtitles.file.added(source, as: number, replacing: nil))
        next &+= 1
        continue
      }
      try contents.presentation.replaceTrack(
        number, by: { subtitles.file.added(source, as: number, replacing: $0) }, of: path)
    }
    if sources.contains(where: { $0.file.isDefault == true }) {
      contents.presentation.tracks.leaveOnlyAddedByDefault()
    }
    return contents
  }
}

extension Presentation {
  /// - Throws: `noSourceTrack` where it has no such track of subtitles.
  fileprivate mutating func replaceTrack(
    _ number: Int32, by track: (TrackInfo) -> TrackInfo, of path: String
  ) throws(EngineError) {
    guard
      let place = tracks.firstIndex(where: {
        $0.trackID == number && $0.mediaCharacteristics.contains(.legible)
      })
    else {
      throw EngineError(
        .noSourceTrack, "'\(path)' has no track \(number) of subtitles to replace",
        advice: .nameTextTrack, path: path)
    }
    tracks[place] = track(tracks[place])
  }
}

extension SubtitleFile {
  /// Returns the track of the file that is meant.
  fileprivate func track(in tracks: [TrackInfo]) -> TrackInfo? {
    tracks.first { track in
      track.format.kind == .subtitle && (trackID.map { $0 == track.trackID } ?? true)
    }
  }

  /// Returns the track with the number and the properties that it has in the asset.
  fileprivate func added(
    _ source: TrackInfo, as number: Int32, replacing replaced: TrackInfo?
  ) -> TrackInfo {
    var track = source
    let origin = replaced ?? source
    track.trackID = number
    let tag = language.map { bcp47(ofISO639: $0) ?? $0 } ?? origin.extendedLanguageTag
    track.addedLanguage = TrackInfo.AddedLanguage(tag: tag == "und" ? nil : tag)
    let title = origin.metadata.first { $0.commonKey == "title" }
    track.metadata =
      name.map { name in
        name.isEmpty
          ? []
          : [
            MetadataItem(
              key: "title", keySpace: "common", commonKey: "title", value: .string(name))
          ]
      } ?? title.map { [$0] } ?? []
    var disposition = origin.disposition
    // A file of subtitles states nothing, which libavformat takes for a default.
    if replaced == nil, source.stream?.metadata.isEmpty != false { disposition = [] }
    func set(_ flag: Disposition, _ value: Bool?) {
      guard let value else { return }
      if value { disposition.insert(flag) } else { disposition.remove(flag) }
    }
    set(.default, isDefault)
    set(.forced, isForced)
    set(.hearingImpaired, isForHearingImpaired)
    track.statedDisposition = disposition
    track.isEnabled = disposition.contains(.default)
    return track
  }
}

extension [TrackInfo] {
  /// Takes the default from the subtitles of the asset.
  fileprivate mutating func leaveOnlyAddedByDefault() {
    for place in indices
    where !self[place].isAdded && self[place].mediaCharacteristics.contains(.legible) {
      self[place].statedDisposition = self[place].disposition.subtracting(.default)
      self[place].isEnabled = false
    }
  }
}
