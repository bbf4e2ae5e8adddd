import JSONRPC

/// The video properties of a format description.
public struct WireVideoFormat: Codable, Sendable {
  /// The encoded size, in pixels.
  public var dimensions: WireSize
  /// The size in square pixels, after clean aperture and pixel aspect ratio: the width is stretched,
  /// never the height, and both are rounded, half away from zero.
  public var presentationDimensions: WireSize
  /// The shape of a pixel; absent when it is square.
  public var pixelAspectRatio: WirePixelAspectRatio?
  /// The part to be displayed, in encoded pixels; absent if it is the whole frame.
  public var cleanAperture: WireCleanAperture?
  /// 1 when progressive, 2 when interlaced.
  public var fieldCount: Int?
  /// The order of the fields, by Core Media's names for the numbers of QuickTime's `fiel`.
  public var fieldDetail: WireFieldDetail?
  /// The order of the fields, by FFmpeg's names: that of storage and that of display.
  public var fieldOrder: WireFieldOrder?
  /// The bits of one component, for example 10.
  public var bitsPerComponent: Int?
  /// The bits of a pixel as stated by the container; 32 often means that it has alpha.
  public var depth: Int?
  /// The pixel format by FFmpeg's name, for example `yuv420p10le`.
  public var pixelFormat: String?
  /// The colour, as far as it is known.
  public var color: WireColor
  /// The exponent of a transfer function that is a plain power, for example 2.2.
  public var gammaLevel: Double?
  /// The position of the chroma samples, by FFmpeg's name, for example `left`.
  public var chromaLocation: String?
  /// True if it has transparency; absent for formats with a palette, which may or may not.
  public var containsAlphaChannel: Bool?
  /// The relation between colours and transparency.
  public var alphaChannelMode: WireAlphaChannelMode?
  /// The mastering display.
  public var masteringDisplayColorVolume: WireMasteringDisplayColorVolume?
  /// The light levels of the brightest pixel and the brightest frame.
  public var contentLightLevel: WireContentLightLevel?
  /// The ambient light that the video was graded for.
  public var ambientViewingEnvironment: WireAmbientViewingEnvironment?
  /// Dolby Vision.
  public var dolbyVision: WireDolbyVision?
  /// The ICC profile, when the container has one of at most 1 MiB.
  public var iccProfile: Base64Data?
  /// The arrangement of two views in a frame.
  public var stereo3D: WireStereo3D?
  /// The representation of a sphere in a frame.
  public var spherical: WireSpherical?
  /// The number of bytes of the length before each NAL unit of a sample; absent for other formats, and where
  /// start codes separate the units.
  public var nalUnitHeaderLength: Int?
  /// The parameter sets of H.264 and HEVC, without lengths and start codes.
  public var parameterSets: [Base64Data]?

  package init(
    dimensions: WireSize, presentationDimensions: WireSize,
    pixelAspectRatio: WirePixelAspectRatio? = nil, cleanAperture: WireCleanAperture? = nil,
    fieldCount: Int? = nil, fieldDetail: WireFieldDetail? = nil, fieldOrder: WireFieldOrder? = nil,
    bitsPerComponent: Int? = nil, depth: Int? = nil, pixelFormat: String? = nil, color: WireColor,
    gammaLevel: Double? = nil, chromaLocation: String? = nil, containsAlphaChannel: Bool? = nil,
    alphaChannelMode: WireAlphaChannelMode? = nil,
    masteringDisplayColorVolume: WireMasteringDisplayColorVolume? = nil,
    contentLightLevel: WireContentLightLevel? = nil,
    ambientViewingEnvironment: WireAmbientViewingEnvironment? = nil,
    dolbyVision: WireDolbyVision? = nil, iccProfile: Base64Data? = nil,
    stereo3D: WireStereo3D? = nil, spherical: WireSpherical? = nil,
    nalUnitHeaderLength: Int? = nil, parameterSets: [Base64Data]? = nil
  ) {
    self.dimensions = dimensions
    self.presentationDimensions = presentationDimensions
    self.pixelAspectRatio = pixelAspectRatio
    self.cleanAperture = cleanAperture
    self.fieldCount = fieldCount
    self.fieldDetail = fieldDetail
    self.fieldOrder = fieldOrder
    self.bitsPerComponent = bitsPerComponent
    self.depth = depth
    self.pixelFormat = pixelFormat
    self.color = color
    self.gammaLevel = gammaLevel
    self.chromaLocation = chromaLocation
    self.containsAlphaChannel = containsAlphaChannel
    self.alphaChannelMode = alphaChannelMode
    self.masteringDisplayColorVolume = masteringDisplayColorVolume
    self.contentLightLevel = contentLightLevel
    self.ambientViewingEnvironment = ambientViewingEnvironment
    self.dolbyVision = dolbyVision
    self.iccProfile = iccProfile
    self.stereo3D = stereo3D
    self.spherical = spherical
    self.nalUnitHeaderLength = nalUnitHeaderLength
    self.parameterSets = parameterSets
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

/// The part of a frame to be displayed.
public struct WireCleanAperture: Codable, Sendable, Equatable {
  /// Its left edge, from the left of the frame.
  public var x: Double
  /// Its top edge, from the top of the frame.
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

/// The field order of interlaced video, by the numbers of QuickTime's `fiel`.
///
/// Files and FFmpeg agree on the numbers; the names are Core Media's for them.
public enum WireFieldDetail: String, Codable, Sendable, CaseIterable {
  /// 1: the top field is stored first and shown first.
  case temporalTopFirst
  /// 6: the bottom field is stored first and shown first.
  case temporalBottomFirst
  /// 9: the top field is stored first, and the bottom field shown first.
  case spatialFirstLineEarly
  /// 14: the bottom field is stored first, and the top field shown first.
  case spatialFirstLineLate
}

/// The field order of interlaced video, by FFmpeg's names: the first letter is the field that is
/// stored first, the second the one that is shown first.
public enum WireFieldOrder: String, Codable, Sendable, CaseIterable {
  /// Stored and shown top first.
  case tt
  /// Stored and shown bottom first.
  case bb
  /// Stored top first, shown bottom first.
  case tb
  /// Stored bottom first, shown top first.
  case bt
}

/// The relation between colours and transparency.
public enum WireAlphaChannelMode: String, Codable, Sendable, CaseIterable {
  /// Colours are as they would be without transparency.
  case straight
  /// Colours are multiplied with the alpha.
  case premultiplied
}
