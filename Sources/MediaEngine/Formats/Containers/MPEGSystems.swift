import LibAV

// Transport and program streams (ISO/IEC 13818-1).

extension ContainerFormat {
  static let ts = ContainerFormat(
    name: "ts", identifier: "public.mpeg-2-transport-stream", extensions: ["ts", "m2ts", "mts"],
    mimeTypes: ["video/mp2t"], demuxer: "mpegts", muxer: "mpegts",
    // The codecs for which mpegtsenc.c has stream types or descriptors. MPEG-4 part 2 would lack
    // its headers there, which movies and Matroska store in the track's configuration. PGS would be private data: it has
    // a stream type in the variant of Blu-ray alone.
    capabilities: ContainerCapabilities(
      codecs: [
        "mpeg1video", "mpeg2video", "h264", "hevc", "cavs", "dirac", "vc1", "mp1", "mp2",
        "mp3", "aac", "aac_latm", "ac3", "eac3", "dts", "truehd", "opus", "s302m",
        "dvb_subtitle", "dvb_teletext", "timed_id3", "klv",
      ], encodedVideo: ["h264", "hevc"], encodedAudio: ["aac", "mp3", "opus"],
      statesLastDuration: false, storesAnnexB: true, storesADTS: true),
    metadata: .transportStream, overhead: .transportStream, isPaddedWithNullPackets: true)

  static let mpg = ContainerFormat(
    name: "mpg", identifier: "public.mpeg", extensions: ["mpg", "mpeg", "vob"],
    mimeTypes: ["video/mpeg"], demuxer: "mpeg")
}

extension MetadataCapabilities {
  // mpegtsenc.c: mpegts_write_sdt, get_dvb_stream_type, mpegts_write_pmt. A programme's name is the
  // only title of a transport stream.
  fileprivate static let transportStream = MetadataCapabilities(
    items: .only(["service_name", "service_provider"]), titleKey: "service_name",
    language: .code([.audio, .subtitle]),
    subtitlesWithLanguage: ["dvb_subtitle", "dvb_teletext"],
    dispositions: [
      .audio: [.hearingImpaired, .visualImpaired, .cleanEffects], .subtitle: .hearingImpaired,
    ])
}

extension DemuxerTraits {
  static let mpegSystems = [
    transportStream, programStream,
  ]

  private static let programStream: DemuxerTraits = {
    var traits = DemuxerTraits("mpeg", estimatesDuration: true)
    traits.statedTimes = .some
    return traits
  }()

  private static let transportStream: DemuxerTraits = {
    var traits = DemuxerTraits("mpegts", estimatesDuration: true)
    traits.randomAccess = .bisection
    traits.statedTimes = .some
    return traits
  }()
}
