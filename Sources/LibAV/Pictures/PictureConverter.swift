internal import CLibAV
import SystemIO

/// Scales, cuts, converts and turns pictures, with matrix, range and chroma position always set
/// explicitly: libswscale guesses none of them.
///
/// One thread at a time; its scalers are reused from one picture to the next.
package struct PictureConverter: ~Copyable {
  private var scalers: [PictureScaler.Setup: PictureScaler] = [:]

  private let isFast: Bool

  /// - Parameter isFast: takes libswscale's short cuts, as the ffmpeg program does unasked: from YUV to
  ///   RGB chroma is repeated instead of interpolated, and colours are off by a few levels. A tenth of
  ///   the time.
  package init(isFast: Bool = false) { self.isFast = isFast }

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
  ///   - toneMap: makes BT.709 of the frame's PQ or HLG; `color` has the matrix and the range.
  /// - Throws: `notImplemented` for colours and formats that can't be converted.
  package mutating func convert(
    _ frame: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil, toneMap: ToneMap? = nil,
    allocator: any BlockAllocator
  ) throws(LibAVError) -> (block: Block, color: ColorDescription) {
    let block = try asLibAVError(allocator.allocate(count: layout.size))
    let location = try draw(
      frame, color: color, crop: crop, toneMap: toneMap, orientation: orientation, layout,
      on: PictureSurface(block, layout))
    let made = ColorDescription(
      ofPictureFrom: frame, as: layout.format, color ?? PictureColor(of: frame),
      chromaLocation: location, isToneMapped: toneMap != nil)
    return (block, made)
  }

  /// A frame with the same picture in another size, format, colour or orientation.
  package mutating func frame(
    from source: borrowing Frame, to layout: PictureLayout, color: PictureColor? = nil,
    orientation: Orientation = .up, crop: PictureRectangle? = nil, toneMap: ToneMap? = nil
  ) throws(LibAVError) -> Frame {
    let result = try Frame()
    unsafe result.pointer.pointee.width = Int32(clamping: layout.width)
    unsafe result.pointer.pointee.height = Int32(clamping: layout.height)
    unsafe result.pointer.pointee.format = layout.format.rawValue
    try check(unsafe av_frame_get_buffer(result.pointer, 0), "allocate", "picture")
    try unsafe check(av_frame_copy_props(result.pointer, source.pointer), "copy", "picture")
    let location = try draw(
      source, color: color, crop: crop, toneMap: toneMap, orientation: orientation, layout,
      on: PictureSurface(result))
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
    orientation: Orientation, _ layout: PictureLayout, on target: PictureSurface
  ) throws(LibAVError) -> Int32 {
    // What surfaces point into lives at least until here.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    var picture = try readable(frame, for: target.format, &owners)
    if let crop, crop != PictureRectangle(x: 0, y: 0, width: frame.width, height: frame.height) {
      picture = try cut(crop, out: picture, &owners)
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

  /// The frame in a format that libswscale reads reliably: palettes and pixels of one bit are expanded.
  /// Grey gets chroma where its range is limited, which libswscale overlooks, and where it becomes YUV:
  /// of two planes libswscale would leave the second as it is.
  private func readable(
    _ frame: borrowing Frame, for target: PixelFormat, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture {
    let stored = PictureSurface(frame)
    let format = stored.format
    let picture = Picture(
      stored, PictureColor(of: frame), chromaLocation: frame.color.chromaLocation)
    if format.isGray, !picture.color.isFullRange || target.isYUV,
      let colored = format.grayWithChroma
    {
      let layout = try PictureLayout(width: stored.width, height: stored.height, format: colored)
      let neutral = try surface(layout, &owners)
      neutral.makeNeutral(layout)
      return Picture(neutral.withLuma(of: stored), picture.color)
    }
    guard format.hasPalette || format.isOneBit else { return picture }
    let shown = try surface(
      PictureLayout(
        width: stored.width, height: stored.height, format: format.hasPalette ? .bgra : .gray),
      &owners)
    if format.hasPalette { stored.writeColors(to: shown) } else { stored.writeBits(to: shown) }
    return Picture(shown, .rgb)
  }

  /// Part of a picture, to the pixel: where chroma is halved and the part begins between two of its
  /// samples, chroma is interpolated first.
  private mutating func cut(
    _ wanted: PictureRectangle, out picture: Picture, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture {
    var picture = picture
    let size = (picture.surface.width, picture.surface.height)
    guard let part = wanted.within(width: size.0, height: size.1) else {
      throw LibAVError(
        .invalidArgument, operation: "cut", subject: "picture", detail: "nothing would be left",
        log: [])
    }
    if !picture.surface.format.canBeCut(x: part.x, y: part.y) {
      let format = picture.surface.format.cuttable
      let layout = try PictureLayout(width: size.0, height: size.1, format: format)
      let whole = Picture(
        try surface(layout, &owners), format.isRGB ? .rgb : picture.color)
      try scale(picture, to: whole)
      picture = whole
    }
    picture.surface = picture.surface.cut(part)
    return picture
  }

  private mutating func draw(
    _ source: Picture, _ color: PictureColor?, _ toneMap: ToneMap?, on target: PictureSurface,
    _ owners: inout [Block]
  ) throws(LibAVError) -> Int32 {
    let location = source.chromaLocation(in: target.format)
    let result = Picture(target, color ?? source.color, chromaLocation: location)
    guard var intermediate = try intermediate(from: source, to: result, toneMap: toneMap, &owners)
    else {
      try scale(source, to: result)
      return location
    }
    try scale(source, to: intermediate)
    toneMap?.apply(to: intermediate.surface)
    if !result.isDeep {
      intermediate.surface.level(from: intermediate.white, to: Picture.swscaleWhite)
      intermediate.white = Picture.swscaleWhite
    }
    try scale(intermediate, to: result)
    return location
  }

  /// The RGB in between, at the smaller of both sizes, where there is one: to map tones in; to change
  /// from one matrix to another, which libswscale does too, but without chroma positions; and from
  /// or to RGB, for what has more than 8 bits in full range, whose white libswscale doesn't meet.
  private func intermediate(
    from source: Picture, to result: Picture, toneMap: ToneMap?, _ owners: inout [Block]
  ) throws(LibAVError) -> Picture? {
    let (format, target) = (source.surface.format, result.surface.format)
    let isRecoded =
      format.isYUV && target.isYUV
      && source.color.swscaleMatrix != result.color.swscaleMatrix
    let isDeep = format.bitsPerComponent > 8
    let isOffWhite =
      isDeep && source.white != Picture.swscaleWhite && !result.isDeep
      && (format.isRGB || target.isRGB)
    guard toneMap != nil || isRecoded || isOffWhite else { return nil }
    try source.color.requireMatrix(for: format)
    let rgb = format.rgb(keepsAlpha: target.hasAlpha, isDeep: toneMap != nil || isDeep)
    let layout = try PictureLayout(
      width: min(source.surface.width, result.surface.width),
      height: min(source.surface.height, result.surface.height), format: rgb)
    return Picture(try surface(layout, &owners), .rgb)
  }

  private mutating func scale(_ source: Picture, to target: Picture) throws(LibAVError) {
    let (from, to) = (source.surface, target.surface)
    let isSameSize = from.width == to.width && from.height == to.height
    if isSameSize, from.format.withoutRangeInName == to.format.withoutRangeInName,
      source.chroma == target.chroma,
      from.format.isRGB || source.color.means(target.color, in: from.format)
    {
      from.copy(
        to: to, layout: try PictureLayout(width: to.width, height: to.height, format: to.format))
      return
    }
    if to.format.isRGB || (to.format.isYUV && source.color.matrix != target.color.matrix) {
      try source.color.requireMatrix(for: from.format)
    }
    if !from.format.isYUV { try target.color.requireMatrix(for: to.format) }
    if isSameSize, !isFast,
      let conversion = YUVConversion(
        from: from.format, source.color, source.chroma, to: to.format,
        isFullRange: target.color.isFullRange)
    {
      try conversion.convert(from, to: to)
      return
    }
    // What surfaces point into lives at least until here.
    var owners: [Block] = []
    defer { withExtendedLifetime(owners) {} }
    let (input, output) = try padded(from, to, &owners)
    let setup = PictureScaler.Setup(
      sourceWidth: input.width, sourceHeight: input.height, sourceFormat: from.format,
      sourceColor: source.color, sourceChroma: source.chroma, width: output.width,
      height: output.height, format: to.format, color: target.color, chroma: target.chroma,
      isFast: isFast)
    // A picture takes three at most; more are left over from others.
    if scalers[setup] == nil, scalers.count >= 6 { scalers = [:] }
    let known = scalers[setup]
    let scaler = if let known { known } else { try PictureScaler(setup) }
    scalers[setup] = scaler
    try scaler.scale(input, to: output)
    if unsafe output.planes[0] != to.planes[0] {
      let layout = try PictureLayout(width: to.width, height: to.height, format: to.format)
      output.copy(to: to, layout: layout)
    }
    guard target.isDeep else { return }
    // Planes that only change their depth are the one thing that libswscale fills up to the top.
    let isFilled =
      isSameSize && to.format.isGray && from.format.isYUV && source.color.isFullRange
    to.level(from: isFilled ? 65535 : source.white, to: 65535)
  }
}

/// What libswscale is to read and write in place of two surfaces that it can't handle.
private func padded(
  _ from: PictureSurface, _ to: PictureSurface, _ owners: inout [Block]
) throws(LibAVError) -> (input: PictureSurface, output: PictureSurface) {
  let target = try PictureLayout(width: to.width, height: to.height, format: to.format)
  if from.width == to.width, from.height == to.height {
    let even = from.format.evenSize(from.width, from.height, with: to.format)
    if even != (from.width, from.height) {
      let source = try PictureLayout(width: from.width, height: from.height, format: from.format)
      let larger = try PictureLayout(width: even.width, height: even.height, format: from.format)
      let input = try surface(larger, &owners)
      from.extend(source, to: input, larger)
      let output = try PictureLayout(width: even.width, height: even.height, format: to.format)
      return (input, try surface(output, &owners))
    }
  }
  return (from, target.needsRoom(from: from.format) ? try surface(target, &owners) : to)
}

/// A surface with what its samples mean.
private struct Picture {
  var surface: PictureSurface
  var color: PictureColor
  /// By H.273; 0 unspecified.
  var chromaLocation: Int32
  /// What white becomes when libswscale makes 16 bits of it: it shifts, where 8 bits 255 would have to
  /// be multiplied by 257.
  var white: Int

  /// The white of all that has limited range, and of 8 bits; and what is white to libswscale when it
  /// makes less of 16 bits.
  static let swscaleWhite = 255 << 8

  init(_ surface: PictureSurface, _ color: PictureColor, chromaLocation: Int32 = 0) {
    (self.surface, self.color, self.chromaLocation) = (surface, color, chromaLocation)
    let depth = min(16, max(8, surface.format.bitsPerComponent))
    white =
      color.isFullRange || surface.format.isRGB
      ? ((1 << depth) - 1) << (16 - depth) : Picture.swscaleWhite
  }

  var chroma: ChromaPosition { ChromaPosition(chromaLocation, in: surface.format) }

  /// Where chroma is to lie in a picture made of it; 0 where that is unspecified.
  ///
  /// What is halved alike stays in its place, but JPEG's formats get it in the centre.
  func chromaLocation(in target: PixelFormat) -> Int32 {
    let format = surface.format
    let keepsLocation = !target.isFullRangeByName || format.isFullRangeByName
    guard format.chromaShift == target.chromaShift, keepsLocation else {
      return ChromaPosition(0, in: target).location(in: target)
    }
    // Without the name it would count as left.
    if chromaLocation == 0, format.isFullRangeByName, !target.isFullRangeByName {
      return chroma.location(in: format)
    }
    return target.chromaShift == (0, 0) ? 0 : chromaLocation
  }
  /// It has 16 bits whose white has to be 65535 exactly.
  var isDeep: Bool { surface.format.canBeLeveled }
}

/// Room for a picture, with aligned rows and some between its planes; it lives as long as `owners`.
private func surface(
  _ layout: PictureLayout, _ owners: inout [Block]
) throws(LibAVError) -> PictureSurface {
  let (surface, owner) = try PictureSurface.padded(layout)
  owners.append(owner)
  return surface
}
