internal import CLibAV
import SystemIO

/// A compositor, which makes a frame of layers.
///
/// There are three ways, of which ``path(of:overOpaque:in:)`` returns the cheapest that is exact.
/// Layers are blended on code values, as they are stored; all frames have chroma at one position,
/// wherever the sources have theirs.
///
/// One thread at a time; the converter's memory is reused from one frame to the next.
package struct PictureCompositor: ~Copyable {
  /// A way to make a frame.
  package enum Path: Hashable, Sendable {
    /// One opaque layer that covers the whole frame is converted to it.
    case convert
    /// Layers with upright edges on whole samples are converted to the frame's format and blended
    /// there: each sample becomes (a (2¹⁵ - w) + b w + 2¹⁴) >> 15 with w = 2¹⁵ times the opacity,
    /// rounded.
    case planar
    /// Everything else: regions with a layer that needs it are drawn in 16 bits with chroma of
    /// luma's size, premultiplied by alpha.
    case general
  }

  /// A colour of straight RGB with alpha, each from 0 to 1.
  package typealias Background = (red: Double, green: Double, blue: Double, alpha: Double)

  private var converter = PictureConverter()
  private let chromaLocation: Int32
  private var begun: LayeredPicture?
  /// The memory of a working frame, for the next one.
  private var memory: Block?

  /// - Parameter chromaLocation: the chroma location of the frames it makes, by H.273; 0 for the
  ///   default of their format.
  package init(chromaLocation: Int32 = 0) { self.chromaLocation = chromaLocation }

  /// Returns the way to make a frame of these layers, bottom first. Layers without opacity don't
  /// count, and needn't be drawn.
  ///
  /// - Parameter overOpaque: true if the background is opaque; in formats without alpha it always
  ///   is.
  package static func path(
    of layers: [(placement: LayerPlacement, opacity: Double, hasAlpha: Bool)],
    overOpaque background: Bool = true, in layout: PictureLayout
  ) -> Path {
    let layers = layers.filter { $0.opacity > 0 }
    if layers.count == 1, let layer = layers.first, weight(of: layer.opacity) == 1 << 15,
      !layer.hasAlpha, UprightPlacement(layer.placement)?.covers(layout) == true
    {
      return .convert
    }
    let isPlanar =
      (background || !layout.format.hasAlpha) && layout.format.isBlendable
      && layers.allSatisfy { layer in
        guard !layer.hasAlpha, let upright = UprightPlacement(layer.placement) else { return false }
        return upright.visible(in: layout) == nil || upright.samples(in: layout) != nil
      }
    return isPlanar ? .planar : .general
  }

  /// Returns the opacity in 1/32768.
  static func weight(of opacity: Double) -> Int {
    // An opacity that is no number is drawn as 0.
    opacity > 0 ? Int((min(opacity, 1) * 32768).rounded()) : 0
  }

  private func chroma(in format: PixelFormat) -> ChromaPosition {
    ChromaPosition(chromaLocation, in: format)
  }

  // MARK: - One layer

  /// Makes the frame of one opaque layer that covers all of it.
  ///
  /// - Parameters:
  ///   - color: the colours of the result.
  ///   - toneMap: makes BT.709 of the frame's PQ or HLG.
  /// - Throws: `invalidArgument` where the layer doesn't cover the frame.
  package mutating func frame(
    from source: borrowing Frame, _ placement: LayerPlacement, to layout: PictureLayout,
    color: PictureColor, toneMap: ToneMap? = nil
  ) throws(LibAVError) -> Frame {
    guard let clipped = placement.clipped(width: source.width, height: source.height),
      let upright = UprightPlacement(clipped), upright.covers(layout)
    else { throw LibAVError.unsuitable("the layer doesn't cover the picture") }
    let all = PictureRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    let result = try converter.picture(
      of: source, in: layout, drawing(upright, all, color, toneMap, layout.format))
    Counters.countComposed(.converted)
    return result
  }

  private func drawing(
    _ placement: UprightPlacement, _ place: PictureRectangle, _ color: PictureColor,
    _ toneMap: ToneMap?, _ format: PixelFormat
  ) -> PictureConverter.Drawing {
    PictureConverter.Drawing(
      color: color, orientation: placement.orientation,
      crop: placement.crop.withoutRoundingErrors.bounds,
      part: placement.part(for: PictureArea(place)), toneMap: toneMap, chroma: chroma(in: format))
  }

  // MARK: - Several layers

  /// Prepares a layer to be drawn, any number of times and with any opacity: its visible part, in
  /// the form that the path draws.
  ///
  /// - Parameters:
  ///   - color: the colours of the composed frame.
  ///   - toneMap: makes BT.709 of the frame's PQ or HLG.
  /// - Returns: nil if nothing of the layer is visible.
  /// - Throws: `invalidArgument` where that path can't draw it, and the errors of conversions.
  package mutating func prepare(
    _ frame: borrowing Frame, _ placement: LayerPlacement, for path: Path,
    in layout: PictureLayout, color: PictureColor, toneMap: ToneMap? = nil
  ) throws(LibAVError) -> PreparedLayer? {
    guard let placement = placement.clipped(width: frame.width, height: frame.height),
      placement.transform.isFinite
    else { return nil }
    let form = PreparedLayer.Form(path: path, layout: layout, color: color)
    let upright = UprightPlacement(placement)
    switch path {
    case .convert: throw LibAVError.unsuitable("one layer is converted without being prepared")
    case .planar:
      guard let upright else { throw LibAVError.unsuitable("the layer is turned or sheared") }
      return try planarLayer(of: frame, upright, form, toneMap)
    case .general:
      guard let upright else {
        return try converter.turnedLayer(of: frame, placement, form, toneMap: toneMap)
      }
      if !frame.pixelFormat.hasAlpha, layout.format.isBlendable,
        upright.samples(in: layout) != nil
      {
        return try planarLayer(of: frame, upright, form, toneMap)
      }
      return try converter.uprightLayer(of: frame, upright, form, toneMap: toneMap)
    }
  }

  private mutating func planarLayer(
    of frame: borrowing Frame, _ placement: UprightPlacement, _ form: PreparedLayer.Form,
    _ toneMap: ToneMap?
  ) throws(LibAVError) -> PreparedLayer? {
    let format = form.layout.format
    guard placement.visible(in: form.layout) != nil else { return nil }
    guard let place = placement.samples(in: form.layout) else {
      throw LibAVError.unsuitable("the layer's edges lie between samples")
    }
    let part = try PictureLayout(width: place.width, height: place.height, format: format)
    let picture = try converter.picture(
      of: frame, in: part, drawing(placement, place, form.color, toneMap, format))
    return PreparedLayer(picture: picture, x: place.x, y: place.y, isPlanar: true, form: form)
  }

  /// Begins a frame with nothing but its background.
  ///
  /// - Parameter background: lies over black in formats without alpha.
  /// - Throws: `invalidArgument` for a path that draws no layers, and for one that can't have the
  ///   background; `notImplemented` where the background can't be converted to the colours.
  package mutating func begin(
    _ layout: PictureLayout, color: PictureColor, background: Background, path: Path
  ) throws(LibAVError) {
    begun = try LayeredPicture.begin(
      PreparedLayer.Form(path: path, layout: layout, color: color), background,
      chroma(in: layout.format))
  }

  /// Draws a layer over the earlier ones.
  ///
  /// - Throws: `invalidArgument` for a layer that was prepared for another path, layout or colour.
  package mutating func draw(
    _ layer: borrowing PreparedLayer, opacity: Double
  ) throws(LibAVError) {
    guard begun != nil else { throw LibAVError.unsuitable("no picture has been begun") }
    try begun?.draw(
      layer, weight: PictureCompositor.weight(of: opacity), &converter, reusing: &memory)
  }

  /// Returns the frame, without a time stamp.
  package mutating func finish() throws(LibAVError) -> Frame {
    guard let picture = begun.take() else {
      throw LibAVError.unsuitable("no picture has been begun")
    }
    Counters.countComposed(picture.form.path == .planar ? .planar : .general)
    return try picture.finish(&converter, memory: &memory)
  }
}

/// A layer that is ready to be drawn.
package struct PreparedLayer: ~Copyable {
  /// The frame that the layer was prepared for: it can be drawn in no other.
  struct Form: Hashable {
    var path: PictureCompositor.Path
    var layout: PictureLayout
    var color: PictureColor
  }

  let picture: Frame
  /// The column of its first pixel in the composed frame; `y` is the row.
  let x: Int
  let y: Int
  /// True if the layer is in the composed frame's own format, and opaque.
  let isPlanar: Bool
  let form: Form

  var place: PictureRectangle {
    PictureRectangle(x: x, y: y, width: picture.width, height: picture.height)
  }

  /// The memory of the samples, in bytes.
  package var byteCount: Int { picture.byteCount }
}

extension LibAVError {
  static func unsuitable(_ detail: String) -> LibAVError {
    LibAVError(
      .invalidArgument, operation: "compose", subject: "picture", detail: detail, log: [])
  }
}
