import LibAV
import MediaTime

/// The mapping of the pixels of a stored frame to their shown positions, before a layer is put into
/// a picture.
///
/// A frame is shown with square pixels, its clean aperture at the top left (AVVideoComposition.h). A
/// composition's track shows its sources upright; a file's is turned by its layer's transform, unless that fits
/// it.
struct LayerGeometry {
  /// The size at which the frame is shown.
  let shown: Size
  /// From the stored frame's pixels to their shown positions.
  let display: AffineTransform

  /// - Parameter orientation: the rotation of the stored frame for display.
  init(
    width: Int, height: Int, aspectRatio: Rational,
    cleanAperture: FormatDescription.CleanAperture?, orientation: Orientation
  ) {
    let encoded = Size(width: Double(width), height: Double(height))
    var aperture = Rectangle(x: 0, y: 0, width: encoded.width, height: encoded.height)
    if let cleanAperture, cleanAperture.isValid(in: encoded) {
      let part = cleanAperture.rectangle(in: encoded)
      aperture = Rectangle(x: part.x, y: part.y, width: part.width, height: part.height)
    }
    let size = Size(width: aperture.width, height: aperture.height)
      .presented(aspectRatio.isPositive ? aspectRatio : nil)
    let scaled = AffineTransform(
      scaleX: size.width / aperture.width, y: size.height / aperture.height
    ).translated(x: -aperture.x, y: -aperture.y)
    display = scaled.concatenating(AffineTransform(orientation, of: size))
    shown = orientation.swapsAxes ? Size(width: size.height, height: size.width) : size
  }

  /// Returns the placement of a layer of that frame in a picture at a time.
  ///
  /// - Parameters:
  ///   - size: the picture's, before `scale`.
  ///   - scale: of the whole picture.
  func placement(
    crop: Rectangle?, fit: VideoComposition.Fit, transform: AffineTransform, in size: Size,
    scale: Size
  ) -> LayerPlacement {
    let all = Rectangle(of: shown)
    let part = crop.map { $0.intersection(all) } ?? all
    let whole = display.concatenating(fit.transform(of: part, in: Rectangle(of: size)))
      .concatenating(transform)
      .concatenating(AffineTransform(scaleX: scale.width, y: scale.height))
    return LayerPlacement(crop: PictureArea(display.inverseBounds(of: part)), whole)
  }
}

extension Rectangle {
  /// All of a picture of a size.
  init(of size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }
}

extension VideoComposition.Fit {
  /// Returns the transform that puts a part of a frame into a part of a picture.
  func transform(of part: Rectangle, in place: Rectangle) -> AffineTransform {
    let (x, y) = (place.width / max(part.width, 1), place.height / max(part.height, 1))
    let scale: (x: Double, y: Double)
    switch self {
    case .none: return AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: place.x, ty: place.y)
    case .contain: scale = (min(x, y), min(x, y))
    case .cover: scale = (max(x, y), max(x, y))
    case .fill: scale = (x, y)
    }
    return AffineTransform(
      a: scale.x, b: 0, c: 0, d: scale.y,
      tx: place.x + (place.width - part.width * scale.x) / 2 - part.x * scale.x,
      ty: place.y + (place.height - part.height * scale.y) / 2 - part.y * scale.y)
  }
}

extension LayerPlacement {
  init(crop: PictureArea, _ transform: AffineTransform) {
    self.init(
      crop: crop,
      transform: PictureTransform(
        a: transform.a, b: transform.b, c: transform.c, d: transform.d, tx: transform.tx,
        ty: transform.ty))
  }

  /// As it would be on a canvas: in whole samples of chroma.
  init?(_ placement: CanvasPlacement, width: Int, height: Int, in size: (width: Int, height: Int)) {
    let part = placement.crop ?? PictureRectangle(x: 0, y: 0, width: width, height: height)
    let place =
      placement.place ?? PictureRectangle(x: 0, y: 0, width: size.width, height: size.height)
    guard place.width > 0, place.height > 0 else { return nil }
    let turned = placement.orientation
    let stored = Size(width: Double(part.width), height: Double(part.height))
    let upright = turned.swapsAxes ? Size(width: stored.height, height: stored.width) : stored
    let whole = AffineTransform.identity.translated(x: -Double(part.x), y: -Double(part.y))
      .concatenating(AffineTransform(turned, of: stored))
      .concatenating(
        AffineTransform(
          a: Double(place.width) / upright.width, b: 0, c: 0,
          d: Double(place.height) / upright.height, tx: Double(place.x), ty: Double(place.y)))
    let crop = PictureArea(
      x: Double(part.x), y: Double(part.y), width: stored.width, height: stored.height)
    self.init(crop: crop, whole)
  }
}

extension PictureArea {
  fileprivate init(_ part: Rectangle) {
    self.init(x: part.x, y: part.y, width: part.width, height: part.height)
  }
}

extension Rectangle {
  /// Returns the part of it that lies in another; without a size where they don't overlap.
  fileprivate func intersection(_ other: Rectangle) -> Rectangle {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rectangle(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }
}

extension AffineTransform {
  fileprivate init(scaleX x: Double, y: Double) {
    self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// Returns the transform that translates first, then applies this one.
  fileprivate func translated(x: Double, y: Double) -> AffineTransform {
    AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y).concatenating(self)
  }

  /// Returns the transform that applies this one, then `next`.
  func concatenating(_ next: AffineTransform) -> AffineTransform {
    AffineTransform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d,
      c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// Returns the rectangle that this transform, which turns by quarters only, maps to `part`.
  func inverseBounds(of part: Rectangle) -> Rectangle {
    let determinant = a * d - b * c
    guard determinant != 0 else { return part }
    func origin(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let (dx, dy) = (x - tx, y - ty)
      return ((d * dx - c * dy) / determinant, (a * dy - b * dx) / determinant)
    }
    let (one, other) = (origin(part.x, part.y), origin(part.x + part.width, part.y + part.height))
    return Rectangle(
      x: min(one.x, other.x), y: min(one.y, other.y), width: abs(other.x - one.x),
      height: abs(other.y - one.y))
  }
}
