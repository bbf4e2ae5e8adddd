import LibAV

/// What a preset makes of audio.
struct AudioEncodingPreset: Sendable, Hashable {
  var codec: AudioCodec
  /// For mono and stereo, in bits per second; more channels get more. Of no meaning without loss.
  var bitRate: Int64 = 0
}

/// The codecs that presets encode audio with.
enum AudioCodec: String, Sendable, Hashable {
  case aac = "AAC"
  case opus = "Opus"
  case mp3 = "MP3"
  case flac = "FLAC"
  case linearPCM = "LPCM"

  /// FFmpeg's name of the codec, as containers are asked for it.
  var codecName: String {
    switch self {
    case .aac: "aac"
    case .opus: "opus"
    case .mp3: "mp3"
    case .flac: "flac"
    case .linearPCM: "pcm_s16le"
    }
  }

  /// This build's encoder, the best it has.
  var encoder: String? {
    let names =
      switch self {
      case .aac: ["libfdk_aac", "aac"]
      case .opus: ["libopus"]
      case .mp3: ["libmp3lame"]
      case .flac: ["flac"]
      case .linearPCM: ["pcm_s16le"]
      }
    return names.first(where: Encoder.isAvailable)
  }

  /// The most channels that the encoder takes.
  var maximumChannels: Int {
    switch self {
    case .aac: 6
    case .opus, .flac: 8
    case .mp3: 2
    case .linearPCM: 64
    }
  }
}

/// How an audio track is encoded: the recipe of a preset applied to a source.
struct AudioEncoderConfiguration {
  let encoderName: String
  /// FFmpeg's name of the codec.
  let codecName: String
  /// What the encoder takes: the source's rate and channels where it does, else the nearest.
  let layout: AudioLayout
  /// In bits per second; nil without loss.
  let bitRate: Int64?

  init(_ preset: AudioEncodingPreset, of stream: StreamInfo) throws(EngineError) {
    guard let best = preset.codec.encoder else {
      throw EngineError(
        .encoderNotFound, "This build of FFmpeg has no encoder for \(preset.codec.rawValue)",
        advice: .chooseAvailableEncoder)
    }
    let parameters = stream.parameters
    let name =
      preset.codec == .linearPCM ? AudioEncoderConfiguration.linearEncoder(for: parameters) : best
    encoderName = name
    codecName = preset.codec == .linearPCM ? name : preset.codec.codecName
    let channels = min(preset.codec.maximumChannels, max(1, parameters.channelLayout.channels))
    let isIncluded = channels == parameters.channelLayout.channels && preset.codec != .opus
    layout = AudioLayout(
      format: AudioEncoderConfiguration.format(of: name, for: parameters),
      sampleRate: AudioEncoderConfiguration.rate(of: name, for: parameters),
      channels: isIncluded ? parameters.channelLayout : .standard(channels: channels))
    bitRate = preset.bitRate > 0 ? preset.bitRate * Int64(max(2, channels)) / 2 : nil
  }

  /// Of linear samples.
  var bitsPerSample: Int {
    switch encoderName {
    case "pcm_s24le": 24
    default: layout.format.bytesPerSample * 8
    }
  }

  func makeEncoder(usesGlobalHeader: Bool) throws(LibAVError) -> Encoder {
    var settings = Encoder.Settings(name: encoderName, media: .audio(layout))
    settings.bitRate = bitRate
    settings.usesGlobalHeader = usesGlobalHeader
    return try Encoder(settings)
  }

  /// The source's rate where the encoder takes it, else the next above.
  private static func rate(of encoder: String, for parameters: CodecParameters) -> Int {
    let rate = max(1, parameters.sampleRate)
    let rates = Encoder.sampleRates(of: encoder).sorted()
    return rates.isEmpty || rates.contains(rate)
      ? rate : (rates.first { $0 >= rate } ?? rates.last ?? 48000)
  }

  /// The encoder's format that keeps what the source has: no fewer bits, and no more than it needs.
  private static func format(of encoder: String, for parameters: CodecParameters) -> SampleFormat {
    let formats = Encoder.sampleFormats(of: encoder)
    let bits = depth(of: parameters)
    let enough = formats.filter { $0.bytesPerSample * 8 >= bits }
      .min { $0.bytesPerSample < $1.bytesPerSample }
    return enough ?? formats.max { $0.bytesPerSample < $1.bytesPerSample } ?? .floatPlanar
  }

  /// Linear samples as deep as the source's; what was coded with loss has no more than 16 bits to show.
  private static func linearEncoder(for parameters: CodecParameters) -> String {
    let source = LinearPCM(codec: parameters.codecName, codedBits: 0)
    if source?.isFloat == true { return "pcm_f32le" }
    switch depth(of: parameters) {
    case ...16: return "pcm_s16le"
    case ...24: return "pcm_s24le"
    default: return "pcm_s32le"
    }
  }

  private static func depth(of parameters: CodecParameters) -> Int {
    guard parameters.isLossless || CodecTraits(parameters.codecName).isPCM else { return 16 }
    let bits = max(parameters.bitsPerRawSample, parameters.bitsPerCodedSample)
    return bits > 0 ? bits : parameters.sampleFormat.bytesPerSample * 8
  }
}
