import LibAV

/// The fields of an AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1) that formats need.
struct AudioSpecificConfig: Equatable {
  /// The audio object type of the core.
  private(set) var objectType = 0
  /// The rate of the core, in hertz.
  private(set) var sampleRate = 0
  /// The rate after spectral band replication, in hertz; nil without it, or if it isn't announced.
  private(set) var extendedSampleRate: Int?
  private(set) var hasParametricStereo = false
  /// True for frames of 960 (or 480) samples instead of 1024 (or 512).
  private(set) var hasShortFrames = false

  /// The sampling frequencies by their indexes, in hertz (ISO/IEC 14496-3, 1.6.3.4).
  static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]

  /// nil if the bytes aren't an AudioSpecificConfig.
  init?(_ bytes: [UInt8]) {
    var reader = BitReader(bytes.prefix(64))
    guard let type = Self.objectType(&reader), let rate = Self.rate(&reader),
      let channels = reader.read(4)
    else { return nil }
    objectType = type
    sampleRate = rate
    if type == 5 || type == 29 {
      // Announced first: this is the extension, and the core follows.
      guard let extended = Self.rate(&reader), let core = Self.objectType(&reader) else {
        return nil
      }
      extendedSampleRate = extended
      hasParametricStereo = type == 29
      objectType = core
    }
    guard objectType > 0, sampleRate > 0 else { return nil }
    if [1, 2, 3, 4, 6, 7, 17, 19, 20, 23].contains(objectType) {
      readCore(&reader, hasChannelElement: channels == 0)
    } else if objectType == 39 {
      hasShortFrames = reader.readFlag() ?? false
    }
  }

  /// Reads the GASpecificConfig, and the extension after it, which older decoders don't see.
  private mutating func readCore(_ reader: inout BitReader, hasChannelElement: Bool) {
    hasShortFrames = reader.readFlag() ?? false
    if reader.readFlag() == true { _ = reader.read(14) }
    // Channels described element by element, and scalable or error-resilient cores, would have to
    // be read entirely to find the extension after them.
    guard reader.readFlag() == false, !hasChannelElement, extendedSampleRate == nil,
      [1, 2, 3, 4].contains(objectType), reader.read(11) == 0x2b7,
      Self.objectType(&reader) == 5, reader.readFlag() == true,
      let extended = Self.rate(&reader)
    else { return }
    extendedSampleRate = extended
    if reader.read(11) == 0x548 { hasParametricStereo = reader.readFlag() ?? false }
  }

  private static func objectType(_ reader: inout BitReader) -> Int? {
    guard let type = reader.read(5) else { return nil }
    return type == 31 ? reader.read(6).map { 32 + Int($0) } : Int(type)
  }

  private static func rate(_ reader: inout BitReader) -> Int? {
    guard let index = reader.read(4) else { return nil }
    if index == 15 { return reader.read(24).map(Int.init) }
    return rates.indices.contains(Int(index)) ? rates[Int(index)] : nil
  }
}

/// The layers of an AAC stream: its core, spectral band replication, parametric stereo.
///
/// A file may announce the latter two or not. FFmpeg, which has decoded a part of it, then shows
/// them by the profile and the doubled rate.
struct AACLayers {
  /// The rate of the richest layer, in hertz.
  let sampleRate: Double
  private let coreRate: Double
  private let hasReplication: Bool
  private let hasParametricStereo: Bool
  private let objectType: Int
  private let coreFrames: Int

  init(_ parameters: CodecParameters) {
    self.init(
      profile: parameters.profile, sampleRate: parameters.sampleRate,
      config: AudioSpecificConfig(parameters.extradata))
  }

  init(profile: String?, sampleRate stated: Int, config: AudioSpecificConfig?) {
    let profile = profile ?? ""
    hasParametricStereo = config?.hasParametricStereo == true || profile == "HE-AACv2"
    hasReplication =
      hasParametricStereo || config?.extendedSampleRate != nil || profile == "HE-AAC"
    sampleRate = Double(max(stated, config?.extendedSampleRate ?? 0))
    coreRate =
      config.map { Double($0.sampleRate) } ?? (hasReplication ? sampleRate / 2 : sampleRate)
    objectType =
      config?.objectType ?? ["LD": 23, "ELD": 39, "xHE-AAC": 42][profile] ?? 2
    let isShort = config?.hasShortFrames ?? false
    coreFrames =
      switch objectType {
      case 23, 39: isShort ? 480 : 512
      case 42: 0
      default: isShort ? 960 : 1024
      }
  }

  var formatID: String {
    switch objectType {
    case 23: "aacl"
    case 39: hasReplication ? "aacf" : "aace"
    case 42: "usac"
    default: hasParametricStereo ? "aacp" : (hasReplication ? "aach" : "aac ")
    }
  }

  var framesPerPacket: Int { sampleRate > coreRate ? coreFrames * 2 : coreFrames }

  /// Returns all layers, the richest first; empty if there is only one.
  func list(channels: Int) -> [FormatDescription.Layer] {
    guard hasReplication, formatID == "aach" || formatID == "aacp" else { return [] }
    func layer(_ id: String, _ rate: Double, _ channels: Int, _ frames: Int)
      -> FormatDescription.Layer
    {
      FormatDescription.Layer(
        formatID: id, sampleRate: rate, channelsPerFrame: channels, framesPerPacket: frames)
    }
    let inner = hasParametricStereo ? 1 : channels
    return (hasParametricStereo ? [layer("aacp", sampleRate, channels, framesPerPacket)] : [])
      + [
        layer("aach", sampleRate, inner, framesPerPacket),
        layer("aac ", coreRate, inner, coreFrames),
      ]
  }
}
