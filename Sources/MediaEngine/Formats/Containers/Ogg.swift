import LibAV

// Ogg (RFC 3533) and its types for audio (RFC 5334, RFC 7845).

extension ContainerFormat {
  static let ogg = oggFile(
    name: "ogg", "org.xiph.ogg", ["ogg", "ogv"], ["audio/ogg", "video/ogg"],
    // The codecs for which oggenc.c writes headers.
    capabilities: ContainerCapabilities(
      kinds: [.video, .audio], codecs: ["vorbis", "theora", "speex", "flac", "opus", "vp8"],
      encodedAudio: oggAudio, gaps: .none))

  static let oga = oggFile(
    name: "oga", "org.xiph.ogg-audio", ["oga"], ["audio/ogg"],
    capabilities: ContainerCapabilities(
      kinds: [.audio], codecs: ["vorbis", "speex", "flac", "opus"], encodedAudio: oggAudio,
      gaps: .none))

  private static let oggAudio = ["opus", "vorbis", "flac"]

  static let opus = oggFile(
    name: "opus", "org.xiph.opus", ["opus"], ["audio/opus"],
    capabilities: ContainerCapabilities(
      kinds: [.audio], maximumAudioTracks: 1, codecs: ["opus"], encodedAudio: ["opus"],
      gaps: .none))

  private static func oggFile(
    name: String, _ identifier: String, _ extensions: [String], _ mimeTypes: [String],
    capabilities: ContainerCapabilities
  ) -> ContainerFormat {
    ContainerFormat(
      name: name, identifier: identifier, extensions: extensions, mimeTypes: mimeTypes,
      demuxer: "ogg", muxer: "ogg", capabilities: capabilities, metadata: .ogg, overhead: .ogg,
      endsWithPacketDuration: true, hasSerialNumbers: true, opusPriming: .header)
  }
}

extension MetadataCapabilities {
  // oggenc.c: ogg_init, ogg_write_vorbiscomment. The comments of Ogg are its streams'.
  fileprivate static let ogg = MetadataCapabilities(
    items: .names(except: []), itemsBelongToTracks: true, forbidsEqualsSign: true,
    sharesNameOfComment: true, chapters: .comments, artwork: .comment, language: .text,
    supportsTrackItems: true)
}

extension DemuxerTraits {
  static let ogg: DemuxerTraits = {
    var traits = DemuxerTraits("ogg", keySpace: "vorbis", statesSampleCount: true)
    traits.tagsOfOnlyTrackAreOfTheFile = true
    traits.shortensLastPacket = true
    // The last granule position includes the priming (RFC 7845, section 4.4).
    traits.codecsWithStatedPriming = ["opus"]
    traits.structure = .pages
    traits.tagLayout = .ogg
    return traits
  }()
}
