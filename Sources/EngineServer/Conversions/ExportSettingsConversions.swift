import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

/// The settings of an export, with all problems that the values alone show.
struct ExportSettingsReader: ParameterRules {
  var problems: [DecodingProblem] = []
  private(set) var settings = ExportSettings()
  private let measuresAudio: Bool

  /// - Parameter measuresAudio: true where audio is measured before it is encoded, as exports do for a loudness.
  init(_ wire: WireExportSettings?, measuresAudio: Bool = false) {
    self.measuresAudio = measuresAudio
    switch wire?.video {
    case nil: break
    case .leftOut: settings.video = .leftOut
    case .encoded(let wanted): settings.video = .encoded(video(wanted))
    }
    switch wire?.audio {
    case nil: break
    case .leftOut: settings.audio = .leftOut
    case .encoded(let wanted): settings.audio = .encoded(audio(wanted))
    }
    settings.tracks = wire?.tracks.map { TrackSelection($0, at: "/settings/tracks", &problems) }
  }

  private mutating func video(_ wire: WireVideoEncoding) -> VideoEncodingSettings {
    var settings = VideoEncodingSettings()
    if let name = wire.codec {
      settings.codec = VideoCodec(name)
      require(
        settings.codec != nil, "/settings/video/codec",
        "a codec: \(VideoCodec.available.joined(separator: ", "))", name)
    }
    (settings.width, settings.height) = (wire.width, wire.height)
    settings.frameDuration = wire.frameRate.flatMap { frameDuration($0) }
    var rates: [(name: String, rate: VideoEncodingSettings.Rate)] = []
    if let quality = wire.quality { rates.append(("quality", .quality(quality))) }
    if let rate = wire.bitRate { rates.append(("bitRate", .bitRate(rate))) }
    if let factor = wire.rateFactor { rates.append(("rateFactor", .rateFactor(factor))) }
    require(
      rates.count < 2, "/settings/video", "one of quality, bitRate and rateFactor",
      rates.map(\.name).joined(separator: " and "))
    settings.rate = rates.first?.rate
    settings.profile = wire.profile
    settings.keyFrameInterval = wire.keyFrameInterval
    settings.pixelFormat = wire.pixelFormat
    settings.alpha = wire.alpha
    switch wire.crop {
    case nil: break
    case .rectangle(let crop):
      settings.crop = .rectangle(
        .init(x: crop.x, y: crop.y, width: crop.width, height: crop.height))
    case .aspectRatio(let ratio):
      let (width, height) = ratio.aspectRatio.fraction
      settings.crop = .aspectRatio(width: width, height: height)
    }
    settings.rotation = wire.rotate
    settings.deinterlacing = wire.deinterlacing.flatMap { Deinterlacing(rawValue: $0.rawValue) }
    return settings
  }

  private mutating func audio(_ wire: WireAudioEncoding) -> AudioEncodingSettings {
    var settings = AudioEncodingSettings()
    if let name = wire.codec {
      settings.codec = AudioCodec(name)
      require(
        settings.codec != nil, "/settings/audio/codec",
        "a codec: \(AudioCodec.available.joined(separator: ", "))", name)
    }
    (settings.sampleRate, settings.channels) = (wire.sampleRate, wire.channels)
    (settings.bitRate, settings.volume) = (wire.bitRate, wire.volume)
    if let wanted = wire.loudness {
      require(
        measuresAudio, "/settings/audio/loudness",
        "nothing: only exports measure audio before it is encoded", "a loudness")
      settings.loudness = LoudnessTarget(wanted)
    }
    return settings
  }

  /// Returns the duration of frames at a rate.
  private mutating func frameDuration(_ rate: WireFactor) -> Time? {
    let duration = rate.frameDuration
    require(
      duration != nil, "/settings/video/frameRate", "frames per second, a number above 0",
      rate.described)
    return duration
  }
}

extension LoudnessTarget {
  init(_ wire: WireLoudnessTarget) {
    self.init(integratedLoudness: wire.integratedLoudness)
    if let truePeak = wire.truePeak { self.truePeak = truePeak }
  }
}

extension WireLoudnessTarget {
  init(_ target: LoudnessTarget) {
    self.init(integratedLoudness: target.integratedLoudness, truePeak: target.truePeak)
  }
}

extension WireAppliedLoudness {
  init(_ applied: AppliedLoudness) {
    self.init(
      trackID: applied.trackID, sourceIntegratedLoudness: applied.sourceIntegratedLoudness,
      sourceTruePeak: applied.sourceTruePeak, gain: applied.gain,
      integratedLoudness: applied.integratedLoudness, truePeak: applied.truePeak,
      deviation: applied.deviation)
  }
}

extension WireFactor {
  /// Numerator and denominator; a number that isn't whole is rounded to the nearest millionth.
  fileprivate var fraction: (numerator: Int64, denominator: Int64) {
    switch self {
    case .integer(let number): (Int64(number), 1)
    case .ratio(let ratio): (Int64(ratio.numerator), Int64(ratio.denominator))
    case .number(let number):
      (Int64(exactly: (number * 1_000_000).rounded()) ?? 0, 1_000_000)
    }
  }

  fileprivate var described: String {
    switch self {
    case .integer(let number): "\(number)"
    case .ratio(let ratio): "\(ratio.numerator)/\(ratio.denominator)"
    case .number(let number): "\(number)"
    }
  }
}

extension DecodingProblem {
  init(_ problem: SettingsProblem) {
    self.init(path: "/settings" + problem.path, expected: problem.expected, got: problem.got)
  }
}
