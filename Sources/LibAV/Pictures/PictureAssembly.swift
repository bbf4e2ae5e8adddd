internal import CLibAV
import SystemIO

/// A frame assembled from smaller ones, black elsewhere.
///
/// Only formats of one plane are supported: RGB of three or four components, and grey.
package struct PictureAssembly: ~Copyable, Sendable {
  package let layout: PictureLayout
  private let block: Block

  /// - Throws: `invalidArgument` for a format of several planes or a size that can't be laid out,
  ///   and the errors of `allocator`.
  package init(
    layout: PictureLayout, allocator: any BlockAllocator
  ) throws(LibAVError) {
    guard layout.planes.count == 1, layout.format.isRGB || layout.format.isGray else {
      throw LibAVError(
        .invalidArgument, operation: "assemble", subject: layout.format.name ?? "",
        detail: "the pixels have to be in one plane", log: [])
    }
    let block = try asLibAVError(allocator.allocate(count: layout.size))
    let bytes = unsafe block.mutableBytes
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    if layout.format.hasAlpha {
      // Alpha is the last of four components in all formats that occur here.
      let size = layout.format.bitsPerComponent > 8 ? 2 : 1
      for offset in 0..<layout.size where offset / size % 4 == 3 {
        unsafe bytes.storeBytes(of: 255, toByteOffset: offset, as: UInt8.self)
      }
    }
    self.layout = layout
    self.block = block
  }

  /// Creates an assembly on existing pixels.
  ///
  /// - Throws: `invalidArgument` when `pixels` has another size than the layout.
  package init(layout: PictureLayout, pixels: Block) throws(LibAVError) {
    guard layout.planes.count == 1, pixels.count == layout.size else {
      throw LibAVError(
        .invalidArgument, operation: "assemble", subject: layout.format.name ?? "",
        detail: "the pixels have to be in one plane of \(layout.size) bytes", log: [])
    }
    self.layout = layout
    block = pixels
  }

  /// The size of a pixel in bytes.
  private var depth: Int { layout.planes[0].bytesPerRow / layout.width }

  /// Copies a frame of `width` × `height` and the same format into the middle of a cell.
  ///
  /// A frame that is larger than the cell loses its edges; one that is smaller leaves the cell's
  /// edges as they are.
  package mutating func paste(
    _ picture: Block, width: Int, height: Int, into cell: (x: Int, y: Int, width: Int, height: Int)
  ) {
    let shownWidth = min(width, cell.width)
    let shownHeight = min(height, cell.height)
    guard shownWidth > 0, shownHeight > 0, picture.count >= width * height * depth,
      cell.x >= 0, cell.y >= 0, cell.x + cell.width <= layout.width,
      cell.y + cell.height <= layout.height
    else { return }
    let column = (width - shownWidth) / 2
    let row = (height - shownHeight) / 2
    let x = cell.x + (cell.width - shownWidth) / 2
    let y = cell.y + (cell.height - shownHeight) / 2
    for line in 0..<shownHeight {
      let from = unsafe picture.base + ((row + line) * width + column) * depth
      let to = unsafe block.base + ((y + line) * layout.width + x) * depth
      unsafe to.copyMemory(from: from, byteCount: shownWidth * depth)
    }
  }

  /// Makes a rectangle white or black, and opaque. The part of it that is outside the frame is left
  /// out.
  package mutating func fill(
    x: Int, y: Int, width: Int, height: Int, isWhite: Bool
  ) {
    let columns = max(0, x)..<max(0, x, min(layout.width, x + width))
    let size = layout.format.bitsPerComponent > 8 ? 2 : 1
    for row in max(0, y)..<max(0, y, min(layout.height, y + height)) {
      let line = unsafe block.base + (row * layout.width + columns.lowerBound) * depth
      for offset in 0..<columns.count * depth {
        let isAlpha = layout.format.hasAlpha && offset / size % 4 == 3
        unsafe line.storeBytes(
          of: isWhite || isAlpha ? 255 : 0, toByteOffset: offset, as: UInt8.self)
      }
    }
  }

  /// Returns the pixels.
  package consuming func finish() -> Block { block }

  /// Returns an image file in memory.
  package borrowing func encoded(
    as format: ImageFormat, quality: Double
  ) throws(LibAVError) -> Block {
    let frame = try frame()
    let wanted = format.pixelFormat(hasAlpha: layout.format.hasAlpha)
    guard wanted != layout.format else {
      return try format.encode(
        frame, quality: quality, allocator: HeapAllocator())
    }
    var converter = PictureConverter()
    let converted = try converter.frame(
      from: frame,
      to: PictureLayout(width: layout.width, height: layout.height, format: wanted),
      color: wanted.isRGB ? .rgb : .jpeg)
    return try format.encode(
      converted, quality: quality, allocator: HeapAllocator())
  }

  /// Returns a frame that shares the bytes: sheets are so large that copies matter.
  private borrowing func frame() throws(LibAVError) -> Frame {
    let frame = try Frame.sharing(block, in: layout)
    unsafe frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
    return frame
  }
}

extension ImageFormat {
  /// The pixel format in which an image of this format is best assembled.
  package var assemblyFormat: PixelFormat {
    switch self {
    case .jpeg, .png, .bmp: .rgb24
    case .webp: .bgra
    }
  }

  /// The maximum width and height that the format, or its encoder, can hold; nil for no limit of
  /// its own.
  package var maximumLength: Int? {
    switch self {
    // libavcodec/mjpegenc.c refuses more; the format itself ends at 65,535.
    case .jpeg: 65_500
    // WEBP_MAX_DIMENSION of libwebp.
    case .webp: 16_383
    case .png, .bmp: nil
    }
  }
}
