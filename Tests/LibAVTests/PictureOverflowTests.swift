import Testing

@testable import LibAV

/// RGB of saturated YUV against the formulas in exact arithmetic (BT.601, BT.709, BT.2020: R = Y + 2(1 -
/// Kr) V …), clipped and rounded at the end.
@Suite struct PictureOverflowTests {
  /// By H.273, with Kr and Kb in ten thousandths.
  static let matrices = [(1, 2126, 722), (5, 2990, 1140), (9, 2627, 593)]

  private struct Chance {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// Numerators and a denominator, so that nothing is rounded before the end.
  private func expected(
    _ y: Int, _ u: Int, _ v: Int, depth: Int, isFull: Bool, kr: Int, kb: Int
  ) -> [Int] {
    let one = 1 << (depth - 8)
    let (black, lumaSpan, chromaSpan) =
      isFull
      ? (0, (1 << depth) - 1, (1 << depth) - 1) : (16 * one, 219 * one, 224 * one)
    let (luma, blue, red) = (y - black, u - 128 * one, v - 128 * one)
    let kg = 10_000 - kr - kb
    // All over lumaSpan · chromaSpan · kg · 10,000.
    let base = luma * chromaSpan * kg * 10_000
    let r = base + 2 * (10_000 - kr) * red * lumaSpan * kg
    let b = base + 2 * (10_000 - kb) * blue * lumaSpan * kg
    let g =
      base
      - (2 * (10_000 - kr) * kr * red + 2 * (10_000 - kb) * kb * blue) * lumaSpan
    let whole = lumaSpan * chromaSpan * kg * 10_000
    return [r, g, b].map { value in
      let scaled = Double(value) / Double(whole) * 255
      return Int(min(255, max(0, scaled.rounded())))
    }
  }

  @Test(arguments: matrices, [(1, "yuv444p"), (2, "yuv444p"), (1, "yuv444p10le")])
  func saturatedNoiseIsRight(
    _ matrix: (code: Int, kr: Int, kb: Int), _ form: (range: Int, name: String)
  ) throws {
    let (width, height) = (320, 200)
    let depth = form.name == "yuv444p" ? 8 : 10
    var chance = Chance(state: UInt64(matrix.code * 10 + form.range))
    // Most lie at the ends.
    var numbers: [Int] = []
    for _ in 0..<3 * width * height {
      let extreme = [0, 1, 16, 128, 235, 240, 254, 255][chance.next(8)] << (depth - 8)
      numbers.append(chance.next(3) == 0 ? chance.next(1 << depth) : extreme)
    }
    let bytes =
      depth == 8
      ? numbers.map { UInt8($0) } : numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let frame = try makeFrame(
      width, height, form.name, bytes, matrix: matrix.code, range: form.range)
    for target in ["rgb24", "bgra"] {
      let found = try samples(frame, as: target, width, height)
      var worst = 0
      for pixel in 0..<width * height {
        let wanted = expected(
          numbers[pixel], numbers[width * height + pixel], numbers[2 * width * height + pixel],
          depth: depth, isFull: form.range == 2, kr: matrix.kr, kb: matrix.kb)
        let place = target == "rgb24" ? [0, 1, 2] : [2, 1, 0]
        let step = target == "rgb24" ? 3 : 4
        for channel in 0..<3 {
          worst = max(worst, abs(found[pixel * step + place[channel]] - wanted[channel]))
        }
      }
      #expect(worst <= 1, "\(target)")
    }
  }

  /// Chroma and luma that are scaled overshoot; the largest blue stays one.
  @Test(arguments: matrices) func blueDoesNotWrapWhereChromaIsScaled(
    _ matrix: (code: Int, kr: Int, kb: Int)
  ) throws {
    let (width, height) = (128, 64)
    let half = width * height / 4
    // White beside black in luma, blue beside yellow in chroma, in blocks of eight.
    let luma = (0..<width * height).map { UInt8(($0 / 8) % 2 == 0 ? 255 : 60) }
    let blue = (0..<half).map { UInt8(($0 / 16) % 4 == 3 ? 16 : 255) }
    let red = (0..<half).map { _ in UInt8(128) }
    let frame = try makeFrame(
      width, height, "yuv420p", luma + blue + red, matrix: matrix.code, range: 1)
    for (w, h) in [(200, 100), (96, 48)] {
      let narrow = try samples(frame, as: "rgb24", w, h)
      // Sums of 16 bits have room.
      let wide = try samples(frame, as: "rgb48le", w, h)
      let wrong = zip(narrow, wide).filter { abs($0 - $1 / 257) > 2 }
      #expect(wrong.isEmpty, "\(w) × \(h): \(wrong.count)")
    }
  }
}
