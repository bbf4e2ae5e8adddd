import LibAV

/// The geometry from a source's frame to the encoded one.
struct VideoGeometry: Equatable {
  /// The part of the stored frame that is used; nil for all of it.
  let crop: PictureRectangle?
  /// The orientation in which that part is turned.
  let orientation: Orientation
  /// The encoded frame's, after `orientation`.
  let width: Int
  let height: Int
  let sampleAspectRatio: Rational
  /// True if the source's description of a sphere or of two views is true of the result.
  let retainsView: Bool
  /// The rows and columns beyond whole samples of chroma, which are cut off; nil for none.
  let excess: Excess?

  /// Rows and columns at the right and at the bottom of a frame.
  struct Excess: Equatable {
    /// The width of the frame with them, as it is seen.
    let width: Int
    let height: Int
    let columns: Int
    let rows: Int
  }

  /// - Parameters:
  ///   - supportsDisplayMatrix: true if the container can hold an orientation.
  ///   - format: of the result.
  ///   - needsWholeChroma: true if its encoder needs even sizes where chroma is halved.
  init(
    _ settings: VideoEncodingSettings, of source: VideoSource, supportsDisplayMatrix: Bool,
    format: PixelFormat, needsWholeChroma: Bool
  ) {
    let turn = Orientation.up.turned(by: settings.rotation ?? 0)
    let isMadeUpright = settings.changesGeometry || !supportsDisplayMatrix || source.canvas != nil
    let upright = isMadeUpright ? source.orientation : .up
    let orientation = upright.turned(by: settings.rotation ?? 0)
    retainsView = settings.crop == nil && turn == .up

    let size = upright.swapsAxes ? (source.height, source.width) : (source.width, source.height)
    let stored = source.format.sampleAspectRatio
    var ratio = upright.swapsAxes ? stored.inverted : stored
    var part = PictureRectangle(x: 0, y: 0, width: size.0, height: size.1)
    let grid = format.chromaShift
    let steps = (1 << grid.horizontal, 1 << grid.vertical)
    switch settings.crop {
    case nil: break
    case .rectangle(let crop):
      let wanted = PictureRectangle(x: crop.x, y: crop.y, width: crop.width, height: crop.height)
      part = wanted.within(width: size.0, height: size.1) ?? part
    case .aspectRatio(let width, let height):
      part = PictureRectangle(
        middleOf: size, pixels: ratio, shownAs: (width, height),
        steps: turn.swapsAxes ? (steps.1, steps.0) : steps)
    }
    // From here on as it will be seen.
    if turn.swapsAxes { ratio = ratio.inverted }
    let shown: (width: Int, height: Int) =
      turn.swapsAxes ? (part.height, part.width) : (part.width, part.height)
    let target = Target(settings, of: shown, ratio, steps, keepsSize: !needsWholeChroma)
    (width, height, sampleAspectRatio) = (target.width, target.height, target.ratio)
    if !target.isScaled {
      // The parts that don't fit the grid are cut off, so that the rest isn't stretched.
      part = turn.cut(part, to: (target.width, target.height))
    }
    let isCut = !target.isScaled && (target.width, target.height) != shown
    excess =
      isCut
      ? Excess(
        width: shown.width, height: shown.height, columns: shown.width - target.width,
        rows: shown.height - target.height) : nil
    crop =
      (part.width, part.height) == size
      ? nil : upright.stored(part, width: source.width, height: source.height)
    self.orientation = orientation
  }

  /// The size of the result, as it is seen.
  private struct Target {
    var width: Int
    var height: Int
    var ratio: Rational
    var isScaled = true

    init(
      _ settings: VideoEncodingSettings, of shown: (width: Int, height: Int), _ ratio: Rational,
      _ grid: (Int, Int), keepsSize: Bool
    ) {
      let pixel = ratio.isPositive ? ratio.doubleValue : 1
      let aspect = Double(shown.width) * pixel / Double(max(1, shown.height))
      func onGrid(_ length: Double, _ step: Int) -> Int {
        max(step, Int((length / Double(step)).rounded(.toNearestOrAwayFromZero)) * step)
      }
      // One side alone makes square pixels.
      let square = ratio.isPositive ? Rational(1, 1) : ratio
      let fittingHeight = settings.width.map { onGrid(Double($0) / max(aspect, 1e-6), grid.1) }
      let fittingWidth = settings.height.map { onGrid(Double($0) * aspect, grid.0) }
      switch (settings.width, settings.height) {
      case (let width?, let height?):
        (self.width, self.height) = (width, height)
        let isSquare = height == fittingHeight || width == fittingWidth
        // Nothing is stretched where it is shown.
        let shape = Int64(shown.width) * Int64(height) * Int64(max(1, ratio.numerator))
        let form = Int64(max(1, shown.height)) * Int64(width) * Int64(max(1, ratio.denominator))
        self.ratio = isSquare ? square : Rational(approximating: shape, form)
      case (let width?, nil): (self.width, height, self.ratio) = (width, fittingHeight ?? 1, square)
      case (nil, let height?):
        (width, self.height, self.ratio) = (fittingWidth ?? 1, height, square)
      case (nil, nil):
        self.ratio = ratio
        let longer = Double(shown.width) * pixel
        let box = settings.box.map { box in
          min(
            1, Double(box.long) / max(longer, Double(shown.height)),
            Double(box.short) / min(longer, Double(shown.height)))
        }
        if let scale = box, scale < 1 {
          width = onGrid(Double(shown.width) * scale, grid.0)
          height = onGrid(Double(shown.height) * scale, grid.1)
        } else {
          let step = keepsSize ? (1, 1) : grid
          width = max(step.0, shown.width / step.0 * step.0)
          height = max(step.1, shown.height / step.1 * step.1)
          isScaled = width > shown.width || height > shown.height
        }
      }
      // Encoders store no frame of no size, and the size may not be known yet.
      (width, height) = (max(1, width), max(1, height))
    }
  }
}

extension PictureRectangle {
  /// The largest part in the middle of a frame with a display aspect ratio, in whole samples of chroma, so that none
  /// is cut or moved.
  ///
  /// - Parameters:
  ///   - pixels: the aspect ratio of the frame's pixels.
  ///   - steps: the pixels of one sample of chroma, horizontally and vertically.
  fileprivate init(
    middleOf size: (width: Int, height: Int), pixels: Rational,
    shownAs shape: (width: Int64, height: Int64), steps: (Int, Int)
  ) {
    let pixel = pixels.isPositive ? pixels.doubleValue : 1
    let wanted = Double(shape.width) / Double(shape.height) / pixel
    func whole(_ length: Double, _ step: Int, upTo limit: Int) -> Int {
      let maximum = limit / step * step
      return max(min(limit, step), min(maximum, Int((length / Double(step)).rounded()) * step))
    }
    let width = whole(
      min(Double(size.width), Double(size.height) * wanted), steps.0, upTo: size.width)
    let height = whole(
      min(Double(size.height), Double(size.width) / wanted), steps.1, upTo: size.height)
    self.init(
      x: (size.width - width) / 2 / steps.0 * steps.0,
      y: (size.height - height) / 2 / steps.1 * steps.1, width: width, height: height)
  }
}

extension VideoSource {
  /// The size of the upright frame, in stored pixels.
  var uprightSize: (width: Int, height: Int) {
    orientation.swapsAxes ? (height, width) : (width, height)
  }
}

extension Orientation {
  /// Turned clockwise on top, in degrees: a multiple of 90.
  func turned(by degrees: Int) -> Orientation {
    let turns: [Orientation] = [.up, .rotated90, .rotated180, .rotated270]
    let mirrored: [Orientation] = [
      .mirrored, .mirroredRotated90, .mirroredRotated180, .mirroredRotated270,
    ]
    let quarters = ((degrees / 90) % 4 + 4) % 4
    if let place = turns.firstIndex(of: self) { return turns[(place + quarters) % 4] }
    return mirrored[((mirrored.firstIndex(of: self) ?? 0) + quarters) % 4]
  }

  /// Cuts a part to a size that it has once it is turned: the pixels at the right and at the bottom are cut off then.
  fileprivate func cut(
    _ part: PictureRectangle, to size: (width: Int, height: Int)
  ) -> PictureRectangle {
    let shown = PictureRectangle(x: 0, y: 0, width: size.width, height: size.height)
    let inner = stored(shown, width: part.width, height: part.height)
    return PictureRectangle(
      x: part.x + inner.x, y: part.y + inner.y, width: inner.width, height: inner.height)
  }
}

extension Rational {
  fileprivate var inverted: Rational {
    isPositive ? Rational(denominator, numerator) : self
  }

  /// A ratio in numbers that fit containers, the nearest where there is none.
  fileprivate init(approximating numerator: Int64, _ denominator: Int64) {
    var (divisor, rest) = (numerator, denominator)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    var (above, below) = (numerator / max(1, divisor), denominator / max(1, divisor))
    while max(above, below) > 65535 { (above, below) = (max(1, above / 2), max(1, below / 2)) }
    self.init(Int32(clamping: above), Int32(clamping: below))
  }
}
