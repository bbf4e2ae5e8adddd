internal import CLibAV
import SystemIO

// libswscale takes the sizes of planes for the ratio that they are scaled by. Where one side has chroma
// in half a picture's odd size and the other in full, that ratio isn't 2: chroma would drift by up to
// half of its samples, and the last ones mix with what lies before them. Such pictures get a margin.

extension PixelFormat {
  /// The size at which chroma of both formats covers a picture exactly: the size itself, or a little
  /// more of it to the right and below.
  ///
  /// A picture that would get too large for libav stays as it is.
  func evenSize(_ width: Int, _ height: Int, with other: PixelFormat) -> (width: Int, height: Int) {
    // Grey has no chroma, and in a Bayer pattern a repeated column would have the wrong colours.
    guard !isGray, !other.isGray, canBeExtended else { return (width, height) }
    func rounded(_ length: Int, _ mine: Int, _ others: Int) -> Int {
      let grid = mine == others ? 1 : 1 << max(mine, others)
      return (length + grid - 1) / grid * grid
    }
    let (mine, others) = (chromaShift, other.chromaShift)
    let even = (
      rounded(width, mine.horizontal, others.horizontal),
      rounded(height, mine.vertical, others.vertical)
    )
    return Int64(even.0) * Int64(even.1) <= Library.limits.pixels ? even : (width, height)
  }
}

extension PictureLayout {
  /// Whether libswscale can't be trusted to write planes that lie as close together as in this layout.
  ///
  /// Its vector code writes past rows, in all but the last two of a picture, by less than 64 samples.
  /// Rows that follow are written afterwards, but the next plane is reached where rows are shorter than
  /// that, or chroma has no later one. And where it takes interleaved chroma apart it faults on rows that
  /// are not aligned.
  func needsRoom(from source: PixelFormat) -> Bool {
    guard planes.count > 1 else { return false }
    return width >> format.chromaShift.horizontal < 64 || format.chromaShift.vertical > 1
      || source.hasInterleavedChroma
  }

  /// The planes with aligned rows and padding between them.
  fileprivate var paddedPlanes: (planes: [Plane], size: Int) {
    var offset = 0
    let padded = planes.map { plane in
      let row = (plane.bytesPerRow + 63) / 64 * 64
      let moved = Plane(offset: offset, bytesPerRow: row, height: plane.height)
      offset += row * plane.height + Block.padding
      return moved
    }
    return (padded, offset)
  }
}

extension PictureSurface {
  /// A surface on the heap with aligned rows and padding between its planes, and the block it points
  /// into.
  static func padded(
    _ layout: PictureLayout
  ) throws(LibAVError) -> (surface: PictureSurface, owner: Block) {
    let (planes, size) = layout.paddedPlanes
    let block = try asLibAVError(HeapAllocator().allocate(count: size))
    var surface = PictureSurface(block, layout)
    for (index, plane) in planes.enumerated() {
      unsafe surface.planes[index] = (block.base + plane.offset)
        .assumingMemoryBound(to: UInt8.self)
      surface.strides[index] = Int32(clamping: plane.bytesPerRow)
    }
    return (surface, block)
  }

  /// Copies the picture to a larger surface of the same format, and repeats its last column and row
  /// there up to the edges.
  func extend(
    _ layout: PictureLayout, to larger: PictureSurface, _ largerLayout: PictureLayout
  ) {
    copy(to: larger, layout: layout)
    for (index, plane) in layout.planes.enumerated() {
      guard let base = unsafe larger.planes[index] else { continue }
      let (wide, stride) = (largerLayout.planes[index], Int(larger.strides[index]))
      let element = layout.elements(of: index).bytes
      let start = UnsafeMutableRawPointer(base)
      for y in 0..<plane.height {
        let row = unsafe start + y * stride
        // Luma and chroma of one plane come in whole groups: there is nothing to add.
        for x in Swift.stride(from: plane.bytesPerRow, to: wide.bytesPerRow, by: element) {
          unsafe (row + x).copyMemory(from: row + x - element, byteCount: element)
        }
      }
      let last = unsafe start + (plane.height - 1) * stride
      for y in plane.height..<wide.height {
        unsafe (start + y * stride).copyMemory(from: last, byteCount: wide.bytesPerRow)
      }
    }
  }
}
