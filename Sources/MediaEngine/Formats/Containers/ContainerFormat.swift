/// Everything that the engine knows of one kind of file, as what it writes; what the demuxers make of
/// such files is in ``DemuxerTraits``.
///
/// A container is added in one place: in its family's file in this folder, and in ``all``. Nothing else
/// compares names of containers; what a new one needs that no field has becomes a field here.
struct ContainerFormat: Sendable {
  /// Our short name for it: "mp4", "mkv".
  var name: String
  /// Apple's identifier, or a public one.
  var identifier: String
  /// Extensions of paths, in lower case and without the dot, the usual one first.
  var extensions: [String]
  /// The usual one first.
  var mimeTypes: [String]
  /// libavformat's demuxer; nil where such files aren't read.
  var demuxer: String?
  /// libavformat's muxer for such files; nil where they aren't written.
  var muxer: String?
  /// The muxer that is used in place of ``muxer``, where one writes more.
  var replacementMuxer: String?
  /// The major brand of a movie, where it isn't the one that the muxer writes.
  var brand: String?
  var capabilities = ContainerCapabilities()
  var metadata = MetadataCapabilities()
  var overhead = ContainerOverhead()

  /// There is a movie box (ISO/IEC 14496-12), with a timescale of its own, lists of metadata items, and
  /// tables of samples that can be moved to the front.
  var hasMovieHeader = false
  /// Files of few packets are filled up with null packets, so that programs recognise them.
  var isPaddedWithNullPackets = false
  /// The muxer's options for a file that is of use while it grows.
  var growingOptions: [String: String] = [:]
  /// The header states how long the file and its samples are (RIFF).
  var statesLengths = false
  /// The header states how many samples of audio there are (FLAC's STREAMINFO).
  var statesSampleCount = false
  /// The file is nothing but frames of FLAC, each of which has its number (RFC 9639, section 9.1.5).
  var hasNumberedFrames = false
  /// The duration of the last packet determines where audio ends (Ogg's granule positions).
  var endsWithPacketDuration = false
  /// Streams have serial numbers, which differ from those of all that the file may be chained with (RFC
  /// 3533, section 4).
  var hasSerialNumbers = false
  /// Where the priming of Opus is written; nil where an edit list has it, or nothing.
  var opusPriming: OpusPriming?

  /// How many samples of MP3 its header can have discarded at the beginning; nil where nothing states that in the
  /// file. LAME's tag has 12 bits for it, to which readers add the 529 samples of a decoder's delay; without the tag
  /// they discard nothing.
  var mp3Delays: ClosedRange<Int>?

  enum OpusPriming: Sendable {
    /// In the header (OpusHead; RFC 7845, section 5.1); time stamps are left as they are.
    case header
    /// In the header, and players subtract it from time stamps, which have to be as much later
    /// (Matroska's CodecDelay). libavformat before FFmpeg 6.0 writes the header and leaves the stamps.
    case headerAndTimes
  }

  /// True where libavformat's demuxer of this name reads such files.
  func isRead(by name: String) -> Bool { demuxer == name }

  /// How tags lie in files that are written, where several values of one can be put into it; nil elsewhere.
  var editableTags: DemuxerTraits.TagLayout? {
    let layout = demuxer.flatMap { DemuxerTraits(formatName: $0).tagLayout }
    return layout == .wave ? nil : layout
  }

  /// The muxer that writes such files; nil where they aren't written.
  var writer: String? { replacementMuxer ?? muxer }

  /// Every format, in the order in which they are listed and matched.
  static let all: [ContainerFormat] = [
    mov, mp4, mkv, m4v, m4a, threeGPP, mka, webm, avi, ts, mpg, flv, mp3, wav, aiff, caf, aac, ac3,
    eac3, amr, flac, ogg, oga, opus, gif, srt, vtt, jpg, png, webp, bmp, tiff,
  ]
}
