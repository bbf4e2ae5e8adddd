internal import CLibAV

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
  /// The samples of one plane go over into the next one's when libswscale writes past a row.
  ///
  /// Its vector code does so in all rows but the last two of a picture, by less than 64 samples: those
  /// of later rows come afterwards, unless rows are shorter than that, or chroma has no later one.
  var isOverrun: Bool {
    planes.count > 1
      && (width >> format.chromaShift.horizontal < 64 || format.chromaShift.vertical > 1)
  }

  /// The bytes of a picture whose planes have room between them.
  var spacedSize: Int { size + planes.count * blockPadding }
}

extension PictureSurface {
  /// Planes one after the other with room between them, as `layout` says otherwise.
  ///
  /// - Parameter block: as large as ``PictureLayout/spacedSize`` at least.
  init(spaced block: Block, _ layout: PictureLayout) {
    self.init(block, layout)
    for plane in layout.planes.indices {
      unsafe planes[plane] = planes[plane].map { unsafe $0 + plane * blockPadding }
    }
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
