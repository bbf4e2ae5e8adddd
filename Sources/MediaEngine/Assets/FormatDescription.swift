import LibAV

/// What the samples of a track are (CMFormatDescription).
public struct FormatDescription: Sendable, Hashable {
  public var mediaType: MediaType
  /// The four-character code: the container's own, else the usual one of the codec.
  public var mediaSubType: String
  /// FFmpeg's name of the codec.
  public var codec: String
  public var profile: String?
  public var level: Int?
  /// Size of the decoder's configuration record (avcC, esds …), in bytes.
  public var extradataSize: Int
  public var video: Video?
  public var audio: Audio?

  public struct Video: Sendable, Hashable {
    /// Encoded size, in pixels.
    public var dimensions: Size
    /// Shown size with square pixels, before any turn.
    public var presentationDimensions: Size
    /// Horizontal and vertical spacing; nil when the file says nothing.
    public var pixelAspectRatio: (horizontal: Int, vertical: Int)? {
      get { spacing.map { (Int($0.numerator), Int($0.denominator)) } }
    }
    var spacing: Rational?
    /// 1 progressive, 2 interlaced, nil unknown.
    public var fieldCount: Int?
    /// Which field comes first in time, nil for progressive or unknown.
    public var isTopFieldFirst: Bool?
    public var bitsPerComponent: Int?
    public var pixelFormat: String?
    public var color: Color
    /// Where chroma samples lie: "left", "topleft" …, nil where the file says nothing.
    public var chromaLocation: String?
    public var containsAlphaChannel: Bool
  }

  public struct Audio: Sendable, Hashable {
    /// In hertz.
    public var sampleRate: Double
    public var formatFlags: UInt32
    public var bytesPerPacket: Int
    /// 0 when it varies.
    public var framesPerPacket: Int
    public var bytesPerFrame: Int
    public var channels: Int
    public var bitsPerChannel: Int
    /// "stereo", "5.1(side)".
    public var channelLayout: String?
  }

  /// Names by FFmpeg ("bt709", "smpte2084", "bt2020nc"), nil where the file says nothing.
  public struct Color: Sendable, Hashable {
    public var primaries: String?
    public var transfer: String?
    public var matrix: String?
    public var isFullRange: Bool?

    init(_ color: ColorDescription) {
      primaries = color.primariesName
      transfer = color.transferName
      matrix = color.matrixName
      isFullRange = color.isFullRange
    }
  }
}

extension FormatDescription {
  init(_ stream: StreamInfo, mediaType: MediaType) {
    let parameters = stream.parameters
    self.mediaType = mediaType
    codec = parameters.codecName
    mediaSubType = fourCharacterCode(parameters.codecTag) ?? usualCode(of: parameters.codecName)
    profile = parameters.profile
    level = parameters.level > 0 ? parameters.level : nil
    extradataSize = parameters.extradata.count
    if stream.kind == .video { video = Video(stream) }
    if stream.kind == .audio { audio = Audio(stream) }
  }
}

extension FormatDescription.Video {
  init(_ stream: StreamInfo) {
    let parameters = stream.parameters
    let format = parameters.pixelFormat
    dimensions = Size(width: Double(parameters.width), height: Double(parameters.height))
    presentationDimensions = stream.presentationSize
    spacing = stream.sampleAspectRatio.isPositive ? stream.sampleAspectRatio : nil
    switch parameters.fieldOrder {
    case 1: (fieldCount, isTopFieldFirst) = (1, nil)
    case 2, 4: (fieldCount, isTopFieldFirst) = (2, parameters.fieldOrder == 2)
    case 3, 5: (fieldCount, isTopFieldFirst) = (2, parameters.fieldOrder == 5)
    default: (fieldCount, isTopFieldFirst) = (nil, nil)
    }
    let bits =
      parameters.bitsPerRawSample > 0
      ? parameters.bitsPerRawSample : format.bitsPerComponent
    bitsPerComponent = bits > 0 ? bits : nil
    pixelFormat = format.name
    color = FormatDescription.Color(parameters.color)
    chromaLocation = parameters.color.chromaLocationName
    containsAlphaChannel = format.hasAlpha
  }
}

extension FormatDescription.Audio {
  init(_ stream: StreamInfo) {
    let parameters = stream.parameters
    let isPCM = parameters.codecName.hasPrefix("pcm_")
    let bytes = isPCM ? max(0, parameters.bitsPerCodedSample / 8) : 0
    let layout = parameters.channelLayout
    sampleRate = Double(parameters.sampleRate)
    channels = layout.channels
    formatFlags = isPCM ? pcmFlags(parameters.codecName) : 0
    bytesPerFrame = bytes * channels
    bytesPerPacket = bytesPerFrame
    framesPerPacket = isPCM ? 1 : parameters.frameSize
    bitsPerChannel =
      isPCM
      ? parameters.bitsPerCodedSample
      : (parameters.isLossless ? parameters.bitsPerRawSample : 0)
    channelLayout = layout.name.isEmpty ? nil : layout.name
  }
}

/// CoreAudio's flags of a PCM codec: 1 float, 2 big endian, 4 signed integer, 8 packed.
private func pcmFlags(_ codec: String) -> UInt32 {
  let isFloat = codec.hasPrefix("pcm_f")
  return (isFloat ? 1 : 0) | (codec.hasSuffix("be") ? 2 : 0) | (codec.hasPrefix("pcm_s") ? 4 : 0)
    | 8
}

/// The code's four printable characters, nil for numbers that are none.
private func fourCharacterCode(_ tag: UInt32) -> String? {
  let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
  guard bytes.allSatisfy({ (0x20...0x7e).contains($0) || $0 == 0xa9 }) else { return nil }
  return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// The code that MP4 and QuickTime use for a codec, else FFmpeg's name of it.
private func usualCode(of codec: String) -> String {
  let codes = [
    "h264": "avc1", "hevc": "hvc1", "av1": "av01", "vp8": "vp08", "vp9": "vp09", "mpeg4": "mp4v",
    "mpeg2video": "mp2v", "mpeg1video": "mp1v", "mjpeg": "jpeg", "png": "png ", "prores": "apcn",
    "aac": "mp4a", "mp3": ".mp3", "ac3": "ac-3", "eac3": "ec-3", "flac": "fLaC", "opus": "Opus",
    "alac": "alac", "vorbis": "vrbs", "mov_text": "tx3g", "webvtt": "wvtt",
  ]
  return codes[codec] ?? (codec.hasPrefix("pcm_") ? "lpcm" : codec)
}

extension StreamInfo {
  /// The size with square pixels: the width is stretched by the sample aspect ratio
  /// (QuickTime's clean aperture; a `clap` box is not known to FFmpeg 5).
  var presentationSize: Size {
    let width = Double(parameters.width)
    let ratio = sampleAspectRatio.isPositive ? sampleAspectRatio.doubleValue : 1
    return Size(
      width: (width * ratio).rounded(.toNearestOrAwayFromZero), height: Double(parameters.height))
  }

  var preferredTransform: AffineTransform {
    guard let displayMatrix else { return .identity }
    let size = presentationSize
    return AffineTransform(displayMatrix: displayMatrix, width: size.width, height: size.height)
  }
}
