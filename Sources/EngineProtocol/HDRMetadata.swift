// Chromaticities and luminances are the numbers nearest to the file's fractions, whose denominators are
// 50000 for chromaticities and 10000 for luminances: rounding restores the fractions.

/// A point in the CIE 1931 chromaticity diagram.
public struct WireChromaticity: Codable, Sendable, Equatable {
  /// The first coordinate, 0 to 1; files store it in units of 1/50000.
  public var x: Double
  /// The second coordinate, likewise.
  public var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The mastering display (SMPTE ST 2086).
public struct WireMasteringDisplayColorVolume: Codable, Sendable, Equatable {
  /// The red primary.
  public var red: WireChromaticity?
  /// The green primary.
  public var green: WireChromaticity?
  /// The blue primary.
  public var blue: WireChromaticity?
  /// The white point.
  public var whitePoint: WireChromaticity?
  /// The minimum luminance, in cd/m²; files store it in units of 1/10000.
  public var minLuminance: Double?
  /// The maximum luminance, in cd/m².
  public var maxLuminance: Double?

  package init(
    red: WireChromaticity? = nil, green: WireChromaticity? = nil, blue: WireChromaticity? = nil,
    whitePoint: WireChromaticity? = nil, minLuminance: Double? = nil, maxLuminance: Double? = nil
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.whitePoint = whitePoint
    self.minLuminance = minLuminance
    self.maxLuminance = maxLuminance
  }
}

/// The light levels of the brightest pixel and the brightest frame, in cd/m² (CTA-861.3); 0 is unknown.
public struct WireContentLightLevel: Codable, Sendable, Equatable {
  /// The light level of the brightest pixel of all frames.
  public var maxCLL: UInt32
  /// The highest average light level of a frame.
  public var maxFALL: UInt32

  package init(maxCLL: UInt32, maxFALL: UInt32) {
    self.maxCLL = maxCLL
    self.maxFALL = maxFALL
  }
}

/// The ambient light around a screen (ITU-T H.274).
public struct WireAmbientViewingEnvironment: Codable, Sendable, Equatable {
  /// The illuminance, in lux.
  public var illuminance: Double
  /// The chromaticity of the light.
  public var light: WireChromaticity

  package init(illuminance: Double, light: WireChromaticity) {
    self.illuminance = illuminance
    self.light = light
  }
}

/// Dolby Vision's configuration record.
public struct WireDolbyVision: Codable, Sendable, Equatable {
  /// The major version.
  public var versionMajor: Int
  /// The minor version.
  public var versionMinor: Int
  /// The profile, for example 5 or 8.
  public var profile: Int
  /// The level.
  public var level: Int
  /// The format of the base layer for devices without Dolby Vision: 0 none that they can show, 1 HDR10, 2 SDR, 4 HLG.
  public var compatibilityID: Int
  /// True if it has metadata for each frame (RPU).
  public var isRPUPresent: Bool
  /// True if it has an enhancement layer.
  public var isEnhancementLayerPresent: Bool
  /// True if it has a base layer.
  public var isBaseLayerPresent: Bool

  package init(
    versionMajor: Int, versionMinor: Int, profile: Int, level: Int, compatibilityID: Int,
    isRPUPresent: Bool, isEnhancementLayerPresent: Bool, isBaseLayerPresent: Bool
  ) {
    self.versionMajor = versionMajor
    self.versionMinor = versionMinor
    self.profile = profile
    self.level = level
    self.compatibilityID = compatibilityID
    self.isRPUPresent = isRPUPresent
    self.isEnhancementLayerPresent = isEnhancementLayerPresent
    self.isBaseLayerPresent = isBaseLayerPresent
  }
}

/// The arrangement of two views in a frame.
public struct WireStereo3D: Codable, Sendable, Equatable {
  /// The arrangement by FFmpeg's name, for example `side by side`.
  public var type: String
  /// True if the right view comes first.
  public var isInverted: Bool

  package init(type: String, isInverted: Bool) {
    self.type = type
    self.isInverted = isInverted
  }
}

/// The representation of a sphere in a frame.
public struct WireSpherical: Codable, Sendable, Equatable {
  /// The projection by FFmpeg's name, for example `equirectangular`.
  public var projection: String
  /// The rotation around the vertical axis, in degrees.
  public var yaw: Double
  /// The rotation around the horizontal axis, in degrees.
  public var pitch: Double
  /// The rotation around the line of sight, in degrees.
  public var roll: Double

  package init(projection: String, yaw: Double, pitch: Double, roll: Double) {
    self.projection = projection
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }
}
