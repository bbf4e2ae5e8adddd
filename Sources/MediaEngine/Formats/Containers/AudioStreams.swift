import LibAV

// Files that consist of frames of one audio codec, with or without tags around them.

extension ContainerFormat {
  static let mp3 = ContainerFormat(
    name: "mp3", identifier: "public.mp3", extensions: ["mp3"], mimeTypes: ["audio/mpeg"],
    demuxer: "mp3", muxer: "mp3",
    capabilities: ContainerCapabilities(
      kinds: [.audio], maximumAudioTracks: 1, codecs: ["mp3"], encodedAudio: ["mp3"],
      gaps: .none),
    // id3v2enc.c: write_metadata, write_chapter, ff_id3v2_write_apic; mp3enc.c.
    metadata: MetadataCapabilities(
      items: .names(except: ["encoder"]), chapters: .everything,
      artwork: .stream(["mjpeg", "png", "gif", "bmp", "tiff"]), language: .item("language")),
    overhead: .frames, mp3Delays: 530...4624)

  static let flac = ContainerFormat(
    name: "flac", identifier: "org.xiph.flac", extensions: ["flac"], mimeTypes: ["audio/flac"],
    demuxer: "flac", muxer: "flac",
    capabilities: ContainerCapabilities(
      kinds: [.audio], maximumAudioTracks: 1, codecs: ["flac"], encodedAudio: ["flac"],
      gaps: .none),
    // flacenc.c: flac_write_block_comment, flac_write_picture.
    metadata: MetadataCapabilities(
      items: .names(except: ["encoder"]), forbidsEqualsSign: true, sharesNameOfComment: true,
      chapters: .comments, artwork: .stream(["mjpeg", "png", "gif", "bmp", "tiff"]),
      language: .item("language")),
    overhead: .frames, statesSampleCount: true, hasNumberedFrames: true)

  static let aac = ContainerFormat(
    name: "aac", identifier: "public.aac-audio", extensions: ["aac", "adts"],
    mimeTypes: ["audio/aac"], demuxer: "aac", muxer: "adts",
    capabilities: ContainerCapabilities(
      kinds: [.audio], maximumAudioTracks: 1, codecs: ["aac"], encodedAudio: ["aac"], gaps: .none,
      storesADTS: true),
    overhead: .framesWithHeaders)

  static let ac3 = ContainerFormat(
    name: "ac3", identifier: "public.ac3-audio", extensions: ["ac3"], mimeTypes: ["audio/ac3"],
    demuxer: "ac3")

  static let eac3 = ContainerFormat(
    name: "eac3", identifier: "public.enhanced-ac3-audio", extensions: ["eac3", "ec3"],
    mimeTypes: ["audio/eac3"], demuxer: "eac3")

  static let amr = ContainerFormat(
    name: "amr", identifier: "org.3gpp.adaptive-multi-rate-audio", extensions: ["amr"],
    mimeTypes: ["audio/amr"], demuxer: "amr")
}

extension DemuxerTraits {
  static let audioStreams = [
    DemuxerTraits(
      "mp3", keySpace: "id3", estimatesDuration: true, storesSamplesAsRead: true,
      statesSampleCount: true, tagLayout: .frames),
    DemuxerTraits(
      "aac", keySpace: "id3", estimatesDuration: true, storesSamplesAsRead: true,
      tagLayout: .frames),
    DemuxerTraits(
      "flac", keySpace: "vorbis", storesSamplesAsRead: true, statesSampleCount: true,
      tagLayout: .flac),
    DemuxerTraits("ac3", estimatesDuration: true, storesSamplesAsRead: true),
    DemuxerTraits("eac3", estimatesDuration: true, storesSamplesAsRead: true),
    DemuxerTraits("amr", estimatesDuration: true, storesSamplesAsRead: true),
    DemuxerTraits("amrnb", estimatesDuration: true),
    DemuxerTraits("amrwb", estimatesDuration: true),
    DemuxerTraits("dts", estimatesDuration: true),
    DemuxerTraits("dtshd", estimatesDuration: true),
    DemuxerTraits("truehd", estimatesDuration: true),
  ]

  /// Formats with tags of Monkey's Audio; DSF has ID3 tags.
  static let taggedAudio = [
    DemuxerTraits("ape", keySpace: "ape"),
    DemuxerTraits("wv", keySpace: "ape", storesSamplesAsRead: true, statesSampleCount: true),
    DemuxerTraits("mpc", keySpace: "ape"),
    DemuxerTraits("mpc8", keySpace: "ape"),
    DemuxerTraits("tta", keySpace: "ape", storesSamplesAsRead: true, statesSampleCount: true),
    DemuxerTraits("tak", keySpace: "ape"),
    DemuxerTraits("dsf", keySpace: "id3"),
  ]
}
