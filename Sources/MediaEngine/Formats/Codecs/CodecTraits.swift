import MediaTime

/// The properties of a codec in addition to a stream's parameters: the dependencies between its
/// packets, and the properties that its samples state themselves.
///
/// A codec is added in one place, `AudioCodecs.swift` or `VideoCodecs.swift`. The defaults apply to
/// all other codecs and are safe for each.
///
/// There are three prerolls for three purposes, and they differ on purpose. A decode may begin
/// early and discard samples, which costs only time (``decodePreroll``). A copy carries its early
/// packets into the file (``copyPreroll``). Cursors report the preroll that the codec's
/// specification guarantees to be enough (``refresh``).
struct CodecTraits: Sendable {
  /// True for linear samples in any format.
  var isPCM = false
  /// True if packets consist only of interleaved samples of all channels, which can be cut
  /// anywhere.
  var isInterleavedPCM = false
  /// True for raw video in any pixel format, which needs no decoder.
  var isRawVideo = false
  /// True if packets may differ in duration, regardless of the container's statement.
  var hasVariableBlocks = false
  /// True if all samples of all packets are heard, and each packet has the same number: no padding
  /// is stated anywhere.
  var endsWithItsPackets = false
  /// True if containers state the samples of the last packet that aren't heard.
  var statesItsPadding = false
  /// The time to decode before a sample so that it is the same as in a decode from the beginning.
  /// The default is enough for the memory of recursive filters to fade.
  var decodePreroll = Time(value: 3, timescale: 1)
  var copyPreroll = CopyPreroll.duration(Time(value: 1, timescale: 10), crossesPauses: false)
  /// The packets that a decoder needs before a sample, by the codec's specification.
  var refresh = DecoderRefresh.randomAccess
  /// The refresh by FFmpeg's name of a profile, for profiles with a more precise one.
  var refreshOfProfiles: [String: DecoderRefresh] = [:]

  /// The syntax of the samples' NAL units; nil for other codecs.
  var nalSyntax: NALSyntax?
  /// True if the decoder's threads may deadlock on damaged samples. The decoder is then limited to
  /// one thread.
  var mayDeadlock = false
  /// True if threads that share a frame decode a damaged one otherwise than one thread does, and report no error:
  /// those of HEVC begin each row where the slice's header states, one thread goes on where the row before ended.
  /// A decoder for few frames is then limited to one thread.
  var rowsDifferByDamage = false
  /// True if samples contain everything that a decoder needs, regardless of the container's
  /// configuration.
  var samplesConfigureDecoder = false
  /// True if two fields of a frame may be in two samples.
  var mayStoreFields = false
  /// True if decoded frames state whether they consist of fields; of other codecs the container does.
  var statesFields = true
  /// True if no decoded frame consists of two fields: the codec has none, or decoders make a frame of each.
  var isNeverInterlaced = false
  /// True if samples state their colours, in any container.
  var statesColor = false
  /// The matrix of all its samples, by H.273, if the container states none; nil for codecs with
  /// several.
  var matrix: Int32?
  /// True if samples state the location of their chroma samples, or the codec has only one.
  var statesChromaLocation = false

  /// True if a movie's tables describe its samples completely. libavformat's mov demuxer parses the
  /// samples of other codecs, and may split or join them.
  var isFullyIndexedByMovies = false

  /// The packets of audio that are copied before a packet so that it is decoded as from the
  /// beginning: transforms overlap, and filters have a memory.
  enum CopyPreroll: Sendable {
    case none
    /// Main data may begin up to `bytes` earlier, in packets of which `overhead` bytes of headers
    /// and side information don't count. A packet is decoded correctly only after `packets` others
    /// that are.
    case bitReservoir(bytes: Int, overhead: Int, packets: Int)
    /// At least this duration, and two packets: the one that overlaps and the one after it.
    ///
    /// - crossesPauses: packets differ in duration, so that a long one isn't a pause.
    case duration(Time, crossesPauses: Bool)
  }

  /// - Parameter codec: FFmpeg's name of the codec.
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

  /// Returns the number of threads of a decoder.
  ///
  /// - Parameters:
  ///   - wanted: 0 lets libavcodec choose.
  ///   - sharesFrames: true for threads that share a frame.
  func threads(wanted: Int, sharesFrames: Bool) -> Int {
    mayDeadlock || (sharesFrames && rowsDifferByDamage) ? 1 : wanted
  }

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

/// The packets that a decoder needs before a sample of a track to decode it correctly.
enum DecoderRefresh: Sendable {
  /// Decoding from the preceding random-access point; for audio, nothing more precise is known.
  case randomAccess
  /// Decoding can begin with any audio packet; the first N packets aren't exact then.
  case packets(Int)
  /// Decoding can begin with any audio packet; this duration isn't exact then.
  case duration(Time)
  /// Decoding can begin with sync samples only.
  case syncSamples
}

/// The codecs whose NAL units are read and written here.
enum NALSyntax: Sendable {
  /// ITU-T H.264.
  case h264
  /// ITU-T H.265.
  case hevc
}
