import LibAV

/// The capabilities of a type of file; libavformat's muxers report only a part of them.
struct ContainerCapabilities: Sendable {
  /// The kinds of tracks that there can be.
  var kinds: Set<MediaKind> = [.video, .audio, .subtitle, .data]
  /// The most tracks of audio; nil for any number.
  var maximumAudioTracks: Int?
  /// The most tracks of subtitles; nil for any number.
  var maximumSubtitleTracks: Int?
  /// FFmpeg's names of the codecs, where its muxer doesn't know them itself.
  var codecs: Set<String>?
  /// The codecs that exports encode into it, by the names that their settings have; the first is taken
  /// where no other is asked for. A type without any for video is one of audio.
  var encodedVideo: [String] = []
  var encodedAudio: [String] = []
  /// The codec that text becomes when it can't stay as it is; nil where there is none for text.
  var textCodec: String?
  /// Text that is shown while other text of its track is has a sample of its own; else a sample holds all that
  /// is shown at a time (3GPP TS 26.245, 5.14).
  var textMayOverlap = true
  /// Times before zero are hidden by an edit list.
  var hasEditLists = false
  /// False where nothing states how long a picture is shown: the last one is taken to be as long as the one before it.
  var statesLastDuration = true
  var gaps = Gaps.all
  /// Samples of H.264 and HEVC have start codes, not lengths.
  var storesAnnexB = false
  /// A rotation is written beside the samples, by this FFmpeg.
  var supportsDisplayMatrix = false

  /// The kinds of audio that can pause; for others, silence has to be written.
  enum Gaps: Sendable {
    /// Each block has a time.
    case all
    /// Linear samples have one length, from which alone their times follow (a movie's sample tables).
    case exceptPCM
    /// Blocks follow each other. (Ogg's pages have times, but not the blocks in a page.)
    case none
  }
}

extension ContainerFormat {
  /// True if samples of a track can be put into such a file as they are.
  func canHold(_ media: MediaFormat) -> Bool {
    guard let muxer, capabilities.kinds.contains(media.kind), media.tiles == nil else {
      return false
    }
    if let codecs = capabilities.codecs { return codecs.contains(media.parameters.codecName) }
    return Muxer.canHold(media.parameters, format: muxer)
  }

  /// True if audio of that codec can have a pause; else silence has to be written.
  ///
  /// - Parameter codec: FFmpeg's name of it.
  func supportsGaps(_ codec: String) -> Bool {
    switch capabilities.gaps {
    case .all: true
    case .exceptPCM: !CodecTraits(codec).isPCM
    case .none: false
    }
  }
}
