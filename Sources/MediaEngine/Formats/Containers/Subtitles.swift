import LibAV

// Files that consist of one track of subtitles: SubRip, WebVTT and scripts of Advanced SubStation Alpha.

extension ContainerFormat {
  static let srt = subtitles(
    "srt", "org.subrip.srt", mimeType: "application/x-subrip", codec: "subrip", demuxer: "srt")

  static let vtt = subtitles("vtt", "org.w3.webvtt", mimeType: "text/vtt", codec: "webvtt")

  static let ass = subtitles(
    "ass", "org.aegisub.ass", mimeType: "text/x-ssa", codec: "ass", extensions: ["ass", "ssa"])

  /// - Parameters:
  ///   - demuxer: the name of libavformat's demuxer and muxer; nil if it is the codec's.
  ///   - extensions: nil for the name.
  private static func subtitles(
    _ name: String, _ identifier: String, mimeType: String, codec: String, demuxer: String? = nil,
    extensions: [String]? = nil
  ) -> ContainerFormat {
    let demuxer = demuxer ?? codec
    return ContainerFormat(
      name: name, identifier: identifier, extensions: extensions ?? [name], mimeTypes: [mimeType],
      demuxer: demuxer, muxer: demuxer,
      capabilities: ContainerCapabilities(
        kinds: [.subtitle], maximumSubtitleTracks: 1, codecs: [codec], textCodec: codec))
  }
}

extension DemuxerTraits {
  /// Files of subtitles that are text. Those that aren't allowed by default may be added.
  static let texts: [DemuxerTraits] = [
    "srt", "webvtt", "ass", "microdvd", "subviewer", "subviewer1", "sami", "jacosub", "mpl2",
    "mpsub", "pjs", "realtext", "stl", "vplayer", "aqtitle", "lrc", "tedcaptions",
  ].map { name in
    var traits = DemuxerTraits(name)
    traits.isText = true
    traits.countsFrames = name == "microdvd"
    return traits
  }
}
