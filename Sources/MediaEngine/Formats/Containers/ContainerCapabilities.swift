import LibAV

/// The capabilities of a type of file; libavformat's muxers report only a part of them.
struct ContainerCapabilities: Sendable {
  /// The kinds of tracks that a file can have.
  var kinds: Set<MediaKind> = [.video, .audio, .subtitle, .data]
  /// The maximum number of audio tracks; nil for no limit.
  var maximumAudioTracks: Int?
  /// The maximum number of subtitle tracks; nil for no limit.
  var maximumSubtitleTracks: Int?
  /// FFmpeg's names of the codecs; nil if the muxer knows them itself.
  var codecs: Set<String>?
  /// The codecs that exports encode for the type, by their names in settings; the first is the
  /// default. A type without any for video is an audio type.
  var encodedVideo: [String] = []
  var encodedAudio: [String] = []
  /// The codec for text that can't be copied; nil if the type has none for text.
  var textCodec: String?
  /// True if overlapping texts of a track have a sample each. Otherwise a sample has all texts that
  /// are shown at a time (3GPP TS 26.245, 5.14).
  var textMayOverlap = true
  /// True if an edit list hides times before zero.
  var hasEditLists = false
  /// False if nothing states the duration of a frame. The last frame is then assumed to be as long
  /// as the previous one.
  var statesLastDuration = true
  var gaps = Gaps.all
  /// True if samples of H.264 and HEVC have start codes, not lengths.
  var storesAnnexB = false
  /// True if each frame of AAC states its configuration (ADTS).
  var storesADTS = false
  /// True if this FFmpeg writes a rotation in the container.
  var supportsDisplayMatrix = false

  /// The kinds of audio that can pause. For others, silence has to be written.
  enum Gaps: Sendable {
    /// Each block has a time.
    case all
    /// Linear samples have one duration, which alone determines their times (a movie's sample
    /// tables).
    case exceptPCM
    /// Blocks are contiguous. (Ogg's pages have times, but not the blocks in a page.)
    case none
  }
}

extension ContainerFormat {
  /// Returns true if samples of a track can be copied into such a file.
  func canHold(_ media: MediaFormat) -> Bool {
    guard let muxer, capabilities.kinds.contains(media.kind), media.tiles == nil,
      media.animation == nil
    else {
      return false
    }
    if let codecs = capabilities.codecs { return codecs.contains(media.parameters.codecName) }
    return Muxer.canHold(media.parameters, format: muxer)
  }

  /// Returns true if audio of that codec can have a pause. Otherwise silence has to be written.
  ///
  /// - Parameter codec: FFmpeg's name of the codec.
  func supportsGaps(_ codec: String) -> Bool {
    switch capabilities.gaps {
    case .all: true
    case .exceptPCM: !CodecTraits(codec).isPCM
    case .none: false
    }
  }
}
