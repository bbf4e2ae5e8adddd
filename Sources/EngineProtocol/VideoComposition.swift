public import JSONRPC

/// The composition of an asset's video tracks into one sequence of frames.
public struct WireVideoComposition: Codable, ClosedForm, Sendable, Equatable {
  /// The interval between two composed frames.
  public var frameDuration: WireTime
  /// The track whose frame times the composed frames have.
  /// Left out, the times are multiples of `frameDuration`.
  public var sourceTrackIDForFrameTiming: Int32?
  /// The size of composed frames, in pixels: sides of 1 to 16384.
  public var renderSize: WireSize
  /// The factor by which sizes are multiplied in previews.
  ///
  /// - Default: `1`
  public var renderScale: Double?
  /// The colours that composed frames are made in and tagged with.
  /// Left out: those of the sources.
  public var colorProperties: WireColorProperties?
  /// The pixel format of frames that a compositor of the client's own receives and draws: one of the `pixelFormats` of
  /// ``EngineCapabilities``.
  ///
  /// - Default: `"rgb24"`
  public var compositorPixelFormat: String?
  /// The maximum time that a compositor of the client's own may need for a frame, in milliseconds, from its last answer
  /// on if several are outstanding; then the work that needs the frame fails with `videoCompositorFailed`.
  ///
  /// - Default: `10000`
  public var compositorTimeoutMs: Int?
  /// The instructions, each for a range of time: in ascending order, without gaps.
  public var instructions: [WireVideoCompositionInstruction]
  /// Subtitles over the frames; of several, the last is on top. Not where the client draws.
  public var subtitles: [WireBurntSubtitles]?
  /// Texts over the frames and the subtitles; the last is on top. Not where the client draws.
  public var textLayers: [WireTextLayer]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    frameDuration: WireTime, sourceTrackIDForFrameTiming: Int32? = nil, renderSize: WireSize,
    renderScale: Double? = nil, colorProperties: WireColorProperties? = nil,
    compositorPixelFormat: String? = nil, compositorTimeoutMs: Int? = nil,
    instructions: [WireVideoCompositionInstruction], subtitles: [WireBurntSubtitles]? = nil,
    textLayers: [WireTextLayer]? = nil
  ) {
    self.frameDuration = frameDuration
    self.sourceTrackIDForFrameTiming = sourceTrackIDForFrameTiming
    self.renderSize = renderSize
    self.renderScale = renderScale
    self.colorProperties = colorProperties
    self.compositorPixelFormat = compositorPixelFormat
    self.compositorTimeoutMs = compositorTimeoutMs
    self.instructions = instructions
    self.subtitles = subtitles
    self.textLayers = textLayers
  }
}

/// A video composition, or `null` for none, even if the asset has one of its own.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireVideoComposition"}, {"type": "null"}]}
/// ```
public enum WireVideoCompositionSetting: NullableSetting, ClosedForm, Equatable, DecodingPlaceholder
{
  /// It is used.
  case composition(WireVideoComposition)
  /// None is used.
  case none

  public static let decodingPlaceholder = WireVideoCompositionSetting.none
  public static let decodingExpectation = "a video composition or null"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .null: self = .none
    case .object: self = .composition(try WireVideoComposition(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .composition(let composition): try composition.encode(to: encoder)
    case .none:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// Colours, by FFmpeg's names.
public struct WireColorProperties: Codable, Sendable, Equatable {
  /// The primaries, for example `bt709`.
  public var primaries: String
  /// The transfer function.
  public var transfer: String
  /// The matrix.
  public var matrix: String

  /// Makes the value from its members.
  public init(primaries: String, transfer: String, matrix: String) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
  }
}

/// The contents of composed frames during one range of time.
public struct WireVideoCompositionInstruction: Codable, Sendable, Equatable {
  /// The range of time.
  public var timeRange: WireTimeRange
  /// The colour where no layer covers the frame: red, green, blue and alpha, each from 0 to 1.
  /// Left out: opaque black.
  public var backgroundColor: [Double]?
  /// The tracks that are shown; the first is on top.
  public var layerInstructions: [WireVideoCompositionLayerInstruction]
  /// The compositor that draws the frames.
  ///
  /// - Default: `"engine"`
  public var compositor: WireCompositor?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    timeRange: WireTimeRange, backgroundColor: [Double]? = nil,
    layerInstructions: [WireVideoCompositionLayerInstruction], compositor: WireCompositor? = nil
  ) {
    self.timeRange = timeRange
    self.backgroundColor = backgroundColor
    self.layerInstructions = layerInstructions
    self.compositor = compositor
  }
}

/// The compositors that can draw the frames of an instruction.
public enum WireCompositor: String, Codable, Sendable, CaseIterable {
  /// The engine.
  case engine
  /// The client, from which each frame is requested with ``VideoCompositionComposeFrame``. It may use layers and
  /// background as it likes.
  case client
}

/// The position and appearance of one track in composed frames.
///
/// A frame is cropped, fitted, transformed and made transparent, in this order. The origin is the top
/// left.
public struct WireVideoCompositionLayerInstruction: Codable, Sendable, Equatable {
  /// The track.
  public var trackID: Int32
  /// The transform over time; each number of a ramp is interpolated separately.
  /// Left out: identity throughout.
  public var transform: [WireTransformRamp]?
  /// The opacity over time, from 0 to 1.
  /// Left out: 1 throughout.
  public var opacity: [WireNumberRamp]?
  /// The part of the frame that is shown over time, in square pixels.
  /// Left out: all of it.
  public var cropRectangle: [WireRectangleRamp]?
  /// The fit of a frame into the render size, before it is transformed.
  ///
  /// - Default: `"none"`
  public var fit: WireFit?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    trackID: Int32, transform: [WireTransformRamp]? = nil, opacity: [WireNumberRamp]? = nil,
    cropRectangle: [WireRectangleRamp]? = nil, fit: WireFit? = nil
  ) {
    self.trackID = trackID
    self.transform = transform
    self.opacity = opacity
    self.cropRectangle = cropRectangle
    self.fit = fit
  }
}

/// The fit of a track's frames into a composed frame of another size.
public enum WireFit: String, Codable, Sendable, CaseIterable {
  /// At their own size, at the top left.
  case none
  /// As large as fits, centred.
  case contain
  /// As small as covers it, centred.
  case cover
  /// Stretched to its width and its height.
  case fill
}

/// An entry in the course of a transform over time: `{at, value}`, which holds from then on, or a
/// linear ramp, `{from, to, timeRange}`.
public struct WireTransformRamp: Codable, Sendable, Equatable {
  /// The time from which `value` holds.
  public var at: WireTime?
  /// The transform from then on.
  public var value: WireTransform?
  /// The transform at the start of a ramp.
  public var from: WireTransform?
  /// The transform at the end of a ramp, and after it.
  public var to: WireTransform?
  /// The time of a ramp.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    at: WireTime? = nil, value: WireTransform? = nil, from: WireTransform? = nil,
    to: WireTransform? = nil, timeRange: WireTimeRange? = nil
  ) {
    self.at = at
    self.value = value
    self.from = from
    self.to = to
    self.timeRange = timeRange
  }
}

/// An entry in the course of a rectangle over time: `{at, value}`, which holds from then on, or a
/// linear ramp, `{from, to, timeRange}`.
public struct WireRectangleRamp: Codable, Sendable, Equatable {
  /// The time from which `value` holds.
  public var at: WireTime?
  /// The rectangle from then on.
  public var value: WireRectangle?
  /// The rectangle at the start of a ramp.
  public var from: WireRectangle?
  /// The rectangle at the end of a ramp, and after it.
  public var to: WireRectangle?
  /// The time of a ramp.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    at: WireTime? = nil, value: WireRectangle? = nil, from: WireRectangle? = nil,
    to: WireRectangle? = nil, timeRange: WireTimeRange? = nil
  ) {
    self.at = at
    self.value = value
    self.from = from
    self.to = to
    self.timeRange = timeRange
  }
}
