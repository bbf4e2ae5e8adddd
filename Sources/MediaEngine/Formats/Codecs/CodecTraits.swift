import MediaTime

/// What the engine knows of a codec beside a stream's parameters: what its packets need of each other,
/// and what its samples state themselves.
///
/// A codec is added in one place, `AudioCodecs.swift` or `VideoCodecs.swift`; of one that isn't there the
/// defaults hold, which are safe for all.
///
/// There are three prerolls, for three purposes, and they differ on purpose: a decode may begin early and
/// throw away, which costs time only (``decodePreroll``); a copy carries what it begins early with into
/// the file (``copyPreroll``); and what cursors report is what the codec's specification promises
/// (``refresh``).
struct CodecTraits: Sendable {
  /// Linear samples, of whatever format.
  var isPCM = false
  /// Packets are nothing but samples of all channels in a row, which can be cut anywhere.
  var isInterleavedPCM = false
  /// Pictures as they are, of whatever format, which need no decoder.
  var isRawVideo = false
  /// The first packet only prepares the decoder, and no samples come out of it.
  var firstPacketIsSilent = false
  /// Packets may be of different lengths, whatever the container states about them.
  var hasVariableBlocks = false
  /// All samples of all packets are heard, and each packet has as many: no padding is stated anywhere.
  var endsWithItsPackets = false
  /// What to decode before a sample so that it comes out as in a decode from the beginning. By default
  /// what recursive filters remember, which fades away.
  var decodePreroll = Time(value: 3, timescale: 1)
  var copyPreroll = CopyPreroll.duration(Time(value: 1, timescale: 10), crossesPauses: false)
  /// What a decoder needs before a sample, by the codec's specification.
  var refresh = DecoderRefresh.randomAccess
  /// The same by FFmpeg's name of a profile, where it is more precise.
  var refreshOfProfiles: [String: DecoderRefresh] = [:]

  /// How the NAL units of samples are coded; nil where there are none.
  var nalSyntax: NALSyntax?
  /// The decoder's threads may wait for each other for ever where samples are damaged, so that it gets one.
  var mayDeadlock = false
  /// Samples have all that a decoder needs, whatever the container has of a configuration.
  var samplesConfigureDecoder = false
  /// A picture may be two fields in two samples.
  var mayStoreFields = false
  /// Samples state what their colours are, whatever the container is.
  var statesColor = false
  /// The matrix of all its samples, by H.273, where the container states none; nil for codecs with several.
  var matrix: Int32?
  /// Samples state where their chroma samples lie, or have them in one place only.
  var statesChromaLocation = false

  /// A movie's tables describe its samples completely; those of others libavformat's mov demuxer parses,
  /// and may cut up or join.
  var isFullyIndexedByMovies = false

  /// What is copied before a packet of audio so that it comes out as in a decode from the beginning:
  /// transforms overlap, and filters have a memory.
  enum CopyPreroll: Sendable {
    case none
    /// Main data may begin up to `bytes` earlier, in packets of which `overhead` bytes of headers and
    /// side information don't count; and those come out right only behind `packets` that do.
    case bitReservoir(bytes: Int, overhead: Int, packets: Int)
    /// At least so long, and two packets: what overlaps, and what follows it.
    ///
    /// - crossesPauses: packets are of different lengths, so that a long one is no pause.
    case duration(Time, crossesPauses: Bool)
  }

  /// - Parameter codec: FFmpeg's name of it.
  init(_ codec: String) {
    if let known = CodecTraits.table[codec] {
      self = known
    } else if codec.hasPrefix("pcm_") {
      self = .pcm(isInterleaved: !codec.hasSuffix("_planar"))
    } else {
      self.init()
    }
  }

  init() {}

  /// The number of threads of a decoder.
  ///
  /// - Parameter wanted: 0 lets libavcodec choose.
  func threads(wanted: Int) -> Int { mayDeadlock ? 1 : wanted }

  static func make(_ change: (inout CodecTraits) -> Void) -> CodecTraits {
    var traits = CodecTraits()
    change(&traits)
    return traits
  }

  private static let table = audio.merging(video) { first, _ in first }
    .merging(other) { first, _ in first }

  private static let other: [String: CodecTraits] = {
    let indexed = make { $0.isFullyIndexedByMovies = true }
    return ["mov_text": indexed, "none": indexed, "bin_data": indexed]
  }()
}

/// What a decoder needs before a sample of a track so that it comes out right.
enum DecoderRefresh: Sendable {
  /// Decoding from the random-access point before it; of audio, no more is known.
  case randomAccess
  /// Every audio packet can be begun with, and so many are not exact then.
  case packets(Int)
  /// Likewise, by time.
  case duration(Time)
  /// Only sync samples can be begun with.
  case syncSamples
}

/// The codecs whose NAL units are read and written here.
enum NALSyntax: Sendable {
  /// ITU-T H.264.
  case h264
  /// ITU-T H.265.
  case hevc
}
