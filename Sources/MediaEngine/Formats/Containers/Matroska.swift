import LibAV

// Matroska (RFC 9559) and WebM.

extension ContainerFormat {
  static let mkv = matroska(
    name: "mkv", "org.matroska.mkv", ["mkv", "mks", "mk3d"], ["video/x-matroska"],
    capabilities: ContainerCapabilities(
      encodedVideo: [
        "h264", "hevc", "vp8", "vp9", "av1", "prores", "mjpeg", "ffv1", "png",
      ],
      encodedAudio: matroskaAudio, textCodec: "subrip"))

  static let mka = matroska(
    name: "mka", "org.matroska.mka", ["mka"], ["audio/x-matroska"],
    capabilities: ContainerCapabilities(kinds: [.audio], encodedAudio: matroskaAudio))

  private static let matroskaAudio = ["aac", "opus", "flac", "vorbis", "mp3", "alac", "pcm"]

  static let webm = matroska(
    name: "webm", "org.webmproject.webm", ["webm"], ["video/webm", "audio/webm"], muxer: "webm",
    capabilities: ContainerCapabilities(
      kinds: [.video, .audio, .subtitle],
      codecs: ["vp8", "vp9", "av1", "vorbis", "opus", "webvtt"],
      encodedVideo: ["vp9", "av1", "vp8"],
      encodedAudio: ["opus", "vorbis"], textCodec: "webvtt"),
    metadata: .webm)

  private static func matroska(
    name: String, _ identifier: String, _ extensions: [String], _ mimeTypes: [String],
    muxer: String = "matroska", capabilities: ContainerCapabilities,
    metadata: MetadataCapabilities = .matroska
  ) -> ContainerFormat {
    var capabilities = capabilities
    capabilities.supportsDisplayMatrix = Muxer.matroskaSupportsDisplayMatrix
    return ContainerFormat(
      name: name, identifier: identifier, extensions: extensions, mimeTypes: mimeTypes,
      demuxer: "matroska", muxer: muxer, capabilities: capabilities, metadata: metadata,
      overhead: .matroska, opusPriming: Muxer.matroskaAddsCodecDelay ? .header : .headerAndTimes)
  }
}

// matroskaenc.c: mkv_write_tags, mkv_check_tag_name, mkv_write_track, mkv_write_chapters,
// mkv_write_video_color.
extension MetadataCapabilities {
  fileprivate static let matroska = MetadataCapabilities(
    items: .names(except: ["stereo_mode", "duration", "encoding_tool", "encoder"]),
    dateKeys: ["creation_time"], chapters: .everything, artwork: .attachment,
    language: .bibliographicCode,
    dispositions: [.video: .matroska, .audio: .matroska, .subtitle: .matroska],
    supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true,
    supportsAttachments: true, color: .everything, supportsAlphaMode: true,
    sideData: SideData.light.union(SideData.geometry).union(SideData.dolby))

  fileprivate static let webm = MetadataCapabilities(
    items: .names(except: ["stereo_mode", "duration", "encoding_tool", "encoder"]),
    dateKeys: ["creation_time"], chapters: .spans, language: .bibliographicCode,
    dispositions: [.video: .forced, .audio: .forced, .subtitle: .webText],
    supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true,
    color: .everything, supportsAlphaMode: true,
    sideData: SideData.light.union(SideData.geometry))
}

extension Disposition {
  fileprivate static let matroska: Disposition = [
    .dub, .original, .comment, .forced, .hearingImpaired, .visualImpaired,
  ]
  fileprivate static let webText: Disposition = [.forced, .captions, .descriptions, .metadata]
}

extension DemuxerTraits {
  /// libavformat uses the time of the last packet in the index as the end.
  static let nut: DemuxerTraits = {
    var traits = DemuxerTraits("nut", estimatesDuration: true)
    traits.statedDuration = .fromZero
    return traits
  }()

  static let matroska: DemuxerTraits = {
    var traits = DemuxerTraits("matroska")
    traits.origin = .firstSampleFromZero
    traits.statedDuration = .fromEither
    traits.mayEndWithinPacket = true
    traits.randomAccess = .cues
    traits.structure = .elements
    return traits
  }()
}
