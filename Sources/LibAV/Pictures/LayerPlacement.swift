internal import CPixels

/// An affine map of points: x' = a x + c y + tx, y' = b x + d y + ty.
package struct PictureTransform: Hashable, Sendable {
  package var a: Double
  package var b: Double
  package var c: Double
  package var d: Double
  package var tx: Double
  package var ty: Double

  package init(
    a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 1, tx: Double = 0, ty: Double = 0
  ) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  func apply(to point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    (a * point.x + c * point.y + tx, b * point.x + d * point.y + ty)
  }

  var determinant: Double { a * d - b * c }
  var isFinite: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }
}

/// The placement of a frame in a composed frame.
package struct LayerPlacement: Hashable, Sendable {
  /// The part of the stored frame that is shown, in its pixels; not larger than the frame.
  package var crop: PictureArea
  /// The map from the stored frame's pixels to the composed frame's.
  package var transform: PictureTransform

  package init(crop: PictureArea, transform: PictureTransform) {
    (self.crop, self.transform) = (crop, transform)
  }

  /// Returns the placement with the part of the crop that a frame of that size has; nil where that
  /// is empty.
  func clipped(width: Int, height: Int) -> LayerPlacement? {
    guard let crop = crop.intersection(PictureArea(width: width, height: height)) else {
      return nil
    }
    return LayerPlacement(crop: crop, transform: transform)
  }
}

extension PictureArea {
  var right: Double { x + width }
  var bottom: Double { y + height }

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the common part of two areas; nil if it is empty.
  func intersection(_ other: PictureArea) -> PictureArea? {
    let result = PictureArea(
      left: max(x, other.x), top: max(y, other.y), right: min(right, other.right),
      bottom: min(bottom, other.bottom))
    return result.width > 0 && result.height > 0 ? result : nil
  }

  /// The whole pixels that the area touches.
  var bounds: PictureRectangle {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    return PictureRectangle(
      x: left, y: top, width: Int(right.rounded(.up)) - left,
      height: Int(bottom.rounded(.up)) - top)
  }

  /// The area without the errors of sums of rounded numbers, so that equal positions are equal to
  /// the last bit.
  var withoutRoundingErrors: PictureArea {
    func exact(_ value: Double) -> Double { (value * 1_048_576).rounded() / 1_048_576 }
    return PictureArea(
      left: exact(x), top: exact(y), right: exact(right), bottom: exact(bottom))
  }
}

/// A placement whose edges are parallel to those of the composed frame.
struct UprightPlacement {
  let crop: PictureArea
  let orientation: Orientation
  /// The area that the crop fills in the composed frame.
  let area: PictureArea

  /// The maximum deviation from a whole pixel, and from a parallel: ramps of transforms arrive
  /// there with errors of rounding.
  private static let tolerance = 1e-4

  /// Creates an upright placement; nil for all other placements. An area thinner than the tolerance
  /// is empty.
  init?(_ placement: LayerPlacement) {
    let (crop, transform) = (placement.crop, placement.transform)
    guard transform.isFinite else { return nil }
    let isZero = { (value: Double, length: Double) in
      abs(value * length) < UprightPlacement.tolerance
    }
    let (a, b, c, d) = (transform.a, transform.b, transform.c, transform.d)
    if isZero(b, crop.width), isZero(c, crop.height) {
      orientation =
        a > 0 ? (d > 0 ? .up : .mirroredRotated180) : (d > 0 ? .mirrored : .rotated180)
    } else if isZero(a, crop.width), isZero(d, crop.height) {
      orientation =
        b > 0
        ? (c > 0 ? .mirroredRotated270 : .rotated90)
        : (c > 0 ? .rotated270 : .mirroredRotated90)
    } else {
      return nil
    }
    let one = transform.apply(to: (crop.x, crop.y))
    let other = transform.apply(to: (crop.right, crop.bottom))
    func exact(_ value: Double) -> Double {
      let whole = value.rounded()
      return abs(value - whole) < UprightPlacement.tolerance ? whole : value
    }
    self.crop = crop
    area = PictureArea(
      left: exact(min(one.x, other.x)), top: exact(min(one.y, other.y)),
      right: exact(max(one.x, other.x)), bottom: exact(max(one.y, other.y)))
  }

  /// Returns the part of the stored frame that fills a part of the composed one. Beyond the area it
  /// continues beyond the crop.
  func part(for shown: PictureArea) -> PictureArea {
    var left = (shown.x - area.x) / area.width
    var right = (shown.right - area.x) / area.width
    var top = (shown.y - area.y) / area.height
    var bottom = (shown.bottom - area.y) / area.height
    // In the crop's own directions, from 0 to 1.
    let isTurned = orientation.swapsAxes
    let (reversesX, reversesY) = orientation.reverses
    if isTurned { (left, right, top, bottom) = (top, bottom, left, right) }
    if reversesX { (left, right) = (1 - right, 1 - left) }
    if reversesY { (top, bottom) = (1 - bottom, 1 - top) }
    var part = PictureArea(
      left: crop.x + left * crop.width, top: crop.y + top * crop.height,
      right: crop.x + right * crop.width, bottom: crop.y + bottom * crop.height
    ).withoutRoundingErrors
    // A part that is enlarged a million times still has a size.
    part.width = max(part.width, 1 / 4096)
    part.height = max(part.height, 1 / 4096)
    return part
  }

  /// Returns the part of the area that lies in a frame of that size.
  func visible(in layout: PictureLayout) -> PictureArea? {
    area.intersection(PictureArea(width: layout.width, height: layout.height))
  }

  /// Returns the rectangle of the visible area, if that is on whole samples of every component.
  func samples(in layout: PictureLayout) -> PictureRectangle? {
    guard let visible = visible(in: layout) else { return nil }
    let shift = layout.format.chromaShift
    func isOnSample(_ place: Double, _ end: Int, _ shift: Int) -> Bool {
      place == Double(end)
        || place.truncatingRemainder(dividingBy: Double(1 << shift)) == 0
    }
    let isOnSamples =
      isOnSample(visible.x, layout.width, shift.horizontal)
      && isOnSample(visible.right, layout.width, shift.horizontal)
      && isOnSample(visible.y, layout.height, shift.vertical)
      && isOnSample(visible.bottom, layout.height, shift.vertical)
    return isOnSamples ? visible.bounds : nil
  }

  /// Returns true if the layer fills the whole frame.
  func covers(_ layout: PictureLayout) -> Bool {
    visible(in: layout) == PictureArea(width: layout.width, height: layout.height)
  }
}

extension Orientation {
  /// The directions, columns and rows, in which the stored frame is shown reversed.
  fileprivate var reverses: (columns: Bool, rows: Bool) {
    let first = source(x: 0, y: 0, width: 2, height: 2)
    return (first.x == 1, first.y == 1)
  }
}

/// The sampling of a turned or sheared layer for the pixels of the composed frame.
struct SampledPlacement {
  /// The pixels of the stored frame that filters may read.
  let crop: PictureRectangle
  /// The part of the stored frame that fills the source.
  let part: PictureArea
  /// The size of the sampled image: the crop, made smaller where it is shown so, or the part of it
  /// that is needed.
  let source: (width: Int, height: Int)
  /// The pixels of the composed frame that may be covered.
  let place: PictureRectangle
  let sampling: rw_sampling

  /// Creates the sampling; nil if nothing is visible.
  init?(_ placement: LayerPlacement, in layout: PictureLayout) {
    let (area, transform) = (placement.crop, placement.transform)
    let shown = area.bounds(after: transform)
    let determinant = transform.determinant
    let lengths = (
      x: (transform.a * transform.a + transform.b * transform.b).squareRoot(),
      y: (transform.c * transform.c + transform.d * transform.d).squareRoot()
    )
    // Pixels up to half a pixel beyond the edges are covered in part.
    let reached = PictureArea(
      left: shown.x - 0.5, top: shown.y - 0.5, right: shown.right + 0.5, bottom: shown.bottom + 0.5)
    guard abs(determinant) > 1e-12,
      let visible = reached.intersection(
        PictureArea(width: layout.width, height: layout.height))
    else { return nil }
    place = visible.bounds
    crop = area.withoutRoundingErrors.bounds
    // The crop in the size that it is sampled in.
    func length(_ stored: Int, _ scale: Double) -> Int {
      scale < 1 ? max(1, Int((Double(stored) * scale).rounded())) : stored
    }
    let full = (width: length(crop.width, lengths.x), height: length(crop.height, lengths.y))
    let scale = (
      x: Double(full.width) / Double(crop.width), y: Double(full.height) / Double(crop.height)
    )
    // The map from the composed frame to that size.
    let inverse = transform.inverse
    var matrix = PictureTransform(
      a: inverse.a * scale.x, b: inverse.b * scale.y, c: inverse.c * scale.x,
      d: inverse.d * scale.y, tx: (inverse.tx - Double(crop.x)) * scale.x,
      ty: (inverse.ty - Double(crop.y)) * scale.y)
    // Filters read two samples around, and the position of a sample may be half a pixel off.
    let needed = PictureArea(place).bounds(after: matrix)
    let taken = PictureArea(
      left: needed.x - 4, top: needed.y - 4, right: needed.right + 4, bottom: needed.bottom + 4
    ).intersection(PictureArea(width: full.width, height: full.height))
    guard let taken = taken?.bounds else { return nil }
    source = (taken.width, taken.height)
    part =
      PictureArea(
        x: Double(crop.x) + Double(taken.x) / scale.x,
        y: Double(crop.y) + Double(taken.y) / scale.y,
        width: Double(taken.width) / scale.x, height: Double(taken.height) / scale.y
      ).withoutRoundingErrors
    // The map from the top left of `place` to that of the source.
    let origin = matrix.apply(to: (Double(place.x), Double(place.y)))
    matrix.tx = origin.x - Double(taken.x)
    matrix.ty = origin.y - Double(taken.y)
    let (left, top) = (
      (area.x - Double(crop.x)) * scale.x - Double(taken.x),
      (area.y - Double(crop.y)) * scale.y - Double(taken.y)
    )
    sampling = rw_sampling(
      a: matrix.a, b: matrix.b, c: matrix.c, d: matrix.d, tx: matrix.tx, ty: matrix.ty, left: left,
      right: left + area.width * scale.x, top: top, bottom: top + area.height * scale.y,
      across: abs(determinant) / lengths.y / scale.x, down: abs(determinant) / lengths.x / scale.y)
  }
}

extension PictureTransform {
  /// The map from the second point to the first; only where the determinant isn't 0.
  var inverse: PictureTransform {
    let determinant = determinant
    return PictureTransform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }
}

extension PictureArea {
  /// Returns the upright rectangle around the area after a transform.
  func bounds(after transform: PictureTransform) -> PictureArea {
    let corners = [(x, y), (right, y), (x, bottom), (right, bottom)].map {
      transform.apply(to: $0)
    }
    let (columns, rows) = (corners.map(\.x), corners.map(\.y))
    return PictureArea(
      left: columns.min() ?? 0, top: rows.min() ?? 0, right: columns.max() ?? 0,
      bottom: rows.max() ?? 0)
  }
}
