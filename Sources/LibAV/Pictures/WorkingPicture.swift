internal import CPixels
import SystemIO

// Working pictures: pictures of 16 bits with chroma of luma's size, whose colours have been multiplied by alpha: what layers with
// alpha, or with edges between samples, are drawn in.
//
// Colours are code values of the composed picture's matrix and range. That black isn't 0 in all of them doesn't
// matter: weights of what is blended add up to 1.
extension PixelFormat {
  /// The format of working pictures that become pictures of this one. Of grey, only luma is used.
  func working(hasAlpha: Bool) -> PixelFormat {
    let name =
      isRGB ? (hasAlpha ? "gbrap16le" : "gbrp16le") : (hasAlpha ? "yuva444p16le" : "yuv444p16le")
    return PixelFormat(name: name) ?? .rgba64
  }
}

extension rw_layer {
  /// The planes of a working picture, which has to outlive it.
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
  /// A frame's colours multiplied by its alpha, in its own size; what lies beyond the crop isn't there.
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

  /// Part of a frame in a working picture of another size, turned; premultiplied.
  ///
  /// - Parameters:
  ///   - crop: what filters may see of it.
  ///   - part: what fills the picture, in the frame's pixels.
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

  /// What is visible of a layer with upright edges, which may lie between pixels.
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
    return PreparedLayer(picture: picture, x: place.x, y: place.y, form: form)
  }

  /// What is visible of a layer that is turned or sheared.
  ///
  /// It is made smaller first, where it is shown so; then each pixel of the picture takes its sample.
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
    return PreparedLayer(picture: picture, x: place.x, y: place.y, form: form)
  }
}

extension rw_edges {
  /// Of an area in the whole pixels that it touches.
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
