import LibAV

/// The format of a track's samples (CMFormatDescription).
public struct FormatDescription: Sendable, Hashable {
  public var mediaType: MediaType
  /// The four-character code. For audio, Core Audio's format ID; for other media, the container's
  /// own code, or the usual one of the codec.
  public var mediaSubType: String
  /// FFmpeg's name of the codec.
  public var codec: String
  /// The movie's name of the format, usually the name of the compressor: "H.264", "Lavc61 libx264".
  public var formatName: String?
  public var profile: String?
  public var level: Int?
  /// Size of the decoder's configuration record (avcC, esds …), in bytes.
  public var extradataSize: Int
  /// The decoder's configuration in FFmpeg's form: for H.264 the payload of `avcC`, for AAC the
  /// AudioSpecificConfig, for Opus `OpusHead`. Empty if there is none, or if it exceeds
  /// ``FormatDescription/maximumExtension`` bytes.
  public var extradata: [UInt8]
  /// The boxes that follow a sample description in MP4, payload by name: `avcC`, `hvcC`, `av1C`,
  /// `esds`, `alac`, `dfLa`, `dOps`. Made from ``extradata`` if the file isn't an MP4, or its own
  /// boxes weren't read.
  public var sampleDescriptionExtensions: [String: [UInt8]]
  /// The format of video tracks.
  public var video: Video?
  /// The format of audio tracks.
  public var audio: Audio?
  /// The format of timecode tracks.
  public var timecode: Timecode?

  /// The size in bytes above which configuration records and colour profiles are left out.
  public static let maximumExtension = 1 << 20
}

extension FormatDescription {
  /// - Parameter sampleDescription: the entry of a movie's own table that the samples belong to, if
  ///   it has been read: it takes precedence over FFmpeg's report of it.
  init(
    _ stream: StreamInfo, mediaType: MediaType, sampleDescription: SampleDescription? = nil
  ) {
    self.init(
      stream.format, timecode: stream.timecode, mediaType: mediaType,
      sampleDescription: sampleDescription)
  }

  /// - Parameters:
  ///   - timecode: the first timecode of a timecode track.
  ///   - sampleDescription: the entry of a movie's own table, as above.
  init(
    _ media: MediaFormat, timecode start: String? = nil, mediaType: MediaType,
    sampleDescription: SampleDescription? = nil
  ) {
    let parameters = media.parameters
    let configuration = parameters.extradata
    self.mediaType = mediaType
    codec = parameters.name
    mediaSubType = media.mediaSubType
    formatName = sampleDescription?.compressorName
    profile = parameters.profile
    level = parameters.level > 0 ? parameters.level : nil
    extradataSize = configuration.count
    extradata = configuration.count <= Self.maximumExtension ? configuration : []
    sampleDescriptionExtensions = boxes(
      codec: codec, extradata: extradata, bitRate: parameters.bitRate
    ).merging(sampleDescription?.configurationBoxes ?? [:]) { _, own in own }
    if media.kind == .video {
      video = Video(media, extradata: extradata, sampleDescription: sampleDescription)
    }
    if media.kind == .audio { audio = Audio(media, formatID: mediaSubType) }
    if mediaType == .timecode {
      timecode = Timecode(media, start: start, sampleDescription: sampleDescription)
    }
  }
}

extension FormatDescription {
  /// Creates the description of a later entry of a movie's table, which libav doesn't report, from
  /// the entry itself.
  init(_ first: FormatDescription, changedTo entry: SampleDescription) {
    self = first
    mediaSubType = entry.format
    formatName = entry.compressorName
    sampleDescriptionExtensions = entry.configurationBoxes
    extradata =
      ["avcC", "hvcC", "av1C", "vpcC"].lazy.compactMap { entry.configurationBoxes[$0] }
      .first ?? []
    extradataSize = extradata.count
    if entry.format != first.mediaSubType { (profile, level) = (nil, nil) }
    switch entry.media {
    case .video(let described): video?.change(to: described)
    case .audio(let described):
      if described.channels > 0, described.channels != first.audio?.channelsPerFrame {
        audio?.channelsPerFrame = described.channels
        audio?.channelLayout = nil
        audio?.channels = nil
      }
      if described.sampleRate > 0 { audio?.sampleRate = described.sampleRate }
    case .timecode, .other: break
    }
  }
}

extension SampleDescription {
  /// libav stores it as a tag "encoder".
  var compressorName: String? {
    guard case .video(let video) = media, let name = video.compressorName, !name.isEmpty else {
      return nil
    }
    return name
  }

  /// The boxes that have no members of their own in a format description; the first of each type.
  var configurationBoxes: [String: [UInt8]] {
    let others = [
      "pasp", "clap", "colr", "fiel", "gama", "mdcv", "clli", "amve", "srat", "sinf", "free",
      "skip", "wide", "uuid",
    ]
    let retained = extensions.filter {
      !others.contains($0.type) && $0.payload.count <= FormatDescription.maximumExtension
        && $0.type.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) }
    }
    return Dictionary(retained.map { ($0.type, $0.payload) }) { first, _ in first }
  }
}

extension MediaFormat {
  /// The four-character code of the samples.
  var mediaSubType: String {
    let code = fourCharacterCode(parameters.codecTag)
    let isEncrypted = ["enca", "drms"].contains(code)
    if kind == .audio, !isEncrypted, let id = audioFormatID { return id }
    return code ?? usualCode(of: parameters.codecName)
  }
}

/// Returns the code's four characters, nil for numbers with unprintable ones.
private func fourCharacterCode(_ tag: UInt32) -> String? {
  let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
  guard bytes.allSatisfy({ (0x20...0x7e).contains($0) || $0 == 0xa9 }) else { return nil }
  return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// Returns the code that MP4 and QuickTime use for a codec, or else FFmpeg's name of the codec.
private func usualCode(of codec: String) -> String {
  let codes = [
    "h264": "avc1", "hevc": "hvc1", "vvc": "vvc1", "av1": "av01", "vp8": "vp08", "vp9": "vp09",
    "mpeg4": "mp4v", "mpeg2video": "mp2v", "mpeg1video": "mp1v", "h263": "s263", "mjpeg": "jpeg",
    "png": "png ", "prores": "apcn", "vorbis": "vrbs", "dts": "dtsc", "truehd": "mlpa",
    "speex": "spex", "mov_text": "tx3g", "webvtt": "wvtt", "eia_608": "c608",
  ]
  return codes[codec] ?? codec
}
