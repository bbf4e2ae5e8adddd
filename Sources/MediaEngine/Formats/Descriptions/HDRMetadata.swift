import LibAV

extension FormatDescription {
  /// The HDR metadata of a file, for displays; nil if there is none.
  ///
  /// The numbers are the nearest `Double` to the file's fractions (chromaticities in units of
  /// 1/50000, luminances of 1/10000), so rounding restores the fractions.
  public struct HDR: Sendable, Hashable {
    /// SMPTE ST 2086; nil if the stream has none.
    public var masteringDisplayColorVolume: MasteringDisplayColorVolume?
    /// CTA-861.3; nil if the stream has none.
    public var contentLightLevel: ContentLightLevel?
    /// ITU-T H.274; nil if the stream has none.
    public var ambientViewingEnvironment: AmbientViewingEnvironment?
    /// The configuration record; nil if the stream has none.
    public var dolbyVision: DolbyVision?
  }

  /// A point in the CIE 1931 chromaticity diagram.
  public struct Chromaticity: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The display that the video was mastered on (SMPTE ST 2086). Luminance in cd/m².
  public struct MasteringDisplayColorVolume: Sendable, Hashable {
    public var red: Chromaticity?
    public var green: Chromaticity?
    public var blue: Chromaticity?
    public var whitePoint: Chromaticity?
    /// The minimum luminance, in candelas per square metre.
    public var minimumLuminance: Double?
    /// The maximum luminance, in candelas per square metre.
    public var maximumLuminance: Double?
  }

  /// The brightest pixel, and the brightest frame's average, in cd/m² (CTA-861.3); 0 is unknown.
  public struct ContentLightLevel: Sendable, Hashable {
    /// The light level of the brightest pixel, in candelas per square metre.
    public var maxCLL: UInt32
    /// The maximum average light level of a frame, in candelas per square metre.
    public var maxFALL: UInt32
  }

  /// The light around the screen (ITU-T H.274): its illuminance in lux and its chromaticity.
  public struct AmbientViewingEnvironment: Sendable, Hashable {
    /// The illuminance, in lux.
    public var illuminance: Double
    /// The colour of the surrounding light.
    public var light: Chromaticity
  }

  /// The Dolby Vision configuration record.
  public struct DolbyVision: Sendable, Hashable {
    public var versionMajor: Int
    public var versionMinor: Int
    public var profile: Int
    public var level: Int
    /// The format of the base layer without Dolby Vision: 0 none, 1 HDR10, 2 SDR, 4 HLG.
    public var compatibilityID: Int
    public var isRPUPresent: Bool
    public var isEnhancementLayerPresent: Bool
    public var isBaseLayerPresent: Bool
  }

  /// The arrangement of two views in a stereoscopic frame, by FFmpeg's name: "side by side" …
  public struct Stereo3D: Sendable, Hashable {
    public var type: String
    /// True if the right view comes first.
    public var isInverted: Bool

    init(_ layout: StereoLayout) {
      type = layout.type
      isInverted = layout.isInverted
    }
  }

  /// The projection of a sphere to the frame, by FFmpeg's name: "equirectangular" … Angles in
  /// degrees.
  public struct Spherical: Sendable, Hashable {
    public var projection: String
    /// The rotation about the vertical axis, in degrees.
    public var yaw: Double
    /// The rotation about the transverse axis, in degrees.
    public var pitch: Double
    /// The rotation about the viewing axis, in degrees.
    public var roll: Double

    init(_ mapping: SphericalMapping) {
      projection = mapping.projection
      (yaw, pitch, roll) = (mapping.yaw, mapping.pitch, mapping.roll)
    }
  }
}

extension FormatDescription.HDR {
  /// Creates the container's metadata; if it has none, that of the SEI messages in an HEVC
  /// configuration.
  init(_ media: MediaFormat, extradata: [UInt8], sampleDescription: SampleDescription?) {
    let messages =
      CodecTraits(media.parameters.codecName).nalSyntax == .hevc
      ? SupplementalInformation(
        units: ParameterSets(.hevc, extradata: extradata)?.units ?? [])
      : SupplementalInformation(units: [])
    masteringDisplayColorVolume =
      media.masteringDisplay.map(FormatDescription.MasteringDisplayColorVolume.init)
      ?? messages.masteringDisplayColorVolume
    contentLightLevel =
      media.contentLight.map {
        FormatDescription.ContentLightLevel(maxCLL: $0.maxCLL, maxFALL: $0.maxFALL)
      } ?? messages.contentLightLevel
    ambientViewingEnvironment =
      media.ambientLight.map {
        FormatDescription.AmbientViewingEnvironment(
          illuminance: $0.illuminance.doubleValue,
          light: FormatDescription.Chromaticity(x: $0.x.doubleValue, y: $0.y.doubleValue))
      } ?? sampleDescription?.extensions.first { $0.type == "amve" }.flatMap {
        FormatDescription.AmbientViewingEnvironment($0.payload[...])
      } ?? messages.ambientViewingEnvironment
    dolbyVision = media.dolbyVision.map {
      FormatDescription.DolbyVision(
        versionMajor: $0.versionMajor, versionMinor: $0.versionMinor, profile: $0.profile,
        level: $0.level, compatibilityID: $0.compatibilityID, isRPUPresent: $0.hasRPU,
        isEnhancementLayerPresent: $0.hasEnhancementLayer, isBaseLayerPresent: $0.hasBaseLayer)
    }
  }
}

extension FormatDescription.AmbientViewingEnvironment {
  /// Reads the payload of an SEI message or of `amve`, which have the same form; nil if it is too
  /// short.
  init?(_ payload: ArraySlice<UInt8>) {
    var reader = BitReader(payload)
    guard let illuminance = reader.read(32), let x = reader.read(16), let y = reader.read(16) else {
      return nil
    }
    self.init(
      illuminance: Double(illuminance) / 10000,
      light: FormatDescription.Chromaticity(x: Double(x) / 50000, y: Double(y) / 50000))
  }
}

extension FormatDescription.MasteringDisplayColorVolume {
  fileprivate init(_ display: MasteringDisplay) {
    func point(_ point: ChromaticityPoint) -> FormatDescription.Chromaticity {
      FormatDescription.Chromaticity(x: point.x.doubleValue, y: point.y.doubleValue)
    }
    red = (display.primaries?.red).map(point)
    green = (display.primaries?.green).map(point)
    blue = (display.primaries?.blue).map(point)
    whitePoint = (display.primaries?.white).map(point)
    minimumLuminance = display.luminance?.minimum.doubleValue
    maximumLuminance = display.luminance?.maximum.doubleValue
  }
}

/// The HDR metadata in the SEI messages of an HEVC stream (ITU-T H.265, annex D).
struct SupplementalInformation {
  private(set) var masteringDisplayColorVolume: FormatDescription.MasteringDisplayColorVolume?
  private(set) var contentLightLevel: FormatDescription.ContentLightLevel?
  private(set) var ambientViewingEnvironment: FormatDescription.AmbientViewingEnvironment?

  init(units: [ParameterSets.Unit]) {
    for unit in units where unit.isHEVCMessage {
      for message in supplementalMessages(unit.bytes.dropFirst(2)) {
        read(type: message.type, message.payload)
      }
    }
  }

  private mutating func read(type: Int, _ payload: ArraySlice<UInt8>) {
    var reader = BitReader(payload)
    func point() -> FormatDescription.Chromaticity? {
      guard let x = reader.read(16), let y = reader.read(16) else { return nil }
      return FormatDescription.Chromaticity(x: Double(x) / 50000, y: Double(y) / 50000)
    }
    switch type {
    case 137:
      // The order is green, blue, red.
      guard let green = point(), let blue = point(), let red = point(), let white = point(),
        let maximum = reader.read(32), let minimum = reader.read(32)
      else { return }
      masteringDisplayColorVolume = FormatDescription.MasteringDisplayColorVolume(
        red: red, green: green, blue: blue, whitePoint: white,
        minimumLuminance: Double(minimum) / 10000, maximumLuminance: Double(maximum) / 10000)
    case 144:
      guard let content = reader.read(16), let average = reader.read(16) else { return }
      contentLightLevel = FormatDescription.ContentLightLevel(maxCLL: content, maxFALL: average)
    case 148:
      ambientViewingEnvironment =
        FormatDescription.AmbientViewingEnvironment(payload) ?? ambientViewingEnvironment
    default: break
    }
  }
}
