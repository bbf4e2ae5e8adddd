import LibAV

// WAVE (with EBU Tech 3285's Broadcast Wave and RF64), Sony's Wave64, AVI.

extension ContainerFormat {
  static let wav = ContainerFormat(
    name: "wav", identifier: "com.microsoft.waveform-audio", extensions: ["wav"],
    mimeTypes: ["audio/wav"], demuxer: "wav", muxer: "wav",
    // The codecs that players expect; RIFF has a number for nearly every codec.
    capabilities: ContainerCapabilities(
      kinds: [.audio], maximumAudioTracks: 1,
      codecs: [
        "pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw",
        "pcm_mulaw", "adpcm_ms", "adpcm_ima_wav",
      ], encodedAudio: ["pcm"], gaps: .none),
    // riffenc.c: ff_riff_write_info; wavenc.c: bwf_write_bext_chunk.
    metadata: MetadataCapabilities(
      items: .only(riffNames), keySpaces: ["bext"], language: .item("language")),
    // Space for lengths of 64 bits.
    growingOptions: ["rf64": "auto"], statesLengths: true)

  static let avi = ContainerFormat(
    name: "avi", identifier: "public.avi", extensions: ["avi"], mimeTypes: ["video/x-msvideo"],
    demuxer: "avi")
}

/// libav's names that ff_riff_write_info has chunks for, and the chunks themselves (riff.c).
private let riffNames: Set = [
  "artist", "comment", "copyright", "date", "genre", "language", "title", "album", "track",
  "encoded_by", "timecode",
  "IARL", "IART", "IAS1", "IAS2", "IAS3", "IAS4", "IAS5", "IAS6", "IAS7", "IAS8", "IAS9", "ICMS",
  "ICMT", "ICOP", "ICRD", "ICRP", "IDIM", "IDPI", "IENG", "IGNR", "IKEY", "ILGT", "ILNG", "IMED",
  "INAM", "IPLT", "IPRD", "IPRT", "ITRK", "ISBJ", "ISFT", "ISHP", "ISMP", "ISRC", "ISRF", "ITCH",
]

extension DemuxerTraits {
  static let riff = [
    DemuxerTraits(
      "wav", keySpace: "riff", storesSamplesAsRead: true, seeksLinearSamplesByNumber: true,
      structure: .chunks(.riff), tagLayout: .wave),
    avi,
    DemuxerTraits(
      "w64", keySpace: "riff", storesSamplesAsRead: true, seeksLinearSamplesByNumber: true,
      structure: .chunks(.wave64)),
  ]

  private static let avi: DemuxerTraits = {
    var traits = DemuxerTraits(
      "avi", keySpace: "riff", storesSamplesAsRead: true, structure: .chunks(.riff))
    traits.miscountsPictures = true
    traits.miscountsAudio = true
    traits.guessesPresentationTimes = true
    traits.countsAudioInBlocks = true
    return traits
  }()
}
