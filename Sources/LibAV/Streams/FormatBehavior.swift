internal import CLibAV

// The differences between libavformat's demuxers and muxers that callers of LibAV shouldn't notice.
// The capabilities of containers are no matter of this target.

/// The peculiarities of a demuxer for which ``Demuxer`` compensates.
struct DemuxerBehavior: Sendable {
  /// The structure in which the container declares its media, which shows if the file is cut short:
  /// a demuxer takes the end of the file for the end of its media.
  var declaredEnd = DeclaredEnd.none
  /// True if it measures the last sample after an empty edit wrongly.
  var misjudgesLastDuration = false
  /// The number of bits of a clock's counter that may begin again in the middle of a file; nil if
  /// there is none.
  var clockBits: Int?
  /// True if the durations that it states leave out frames without a duration of their own, for
  /// which it chooses one itself.
  var misjudgesDuration = false
  /// True if the samples of Vorbis are too late where a stream has one page of them.
  var misplacesShortVorbis = false
  /// True if the container has a table of the audible samples.
  var hasPacketTable = false
  /// True if it reads one image, which isn't a frame of a video.
  var isOfStillPictures = false
  /// True if a packet of MPEG-4 may hold a frame and the one that is shown before it, followed by
  /// an empty packet, as Video for Windows needed it.
  var mayPackPictures = false
  /// The bytes with which a file begins, where the demuxer reads on after its end, into another one; nil elsewhere.
  var signature: [UInt8]?
  /// True if the times of another file may continue those of the first, so that all bytes are searched for it.
  var hidesNextFile = false

  enum DeclaredEnd: Sendable {
    case none
    /// The index that it has made of a movie's tables.
    case index
    /// The header of the one segment (RFC 8794, section 6).
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
    case "flac": signature = Array("fLaC\0\0\0\u{22}".utf8)
    case "flv": signature = Array("FLV\u{01}".utf8)
    case "ivf":
      signature = Array("DKIF\0\0\u{20}\0".utf8)
      hidesNextFile = true
    case "nut":
      signature = Array("nut/multimedia container\0".utf8)
      hidesNextFile = true
    case .some(let name) where name.hasSuffix("_pipe"): isOfStillPictures = true
    default: break
    }
  }

  /// Returns the filter of a stream's packets; nil for none.
  func filter(of stream: UnsafePointer<AVStream>) -> PacketFilter? {
    guard mayPackPictures, unsafe stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_MPEG4
    else { return nil }
    return unsafe PacketFilter("mpeg4_unpack_bframes", stream)
  }
}

/// The peculiarities of a muxer for which ``Muxer`` compensates.
struct MuxerBehavior: Sendable {
  /// True if its code of HEVC, "hev1", isn't the one that Apple's players know.
  var needsHVC1 = false
  /// True if it writes a box of the channels of uncompressed audio (`chnl`), since 7.0, and fails
  /// at the end of the file if their layout isn't stated.
  var needsChannelLayout = false
  /// True if it moves a packet whose decode time is further after the one before it than its tables
  /// can express.
  var limitsDistance = false
  /// True if it writes no durations but the distances of packets; the last one's is an option.
  var needsFinalDelay = false
  /// True if that option is a number of seconds, not of ticks.
  var hasFinalDelayInSeconds = false
  /// True if it writes random numbers, unless it is to write the same bytes each time.
  var drawsNumbers = false

  init(_ name: String) {
    switch name {
    case "mov", "mp4":
      needsHVC1 = true
      limitsDistance = true
      needsChannelLayout = name == "mp4"
    case "gif": needsFinalDelay = true
    case "apng": (needsFinalDelay, hasFinalDelayInSeconds) = (true, true)
    case "matroska", "webm", "ogg": drawsNumbers = true
    default: break
    }
  }
}

extension Muxer {
  /// True if the muxers for Matroska and WebM write a stream's rotation, as from FFmpeg 6.1 on.
  package static var matroskaSupportsDisplayMatrix: Bool { rw_matroska_supports_display_matrix }
  /// True if they add a codec's delay to the time stamps, as from FFmpeg 6.0 on.
  package static var matroskaAddsCodecDelay: Bool { rw_matroska_adds_codec_delay }
}

extension Demuxer.Options {
  /// The options of demuxers, as a dictionary of libav that the caller frees; unknown options stay in it.
  var dictionary: OpaquePointer? {
    var dictionary: OpaquePointer?
    // Of mov.
    if ignoresEditLists { unsafe av_dict_set(&dictionary, "ignore_editlist", "1", 0) }
    // Of jpeg_pipe.
    if let size = stillPicture?.packetSize {
      unsafe av_dict_set_int(&dictionary, "frame_size", size, 0)
    }
    // Of microdvd.
    if let rate = subtitleFrameRate {
      unsafe av_dict_set(&dictionary, "subfps", "\(rate.numerator)/\(rate.denominator)", 0)
    }
    return unsafe dictionary
  }
}
