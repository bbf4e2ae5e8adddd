import LibAV

/// What a type of file can hold; libavformat's muxers report only a part of it.
struct ContainerCapabilities: Sendable {
  /// The kinds of tracks that there can be.
  var kinds: Set<MediaKind> = [.video, .audio, .subtitle, .data]
  /// The maximum number of audio tracks; nil for any number.
  var maximumAudioTracks: Int?
  /// FFmpeg's names of the codecs, where its muxer doesn't know them itself.
  var codecs: Set<String>?
  /// The codec that text becomes when it can't stay as it is; nil where there is none for text.
  var textCodec: String?
  /// Times before zero are hidden by an edit list.
  var hasEditLists = false
  /// Each block of audio has a time; elsewhere a gap has to be silence. (Ogg's pages have times, and the
  /// blocks in a page follow each other.)
  var supportsGaps = true
}

extension FileType {
  var rules: ContainerCapabilities {
    switch name {
    case "mov", "mp4", "m4v":
      ContainerCapabilities(textCodec: "mov_text", hasEditLists: true)
    case "m4a": ContainerCapabilities(kinds: [.audio], hasEditLists: true)
    case "mkv": ContainerCapabilities(textCodec: "subrip")
    case "mka": ContainerCapabilities(kinds: [.audio])
    case "webm":
      ContainerCapabilities(
        kinds: [.video, .audio, .subtitle],
        codecs: ["vp8", "vp9", "av1", "vorbis", "opus", "webvtt"],
        textCodec: "webvtt")
    // What mpegtsenc.c has stream types or descriptors for; MPEG-4 part 2 would lack its headers there,
    // which movies and Matroska keep beside the samples.
    case "ts":
      ContainerCapabilities(
        codecs: [
          "mpeg1video", "mpeg2video", "h264", "hevc", "cavs", "dirac", "vc1", "mp1", "mp2",
          "mp3", "aac", "aac_latm", "ac3", "eac3", "dts", "truehd", "opus", "s302m",
          "dvb_subtitle", "dvb_teletext", "hdmv_pgs_subtitle", "timed_id3", "klv",
        ])
    case "mp3":
      ContainerCapabilities(
        kinds: [.audio], maximumAudioTracks: 1, codecs: ["mp3"], supportsGaps: false)
    // What players expect there; RIFF has a number for nearly every codec.
    case "wav":
      ContainerCapabilities(
        kinds: [.audio], maximumAudioTracks: 1,
        codecs: [
          "pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw",
          "pcm_mulaw", "adpcm_ms", "adpcm_ima_wav",
        ], supportsGaps: false)
    case "flac":
      ContainerCapabilities(
        kinds: [.audio], maximumAudioTracks: 1, codecs: ["flac"], supportsGaps: false)
    // What oggenc.c writes headers for.
    case "ogg":
      ContainerCapabilities(
        kinds: [.video, .audio], codecs: ["vorbis", "theora", "speex", "flac", "opus", "vp8"],
        supportsGaps: false)
    case "oga":
      ContainerCapabilities(
        kinds: [.audio], codecs: ["vorbis", "speex", "flac", "opus"], supportsGaps: false)
    case "opus":
      ContainerCapabilities(
        kinds: [.audio], maximumAudioTracks: 1, codecs: ["opus"], supportsGaps: false)
    case "gif": ContainerCapabilities(kinds: [.video], maximumAudioTracks: 0, codecs: ["gif"])
    default: ContainerCapabilities()
    }
  }

  /// Whether samples of a track can be put into such a file as they are.
  func canHold(_ stream: StreamInfo) -> Bool {
    let rules = rules
    guard let muxer, rules.kinds.contains(stream.kind) else { return false }
    if let codecs = rules.codecs { return codecs.contains(stream.parameters.codecName) }
    return Muxer.canHold(stream.parameters, format: muxer)
  }

  /// Whether audio of that codec can have a gap, or silence has to be written: linear samples of a
  /// movie have one length, from which alone their times follow.
  func supportsGaps(_ codec: String) -> Bool {
    rules.supportsGaps && !(isISOBMFF && codec.hasPrefix("pcm_"))
  }
}
