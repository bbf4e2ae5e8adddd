import LibAV

/// The settings of an export's tracks, of which only those that depend on the asset are open: its settings, its
/// preset and the type of its file in one value.
struct ResolvedSettings: Sendable {
  enum Treatment<Encoding: Sendable>: Sendable {
    case copied
    /// The reason, as the end of a sentence.
    case leftOut(String)
    case encoded(Encoding)

    var encoding: Encoding? { if case .encoded(let encoding) = self { encoding } else { nil } }
  }

  let video: Treatment<VideoEncoding>
  let audio: Treatment<AudioEncoding>
  let tracks: TrackSelection?
  /// Nil for the asset's usual treatment.
  let audioTracks: AudioTracks?
  let fileType: FileType
  /// The origin of the settings, for messages: "the preset LowQuality".
  let maker: String
  /// The problems of the settings with any asset.
  let problems: [SettingsProblem]
  /// The clockwise rotation of copied video in degrees, which its display matrix states.
  let copiedRotation: Int
  private let preset: ExportPreset?
  private let isPresetOnly: Bool

  /// Samples are copied as they are, or left out.
  var isPassthrough: Bool { video.encoding == nil && audio.encoding == nil }

  /// Samples of video are copied, so that ranges are cut where they can be.
  var copiesVideo: Bool { if case .copied = video { true } else { false } }

  /// True if the tracks of a kind are copied; those of neither video nor audio are where all is.
  func copies(_ type: MediaType) -> Bool {
    switch (type, video, audio) {
    case (.video, .copied, _), (.audio, _, .copied): true
    default: isPassthrough
    }
  }

  init(_ settings: ExportSettings, preset: ExportPreset?, fileType: FileType) {
    self.fileType = fileType
    self.preset = preset
    isPresetOnly = preset != nil && settings.isUnspecified
    tracks = settings.tracks
    audioTracks = settings.audioTracks
    maker = isPresetOnly ? preset.map { "the preset \($0.name)" } ?? "" : "the settings"
    let rules = fileType.format.capabilities
    var problems: [SettingsProblem] = []
    var wantedVideo = settings.video
    if case .copied? = preset?.settings.video, let rotation = settings.video.onlyRotation {
      wantedVideo = .unspecified
      copiedRotation = rotation
      if rotation % 90 != 0 {
        problems.append(
          SettingsProblem(path: "/video/rotate", expected: "a multiple of 90", got: "\(rotation)"))
      }
    } else {
      copiedRotation = 0
    }
    switch SettingsLayers(wantedVideo, preset?.settings.video).choose(
      "video", in: fileType, isPossible: !rules.encodedVideo.isEmpty, preset, &problems)
    {
    case .copied: video = .copied
    case .leftOut(let reason): video = .leftOut(reason)
    case .encoded(let layers):
      let merged = layers.wanted.overriding(layers.base ?? VideoEncodingSettings())
      let encoding = VideoEncoding(merged, in: fileType)
      problems += encoding.problems
      video = .encoded(encoding)
    }
    switch SettingsLayers(settings.audio, preset?.settings.audio).choose(
      "audio", in: fileType, isPossible: !rules.encodedAudio.isEmpty, preset, &problems)
    {
    case .copied: audio = .copied
    case .leftOut(let reason): audio = .leftOut(reason)
    case .encoded(let layers):
      var base = layers.base ?? AudioEncodingSettings()
      // The codec of a preset of video is one for movies.
      if fileType.holdsAudioOnly, layers.wanted.codec == nil, let codec = base.codec,
        !rules.encodedAudio.contains(codec.containerName)
      {
        base = AudioEncodingSettings()
      }
      let encoding = AudioEncoding(layers.wanted.overriding(base), in: fileType)
      problems += encoding.problems
      audio = .encoded(encoding)
    }
    self.problems = problems
  }

  /// True if the audio tracks of an asset become one.
  func mixesAudio(of asset: Presentation) -> Bool {
    !isPassthrough && (audioTracks.map { $0 == .mix } ?? asset.mixesAudio)
  }

  /// The reason why no track of a kind comes into the file; nil where they may.
  func reasonToLeaveOut(_ type: MediaType) -> String? {
    switch (type, video, audio) {
    case (.video, .leftOut(let reason), _), (.audio, _, .leftOut(let reason)): reason
    default: nil
    }
  }

  /// - Throws: `formatUnsupported`, `operationNotSupportedForPreset`.
  func requireFileType() throws(EngineError) {
    guard fileType.canWrite else {
      throw EngineError(
        .formatUnsupported, "Files of the type \(fileType.name) can't be written",
        advice: .chooseFileType(FileType.writable.map(\.name)))
    }
    guard let preset, isPresetOnly else { return }
    guard preset.fileTypes.contains(fileType) else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "The preset \(preset.name) makes no files of the type \(fileType.name)",
        advice: .chooseFileType(preset.fileTypes.map(\.name)))
    }
  }

  /// - Throws: `unsupportedOutputSettings` if copied video is to be turned in a type of file that states no rotation.
  func requireRotation(of asset: Presentation) throws(EngineError) {
    guard copiedRotation % 360 != 0, !fileType.format.capabilities.supportsDisplayMatrix,
      asset.tracks.contains(where: { $0.mediaType == .video })
    else { return }
    let encoding = ExportPreset.all.first { other in
      !other.isPassthrough && other.settings.video.encoding != nil
        && other.fileTypes.contains(fileType)
    }
    let remedy = encoding.map { "; the preset \($0.name) encodes turned pictures" } ?? ""
    throw EngineError(
      .unsupportedOutputSettings,
      "\(fileType.name) files state no rotation, so copied video can't be turned\(remedy)",
      advice: .encode, path: asset.path)
  }

  /// - Throws: `unsupportedOutputSettings` with all that is wrong.
  func requireNoProblems(with asset: Presentation? = nil) throws(EngineError) {
    let all = problems + (asset.map(problems(with:)) ?? [])
    if !all.isEmpty { throw EngineError(all) }
  }
}

/// Settings of one kind of tracks, and those of the preset below them.
private struct SettingsLayers<Encoding: Sendable & Hashable> {
  let wanted: ExportSettings.Treatment<Encoding>
  let base: ExportSettings.Treatment<Encoding>?

  init(
    _ wanted: ExportSettings.Treatment<Encoding>, _ base: ExportSettings.Treatment<Encoding>?
  ) {
    (self.wanted, self.base) = (wanted, base)
  }

  /// The treatment of the tracks; where they are encoded, the settings that are wanted and those beneath them.
  func choose(
    _ kind: String, in fileType: FileType, isPossible: Bool, _ preset: ExportPreset?,
    _ problems: inout [SettingsProblem]
  ) -> ResolvedSettings.Treatment<(wanted: Encoding?, base: Encoding?)> {
    let contents =
      fileType.holdsTextOnly
      ? "subtitles only" : fileType.holdsAudioOnly ? "audio only" : "no \(kind)"
    let reason = "\(fileType.name) files hold \(contents)"
    // Of a preset of video without audio, a file of audio takes the audio all the same.
    let isAudioOfVideo = fileType.holdsAudioOnly && preset?.video != nil && isPossible
    switch (wanted, base) {
    case (.leftOut, _): return .leftOut("the settings leave out \(kind)")
    case (.copied, _), (.unspecified, .copied?): return .copied
    case (.encoded, _) where !isPossible:
      problems.append(
        SettingsProblem(
          path: "/\(kind)", expected: "nothing or null, for \(reason)", got: "settings"))
      return .leftOut(reason)
    case (.unspecified, _) where !isPossible: return .leftOut(reason)
    case (.unspecified, .leftOut?) where !isAudioOfVideo:
      return .leftOut("the preset \(preset?.name ?? "") makes no \(kind)")
    default: return .encoded((wanted.encoding, base?.encoding))
    }
  }
}

extension ExportSettings.Treatment<VideoEncodingSettings> {
  /// The rotation where nothing else is specified; nil otherwise.
  fileprivate var onlyRotation: Int? {
    var settings = VideoEncodingSettings()
    settings.rotation = encoding?.rotation
    return encoding == settings ? settings.rotation : nil
  }
}

extension VideoEncodingSettings? {
  fileprivate func overriding(_ base: VideoEncodingSettings) -> VideoEncodingSettings {
    self?.overriding(base) ?? base
  }
}

extension AudioEncodingSettings? {
  fileprivate var codec: AudioCodec? { self?.codec }
  fileprivate func overriding(_ base: AudioEncodingSettings) -> AudioEncodingSettings {
    self?.overriding(base) ?? base
  }
}
