internal import CPixels
internal import CZimg
import SystemIO

/// One conversion by zimg: sizes, formats, colours and chroma positions in one pass over the frame.
///
/// zimg reads and writes planes with aligned rows. If a frame has such planes, zimg uses them
/// directly; other planes are copied row by row, a few rows ahead. If chroma is subsampled, zimg
/// needs sizes that are multiples: the last column and row of other sizes are repeated, and cut off
/// afterwards.
@safe final class PictureGraph {
  /// The components that a graph converts: alpha has a graph of its own, because zimg would
  /// multiply colours by it.
  enum Components { case colors, alpha }

  private let graph: OpaquePointer
  private let scratch: Block
  private var source: PictureRows
  private var target: PictureRows
  /// True if the target has alpha that nothing else writes.
  private let isMadeOpaque: Bool

  /// - Throws: `notImplemented` for a conversion that zimg doesn't support.
  init(_ conversion: PictureConversion, _ components: Components) throws(LibAVError) {
    let families = Families(conversion, components)
    var (from, to) = (rw_zimg_format(), rw_zimg_format())
    conversion.source.describe(families.source, &from)
    conversion.target.describe(families.target, &to)
    families.setMatrices(conversion, &from, &to)
    conversion.setSizes(families, &from, &to)
    var parameters = conversion.parameters
    guard let graph = unsafe zimg_filter_graph_build(&from, &to, &parameters) else {
      throw conversion.notImplemented(lastError())
    }
    var size = 0
    var (linesIn, linesOut) = (UInt32(0), UInt32(0))
    unsafe zimg_filter_graph_get_tmp_size(graph, &size)
    unsafe zimg_filter_graph_get_input_buffering(graph, &linesIn)
    unsafe zimg_filter_graph_get_output_buffering(graph, &linesOut)
    let scratch: Block
    do {
      scratch = try asLibAVError(HeapAllocator().allocate(count: size))
    } catch {
      unsafe zimg_filter_graph_free(graph)
      throw error
    }
    unsafe self.graph = graph
    self.scratch = scratch
    source = PictureRows(
      families.source.indices(in: conversion.source.format), of: conversion.source,
      Int(from.width), Int(from.height), lines: linesIn)
    target = PictureRows(
      families.target.indices(in: conversion.target.format), of: conversion.target,
      Int(to.width), Int(to.height), lines: linesOut)
    isMadeOpaque =
      components == .colors && !conversion.source.format.hasAlpha
      && conversion.target.format.hasAlpha && !target.fillsPixels
  }

  deinit { unsafe zimg_filter_graph_free(graph) }

  func convert(_ picture: PictureSurface, to result: PictureSurface) throws(LibAVError) {
    var input = try source.attach(to: picture)
    var output = try target.attach(to: result)
    let code = unsafe rw_zimg_process(
      graph, input.planes, output.planes, scratch.base,
      input.copies ? rw_read_rows : nil, &input.rows, output.copies ? rw_write_rows : nil,
      &output.rows)
    guard code == 0 else {
      throw LibAVError(
        .unknown, operation: "convert picture", subject: picture.format.name ?? "",
        detail: lastError(), log: [])
    }
    if isMadeOpaque { PictureRows.makeOpaque(result) }
  }
}

private func lastError() -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    unsafe zimg_get_last_error(start, 256)
    return unsafe "zimg: " + String(cString: start)
  }
}

// MARK: - Formats

/// The families of both sides in zimg: of YUV that becomes grey, only luma is read.
private struct Families {
  enum Family { case gray, rgb, yuv, alpha }

  var source: Family
  var target: Family

  init(_ conversion: PictureConversion, _ components: PictureGraph.Components) {
    func family(_ format: PixelFormat) -> Family {
      format.isRGB ? .rgb : (format.isGray ? .gray : .yuv)
    }
    (source, target) = (.alpha, .alpha)
    guard components == .colors else { return }
    (source, target) = (family(conversion.source.format), family(conversion.target.format))
    if source == .yuv, target == .gray { source = .gray }
  }

  /// Sets the matrices of both sides. Nothing is computed between two sides if one's matrix is
  /// unspecified.
  func setMatrices(
    _ conversion: PictureConversion, _ from: inout zimg_image_format, _ to: inout zimg_image_format
  ) {
    func code(_ family: Family, _ color: PictureColor) -> zimg_matrix_coefficients_e {
      family == .rgb
        ? ZIMG_MATRIX_RGB
        : zimg_matrix_coefficients_e(RawValue(clamping: color.distinctMatrix))
    }
    let (one, other) = (conversion.source.color, conversion.target.color)
    switch (source, target) {
    case (.yuv, .yuv) where one.distinctMatrix != other.distinctMatrix,
      (.yuv, .rgb), (.rgb, .yuv), (.rgb, .gray), (.rgb, .rgb):
      from.matrix_coefficients = code(source, one)
      to.matrix_coefficients = code(target, other)
    case (.gray, .rgb): to.matrix_coefficients = ZIMG_MATRIX_RGB
    default: break
    }
  }
}

private typealias RawValue = zimg_matrix_coefficients_e.RawValue

extension Families.Family {
  /// Returns the components of a format that belong to the family.
  fileprivate func indices(in format: PixelFormat) -> Range<Int> {
    let count = format.components.count
    return switch self {
    case .alpha: (count - 1)..<count
    case .gray: 0..<1
    case .rgb, .yuv: 0..<3
    }
  }

  fileprivate func chromaShift(
    _ format: PixelFormat
  ) -> (horizontal: Int, vertical: Int) {
    self == .yuv ? format.chromaShift : (0, 0)
  }
}

extension PictureConversion.Side {
  fileprivate func describe(_ family: Families.Family, _ result: inout zimg_image_format) {
    let depth = format.bitsPerComponent
    result.depth = UInt32(clamping: depth)
    result.pixel_type =
      depth == 32 ? ZIMG_PIXEL_FLOAT : (depth > 8 ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE)
    let shift = family.chromaShift(format)
    result.subsample_w = UInt32(clamping: shift.horizontal)
    result.subsample_h = UInt32(clamping: shift.vertical)
    result.chroma_location = chroma.zimgLocation
    switch family {
    case .gray, .alpha: result.color_family = ZIMG_COLOR_GREY
    case .rgb: result.color_family = ZIMG_COLOR_RGB
    case .yuv: result.color_family = ZIMG_COLOR_YUV
    }
    let isFullRange = family == .alpha || family == .rgb || color.isFullRange
    result.pixel_range = isFullRange ? ZIMG_RANGE_FULL : ZIMG_RANGE_LIMITED
  }
}

extension PictureConversion {
  /// Sets both sides to sizes that chroma fits into, and the part of the source that belongs to all
  /// of the target.
  fileprivate func setSizes(
    _ families: Families, _ from: inout zimg_image_format, _ to: inout zimg_image_format
  ) {
    let mine = families.source.chromaShift(source.format)
    let others = families.target.chromaShift(target.format)
    func even(_ length: Int, _ shift: Int) -> Int {
      let unit = 1 << shift
      return (length + unit - 1) / unit * unit
    }
    var (wide, high) = (mine, others)
    if isSameSize {
      // Nothing is scaled then but chroma.
      let shift = (max(mine.horizontal, others.horizontal), max(mine.vertical, others.vertical))
      (wide, high) = (shift, shift)
    }
    from.width = UInt32(clamping: even(source.width, wide.horizontal))
    from.height = UInt32(clamping: even(source.height, wide.vertical))
    to.width = UInt32(clamping: even(target.width, high.horizontal))
    to.height = UInt32(clamping: even(target.height, high.vertical))
    guard !isSameSize else { return }
    from.active_region.left = part.x
    from.active_region.top = part.y
    from.active_region.width = part.width * Double(to.width) / Double(target.width)
    from.active_region.height = part.height * Double(to.height) / Double(target.height)
  }

  /// The parameters of the filters: bicubic with libswscale's parameters, wider where it makes
  /// smaller; chroma that comes to more positions of the same frame is interpolated linearly.
  fileprivate var parameters: zimg_graph_builder_params {
    var result = rw_zimg_parameters()
    result.resample_filter = ZIMG_RESIZE_BICUBIC
    (result.filter_param_a, result.filter_param_b) = (0, 0.6)
    let (mine, others) = (source.format.chromaShift, target.format.chromaShift)
    let isLinear =
      (part.width, part.height) == (Double(target.width), Double(target.height))
      && mine.horizontal >= others.horizontal && mine.vertical >= others.vertical
    if isLinear {
      result.resample_filter_uv = ZIMG_RESIZE_BILINEAR
    } else {
      result.resample_filter_uv = ZIMG_RESIZE_BICUBIC
      (result.filter_param_a_uv, result.filter_param_b_uv) = (0, 0.6)
    }
    result.dither_type = ZIMG_DITHER_NONE
    // Not AUTO_64B: zimg 3.0.4's code for AVX-512 takes wrong samples of integers in some ratios above 2 (89
    // columns to 43). PictureScalingTests would see it.
    result.cpu_type = ZIMG_CPU_AUTO
    return result
  }
}
