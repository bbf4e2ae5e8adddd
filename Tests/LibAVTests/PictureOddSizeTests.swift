import CLibAV
import Testing

@testable import LibAV

/// Pictures of odd sizes: the last column and row have chroma samples that only they fill.
@Suite struct PictureOddSizeTests {
  static let sizes = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (7, 5), (17, 16), (16, 17)]
  static let subsampled = ["yuv420p", "yuvj420p", "yuv422p", "yuv420p10le", "nv12", "yuyv422"]

  /// A source of one colour, an RGB value of 8 bits; the bytes after its rows are a trap.
  private func flat(
    _ name: String, _ width: Int, _ height: Int, _ rgb: [Int], _ formula: Formula
  ) throws -> Frame {
    let format = try #require(PixelFormat(name: name))
    let frame: Frame
    if format.hasPalette {
      var bytes = [UInt8](repeating: 3, count: width * height)
      for entry in 0..<256 {
        let color: [UInt8] = entry == 3 ? rgb.reversed().map { UInt8($0) } + [255] : [0, 0, 0, 0]
        bytes += color
      }
      frame = try makeFrame(width, height, name, bytes)
    } else if format.isYUV {
      let code = formula.yuv(Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
      frame = try makeFlatFrame(
        width, height, name, code.map { Int($0.rounded()) }, matrix: 1, range: 1)
    } else {
      let values: [Int] =
        switch name {
        case "gbrp": [rgb[1], rgb[2], rgb[0]]
        case "bgra": [rgb[2], rgb[1], rgb[0], 255]
        case "rgba": rgb + [255]
        case "rgb48le": rgb.map { $0 * 257 }
        default: rgb
        }
      frame = try makeFlatFrame(width, height, name, values)
    }
    let surface = PictureSurface(frame)
    for plane in 0..<(format.hasPalette ? 1 : 4) {
      guard let base = surface.planes[plane] else { break }
      let row = Int(av_image_get_linesize(format.format, Int32(width), Int32(plane)))
      let stride = Int(surface.strides[plane])
      for y in 0..<height {
        for x in row..<stride { base[y * stride + x] = UInt8(truncatingIfNeeded: x * 77 + y) }
      }
    }
    return frame
  }

  /// The components of all samples of a picture, each with its name.
  private func components(
    _ made: [Int], _ layout: PictureLayout
  ) -> [(component: Int, value: Int)] {
    if layout.planes.count == 1 {
      // A row of odd width ends with a luma sample that is no pixel's: libswscale 8 has its own there.
      return made.enumerated().filter {
        $0.offset % 2 == 1 || $0.offset % layout.planes[0].bytesPerRow / 2 < layout.width
      }.map { ($0.offset % 2 == 0 ? 0 : ($0.offset / 2 % 2 + 1), $0.element) }
    }
    let size = layout.format.bitsPerComponent > 8 ? 2 : 1
    return layout.planes.enumerated().flatMap { index, plane in
      let first = plane.offset / size
      return made[first..<(first + plane.bytesPerRow / size * plane.height)].enumerated().map {
        (layout.planes.count == 2 && index == 1 ? 1 + $0 % 2 : index, $1)
      }
    }
  }

  @Test(
    arguments: ["rgb24", "rgba", "bgra", "gbrp", "pal8", "rgb48le", "yuv444p"], subsampled
  ) func oneColourIsOneColour(_ source: String, _ target: String) throws {
    let format = try #require(PixelFormat(name: target))
    let depth = format.bitsPerComponent
    for (width, height) in Self.sizes {
      for rgb in [[255, 77, 0], [20, 60, 230], [40, 200, 90]] {
        let formula = Formula(matrix: 1, depth: depth, isFullRange: false)
        let expected = formula.yuv(
          Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
        let frame = try flat(
          source, width, height, rgb, Formula(matrix: 1, depth: 8, isFullRange: false))
        // Of the same size, and scaled down.
        for (wide, high) in [(width, height), ((width + 2) / 3, (height + 2) / 3)] {
          let made = try samples(
            frame, as: target, wide, high, color: PictureColor(matrix: 1, isFullRange: false))
          let layout = try PictureLayout(width: wide, height: high, format: format)
          for (component, value) in components(made, layout) {
            try #require(
              abs(Double(value) - expected[component]) <= (depth == 8 ? 1.01 : 4.01),
              "\(width) × \(height) to \(wide) × \(high), \(rgb): \(made), \(expected)")
          }
        }
      }
    }
  }

  /// Four patches, of which the right ones end with an odd column and the lower ones with an odd row:
  /// where a sample's filter reaches one patch only, the sample is that patch's colour.
  @Test(
    arguments: ["rgb24", "bgra", "yuv444p"],
    ["yuv420p", "yuv422p", "yuv420p10le", "nv12", "yuv444p"]
  ) func patchesKeepTheirColoursToTheEdges(_ source: String, _ target: String) throws {
    let colors = [[200, 30, 60], [30, 90, 220], [240, 220, 20], [20, 160, 130]]
    let format = try #require(PixelFormat(name: target))
    let formula = Formula(matrix: 1, depth: format.bitsPerComponent, isFullRange: false)
    let expected = colors.map { color in
      formula.yuv(Double(color[0]) / 255, Double(color[1]) / 255, Double(color[2]) / 255)
    }
    let coded = Formula(matrix: 1, depth: 8, isFullRange: false)
    let reach = 4
    for (width, height) in [(21, 17), (20, 17), (21, 18), (131, 17)] {
      let (column, row) = (width / 2, height / 2)
      func patch(_ x: Int, _ y: Int) -> Int { (x < column ? 0 : 1) + (y < row ? 0 : 2) }
      let places = (0..<height).flatMap { y in (0..<width).map { patch($0, y) } }
      let bytes: [UInt8] =
        switch source {
        case "rgb24": places.flatMap { colors[$0].map { UInt8($0) } }
        case "bgra": places.flatMap { colors[$0].reversed().map { UInt8($0) } + [255] }
        default:
          (0..<3).flatMap { component in
            places.map { place in
              let color = colors[place].map { Double($0) / 255 }
              return UInt8(coded.yuv(color[0], color[1], color[2])[component].rounded())
            }
          }
        }
      let frame = try makeFrame(width, height, source, bytes, matrix: 1, range: 1)
      let made = try samples(
        frame, as: target, width, height, color: PictureColor(matrix: 1, isFullRange: false))
      let layout = try PictureLayout(width: width, height: height, format: format)
      let size = format.bitsPerComponent > 8 ? 2 : 1
      let tolerance = size == 1 ? 1.51 : 4.01
      var checked = 0
      for (index, plane) in layout.planes.enumerated() {
        let isMixed = index == 1 && layout.planes.count == 2
        let (wide, high) = (index == 0 ? (0, 0) : format.chromaShift)
        for y in 0..<plane.height {
          for x in 0..<(plane.bytesPerRow / size) {
            let (left, top) = ((isMixed ? x / 2 : x) << wide, y << high)
            let (sides, ends) = (wide == 0 ? 0 : reach, high == 0 ? 0 : reach)
            let near = patch(max(0, left - sides), max(0, top - ends))
            guard near == patch(left + sides, top + ends + high) else { continue }
            let component = isMixed ? 1 + x % 2 : index
            let value = made[(plane.offset + y * plane.bytesPerRow) / size + x]
            checked += 1
            try #require(
              abs(Double(value) - expected[near][component]) <= tolerance,
              "\(width) × \(height), plane \(index), (\(x), \(y)): \(value), \(expected[near])")
          }
        }
      }
      #expect(checked > width * height)
    }
  }

  /// Chroma stays in its place over the whole of an odd size, and doesn't drift: a ramp shows it.
  @Test(arguments: ["yuv420p", "yuvj420p"], [(41, 31), (40, 31), (41, 30)])
  func chromaDoesNotDrift(_ name: String, _ size: (Int, Int)) throws {
    let (width, height) = size
    let range = name == "yuvj420p" ? 2 : 1
    let color = PictureColor(matrix: 1, isFullRange: range == 2)
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    // From the picture's left and upper edge; JPEG's chroma lies in the middle of four pixels.
    func u(_ x: Double) -> Double { 20 + 5 * x }
    func v(_ y: Double) -> Double { 20 + 7 * y }
    let shift = name == "yuvj420p" ? 0.5 : 0
    func chroma(_ count: Int, _ value: (Int) -> Double) -> [UInt8] {
      (0..<count).map { UInt8(value($0).rounded()) }
    }
    let luma = [UInt8](repeating: 126, count: width * height)
    let full = try makeFrame(
      width, height, "yuv444p",
      luma + chroma(width * height) { u(Double($0 % width)) }
        + chroma(width * height) { v(Double($0 / width)) }, matrix: 1, range: range)
    let halved = try samples(full, as: name, width, height, color: color)
    let part = columns * rows
    for y in 2..<(rows - 3) {
      for x in 2..<(columns - 3) {
        let place = width * height + y * columns + x
        let (left, top) = (Double(2 * x) + shift, Double(2 * y) + 0.5)
        try #require(abs(Double(halved[place]) - u(left)) <= 1.01, "u at \(x)")
        try #require(abs(Double(halved[place + part]) - v(top)) <= 1.01, "v at \(y)")
      }
    }
    let half = try makeFrame(
      width, height, name,
      luma + chroma(part) { min(255, u(Double($0 % columns * 2) + shift)) }
        + chroma(part) { min(255, v(Double($0 / columns * 2) + 0.5)) }, matrix: 1, range: range)
    let again = try samples(half, as: "yuv444p", width, height, color: color)
    for y in 4..<(height - 5) {
      for x in 4..<(width - 5) {
        let place = width * height + y * width + x
        try #require(abs(Double(again[place]) - u(Double(x))) <= 1.01, "u at \(x)")
        try #require(
          abs(Double(again[place + width * height]) - v(Double(y))) <= 1.01, "v at \(y)")
      }
    }
  }

  /// Planes that lie close together stay apart, however short their rows are.
  @Test(arguments: ["yuv420p", "yuv444p", "yuv410p", "yuv420p10le", "gbrp", "nv12"])
  func planesDoNotRunIntoEachOther(_ target: String) throws {
    let format = try #require(PixelFormat(name: target))
    let values = format.isRGB ? [60, 60, 60] : [60, 90, 200]
    for (source, scale) in [("yuv444p", 1), ("yuv420p", 3)] {
      for (width, height) in [(1, 3), (2, 5), (3, 12), (5, 9), (10, 8), (14, 6), (66, 12)] {
        let color = PictureColor(matrix: 1, isFullRange: true)
        let made = try samples(
          makeFlatFrame(
            width * scale, height * scale, source, format.isRGB ? [60, 128, 128] : values,
            matrix: 1, range: 2),
          as: target, width, height, color: color)
        let layout = try PictureLayout(width: width, height: height, format: format)
        for (component, value) in components(made, layout) {
          let expected = values[component] << (format.bitsPerComponent - 8)
          try #require(abs(value - expected) <= 1, "\(width) × \(height): \(made)")
        }
      }
    }
  }

  /// Interleaved chroma is split into planes, with any width of its rows.
  @Test(arguments: [("nv12", "yuv420p"), ("nv21", "yuv420p"), ("nv24", "yuv444p")])
  func interleavedChromaIsTakenApart(_ source: String, _ target: String) throws {
    for (width, height) in [(16, 16), (50, 8), (200, 100), (201, 7)] {
      let format = try #require(PixelFormat(name: source))
      let layout = try PictureLayout(width: width, height: height, format: format)
      let (first, second) = source == "nv21" ? (200, 90) : (90, 200)
      let chroma = layout.size - width * height
      let frame = try makeFrame(
        width, height, source,
        [UInt8](repeating: 60, count: width * height)
          + (0..<chroma).map { UInt8($0 % 2 == 0 ? first : second) }, matrix: 1, range: 1)
      let made = try samples(frame, as: target, width, height)
      let expected = [
        [Int](repeating: 60, count: width * height), [Int](repeating: 90, count: chroma / 2),
        [Int](repeating: 200, count: chroma / 2),
      ]
      #expect(made == expected.flatMap(\.self), "\(width) × \(height)")
    }
  }
}
