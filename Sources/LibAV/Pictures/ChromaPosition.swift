internal import CZimg

/// The position of the chroma samples of a frame, in 1/256 of a luma sample from the first one.
struct ChromaPosition: Hashable {
  var x: Int32
  var y: Int32

  /// The position of chroma that isn't halved: in the middle of its luma samples.
  private static let none: Int32 = -1

  /// Creates the position of one of H.273's locations, in a format; unspecified counts as left, as
  /// in H.264, HEVC and MPEG-2, and as the centre in JPEG's formats.
  init(_ location: Int32, in format: PixelFormat) {
    let isLeft: Bool
    switch Int(location) {
    case 1, 3, 5: isLeft = true
    case 2, 4, 6: isLeft = false
    default: isLeft = !format.isFullRangeByName
    }
    let shift = format.chromaShift
    x = shift.horizontal == 1 ? (isLeft ? 0 : 128) : ChromaPosition.none
    switch Int(location) {
    case 3, 4: y = 0
    case 5, 6: y = 256
    default: y = 128
    }
    if shift.vertical != 1 { y = ChromaPosition.none }
  }

  /// zimg's name of the position.
  var zimgLocation: zimg_chroma_location_e {
    switch (x == 0, y) {
    case (true, 0): ZIMG_CHROMA_TOP_LEFT
    case (true, 256): ZIMG_CHROMA_BOTTOM_LEFT
    case (true, _): ZIMG_CHROMA_LEFT
    case (false, 0): ZIMG_CHROMA_TOP
    case (false, 256): ZIMG_CHROMA_BOTTOM
    case (false, _): ZIMG_CHROMA_CENTER
    }
  }

  /// Returns H.273's number of the position, as libav counts; 0 if it has none.
  func location(in format: PixelFormat) -> Int32 {
    let shift = format.chromaShift
    guard shift.horizontal == 1, shift.vertical <= 1 else { return 0 }
    switch (x, shift.vertical == 1 ? y : 128) {
    case (0, 128): return 1
    case (128, 128): return 2
    case (0, 0): return 3
    case (128, 0): return 4
    case (0, 256): return 5
    case (128, 256): return 6
    default: return 0
    }
  }

  /// Returns the position after the samples of a frame have been turned: mirrored to the right of
  /// their pixels, for example, which has no number.
  ///
  /// - Parameter stored: the frame before the turn.
  func turned(_ orientation: Orientation, _ stored: PictureLayout) -> ChromaPosition {
    let shift = stored.format.chromaShift
    // The first sample of the shown frame, in the stored one.
    let first = orientation.source(
      x: 0, y: 0, width: -(-stored.width >> shift.horizontal),
      height: -(-stored.height >> shift.vertical))
    let column = (first.x << shift.horizontal) * 256 + Int(x)
    let row = (first.y << shift.vertical) * 256 + Int(y)
    // Positions between pixels are turned back like pixels of a frame that is 256 times as large.
    let (width, height) = ((stored.width - 1) * 256 + 1, (stored.height - 1) * 256 + 1)
    let isSwapped = orientation.swapsAxes
    let shown = orientation.inverse.source(
      x: column, y: row, width: isSwapped ? height : width, height: isSwapped ? width : height)
    var result = self
    result.x = shift.horizontal == 1 ? Int32(clamping: shown.x) : x
    result.y = shift.vertical == 1 ? Int32(clamping: shown.y) : y
    return result
  }

  /// Returns the position before the turn from which chroma comes to this one; nil if no such
  /// position has a name.
  ///
  /// - Parameters:
  ///   - stored: the frame before the turn.
  ///   - offset: the distance by which the chroma of the result is to be moved to the right, in
  ///     1/256 of a luma sample.
  func beforeTurning(
    _ orientation: Orientation, _ stored: PictureLayout, movedBy offset: Int32 = 0
  ) -> ChromaPosition? {
    (Int32(1)...6).lazy.map { ChromaPosition($0, in: stored.format) }.first { place in
      var moved = place
      if place.x != ChromaPosition.none { moved.x += offset }
      return moved.turned(orientation, stored) == self
    }
  }
}

extension Orientation {
  /// The opposite orientation, which undoes this one.
  var inverse: Orientation {
    switch self {
    case .rotated90: .rotated270
    case .rotated270: .rotated90
    default: self
    }
  }
}

extension ColorDescription {
  /// Returns true if chroma lies at the same position in frames of a format, as stated or by
  /// default.
  package func placesChroma(like other: ColorDescription, in format: PixelFormat) -> Bool {
    ChromaPosition(chromaLocation, in: format) == ChromaPosition(other.chromaLocation, in: format)
  }
}
