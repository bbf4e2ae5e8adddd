internal import CLibAV

// Where libavformat's demuxers and muxers behave differently from each other, and callers of LibAV
// shouldn't notice. What containers are capable of is no matter of this target.

/// What ``Demuxer`` makes up for, by the demuxer.
struct DemuxerBehavior: Sendable {
  /// Where the container states that there is media, which shows whether the file is cut short: a demuxer
  /// takes the end of the file for the end of its media.
  var declaredEnd = DeclaredEnd.none
  /// Behind an empty edit it measures the last sample wrongly.
  var misjudgesLastDuration = false
  /// Of how many bits the counter of a clock is that may begin again in the middle of a file; nil where
  /// none does.
  var clockBits: Int?
  /// The durations that it states leave out frames that have none of their own, which it shows for as long
  /// as it sees fit.
  var misjudgesDuration = false
  /// The samples of Vorbis are too late where a stream has one page of them.
  var misplacesShortVorbis = false
  /// The container has a table of which samples are heard.
  var hasPacketTable = false
  /// It reads one picture, which isn't one of a video.
  var isOfStillPictures = false
  /// A packet of MPEG-4 may hold a picture and the one that is shown before it, followed by a packet with
  /// nothing in it, as Video for Windows needed it.
  var mayPackPictures = false

  enum DeclaredEnd: Sendable {
    case none
    /// In the index that it has made of a movie's tables.
    case index
    /// In the header of the one segment (RFC 8794, section 6).
    case segment
  }

  /// - Parameter name: libavformat's name, aliases included.
  init(_ name: String) {
    switch name.split(separator: ",").first {
    case "mov":
      declaredEnd = .index
      misjudgesLastDuration = true
    case "matroska":
      declaredEnd = .segment
      mayPackPictures = true
    case "avi", "asf": mayPackPictures = true
    // ISO/IEC 13818-1, 2.4.3.7.
    case "mpegts", "mpeg": clockBits = 33
    case "ogg": misplacesShortVorbis = true
    case "caf": hasPacketTable = true
    case "gif": misjudgesDuration = true
    case .some(let name) where name.hasSuffix("_pipe"): isOfStillPictures = true
    default: break
    }
  }

  /// What a stream's packets go through; nil for none.
  func filter(of stream: UnsafePointer<AVStream>) -> PacketFilter? {
    guard mayPackPictures, unsafe stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_MPEG4
    else { return nil }
    return unsafe PacketFilter("mpeg4_unpack_bframes", stream)
  }
}

/// What ``Muxer`` makes up for, by the muxer.
struct MuxerBehavior: Sendable {
  /// The code that it gives to HEVC, "hev1", isn't the one that Apple's players know.
  var needsHVC1 = false
  /// It writes a box of the channels of uncompressed audio (`chnl`), since 7.0, and fails at the end of the file
  /// where their layout isn't stated.
  var needsChannelLayout = false
  /// It moves a packet that is decoded further behind the one before it than its tables can express.
  var limitsDistance = false
  /// It writes no durations but the distances of packets; the last one's is an option.
  var needsFinalDelay = false
  /// It gives random numbers to what it writes, unless it is to write the same bytes each time.
  var drawsNumbers = false

  init(_ name: String) {
    switch name {
    case "mov", "mp4":
      needsHVC1 = true
      limitsDistance = true
      needsChannelLayout = name == "mp4"
    case "gif": needsFinalDelay = true
    case "matroska", "webm", "ogg": drawsNumbers = true
    default: break
    }
  }
}

extension Muxer {
  /// True when the muxers for Matroska and WebM write a stream's rotation, as from FFmpeg 6.1 on.
  package static var matroskaSupportsDisplayMatrix: Bool { rw_matroska_supports_display_matrix }
  /// True when they add a codec's delay to the time stamps, as from FFmpeg 6.0 on.
  package static var matroskaAddsCodecDelay: Bool { rw_matroska_adds_codec_delay }
}
