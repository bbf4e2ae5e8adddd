import SystemIO
import Testing

@testable import LibAV

/// A layer of a composition: a frame, where it lies, and how much of it is seen.
final class TestLayer {
  let frame: Frame
  let placement: LayerPlacement
  let opacity: Double

  init(_ frame: consuming Frame, _ placement: LayerPlacement, opacity: Double = 1) {
    self.frame = frame
    self.placement = placement
    self.opacity = opacity
  }

  /// All of a frame, moved and scaled.
  convenience init(
    _ frame: consuming Frame, _ transform: PictureTransform = PictureTransform(),
    opacity: Double = 1
  ) {
    let all = PictureArea(width: frame.width, height: frame.height)
    self.init(frame, LayerPlacement(crop: all, transform: transform), opacity: opacity)
  }
}

extension PictureTransform {
  static func move(_ x: Double, _ y: Double, scale: Double = 1) -> PictureTransform {
    PictureTransform(a: scale, d: scale, tx: x, ty: y)
  }

  /// The mapping of an orientation, for all of a stored frame of that size.
  init(_ orientation: Orientation, width: Int, height: Int) {
    let inverse = orientation.inverse
    let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
    // The places at which the centres of the first pixel and its neighbours are shown.
    func shown(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
      let place = inverse.source(x: x, y: y, width: wide, height: high)
      return (Double(place.x) + 0.5, Double(place.y) + 0.5)
    }
    let (origin, right, down) = (shown(0, 0), shown(1, 0), shown(0, 1))
    self.init(
      a: right.x - origin.x, b: right.y - origin.y, c: down.x - origin.x, d: down.y - origin.y)
    tx = origin.x - (a + c) / 2
    ty = origin.y - (b + d) / 2
  }
}

/// The planes of a frame, rows without padding: bytes, or numbers of two bytes.
func numbers(_ frame: borrowing Frame) throws -> [Int] {
  let layout = try PictureLayout(
    width: frame.width, height: frame.height, format: frame.pixelFormat)
  let surface = PictureSurface(frame)
  let isDeep = layout.format.bitsPerComponent > 8
  var result: [Int] = []
  for (index, plane) in layout.planes.enumerated() {
    let base = try #require(surface.planes[index])
    for y in 0..<plane.height {
      let row = base + y * Int(surface.strides[index])
      for x in stride(from: 0, to: plane.bytesPerRow, by: isDeep ? 2 : 1) {
        result.append(isDeep ? Int(row[x]) + Int(row[x + 1]) << 8 : Int(row[x]))
      }
    }
  }
  return result
}

/// Noise within the range of a format's numbers.
func makeNoise(
  _ width: Int, _ height: Int, _ name: String, seed: Int, matrix: Int = 1, range: Int = 1,
  chroma: Int = 1
) throws -> Frame {
  let format = try #require(PixelFormat(name: name))
  let layout = try PictureLayout(width: width, height: height, format: format)
  var chance = Chance(state: UInt64(seed))
  var bytes: [UInt8] = []
  let (depth, shift) = (format.bitsPerComponent, try #require(format.components.first).shift)
  if depth > 8 {
    for _ in 0..<(layout.size / 2) {
      let number = chance.next(1 << depth) << shift
      bytes += [UInt8(number & 255), UInt8(number >> 8)]
    }
  } else {
    bytes = (0..<layout.size).map { _ in UInt8(chance.next(256)) }
  }
  return try makeFrame(
    width, height, name, bytes, matrix: matrix, range: range, chroma: chroma)
}

let black: PictureCompositor.Background = (0, 0, 0, 1)

/// Draws layers, bottom first.
func compose(
  _ layers: [TestLayer], _ width: Int, _ height: Int, _ name: String,
  color: PictureColor = PictureColor(matrix: 1, isFullRange: false),
  background: PictureCompositor.Background = black, path wanted: PictureCompositor.Path? = nil
) throws -> Frame {
  let format = try #require(PixelFormat(name: name))
  let layout = try PictureLayout(width: width, height: height, format: format)
  var compositor = PictureCompositor()
  let path =
    wanted
    ?? PictureCompositor.path(
      of: layers.map { ($0.placement, $0.opacity, $0.frame.pixelFormat.hasAlpha) },
      overOpaque: background.alpha >= 1, in: layout)
  if path == .convert {
    return try compositor.frame(
      from: layers[0].frame, layers[0].placement, to: layout, color: color)
  }
  try compositor.begin(layout, color: color, background: background, path: path)
  for layer in layers where layer.opacity > 0 {
    if let ready = try compositor.prepare(
      layer.frame, layer.placement, for: path, in: layout, color: color)
    {
      try compositor.draw(ready, opacity: layer.opacity)
    }
  }
  return try compositor.finish()
}

/// A soft white spot on black.
func makeMarker(_ width: Int, _ height: Int, at marker: (x: Double, y: Double)) throws -> Frame {
  let luma = (0..<(width * height)).map { index -> UInt8 in
    let (x, y) = (Double(index % width) + 0.5 - marker.x, Double(index / width) + 0.5 - marker.y)
    return UInt8((16 + 200 * gaussian(x * x + y * y, 36)).rounded())
  }
  let chroma = [UInt8](repeating: 128, count: width * height / 2)
  return try makeFrame(width, height, "yuv420p", luma + chroma, matrix: 1, range: 1)
}

private func gaussian(_ squared: Double, _ variance: Double) -> Double {
  // A series would be enough; the standard library has no exponential without Foundation's.
  var (term, sum) = (1.0, 1.0)
  let x = squared / variance / 2
  guard x < 30 else { return 0 }
  for n in 1..<120 {
    term *= x / Double(n)
    sum += term
  }
  return 1 / sum
}

/// The centroid of the part of the first plane that is above `base`.
func centroid(
  _ numbers: [Int], _ width: Int, _ height: Int, base: Int
) -> (x: Double, y: Double) {
  var (x, y, sum) = (0.0, 0.0, 0.0)
  for row in 0..<height {
    for column in 0..<width {
      let weight = Double(numbers[row * width + column] - base)
      x += weight * (Double(column) + 0.5)
      y += weight * (Double(row) + 0.5)
      sum += weight
    }
  }
  return (x / sum, y / sum)
}
