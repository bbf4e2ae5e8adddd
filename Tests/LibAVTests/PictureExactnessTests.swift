import Testing

@testable import LibAV

/// The published formulas in whole numbers (H.273, equations 11 to 40): nothing is rounded before the end.
struct ExactFormula {
  /// By H.273, with Kr and Kb in ten thousandths (BT.709, BT.601, BT.2020).
  static let matrices: [(code: Int, kr: Int, kb: Int)] = [
    (1, 2126, 722), (5, 2990, 1140), (9, 2627, 593),
  ]

  let kr: Int
  let kb: Int
  let depth: Int
  let isFull: Bool

  init(_ matrix: (code: Int, kr: Int, kb: Int), depth: Int, isFull: Bool) {
    (kr, kb, self.depth, self.isFull) = (matrix.kr, matrix.kb, depth, isFull)
  }

  private var kg: Int { 10_000 - kr - kb }
  private var one: Int { 1 << (depth - 8) }
  private var black: Int { isFull ? 0 : 16 * one }
  private var lumaSpan: Int { isFull ? (1 << depth) - 1 : 219 * one }
  private var chromaSpan: Int { isFull ? (1 << depth) - 1 : 224 * one }

  /// Red, green and blue up to `white`, clipped.
  func rgb(_ y: Int, _ u: Int, _ v: Int, white: Int) -> [Int] {
    let (luma, blue, red) = (y - black, u - 128 * one, v - 128 * one)
    // All over lumaSpan · chromaSpan · kg · 10,000.
    let base = luma * chromaSpan * kg * 10_000
    let r = base + 2 * (10_000 - kr) * red * lumaSpan * kg
    let b = base + 2 * (10_000 - kb) * blue * lumaSpan * kg
    let g =
      base
      - (2 * (10_000 - kr) * kr * red + 2 * (10_000 - kb) * kb * blue) * lumaSpan
    let whole = Double(lumaSpan * chromaSpan * kg) * 10_000
    return [r, g, b].map { value in
      Int(min(Double(white), max(0, (Double(value) / whole * Double(white)).rounded())))
    }
  }

  /// Luma and chroma of RGB up to `white`.
  func yuv(_ r: Int, _ g: Int, _ b: Int, white: Int) -> [Int] {
    let luma = kr * r + kg * g + kb * b
    func level(_ numerator: Int, _ denominator: Int, _ span: Int, _ zero: Int) -> Int {
      let value = Double(zero) + Double(numerator) * Double(span) / Double(denominator)
      return Int(min(Double(1 << depth - 1), max(0, value.rounded())))
    }
    return [
      level(luma, 10_000 * white, lumaSpan, black),
      level(10_000 * b - luma, 2 * (10_000 - kb) * white, chromaSpan, 128 * one),
      level(10_000 * r - luma, 2 * (10_000 - kr) * white, chromaSpan, 128 * one),
    ]
  }
}

/// Numbers that are the same in every run.
struct Chance {
  var state: UInt64
  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  /// Two of three lie at the ends, or where limited range has its own.
  mutating func sample(_ depth: Int) -> Int {
    let extreme = [0, 1, 16, 128, 235, 240, 254, 255][next(8)] << (depth - 8)
    return next(3) == 0 ? next(1 << depth) : extreme
  }
}

/// The bytes of samples of a depth.
func bytes(_ samples: [Int], _ depth: Int) -> [UInt8] {
  depth == 8
    ? samples.map { UInt8($0) } : samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
}

@Suite struct PictureExactnessTests {
  private static let ranges = [1, 2]
  static let forms = [
    ("yuv444p", 8), ("yuv444p10le", 10), ("yuv444p12le", 12), ("yuv444p16le", 16),
  ]

  @Test(arguments: ExactFormula.matrices, forms) func yuvBecomesRGB(
    _ matrix: (code: Int, kr: Int, kb: Int), _ form: (name: String, depth: Int)
  ) throws {
    // Not a multiple of a vector's size.
    let (width, height) = (323, 60)
    for range in Self.ranges {
      let formula = ExactFormula(matrix, depth: form.depth, isFull: range == 2)
      var chance = Chance(state: UInt64(matrix.code * 100 + form.depth * 2 + range))
      let numbers = (0..<(3 * width * height)).map { _ in chance.sample(form.depth) }
      let frame = try makeFrame(
        width, height, form.name, bytes(numbers, form.depth), matrix: matrix.code, range: range)
      for (target, white, order) in [
        ("rgb24", 255, [0, 1, 2]), ("bgra", 255, [2, 1, 0, 3]), ("rgb48le", 65535, [0, 1, 2]),
        ("rgba64le", 65535, [0, 1, 2, 3]),
      ] {
        let found = try samples(frame, as: target, width, height)
        var worst = 0
        for pixel in 0..<(width * height) {
          let wanted =
            formula.rgb(
              numbers[pixel], numbers[width * height + pixel],
              numbers[2 * width * height + pixel], white: white) + [white]
          for (place, component) in order.enumerated() {
            worst = max(worst, abs(found[pixel * order.count + place] - wanted[component]))
          }
        }
        #expect(worst <= 1, "\(target), range \(range)")
      }
    }
  }

  @Test(arguments: ExactFormula.matrices, forms) func rgbBecomesYUV(
    _ matrix: (code: Int, kr: Int, kb: Int), _ form: (name: String, depth: Int)
  ) throws {
    let (width, height) = (101, 40)
    for (source, depth) in [("rgb24", 8), ("gbrp", 8), ("rgb48le", 16), ("rgb48be", 16)] {
      var chance = Chance(state: UInt64(matrix.code + form.depth))
      let pixels = (0..<(width * height)).map { _ in (0..<3).map { _ in chance.sample(depth) } }
      let data: [UInt8] =
        switch source {
        case "gbrp": [1, 2, 0].flatMap { part in pixels.map { UInt8($0[part]) } }
        case "rgb48be": pixels.flatMap { $0.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        default: bytes(pixels.flatMap(\.self), depth)
        }
      let frame = try makeFrame(width, height, source, data)
      for isFull in [false, true] {
        let formula = ExactFormula(matrix, depth: form.depth, isFull: isFull)
        let found = try samples(
          frame, as: form.name, width, height,
          color: PictureColor(matrix: Int32(matrix.code), isFullRange: isFull))
        var worst = 0
        for (index, pixel) in pixels.enumerated() {
          let wanted = formula.yuv(pixel[0], pixel[1], pixel[2], white: 1 << depth - 1)
          for part in 0..<3 {
            worst = max(worst, abs(found[part * pixels.count + index] - wanted[part]))
          }
        }
        #expect(worst <= 1, "\(source), full range \(isFull)")
      }
    }
  }

  /// Black and white are those of the target exactly, from any depth and range.
  @Test(arguments: [("yuv420p", 8), ("yuv422p10le", 10), ("yuv444p12le", 12), ("gray16le", 16)])
  func blackAndWhiteStayThat(_ name: String, _ depth: Int) throws {
    for range in Self.ranges {
      let ends =
        range == 2 ? [0, 1 << depth - 1] : [16 << (depth - 8), 235 << (depth - 8)]
      for (isWhite, level) in ends.enumerated() {
        let middle = 128 << (depth - 8)
        let values = name.hasPrefix("gray") ? [level] : [level, middle, middle]
        let frame = try makeFlatFrame(18, 10, name, values, matrix: 1, range: range)
        for (target, white) in [
          ("rgb24", 255), ("bgra", 255), ("rgb48le", 65535), ("gray", 255), ("gray16le", 65535),
        ] {
          for (wide, high) in [(18, 10), (9, 7), (25, 13)] {
            let found = try samples(frame, as: target, wide, high)
            let isAlpha = { (index: Int) in target == "bgra" && index % 4 == 3 }
            try #require(
              found.enumerated().allSatisfy { isAlpha($0.offset) || $0.element == isWhite * white },
              "\(target) \(wide) × \(high), range \(range): \(found.prefix(4))")
          }
        }
      }
    }
  }

  /// From one matrix to another: not one level more is lost.
  @Test(arguments: ["yuv444p", "yuv444p10le"]) func matricesAreChanged(_ name: String) throws {
    let depth = name == "yuv444p" ? 8 : 10
    let (width, height) = (67, 30)
    for from in ExactFormula.matrices {
      for to in ExactFormula.matrices where to.code != from.code {
        // Colours that are there in RGB, so that nothing is clipped.
        let source = ExactFormula(from, depth: depth, isFull: false)
        let target = ExactFormula(to, depth: 8, isFull: true)
        var chance = Chance(state: UInt64(from.code * 10 + to.code))
        let pixels = (0..<(width * height)).map { _ in
          let rgb = (0..<3).map { _ in 12 + chance.next(230) }
          return source.yuv(rgb[0], rgb[1], rgb[2], white: 255)
        }
        let data = (0..<3).flatMap { part in pixels.map { $0[part] } }
        let frame = try makeFrame(
          width, height, name, bytes(data, depth), matrix: from.code, range: 1)
        let found = try samples(
          frame, as: "yuvj444p", width, height,
          color: PictureColor(matrix: Int32(to.code), isFullRange: true))
        var worst = 0
        for (index, pixel) in pixels.enumerated() {
          let rgb = source.rgb(pixel[0], pixel[1], pixel[2], white: 1 << 20)
          let wanted = target.yuv(rgb[0], rgb[1], rgb[2], white: 1 << 20)
          for part in 0..<3 {
            worst = max(worst, abs(found[part * pixels.count + index] - wanted[part]))
          }
        }
        #expect(worst <= 1, "\(from.code) to \(to.code)")
      }
    }
  }

  /// Chroma is interpolated linearly between its samples, wherever they lie, to the edges.
  @Test(arguments: Int32(0)...6, [("yuv420p", "yuv444p", 8), ("yuv420p10le", "yuv444p10le", 10)])
  func chromaIsInterpolated(
    _ location: Int32, _ form: (halved: String, full: String, depth: Int)
  ) throws {
    let place = try #require(PictureDescriptionTests.places[location == 0 ? 1 : location])
    for (width, height) in [(40, 24), (41, 24), (40, 25), (131, 3), (1, 1)] {
      let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
      var chance = Chance(state: UInt64(width * height))
      let luma = (0..<(width * height)).map { _ in chance.sample(form.depth) }
      let chroma = (0..<(2 * columns * rows)).map { _ in chance.sample(form.depth) }
      let frame = try makeFrame(
        width, height, form.halved, bytes(luma + chroma, form.depth), matrix: 1, range: 1,
        chroma: Int(location))
      let found = try samples(frame, as: form.full, width, height)
      #expect(Array(found.prefix(luma.count)) == luma)
      // In 1/512 of a chroma sample.
      func neighbours(_ x: Int, _ first: Int, _ count: Int) -> (Int, Int, Int) {
        let position = 256 * x - first
        let low = position >= 0 ? position / 512 : -1
        return (max(0, low), min(count - 1, low + 1), position - 512 * low)
      }
      for index in luma.indices {
        let (left, right, x) = neighbours(index % width, place.x, columns)
        let (top, bottom, y) = neighbours(index / width, place.y, rows)
        for part in 0..<2 {
          func at(_ column: Int, _ row: Int) -> Int {
            chroma[part * columns * rows + row * columns + column]
          }
          let sum =
            (at(left, top) * (512 - x) + at(right, top) * x) * (512 - y)
            + (at(left, bottom) * (512 - x) + at(right, bottom) * x) * y
          let wanted = Double(sum) / 262144
          let value = found[(1 + part) * luma.count + index]
          try #require(
            abs(Double(value) - wanted) <= 1.01,
            "\(width) × \(height), (\(index % width), \(index / width)): \(value), \(wanted)")
        }
      }
    }
  }
}
