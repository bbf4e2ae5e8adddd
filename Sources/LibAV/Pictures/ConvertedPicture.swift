internal import CLibAV

/// A surface with the description of its samples.
struct Picture {
  var surface: PictureSurface
  /// The part that is shown: it may begin between two pixels, and reach beyond the surface.
  var part: PictureArea
  var color: PictureColor
  /// The chroma location by H.273; 0 if unspecified.
  var chromaLocation: Int32

  init(_ surface: PictureSurface, _ color: PictureColor, chromaLocation: Int32 = 0) {
    (self.surface, self.color, self.chromaLocation) = (surface, color, chromaLocation)
    part = PictureArea(width: surface.width, height: surface.height)
  }

  /// Returns a part of the frame, to the pixel: its planes are cut where chroma has a sample, and
  /// the shown part may begin between two.
  ///
  /// - Parameters:
  ///   - wanted: the pixels that filters may read.
  ///   - shown: the part that is shown, in the same pixels; nil for all of `wanted`.
  func cut(to wanted: PictureRectangle, showing shown: PictureArea?) throws(LibAVError) -> Picture {
    guard let wanted = wanted.within(width: surface.width, height: surface.height) else {
      throw LibAVError(
        .invalidArgument, operation: "cut", subject: "picture", detail: "nothing would be left",
        log: [])
    }
    let shift = surface.format.chromaShift
    let x = wanted.x - wanted.x % (1 << shift.horizontal)
    let y = wanted.y - wanted.y % (1 << shift.vertical)
    var result = self
    result.surface = surface.cut(
      PictureRectangle(
        x: x, y: y, width: wanted.x + wanted.width - x, height: wanted.y + wanted.height - y))
    result.part = shown ?? PictureArea(wanted)
    result.part.x -= Double(x)
    result.part.y -= Double(y)
    return result
  }

  var chroma: ChromaPosition { ChromaPosition(chromaLocation, in: surface.format) }

  /// Returns the chroma location of a frame that is made of this one; 0 where that is unspecified.
  ///
  /// Chroma that is halved alike stays in its place, but JPEG's formats get it in the centre. Grey
  /// has no colour, and so no location.
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
  init(_ source: Picture, _ target: Picture) {
    func side(_ picture: Picture) -> Side {
      Side(
        width: picture.surface.width, height: picture.surface.height,
        format: picture.surface.format, color: picture.color, chroma: picture.chroma)
    }
    self.init(source: side(source), part: source.part, target: side(target))
  }
}
