public import MediaTime

/// A composition of an asset's video tracks to frames (AVVideoComposition).
public struct VideoComposition: Sendable, Hashable {
  /// The interval between two frames.
  public var frameDuration: Time
  /// The track whose frame times are used; nil for multiples of ``frameDuration``.
  public var sourceTrackIDForFrameTiming: Int32?
  /// The size of the frames, in pixels.
  public var renderSize: Size
  /// The factor by which sizes are multiplied, for previews. Exports then make a smaller file.
  public var renderScale: Double
  /// The colours to render in; nil for those of the sources.
  public var colorProperties: ColorProperties?
  /// FFmpeg's name of the pixel format of the frames that are exchanged with a caller's own
  /// compositor.
  public var compositorPixelFormat = "rgb24"
  /// The time limit of a caller's own compositor for one frame.
  public var compositorTimeout = Duration.seconds(10)
  /// The instructions in the order of their ranges, each of which begins where the previous one
  /// ends.
  public var instructions: [Instruction]
  /// Subtitles over the pictures; of several, the last is on top.
  public var subtitles: [BurntSubtitles] = []
  /// Texts over the pictures and the subtitles; the last is on top.
  public var textLayers: [TextLayer] = []

  public init(
    frameDuration: Time, sourceTrackIDForFrameTiming: Int32? = nil, renderSize: Size,
    renderScale: Double = 1, colorProperties: ColorProperties? = nil, instructions: [Instruction]
  ) {
    self.frameDuration = frameDuration
    self.sourceTrackIDForFrameTiming = sourceTrackIDForFrameTiming
    self.renderSize = renderSize
    self.renderScale = renderScale
    self.colorProperties = colorProperties
    self.instructions = instructions
  }

  /// The colours that frames are rendered in and tagged with, by FFmpeg's names.
  public struct ColorProperties: Sendable, Hashable {
    public var primaries: String
    public var transfer: String
    public var matrix: String

    public init(primaries: String, transfer: String, matrix: String) {
      self.primaries = primaries
      self.transfer = transfer
      self.matrix = matrix
    }
  }

  /// A colour, each component from 0 to 1.
  public struct Color: Sendable, Hashable {
    public var red, green, blue, alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    public static let black = Color(red: 0, green: 0, blue: 0)
  }

  /// The contents of the frames in one time range (AVVideoCompositionInstruction).
  public struct Instruction: Sendable, Hashable {
    public var timeRange: TimeRange
    /// The colour of the area that no layer covers; opaque black by default.
    public var backgroundColor: Color
    /// The layers, the first one on top. Without layers, only the background is drawn.
    public var layerInstructions: [LayerInstruction]
    /// The renderer of the instruction's frames.
    public var compositor: Compositor

    public init(
      timeRange: TimeRange, backgroundColor: Color = .black,
      layerInstructions: [LayerInstruction] = [], compositor: Compositor = .engine
    ) {
      self.timeRange = timeRange
      self.backgroundColor = backgroundColor
      self.layerInstructions = layerInstructions
      self.compositor = compositor
    }
  }

  /// The renderer of an instruction's frames.
  public enum Compositor: String, Sendable, Hashable, CaseIterable {
    /// The engine.
    case engine
    /// A compositor of the caller's own (AVVideoComposition.customVideoCompositorClass). It decides
    /// how layers and background are drawn.
    case client
  }

  /// True if the caller draws any of the frames.
  var isDrawnByClient: Bool { instructions.contains { $0.compositor == .client } }

  /// The position and the appearance of one track in the frame
  /// (AVVideoCompositionLayerInstruction).
  ///
  /// The track's frame is cropped, fitted, transformed, and made transparent, in this order. The
  /// origin is the top left.
  public struct LayerInstruction: Sendable, Hashable {
    public var trackID: Int32
    /// Each number of a matrix is interpolated separately. Before the first entry: identity.
    public var transform: [ValueRamp<AffineTransform>]
    /// The opacity, from 0 to 1. Before the first entry: 1.
    public var opacity: [ValueRamp<Double>]
    /// The visible part, in square pixels of the track's frame. Before the first entry: all of it.
    public var cropRectangle: [ValueRamp<Rectangle>]
    /// The fit of the track's frame to the composition's frame before it is transformed.
    public var fit: Fit

    public init(
      trackID: Int32, transform: [ValueRamp<AffineTransform>] = [],
      opacity: [ValueRamp<Double>] = [], cropRectangle: [ValueRamp<Rectangle>] = [],
      fit: Fit = .none
    ) {
      self.trackID = trackID
      self.transform = transform
      self.opacity = opacity
      self.cropRectangle = cropRectangle
      self.fit = fit
    }
  }

  /// The way in which frames of one size are put into a frame of another.
  public enum Fit: String, Sendable, Hashable, CaseIterable {
    /// The frame's own size, at the top left, as in AVFoundation.
    case none
    /// The largest size that fits inside, centred.
    case contain
    /// The smallest size that covers the frame, centred.
    case cover
    /// Stretched to its width and its height.
    case fill
  }
}
