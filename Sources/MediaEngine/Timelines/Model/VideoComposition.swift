public import MediaTime

/// How the video tracks of an asset are put together to one picture (AVVideoComposition).
public struct VideoComposition: Sendable, Hashable {
  /// The interval between two pictures.
  public var frameDuration: Time
  /// The track whose frame times the pictures have; nil for multiples of ``frameDuration``.
  public var sourceTrackIDForFrameTiming: Int32?
  /// The size of the pictures, in pixels.
  public var renderSize: Size
  /// What sizes are multiplied by in previews, of which exports make a smaller file.
  public var renderScale: Double
  /// Nil for the colours of the sources.
  public var colorProperties: ColorProperties?
  /// What pictures are exchanged in with a compositor of the caller's own, by FFmpeg's name.
  public var compositorPixelFormat = "rgb24"
  /// How long a compositor of the caller's own may take for one picture.
  public var compositorTimeout = Duration.seconds(10)
  /// In the order of their ranges, each of which begins where the one before ends.
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

  /// The colours that pictures are made in and tagged with, by FFmpeg's names.
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

  /// What is shown during one range of time (AVVideoCompositionInstruction).
  public struct Instruction: Sendable, Hashable {
    public var timeRange: TimeRange
    /// Where no layer covers it; opaque black unless set.
    public var backgroundColor: Color
    /// The first is on top. None: the background alone.
    public var layerInstructions: [LayerInstruction]
    /// Who draws it.
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

  /// Who draws the pictures of an instruction.
  public enum Compositor: String, Sendable, Hashable, CaseIterable {
    /// The engine.
    case engine
    /// A compositor of the caller's own (AVVideoComposition.customVideoCompositorClass). Layers and
    /// background are what it makes of them.
    case client
  }

  /// Whether the caller draws any of the pictures.
  var isDrawnByClient: Bool { instructions.contains { $0.compositor == .client } }

  /// Where in the picture one track is, and how (AVVideoCompositionLayerInstruction).
  ///
  /// A frame is cropped, fitted, transformed, and made transparent, in this order. The origin is the top left.
  public struct LayerInstruction: Sendable, Hashable {
    public var trackID: Int32
    /// Each number of a matrix is interpolated for itself. Before the first entry: identity.
    public var transform: [ValueRamp<AffineTransform>]
    /// From 0 to 1. Before the first entry: 1.
    public var opacity: [ValueRamp<Double>]
    /// In square pixels of the frame. Before the first entry: all of it.
    public var cropRectangle: [ValueRamp<Rectangle>]
    /// How a frame is fitted to the picture before it is transformed.
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

  /// How frames of one size are put into a picture of another.
  public enum Fit: String, Sendable, Hashable, CaseIterable {
    /// At their own size, at the top left, as AVFoundation does.
    case none
    /// As large as fits, centred.
    case contain
    /// As small as covers it, centred.
    case cover
    /// Stretched to its width and its height.
    case fill
  }
}
