import SystemIO
import Testing

@testable import LibAV

/// Layers of every format in any place, however far away, small or large.
@Suite struct CompositionBoundsTests {
  private static let scales = [1, 0.5, -0.7, 1.3, 1e-7, 1e-3, 40, -300, 1e7, 0, 0.031]

  private func transform(_ chance: inout Chance) -> PictureTransform {
    func scale() -> Double {
      CompositionBoundsTests.scales[chance.next(CompositionBoundsTests.scales.count)]
    }
    var result = PictureTransform(
      a: scale(), d: scale(), tx: Double(chance.next(80)) - 20.5,
      ty: Double(chance.next(800)) / 10 - 20)
    switch chance.next(5) {
    case 0: (result.a, result.b, result.c, result.d) = (0, result.a, result.d, 0)
    case 1: (result.b, result.c) = (scale(), scale())
    case 2: (result.b, result.c) = (-result.a / 3, result.d / 2)
    default: break
    }
    if chance.next(40) == 0 { result.tx = [.nan, .infinity, 1e300, -1e12][chance.next(4)] }
    return result
  }

  /// A layer of one colour shows nothing but this colour, the background, or values between both.
  @Test(arguments: [
    ("yuv420p", [150, 128, 128]), ("yuv410p", [150, 128, 128]), ("yuv422p10le", [600, 512, 512]),
    ("gray", [156]), ("rgb24", [156, 156, 156]), ("rgba", [156, 156, 156, 200]),
    ("gbrap16le", [40000, 40000, 40000, 30000]), ("yuva420p", [150, 128, 128, 90]),
    ("rgb48le", [40092, 40092, 40092]), ("ya8", [156, 156]),
  ]) func nothingIsDrawnButTheLayer(_ name: String, _ values: [Int]) throws {
    var chance = Chance(state: UInt64(values[0] + name.count))
    for round in 0..<40 {
      let (width, height) = (1 + chance.next(50), 1 + chance.next(40))
      let isYUV = name.hasPrefix("yuv")
      let crop = PictureArea(
        x: Double(chance.next(80)) / 10 - 4, y: Double(chance.next(60)) / 10 - 3,
        width: Double(chance.next(500)) / 10, height: Double(chance.next(400)) / 10)
      func layer() throws -> TestLayer {
        TestLayer(
          try makeFlatFrame(width, height, name, values, matrix: 1, range: isYUV ? 1 : 2),
          LayerPlacement(crop: crop, transform: transform(&chance)),
          opacity: Double(chance.next(11)) / 10)
      }
      let background: PictureCompositor.Background = (0.2, 0.2, 0.2, 1)
      let target = ["rgb24", "gbrp10le", "gray", "rgba"][round % 4]
      let picture = try compose(
        [try layer(), try layer()], 33, 21, target,
        color: PictureColor(matrix: 1, isFullRange: true), background: background, path: .general)
      let maximum = target == "gbrp10le" ? 1023 : 255
      let isRGBA = target == "rgba"
      let (low, high) = (maximum / 5 - 1, Int(Double(maximum) * 0.6125) + 2)
      for (index, number) in try numbers(picture).enumerated() where !isRGBA || index % 4 < 3 {
        try #require((low...high).contains(number), "\(round): \(number) at \(index)")
      }
    }
  }

  /// Layers without a visible part are left out, and there is a path for every combination.
  @Test func everyPathHasItsPicture() throws {
    var chance = Chance(state: 5)
    let formats = ["yuv420p", "nv12", "yuyv422", "p010le", "rgb24", "yuv444p", "gray", "yuv410p"]
    for round in 0..<160 {
      let name = formats[round % formats.count]
      let isFull = name == "rgb24" || name == "gray"
      let layers = try (0..<chance.next(4)).map { _ in
        TestLayer(
          try makeNoise(1 + chance.next(40), 1 + chance.next(30), "yuv420p", seed: round),
          chance.next(2) == 0
            ? .move(Double(chance.next(8) * 2), Double(chance.next(9) * 2))
            : transform(&chance), opacity: Double(chance.next(3)) / 2)
      }
      let (width, height) = (1 + chance.next(40), 1 + chance.next(40))
      let made = try compose(
        layers, width, height, name, color: PictureColor(matrix: 1, isFullRange: isFull))
      #expect((made.width, made.height) == (width, height))
      #expect(made.pixelFormat.name == name)
    }
  }

  /// Each picture is counted once, by its way.
  @Test func picturesAreCounted() throws {
    let before = Counters.now.composedPictures
    func flat() throws -> Frame { try makeFlatFrame(16, 16, "yuv420p", [90, 128, 128]) }
    _ = try compose([TestLayer(try flat())], 16, 16, "yuv420p")
    _ = try compose([TestLayer(try flat(), opacity: 0.5)], 16, 16, "yuv420p")
    _ = try compose([TestLayer(try flat(), .move(0.5, 0))], 16, 16, "yuv420p")
    let after = Counters.now.composedPictures
    for way in [Counters.Composing.converted, .planar, .general] {
      // Other tests count too.
      #expect(try #require(after[way]) > #require(before[way]))
    }
  }
}
