import LibAV

/// The configuration of an audio encoder: the settings of an export applied to a source.
struct AudioEncoderConfiguration {
  let encoderName: String
  /// FFmpeg's name of the codec.
  let codecName: String
  /// The encoder's input: the source's rate and channels where the encoder supports them, else the nearest.
  let layout: AudioLayout
  /// True if the number of channels was asked for.
  let statesChannels: Bool
  /// The bit rate in bits per second; nil without loss, and where the encoder has none to choose.
  let bitRate: Int64?
  /// The bit rate that is to be expected, in bits per second; nil without loss.
  let expectedBitRate: Int64?
  /// The factor of every sample; nil for 1.
  let volume: Double?
  /// The loudness of the result; nil for the source's.
  let loudness: LoudnessTarget?
  /// The size of the file, as a part of its size with linear samples; nil with loss.
  let compression: Double?

  init(_ encoding: AudioEncoding, of source: MediaFormat) throws(EngineError) {
    let (codec, settings) = (encoding.codec, encoding.settings)
    guard let best = codec.encoder else {
      throw EngineError(
        .encoderNotFound, "This build of FFmpeg has no encoder for \(codec.title)",
        advice: .chooseAvailableEncoder)
    }
    let parameters = source.parameters
    let name =
      codec == .linearPCM ? AudioEncoderConfiguration.linearEncoder(for: parameters) : best
    encoderName = name
    codecName = codec.isLinear ? name : codec.name
    let stored = parameters.channelLayout
    let count = min(codec.maximumChannels, settings.channels ?? max(1, stored.channels))
    let speakers =
      count != stored.channels ? codec.layout(channels: count) : codec.layout(for: stored)
    // A number that was asked for is kept.
    let isRetained = settings.channels == nil || speakers.channels == count
    let channels = isRetained ? speakers : codec.layout(channels: count)
    layout = AudioLayout(
      format: AudioEncoderConfiguration.format(of: name, for: parameters),
      sampleRate: settings.sampleRate
        ?? AudioEncoderConfiguration.rate(of: name, for: parameters),
      channels: channels)
    statesChannels = settings.channels != nil
    (bitRate, expectedBitRate) = try encoding.bitRates(of: layout)
    volume = settings.volume == 1 ? nil : settings.volume
    loudness = settings.loudness
    compression = codec.bitRates == nil ? codec.compression : nil
  }

  /// Audio of several parts encoded once, as the first of them was: by its codec, and at the highest of
  /// their bit rates.
  ///
  /// - Throws: `encoderNotFound`.
  init(joining formats: [MediaFormat]) throws(EngineError) {
    guard let parameters = formats.first?.parameters else {
      throw EngineError(.noSourceTrack, "The track has no part that holds audio")
    }
    let name = parameters.codecName
    let known = AudioCodec(name)
    guard let encoder = known?.encoder ?? (Encoder.isAvailable(name) ? name : nil) else {
      throw EngineError(
        .encoderNotFound,
        "This build of FFmpeg has no encoder for \(name), which joining its parts takes",
        advice: .copyAudioOrEncode)
    }
    encoderName = encoder
    codecName = name
    let stored = parameters.channelLayout
    layout = AudioLayout(
      format: AudioEncoderConfiguration.format(of: encoder, for: parameters),
      sampleRate: AudioEncoderConfiguration.rate(of: encoder, for: parameters),
      channels: stored.isSpecified
        ? known?.layout(for: stored) ?? stored : .standard(channels: max(1, stored.channels)))
    (volume, loudness, statesChannels) = (nil, nil, false)
    if parameters.isLossless || CodecTraits(name).isPCM {
      (bitRate, expectedBitRate) = (nil, nil)
      compression = CodecTraits(name).isPCM ? 1 : 0.55
    } else {
      let channels = Int64(max(2, stored.channels))
      let usual = (known?.usualBitRate ?? 128_000) * channels / 2
      let highest = formats.map(\.parameters.bitRate).max() ?? 0
      let rate = highest > 0 ? highest : usual
      let range = known == nil ? rate...rate : known?.bitRates(of: layout)
      let chosen = range.map { rate.clamped(to: $0) }
      (bitRate, expectedBitRate) = (chosen, chosen ?? usual)
      compression = nil
    }
  }

  /// Returns the channels that the encoded track has no speakers for, unless their number was asked for; nil where it
  /// has one for each.
  ///
  /// - Parameters:
  ///   - source: the layout of the channels.
  ///   - trackID: of the source.
  ///   - place: where the channels are, for the reason.
  func loss(of source: ChannelLayout, ofTrack trackID: Int32, in place: String) -> DroppedItem? {
    let target = layout.channels
    let isWider = source.channels > target.channels
    guard !statesChannels, isWider || !target.holds(source) else { return nil }
    let count = target.channels == 1 ? "1 channel" : "\(target.channels) channels"
    let codec = AudioCodec(codecName)
    let reason =
      switch codec {
      case let codec? where isWider && codec.maximumChannels == target.channels:
        "\(codec.title) has \(count) at most"
      case let codec? where codec.layout(for: source) != source:
        "\(codec.title) has no layout \(source.name)"
      default: "the track has \(isWider ? count : target.name), as its first part has"
      }
    return DroppedItem(
      item: .channels, trackID: trackID, mediaType: .audio, key: "\(source.channels)",
      reason: isWider
        ? "\(reason): those of \(place) are mixed down"
        : "\(reason): those of \(place) are mixed to \(target.name)")
  }

  /// The factor by which the encoder multiplies all samples.
  var encoderLevel: Double { Encoder.level(of: encoderName, bitRate: bitRate) }

  /// The bits of a linear sample.
  var bitsPerSample: Int {
    switch encoderName {
    case "pcm_s24le": 24
    default: layout.format.bytesPerSample * 8
    }
  }

  func makeEncoder(usesGlobalHeader: Bool) throws(LibAVError) -> Encoder {
    var layout = layout
    if !layout.channels.isSpecified, let codec = AudioCodec(codecName) {
      layout.channels = codec.layout(channels: layout.channels.channels)
    }
    var settings = Encoder.Settings(name: encoderName, media: .audio(layout))
    settings.bitRate = bitRate
    if bitRate == nil, expectedBitRate != nil { settings.options = VorbisRates.quality }
    settings.usesGlobalHeader = usesGlobalHeader
    return try Encoder(settings)
  }

  /// Twice that of any recorder. A header that states more is wrong, and what is joined to its file would take
  /// gigabytes.
  private static let maximumRate = 1_536_000

  /// The source's rate where the encoder takes it, else the next above.
  private static func rate(of encoder: String, for parameters: CodecParameters) -> Int {
    let rate = min(max(1, parameters.sampleRate), maximumRate)
    let rates = Encoder.sampleRates(of: encoder).sorted()
    return rates.isEmpty || rates.contains(rate)
      ? rate : (rates.first { $0 >= rate } ?? rates.last ?? 48000)
  }

  /// Returns the encoder's format that retains the source's precision: no fewer bits, and no more than it needs.
  private static func format(of encoder: String, for parameters: CodecParameters) -> SampleFormat {
    let formats = Encoder.sampleFormats(of: encoder)
    let bits = depth(of: parameters)
    let enough = formats.filter { $0.bytesPerSample * 8 >= bits }
      .min { $0.bytesPerSample < $1.bytesPerSample }
    return enough ?? formats.max { $0.bytesPerSample < $1.bytesPerSample } ?? .floatPlanar
  }

  /// Returns the encoder of linear samples as deep as the source's; a source that was coded with loss has no more
  /// than 16 bits to show.
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
