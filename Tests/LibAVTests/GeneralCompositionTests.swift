import SystemIO
import Testing

@testable import LibAV

/// Pictures of layers that are turned, lie between samples or have alpha.
@Suite struct GeneralCompositionTests {
  /// On whole pixels, samples are copied, however the layer is turned.
  @Test(arguments: Orientation.allCases, ["rgb24", "yuv444p", "gbrp10le", "yuv444p12le", "gray"])
  func turnsOnWholePixelsAreCopies(_ orientation: Orientation, _ name: String) throws {
    let format = try #require(PixelFormat(name: name))
    let range = format.isYUV ? 1 : 2
    let color = PictureColor(matrix: 1, isFullRange: range == 2)
    func noise(_ width: Int, _ height: Int, _ seed: Int) throws -> Frame {
      try makeNoise(width, height, name, seed: seed, range: range)
    }
    let (width, height) = (23, 14)
    for (x, y) in [(17, 9), (0, 0), (-3, -5), (40, 30)] {
      var transform = PictureTransform(orientation, width: width, height: height)
      transform.tx += Double(x)
      transform.ty += Double(y)
      let layers = [
        TestLayer(try noise(53, 41, 1)), TestLayer(try noise(width, height, 2), transform),
      ]
      let made = try numbers(compose(layers, 53, 41, name, color: color, path: .general))
      let planar = try numbers(compose(layers, 53, 41, name, color: color, path: .planar))
      try #require(made == planar, "(\(x), \(y))")
      let (below, above) = (try numbers(noise(53, 41, 1)), try numbers(noise(width, height, 2)))
      let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
      let (size, count) = name == "rgb24" ? (3, 1) : (1, name == "gray" ? 1 : 3)
      for plane in 0..<count {
        for row in 0..<41 {
          for column in 0..<53 {
            for offset in 0..<size {
              let index = ((plane * 41 + row) * 53 + column) * size + offset
              var expected = below[index]
              if (x..<(x + wide)).contains(column), (y..<(y + high)).contains(row) {
                let place = orientation.source(
                  x: column - x, y: row - y, width: width, height: height)
                expected = above[((plane * height + place.y) * width + place.x) * size + offset]
              }
              try #require(made[index] == expected, "(\(column), \(row))")
            }
          }
        }
      }
    }
  }

  /// So they are in 16 bits, where a layer has alpha: 255 of 255 is opaque.
  @Test(arguments: Orientation.allCases) func opaquePixelsWithAlphaAreCopies(
    _ orientation: Orientation
  ) throws {
    let (width, height) = (23, 14)
    var chance = Chance(state: 9)
    let pixels = (0..<(width * height * 4)).map { $0 % 4 == 3 ? 255 : UInt8(chance.next(256)) }
    var transform = PictureTransform(orientation, width: width, height: height)
    (transform.tx, transform.ty) = (transform.tx + 17, transform.ty + 9)
    let layer = TestLayer(try makeFrame(width, height, "rgba", pixels, range: 2), transform)
    let made = try numbers(
      compose(
        [TestLayer(try makeNoise(53, 41, "rgb24", seed: 1, range: 2)), layer], 53, 41, "rgb24"))
    var expected = try numbers(makeNoise(53, 41, "rgb24", seed: 1, range: 2))
    let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
    for y in 0..<high {
      for x in 0..<wide {
        let place = orientation.source(x: x, y: y, width: width, height: height)
        for index in 0..<3 {
          expected[((y + 9) * 53 + x + 17) * 3 + index] =
            Int(pixels[(place.y * width + place.x) * 4 + index])
        }
      }
    }
    #expect(made == expected)
  }

  /// Working pictures of regions, and of all of the picture, which formats have whose numbers begin with the high
  /// byte: luma is the same, and chroma where it is smooth.
  @Test(arguments: 0..<12) func regionsAreThoseOfTheWholePicture(_ seed: Int) throws {
    var chance = Chance(state: UInt64(seed))
    let (width, height) = (161, 121)
    // Slopes of luma and chroma.
    func smooth(_ width: Int, _ height: Int, _ name: String, _ seed: Int) throws -> Frame {
      let halves = [(width + 1) / 2, (height + 1) / 2]
      let luma = (0..<(width * height)).map { UInt8(30 + seed * 20 + $0 % width / 2 + $0 / width) }
      let chroma = (0..<(halves[0] * halves[1])).map {
        UInt8(100 + seed * 10 + $0 % halves[0] / 3 + $0 / halves[0] / 3)
      }
      return try makeFrame(
        width, height, "yuv420p", luma + chroma + chroma, matrix: 1, range: 1, chroma: 1)
    }
    var layers: [TestLayer] = [TestLayer(try smooth(width, height, "yuv420p", 0))]
    for index in 1...4 {
      let (x, y) = (Double(chance.next(1200)) / 10, Double(chance.next(900)) / 10)
      let transform: PictureTransform =
        switch chance.next(3) {
        case 0: .move(x.rounded() * 2 / 2, y.rounded() * 2 / 2)
        case 1: .move(Double(Int(x) / 2 * 2), Double(Int(y) / 2 * 2))
        default: PictureTransform(a: 0.96, b: 0.28, c: -0.28, d: 0.96, tx: x, ty: y)
        }
      layers.append(
        TestLayer(
          try smooth(20 + chance.next(40), 20 + chance.next(30), "yuv420p", index), transform,
          opacity: 0.3 + 0.1 * Double(chance.next(8))))
    }
    let regions = try numbers(compose(layers, width, height, "yuv420p10le", path: .general))
    let whole = try numbers(compose(layers, width, height, "yuv420p10be", path: .general)).map {
      $0 >> 8 | ($0 & 255) << 8
    }
    let differences = zip(regions, whole).map { abs($0 - $1) }
    #expect(differences[..<(width * height)].allSatisfy { $0 <= 3 })
    // A layer's edge between two samples of chroma is halved before it is drawn there, or afterwards.
    #expect(differences[(width * height)...].allSatisfy { $0 <= 16 })
  }

  /// One source of truth for every placement: in floating point, pixel by pixel.
  @Test(arguments: 0..<40) func placementsAreAsInFloatingPoint(_ seed: Int) throws {
    var chance = Chance(state: UInt64(seed + 100))
    func number(_ low: Double, _ high: Double) -> Double {
      low + (high - low) * Double(chance.next(1 << 20)) / Double(1 << 20)
    }
    let (width, height) = (48 + chance.next(3), 36 + chance.next(3))
    let isTurned = seed % 2 == 1
    let hasAlpha = seed % 4 >= 2
    let opacity = seed % 8 >= 4 ? number(0.2, 0.9) : 1
    var transform: PictureTransform
    if isTurned {
      // Shown larger, so that nothing is made smaller first.
      let (cosine, sine) = [(0.6, 0.8), (0.8, -0.6), (-0.28, 0.96), (5.0 / 13, 12.0 / 13)][
        chance.next(4)]
      let scale = number(1.01, 1.6)
      transform = PictureTransform(
        a: scale * cosine, b: scale * sine, c: -scale * sine + number(-0.2, 0.2),
        d: scale * cosine, tx: 0, ty: 0)
      if transform.c * transform.c + transform.d * transform.d < 1 { transform.d *= 2 }
    } else {
      let orientation = Orientation.allCases[chance.next(8)]
      let turn = PictureTransform(orientation, width: 0, height: 0)
      let (scaleX, scaleY) = (number(0.35, 2), number(0.35, 2))
      transform = PictureTransform(
        a: turn.a * scaleX, b: turn.b * scaleY, c: turn.c * scaleX, d: turn.d * scaleY)
    }
    let crop = PictureArea(
      x: Double(chance.next(8)) + 0.25 * Double(chance.next(3)), y: Double(chance.next(8)),
      width: number(20, 30), height: number(15, 25))
    // Its middle somewhere in the picture.
    let middle = transform.apply(to: (crop.x + crop.width / 2, crop.y + crop.height / 2))
    transform.tx = number(10, 40) - middle.x
    transform.ty = number(10, 30) - middle.y
    let size = hasAlpha ? 4 : 3
    let name = hasAlpha ? "rgba" : "rgb24"
    let stored = (0..<(width * height * size)).map { index -> Int in
      hasAlpha && index % 4 == 3 ? 120 + chance.next(100) : 78 + chance.next(100)
    }
    let layer = TestLayer(
      try makeFrame(width, height, name, stored.map { UInt8($0) }, range: 2),
      LayerPlacement(crop: crop, transform: transform), opacity: opacity)
    let background: PictureCompositor.Background = (0.2, 0.9, 0.4, 1)
    let made = try numbers(
      compose([layer], 50, 40, "rgb24", background: background, path: .general))
    let model = NaiveLayer(
      width: width, height: height, size: size, numbers: stored.map { Double($0) },
      placement: layer.placement)
    var worst = 0.0
    for y in 0..<40 {
      for x in 0..<50 {
        let (color, alpha) = model.sample(x, y, isTurned: isTurned)
        for (index, under) in [background.red, background.green, background.blue].enumerated() {
          let expected = color[index] * opacity + 255 * under * (1 - alpha * opacity)
          let difference = abs(Double(made[(y * 50 + x) * 3 + index]) - expected)
          worst = max(worst, difference)
          try #require(difference <= 2, "(\(x), \(y)): \(difference)")
        }
      }
    }
    // Rounding alone is half a level.
    #expect(worst > 0)
  }

  /// A layer that moves by a tenth of a pixel moves by a tenth of a pixel.
  @Test(arguments: ["yuv420p", "yuv444p", "rgb24"]) func slowMovesAreSmooth(_ name: String) throws {
    var last: (x: Double, y: Double)?
    for step in 0...20 {
      let inset = try makeFlatFrame(
        40, 30, "yuv420p", [200, 128, 128], matrix: 1, range: 1)
      let x = 11.3 + 0.1 * Double(step)
      let layer = TestLayer(inset, .move(x, 7.7, scale: 0.8))
      let picture = try compose(
        [layer], 80, 60, name, color: PictureColor(matrix: 1, isFullRange: name == "rgb24"))
      var made = try numbers(picture)
      if name == "rgb24" { made = stride(from: 0, to: made.count, by: 3).map { made[$0] } }
      let found = centroid(made, 80, 60, base: name == "rgb24" ? 0 : 16)
      if let last {
        #expect(abs(found.x - last.x - 0.1) < 0.02)
        #expect(abs(found.y - last.y) < 0.02)
      }
      #expect(abs(found.x - (x + 16)) < 0.02 && abs(found.y - (7.7 + 12)) < 0.02)
      last = found
    }
  }

  /// Neither does one that is turned, and gets larger slowly: the size that it is first reduced to
  /// is in whole pixels, and doesn't show.
  @Test func turnedZoomsHaveNoJumps() throws {
    let marker = (x: 97.3, y: 101.8)
    var path: [(x: Double, y: Double)] = []
    for step in 0..<40 {
      let scale = 0.5 + 0.004 * Double(step)
      let transform = PictureTransform(
        a: 0.8 * scale, b: 0.6 * scale, c: -0.6 * scale, d: 0.8 * scale, tx: 60.2, ty: -20.7)
      let layer = TestLayer(try makeMarker(240, 180, at: marker), transform)
      let made = try numbers(compose([layer], 200, 160, "yuv444p"))
      let found = centroid(made, 200, 160, base: 16)
      let expected = transform.apply(to: marker)
      try #require(abs(found.x - expected.x) < 0.02 && abs(found.y - expected.y) < 0.02, "\(step)")
      path.append(found)
    }
    for index in 1..<(path.count - 1) {
      let (a, b, c) = (path[index - 1], path[index], path[index + 1])
      try #require(abs(a.x - 2 * b.x + c.x) < 0.02 && abs(a.y - 2 * b.y + c.y) < 0.02)
    }
  }

  /// A translucent edge between a colour and nothing has no fringe of the colour of the transparent
  /// pixels, over white and over black.
  @Test(arguments: [0.0, 1.0], [0.5, 1.7, 1.0]) func edgesHaveNoFringe(
    _ level: Double, _ scale: Double
  ) throws {
    // White on the left, transparent black on the right, half transparent between both.
    let pixels = (0..<(16 * 8)).flatMap { index -> [UInt8] in
      switch index % 16 {
      case 0..<8: [255, 255, 255, 255]
      case 8: [255, 255, 255, 128]
      default: [0, 0, 0, 0]
      }
    }
    let layer = TestLayer(try makeFrame(16, 8, "rgba", pixels, range: 2), .move(0, 0, scale: scale))
    let made = try numbers(
      compose([layer], 16, 8, "rgb24", background: (level, level, level, 1)))
    if level == 1 {
      #expect(made.allSatisfy { $0 >= 254 })
    } else {
      let row = stride(from: 12 * 3, to: 16 * 3, by: 3).map { made[$0] }
      #expect(scale > 1 || row.allSatisfy { $0 == 0 })
      // Falls from white to black without ever rising much: cubic filters overshoot a little.
      let line = stride(from: 0, to: 16 * 3, by: 3).map { made[$0] }
      #expect(zip(line, line.dropFirst()).allSatisfy { $1 <= $0 + 12 })
    }
  }

  /// Targets with alpha have straight colours again.
  @Test func alphaIsStraightAgain() throws {
    let pixels = (0..<64).flatMap { index -> [UInt8] in [200, 100, 50, UInt8(index * 4)] }
    func layer() throws -> TestLayer {
      TestLayer(try makeFrame(8, 8, "rgba", pixels, range: 2), .move(2, 3))
    }
    let made = try numbers(
      compose([try layer()], 12, 12, "rgba", background: (0, 0, 0, 0)))
    for y in 0..<8 {
      for x in 0..<8 {
        let alpha = Int(pixels[(y * 8 + x) * 4 + 3])
        let place = ((y + 3) * 12 + x + 2) * 4
        #expect(made[place + 3] == alpha)
        if alpha > 0 {
          let found = Array(made[place..<(place + 3)])
          #expect(zip(found, [200, 100, 50]).allSatisfy { abs($0 - $1) <= 1 }, "\(alpha)")
        }
      }
    }
    #expect(Array(made[0..<4]) == [0, 0, 0, 0])
    // Over a background that is half transparent, by the rule of Porter and Duff.
    let over = try numbers(
      compose([try layer()], 12, 12, "rgba", background: (1, 1, 1, 0.5)))
    for (x, y) in [(0, 0), (3, 2), (7, 7)] {
      let alpha = Double(pixels[(y * 8 + x) * 4 + 3]) / 255
      let place = ((y + 3) * 12 + x + 2) * 4
      let whole = alpha + 0.5 * (1 - alpha)
      #expect(abs(Double(over[place + 3]) - 255 * whole) <= 1)
      let red = (200 * alpha + 255 * 0.5 * (1 - alpha)) / whole
      #expect(abs(Double(over[place]) - red) <= 1)
    }
  }

  @Test func oddSizesAndPlacesAreDrawn() throws {
    let layers = [
      TestLayer(try makeFlatFrame(641, 359, "yuv420p", [60, 128, 128], matrix: 1, range: 1)),
      TestLayer(
        try makeFlatFrame(102, 52, "yuv420p", [180, 128, 128], matrix: 1, range: 1),
        .move(539, 307)),
    ]
    let made = try numbers(compose(layers, 641, 359, "yuv420p"))
    for (x, y, level) in [(0, 0, 60), (538, 308, 60), (539, 307, 180), (640, 358, 180)] {
      #expect(made[y * 641 + x] == level)
    }
    #expect(made[(641 * 359)...].allSatisfy { $0 == 128 })
  }

  /// The same numbers after any other drawing.
  @Test func historyChangesNothing() throws {
    let turned = PictureTransform(a: 0.7, b: 0.4, c: -0.5, d: 0.9, tx: 30.2, ty: 3.1)
    func layers() throws -> [TestLayer] {
      [
        TestLayer(try makeNoise(64, 48, "yuv420p", seed: 1)),
        TestLayer(try makeNoise(51, 33, "rgba", seed: 2, range: 2), turned, opacity: 0.6),
        TestLayer(try makeNoise(51, 33, "yuv420p", seed: 3), .move(3.3, 20.1, scale: 0.4)),
      ]
    }
    let once = try numbers(compose(try layers(), 64, 48, "yuv420p"))
    let layout = try PictureLayout(width: 64, height: 48, format: .yuv420p)
    var compositor = PictureCompositor()
    let color = PictureColor(matrix: 1, isFullRange: false)
    for _ in 0..<2 {
      try compositor.begin(layout, color: color, background: black, path: .general)
      for layer in try layers() {
        if let ready = try compositor.prepare(
          layer.frame, layer.placement, for: .general, in: layout, color: color)
        {
          try compositor.draw(ready, opacity: layer.opacity)
        }
      }
      #expect(try numbers(compositor.finish()) == once)
    }
  }
}
