import LibAV
import MediaTime

/// The placement of a frame in a picture that shows a canvas: one rule for images, readers and
/// exports.
///
/// - A frame is shown as its track alone would be: its clean aperture, with square pixels, upright.
/// - Its position in the canvas is computed exactly, mapped to the picture's size, and its edges
///   are put on even pixels, or on the edge of the picture: whole samples of chroma, in every
///   format alike. So there is one pass from the frame to the picture, and no pixel mixes a frame
///   with the black next to it.
/// - Parts beyond the picture are cut off the frame, in whole pixels.
struct CanvasPlacement: Equatable {
  /// The part of the stored frame that is shown; nil for all of it.
  let crop: PictureRectangle?
  /// The rotation of that part.
  let orientation: Orientation
  /// Its rectangle in the picture, without a size where nothing of it is seen; nil for all of it.
  let place: PictureRectangle?

  /// - Parameters:
  ///   - frame: decoded from `format`.
  ///   - view: the part of the canvas that the picture shows; nil for all of it.
  ///   - turn: the rotation of the canvas.
  ///   - size: the picture's, after the turn.
  init(
    of frame: borrowing Frame, _ format: TrackFormat, in canvas: Canvas,
    view: PictureRectangle? = nil, turn: Orientation = .up, size: (width: Int, height: Int)
  ) {
    self.init(
      width: frame.width, height: frame.height,
      aspectRatio: format.media.aspectRatio(of: frame),
      cleanAperture: format.video?.cleanAperture,
      upright: format.media.preferredTransform.orientation ?? .up, in: canvas, view: view,
      turn: turn, size: size)
  }

  init(
    width: Int, height: Int, aspectRatio: Rational,
    cleanAperture: FormatDescription.CleanAperture?, upright: Orientation, in canvas: Canvas,
    view: PictureRectangle?, turn: Orientation, size: (width: Int, height: Int)
  ) {
    orientation = upright.followed(by: turn)
    let encoded = Size(width: Double(width), height: Double(height))
    var aperture = PictureRectangle(x: 0, y: 0, width: width, height: height)
    var shown = encoded
    if let cleanAperture, cleanAperture.isValid(in: encoded) {
      let part = cleanAperture.rectangle(in: encoded)
      shown = Size(width: part.width, height: part.height)
      aperture =
        PictureRectangle(
          x: whole(part.x), y: whole(part.y), width: max(1, whole(part.width)),
          height: max(1, whole(part.height))
        ).within(width: width, height: height) ?? aperture
    }
    shown = shown.presented(aspectRatio.isPositive ? aspectRatio : nil)
    if upright.swapsAxes { shown = Size(width: shown.height, height: shown.width) }
    let view = view ?? PictureRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let target = turn.swapsAxes ? (width: size.height, height: size.width) : size
    let scale = canvas.scale(for: shown)
    let across = Edges(
      of: shown.width * scale.width, in: canvas.width, view.x, view.width, target.width)
    let down = Edges(
      of: shown.height * scale.height, in: canvas.height, view.y, view.height, target.height)
    let all = PictureRectangle(x: 0, y: 0, width: width, height: height)
    guard let across, let down else {
      (crop, place) = (nil, PictureRectangle(x: 0, y: 0, width: 0, height: 0))
      return
    }
    let turned =
      upright.swapsAxes
      ? (width: aperture.height, height: aperture.width)
      : (width: aperture.width, height: aperture.height)
    let (x, y) = (across.part(of: turned.width), down.part(of: turned.height))
    let part = upright.stored(
      PictureRectangle(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count),
      width: aperture.width, height: aperture.height)
    let taken = PictureRectangle(
      x: aperture.x + part.x, y: aperture.y + part.y, width: part.width, height: part.height)
    crop = taken == all ? nil : taken
    let lies = turn.shown(
      PictureRectangle(
        x: across.first, y: down.first, width: across.count, height: down.count),
      width: target.width, height: target.height)
    place = (lies.width, lies.height) == size ? nil : lies
  }

  /// The extent of a frame along one side of the picture.
  private struct Edges {
    /// In pixels of the picture.
    let first: Int
    let count: Int
    /// The visible part of the frame.
    private let seen: ClosedRange<Double>

    /// - Returns: nil where nothing of it is seen.
    init?(of length: Double, in canvas: Int, _ start: Int, _ extent: Int, _ target: Int) {
      let scale = Double(target) / Double(max(1, extent))
      let begin = ((Double(canvas) - length) / 2 - Double(start)) * scale
      let end = begin + length * scale
      let (low, high) = (max(0, begin), min(Double(target), end))
      guard high > low else { return nil }
      func even(_ place: Double) -> Int {
        // The picture's edge belongs to the grid, whether it is even or not.
        place > Double(target) - 1 ? target : 2 * whole(place / 2)
      }
      let (from, to) = (even(low), even(high))
      first = min(from, max(0, target - 1) / 2 * 2)
      count = max(to, min(target, first + 2)) - first
      seen = (low - begin) / (end - begin)...(high - begin) / (end - begin)
    }

    /// Returns the visible ones of `pixels` pixels: one at least.
    func part(of pixels: Int) -> Range<Int> {
      let from = min(pixels - 1, whole(seen.lowerBound * Double(pixels)))
      return from..<max(from + 1, min(pixels, whole(seen.upperBound * Double(pixels))))
    }
  }
}

extension Canvas {
  /// Returns the factors by which a frame of a size is enlarged to fit.
  fileprivate func scale(for size: Size) -> Size {
    let across = Double(width) / max(1, size.width)
    let down = Double(height) / max(1, size.height)
    return switch fit {
    case .contain: Size(width: min(across, down), height: min(across, down))
    case .cover: Size(width: max(across, down), height: max(across, down))
    case .fill: Size(width: across, height: down)
    case .none: Size(width: 1, height: 1)
    }
  }
}

private func whole(_ length: Double) -> Int {
  Int(exactly: length.rounded(.toNearestOrAwayFromZero)) ?? 0
}
