import LibAV

extension FormatDescription {
  /// The audio of a format description: an AudioStreamBasicDescription and related properties.
  ///
  /// As there, a number that varies or doesn't apply is 0.
  public struct Audio: Sendable, Hashable {
    /// The sample rate, in hertz.
    public var sampleRate: Double
    /// Core Audio's four-character code.
    public var formatID: String
    /// Core Audio's flags: those of linear PCM; for ALAC and FLAC the depth of the source.
    public var formatFlags: UInt32
    /// The size of a packet; 0 if packets differ in size.
    public var bytesPerPacket: Int
    /// The number of frames in a packet; 0 if it varies.
    public var framesPerPacket: Int
    /// The size of a frame; for planar audio, that of one channel.
    public var bytesPerFrame: Int
    public var channelsPerFrame: Int
    /// The bits of a sample; 0 for compressed formats.
    public var bitsPerChannel: Int
    /// The bits of a sample before a lossless codec; nil for other codecs and if it is unknown.
    public var sourceBitDepth: Int?
    /// "stereo", "5.1(side)".
    public var channelLayout: String?
    /// The channels in their order, by FFmpeg's names; nil if only their number is known.
    public var channels: [String]?
    /// Frames at the start that the encoder added (priming); nil if the container doesn't state
    /// them.
    public var initialPadding: Int?
    /// Frames at the end that the encoder added (remainder); nil if the container doesn't state
    /// them.
    public var trailingPadding: Int?
    /// Frames to decode before a seek's target (preroll); nil if the container doesn't state them.
    public var seekPreroll: Int?
    /// All ways to decode a format in layers, which older decoders decode in part, the richest
    /// first. Empty for other formats.
    public var formatList: [Layer]
  }

  /// One way to decode a format in layers (AudioFormatListItem).
  public struct Layer: Sendable, Hashable {
    public var formatID: String
    /// The sample rate of the layer, in hertz.
    public var sampleRate: Double
    public var channelsPerFrame: Int
    /// The number of frames in a packet; 0 if packets differ in duration.
    public var framesPerPacket: Int
  }
}

extension FormatDescription.Audio {
  init(_ media: MediaFormat, formatID: String) {
    let parameters = media.parameters
    let codec = parameters.codecName
    let layout = parameters.channelLayout
    self.formatID = formatID
    sampleRate = Double(parameters.sampleRate)
    channelsPerFrame = layout.channels
    (formatFlags, bytesPerPacket, bytesPerFrame, bitsPerChannel) = (0, 0, 0, 0)
    framesPerPacket = parameters.constantFrameSize
    formatList = []
    sourceBitDepth = nil
    if let format = LinearPCM(codec: codec, codedBits: parameters.bitsPerCodedSample) {
      formatFlags = format.flags
      bytesPerFrame = format.bytes * (format.isPlanar ? 1 : channelsPerFrame)
      bytesPerPacket = bytesPerFrame
      bitsPerChannel = format.validBits
      framesPerPacket = 1
    } else if codec == "pcm_alaw" || codec == "pcm_mulaw" {
      (bytesPerFrame, bytesPerPacket, bitsPerChannel) = (channelsPerFrame, channelsPerFrame, 8)
      framesPerPacket = 1
    } else if ["aac", "aac_latm"].contains(codec) {
      let layers = AACLayers(parameters)
      framesPerPacket = layers.framesPerPacket
      sampleRate = layers.sampleRate
      formatList = layers.list(channels: channelsPerFrame)
    } else if codec == "adpcm_ima_qt" {
      bytesPerPacket = 34 * channelsPerFrame
    } else if codec.hasPrefix("adpcm_") || codec.hasPrefix("gsm") || codec == "ilbc" {
      bytesPerPacket = framesPerPacket > 0 ? max(0, parameters.blockAlign) : 0
    } else if parameters.isLossless, parameters.bitsPerRawSample > 0 {
      sourceBitDepth = parameters.bitsPerRawSample
      if codec == "alac" || codec == "flac" {
        // kAppleLosslessFormatFlag_16BitSourceData and the related flags; FLAC has the same
        // numbers.
        formatFlags = [16: 1, 20: 2, 24: 3, 32: 4][parameters.bitsPerRawSample] ?? 0
      }
    }
    channelLayout = layout.isSpecified ? layout.name : nil
    channels = layout.labels
    func frames(_ count: Int) -> Int? { count > 0 ? count : nil }
    initialPadding = frames(parameters.initialPadding)
    trailingPadding = frames(parameters.trailingPadding)
    seekPreroll = frames(parameters.seekPreroll)
  }
}

/// Linear PCM by FFmpeg's name of the codec: "pcm_s16le", "pcm_f32be", "pcm_s24le_planar".
struct LinearPCM: Equatable {
  private(set) var bytes = 0
  private(set) var validBits = 0
  private(set) var isPlanar = false
  /// Core Audio's: 1 float, 2 big endian, 4 signed integer, 8 packed, 16 aligned high, 32 a buffer
  /// for each channel.
  private(set) var flags: UInt32 = 0
  var isFloat: Bool { flags & 1 != 0 }

  /// nil for codecs with other than plain rows of samples: pcm_bluray, pcm_dvd, pcm_s24daud …
  ///
  /// - Parameter codedBits: the number of significant bits of a sample according to the container;
  ///   0 for all.
  init?(codec: String, codedBits: Int) {
    guard codec.hasPrefix("pcm_") else { return nil }
    var name = codec.dropFirst(4)
    if name.hasSuffix("_planar") {
      isPlanar = true
      name = name.dropLast(7)
    }
    let isBigEndian = name.hasSuffix("be")
    if isBigEndian || name.hasSuffix("le") { name = name.dropLast(2) }
    guard let kind = name.popFirst(), "suf".contains(kind), let bits = Int(name),
      [8, 16, 24, 32, 64].contains(bits)
    else { return nil }
    bytes = bits / 8
    validBits = kind != "f" && (1..<bits).contains(codedBits) ? codedBits : bits
    flags = (kind == "f" ? 1 : 0) | (isBigEndian ? 2 : 0) | (kind == "s" ? 4 : 0)
    flags |= (validBits == bits ? 8 : 16) | (isPlanar ? 32 : 0)
  }
}

extension MediaFormat {
  /// Core Audio's ID of the format; nil if it has none.
  var audioFormatID: String? {
    let codec = parameters.codecName
    if LinearPCM(codec: codec, codedBits: 0) != nil { return "lpcm" }
    if codec == "aac" || codec == "aac_latm" { return AACLayers(parameters).formatID }
    return coreAudioIDs[codec]
  }
}

private let coreAudioIDs = [
  "pcm_alaw": "alaw", "pcm_mulaw": "ulaw", "mp1": ".mp1", "mp2": ".mp2", "mp3": ".mp3",
  "ac3": "ac-3", "eac3": "ec-3", "opus": "opus", "flac": "flac", "alac": "alac",
  "amr_nb": "samr", "amr_wb": "sawb", "ilbc": "ilbc", "adpcm_ima_qt": "ima4", "mace3": "MAC3",
  "mace6": "MAC6", "qdm2": "QDM2", "qdmc": "QDMC", "qcelp": "Qclp", "gsm_ms": "agsm",
]

extension CodecParameters {
  /// The frames of each packet, 0 if they vary.
  fileprivate var constantFrameSize: Int {
    let stated = max(0, frameSize)
    switch codecName {
    case "mp3": return stated > 0 ? stated : (sampleRate > 24000 ? 1152 : 576)
    case "mp2": return 1152
    case "mp1": return 384
    case "ac3": return 1536
    case "eac3": return stated > 0 ? stated : 1536
    case "amr_nb": return 160
    case "amr_wb": return 320
    case "adpcm_ima_qt": return 64
    case "alac":
      // The cookie begins after the box's header, version and flags.
      let cookie = extradata
      return cookie.count >= 16 ? cookie[12..<16].reduce(0) { $0 << 8 | Int($1) } : stated
    case "flac":
      // STREAMINFO begins with the minimum and the maximum block size.
      let information = extradata
      guard information.count >= 4, information[0..<2] == information[2..<4] else { return 0 }
      return Int(information[0]) << 8 | Int(information[1])
    case "vorbis": return 0
    default: return stated
    }
  }
}
