import LibAV

/// The part of a frame that an image shows, and its size: whole numbers by fixed rules.
///
/// - The clean aperture is cut out of the encoded frame, its edges and lengths rounded to whole
///   pixels, half away from zero. One that reaches beyond the frame means nothing.
/// - Square pixels come from the width: the aperture's exact width times the pixel aspect ratio,
///   rounded once, half away from zero. The height is never stretched.
/// - After the turn the image is fitted into the box, never enlarged: the side that is limited takes
///   the box's whole pixels, the other is rounded, half away from zero. A side is 1 at least.
struct ImageGeometry: Equatable {
  /// The part of the frame that is shown, in its own pixels, before the turn; nil for the whole frame.
  private(set) var crop: PictureRectangle?
  /// After the turn.
  private(set) var width: Int
  private(set) var height: Int
  /// False where the aspect ratio of the pixels stretches the image beyond any use: to a side of more than 65,535, or
  /// to more than 16 times the pixels of the frame and four million.
  private(set) var isReasonable = true

  init(
    width encodedWidth: Int, height encodedHeight: Int, aspectRatio: Rational,
    cleanAperture: FormatDescription.CleanAperture?, mode: ImageGenerator.ApertureMode,
    orientation: Orientation, maximumSize: Size
  ) {
    let encoded = Size(width: Double(encodedWidth), height: Double(encodedHeight))
    var shown = encoded
    if mode == .cleanAperture, let cleanAperture, cleanAperture.isValid(in: encoded) {
      let part = cleanAperture.rectangle(in: encoded)
      shown = Size(width: part.width, height: part.height)
      crop = PictureRectangle(
        x: whole(part.x), y: whole(part.y), width: max(1, whole(part.width)),
        height: max(1, whole(part.height))
      ).within(width: encodedWidth, height: encodedHeight)
      if crop == PictureRectangle(x: 0, y: 0, width: encodedWidth, height: encodedHeight) {
        crop = nil
      }
    }
    if mode != .encodedPixels {
      shown = shown.presented(aspectRatio.isPositive ? aspectRatio : nil)
    }
    if orientation.swapsAxes { shown = Size(width: shown.height, height: shown.width) }
    let result = shown.fitted(into: maximumSize)
    (width, height) = (result.width, result.height)
    let pixels = Int64(width) * Int64(height)
    let maximum = max(1 << 22, 16 * Int64(encodedWidth) * Int64(encodedHeight))
    isReasonable = result.isComplete && pixels <= min(maximum, Library.limits.pixels)
  }
}

private func whole(_ length: Double) -> Int {
  Int(exactly: length.rounded(.toNearestOrAwayFromZero)) ?? 0
}

extension Size {
  /// - Parameter box: 0 leaves a side free.
  /// - Returns: the sides, and true if none had to be shortened.
  fileprivate func fitted(into box: Size) -> (width: Int, height: Int, isComplete: Bool) {
    func limit(_ side: Double, _ length: Double) -> Double {
      side > 0 ? min(length, max(1, side.rounded(.down))) : length
    }
    let maximum = Size(width: limit(box.width, width), height: limit(box.height, height))
    var result = maximum
    // Compared by multiplication, which is exact for whole numbers.
    if maximum.width * height <= maximum.height * width {
      result.height = height * maximum.width / width
    } else {
      result.width = width * maximum.height / height
    }
    let maximumSide = 65535.0
    func side(_ length: Double, _ maximum: Double) -> Int {
      max(1, whole(min(length.rounded(.toNearestOrAwayFromZero), maximum, maximumSide)))
    }
    return (
      side(result.width, maximum.width), side(result.height, maximum.height),
      max(result.width, result.height) <= maximumSide
    )
  }
}
