internal import CPixels
import SystemIO

// Working frames are the surfaces on which layers with alpha, or with edges between samples, are
// drawn: 16 bits, with chroma of luma's size, and colours that have been multiplied by alpha.
//
// Colours are code values of the composed frame's matrix and range. That black isn't 0 in all of
// them doesn't matter: the weights of blended samples add up to 1.

extension PixelFormat {
  /// Returns the format of working frames that become frames of this one. Of grey, only luma is
  /// used.
  func working(hasAlpha: Bool) -> PixelFormat {
    let name =
      isRGB ? (hasAlpha ? "gbrap16le" : "gbrp16le") : (hasAlpha ? "yuva444p16le" : "yuv444p16le")
    return PixelFormat(name: name) ?? .rgba64
  }
}

/// A part of a composed frame as a working frame.
struct WorkingRegion {
  /// The area in the composed frame.
  var area: PictureRectangle
  let surface: PictureSurface
  let memory: Block
  /// The rectangles that differ from the composed frame.
  var touched: [PictureRectangle] = []

  /// - Parameter memory: used if it is large enough.
  init(
    _ area: PictureRectangle, _ format: PixelFormat, reusing memory: Block?
  ) throws(LibAVError) {
    self.area = area
    let layout = try PictureLayout(width: area.width, height: area.height, format: format)
    (surface, self.memory) = try PictureSurface.padded(layout, reusing: memory)
  }

  private var layout: PictureLayout {
    get throws(LibAVError) {
      try PictureLayout(width: area.width, height: area.height, format: surface.format)
    }
  }

  func fill(
    _ background: PictureCompositor.Background, _ color: PictureColor
  ) throws(LibAVError) {
    var values = try color.codeValues(of: background, in: surface.format, bits: 16)
    if surface.format.hasAlpha {
      let alpha = (values.last ?? 0) / 65535
      for index in 0..<3 { values[index] *= alpha }
    }
    surface.fill(values.map { Int($0.rounded()) }, try layout)
  }

  /// Blends a working frame over the region's pixels.
  ///
  /// - Parameter place: its rectangle in the composed frame.
  func blend(
    _ above: PictureSurface, _ place: PictureRectangle, _ weight: Int
  ) throws(LibAVError) {
    let below = surface.cut(place.relative(to: area))
    guard above.format.hasAlpha else {
      return try below.blend(above, weight)
    }
    var (one, other) = (try rw_layer(below), try rw_layer(above))
    unsafe rw_blend_over(&one, &other, Int32(weight), YUVConversion.hasAVX2)
  }

  /// Copies the pixels of another region within this one.
  mutating func copy(_ other: WorkingRegion) throws(LibAVError) {
    other.surface.copy(
      to: surface.cut(other.area.relative(to: area)), layout: try other.layout)
    touched += other.touched
  }

  /// Divides colours by alpha, if the surface has any.
  func divideByAlpha(_ color: PictureColor) throws(LibAVError) {
    guard surface.format.hasAlpha else { return }
    var planes = try rw_layer(surface)
    let black = surface.format.black(color).map { UInt16(clamping: $0) }
    unsafe rw_unpremultiply(&planes, black)
  }
}

extension PictureSurface {
  /// Blends an opaque layer of the same size and format into the surface, plane by plane.
  func blend(_ above: PictureSurface, _ weight: Int) throws(LibAVError) {
    let layout = try PictureLayout(width: width, height: height, format: format)
    for plane in layout.planes.indices {
      guard var one = unsafe rw_plane(self, plane, layout),
        var other = unsafe rw_plane(above, plane, layout)
      else { continue }
      unsafe rw_blend(&one, &other, Int32(weight), YUVConversion.hasAVX2)
    }
  }
}

extension PictureRectangle {
  func relative(to other: PictureRectangle) -> PictureRectangle {
    PictureRectangle(x: x - other.x, y: y - other.y, width: width, height: height)
  }

  func intersection(_ other: PictureRectangle) -> PictureRectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    guard right > left, bottom > top else { return nil }
    return PictureRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the smallest rectangle with both.
  func union(_ other: PictureRectangle) -> PictureRectangle {
    let (left, top) = (min(x, other.x), min(y, other.y))
    let right = max(x + width, other.x + other.width)
    let bottom = max(y + height, other.y + other.height)
    return PictureRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the rectangle with `margin` more pixels on each side, extended to whole samples of
  /// chroma, as far as the frame has them.
  func expanded(by margin: Int, in layout: PictureLayout) -> PictureRectangle {
    let shift = layout.format.chromaShift
    let (unitX, unitY) = (1 << shift.horizontal, 1 << shift.vertical)
    let left = max(0, x - margin) / unitX * unitX
    let top = max(0, y - margin) / unitY * unitY
    let right = min(layout.width, (x + width + margin + unitX - 1) / unitX * unitX)
    let bottom = min(layout.height, (y + height + margin + unitY - 1) / unitY * unitY)
    return PictureRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension rw_plane {
  /// Describes a plane; nil if it is missing.
  init?(_ surface: PictureSurface, _ plane: Int, _ layout: PictureLayout) {
    guard let samples = unsafe surface.planes[plane],
      let component = surface.format.components.first(where: { $0.plane == plane })
    else { return nil }
    unsafe self.init(
      samples: samples, stride: Int(surface.strides[plane]),
      width: Int32(clamping: layout.planes[plane].bytesPerRow / component.bytes),
      height: Int32(clamping: layout.planes[plane].height), bytes: Int32(component.bytes),
      depth: Int32(component.depth), shift: Int32(component.shift))
  }
}

extension rw_layer {
  /// Describes the planes of a working frame, which has to outlive it.
  ///
  /// - Throws: `invalidData` where one is missing.
  init(_ surface: PictureSurface) throws(LibAVError) {
    let layout = try PictureLayout(
      width: surface.width, height: surface.height, format: surface.format)
    var planes: [rw_plane] = unsafe []
    // In the order of the components: libav's planes of RGB begin with green.
    for component in surface.format.components {
      guard let plane = unsafe rw_plane(surface, component.plane, layout) else {
        throw LibAVError(
          .invalidData, operation: "compose", subject: "picture", detail: "a plane is missing",
          log: [])
      }
      unsafe planes.append(plane)
    }
    let hasAlpha = surface.format.hasAlpha
    unsafe self.init(
      planes: (planes[0], planes[1], planes[2], hasAlpha ? planes[3] : rw_plane()),
      has_alpha: hasAlpha)
  }
}

extension PictureConverter {
  /// Returns a frame's colours multiplied by its alpha, in its own size, without the pixels beyond
  /// the crop.
  private mutating func premultiplied(
    _ frame: borrowing Frame, _ crop: PictureRectangle, _ form: PreparedLayer.Form,
    toneMap: ToneMap?
  ) throws(LibAVError) -> Frame {
    let layout = try PictureLayout(
      width: crop.width, height: crop.height, format: form.layout.format.working(hasAlpha: true))
    let result = try picture(
      of: frame, in: layout, Drawing(color: form.color, crop: crop, toneMap: toneMap))
    var planes = try rw_layer(PictureSurface(result))
    unsafe rw_premultiply(&planes, YUVConversion.hasAVX2)
    return result
  }

  /// Returns a part of a frame in a working frame of another size, turned; premultiplied.
  ///
  /// - Parameters:
  ///   - crop: the pixels of the frame that filters may read.
  ///   - part: the part that fills the working frame, in the frame's pixels.
  private mutating func layer(
    of frame: borrowing Frame, _ crop: PictureRectangle, _ part: PictureArea,
    _ orientation: Orientation, _ size: (width: Int, height: Int), _ form: PreparedLayer.Form,
    needsAlpha: Bool, toneMap: ToneMap?
  ) throws(LibAVError) -> Frame {
    let hasAlpha = frame.pixelFormat.hasAlpha
    let layout = try PictureLayout(
      width: size.width, height: size.height,
      format: form.layout.format.working(hasAlpha: needsAlpha || hasAlpha))
    var drawing = Drawing(
      color: form.color, orientation: orientation, crop: crop, part: part, toneMap: toneMap)
    guard hasAlpha else { return try picture(of: frame, in: layout, drawing) }
    let source = try premultiplied(frame, crop, form, toneMap: toneMap)
    drawing.crop = nil
    drawing.toneMap = nil
    drawing.part?.x -= Double(crop.x)
    drawing.part?.y -= Double(crop.y)
    return try picture(of: source, in: layout, drawing)
  }

  /// Returns the visible part of a layer with upright edges, which may lie between pixels.
  mutating func uprightLayer(
    of frame: borrowing Frame, _ placement: UprightPlacement, _ form: PreparedLayer.Form,
    toneMap: ToneMap?
  ) throws(LibAVError) -> PreparedLayer? {
    guard let visible = placement.visible(in: form.layout) else { return nil }
    let place = visible.bounds
    var edges = rw_edges(of: visible, in: place)
    let isCovered = edges.left & edges.right & edges.top & edges.bottom == .max
    let picture = try layer(
      of: frame, placement.crop.withoutRoundingErrors.bounds,
      placement.part(for: PictureArea(place)), placement.orientation,
      (place.width, place.height), form, needsAlpha: !isCovered || form.layout.format.hasAlpha,
      toneMap: toneMap)
    if picture.pixelFormat.hasAlpha {
      var planes = try rw_layer(PictureSurface(picture))
      unsafe rw_cover(&planes, &edges, YUVConversion.hasAVX2)
    }
    return PreparedLayer(picture: picture, x: place.x, y: place.y, isPlanar: false, form: form)
  }

  /// Returns the visible part of a layer that is turned or sheared.
  ///
  /// It is made smaller first, if it is shown so; then each pixel of the composed frame takes its
  /// sample.
  mutating func turnedLayer(
    of frame: borrowing Frame, _ placement: LayerPlacement, _ form: PreparedLayer.Form,
    toneMap: ToneMap?
  ) throws(LibAVError) -> PreparedLayer? {
    guard let sampling = SampledPlacement(placement, in: form.layout) else { return nil }
    let (source, place) = (sampling.source, sampling.place)
    let layer = try layer(
      of: frame, sampling.crop, sampling.part, .up, (source.width, source.height), form,
      needsAlpha: false, toneMap: toneMap)
    let margin = 2 * Int(RW_SAMPLING_MARGIN)
    let pixels = try asLibAVError(
      HeapAllocator().allocate(count: (source.width + margin) * (source.height + margin) * 8))
    let picture = try Frame.allocate(
      PictureLayout(
        width: place.width, height: place.height,
        format: form.layout.format.working(hasAlpha: true)))
    let start = unsafe pixels.base.assumingMemoryBound(to: UInt16.self)
    var planes = try rw_layer(PictureSurface(layer))
    unsafe rw_interleave(&planes, start)
    var (result, places) = (try rw_layer(PictureSurface(picture)), sampling.sampling)
    unsafe rw_sample(
      start, Int32(clamping: source.width), Int32(clamping: source.height), &places, &result,
      YUVConversion.hasAVX2)
    withExtendedLifetime(layer) {}
    withExtendedLifetime(pixels) {}
    picture.describe(form.color, chromaLocation: 0)
    picture.setColors(primaries: layer.color.primaries, transfer: layer.color.transfer)
    return PreparedLayer(picture: picture, x: place.x, y: place.y, isPlanar: false, form: form)
  }
}

extension rw_edges {
  /// Computes the coverage of the edges of an area in the whole pixels that it touches.
  fileprivate init(of area: PictureArea, in place: PictureRectangle) {
    func part(_ covered: Double) -> UInt16 { UInt16((min(covered, 1) * 65535).rounded()) }
    self.init(
      left: part(Double(place.x + 1) - area.x),
      right: part(area.right - Double(place.x + place.width - 1)),
      top: part(Double(place.y + 1) - area.y),
      bottom: part(area.bottom - Double(place.y + place.height - 1)))
    // One column, or row, has both edges.
    if place.width == 1 { (left, right) = (part(area.width), .max) }
    if place.height == 1 { (top, bottom) = (part(area.height), .max) }
  }
}
