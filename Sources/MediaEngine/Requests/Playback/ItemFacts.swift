import LibAV
import MediaTime
import SystemIO

/// The properties of an item that is ready: the presented tracks of its asset, and their duration.
struct ItemFacts: Sendable {
  /// The asset, its video composed by the item's settings.
  let presentation: Presentation
  /// All tracks of the asset, with those that are presented enabled.
  let tracks: [PlayerItemTrack]
  /// The track whose frames are shown.
  let video: TrackInfo?
  /// The tracks that are heard, mixed.
  let audio: [TrackInfo]
  let audioMix: AudioMix?
  let timePitch: AudioTimePitchAlgorithm
  /// The end of the last sample.
  let duration: Time
  /// The duration that the asset states, which may be longer: that of a container is rounded.
  let statedDuration: Time
  let presentationSize: Size?
  /// The reason for which the item can't be played backward; nil where it can.
  let reverseProblem: String?
  /// The version of the item's pictures that these are the facts of.
  var version = 0

  /// Returns true for a time that a seek can have. Those after the end, up to the stated duration, are the end.
  func contains(_ time: Time) -> Bool { time >= .zero && time <= statedDuration }

  /// Loads the tracks that an item presents.
  ///
  /// - Throws: the errors of opening and reading the asset; `contentIsProtected`, `decoderNotFound`; and
  ///   `failedToLoadMediaData` where nothing can be played.
  static func load(
    _ item: PlayerItem, _ settings: ItemSettings, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> ItemFacts {
    let content = item.asset.media.content
    var presentation = try await content.loadPresentation(interrupt: interrupt)
    let given = presentation.tracks
    let presented = try presented(of: presentation, settings, path: item.asset.path)
    let ids = Set(presented.map(\.trackID))
    presentation.tracks = presented
    for track in presented { try await track.timeline.prepare(interrupt: interrupt) }
    let compositor = item.compositor
    let read = presentation
    let (composed, duration) = try await WorkLimiter.shared.run(.interactive, interrupt: interrupt)
    {
      () throws(EngineError) in
      (
        try content.presentation(
          read, composedBy: settings.videoComposition, drawnBy: compositor, interrupt: interrupt),
        try content.preciseDuration(interrupt: interrupt)
      )
    }
    let stated = (try? await item.asset.load(.duration)) ?? .invalid
    for track in composed.tracks { try track.timeline.requireUnprotected() }
    let playable = composed.tracks.filter(\.isDecodable)
    let video = playable.preferred(.video)
    let audio = playable.filter { $0.mediaType == .audio }
    let mix = settings.audioMix.resolved(own: composed.audioMix)
    if video == nil, audio.isEmpty,
      let track = composed.tracks.first(where: { [.video, .audio].contains($0.mediaType) })
    {
      throw EngineError(
        .decoderNotFound,
        "No track of '\(item.asset.path)' can be played: there is no decoder for "
          + "\(track.format.parameters.name)", path: item.asset.path)
    }
    guard video != nil || !audio.isEmpty else {
      throw EngineError(
        .noSourceTrack, "'\(item.asset.path)' has no enabled track that can be played",
        advice: .choosePlayableAsset, path: item.asset.path)
    }
    guard duration.isNumeric, duration > .zero else {
      throw EngineError(
        .failedToLoadMediaData, "'\(item.asset.path)' has nothing to play: its duration is zero",
        advice: .checkThatFileIsComplete, path: item.asset.path)
    }
    return ItemFacts(
      presentation: composed,
      tracks: given.map {
        PlayerItemTrack(
          trackID: $0.trackID, mediaType: $0.mediaType, isEnabled: ids.contains($0.trackID))
      },
      video: video, audio: audio, audioMix: mix, timePitch: settings.timePitch,
      duration: duration, statedDuration: stated.isNumeric ? max(stated, duration) : duration,
      presentationSize: video.map(\.presentationSize),
      reverseProblem: try video.flatMap { (track) throws(EngineError) in
        try track.reverseProblem(interrupt: interrupt)
      })
  }

  /// Opens the audio for a player that plays it, so that an item without any fails before its time begins.
  func requireAudio(
    for settings: Player.Configuration, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    guard !audio.isEmpty else { return }
    try await WorkLimiter.shared.run(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      _ = try ItemAudio(
        self, from: .zero, at: .one, sampleRate: settings.sampleRate, channels: settings.channels,
        priority: .interactive, interrupt: interrupt)
    }
  }

  private static func presented(
    of presentation: Presentation, _ settings: ItemSettings, path: String
  ) throws(EngineError) -> [TrackInfo] {
    let tracks = presentation.tracks
    guard let wanted = settings.enabledTrackIDs else {
      var mixesAudio = presentation.mixesAudio
      if case .custom = settings.audioMix { mixesAudio = true }
      return tracks.presented(mixesAudio: mixesAudio)
    }
    for id in wanted where !tracks.contains(where: { $0.trackID == id }) {
      let known = tracks.map { "\($0.trackID) (\($0.mediaType.rawValue))" }
      throw EngineError(
        .noSourceTrack, "'\(path)' has no track \(id)",
        advice: .chooseTrack(known), path: path)
    }
    return tracks.filter { wanted.contains($0.trackID) }
  }
}

extension [TrackInfo] {
  /// Returns the tracks that a player presents by default: one of the video tracks, or all enabled ones where a video
  /// composition may show them; one of the audio tracks, or all enabled ones where the asset mixes them, as a
  /// composition does.
  func presented(mixesAudio: Bool) -> [TrackInfo] {
    let heard = mixesAudio ? shown(.audio) : preferred(.audio).map { [$0] } ?? []
    let ids = Set((shown(.video) + heard).map(\.trackID))
    return filter { track in
      switch track.mediaType {
      case .video, .audio: ids.contains(track.trackID)
      default: track.isEnabled
      }
    }
  }
}

extension TrackInfo {
  /// True where FFmpeg has a decoder for the track, or the track is composed of others.
  fileprivate var isDecodable: Bool {
    !timeline.hasIndex || format.parameters.hasDecoder
  }

  /// The size of its frames as they are shown, upright.
  fileprivate var presentationSize: Size {
    let size = naturalSize
    let isTurned = preferredTransform.orientation?.swapsAxes ?? false
    return isTurned ? Size(width: size.height, height: size.width) : size
  }

  /// Returns the reason for which frames can't be decoded backward.
  fileprivate func reverseProblem(interrupt: Interrupt) throws(EngineError) -> String? {
    for part in timeline.parts {
      guard let media = part.source?.stored else { continue }
      if try !media.index(interrupt: interrupt).isReliable {
        return "The times of the frames of '\(media.path)' aren't certain."
      }
    }
    return nil
  }
}
