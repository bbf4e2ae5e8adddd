internal import CLibAV
import SystemIO

/// A rectangle of a frame in whole pixels, from the top left.
package struct PictureRectangle: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Returns the part of the rectangle that lies in a frame of that size; nil if it is empty.
  package func within(width: Int, height: Int) -> PictureRectangle? {
    func end(_ start: Int, _ length: Int, _ limit: Int) -> Int {
      let (sum, overflow) = start.addingReportingOverflow(length)
      return overflow ? limit : min(sum, limit)
    }
    let (left, top) = (max(0, x), max(0, y))
    let (right, bottom) = (end(x, self.width, width), end(y, self.height, height))
    guard right > left, bottom > top else { return nil }
    return PictureRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// A rectangle of a frame, from the top left, in pixels; its edges may lie between two.
package struct PictureArea: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the area of a whole frame of that size.
  package init(width: Int, height: Int) {
    self.init(x: 0, y: 0, width: Double(width), height: Double(height))
  }

  package init(_ rectangle: PictureRectangle) {
    self.init(
      x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.width),
      height: Double(rectangle.height))
  }
}

/// The planes of a frame, without ownership; the owner has to outlive it.
@safe struct PictureSurface {
  /// The addresses of the planes; always four.
  var planes: [UnsafeMutablePointer<UInt8>?]
  /// The distances of rows in bytes; negative for frames that are stored upside down.
  var strides: [Int32]
  var width: Int
  var height: Int
  var format: PixelFormat

  init(_ frame: borrowing Frame) {
    let data = unsafe frame.pointer.pointee.data
    let lines = unsafe frame.pointer.pointee.linesize
    unsafe planes = [data.0, data.1, data.2, data.3]
    strides = [lines.0, lines.1, lines.2, lines.3]
    (width, height, format) = (frame.width, frame.height, frame.pixelFormat)
  }

  /// - Parameter block: at least as large as `layout`.
  init(_ block: Block, _ layout: PictureLayout) {
    unsafe planes = [nil, nil, nil, nil]
    strides = [0, 0, 0, 0]
    (width, height, format) = (layout.width, layout.height, layout.format)
    for (index, plane) in layout.planes.enumerated() {
      unsafe planes[index] = (block.base + plane.offset).assumingMemoryBound(to: UInt8.self)
      strides[index] = Int32(clamping: plane.bytesPerRow)
    }
  }

  /// Returns a surface on the heap with aligned rows and padding between its planes, because
  /// libswscale's vector code writes past rows; and the block it points into.
  ///
  /// - Parameter memory: used if it is large enough.
  static func padded(
    _ layout: PictureLayout, reusing memory: Block? = nil
  ) throws(LibAVError) -> (surface: PictureSurface, owner: Block) {
    let rows = layout.planes.map { ($0.bytesPerRow + 63) / 64 * 64 }
    let sizes = zip(rows, layout.planes).map { row, plane in row * plane.height + Block.padding }
    let size = sizes.reduce(0, +)
    let block =
      if let memory, memory.count >= size { memory } else {
        try asLibAVError(HeapAllocator().allocate(count: size))
      }
    var surface = PictureSurface(block, layout)
    var offset = 0
    for index in layout.planes.indices {
      unsafe surface.planes[index] = (block.base + offset).assumingMemoryBound(to: UInt8.self)
      surface.strides[index] = Int32(clamping: rows[index])
      offset += sizes[index]
    }
    return (surface, block)
  }

  /// Returns a part of the surface, which has to begin at a chroma sample.
  func cut(_ part: PictureRectangle) -> PictureSurface {
    var result = self
    (result.width, result.height) = (part.width, part.height)
    let shift = format.chromaShift
    for plane in 0..<(format.hasPalette ? 1 : 4) where unsafe planes[plane] != nil {
      let isChroma = (plane == 1 || plane == 2) && !format.isRGB
      let x = isChroma ? part.x >> shift.horizontal : part.x
      let y = isChroma ? part.y >> shift.vertical : part.y
      let offset = y * Int(strides[plane]) + x * format.step(ofPlane: plane)
      unsafe result.planes[plane] = planes[plane].map { unsafe $0 + offset }
    }
    return result
  }

  /// Copies the pixels to a surface of the same size and format.
  func copy(to target: PictureSurface, layout: PictureLayout) {
    for (index, plane) in layout.planes.enumerated() {
      unsafe av_image_copy_plane(
        target.planes[index], target.strides[index], planes[index], strides[index],
        Int32(clamping: plane.bytesPerRow), Int32(clamping: plane.height))
    }
  }
}

// MARK: - Turning

private typealias Bytes3 = (UInt8, UInt8, UInt8)
private typealias Words3 = (UInt16, UInt16, UInt16)

extension PictureSurface {
  /// Copies every element to its position in `orientation`.
  ///
  /// - Parameters:
  ///   - stored: the layout of this surface.
  ///   - shown: the layout of the target, with width and height exchanged if the turn does so.
  func turn(
    _ stored: PictureLayout, to target: PictureSurface, _ shown: PictureLayout,
    _ orientation: Orientation
  ) {
    for plane in stored.planes.indices {
      let (columns, bytes) = stored.elements(of: plane)
      guard let from = unsafe planes[plane], let to = unsafe target.planes[plane] else { continue }
      let turned = unsafe TurnedPlane(
        source: UnsafeRawPointer(from), sourceStride: Int(strides[plane]), columns: columns,
        rows: stored.planes[plane].height, target: UnsafeMutableRawPointer(to),
        targetStride: Int(target.strides[plane]), shownColumns: shown.elements(of: plane).width,
        shownRows: shown.planes[plane].height, orientation: orientation)
      switch bytes {
      case 1: unsafe turned.copy(UInt8.self)
      case 2: unsafe turned.copy(UInt16.self)
      case 3: unsafe turned.copy(Bytes3.self)
      case 4: unsafe turned.copy(UInt32.self)
      case 6: unsafe turned.copy(Words3.self)
      case 8: unsafe turned.copy(UInt64.self)
      default: unsafe turned.copy(bytes: bytes)
      }
    }
  }
}

@unsafe private struct TurnedPlane {
  let source: UnsafeRawPointer
  let sourceStride: Int
  let columns: Int
  let rows: Int
  let target: UnsafeMutableRawPointer
  let targetStride: Int
  let shownColumns: Int
  let shownRows: Int
  let orientation: Orientation

  /// Returns the path through the source: the offset of the shown origin, and the distances to the
  /// shown frame's next column and row, in bytes.
  private func walk(_ bytes: Int) -> (start: Int, column: Int, row: Int) {
    func offset(_ x: Int, _ y: Int) -> Int {
      let place = unsafe orientation.source(x: x, y: y, width: columns, height: rows)
      return unsafe place.y * sourceStride + place.x * bytes
    }
    let start = offset(0, 0)
    return (start, offset(1, 0) - start, offset(0, 1) - start)
  }

  /// Copies elements of one size. Square tiles keep a quarter turn within the cache: it reads
  /// columns.
  func copy<Element: BitwiseCopyable>(_ type: Element.Type) {
    let size = MemoryLayout<Element>.size
    let (start, column, row) = unsafe walk(size)
    let tile = 64
    for top in stride(from: 0, to: unsafe shownRows, by: tile) {
      for left in unsafe stride(from: 0, to: shownColumns, by: tile) {
        let right = unsafe min(left + tile, shownColumns)
        for y in top..<(unsafe min(top + tile, shownRows)) {
          var input = unsafe source + (start + y * row + left * column)
          var output = unsafe target + (y * targetStride + left * size)
          for _ in left..<right {
            unsafe output.storeBytes(of: input.loadUnaligned(as: type), as: type)
            unsafe input += column
            unsafe output += size
          }
        }
      }
    }
  }

  func copy(bytes: Int) {
    let (start, column, row) = unsafe walk(bytes)
    for y in 0..<(unsafe shownRows) {
      for x in 0..<(unsafe shownColumns) {
        unsafe (target + (y * targetStride + x * bytes)).copyMemory(
          from: source + (start + y * row + x * column), byteCount: bytes)
      }
    }
  }
}

// MARK: - Palettes and single bits

extension PictureSurface {
  /// Writes a frame with a palette as `bgra`: libav's palette entries are native 32-bit words of
  /// alpha, red, green and blue.
  func writeColors(to target: PictureSurface) {
    guard let indices = unsafe planes[0], let words = unsafe planes[1],
      let pixels = unsafe target.planes[0]
    else { return }
    let palette = UnsafeRawPointer(words)
    for y in 0..<height {
      let row = unsafe indices + y * Int(strides[0])
      let output = UnsafeMutableRawPointer(unsafe pixels + y * Int(target.strides[0]))
      for x in 0..<width {
        let color = unsafe palette.loadUnaligned(
          fromByteOffset: Int(row[x]) * 4, as: UInt32.self)
        unsafe output.storeBytes(of: color.littleEndian, toByteOffset: x * 4, as: UInt32.self)
      }
    }
  }

  /// Writes pixels of one bit, the first in the highest, as `gray`.
  func writeBits(to target: PictureSurface) {
    guard let bits = unsafe planes[0], let pixels = unsafe target.planes[0] else { return }
    let flip: UInt8 = format.isOneBitWhite ? 0 : 0xff
    for y in 0..<height {
      let row = unsafe bits + y * Int(strides[0])
      let output = unsafe pixels + y * Int(target.strides[0])
      for x in 0..<width {
        let isWhite = unsafe ((row[x >> 3] ^ flip) >> (7 - UInt8(x & 7))) & 1 == 1
        unsafe output[x] = isWhite ? 255 : 0
      }
    }
  }
}
