import SystemIO
import Testing

@testable import LibAV

/// Pictures in other sizes.
@Suite struct PictureScalingTests {
  static let sizes = [
    ((96, 64), (48, 32)), ((97, 65), (48, 32)), ((96, 64), (33, 21)), ((101, 51), (51, 25)),
    ((64, 48), (97, 65)), ((41, 31), (41, 20)), ((41, 31), (40, 31)),
    ((200, 20), (99, 20)),
  ]

  /// Luma and chroma that encode their own place still do, in any size: nothing has moved by more
  /// than a twentieth of a pixel. (The filter is not quite linear.)
  @Test(
    arguments: sizes,
    [
      ("yuv420p16le", "yuv420p16le"), ("yuv420p16le", "yuv444p16le"),
      ("yuv444p16le", "yuv420p16le"),
    ]
  ) func aRampStaysARamp(
    _ size: ((Int, Int), (Int, Int)), _ form: (source: String, target: String)
  ) throws {
    let ((width, height), (wide, high)) = size
    let slope = 200.0
    func chroma(_ name: String) -> (Int, Double) { name.contains("444") ? (1, 0) : (2, 0.5) }
    let (from, fromOffset) = chroma(form.source)
    let (to, toOffset) = chroma(form.target)
    let (columns, rows) = ((width + from - 1) / from, (height + from - 1) / from)
    func level(_ place: Double) -> Int { Int((8000 + slope * place).rounded()) }
    // In the middle of the first pixel is 0.5. Chroma on the left shares luma's columns.
    let luma = (0..<(width * height)).map { level(Double($0 % width) + 0.5) }
    let across = (0..<(columns * rows)).map { level(Double($0 % columns * from) + 0.5) }
    let down = (0..<(columns * rows)).map {
      level(Double($0 / columns * from) + 0.5 + fromOffset)
    }
    let frame = try makeFrame(
      width, height, form.source, bytes(luma + across + down, 16), matrix: 1, range: 2)
    let found = try samples(frame, as: form.target, wide, high)
    let (wideChroma, highChroma) = ((wide + to - 1) / to, (high + to - 1) / to)
    let (ratioX, ratioY) = (Double(width) / Double(wide), Double(height) / Double(high))
    // Where a filter reaches the edge, it reads mirrored samples.
    let margin = 8
    func check(_ value: Int, _ place: Double, _ what: String) throws {
      let difference = abs(Double(value) - Double(level(place)))
      try #require(difference <= slope / 20 * max(1, ratioX), "\(what)")
    }
    for y in margin..<(high - margin) {
      for x in margin..<(wide - margin) {
        try check(found[y * wide + x], (Double(x) + 0.5) * ratioX, "luma at \(x)")
      }
    }
    for y in (margin / to)..<(highChroma - margin / to) {
      for x in (margin / to)..<(wideChroma - margin / to) {
        let place = wide * high + y * wideChroma + x
        try check(found[place], (Double(x * to) + 0.5) * ratioX, "Cb at \(x)")
        let row = (Double(y * to) + 0.5 + toOffset) * ratioY
        try check(found[place + wideChroma * highChroma], row, "Cr at \(y)")
      }
    }
  }

  @Test(arguments: sizes, ["rgb24", "gray", "rgb48le", "yuv444p"]) func mirrorsAreMirrored(
    _ size: ((Int, Int), (Int, Int)), _ name: String
  ) throws {
    let ((width, height), (wide, high)) = size
    let format = try #require(PixelFormat(name: name))
    let layout = try PictureLayout(width: width, height: height, format: format)
    var chance = Chance(state: UInt64(width))
    let frame = try makeFrame(
      width, height, name, (0..<layout.size).map { _ in UInt8(chance.next(256)) }, matrix: 1,
      range: 2)
    var converter = PictureConverter()
    let mirrored = try converter.frame(from: frame, to: layout, orientation: .mirrored)
    let direct = try samples(frame, as: name, wide, high, orientation: .mirrored)
    let turned = try samples(mirrored, as: name, wide, high)
    #expect(zip(direct, turned).allSatisfy { abs($0 - $1) <= 1 })
  }

  /// Keys' cubic with B = 0 and C = 0.6, as wide as a pixel of the smaller picture, in floating point.
  @Test(arguments: sizes, [8, 16]) func theFilterIsBicubic(
    _ size: ((Int, Int), (Int, Int)), _ depth: Int
  ) throws {
    let ((width, height), (wide, high)) = size
    var chance = Chance(state: UInt64(wide + depth))
    // Far enough from the ends: nothing that overshoots is clipped, between the two directions either.
    let unit = 1 << (depth - 8)
    let numbers = (0..<(width * height)).map { _ in chance.next(100 * unit) + 78 * unit }
    let name = depth == 8 ? "gray" : "gray16le"
    let frame = try makeFrame(width, height, name, bytes(numbers, depth), range: 2)
    let found = try samples(frame, as: name, wide, high)
    func cubic(_ distance: Double) -> Double {
      let (x, c) = (abs(distance), 0.6)
      if x < 1 { return (2 - c) * x * x * x + (c - 3) * x * x + 1 }
      return x < 2 ? -c * x * x * x + 5 * c * x * x - 8 * c * x + 4 * c : 0
    }
    func weights(_ place: Int, _ from: Int, _ to: Int) -> [Double] {
      let ratio = Double(from) / Double(to)
      let (center, stretch) = ((Double(place) + 0.5) * ratio, max(1, ratio))
      var result = [Double](repeating: 0, count: from)
      for index in Int(center - 2 * stretch - 1)...Int(center + 2 * stretch + 1) {
        let mirrored = index < 0 ? -1 - index : (index >= from ? 2 * from - 1 - index : index)
        result[mirrored] += cubic((Double(index) + 0.5 - center) / stretch)
      }
      let sum = result.reduce(0, +)
      return result.map { $0 / sum }
    }
    let (across, down) = (
      (0..<wide).map { weights($0, width, wide) }, (0..<high).map { weights($0, height, high) }
    )
    var worst = 0.0
    for y in 0..<high {
      for x in 0..<wide {
        var sum = 0.0
        for row in 0..<height where down[y][row] != 0 {
          for column in 0..<width where across[x][column] != 0 {
            sum += down[y][row] * across[x][column] * Double(numbers[row * width + column])
          }
        }
        worst = max(worst, abs(Double(found[y * wide + x]) - sum))
      }
    }
    // zimg's factors have 14 bits.
    #expect(worst <= (depth == 8 ? 1 : 8))
  }

  /// Sums of saturated colours overshoot where chroma and luma are scaled, and are cut off at the end only: with 16
  /// bits as with 8.
  @Test(arguments: ExactFormula.matrices) func saturatedColoursAreCutOffLast(
    _ matrix: (code: Int, kr: Int, kb: Int)
  ) throws {
    let (width, height) = (128, 64)
    let half = width * height / 4
    // White next to black in luma, blue next to yellow in chroma, in blocks of eight.
    let luma = (0..<width * height).map { UInt8(($0 / 8) % 2 == 0 ? 255 : 60) }
    let blue = (0..<half).map { UInt8(($0 / 16) % 4 == 3 ? 16 : 255) }
    let red = (0..<half).map { _ in UInt8(128) }
    let frame = try makeFrame(
      width, height, "yuv420p", luma + blue + red, matrix: matrix.code, range: 1)
    for (w, h) in [(200, 100), (96, 48), (130, 50)] {
      let narrow = try samples(frame, as: "rgb24", w, h)
      let wide = try samples(frame, as: "rgb48le", w, h)
      let wrong = zip(narrow, wide).filter { abs(Double($0) - Double($1) / 257) > 2 }
      #expect(wrong.isEmpty, "\(w) × \(h): \(wrong.count)")
    }
  }
}
