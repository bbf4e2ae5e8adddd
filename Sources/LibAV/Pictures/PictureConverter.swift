internal import CLibAV
import SystemIO

/// A converter that scales, cuts, converts and turns frames, with matrix, range and chroma position
/// always set explicitly.
///
/// Unchanged samples are copied, YUV of 8 bits becomes RGB of the same size by loops of our own
/// (``YUVConversion``), zimg converts the rest (``PictureGraph``), and libswscale reads the formats
/// that zimg can't (``PictureScaler``); ``Counters`` counts each.
///
/// One thread at a time; its graphs are reused from one frame to the next.
package struct PictureConverter: ~Copyable {
  private var prepared: [PictureConversion: Prepared] = [:]

  private enum Prepared {
    case graphs(colors: PictureGraph, alpha: PictureGraph?)
    case scaler(PictureScaler)
  }

  package init() {}

  /// Writes `frame` in `layout` into a block of `allocator`.
  ///
  /// Alpha stays if `layout`'s format has it, and is left out otherwise: nothing is blended.
  ///
  /// - Returns: the pixels, and the description of their colours: the frame's values, where these still
  ///   hold.
  /// - Parameters:
  ///   - layout: the size *after* `orientation`.
  ///   - color: the colours of the result; nil for the frame's.
  ///   - crop: the part of the frame to show, before `orientation`; nil for all of it.
  ///   - place: the rectangle of the result that shows the frame, on whole samples of chroma; the
  ///     rest is black, and all of it if the rectangle is empty. Nil for all of the result.
  ///   - toneMap: makes BT.709 of the frame's PQ or HLG; `color` has the matrix and the range.
  /// - Throws: `notImplemented` for colours and formats that can't be converted.
  package mutating func convert(
    _ frame: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil,
    place: PictureRectangle? = nil, toneMap: ToneMap? = nil, allocator: any BlockAllocator
  ) throws(LibAVError) -> (block: Block, color: ColorDescription) {
    let block = try asLibAVError(allocator.allocate(count: layout.size))
    let location = try draw(
      frame,
      Drawing(
        color: color ?? PictureColor(of: frame), orientation: orientation, crop: crop, place: place,
        toneMap: toneMap),
      layout, on: PictureSurface(block, layout))
    let made = ColorDescription(
      ofPictureFrom: frame, as: layout.format, color ?? PictureColor(of: frame),
      chromaLocation: location, isToneMapped: toneMap != nil)
    return (block, made)
  }

  /// Returns a frame with the same content in another size, format, colour or orientation.
  package mutating func frame(
    from source: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil,
    place: PictureRectangle? = nil, toneMap: ToneMap? = nil
  ) throws(LibAVError) -> Frame {
    try self.frame(
      from: source, to: layout,
      Drawing(
        color: color ?? PictureColor(of: source), orientation: orientation, crop: crop,
        place: place,
        toneMap: toneMap))
  }

  /// The parameters of drawing a frame.
  struct Drawing {
    /// The colours of the result.
    var color: PictureColor
    var orientation = Orientation.up
    /// The part of the frame that may be seen; nil for all of it. Filters read nothing beyond it.
    var crop: PictureRectangle?
    /// The part of the frame that fills the result, in the frame's pixels, between which it may
    /// begin; nil for `crop`. Beyond that the frame is mirrored.
    var part: PictureArea?
    /// The rectangle of the result that shows the frame; nil for all of it.
    var place: PictureRectangle?
    var toneMap: ToneMap?
    /// The chroma position of the result; nil for the source's, if it is possible.
    var chroma: ChromaPosition?
  }

  private mutating func frame(
    from source: borrowing Frame, to layout: PictureLayout, _ drawing: Drawing
  ) throws(LibAVError) -> Frame {
    let result = try picture(of: source, in: layout, drawing)
    let color = result.color
    try unsafe check(av_frame_copy_props(result.pointer, source.pointer), "copy", "picture")
    result.describe(drawing.color, chromaLocation: color.chromaLocation)
    if drawing.toneMap != nil {
      result.setColors(primaries: color.primaries, transfer: color.transfer)
      // Encoders would write the HDR metadata with frames that it isn't true of.
      for type in [
        AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
        AV_FRAME_DATA_DYNAMIC_HDR_PLUS, AV_FRAME_DATA_DOVI_METADATA,
        AV_FRAME_DATA_DOVI_RPU_BUFFER,
      ] {
        unsafe av_frame_remove_side_data(result.pointer, type)
      }
    }
    return result
  }

  /// Returns a new frame with nothing of the source but its content: no times, no side data, square
  /// pixels.
  mutating func picture(
    of source: borrowing Frame, in layout: PictureLayout, _ drawing: Drawing
  ) throws(LibAVError) -> Frame {
    let result = try Frame.allocate(layout)
    let location = try draw(source, drawing, layout, on: PictureSurface(result))
    result.describe(drawing.color, chromaLocation: location)
    let color = source.color
    let isToneMapped = drawing.toneMap != nil
    result.setColors(
      primaries: isToneMapped ? ColorDescription.bt709 : color.primaries,
      transfer: isToneMapped ? ColorDescription.bt709 : color.transfer)
    return result
  }

  /// Converts the samples of a surface, in the same size.
  mutating func convert(
    _ source: Picture, to target: PictureSurface, _ color: PictureColor,
    _ chroma: ChromaPosition? = nil
  ) throws(LibAVError) {
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    _ = try draw(source, Drawing(color: color), chroma, on: target, &owners)
  }

  /// - Returns: the target's chroma location, by H.273; 0 if that is unspecified or nameless.
  private mutating func draw(
    _ frame: borrowing Frame, _ drawing: Drawing, _ layout: PictureLayout,
    on target: PictureSurface
  ) throws(LibAVError) -> Int32 {
    let whole = PictureRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    guard let place = drawing.place, place != whole else {
      return try drawAll(frame, drawing, layout, on: target)
    }
    target.fillBlack(drawing.color, layout)
    guard let place = place.within(width: layout.width, height: layout.height) else {
      return Picture(
        PictureSurface(frame), drawing.color, chromaLocation: frame.color.chromaLocation
      ).chromaLocation(in: layout.format)
    }
    // Drawn in separate memory and copied, as vector code writes beyond the ends of rows.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    let part = try PictureLayout(width: place.width, height: place.height, format: layout.format)
    let drawn = try surface(part, &owners)
    let location = try drawAll(frame, drawing, part, on: drawn)
    drawn.copy(to: target.cut(place), layout: part)
    return location
  }

  private mutating func drawAll(
    _ frame: borrowing Frame, _ drawing: Drawing, _ layout: PictureLayout,
    on target: PictureSurface
  ) throws(LibAVError) -> Int32 {
    // The memory of the surfaces lives at least until here.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    var picture = try readable(frame, &owners)
    let whole = PictureRectangle(x: 0, y: 0, width: frame.width, height: frame.height)
    picture = try picture.cut(to: drawing.crop ?? whole, showing: drawing.part)
    guard drawing.orientation != .up else {
      return try draw(picture, drawing, drawing.chroma, on: target, &owners)
    }
    return try drawTurned(picture, drawing, layout, on: target, &owners)
  }

  private mutating func drawTurned(
    _ picture: Picture, _ drawing: Drawing, _ layout: PictureLayout, on target: PictureSurface,
    _ owners: inout [Block]
  ) throws(LibAVError) -> Int32 {
    let orientation = drawing.orientation
    func stored(_ format: PixelFormat) throws(LibAVError) -> PictureLayout {
      orientation.swapsAxes
        ? try PictureLayout(width: layout.height, height: layout.width, format: format)
        : try PictureLayout(width: layout.width, height: layout.height, format: format)
    }
    let before = try stored(layout.format)
    let chroma = drawing.chroma?.beforeTurning(orientation, before)
    if chroma == nil, layout.format.canBeTurned(orientation), let wanted = drawing.chroma,
      let earlier = wanted.beforeTurning(orientation, before, movedBy: 256)
    {
      let upright = try drawWithColumnBefore(picture, drawing, earlier, before, &owners)
      upright.turn(before, to: target, layout, orientation)
      return wanted.location(in: layout.format)
    }
    let isMovedLater = drawing.chroma != nil && chroma == nil && layout.format.chromaShift != (0, 0)
    guard layout.format.canBeTurned(orientation), !isMovedLater else {
      // Chroma is halved after the turn.
      let format = layout.format.fullChroma
      let (from, to) = (
        try stored(format),
        try PictureLayout(width: layout.width, height: layout.height, format: format)
      )
      let (upright, turned) = (try surface(from, &owners), try surface(to, &owners))
      _ = try draw(picture, drawing, nil, on: upright, &owners)
      upright.turn(from, to: turned, to, orientation)
      var plain = drawing
      plain.toneMap = nil
      return try draw(Picture(turned, drawing.color), plain, drawing.chroma, on: target, &owners)
    }
    let upright = try surface(before, &owners)
    let location = try draw(picture, drawing, chroma, on: upright, &owners)
    upright.turn(before, to: target, layout, orientation)
    return ChromaPosition(location, in: before.format).turned(orientation, before)
      .location(in: layout.format)
  }

  /// Draws a frame whose chroma lies a column to the right of the position that it can have: draws
  /// one with another column on the left, without that and its sample of chroma.
  private mutating func drawWithColumnBefore(
    _ picture: Picture, _ drawing: Drawing, _ chroma: ChromaPosition, _ layout: PictureLayout,
    _ owners: inout [Block]
  ) throws(LibAVError) -> PictureSurface {
    let format = layout.format
    var wider = picture
    let column = picture.part.width / Double(layout.width)
    wider.part.x -= column
    wider.part.width += 2 * column
    var result = try surface(
      PictureLayout(width: layout.width + 2, height: layout.height, format: format), &owners)
    _ = try draw(wider, drawing, chroma, on: result, &owners)
    result.width = layout.width
    for plane in 0..<4 {
      unsafe result.planes[plane] = result.planes[plane].map {
        unsafe $0 + format.step(ofPlane: plane)
      }
    }
    return result
  }

  /// Returns the frame in a format with plain samples: palettes and pixels of one bit are expanded
  /// here, the rest by libswscale.
  private mutating func readable(
    _ frame: borrowing Frame, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture {
    let stored = PictureSurface(frame)
    let format = stored.format
    let picture = Picture(
      stored, PictureColor(of: frame), chromaLocation: frame.color.chromaLocation)
    if format.hasPlainSamples { return picture }
    let plain = format.hasPalette ? .bgra : (format.isOneBit ? .gray : format.plain)
    let shown = try surface(
      PictureLayout(width: stored.width, height: stored.height, format: plain), &owners)
    if format.hasPalette {
      stored.writeColors(to: shown)
    } else if format.isOneBit {
      stored.writeBits(to: shown)
    } else {
      let result = Picture(shown, plain.isRGB ? .rgb : picture.color)
      try read(picture, into: result)
      return result
    }
    return Picture(shown, .rgb)
  }

  /// Has libswscale convert a frame to a format with plain samples.
  private mutating func read(
    _ picture: Picture, into result: Picture
  ) throws(LibAVError) {
    let conversion = PictureConversion(picture, result)
    let prepared = try prepared(conversion) { () throws(LibAVError) in
      .scaler(try PictureScaler(conversion))
    }
    try convert(picture, to: result, by: prepared)
  }

  private mutating func draw(
    _ source: Picture, _ drawing: Drawing, _ chroma: ChromaPosition?, on target: PictureSurface,
    _ owners: inout [Block]
  ) throws(LibAVError) -> Int32 {
    let location =
      chroma?.location(in: target.format) ?? source.chromaLocation(in: target.format)
    let result = Picture(target, drawing.color, chromaLocation: location)
    let toneMap = drawing.toneMap
    guard let intermediate = try intermediate(from: source, to: result, toneMap, &owners) else {
      try scale(source, to: result)
      return location
    }
    try scale(source, to: intermediate)
    toneMap?.apply(to: intermediate.surface)
    try scale(intermediate, to: result)
    return location
  }

  /// Returns the intermediate frame, if the conversion has one.
  private func intermediate(
    from source: Picture, to result: Picture, _ toneMap: ToneMap?, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture? {
    let (format, target) = (source.surface.format, result.surface.format)
    var (width, height) = (result.surface.width, result.surface.height)
    let isEnlarged =
      Double(width) > source.part.width || Double(height) > source.part.height
    if toneMap != nil {
      // Tones are mapped in RGB, in the smaller of both sizes.
      width = Int(min(Double(width), source.part.width.rounded(.up)))
      height = Int(min(Double(height), source.part.height.rounded(.up)))
      let rgb = format.rgb(keepsAlpha: target.hasAlpha, isDeep: true)
      let layout = try PictureLayout(width: width, height: height, format: rgb)
      return Picture(try surface(layout, &owners), .rgb)
    }
    // zimg would enlarge RGB of 16 bits, whose colours it has cut off at black and white before.
    if isEnlarged, format.isYUV, target.isRGB, target.bitsPerComponent > 8 {
      let rgb = PixelFormat.floatingRGB(hasAlpha: format.hasAlpha && target.hasAlpha)
      let layout = try PictureLayout(width: width, height: height, format: rgb)
      return Picture(try surface(layout, &owners), .rgb)
    }
    return nil
  }

  private mutating func scale(_ source: Picture, to target: Picture) throws(LibAVError) {
    let (from, to) = (source.surface, target.surface)
    let conversion = PictureConversion(source, target)
    if conversion.isCopy {
      from.copy(
        to: to, layout: try PictureLayout(width: to.width, height: to.height, format: to.format))
      Counters.countConversion(.copy)
      return
    }
    guard to.format.hasPlainSamples || to.format == .floatingRGB(hasAlpha: to.format.hasAlpha)
    else { throw conversion.notImplemented() }
    if to.format.isRGB || (to.format.isYUV && source.color.matrix != target.color.matrix) {
      try source.color.requireMatrix(for: from.format)
    }
    if !from.format.isYUV { try target.color.requireMatrix(for: to.format) }
    if conversion.isSameSize,
      let kernel = YUVConversion(
        from: from.format, source.color, source.chroma, to: to.format,
        isFullRange: target.color.isFullRange)
    {
      try kernel.convert(from, to: to)
      Counters.countConversion(.kernel)
      return
    }
    let prepared = try prepared(conversion) { () throws(LibAVError) in
      let colors = try PictureGraph(conversion, .colors)
      let hasAlpha = from.format.hasAlpha && to.format.hasAlpha
      return .graphs(colors: colors, alpha: hasAlpha ? try PictureGraph(conversion, .alpha) : nil)
    }
    try convert(source, to: target, by: prepared)
  }

  private func convert(
    _ source: Picture, to target: Picture, by prepared: Prepared
  ) throws(LibAVError) {
    switch prepared {
    case .graphs(let colors, let alpha):
      try colors.convert(source.surface, to: target.surface)
      try alpha?.convert(source.surface, to: target.surface)
      Counters.countConversion(.zimg)
    case .scaler(let scaler):
      try scaler.convert(source.surface, to: target.surface)
      Counters.countConversion(.swscale)
    }
  }

  /// Returns the prepared steps of a conversion; prepares them first if they are new.
  private mutating func prepared(
    _ conversion: PictureConversion, _ make: () throws(LibAVError) -> Prepared
  ) throws(LibAVError) -> Prepared {
    if let known = prepared[conversion] { return known }
    // A frame takes three at most; more are left over from others, or from layers of the same one.
    if prepared.count >= 16 { prepared = [:] }
    let made = try make()
    prepared[conversion] = made
    return made
  }
}

/// Returns a surface with aligned rows and some room between its planes; it lives as long as
/// `owners`.
private func surface(
  _ layout: PictureLayout, _ owners: inout [Block]
) throws(LibAVError) -> PictureSurface {
  let (surface, owner) = try PictureSurface.padded(layout)
  owners.append(owner)
  return surface
}
