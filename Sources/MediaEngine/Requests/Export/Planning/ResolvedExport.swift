import LibAV
import MediaTime
import SystemIO

/// A plan with all that is decided before anything is written: the range of each track, and the metadata of the file.
struct ResolvedExport {
  /// A track that comes into the file.
  struct Track {
    let info: TrackInfo
    let treatment: ExportPlan.Treatment
    let range: TrackRange
    /// The metadata of the track in the file.
    let metadata: TrackMetadata

    /// The track that stores its samples.
    ///
    /// - Throws: `operationNotSupportedForAsset` where it is put together of parts, which a plan has only
    ///   of tracks that are encoded.
    func stored() throws(EngineError) -> StoredTrack { try info.requireStored() }
  }

  let plan: ExportPlan
  let trim: ResolvedTrim
  /// The tracks that come into the file, in the container's order.
  let tracks: [Track]
  let metadata: ExportMetadata
  /// Set where the file is the source with other tags, and ``metadata`` isn't written.
  let tagCopy: TagCopy?
  /// The algorithm for audio that is scaled in time.
  let timePitch: AudioTimePitchAlgorithm
  /// The volumes of the audio tracks; nil where they are copied, and where the volume of each is 1 throughout.
  let audioMix: AudioMix?
  /// True if audio alone lasts as long as a composition.
  let fillsComposition: Bool
  private let givesChapters: Bool
  /// Items of its files that the asset itself lacks.
  private let unpresented: [DroppedItem]
  /// The audio mix and the video composition where nothing is made of them, and why.
  private let unused: [DroppedItem]
  /// Items that may name persons, places or devices and are in the file although all metadata is removed.
  private let remaining: [DroppedItem]
  /// The last frames of tracks, where they are shown for another time in the file.
  private let lastPictures: [DroppedItem]

  /// - Parameter content: the source that presents `asset`.
  init(
    _ plan: ExportPlan, _ trim: ResolvedTrim, of asset: Presentation,
    _ content: any PresentationSource, request: ExportRequest, interrupt: Interrupt
  ) throws(EngineError) {
    self.plan = plan
    self.trim = trim
    let included = plan.included
    timePitch = request.configuration.audioTimePitchAlgorithm
    let copiesAudio = request.settings.copies(.audio)
    audioMix = copiesAudio ? nil : asset.audioMix
    func isCopied(_ mediaType: MediaType) -> Bool {
      request.settings.copies(mediaType) && included.contains { $0.info.mediaType == mediaType }
    }
    var unused = asset.omittedTracks.map { track in
      DroppedItem(
        item: .track, mediaType: track.mediaType, key: track.codec,
        reason: "track \(track.trackID) of '\(track.path)' \(track.reason)")
    }
    if isCopied(.audio), asset.audioMix?.inputParameters.isEmpty == false {
      unused.append(
        DroppedItem(item: .audioMix, reason: "audio is copied, at its own volume"))
    }
    let composition = request.configuration.videoComposition.resolved(own: asset.videoComposition)
    if isCopied(.video), composition != nil {
      unused.append(
        DroppedItem(item: .videoComposition, reason: "video is copied, with its own pictures"))
    }
    if case .custom = request.configuration.videoComposition,
      !included.contains(where: { $0.info.mediaType == .video })
    {
      unused.append(DroppedItem(item: .videoComposition, reason: "no video is written"))
    }
    unused += plan.unusedVolumes
    self.unused = unused
    var asset = asset
    fillsComposition = plan.isAudio(ofComposition: asset)
    givesChapters = request.configuration.givesChapters
    unpresented = try content.unpresented(interrupt: interrupt).compactMap {
      DroppedItem($0, of: asset, for: request.configuration)
    }
    asset.chapters = try request.configuration.chapters(
      of: asset, content, until: trim.range.end, interrupt: interrupt)
    let metadata = ExportMetadata(
      of: asset, tracks: included.map { ($0.info, $0.isCopied) },
      metadata: request.configuration.metadata, changes: request.configuration.metadataChanges,
      // In a copy of the whole, chapters after the last sample stay.
      range: trim.isWhole ? .all : trim.range, sampleRate: plan.sampleRate,
      fileType: request.fileType,
      frameDurations: Dictionary(
        included.compactMap { track in
          guard case .video(let encoding) = track.treatment else { return nil }
          return encoding.settings.frameDuration.map { (track.info.trackID, $0) }
        }, uniquingKeysWith: { first, _ in first }),
      rotation: request.settings.copiedRotation)
    self.metadata = metadata
    tagCopy = try TagCopy(
      of: content, plan, trim, request, chapters: asset.chapters, interrupt: interrupt)
    remaining = request.configuration.remaining(
      of: asset, included.map(\.info), opaqueParts: tagCopy == nil ? [] : asset.opaqueParts,
      writesChapters: tagCopy != nil || metadata.capabilities.chapters != .nothing)
    tracks = included.map { track in
      Track(
        info: track.info, treatment: track.treatment,
        range: TrackRange(trim.range, of: track.info.timeline),
        metadata: metadata.tracks[track.info.trackID] ?? TrackMetadata())
    }
    var lastPictures: [DroppedItem] = []
    if !request.fileType.format.capabilities.statesLastDuration {
      for track in tracks {
        let item = try track.lastPicture(
          before: trim.range.end, in: request.fileType, interrupt: interrupt)
        lastPictures += item.map { [$0] } ?? []
      }
    }
    self.lastPictures = lastPictures
  }

  /// Plans an export; smart cuts are assumed to succeed.
  init(
    of asset: any PresentationSource, _ presentation: Presentation, _ request: ExportRequest,
    interrupt: Interrupt
  ) throws(EngineError) {
    let resolver = try ExportResolver(of: asset, presentation, request, interrupt: interrupt)
    self = try resolver.resolve(try resolver.trim())
  }

  /// Items that are left out, and why: tracks first.
  var dropped: [DroppedItem] {
    plan.dropped.filter { !($0.item == .track && $0.mediaType == .timecode && isTimecodeWritten) }
      + (tagCopy.map(droppedItems) ?? metadata.dropped) + unpresented + unused + excess + absent
      + undecodable + lastPictures + pictureGaps + channelLosses + textLosses + remaining
  }

  /// Items that a copy with other tags lacks, chapters of the configuration included.
  private func droppedItems(of copy: TagCopy) -> [DroppedItem] {
    let chapters = metadata.dropped.filter { $0.item == .chapters && givesChapters }
    return copy.dropped + chapters
  }

  /// The part of the range after the asset's end.
  private var absent: [DroppedItem] {
    guard trim.absent > ResolvedTrim.tolerance else { return [] }
    return [
      DroppedItem(
        item: .timeRange,
        reason: "the asset ends before the range does: "
          + "\(trim.absent.secondsDescription) aren't there")
    ]
  }

  /// The gaps of copied video, which are gaps of time stamps in the file.
  private var pictureGaps: [DroppedItem] {
    tracks.compactMap { track in
      guard track.treatment.isCopied, track.info.mediaType == .video else { return nil }
      let gaps = track.info.timeline.gaps(in: trim.range)
      guard let gap = gaps.first else { return nil }
      let others = gaps.count > 1 ? ", and in \(gaps.count - 1) more" : ""
      return DroppedItem(
        item: .timeRange, trackID: track.info.trackID, mediaType: .video,
        reason: "the gap from \(gap.secondsDescription)\(others) shows the picture before it in "
          + "a copy, and is black in encoded video")
    }
  }

  /// The first packets of a range of MP3, which need bytes of those before them: these are neither copied nor could
  /// the file hide them.
  private var undecodable: [DroppedItem] {
    let format = metadata.fileType.format
    guard !trim.isWhole, trim.range.start > .zero, !format.capabilities.hasEditLists,
      format.mp3Delays == nil
    else { return [] }
    return tracks.compactMap { track in
      guard case .copied = track.treatment,
        case .bitReservoir = CodecTraits(track.info.format.parameters.codecName).copyPreroll
      else { return nil }
      return DroppedItem(
        item: .timeRange, trackID: track.info.trackID, mediaType: .audio,
        reason: "packets of MP3 have bytes in those before them, which aren't in the range: its "
          + "first moments may be silent in \(metadata.fileType.name), and are exact in mp4, mov "
          + "and mp3")
    }
  }

  /// The rows and columns of video that its encoders can't hold.
  private var excess: [DroppedItem] {
    tracks.compactMap { track in
      guard case .video(let encoding) = track.treatment else { return nil }
      let source = VideoSource(track.info)
      guard source.width > 0, source.height > 0 else { return nil }
      let configuration = try? VideoEncoderConfiguration(
        encoding, of: source,
        supportsDisplayMatrix: metadata.fileType.format.capabilities.supportsDisplayMatrix)
      return configuration?.excess(ofTrack: track.info.trackID)
    }
  }

  /// True if tracks of timecode are made anew, of the timecode of a track of video.
  var isTimecodeWritten: Bool { metadata.writesTimecode }
}

extension ResolvedExport.Track {
  /// The last frame of a movie's track whose edit list ends before or after that frame, as an item that is lost where
  /// a file doesn't state the duration of a frame; nil for others.
  fileprivate func lastPicture(
    before end: Time, in fileType: FileType, interrupt: Interrupt
  ) throws(EngineError) -> DroppedItem? {
    guard info.mediaType == .video, let media = info.timeline.stored,
      let movie = try media.source.movie(interrupt: interrupt), !movie.containsFragments,
      movie.tracks.contains(where: { Int($0.id) == media.stream.id && !$0.edits.isEmpty })
    else { return nil }
    let index = try media.index(interrupt: interrupt)
    let count = index.presentation.count
    let trackEnd = try media.source.timeRange(of: media.stream, interrupt: interrupt).end
    guard count > 1, end >= trackEnd else { return nil }
    let (previous, last) = (
      index.sample(atPosition: count - 2), index.sample(atPosition: count - 1)
    )
    let usual = media.duration(last.pts &- previous.pts)
    let shown = trackEnd - media.time(last.pts)
    // Frames of cameras aren't all of one length.
    guard shown > .zero, (shown - usual).absoluteValue > usual.multiplied(byRatio: 1, 5) else {
      return nil
    }
    return DroppedItem(
      item: .timeRange, trackID: info.trackID, mediaType: .video,
      reason: "\(fileType.name) files don't state how long a picture is shown: the last one, which "
        + "is shown for \(shown.secondsDescription), is played for \(usual.secondsDescription)"
    )
  }
}

extension DroppedItem {
  /// Nil for an item that the export replaces, or whose track isn't there.
  fileprivate init?(
    _ item: UnpresentedItem, of asset: Presentation, for configuration: ExportConfiguration
  ) {
    let kind: Item
    var key = item.key
    switch item.kind {
    case .metadata, .artwork:
      guard configuration.metadata == nil else { return nil }
      kind = item.kind == .artwork ? .artwork : .metadata
    case .chapters:
      guard !configuration.givesChapters else { return nil }
      kind = .chapters
    case .attachment, .trackName:
      guard configuration.metadata?.isEmpty != true else { return nil }
      kind = item.kind == .attachment ? .attachment : .trackName
    case .language: kind = .language
    case .disposition: kind = .disposition
    case .audioMix: kind = .audioMix
    case .videoComposition: kind = .videoComposition
    case .preferredVolume:
      kind = .audioMix
      key = "preferredVolume"
    case .preferredTransform:
      kind = .videoComposition
      key = "preferredTransform"
    }
    let track = item.trackID.flatMap { number in asset.tracks.first { $0.trackID == number } }
    if item.trackID != nil, track == nil { return nil }
    self.init(
      item: kind, trackID: item.trackID, mediaType: track?.mediaType, key: key,
      reason: "\(item.reason): \(item.files) left out")
  }
}

extension UnpresentedItem {
  fileprivate var reason: String {
    if let origin { return "it is copied from the first part, '\(origin)'" }
    switch kind {
    case .chapters: return "other parts are shown at its times"
    case .audioMix, .videoComposition, .preferredVolume, .preferredTransform:
      return "a composition shows tracks of another one without its settings"
    default: return "it belongs to its file as a whole"
    }
  }

  /// `that of 'b.mp4' and those of 2 other files are`.
  fileprivate var files: String {
    let others = paths.count - 1
    let first = "that of '\(paths[0])'"
    return switch others {
    case 0: "\(first) is"
    case 1: "\(first) and that of another file are"
    default: "\(first) and those of \(others) other files are"
    }
  }
}

extension ExportConfiguration {
  /// The chapters that are written, on the asset's clock.
  ///
  /// - Parameter end: the end of the configuration's last chapter, if it states none.
  fileprivate func chapters(
    of asset: Presentation, _ content: any PresentationSource, until end: Time, interrupt: Interrupt
  ) throws(EngineError) -> [ChapterSpan] {
    if let chapters { return chapters.spans(endingAt: end) }
    switch chaptersFrom {
    case .files: return asset.chapters
    case .none: return []
    case .parts:
      if let parts = asset.partChapters { return parts() }
      let range = TimeRange(
        start: .zero, duration: try content.preciseDuration(interrupt: interrupt))
      return [
        ChapterSpan(
          id: 1, timeRange: range, tags: [Tag(key: "title", value: asset.shownTitle)])
      ]
    }
  }
}

extension ExportConfiguration {
  /// Returns the items that stay where all metadata is removed.
  ///
  /// - Parameters:
  ///   - opaqueParts: the parts of the file that are copied without being understood.
  ///   - writesChapters: true if the chapters of the asset are in the file.
  fileprivate func remaining(
    of asset: Presentation, _ tracks: [TrackInfo], opaqueParts: [String], writesChapters: Bool
  ) -> [DroppedItem] {
    guard metadata?.isEmpty == true else { return [] }
    var items = opaqueParts.map {
      DroppedItem(item: .metadata, key: $0, reason: "it isn't understood", stays: true)
    }
    let hasTitles = asset.chapters.contains { chapter in
      chapter.tags.contains { !$0.value.isEmpty }
    }
    if writesChapters, !givesChapters, chaptersFrom != .none, hasTitles {
      items.append(
        DroppedItem(
          item: .chapters, reason: "their titles may name persons or places", stays: true))
    }
    for track in tracks where track.mediaType == .metadata || track.format.kind == .data {
      guard track.mediaType != .timecode else { continue }
      items.append(
        DroppedItem(
          item: .track, trackID: track.trackID, mediaType: track.mediaType,
          reason: "its data may state places or devices", stays: true))
    }
    return items
  }
}

extension ExportPlan {
  /// The volumes of a composition's tracks, which aren't applied.
  fileprivate var unusedVolumes: [DroppedItem] {
    tracks.compactMap { track in
      let info = track.info
      guard track.isShown, info.mediaType == .audio, let settings = info.settings,
        settings.preferredVolume != 1
      else { return nil }
      return DroppedItem(
        item: .audioMix, trackID: info.trackID, mediaType: .audio, key: "preferredVolume",
        reason: "exports apply the volumes of an audio mix only")
    }
  }

  /// Samples of audio a second in the file; nil without audio.
  fileprivate var sampleRate: Int? {
    for track in included where track.info.mediaType == .audio {
      switch track.treatment {
      case .audio(let encoding), .mixed(let encoding, of: _): return encoding.layout.sampleRate
      default: return track.info.format.parameters.sampleRate
      }
    }
    return nil
  }
}

extension [ExportConfiguration.Chapter] {
  /// Chapters as those of an asset, in order of time.
  ///
  /// - Parameter end: of the last one, where it states none.
  func spans(endingAt end: Time) -> [ChapterSpan] {
    let ordered = sorted { $0.start < $1.start }
    return ordered.indices.map { index in
      let chapter = ordered[index]
      let next = index + 1 < ordered.count ? ordered[index + 1].start : end
      return ChapterSpan(
        id: Int64(index + 1),
        timeRange: TimeRange(
          start: chapter.start, end: Swift.max(chapter.start, chapter.end ?? next)),
        tags: [Tag(key: "title", value: chapter.title)])
    }
  }
}
