internal import CLibAV
import SystemIO

/// Scales, cuts, converts and turns pictures, with matrix, range and chroma position always set
/// explicitly.
///
/// Samples that stay what they are are copied, YUV of 8 bits becomes RGB of the same size by loops of our own
/// (``YUVConversion``), zimg converts the rest (``PictureGraph``), and libswscale reads what zimg can't
/// (``PictureScaler``); ``Counters`` counts each.
///
/// One thread at a time; its graphs are reused from one picture to the next.
package struct PictureConverter: ~Copyable {
  private var prepared: [PictureConversion: Prepared] = [:]

  private enum Prepared {
    case graphs(colors: PictureGraph, alpha: PictureGraph?)
    case scaler(PictureScaler)
  }

  package init() {}

  /// Writes `frame` in `layout` into a block of `allocator`.
  ///
  /// Alpha stays where `layout`'s format has it, and is left out elsewhere: nothing is blended.
  ///
  /// - Returns: the pixels, and the description of their colours: the frame's values, where these still
  ///   hold.
  /// - Parameters:
  ///   - layout: the size *after* `orientation`.
  ///   - color: the colours of the result; nil for the frame's.
  ///   - crop: the part of the frame to show, before `orientation`; nil for all of it.
  ///   - place: where in the result the picture is put, on whole samples of chroma; the rest is black, and
  ///     all of it where the place has no size. Nil for all of the result.
  ///   - toneMap: makes BT.709 of the frame's PQ or HLG; `color` has the matrix and the range.
  /// - Throws: `notImplemented` for colours and formats that can't be converted.
  package mutating func convert(
    _ frame: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil,
    place: PictureRectangle? = nil, toneMap: ToneMap? = nil, allocator: any BlockAllocator
  ) throws(LibAVError) -> (block: Block, color: ColorDescription) {
    let block = try asLibAVError(allocator.allocate(count: layout.size))
    let location = try draw(
      frame, color: color, crop: crop, toneMap: toneMap, orientation: orientation, place: place,
      layout, on: PictureSurface(block, layout))
    let made = ColorDescription(
      ofPictureFrom: frame, as: layout.format, color ?? PictureColor(of: frame),
      chromaLocation: location, isToneMapped: toneMap != nil)
    return (block, made)
  }

  /// A frame with the same picture in another size, format, colour or orientation.
  package mutating func frame(
    from source: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil,
    place: PictureRectangle? = nil, toneMap: ToneMap? = nil
  ) throws(LibAVError) -> Frame {
    let result = try Frame()
    unsafe result.pointer.pointee.width = Int32(clamping: layout.width)
    unsafe result.pointer.pointee.height = Int32(clamping: layout.height)
    unsafe result.pointer.pointee.format = layout.format.rawValue
    try check(unsafe av_frame_get_buffer(result.pointer, 0), "allocate", "picture")
    try unsafe check(av_frame_copy_props(result.pointer, source.pointer), "copy", "picture")
    let location = try draw(
      source, color: color, crop: crop, toneMap: toneMap, orientation: orientation, place: place,
      layout, on: PictureSurface(result))
    unsafe result.pointer.pointee.chroma_location =
      AVChromaLocation(UInt32(bitPattern: location))
    let shown = color ?? PictureColor(of: source)
    unsafe result.pointer.pointee.color_range =
      shown.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    if layout.format.isRGB {
      unsafe result.pointer.pointee.colorspace = AVCOL_SPC_RGB
    } else if shown.matrix != ColorDescription.unspecifiedCode {
      unsafe result.pointer.pointee.colorspace = AVColorSpace(UInt32(bitPattern: shown.matrix))
    }
    if toneMap != nil {
      unsafe result.pointer.pointee.color_primaries = AVCOL_PRI_BT709
      unsafe result.pointer.pointee.color_trc = AVCOL_TRC_BT709
      // Encoders would write it beside pictures that it isn't true of.
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

  /// - Returns: where the target's chroma lies, by H.273; 0 where that is unspecified or nameless.
  private mutating func draw(
    _ frame: borrowing Frame, color: PictureColor?, crop: PictureRectangle?, toneMap: ToneMap?,
    orientation: Orientation, place: PictureRectangle?, _ layout: PictureLayout,
    on target: PictureSurface
  ) throws(LibAVError) -> Int32 {
    let whole = PictureRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    guard let place, place != whole else {
      return try draw(
        frame, color: color, crop: crop, toneMap: toneMap, orientation: orientation, layout,
        on: target)
    }
    let shown = color ?? PictureColor(of: frame)
    target.fillBlack(shown, layout)
    guard let place = place.within(width: layout.width, height: layout.height) else {
      return Picture(PictureSurface(frame), shown, chromaLocation: frame.color.chromaLocation)
        .chromaLocation(in: layout.format)
    }
    // Drawn beside it and copied, for vector code writes beyond the ends of rows.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    let part = try PictureLayout(width: place.width, height: place.height, format: layout.format)
    let drawn = try surface(part, &owners)
    let location = try draw(
      frame, color: color, crop: crop, toneMap: toneMap, orientation: orientation, part, on: drawn)
    drawn.copy(to: target.cut(place), layout: part)
    return location
  }

  private mutating func draw(
    _ frame: borrowing Frame, color: PictureColor?, crop: PictureRectangle?, toneMap: ToneMap?,
    orientation: Orientation, _ layout: PictureLayout, on target: PictureSurface
  ) throws(LibAVError) -> Int32 {
    // What surfaces point into lives at least until here.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    var picture = try readable(frame, &owners)
    if let crop, crop != PictureRectangle(x: 0, y: 0, width: frame.width, height: frame.height) {
      picture = try picture.cut(crop)
    }
    guard orientation != .up else {
      return try draw(picture, color, toneMap, on: target, &owners)
    }
    let stored =
      orientation.swapsAxes
      ? try PictureLayout(width: layout.height, height: layout.width, format: layout.format)
      : layout
    let upright = try surface(stored, &owners)
    let location = try draw(picture, color, toneMap, on: upright, &owners)
    upright.turn(stored, to: target, layout, orientation)
    return ChromaPosition(location, in: stored.format).turned(orientation, stored)
      .location(in: layout.format)
  }

  /// The frame in a format with plain samples: palettes and pixels of one bit are expanded here, the rest
  /// by libswscale.
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

  /// Has libswscale convert to a format with plain samples.
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
    _ source: Picture, _ color: PictureColor?, _ toneMap: ToneMap?, on target: PictureSurface,
    _ owners: inout [Block]
  ) throws(LibAVError) -> Int32 {
    let location = source.chromaLocation(in: target.format)
    let result = Picture(target, color ?? source.color, chromaLocation: location)
    guard let intermediate = try intermediate(from: source, to: result, toneMap, &owners) else {
      try scale(source, to: result)
      return location
    }
    try scale(source, to: intermediate)
    toneMap?.apply(to: intermediate.surface)
    try scale(intermediate, to: result)
    return location
  }

  /// The picture in between, where there is one.
  private func intermediate(
    from source: Picture, to result: Picture, _ toneMap: ToneMap?, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture? {
    let (format, target) = (source.surface.format, result.surface.format)
    var (width, height) = (result.surface.width, result.surface.height)
    let isEnlarged = width > source.part.width || height > source.part.height
    if toneMap != nil {
      // Tones are mapped in RGB, in the smaller of both sizes.
      (width, height) = (min(width, source.part.width), min(height, source.part.height))
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

  /// What has been prepared for a conversion, or is now.
  private mutating func prepared(
    _ conversion: PictureConversion, _ make: () throws(LibAVError) -> Prepared
  ) throws(LibAVError) -> Prepared {
    if let known = prepared[conversion] { return known }
    // A picture takes three at most; more are left over from others.
    if prepared.count >= 6 { prepared = [:] }
    let made = try make()
    prepared[conversion] = made
    return made
  }
}

/// A surface with what its samples mean.
private struct Picture {
  var surface: PictureSurface
  /// What is shown of it.
  var part: PictureRectangle
  var color: PictureColor
  /// By H.273; 0 unspecified.
  var chromaLocation: Int32

  init(_ surface: PictureSurface, _ color: PictureColor, chromaLocation: Int32 = 0) {
    (self.surface, self.color, self.chromaLocation) = (surface, color, chromaLocation)
    part = PictureRectangle(x: 0, y: 0, width: surface.width, height: surface.height)
  }

  /// Part of the picture, to the pixel: its planes are cut where chroma has a sample, and what is shown
  /// may begin between two.
  func cut(_ wanted: PictureRectangle) throws(LibAVError) -> Picture {
    guard let shown = wanted.within(width: surface.width, height: surface.height) else {
      throw LibAVError(
        .invalidArgument, operation: "cut", subject: "picture", detail: "nothing would be left",
        log: [])
    }
    let shift = surface.format.chromaShift
    let x = shown.x - shown.x % (1 << shift.horizontal)
    let y = shown.y - shown.y % (1 << shift.vertical)
    var result = self
    result.surface = surface.cut(
      PictureRectangle(
        x: x, y: y, width: shown.x + shown.width - x, height: shown.y + shown.height - y))
    result.part = PictureRectangle(
      x: shown.x - x, y: shown.y - y, width: shown.width, height: shown.height)
    return result
  }

  var chroma: ChromaPosition { ChromaPosition(chromaLocation, in: surface.format) }

  /// Where chroma is to lie in a picture made of it; 0 where that is unspecified.
  ///
  /// What is halved alike stays in its place, but JPEG's formats get it in the centre. That of grey, which
  /// has no colour, lies nowhere.
  func chromaLocation(in target: PixelFormat) -> Int32 {
    let format = surface.format
    let keepsLocation = !target.isFullRangeByName || format.isFullRangeByName
    if format.isGray, !target.isFullRangeByName { return 0 }
    guard format.chromaShift == target.chromaShift, keepsLocation else {
      return ChromaPosition(0, in: target).location(in: target)
    }
    // Without the name it would count as left.
    if chromaLocation == 0, format.isFullRangeByName, !target.isFullRangeByName {
      return chroma.location(in: format)
    }
    return target.chromaShift == (0, 0) ? 0 : chromaLocation
  }
}

extension PictureConversion {
  fileprivate init(_ source: Picture, _ target: Picture) {
    func side(_ picture: Picture) -> Side {
      Side(
        width: picture.surface.width, height: picture.surface.height,
        format: picture.surface.format, color: picture.color, chroma: picture.chroma)
    }
    self.init(source: side(source), part: source.part, target: side(target))
  }
}

/// Room for a picture, with aligned rows and some between its planes; it lives as long as `owners`.
private func surface(
  _ layout: PictureLayout, _ owners: inout [Block]
) throws(LibAVError) -> PictureSurface {
  let (surface, owner) = try PictureSurface.padded(layout)
  owners.append(owner)
  return surface
}
