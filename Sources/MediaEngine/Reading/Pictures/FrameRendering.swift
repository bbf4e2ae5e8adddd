import LibAV
import SystemIO

/// The way from a decoded frame to the picture that is delivered: which part of the frame is shown, how it is turned,
/// where in the picture it lies, and how its tones are mapped.
///
/// One rule for images, readers, exports and compositors. They choose a canvas, a part, a turn, a size and a dynamic
/// range; a ``FrameRenderer`` then draws the frame in a format.
struct FrameRendering {
  /// The dynamic range of the pictures that are delivered.
  enum DynamicRange: Sendable {
    /// The frame's.
    case source
    /// Standard: PQ and HLG are mapped to BT.709.
    case standard
  }

  let orientation: Orientation
  /// The part of the frame that is shown, before it is turned; nil for all of it.
  let crop: PictureRectangle?
  /// The rectangle of that part in the picture, on whole samples of chroma; nil for all of the
  /// picture.
  let place: PictureRectangle?
  /// Nil where the tones of the frame stay.
  let toneMap: ToneMap?

  /// - Parameters:
  ///   - format: of the track that the frame was decoded from; without a description of video, high
  ///     dynamic range counts as mastered at 1000 nits.
  ///   - canvas: the canvas that the frame is fitted into first; nil where the frame is the
  ///     picture.
  ///   - part: the part of the canvas, or of the frame, that is shown; nil for all.
  ///   - turn: the rotation of that part; a frame on a canvas is upright.
  ///   - size: the picture's, after the turn.
  init(
    of frame: borrowing Frame, _ format: TrackFormat, in range: DynamicRange,
    canvas: Canvas? = nil, part: PictureRectangle? = nil, turn: Orientation = .up,
    size: (width: Int, height: Int)
  ) {
    toneMap = FrameRendering.toneMap(for: frame, format, in: range)
    guard let canvas else {
      (orientation, crop, place) = (turn, part, nil)
      return
    }
    let placement = CanvasPlacement(
      of: frame, format, in: canvas, view: part, turn: turn, size: size)
    (orientation, crop, place) = (placement.orientation, placement.crop, placement.place)
  }

  /// All of a frame, in any size, with its own tones.
  init(turn: Orientation) { (orientation, crop, place, toneMap) = (turn, nil, nil, nil) }

  /// Returns the tone map for a frame that is delivered in a dynamic range; nil where its tones
  /// stay.
  static func toneMap(
    for frame: borrowing Frame, _ format: TrackFormat, in range: DynamicRange
  ) -> ToneMap? {
    guard range == .standard else { return nil }
    return ToneMap.Source(of: frame, format).map(ToneMap.shared)
  }
}

/// Draws frames. It keeps the setup of its conversions from one picture to the next; one thread at a time.
struct FrameRenderer: ~Copyable {
  private var converter = PictureConverter()

  /// Returns a picture in a block of an allocator, with the description of its colours.
  mutating func pixels(
    of frame: borrowing Frame, _ rendering: FrameRendering, in layout: PictureLayout,
    _ color: PictureColor, allocator: any BlockAllocator
  ) throws(LibAVError) -> (block: Block, color: ColorDescription) {
    try converter.convert(
      frame, to: layout, color: color, orientation: rendering.orientation, crop: rendering.crop,
      place: rendering.place, toneMap: rendering.toneMap, allocator: allocator)
  }

  /// Returns a picture as an encoder takes it, with the frame's times.
  mutating func frame(
    from frame: borrowing Frame, _ rendering: FrameRendering, in layout: PictureLayout,
    _ color: PictureColor
  ) throws(LibAVError) -> Frame {
    try converter.frame(
      from: frame, to: layout, color: color, orientation: rendering.orientation,
      crop: rendering.crop, place: rendering.place, toneMap: rendering.toneMap)
  }

  /// Returns an encoded image in a block of an allocator.
  ///
  /// - Parameter quality: 0 to 1, for JPEG and WebP.
  mutating func file(
    of frame: borrowing Frame, _ rendering: FrameRendering, width: Int, height: Int,
    as format: ImageFormat, quality: Double, allocator: any BlockAllocator
  ) throws(LibAVError) -> Block {
    let hasAlpha = frame.pixelFormat.hasAlpha || frame.pixelFormat.hasPalette
    let layout = try PictureLayout(
      width: width, height: height, format: format.pixelFormat(hasAlpha: hasAlpha))
    let picture = try self.frame(
      from: frame, rendering, in: layout, layout.format.isRGB ? .rgb : .jpeg)
    return try format.encode(picture, quality: quality, allocator: allocator)
  }
}

extension PictureColor {
  /// The colours of a frame that is delivered in a format: its own, or those of BT.709 where its tones were mapped.
  init(of frame: borrowing Frame, _ rendering: FrameRendering, as format: PixelFormat) {
    if rendering.toneMap != nil, !format.isRGB {
      self.init(matrix: PictureColor.bt709, isFullRange: format.isGray)
    } else {
      self.init(of: frame, as: format)
    }
  }
}

extension SampleBuffer.Picture {
  init(_ layout: PictureLayout, _ color: ColorDescription) {
    self.init(
      pixelFormat: layout.format.name ?? "", width: layout.width, height: layout.height,
      planes: layout.planes.map(PicturePlane.init), color: FormatDescription.Color(color))
  }
}

extension ToneMap.Source {
  /// Creates the tone mapping of a frame; nil for standard dynamic range.
  ///
  /// The peak comes from the track alone, never from a frame: else neighbours would differ.
  fileprivate init?(of frame: borrowing Frame, _ format: TrackFormat) {
    let color = frame.color
    let transfer: ToneMap.Transfer
    switch color.transfer {
    case ColorDescription.pq: transfer = .pq
    case ColorDescription.hlg: transfer = .hlg
    default: return nil
    }
    let primaries: ToneMap.Primaries =
      switch color.primaries {
      case 1: .bt709
      case 11, 12: .displayP3
      default: .bt2020
      }
    let hdr = format.video?.hdr
    let brightest = (hdr?.contentLightLevel?.maxCLL).flatMap { $0 > 0 ? Double($0) : nil }
    self.init(
      transfer: transfer, primaries: primaries,
      peak: brightest ?? hdr?.masteringDisplayColorVolume?.maximumLuminance)
  }
}
