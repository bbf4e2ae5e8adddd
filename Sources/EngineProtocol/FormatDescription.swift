import JSONRPC

/// What the samples of a track are.
///
/// The members for pictures are absent for sound, and the other way round; what the file does not
/// tell is absent too.
public struct WireFormatDescription: Codable, Sendable, Equatable {
  /// The kind of media.
  public var mediaType: WireMediaType
  /// The format as a four-character code, for example `avc1`, or FFmpeg's name where there is none.
  public var mediaSubType: String
  /// The format by FFmpeg's name, for example `h264`.
  public var codec: String
  /// The profile by FFmpeg's name, for example `High`.
  public var profile: String?
  /// The level as the format writes it, for example `40` for H.264's 4.0.
  public var level: Int?
  /// The size of the set-up data that a decoder needs (avcC, esds …), in bytes; 0 when it has none.
  public var extradataSize: Int
  /// The picture.
  public var video: WireVideoFormat?
  /// The sound.
  public var audio: WireAudioFormat?

  package init(
    mediaType: WireMediaType, mediaSubType: String, codec: String, profile: String? = nil,
    level: Int? = nil, extradataSize: Int, video: WireVideoFormat? = nil,
    audio: WireAudioFormat? = nil
  ) {
    self.mediaType = mediaType
    self.mediaSubType = mediaSubType
    self.codec = codec
    self.profile = profile
    self.level = level
    self.extradataSize = extradataSize
    self.video = video
    self.audio = audio
  }
}

/// The picture of a format description.
public struct WireVideoFormat: Codable, Sendable, Equatable {
  /// The encoded size, in pixels.
  public var dimensions: WireSize
  /// The size in square pixels, after clean aperture and pixel aspect ratio.
  public var presentationDimensions: WireSize
  /// The shape of a pixel; absent when it is square.
  public var pixelAspectRatio: WirePixelAspectRatio?
  /// The part of the picture to be shown, in encoded pixels; absent when it is the whole.
  public var cleanAperture: WireCleanAperture?
  /// 1 when progressive, 2 when interlaced.
  public var fieldCount: Int?
  /// The order of the fields.
  public var fieldDetail: WireFieldDetail?
  /// The bits of one component, for example 10.
  public var bitsPerComponent: Int?
  /// The pixel format by FFmpeg's name, for example `yuv420p10le`.
  public var pixelFormat: String?
  /// The colour, as far as it is known.
  public var color: WireColor
  /// Where the chroma samples are, by FFmpeg's name, for example `left`.
  public var chromaLocation: String?
  /// Whether it has transparency.
  public var containsAlphaChannel: Bool?

  package init(
    dimensions: WireSize, presentationDimensions: WireSize,
    pixelAspectRatio: WirePixelAspectRatio? = nil, cleanAperture: WireCleanAperture? = nil,
    fieldCount: Int? = nil, fieldDetail: WireFieldDetail? = nil, bitsPerComponent: Int? = nil,
    pixelFormat: String? = nil, color: WireColor, chromaLocation: String? = nil,
    containsAlphaChannel: Bool? = nil
  ) {
    self.dimensions = dimensions
    self.presentationDimensions = presentationDimensions
    self.pixelAspectRatio = pixelAspectRatio
    self.cleanAperture = cleanAperture
    self.fieldCount = fieldCount
    self.fieldDetail = fieldDetail
    self.bitsPerComponent = bitsPerComponent
    self.pixelFormat = pixelFormat
    self.color = color
    self.chromaLocation = chromaLocation
    self.containsAlphaChannel = containsAlphaChannel
  }
}

/// The shape of a pixel, as a ratio of its width and height.
public struct WirePixelAspectRatio: Codable, Sendable, Equatable {
  /// The share of the width.
  public var horizontalSpacing: Int
  /// The share of the height.
  public var verticalSpacing: Int

  package init(horizontalSpacing: Int, verticalSpacing: Int) {
    self.horizontalSpacing = horizontalSpacing
    self.verticalSpacing = verticalSpacing
  }
}

/// The part of a picture to be shown.
public struct WireCleanAperture: Codable, Sendable, Equatable {
  /// Its left edge, from the left of the picture.
  public var x: Double
  /// Its top edge, from the top of the picture.
  public var y: Double
  /// Its width.
  public var width: Double
  /// Its height.
  public var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The order of the fields of an interlaced picture.
public enum WireFieldDetail: String, Codable, Sendable, CaseIterable {
  /// The top field comes first in time; the fields are stored one after the other.
  case temporalTopFirst
  /// The bottom field comes first in time; the fields are stored one after the other.
  case temporalBottomFirst
  /// The first line is of the earlier field; the lines are interleaved.
  case spatialFirstLineEarly
  /// The first line is of the later field; the lines are interleaved.
  case spatialFirstLineLate
}

/// The sound of a format description: an AudioStreamBasicDescription, and the channel layout.
///
/// A number that varies or does not apply is 0, as in an AudioStreamBasicDescription.
public struct WireAudioFormat: Codable, Sendable, Equatable {
  /// The sample rate in hertz.
  public var sampleRate: Double
  /// The format as a four-character code, for example `aac `.
  public var formatID: String
  /// The flags of the format, as Core Audio numbers them.
  public var formatFlags: UInt32
  /// The bytes of one packet.
  public var bytesPerPacket: UInt32
  /// The frames of one packet, for example 1024.
  public var framesPerPacket: UInt32
  /// The bytes of one frame.
  public var bytesPerFrame: UInt32
  /// The number of channels.
  public var channelsPerFrame: UInt32
  /// The bits of one sample; 0 for compressed formats.
  public var bitsPerChannel: UInt32
  /// The channel layout by FFmpeg's name, for example `5.1(side)`.
  public var channelLayout: String?

  package init(
    sampleRate: Double, formatID: String, formatFlags: UInt32, bytesPerPacket: UInt32,
    framesPerPacket: UInt32, bytesPerFrame: UInt32, channelsPerFrame: UInt32,
    bitsPerChannel: UInt32, channelLayout: String? = nil
  ) {
    self.sampleRate = sampleRate
    self.formatID = formatID
    self.formatFlags = formatFlags
    self.bytesPerPacket = bytesPerPacket
    self.framesPerPacket = framesPerPacket
    self.bytesPerFrame = bytesPerFrame
    self.channelsPerFrame = channelsPerFrame
    self.bitsPerChannel = bitsPerChannel
    self.channelLayout = channelLayout
  }
}
