import LibAV

// QuickTime and its descendants: ISO/IEC 14496-12, MP4 (14496-14), Apple's M4V and M4A, 3GPP.

extension ContainerFormat {
  static let mov = movie(
    name: "mov", "com.apple.quicktime-movie", ["mov", "qt"], ["video/quicktime"], muxer: "mov",
    video: ["h264", "hevc", "prores", "mjpeg", "png", "qtrle"],
    audio: ["aac", "alac", "pcm", "mp3"],
    metadata: .movie(color: .triple, prefersUserData: true))

  static let mp4 = movie(
    name: "mp4", "public.mpeg-4", ["mp4"], ["video/mp4", "audio/mp4"], muxer: "mp4",
    video: ["h264", "hevc", "vp9", "av1", "mjpeg"], audio: ["aac", "alac", "opus", "flac", "mp3"],
    metadata: .movie(color: .tripleAndRange))

  // The muxer for iPods writes neither colours nor the purposes of tracks. MP4's muxer writes both,
  // and the file gets its brand afterwards.

  static let m4v = movie(
    name: "m4v", "com.apple.m4v-video", ["m4v"], ["video/x-m4v"], muxer: "ipod",
    replacement: "mp4", brand: "M4V ", video: ["h264"], audio: ["aac", "alac"],
    metadata: .movie(color: .tripleAndRange))

  static let m4a = movie(
    name: "m4a", "com.apple.m4a-audio", ["m4a", "m4b"], ["audio/mp4"], muxer: "ipod",
    replacement: "mp4", brand: "M4A ", video: [], audio: ["aac", "alac"],
    metadata: .movie(color: .tripleAndRange))

  static let threeGPP = ContainerFormat(
    name: "3gp", identifier: "public.3gpp", extensions: ["3gp", "3g2"], mimeTypes: ["video/3gpp"],
    demuxer: "mov")

  private static func movie(
    name: String, _ identifier: String, _ extensions: [String], _ mimeTypes: [String],
    muxer: String, replacement: String? = nil, brand: String? = nil, video: [String],
    audio: [String], metadata: MetadataCapabilities
  ) -> ContainerFormat {
    var capabilities = ContainerCapabilities(
      encodedVideo: video, encodedAudio: audio, textCodec: "mov_text", hasEditLists: true,
      gaps: .exceptPCM, supportsDisplayMatrix: true)
    capabilities.textMayOverlap = false
    if video.isEmpty {
      capabilities.kinds = [.audio]
      capabilities.textCodec = nil
    }
    return ContainerFormat(
      name: name, identifier: identifier, extensions: extensions, mimeTypes: mimeTypes,
      demuxer: "mov", muxer: muxer, replacementMuxer: replacement, brand: brand,
      capabilities: capabilities, metadata: metadata, overhead: .movie, hasMovieHeader: true)
  }
}

extension MetadataCapabilities {
  fileprivate static func movie(
    color: Color, prefersUserData: Bool = false
  ) -> MetadataCapabilities {
    let sideData = SideData.light.union(SideData.geometry).union(SideData.iccProfile)
      .union(SideData.dolby)
    return MetadataCapabilities(
      items: .boxes, prefersUserData: prefersUserData, chapters: .titles, artwork: .boxes,
      language: .tag,
      dispositions: [.video: .movie, .audio: .movie, .subtitle: .movie, .data: .movie],
      supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true, color: color,
      // `vpcC` (VP Codec ISO Media File Format Binding).
      codecsConfiguredWithColor: ["vp9"], sideData: sideData)
  }
}

extension Disposition {
  /// The dispositions that `kind` boxes express by urn:mpeg:dash:role:2011 and are read for
  /// (isom.c, `ff_mov_track_kind_table`), and the one that only AVFoundation has a name for
  /// (`tagc`): original.
  fileprivate static let movie: Disposition = [
    .dub, .comment, .forced, .hearingImpaired, .visualImpaired, .captions, .descriptions, .original,
  ]
}

extension DemuxerTraits {
  static let isoBaseMedia: DemuxerTraits = {
    var traits = DemuxerTraits("mov", keySpace: "itsk", storesSamplesAsRead: true)
    traits.hasMovieHeader = true
    traits.origin = .zero
    traits.structure = .boxes
    return traits
  }()
}
