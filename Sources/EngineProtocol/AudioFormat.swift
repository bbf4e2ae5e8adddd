/// The audio of a format description: an AudioStreamBasicDescription, and related facts.
///
/// A number that varies or does not apply is 0, as in an AudioStreamBasicDescription.
public struct WireAudioFormat: Codable, Sendable, Equatable {
  /// The sample rate in hertz.
  public var sampleRate: Double
  /// The format as a four-character code of Core Audio, for example `aac `, or as in `mediaSubType`.
  public var formatID: String
  /// The flags of the format, as Core Audio numbers them. Linear PCM: 1 float, 2 big endian, 4 signed
  /// integer, 8 packed, 16 aligned high, 32 channels apart. ALAC and FLAC: 1, 2, 3, 4 for a source of 16,
  /// 20, 24, 32 bits.
  public var formatFlags: UInt32
  /// The bytes of one packet.
  public var bytesPerPacket: UInt32
  /// The frames of one packet, for example 1024.
  public var framesPerPacket: UInt32
  /// The bytes of one frame; where channels are apart, of one channel.
  public var bytesPerFrame: UInt32
  /// The number of channels.
  public var channelsPerFrame: UInt32
  /// The bits of one sample; 0 for compressed formats.
  public var bitsPerChannel: UInt32
  /// The bits of a sample of the source, before a lossless codec.
  public var sourceBitDepth: Int?
  /// The channel layout by FFmpeg's name, for example `5.1(side)`.
  public var channelLayout: String?
  /// The position of each channel, by FFmpeg's names such as `FL` and `LFE`; absent if only the number of channels is
  /// known.
  public var channels: [String]?
  /// The priming: frames that the encoder added at the start, if the container states it.
  public var initialPadding: Int?
  /// The padding: frames that the encoder added at the end, if the container states it.
  public var trailingPadding: Int?
  /// The preroll: frames to decode before a position for correct audio there, if the container
  /// states it.
  public var seekPreroll: Int?
  /// For formats in layers, such as HE-AAC: all ways to decode it, the richest first.
  public var formatList: [WireAudioFormatLayer]?

  package init(
    sampleRate: Double, formatID: String, formatFlags: UInt32, bytesPerPacket: UInt32,
    framesPerPacket: UInt32, bytesPerFrame: UInt32, channelsPerFrame: UInt32,
    bitsPerChannel: UInt32, sourceBitDepth: Int? = nil, channelLayout: String? = nil,
    channels: [String]? = nil, initialPadding: Int? = nil, trailingPadding: Int? = nil,
    seekPreroll: Int? = nil, formatList: [WireAudioFormatLayer]? = nil
  ) {
    self.sampleRate = sampleRate
    self.formatID = formatID
    self.formatFlags = formatFlags
    self.bytesPerPacket = bytesPerPacket
    self.framesPerPacket = framesPerPacket
    self.bytesPerFrame = bytesPerFrame
    self.channelsPerFrame = channelsPerFrame
    self.bitsPerChannel = bitsPerChannel
    self.sourceBitDepth = sourceBitDepth
    self.channelLayout = channelLayout
    self.channels = channels
    self.initialPadding = initialPadding
    self.trailingPadding = trailingPadding
    self.seekPreroll = seekPreroll
    self.formatList = formatList
  }
}

/// One way to decode a format in layers.
public struct WireAudioFormatLayer: Codable, Sendable, Equatable {
  /// The format as a four-character code of Core Audio: `aac `, `aach` or `aacp`.
  public var formatID: String
  /// The sample rate in hertz.
  public var sampleRate: Double
  /// The number of channels.
  public var channelsPerFrame: UInt32
  /// The frames of one packet.
  public var framesPerPacket: UInt32

  package init(
    formatID: String, sampleRate: Double, channelsPerFrame: UInt32, framesPerPacket: UInt32
  ) {
    self.formatID = formatID
    self.sampleRate = sampleRate
    self.channelsPerFrame = channelsPerFrame
    self.framesPerPacket = framesPerPacket
  }
}
