import JSONRPC

/// The format of a track's samples.
///
/// The members for one kind of media are absent for the others; so are properties that the file does
/// not state.
public struct WireFormatDescription: Codable, Sendable {
  /// The kind of media.
  public var mediaType: WireMediaType
  /// The format as a four-character code, for example `avc1` or `aac `, or FFmpeg's name where there
  /// is none.
  public var mediaSubType: String
  /// The format by FFmpeg's name, for example `h264`.
  public var codec: String
  /// The name of the format in the movie, usually that of the compressor.
  public var formatName: String?
  /// The profile by FFmpeg's name, for example `High`.
  public var profile: String?
  /// The level as the format writes it, for example `40` for H.264's 4.0.
  public var level: Int?
  /// The size of the set-up data that a decoder needs, in bytes; 0 when it has none.
  public var extradataSize: Int
  /// The set-up data, as FFmpeg holds it: for H.264 the payload of `avcC`, for AAC the
  /// AudioSpecificConfig, for Opus `OpusHead`. Absent when there is none, and above 1 MiB.
  public var extradata: Base64Data?
  /// The set-up data as MP4 has it: the payloads of the boxes in a sample description, by their
  /// names `avcC`, `hvcC`, `vvcC`, `av1C`, `esds`, `alac`, `dfLa` and `dOps`. For other containers they
  /// are made from `extradata`, and `esds` always is.
  public var sampleDescriptionExtensions: [String: Base64Data]?
  /// The video properties.
  public var video: WireVideoFormat?
  /// The audio properties.
  public var audio: WireAudioFormat?
  /// The timecode.
  public var timecode: WireTimecodeFormat?

  package init(
    mediaType: WireMediaType, mediaSubType: String, codec: String, formatName: String? = nil,
    profile: String? = nil,
    level: Int? = nil, extradataSize: Int, extradata: Base64Data? = nil,
    sampleDescriptionExtensions: [String: Base64Data]? = nil, video: WireVideoFormat? = nil,
    audio: WireAudioFormat? = nil, timecode: WireTimecodeFormat? = nil
  ) {
    self.mediaType = mediaType
    self.mediaSubType = mediaSubType
    self.codec = codec
    self.formatName = formatName
    self.profile = profile
    self.level = level
    self.extradataSize = extradataSize
    self.extradata = extradata
    self.sampleDescriptionExtensions = sampleDescriptionExtensions
    self.video = video
    self.audio = audio
    self.timecode = timecode
  }
}

/// The timecode of a format description.
public struct WireTimecodeFormat: Codable, Sendable, Equatable {
  /// The duration of a frame; `"invalid"` when unknown.
  public var frameDuration: WireTime
  /// The number of frames that count as a second, for example 30 for 29.97; 0 when unknown.
  public var frameQuanta: Int
  /// True if numbers are skipped so that the timecode keeps up with the clock.
  public var isDropFrame: Bool
  /// True if it begins again after 24 hours.
  public var is24HourMaximum: Bool
  /// True if it can be negative.
  public var areNegativeTimesAllowed: Bool
  /// True if it is a plain count instead of a time.
  public var isCounter: Bool
  /// The first timecode, for example `01:00:00;00`.
  public var startTimecode: String?

  package init(
    frameDuration: WireTime, frameQuanta: Int, isDropFrame: Bool, is24HourMaximum: Bool,
    areNegativeTimesAllowed: Bool, isCounter: Bool, startTimecode: String? = nil
  ) {
    self.frameDuration = frameDuration
    self.frameQuanta = frameQuanta
    self.isDropFrame = isDropFrame
    self.is24HourMaximum = is24HourMaximum
    self.areNegativeTimesAllowed = areNegativeTimesAllowed
    self.isCounter = isCounter
    self.startTimecode = startTimecode
  }
}
