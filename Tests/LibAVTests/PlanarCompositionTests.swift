import CPixels
import SystemIO
import Testing

@testable import LibAV

/// Pictures of layers with upright edges on whole samples.
@Suite struct PlanarCompositionTests {
  static let formats = [
    "yuv420p", "yuv422p", "yuv444p", "nv12", "yuyv422", "yuv420p10le", "yuv444p12le", "p010le",
    "rgb24", "rgb0", "gbrp", "gbrp10le", "rgb48le", "gray", "gray16le",
  ]

  /// Every sample by the formula, in sizes that no vector fits into.
  @Test(arguments: formats, [0.5, 1.0 / 3, 0.999, 0.0001, 0.25]) func dissolvesAreExact(
    _ name: String, _ opacity: Double
  ) throws {
    let format = try #require(PixelFormat(name: name))
    let isFull = format.isRGB || format.isGray
    for (width, height) in [(64, 36), (641, 35), (7, 5)] {
      let color = PictureColor(matrix: 1, isFullRange: isFull)
      func noise(_ seed: Int) throws -> Frame {
        try makeNoise(width, height, name, seed: seed, range: isFull ? 2 : 1)
      }
      let layers = [
        TestLayer(try noise(1)), TestLayer(try noise(2), opacity: opacity),
      ]
      let made = try numbers(try compose(layers, width, height, name, color: color))
      let (a, b) = (try numbers(noise(1)), try numbers(noise(2)))
      let weight = Int((opacity * 32768).rounded())
      let shift = try #require(format.components.first).shift
      let expected = zip(a, b).map { below, above in
        (((below >> shift) * (32768 - weight) + (above >> shift) * weight + 16384) >> 15) << shift
      }
      try #require(made == expected, "\(width) × \(height)")
    }
  }

  @Test func halfOf235Over16Is126() throws {
    let layers = [
      TestLayer(try makeFlatFrame(8, 8, "yuv420p", [16, 128, 128], matrix: 1, range: 1)),
      TestLayer(
        try makeFlatFrame(8, 8, "yuv420p", [235, 128, 128], matrix: 1, range: 1), opacity: 0.5),
    ]
    let made = try numbers(try compose(layers, 8, 8, "yuv420p"))
    #expect(made == [Int](repeating: 126, count: 64) + [Int](repeating: 128, count: 32))
  }

  @Test func vectorsChangeNothing() throws {
    for name in Self.formats {
      let format = try #require(PixelFormat(name: name))
      let layout = try PictureLayout(width: 333, height: 9, format: format)
      for weight: Int32 in [1, 12345, 32767] {
        let results = try [false, true].map { usesAVX2 in
          let below = try makeNoise(333, 9, name, seed: 3)
          let above = try makeNoise(333, 9, name, seed: 4)
          for plane in layout.planes.indices {
            var to = try #require(rw_plane(PictureSurface(below), plane, layout))
            var from = try #require(rw_plane(PictureSurface(above), plane, layout))
            rw_blend(&to, &from, weight, usesAVX2 && YUVConversion.hasAVX2)
          }
          return try numbers(below)
        }
        try #require(results[0] == results[1])
      }
    }
  }

  /// A picture in the picture is the converter's own output, and nothing else changes.
  @Test(arguments: [(64, 32), (-20, 10), (200, 100), (0, -8)])
  func picturesInPicturesAreConverted(_ x: Int, _ y: Int) throws {
    let (width, height) = (320, 180)
    func inset() throws -> Frame { try makeNoise(320, 180, "yuv420p", seed: 6) }
    let layers = [
      TestLayer(try makeNoise(width, height, "yuv420p", seed: 5)),
      TestLayer(try inset(), .move(Double(x), Double(y), scale: 0.5)),
    ]
    let made = try numbers(try compose(layers, width, height, "yuv420p", path: .planar))
    var converter = PictureConverter()
    let small = try numbers(
      try converter.frame(
        from: inset(), to: PictureLayout(width: 160, height: 90, format: .yuv420p)))
    let below = try numbers(try makeNoise(width, height, "yuv420p", seed: 5))
    var (offset, smallOffset) = (0, 0)
    for shift in [0, 1, 1] {
      let (wide, high) = (width >> shift, height >> shift)
      let (smallWide, smallHigh) = (160 >> shift, 90 >> shift)
      for row in 0..<high {
        for column in 0..<wide {
          let (left, top) = (column - (x >> shift), row - (y >> shift))
          let isInside = (0..<smallWide).contains(left) && (0..<smallHigh).contains(top)
          let expected =
            isInside
            ? small[smallOffset + top * smallWide + left] : below[offset + row * wide + column]
          try #require(made[offset + row * wide + column] == expected, "(\(column), \(row))")
        }
      }
      offset += wide * high
      smallOffset += smallWide * smallHigh
    }
  }

  /// Against ffmpeg's `color=0x336699`, and by H.273's equations.
  @Test func backgroundsHaveTheirColour() throws {
    let colour = (red: 0x33 / 255.0, green: 0x66 / 255.0, blue: 0x99 / 255.0, alpha: 1.0)
    #expect(
      try numbers(compose([], 2, 1, "rgb24", background: colour))
        == [0x33, 0x66, 0x99, 0x33, 0x66, 0x99])
    let made = try compose([], 4, 4, "yuv420p", background: colour)
    let (kr, kb) = (0.2126, 0.0722)
    let luma = kr * colour.red + (1 - kr - kb) * colour.green + kb * colour.blue
    let expected = [
      16 + 219 * luma, 128 + 224 * (colour.blue - luma) / 2 / (1 - kb),
      128 + 224 * (colour.red - luma) / 2 / (1 - kr),
    ].map { Int($0.rounded()) }
    let found = try numbers(made)
    #expect([found[0], found[16], found[20]] == expected)
    #expect(made.color.matrix == 1 && made.color.range == 1 && made.color.chromaLocation == 1)
    // In formats without alpha it lies over black.
    let half = (red: 1.0, green: 1.0, blue: 1.0, alpha: 0.5)
    #expect(try numbers(compose([], 1, 1, "rgb24", background: half)) == [128, 128, 128])
  }

  /// Sources of other matrices and ranges are converted first: flat patches, by H.273's equations.
  @Test(arguments: [(6, 1), (1, 1), (9, 1), (6, 2), (1, 2)])
  func sourcesOfAllColoursMeet(_ matrix: Int, _ range: Int) throws {
    let weights = [6: (0.299, 0.114), 1: (0.2126, 0.0722), 9: (0.2627, 0.0593)]
    let (kr, kb) = try #require(weights[matrix])
    let (red, green, blue) = (200.0 / 255, 90.0 / 255, 40.0 / 255)
    func codes(_ kr: Double, _ kb: Double, isFull: Bool) -> [Double] {
      let luma = kr * red + (1 - kr - kb) * green + kb * blue
      let (scale, offset, span) = isFull ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
      return [
        offset + scale * luma, 128 + span * (blue - luma) / 2 / (1 - kb),
        128 + span * (red - luma) / 2 / (1 - kr),
      ]
    }
    let stored = codes(kr, kb, isFull: range == 2).map { Int($0.rounded()) }
    let layers = [
      TestLayer(try makeFlatFrame(16, 16, "yuv420p", stored, matrix: matrix, range: range)),
      TestLayer(
        try makeFlatFrame(8, 8, "yuv420p", stored, matrix: matrix, range: range),
        .move(4, 4), opacity: 0.5),
    ]
    let made = try numbers(try compose(layers, 16, 16, "yuv420p"))
    let expected = codes(0.2126, 0.0722, isFull: false)
    for (place, value) in [(0, expected[0]), (256, expected[1]), (320, expected[2])] {
      #expect(abs(Double(made[place]) - value) <= 1.5)
    }
    #expect(abs(Double(made[8 * 16 + 8]) - expected[0]) <= 1.5)
  }

  /// Chroma of all layers lies where the picture's does, however the layers are turned.
  @Test(arguments: Orientation.allCases, [1, 2, 3])
  func chromaLiesInOnePlace(_ orientation: Orientation, _ location: Int) throws {
    // A ramp of chroma across and down, in 16 bits.
    let (width, height) = (64, 48)
    func level(_ x: Double, _ y: Double) -> Int { Int((20000 + 100 * x + 200 * y).rounded()) }
    let place = (x: location == 2 ? 1.0 : 0.5, y: location == 3 ? 0.5 : 1.0)
    let luma = [Int](repeating: 30000, count: width * height)
    let chroma = (0..<(width * height / 4)).map { index in
      level(
        Double(index % (width / 2) * 2) + place.x, Double(index / (width / 2) * 2) + place.y)
    }
    let frame = try makeFrame(
      width, height, "yuv420p16le", bytes(luma + chroma + chroma, 16), matrix: 1, range: 1,
      chroma: location)
    let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
    let layer = TestLayer(
      frame, PictureTransform(orientation, width: width, height: height))
    let picture = try compose([layer], wide, high, "yuv420p16le")
    #expect(picture.color.chromaLocation == 1)
    let made = try numbers(picture)
    for y in 4..<(high / 2 - 4) {
      for x in 4..<(wide / 2 - 4) {
        // Left in the picture: the middle of the first of two pixels, in the stored one.
        let shown = (x: Double(2 * x) + 0.5, y: Double(2 * y) + 1)
        let inverse = PictureTransform(orientation.inverse, width: wide, height: high)
        let stored = inverse.apply(to: shown)
        let found = made[wide * high + y * wide / 2 + x]
        try #require(abs(found - level(stored.x, stored.y)) <= 8, "(\(x), \(y))")
      }
    }
  }

  /// Interleaved chroma is turned as planes of it are.
  @Test(arguments: Orientation.allCases) func interleavedChromaIsTurned(
    _ orientation: Orientation
  ) throws {
    let (width, height) = (22, 14)
    let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
    func made(_ name: String) throws -> [Int] {
      let layer = TestLayer(
        try makeNoise(width, height, "yuv420p", seed: 8),
        PictureTransform(orientation, width: width, height: height))
      return try numbers(compose([layer], wide, high, name))
    }
    let (planar, interleaved) = (try made("yuv420p"), try made("nv12"))
    let (luma, chroma) = (wide * high, wide * high / 4)
    #expect(planar[..<luma] == interleaved[..<luma])
    for index in 0..<chroma {
      #expect(planar[luma + index] == interleaved[luma + 2 * index])
      #expect(planar[luma + chroma + index] == interleaved[luma + 2 * index + 1])
    }
  }

  /// Layers of high dynamic range are mapped as the converter maps them.
  @Test func tonesAreMapped() throws {
    func frame() throws -> Frame {
      try makeFrame(
        32, 18, "yuv420p10le",
        bytes((0..<864).map { $0 < 576 ? 64 + $0 : 512 + $0 % 16 }, 10), matrix: 9, range: 1,
        transfer: 16, primaries: 9, chroma: 1)
    }
    let toneMap = ToneMap.shared(.init(transfer: .pq, primaries: .bt2020))
    let color = PictureColor(matrix: 1, isFullRange: false)
    let layout = try PictureLayout(width: 32, height: 18, format: .yuv420p)
    var converter = PictureConverter()
    let alone = try numbers(
      converter.frame(from: frame(), to: layout, color: color, toneMap: toneMap))
    let all = LayerPlacement(
      crop: PictureArea(width: 32, height: 18), transform: PictureTransform())
    var compositor = PictureCompositor()
    let converted = try compositor.frame(
      from: frame(), all, to: layout, color: color, toneMap: toneMap)
    #expect(try numbers(converted) == alone)
    #expect(converted.color.transfer == 1 && converted.color.primaries == 1)
    // In 16 bits only the last rounding differs, and chroma's.
    var moved = all
    moved.transform.tx = 0.001
    for (path, placement, limit) in [(PictureCompositor.Path.planar, all, 0), (.general, moved, 3)]
    {
      try compositor.begin(layout, color: color, background: black, path: path)
      if let layer = try compositor.prepare(
        frame(), placement, for: path, in: layout, color: color, toneMap: toneMap)
      {
        try compositor.draw(layer, opacity: 1)
      }
      let made = try compositor.finish()
      #expect(made.color.transfer == 1)
      #expect(zip(try numbers(made), alone).allSatisfy { abs($0 - $1) <= limit })
    }
  }

  @Test func whatLayersArePreparedForIsChecked() throws {
    var compositor = PictureCompositor()
    let layout = try PictureLayout(width: 16, height: 16, format: .yuv420p)
    let other = try PictureLayout(width: 18, height: 16, format: .yuv420p)
    let color = PictureColor(matrix: 1, isFullRange: false)
    let frame = try makeFlatFrame(8, 8, "yuv420p", [90, 100, 110])
    let all = PictureArea(width: 8, height: 8)
    #expect(throws: LibAVError.self) {
      _ = try compositor.prepare(
        frame, LayerPlacement(crop: all, transform: .move(1, 0)), for: .planar, in: layout,
        color: color)
    }
    let beside = LayerPlacement(crop: all, transform: .move(16, 0))
    let isVisible =
      switch try compositor.prepare(frame, beside, for: .planar, in: layout, color: color) {
      case .some: true
      case .none: false
      }
    #expect(!isVisible)
    try compositor.begin(other, color: color, background: black, path: .planar)
    if let layer = try compositor.prepare(
      frame, LayerPlacement(crop: all, transform: .move(2, 2)), for: .planar, in: layout,
      color: color)
    {
      #expect(throws: LibAVError.self) { try compositor.draw(layer, opacity: 1) }
    }
    _ = try compositor.finish()
    #expect(throws: LibAVError.self) { _ = try compositor.finish() }
  }
}
