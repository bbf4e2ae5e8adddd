internal import CLibAV
internal import CPixels
internal import CZimg
import SystemIO

/// The rows of a frame that zimg reads or writes: the frame's own, or copies of a few.
struct PictureRows {
  private let format: PixelFormat
  private let indices: Range<Int>
  private let components: [PixelFormat.Component]
  private let shift: (horizontal: Int, vertical: Int)
  private let size: (width: Int, height: Int)
  private let padded: (width: Int, height: Int)
  /// The mask that maps the number of a row to its place in the copies: row & mask.
  private let mask: UInt32
  private var copies: [Block?]
  private var spare: Block?
  /// The pixels, if several components lie together in them.
  private let pixel: Pixel?

  private struct Pixel {
    var first: Int
    var size: Int
    /// The component at each position, or -1.
    var order: [Int32]
  }

  @safe struct Attached {
    var rows: rw_rows
    var planes: [rw_zimg_plane]
    var copies: Bool
  }

  /// - Parameters:
  ///   - indices: the components of the format.
  ///   - width: the width of the frame for zimg; `height` is its height.
  ///   - lines: the number of rows that zimg needs at once.
  init(
    _ indices: Range<Int>, of side: PictureConversion.Side, _ width: Int, _ height: Int,
    lines: UInt32
  ) {
    format = side.format
    self.indices = indices
    components = Array(format.components[indices])
    shift = indices.count == 1 ? (0, 0) : format.chromaShift
    size = (side.width, side.height)
    padded = (width, height)
    mask = Int(lines) < height ? zimg_select_buffer_mask(lines) : .max
    copies = components.map { _ in nil }
    let components = components
    pixel =
      [0, 1].lazy.compactMap { [format] in
        PictureRows.pixel(of: components, from: $0, format)
      }.first
  }

  private static func pixel(
    of components: [PixelFormat.Component], from first: Int, _ format: PixelFormat
  ) -> Pixel? {
    guard components.count >= first + 2, !format.isBigEndian else { return nil }
    let (one, parts) = (components[first], components[first...])
    let size = one.step / one.bytes
    var order = [Int32](repeating: -1, count: 4)
    for (index, part) in parts.enumerated() {
      guard part.plane == one.plane, part.step == one.step, part.shift == 0, size <= 4,
        part.offset % part.bytes == 0, part.offset / part.bytes < size
      else { return nil }
      order[part.offset / part.bytes] = Int32(first + index)
    }
    // Alpha may be the one that isn't read. Chroma that shares its pixels with luma doesn't count.
    guard size - parts.count <= (format.isRGB ? 1 : 0), size >= 2 else { return nil }
    return Pixel(first: first, size: size, order: order)
  }

  private func isChroma(_ index: Int) -> Bool {
    format.isYUV && (1...2).contains(indices.lowerBound + index)
  }

  private func rounded(_ length: Int, _ shift: Int) -> Int { -(-length >> shift) }

  /// Describes the rows of one frame. The result is valid as long as this and the frame exist.
  mutating func attach(to surface: PictureSurface) throws(LibAVError) -> Attached {
    var result = unsafe Attached(rows: rw_rows(), planes: [], copies: false)
    var described = unsafe [rw_component]()
    for index in components.indices {
      let component = try unsafe describe(index, surface)
      guard unsafe component.first != nil else {
        throw LibAVError(
          .invalidData, operation: "convert picture", subject: format.name ?? "",
          detail: "a plane is missing", log: [])
      }
      let isDirect = unsafe component.rows == nil
      unsafe result.planes.append(
        rw_zimg_plane(
          data: isDirect ? component.first : component.rows,
          stride: isDirect ? component.stride : component.row_stride,
          mask: isDirect ? .max : mask))
      result.copies = result.copies || !isDirect
      unsafe described.append(component)
    }
    unsafe result.rows.count = Int32(described.count)
    unsafe result.rows.height_shift = Int32(shift.vertical)
    let none = unsafe rw_component()
    while unsafe described.count < 4 { unsafe described.append(none) }
    while unsafe result.planes.count < 3 { unsafe result.planes.append(rw_zimg_plane()) }
    unsafe result.rows.components = (described[0], described[1], described[2], described[3])
    if let pixel { try unsafe describe(pixel, surface, &result.rows) }
    return result
  }

  /// Returns the address and the form of a component's samples.
  private static func described(
    _ component: PixelFormat.Component, _ surface: PictureSurface
  ) -> rw_component {
    var result = unsafe rw_component()
    unsafe result.first = surface.planes[component.plane].map { unsafe $0 + component.offset }
    unsafe result.stride = Int(surface.strides[component.plane])
    unsafe result.step = component.step
    unsafe result.bytes = Int32(component.bytes)
    unsafe result.depth = Int32(component.depth)
    unsafe result.shift = Int32(component.shift)
    unsafe result.is_big_endian = surface.format.isBigEndian
    return unsafe result
  }

  private mutating func describe(
    _ index: Int, _ surface: PictureSurface
  ) throws(LibAVError) -> rw_component {
    let component = components[index]
    let (wide, high) = isChroma(index) ? shift : (0, 0)
    var result = unsafe PictureRows.described(component, surface)
    unsafe result.width = Int32(clamping: rounded(size.width, wide))
    unsafe result.height = Int32(clamping: rounded(size.height, high))
    unsafe result.width_shift = Int32(wide)
    unsafe result.height_shift = Int32(high)
    let (width, height) = (padded.width >> wide, padded.height >> high)
    unsafe result.padded_width = Int32(clamping: width)
    let address = unsafe UInt(bitPattern: result.first)
    let isPlane =
      component.step == component.bytes && component.shift == 0
      && (component.bytes == 1 || !format.isBigEndian)
    // By zimg.h, on x86.
    let isAligned = unsafe address % 32 == 0 && result.stride % 32 == 0
    if isPlane, isAligned, unsafe Int(result.width) == width, unsafe Int(result.height) == height {
      return unsafe result
    }
    let row = (width * component.bytes + 63) / 64 * 64
    let known = copies[index]
    let block =
      if let known { known } else {
        try asLibAVError(
          HeapAllocator().allocate(count: row * (mask == .max ? height : Int(mask) + 1)))
      }
    copies[index] = block
    unsafe result.rows = block.base.assumingMemoryBound(to: UInt8.self)
    unsafe result.row_stride = row
    unsafe result.mask = mask
    return unsafe result
  }

  private mutating func describe(
    _ pixel: Pixel, _ surface: PictureSurface, _ rows: inout rw_rows
  ) throws(LibAVError) {
    unsafe rows.pixel_size = Int32(pixel.size)
    unsafe rows.first_of_pixel = Int32(pixel.first)
    unsafe rows.order = (pixel.order[0], pixel.order[1], pixel.order[2], pixel.order[3])
    unsafe rows.pixels = surface.planes[components[pixel.first].plane]
    if spare == nil {
      let count = padded.width * components[pixel.first].bytes
      let row = try asLibAVError(HeapAllocator().allocate(count: count))
      unsafe row.mutableBytes.initializeMemory(as: UInt8.self, repeating: 255)
      spare = row
    }
    unsafe rows.spare = spare?.base.assumingMemoryBound(to: UInt8.self)
  }

  /// True if pixels have a position that no component has.
  var fillsPixels: Bool { pixel.map { $0.order.prefix($0.size).contains(-1) } ?? false }

  /// Sets all of a frame's alpha to the maximum value.
  static func makeOpaque(_ surface: PictureSurface) {
    guard let alpha = surface.format.components.last else { return }
    var component = unsafe described(alpha, surface)
    unsafe component.width = Int32(clamping: surface.width)
    unsafe component.height = Int32(clamping: surface.height)
    unsafe rw_fill(&component)
  }
}
