import LibAV
import MediaTime
import SystemIO

/// The treatment of each of an asset's tracks in an export: decided before anything is written, from the same rules
/// for preflights, estimates and exports.
struct ExportPlan {
  enum Treatment {
    /// The samples are copied as they are.
    case copied
    /// The samples of several parts are copied, one part after the other.
    case joined(JoinPlan)
    case video(VideoEncoding)
    case audio(AudioEncoderConfiguration)
    /// The tracks, of which this is the first, are added up and encoded as one.
    case mixed(AudioEncoderConfiguration, of: [TrackInfo])
    /// It is a part of the track of that number.
    case mixedInto(Int32)
    /// Text becomes the container's own kind of text, by FFmpeg's name of the codec.
    case text(String)
    case dropped(String)

    /// True if samples are copied as they are.
    var isCopied: Bool {
      switch self {
      case .copied, .joined: true
      default: false
      }
    }
  }

  struct Track {
    let info: TrackInfo
    let treatment: Treatment

    /// True if it is a track of the file.
    var isIncluded: Bool {
      switch treatment {
      case .dropped, .mixedInto: false
      default: true
      }
    }
    /// True if some of it comes into the file.
    var isShown: Bool { reason == nil }
    var isCopied: Bool { treatment.isCopied }
    /// The formats of all of its parts.
    fileprivate var videoFormats: [MediaFormat] {
      info.timeline.isOfParts ? info.timeline.partFormats.map(\.media) : [info.format]
    }
    /// The reason why it is left out; nil when it isn't.
    var reason: String? { if case .dropped(let reason) = treatment { reason } else { nil } }
  }

  /// The tracks, in the container's order.
  let tracks: [Track]
  let fileType: FileType
  /// The clockwise rotation of copied video, in degrees.
  private let copiedRotation: Int

  /// - Throws: `operationNotSupportedForPreset` for a type that the preset doesn't make,
  ///   `unsupportedOutputSettings`, `formatUnsupported` for tracks that can't be copied into the type, `noSourceTrack` where
  ///   nothing would be left, `contentIsProtected`.
  init(
    of asset: Presentation, settings: ResolvedSettings, joins: JoinSettings = JoinSettings()
  ) throws(EngineError) {
    guard !asset.tracks.isEmpty else {
      throw EngineError(
        .noSourceTrack, "'\(asset.path)' has no track to export", path: asset.path)
    }
    try settings.requireFileType()
    try settings.requireNoProblems(with: asset)
    fileType = settings.fileType
    copiedRotation = settings.copiedRotation
    try settings.requireRotation(of: asset)
    var choice = TrackTreatment(settings: settings, joins: joins, asset: asset)
    var tracks: [Track] = []
    for track in asset.tracks {
      tracks.append(Track(info: track, treatment: try choice.treatment(of: track)))
    }
    // In an asset that is encrypted in part, the tracks that the preset leaves out don't matter.
    for track in tracks where track.isShown && track.info.isProtected {
      throw EngineError(
        .contentIsProtected,
        "Track \(track.info.trackID) of '\(asset.path)' is encrypted and can't be exported",
        advice: .leaveOutProtected(track.info.mediaType.rawValue),
        path: asset.path)
    }
    for track in tracks {
      if case .copied = track.treatment { _ = try track.info.requireStored() }
      if track.info.isAdded, let reason = track.reason {
        throw EngineError(
          .formatUnsupported,
          "The subtitles of '\(track.info.timeline.format.path)' can't be added: \(reason)",
          advice: .chooseFileTypeOrPreset, path: track.info.timeline.format.path)
      }
    }
    self.tracks = tracks
    guard tracks.contains(where: \.isIncluded) else {
      let hasAudio = tracks.contains { $0.info.mediaType == .audio }
      let lacking = fileType.holdsAudioOnly && !hasAudio ? ["it has no audio"] : []
      throw EngineError(
        .noSourceTrack,
        "Nothing of '\(asset.path)' can be exported with \(settings.maker) into a "
          + "\(fileType.name) file: "
          + (lacking + tracks.compactMap(\.reason).removingDuplicates()).joined(separator: "; "),
        advice: .chooseCompatiblePreset,
        path: asset.path)
    }
  }

  /// The tracks that come into the file.
  var included: [Track] { tracks.filter(\.isIncluded) }

  /// True for a file of a composition's encoded audio without its pictures. It lasts as long as the composition does,
  /// in which audio may end before pictures and gaps.
  func isAudio(ofComposition asset: Presentation) -> Bool {
    guard asset.isComposition else { return false }
    var hasAudio = false
    for track in included {
      switch track.treatment {
      case .audio, .mixed: hasAudio = true
      case .text, .mixedInto, .dropped: continue
      case .copied, .joined, .video: return false
      }
    }
    return hasAudio
  }

  /// True if a track of several parts is put together without encoding all of it.
  var hasJoins: Bool {
    tracks.contains { track in
      if case .joined = track.treatment { true } else { false }
    }
  }

  /// True if some track is decoded and encoded as a whole.
  var encodesTracks: Bool {
    tracks.contains { track in
      switch track.treatment {
      case .video, .audio, .mixed: true
      default: false
      }
    }
  }

  /// True if samples of video or audio are copied, with others or alone.
  var copiesSamples: Bool {
    tracks.contains { $0.isCopied && [.video, .audio].contains($0.info.mediaType) }
  }

  /// - Throws: where the formats of parts that are to be copied differ.
  func requireJoins() throws(EngineError) {
    for track in tracks {
      if case .joined(let join) = track.treatment { try join.requireNoRefusal(of: track.info) }
    }
  }

  /// True if the boundary frames of its video could be encoded anew, as far as its codecs show.
  var mayBeCutSmartly: Bool {
    let video = included.filter { $0.info.mediaType == .video }
    return !video.isEmpty
      && video.allSatisfy { track in
        track.info.format.parameters.smartTrimEncoder.map(Encoder.isAvailable) ?? false
      }
  }

  /// The tracks that are left out, and why, and rotations and transparency that are lost.
  var dropped: [DroppedItem] {
    var dropped: [DroppedItem] = []
    for track in tracks {
      if let reason = track.reason {
        dropped.append(
          .init(
            item: .track, trackID: track.info.trackID, mediaType: track.info.mediaType,
            reason: reason))
      } else {
        dropped += [
          lostRotation(of: track), lostTransparency(of: track), lostDepth(of: track),
          lostChroma(of: track), lostFields(of: track),
        ].compactMap(\.self)
      }
    }
    return dropped
  }

  private func lostRotation(of track: Track) -> DroppedItem? {
    let supportsMatrix = fileType.format.capabilities.supportsDisplayMatrix
    var reason = "this FFmpeg writes no rotation into \(fileType.name) files"
    if case .video(let encoding) = track.treatment {
      guard !supportsMatrix || encoding.settings.changesGeometry, track.info.composed == nil,
        track.info.timeline.canvas == nil, !track.info.preferredTransform.isAppliedToPixels
      else { return nil }
      reason = "its pictures are turned and mirrored in steps of 90°, and its transform is another"
    } else if !track.isCopied || supportsMatrix
      || track.info.displayMatrix(ofCopyTurnedBy: copiedRotation) == nil
    {
      return nil
    }
    return .init(
      item: .rotation, trackID: track.info.trackID, mediaType: track.info.mediaType,
      reason: reason)
  }

  /// Bits of each component that the encoder's frames lack.
  private func lostDepth(of track: Track) -> DroppedItem? {
    guard case .video(let encoding) = track.treatment else { return nil }
    let source = track.info.format.parameters.pixelFormat
    let depths = track.videoFormats.map(\.parameters.pixelFormat.bitsPerComponent)
    let depth = VideoEncoderConfiguration.pixelFormat(for: encoding, of: source).bitsPerComponent
    guard let deepest = depths.max(), depth > 0, deepest > depth else { return nil }
    return .init(
      item: .color, trackID: track.info.trackID, mediaType: track.info.mediaType, key: "depth",
      reason: "it is encoded as \(encoding.codec.name) with \(depth) bits a component, "
        + "of \(deepest)")
  }

  /// Samples of colour that the encoder's frames lack. Of RGB, which every codec here converts, the colour isn't stored
  /// in samples of its own.
  private func lostChroma(of track: Track) -> DroppedItem? {
    guard case .video(let encoding) = track.treatment else { return nil }
    let format = VideoEncoderConfiguration.pixelFormat(
      for: encoding, of: track.info.format.parameters.pixelFormat)
    let sources = track.videoFormats.filter { !$0.isStillPicture }.map(\.parameters.pixelFormat)
    let (across, down) = format.chromaShift
    let finest = sources.filter {
      $0.chromaName != nil && ($0.chromaShift.horizontal < across || $0.chromaShift.vertical < down)
    }.min { $0.chromaShift < $1.chromaShift }
    guard let source = finest?.chromaName, let target = format.chromaName else { return nil }
    return .init(
      item: .color, trackID: track.info.trackID, mediaType: track.info.mediaType, key: "chroma",
      reason: "it is encoded as \(encoding.codec.name) with colour in \(target), of \(source)")
  }

  /// Pictures of single fields, which were wanted.
  private func lostFields(of track: Track) -> DroppedItem? {
    guard case .video(let encoding) = track.treatment, encoding.settings.deinterlacing == .field,
      let composed = track.info.composed, composed.showsFieldsTogether
    else { return nil }
    return .init(
      item: .videoComposition, trackID: track.info.trackID, mediaType: .video, key: "fields",
      reason: "it makes a picture of both fields, at its own times: its frameDuration can be "
        + "that of a field")
  }

  private func lostTransparency(of track: Track) -> DroppedItem? {
    guard case .video(let encoding) = track.treatment else { return nil }
    if track.info.composed?.coversTransparency == true {
      return .init(
        item: .alpha, trackID: track.info.trackID, mediaType: track.info.mediaType,
        reason: "it is drawn over the opaque background of a video composition")
    }
    guard
      track.videoFormats.contains(where: \.statesTransparency),
      !VideoEncoderConfiguration.pixelFormat(
        for: encoding, of: track.info.format.parameters.pixelFormat
      ).hasAlpha
    else { return nil }
    return .init(
      item: .alpha, trackID: track.info.trackID, mediaType: track.info.mediaType,
      reason: "it is encoded as \(encoding.codec.name) without transparency")
  }
}

/// Chooses the treatment of one track after the other.
private struct TrackTreatment {
  let settings: ResolvedSettings
  let joins: JoinSettings
  let rules: ContainerCapabilities
  let path: String
  /// The one video track that is encoded.
  let encodedVideo: Int32?
  var audioTracks = 0
  var subtitleTracks = 0
  /// The audio tracks that become one; fewer than two are as they are.
  private let mixed: [TrackInfo]
  private let mixesAudio: Bool
  var fileType: FileType { settings.fileType }

  init(settings: ResolvedSettings, joins: JoinSettings, asset: Presentation) {
    self.settings = settings
    self.joins = joins
    rules = settings.fileType.format.capabilities
    path = asset.path
    let chosen = asset.tracks.filter { settings.leavesOut($0) == nil }
    encodedVideo = chosen.encodedVideo?.trackID
    let mixesAudio = settings.mixesAudio(of: asset)
    self.mixesAudio = mixesAudio
    mixed = chosen.filter {
      mixesAudio && $0.mediaType == .audio && $0.isEnabled && $0.format.parameters.hasDecoder
    }
  }

  mutating func treatment(of track: TrackInfo) throws(EngineError) -> ExportPlan.Treatment {
    if let reason = settings.leavesOut(track) { return .dropped(reason) }
    if let number = track.composedInto { return .mixedInto(number) }
    if track.timeline.isEmpty { return .dropped("the track is empty") }
    if mixesAudio, track.mediaType == .audio, !track.isEnabled {
      return .dropped("it is disabled, and the audio is mixed")
    }
    if let first = mixed.first, mixed.dropFirst().contains(where: { $0.trackID == track.trackID }),
      settings.reasonToLeaveOut(.audio) == nil
    {
      return .mixedInto(first.trackID)
    }
    if track.mediaType == .audio, rules.kinds.contains(.audio) {
      if let maximum = rules.maximumAudioTracks, audioTracks >= maximum {
        return .dropped("\(fileType.name) files have one audio track")
      }
    }
    if track.format.kind == .subtitle, let maximum = rules.maximumSubtitleTracks,
      subtitleTracks >= maximum
    {
      return .dropped("\(fileType.name) files have one track of subtitles")
    }
    let treatment = try settings.copies(track.mediaType) ? copy(track) : convert(track)
    if track.format.kind == .subtitle, case .dropped = treatment {
    } else if track.format.kind == .subtitle {
      subtitleTracks += 1
    }
    if track.mediaType == .audio, case .dropped = treatment {
    } else if track.mediaType == .audio {
      audioTracks += 1
    }
    return treatment
  }

  /// Video and audio that can't be copied are an error, so that nothing is lost silently, but for video in types of
  /// file that hold audio only, and tracks that the settings leave out.
  private func copy(_ track: TrackInfo) throws(EngineError) -> ExportPlan.Treatment {
    let format = track.format
    if let reason = settings.reasonToLeaveOut(track.mediaType) { return .dropped(reason) }
    // Of a movie's sample descriptions, the range that is exported may have one only.
    if let stream = track.stream, !stream.links.isEmpty, stream.descriptionPlaces.isEmpty {
      throw EngineError(
        .formatUnsupported,
        "Track \(track.trackID) can't be copied: its format begins anew in each of the "
          + "\(stream.links.count) links of a chained file, which \(fileType.name) files can't hold",
        advice: .encode, path: path)
    }
    let parts =
      track.timeline.isOfParts ? track.timeline.partFormats.map(\.media) : [format]
    if let grid = parts.lazy.compactMap(\.tiles).first {
      throw EngineError(
        .formatUnsupported,
        "Track \(track.trackID) can't be copied: its picture is a grid of \(grid.columns) × "
          + "\(grid.rows) pictures, which no movie's sample is",
        advice: .encode, path: path)
    }
    if parts.contains(where: { $0.animation != nil }) {
      throw EngineError(
        .formatUnsupported,
        "Track \(track.trackID) can't be copied: its samples are parts of an animation's canvas",
        advice: .encode, path: path)
    }
    if format.parameters.lacksHeader {
      throw EngineError(
        .formatUnsupported,
        "Track \(track.trackID) can't be copied: its file has no header of \(format.parameters.name), "
          + "which states the order of its \(format.parameters.channelLayout.channels) channels",
        advice: .encode, path: path)
    }
    if fileType.format.canHold(format) {
      if track.timeline.isComposite { return try join(track) }
      guard track.timeline.hasIndex else { throw lacksIndex(track) }
      return .copied
    }
    guard rules.kinds.contains(format.kind) else { return .dropped(noTracksOfKind(track)) }
    let reason = "\(fileType.name) files can't hold \(format.parameters.name)"
    if track.mediaType == .video, fileType.holdsAudioOnly { return .dropped(reason) }
    // Nothing else could be made of it.
    if !format.parameters.hasDecoder { return .dropped("\(reason), and nothing here decodes it") }
    guard track.mediaType == .video || track.mediaType == .audio else {
      return text(track) ?? .dropped(reason)
    }
    throw EngineError(
      .formatUnsupported, "Track \(track.trackID) can't be copied: \(reason)",
      advice: .chooseFileTypeOrPreset,
      path: path)
  }

  private func lacksIndex(_ track: TrackInfo) -> EngineError {
    EngineError(
      .operationNotSupportedForAsset,
      "Track \(track.trackID) can't be copied: its samples have no index",
      advice: .encode, path: path)
  }

  private func join(_ track: TrackInfo) throws(EngineError) -> ExportPlan.Treatment {
    switch track.mediaType {
    case .video: .joined(JoinPlan(track.timeline, joins, in: fileType))
    case .audio where copiesPackets(of: track):
      .joined(JoinPlan(track.timeline, joins, in: fileType))
    case .audio:
      .audio(try AudioEncoderConfiguration(joining: track.timeline.partFormats.map(\.media)))
    default: joinedText(track)
    }
  }

  /// True if audio of several parts is copied packet by packet: where that is asked for, or is exact. Audio without
  /// loss stays the same when it is encoded again.
  private func copiesPackets(of track: TrackInfo) -> Bool {
    let parameters = track.format.parameters
    guard !parameters.isLossless, !CodecTraits(parameters.codecName).isPCM else { return false }
    return joins.audio == .copy || JoinPlan.isExactCopy(of: track.timeline, in: fileType)
  }

  private func convert(_ track: TrackInfo) throws(EngineError) -> ExportPlan.Treatment {
    switch track.mediaType {
    case .video, .audio:
      if let reason = settings.reasonToLeaveOut(track.mediaType) { return .dropped(reason) }
      guard track.format.parameters.hasDecoder else {
        return .dropped("this build has no decoder for \(track.format.parameters.name)")
      }
      if let encoding = settings.audio.encoding, track.mediaType == .audio {
        guard mixed.count > 1 else {
          return .audio(try AudioEncoderConfiguration(encoding, of: track.format))
        }
        // The rate and the channels are those of the track that has most.
        let widest = mixed.map(\.format).max { one, other in
          let (a, b) = (one.parameters, other.parameters)
          return (a.channelLayout.channels, a.sampleRate) < (b.channelLayout.channels, b.sampleRate)
        }
        return .mixed(
          try AudioEncoderConfiguration(encoding, of: widest ?? track.format), of: mixed)
      }
      guard let encoding = settings.video.encoding, track.trackID == encodedVideo else {
        return .dropped("an export encodes one video track")
      }
      // A configuration that the encoder refuses is an error before anything is written.
      let configuration = try VideoEncoderConfiguration(
        encoding, of: VideoSource(track), supportsDisplayMatrix: true)
      if configuration.isHighDynamicRange { try requireOneRange(track) }
      return .video(encoding)
    case .text, .subtitle, .closedCaption, .timecode, .metadata:
      if fileType.format.canHold(track.format) {
        if track.timeline.isComposite { return joinedText(track) }
        guard track.timeline.hasIndex else {
          return .dropped("its samples have no index")
        }
        return .copied
      }
      guard rules.kinds.contains(track.format.kind) else {
        return .dropped(noTracksOfKind(track))
      }
      return text(track)
        ?? .dropped("\(fileType.name) files can't hold \(track.format.parameters.name)")
    }
  }

  /// Standard dynamic range isn't made high, nor PQ of HLG.
  private func requireOneRange(_ track: TrackInfo) throws(EngineError) {
    let transfers = track.timeline.partFormats.map(\.media.parameters.color.transfer)
    guard track.timeline.canvas != nil, let first = transfers.first,
      transfers.contains(where: { $0 != first })
    else { return }
    throw EngineError(
      .operationNotSupportedForAsset,
      "Track \(track.trackID) begins with high dynamic range, and not all of its parts have the same",
      advice: .chooseCodecWithoutLayer,
      path: path)
  }

  private func text(_ track: TrackInfo) -> ExportPlan.Treatment? {
    let formats = track.timeline.partFormats.map(\.media)
    // The cues of WebVTT have settings that no other codec has.
    let staysWebVTT = formats.allSatisfy {
      $0.parameters.codecName == "webvtt" && fileType.format.canHold($0)
    }
    guard let codec = staysWebVTT ? "webvtt" : rules.textCodec, Encoder.isAvailable(codec),
      formats.allSatisfy({
        $0.kind == .subtitle && $0.parameters.isText && $0.parameters.hasDecoder
      })
    else { return nil }
    return .text(codec)
  }

  /// The texts of several parts are written in one form.
  private func joinedText(_ track: TrackInfo) -> ExportPlan.Treatment {
    text(track)
      ?? .dropped(
        "it is made of \(track.timeline.parts.count) parts, which \(track.mediaType.rawValue) of the "
          + "codec \(track.format.parameters.name) can't be")
  }

  private func noTracksOfKind(_ track: TrackInfo) -> String {
    "\(fileType.name) files have no tracks of the kind \(track.mediaType.rawValue)"
  }
}

extension Array where Element: Hashable {
  fileprivate func removingDuplicates() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
