/// The properties of one kind of file when it is written. The properties that demuxers report of
/// such files are in ``DemuxerTraits``.
///
/// A container is added in one place: in its family's file in this folder, and in ``all``. Nothing
/// else compares names of containers. A property that a new container needs and no field has
/// becomes a field here.
struct ContainerFormat: Sendable {
  /// The engine's short name: "mp4", "mkv".
  var name: String
  /// Apple's identifier, or a public one.
  var identifier: String
  /// Extensions of paths, in lower case and without the dot, the usual one first.
  var extensions: [String]
  /// The MIME types, the usual one first.
  var mimeTypes: [String]
  /// libavformat's demuxer; nil if such files can't be read.
  var demuxer: String?
  /// libavformat's muxer for such files; nil if they can't be written.
  var muxer: String?
  /// The muxer that replaces ``muxer`` if it writes more.
  var replacementMuxer: String?
  /// The major brand of a movie; nil for the muxer's.
  var brand: String?
  var capabilities = ContainerCapabilities()
  var metadata = MetadataCapabilities()
  var overhead = ContainerOverhead()

  /// True if the file has a movie box (ISO/IEC 14496-12), with a timescale of its own, lists of
  /// metadata items, and tables of samples that can be moved to the front.
  var hasMovieHeader = false
  /// True if files of few packets are filled up with null packets, so that programs recognise them.
  var isPaddedWithNullPackets = false
  /// The muxer's options.
  var options: [String: String] = [:]
  /// The statement of the number of times that an animation is played; nil if it has none.
  var playCount: PlayCount?
  /// The muxer's options for a file that can be used while it grows.
  var growingOptions: [String: String] = [:]
  /// True if the header states the lengths of the file and of its samples (RIFF).
  var statesLengths = false
  /// True if the muxer guesses the duration of the last frame (WebP).
  var guessesLastDuration = false
  /// True if the header states the number of audio samples (FLAC's STREAMINFO).
  var statesSampleCount = false
  /// True if the file consists only of FLAC frames, each of which has its number (RFC 9639, section
  /// 9.1.5).
  var hasNumberedFrames = false
  /// True if the duration of the last packet determines the end of audio (Ogg's granule positions).
  var endsWithPacketDuration = false
  /// True if streams have serial numbers, which differ from those of all streams that the file may
  /// be chained with (RFC 3533, section 4).
  var hasSerialNumbers = false
  /// The location of Opus priming; nil if an edit list has it, or nothing.
  var opusPriming: OpusPriming?

  /// The numbers of MP3 samples at the beginning that the header can declare as discarded; nil if
  /// nothing in the file states that. LAME's tag has 12 bits for it, to which readers add the 529
  /// samples of a decoder's delay. Without the tag they discard nothing.
  var mp3Delays: ClosedRange<Int>?

  /// The statement of the number of times that an animation is played, by an option of the muxer.
  enum PlayCount: Sendable {
    /// The number of plays; 0 for ever again.
    case plays(String)
    /// The number of plays after the first one; 0 for ever again, -1 for none.
    case repeats(String)

    /// - Parameter count: 0 for ever again.
    func options(_ count: Int) -> [String: String] {
      let count = min(max(count, 0), Int(UInt16.max))
      return switch self {
      case .plays(let name): [name: String(count)]
      case .repeats(let name): [name: String(count == 0 ? 0 : count == 1 ? -1 : count - 1)]
      }
    }
  }

  enum OpusPriming: Sendable {
    /// In the header (OpusHead; RFC 7845, section 5.1); time stamps are left as they are.
    case header
    /// In the header; players subtract it from time stamps, which have to be later by that time
    /// (Matroska's CodecDelay). libavformat before FFmpeg 6.0 writes the header and doesn't change
    /// the time stamps.
    case headerAndTimes
  }

  /// Returns true if libavformat's demuxer of this name reads such files.
  func isRead(by name: String) -> Bool { demuxer == name }

  /// The layout of tags in written files, if several values of one tag can be written; nil for
  /// other files.
  var editableTags: DemuxerTraits.TagLayout? {
    let layout = demuxer.flatMap { DemuxerTraits(formatName: $0).tagLayout }
    return layout == .wave ? nil : layout
  }

  /// The muxer that writes such files; nil if they can't be written.
  var writer: String? { replacementMuxer ?? muxer }

  /// All formats, in the order in which they are listed and matched.
  static let all: [ContainerFormat] = [
    mov, mp4, mkv, m4v, m4a, threeGPP, mka, webm, avi, ts, mpg, flv, mp3, wav, aiff, caf, aac, ac3,
    eac3, amr, flac, ogg, oga, opus, gif, apng, srt, vtt, ass, jpg, png, webp, bmp, tiff,
  ]
}
