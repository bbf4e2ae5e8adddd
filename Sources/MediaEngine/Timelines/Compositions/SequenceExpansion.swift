import MediaTime

extension ClipSequence {
  /// Returns the timeline that the sequence describes, which is the same for the same sequence and
  /// sources.
  ///
  /// - Clips are in one video track and one audio track. In a transition to the next clip the two overlap:
  ///   the next is in a second track of each kind, and the whole is shorter by the transition.
  /// - Picture and audio of a clip begin together; where one of them has less, there is an empty segment.
  /// - The first subtitles of clips are in one track, each until the next clip begins. Clips that are played backward,
  ///   at a speed that changes, or frozen, have none.
  /// - Each overlay, its audio and each accompaniment have a track of their own.
  /// - Instructions state the order of layers; transitions, zooms and fades are ramps of the video
  ///   composition, volumes are ramps of the audio mix.
  ///
  /// - Parameter sources: the facts about each file and asset that the sequence shows.
  /// - Throws: all that is wrong with it, in ``EngineError/problems``.
  public func timeline(
    sources: [Location: SourceFacts]
  ) throws(EngineError) -> CompositionTimeline {
    let exact = try expansion(sources, SequenceClock(isExact: true))
    guard exact.hasRoundedTimes else { return exact.canonical }
    return try expansion(sources, SequenceClock(isExact: false)).canonical
  }

  private func expansion(
    _ sources: [Location: SourceFacts], _ clock: SequenceClock
  ) throws(EngineError) -> CompositionTimeline {
    let layout = try SequenceLayout(self, sources, clock)
    var tracks = SequenceTracks()
    // Video first, as a composition's naturalSize and frame timing are those of its first video track.
    let picture = SequencePicture(self, layout)
    for clip in layout.clips {
      if let piece = clip.videoPiece { tracks.add(clip, piece, to: .clipVideo(clip.lane)) }
    }
    for (number, overlay) in layout.overlays.enumerated() {
      tracks.add(
        .init(overlay.overlay.location, isStill: overlay.facts.isStill), overlay.trackID,
        overlay.piece, to: .overlay(number), overlay.playback)
    }
    if hasText { tracks.addPicture(to: layout.end) }
    for clip in layout.clips {
      if let piece = clip.audioPiece { tracks.add(clip, piece, to: .clipAudio(clip.lane)) }
    }
    for (number, overlay) in layout.overlays.enumerated() {
      guard let audio = overlay.audio else { continue }
      tracks.add(
        .init(overlay.overlay.location), audio.trackID, audio.piece, to: .overlayAudio(number),
        overlay.playback)
    }
    for (number, audio) in layout.audio.enumerated() {
      for mapping in audio.mappings {
        tracks.add(
          .init(audio.audio.location), audio.trackID, .init(mapping: mapping), to: .audio(number))
      }
    }
    for clip in layout.clips {
      guard let piece = clip.subtitlePiece, let facts = clip.facts else { continue }
      tracks.add(clip, piece, to: .clipSubtitles(facts.subtitleType))
    }
    tracks.extend(to: layout.end)
    var timeline = CompositionTimeline(sources: tracks.sources, tracks: tracks.list)
    timeline.audioMix = layout.audioMix(tracks)
    timeline.subtitleTracks = subtitleTracks
    if tracks.list.contains(where: { $0.mediaType == .video }) {
      timeline.naturalSize = picture.size
      timeline.videoComposition = picture.videoComposition(layout, tracks)
    }
    return timeline
  }
}

/// The tracks of a timeline in the making, each filled from its start to its end.
struct SequenceTracks {
  /// The purpose of a track.
  enum Purpose: Hashable {
    case clipVideo(Int)
    case overlay(Int)
    case clipAudio(Int)
    case clipSubtitles(MediaType)
    case overlayAudio(Int)
    case audio(Int)

    var mediaType: MediaType {
      switch self {
      case .clipVideo, .overlay: .video
      case .clipAudio, .overlayAudio, .audio: .audio
      case .clipSubtitles(let type): type
      }
    }
  }

  private(set) var list: [CompositionTimeline.Track] = []
  private(set) var sources: [String: CompositionTimeline.Source] = [:]
  private var names: [CompositionTimeline.Source: String] = [:]
  private var places: [Purpose: Int] = [:]

  /// Returns the number of the track for a purpose; nil if nothing was added to it.
  func trackID(_ purpose: Purpose) -> Int32? { places[purpose].map { list[$0].trackID } }

  mutating func add(
    _ clip: SequenceLayout.PlacedClip, _ piece: SequencePace.Piece, to purpose: Purpose
  ) {
    guard let location = clip.clip.location, let facts = clip.facts else { return }
    let track =
      switch purpose.mediaType {
      case .video: facts.video
      case .audio: facts.audio
      default: facts.subtitles
      }
    guard let track else { return }
    add(
      .init(location, isStill: facts.isStill), track.trackID, piece, to: purpose, clip.playback)
  }

  mutating func add(
    _ source: CompositionTimeline.Source, _ trackID: Int32, _ piece: SequencePace.Piece,
    to purpose: Purpose, _ playback: SegmentPlayback = .forward
  ) {
    let place = place(of: purpose)
    fill(place, to: piece.mapping.target.start)
    list[place].segments.append(
      CompositionTimeline.Segment(
        source: name(of: source), trackID: trackID, timeMapping: piece.mapping, playback: playback,
        speedRamp: piece.ramp))
  }

  /// Makes the whole as long as the clips are, where the last of them is a gap.
  mutating func extend(to end: Time) {
    if list.isEmpty { _ = place(of: .clipVideo(0)) }
    if list.contains(where: { $0.end == end }) { return }
    fill(0, to: end)
  }

  /// Makes a track of pictures, without any, where there is none that texts could be drawn over.
  mutating func addPicture(to end: Time) {
    guard list.isEmpty else { return }
    fill(place(of: .clipVideo(0)), to: end)
  }

  private mutating func fill(_ place: Int, to time: Time) {
    let end = list[place].end
    guard end < time else { return }
    list[place].segments.append(.init(emptyTarget: TimeRange(start: end, end: time)))
  }

  private mutating func place(of purpose: Purpose) -> Int {
    if let known = places[purpose] { return known }
    places[purpose] = list.count
    list.append(.init(trackID: Int32(list.count + 1), mediaType: purpose.mediaType))
    return list.count - 1
  }

  private mutating func name(of source: CompositionTimeline.Source) -> String {
    if let known = names[source] { return known }
    let name = "s\(names.count + 1)"
    names[source] = name
    sources[name] = source
    return name
  }
}

extension CompositionTimeline {
  /// Some time of it isn't the one that was meant, as no time can be that.
  fileprivate var hasRoundedTimes: Bool {
    var ranges = tracks.flatMap {
      $0.segments.flatMap { [$0.timeMapping.source, $0.timeMapping.target] }
    }
    var times = tracks.flatMap { $0.segments.flatMap { $0.speedRamp.map(\.time) } }
    ranges += (videoComposition?.instructions ?? []).map(\.timeRange)
    times += ranges.flatMap { [$0.start, $0.duration, $0.end] }
    for parameters in audioMix?.inputParameters ?? [] {
      times += parameters.volume.flatMap { [$0.start, $0.end] }
    }
    for instruction in videoComposition?.instructions ?? [] {
      for layer in instruction.layerInstructions {
        times += layer.opacity.flatMap { [$0.start, $0.end] }
        times += layer.transform.flatMap { [$0.start, $0.end] }
        times += layer.cropRectangle.flatMap { [$0.start, $0.end] }
      }
    }
    return times.contains(where: \.hasBeenRounded)
  }
}
