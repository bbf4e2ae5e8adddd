import Testing

@testable import LibAV

struct PaletteTests {
  /// A picture in rgba, of the pixels that `color` returns.
  private func picture(
    _ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]
  ) throws -> Frame {
    var bytes: [UInt8] = []
    for y in 0..<height { for x in 0..<width { bytes += color(x, y) } }
    return try makeFrame(width, height, "rgba", bytes)
  }

  @Test func fewColoursStayAsTheyAre() throws {
    let colors: [[UInt8]] = [
      [255, 0, 0, 255], [0, 128, 7, 255], [0, 0, 0, 255], [9, 9, 9, 255],
    ]
    let source = try picture(16, 16) { x, y in colors[(x + y) % 4] }
    var histogram = ColorHistogram()
    histogram.count(source)
    let palette = Palette(histogram)
    // The two dark ones are one to the histogram, which counts by five bits.
    #expect(palette.colors.count == 4 || palette.colors.count == 3)
    #expect(palette.colors.contains(Palette.Color(red: 255, green: 0, blue: 0)))
    #expect(palette.colors.contains(Palette.Color(red: 0, green: 128, blue: 7)))
  }

  @Test func halfTransparentIsTransparent() throws {
    let source = try picture(8, 8) { x, _ in [10, 200, 30, x < 4 ? 100 : 200] }
    var histogram = ColorHistogram()
    histogram.count(source)
    let indexed = try Palette(histogram).frame(from: source)
    let surface = PictureSurface(indexed)
    let row = try #require(surface.planes[0])
    let isTransparent = (0..<8).map { row[$0] == Palette.transparent }
    #expect(isTransparent == (0..<8).map { $0 < 4 })
  }

  /// A gradient of many colours keeps its mean, however few colours there are.
  @Test func ditheringKeepsTheMean() throws {
    let source = try picture(64, 64) { x, y in
      [UInt8(x * 4), UInt8(y * 4), UInt8((x + y) * 2), 255]
    }
    var histogram = ColorHistogram()
    histogram.count(source)
    let palette = Palette(histogram, count: 32)
    #expect(palette.colors.count == 32)
    let indexed = try palette.frame(from: source)
    let surface = PictureSurface(indexed)
    let indexes = try #require(surface.planes[0])
    // In squares of eight by eight, as large as the pattern.
    for (left, top) in [(0, 0), (24, 24), (56, 8), (32, 48)] {
      var wanted = [0, 0, 0]
      var found = [0, 0, 0]
      for y in top..<top + 8 {
        for x in left..<left + 8 {
          let index = indexes[y * Int(surface.strides[0]) + x]
          let color = palette.colors[Int(index)]
          for (place, value) in [color.red, color.green, color.blue].enumerated() {
            found[place] += Int(value)
          }
          wanted[0] += x * 4
          wanted[1] += y * 4
          wanted[2] += (x + y) * 2
        }
      }
      for (a, b) in zip(wanted, found) { #expect(abs(a - b) / 64 <= 20, "\(left) \(top)") }
    }
  }

  /// Pictures are mapped by several threads, so in any order: it mustn't show.
  @Test func theOrderOfPicturesChangesNothing() throws {
    func shade(_ number: Int) throws -> Frame {
      try picture(64, 64) { x, y in
        [UInt8(x * 4) | UInt8(number), UInt8(y * 4) | UInt8(number), UInt8((x + y) * 2), 255]
      }
    }
    var histogram = ColorHistogram()
    for number in 0..<4 { histogram.count(try shade(number)) }
    let (forth, back) = (Palette(histogram), Palette(histogram))
    let first = try (0..<4).map { try indexes(forth, of: shade($0)) }
    let second = try (0..<4).reversed().map { try indexes(back, of: shade($0)) }
    #expect(first == second.reversed())
  }

  /// Without neighbours to dither between, each pixel gets the colour that is the nearest of all.
  @Test func theNearestOfAllColoursIsFound() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<4 {
      let known = (0..<7).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      var histogram = ColorHistogram()
      histogram.count(try picture(7, 1) { x, _ in known[x] + [255] })
      let palette = Palette(histogram)
      let pixels = (0..<256).map { _ in
        (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      let found = try indexes(palette, of: picture(16, 16) { x, y in pixels[y * 16 + x] + [255] })
      for (place, pixel) in pixels.enumerated() {
        let shift = palette.shift(x: place % 16, y: place / 16)
        let wanted = pixel.map { min(255, max(0, Int($0) + shift)) }
        let distances = palette.colors.map { color in
          zip(wanted, [color.red, color.green, color.blue]).reduce(0) {
            $0 + ($1.0 - Int($1.1)) * ($1.0 - Int($1.1))
          }
        }
        #expect(distances[Int(found[place])] == distances.min(), "\(known) \(pixel)")
      }
    }
  }

  private func indexes(_ palette: Palette, of picture: borrowing Frame) throws -> [UInt8] {
    let indexed = try palette.frame(from: picture)
    let surface = PictureSurface(indexed)
    let indexes = try #require(surface.planes[0])
    // The surface points into it.
    defer { withExtendedLifetime(indexed) {} }
    return (0..<surface.height).flatMap { y in
      (0..<surface.width).map { indexes[y * Int(surface.strides[0]) + $0] }
    }
  }
}
