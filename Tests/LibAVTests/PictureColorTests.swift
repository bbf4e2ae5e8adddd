import Foundation
import Testing

@testable import LibAV

/// The published formulas, in `Double`s: BT.601-7, BT.709-6, BT.2020-2; H.273, equations 11 to 34.
struct Formula {
  let kr: Double
  let kb: Double
  let depth: Int
  let isFullRange: Bool

  init(matrix: Int, depth: Int, isFullRange: Bool) {
    switch matrix {
    case 1: (kr, kb) = (0.2126, 0.0722)
    case 9: (kr, kb) = (0.2627, 0.0593)
    case 7: (kr, kb) = (0.212, 0.087)
    case 4: (kr, kb) = (0.30, 0.11)
    default: (kr, kb) = (0.299, 0.114)
    }
    self.depth = depth
    self.isFullRange = isFullRange
  }

  private var unit: Double { Double(1 << (depth - 8)) }
  private var most: Double { Double(1 << depth - 1) }

  /// From 0 to 1, clipped.
  func rgb(_ y: Int, _ cb: Int, _ cr: Int) -> [Double] {
    let middle = 128 * unit
    let luma = isFullRange ? Double(y) / most : (Double(y) - 16 * unit) / (219 * unit)
    let scale = isFullRange ? most : 224 * unit
    let (pb, pr) = ((Double(cb) - middle) / scale, (Double(cr) - middle) / scale)
    let r = luma + 2 * (1 - kr) * pr
    let b = luma + 2 * (1 - kb) * pb
    let g = (luma - kr * r - kb * b) / (1 - kr - kb)
    return [r, g, b].map { min(1, max(0, $0)) }
  }

  func yuv(_ r: Double, _ g: Double, _ b: Double) -> [Double] {
    let y = kr * r + (1 - kr - kb) * g + kb * b
    let (pb, pr) = ((b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr)))
    if isFullRange { return [y * most, pb * most + 128 * unit, pr * most + 128 * unit] }
    return [(219 * y + 16) * unit, (224 * pb + 128) * unit, (224 * pr + 128) * unit]
  }
}

@Suite struct PictureColorTests {
  static let matrices = [1, 4, 5, 6, 7, 9]

  /// Codes of limited range, 8 bits: grey steps, the primaries' neighbourhood, and skin.
  static let codes = [
    (16, 128, 128), (235, 128, 128), (126, 128, 128), (60, 128, 128), (180, 110, 150),
    (81, 90, 220), (145, 54, 34), (41, 220, 110), (100, 100, 160), (200, 140, 120), (50, 150, 120),
  ]

  @Test(arguments: matrices, [8, 10, 12]) func yuvBecomesRGBByTheFormulas(
    _ matrix: Int, _ depth: Int
  ) throws {
    let suffix = depth > 8 ? "\(depth)le" : ""
    for isFullRange in [false, true] {
      let formula = Formula(matrix: matrix, depth: depth, isFullRange: isFullRange)
      for (y, cb, cr) in Self.codes {
        let code = [y, cb, cr].map { $0 << (depth - 8) }
        let expected = formula.rgb(code[0], code[1], code[2])
        for layout in ["yuv420p", "yuv422p", "yuv444p"] {
          let frame = try makeFlatFrame(
            16, 16, layout + suffix, code, matrix: matrix, range: isFullRange ? 2 : 1)
          let bytes = try samples(frame, as: "rgb24", 16, 16)
          let words = try samples(frame, as: "rgb48le", 16, 16)
          for component in 0..<3 {
            let name = "\(layout)\(suffix) matrix \(matrix) full \(isFullRange) \(code)"
            for x in stride(from: component, to: bytes.count, by: 3) {
              try #require(
                abs(Double(bytes[x]) - expected[component] * 255) <= 1.01,
                "\(name): \(bytes[x]) for \(expected[component] * 255)")
              try #require(
                abs(Double(words[x]) - expected[component] * 65535) <= 40,
                "\(name): \(words[x]) for \(expected[component] * 65535)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: matrices, ["yuv420p", "yuv444p", "yuv420p10le"]) func rgbBecomesYUVByTheFormulas(
    _ matrix: Int, _ name: String
  ) throws {
    let depth = name.hasSuffix("10le") ? 10 : 8
    let colors = [
      (0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128),
      (200, 150, 120), (10, 200, 100), (30, 40, 220),
    ]
    for isFullRange in [false, true] {
      let formula = Formula(matrix: matrix, depth: depth, isFullRange: isFullRange)
      for (r, g, b) in colors {
        let frame = try makeFlatFrame(16, 16, "rgb24", [r, g, b])
        let made = try samples(
          frame, as: name, 16, 16,
          color: PictureColor(matrix: Int32(matrix), isFullRange: isFullRange))
        let most = Double(1 << depth - 1)
        let expected = formula.yuv(Double(r) / 255, Double(g) / 255, Double(b) / 255)
          .map { min(most, max(0, $0)) }
        let chroma = name == "yuv444p" ? 256 : 64
        let tolerance = depth == 8 ? 1.01 : 3.01
        for (index, value) in made.enumerated() {
          let component = index < 256 ? 0 : (index < 256 + chroma ? 1 : 2)
          try #require(
            abs(Double(value) - expected[component]) <= tolerance,
            "\(name) matrix \(matrix) full \(isFullRange) \((r, g, b)): \(value), \(expected)")
        }
      }
    }
  }

  /// From one matrix to another, the way is over RGB: a JPEG of BT.709 or BT.2020 is BT.601.
  @Test(arguments: [1, 9], ["yuv420p", "yuv420p10le"]) func matricesAreChanged(
    _ matrix: Int, _ name: String
  ) throws {
    let depth = name.hasSuffix("10le") ? 10 : 8
    let source = Formula(matrix: matrix, depth: depth, isFullRange: false)
    let target = Formula(matrix: 6, depth: 8, isFullRange: true)
    for (y, cb, cr) in [(126, 128, 128), (180, 110, 150), (100, 100, 160), (50, 150, 120)] {
      let code = [y, cb, cr].map { $0 << (depth - 8) }
      let rgb = source.rgb(code[0], code[1], code[2])
      let expected = target.yuv(rgb[0], rgb[1], rgb[2])
      let frame = try makeFlatFrame(16, 16, name, code, matrix: matrix, range: 1)
      let made = try samples(frame, as: "yuvj420p", 16, 16, color: .jpeg)
      for (index, value) in made.enumerated() {
        let component = index < 256 ? 0 : (index < 320 ? 1 : 2)
        try #require(abs(Double(value) - expected[component]) <= 2.01, "\(value), \(expected)")
      }
    }
  }

  /// Grey is the luma, from 0 to the largest number.
  @Test(arguments: [8, 10, 12], [1, 2]) func greyIsFullRange(_ depth: Int, _ range: Int) throws {
    let suffix = depth > 8 ? "\(depth)le" : ""
    for y in [16, 60, 126, 200, 235] {
      let code = y << (depth - 8)
      let middle = 128 << (depth - 8)
      let light = Formula(matrix: 1, depth: depth, isFullRange: range == 2)
        .rgb(code, middle, middle)[1]
      for source in ["yuv420p", "gray"] where !(source == "gray" && depth == 8 && range == 1) {
        let values = source == "gray" ? [code] : [code, middle, middle]
        let frame = try makeFlatFrame(16, 16, source + suffix, values, matrix: 1, range: range)
        for value in try samples(frame, as: "gray", 16, 16) {
          try #require(abs(Double(value) - light * 255) <= 1.01, "\(source)\(suffix) \(y)")
        }
        for value in try samples(frame, as: "gray16le", 16, 16) {
          try #require(abs(Double(value) - light * 65535) <= 40, "\(source)\(suffix) \(y)")
        }
        for value in try samples(frame, as: "rgb24", 16, 16) {
          try #require(abs(Double(value) - light * 255) <= 1.01, "\(source)\(suffix) \(y)")
        }
      }
    }
  }

  @Test func limitedGreyIsStretched() throws {
    let frame = try makeFlatFrame(16, 16, "gray", [126], range: 1)
    for format in ["gray", "rgb24"] {
      #expect(try samples(frame, as: format, 16, 16).allSatisfy { abs($0 - 128) <= 1 }, "\(format)")
    }
    // Without a word it is full range, as PNG has it, and video range as YUV.
    let plain = try makeFlatFrame(16, 16, "gray", [126])
    #expect(try samples(plain, as: "rgb24", 16, 16).allSatisfy { $0 == 126 })
    let video = try samples(plain, as: "yuv420p", 16, 16)
    #expect(video.prefix(256).allSatisfy { abs($0 - 124) <= 1 })
    #expect(video.dropFirst(256).allSatisfy { $0 == 128 })
  }

  @Test(arguments: [0, 8, 10, 11, 13, 14]) func matricesWithoutATableAreNoGuess(
    _ matrix: Int
  ) throws {
    let frame = try makeFlatFrame(16, 16, "yuv420p10le", [400, 500, 600], matrix: matrix, range: 1)
    guard matrix != 0 else {
      // RGB's number has no meaning for YUV.
      #expect(PictureColor(of: frame).matrix == PictureColor.bt601)
      return
    }
    #expect(!PictureColor(of: frame).isConvertible)
    #expect(throws: LibAVError.self) { try samples(frame, as: "rgb24", 16, 16) }
    #expect(throws: LibAVError.self) { try samples(frame, as: "yuvj420p", 16, 16, color: .jpeg) }
    // A frame that stays in its matrix needs none.
    let kept = try samples(frame, as: "yuv420p10le", 16, 16)
    #expect(kept.prefix(256).allSatisfy { $0 == 400 })
    #expect(try samples(frame, as: "yuv420p10le", 8, 8).prefix(64).allSatisfy { $0 == 400 })
  }

  @Test func alphaIsKeptAsItIs() throws {
    let frame = try makeFlatFrame(8, 8, "rgba", [200, 100, 50, 77])
    let bgra = try samples(frame, as: "bgra", 8, 8)
    #expect(Array(bgra.prefix(4)) == [50, 100, 200, 77])
    let deep = try samples(frame, as: "rgba64le", 8, 8)
    try #require(deep.count == 8 * 8 * 4)
    #expect(zip(deep, [200, 100, 50, 77]).allSatisfy { abs($0 - $1 * 257) < 20 })
    let small = try samples(frame, as: "rgba", 3, 3)
    #expect(small == (0..<9).flatMap { _ in [200, 100, 50, 77] })
    // Nothing is blended where there is no alpha.
    #expect(try Array(samples(frame, as: "rgb24", 8, 8).prefix(3)) == [200, 100, 50])
    let yuva = try makeFlatFrame(8, 8, "yuva420p", [126, 128, 128, 33], matrix: 1, range: 1)
    #expect(try samples(yuva, as: "rgba", 8, 8)[3] == 33)
    // Without alpha pictures are opaque.
    let opaque = try makeFlatFrame(8, 8, "yuv420p", [126, 128, 128], matrix: 1, range: 1)
    #expect(try samples(opaque, as: "rgba", 8, 8)[3] == 255)
    #expect(try samples(opaque, as: "rgba64le", 8, 8)[3] == 65535)
  }

  @Test func palettesAreLookedUp() throws {
    var bytes: [UInt8] = [0, 1, 2, 1]
    // Alpha, red, green, blue as native words.
    for entry in 0..<256 {
      let color: UInt32 = [0xff10_2030, 0x80fe_dcba, 0x0000_0000][min(entry, 2)]
      withUnsafeBytes(of: color) { bytes += $0 }
    }
    let frame = try makeFrame(2, 2, "pal8", bytes)
    #expect(
      try samples(frame, as: "rgba", 2, 2) == [
        0x10, 0x20, 0x30, 0xff, 0xfe, 0xdc, 0xba, 0x80, 0, 0, 0, 0, 0xfe, 0xdc, 0xba, 0x80,
      ])
    #expect(
      try samples(
        frame, as: "rgb24", 1, 1, crop: PictureRectangle(x: 1, y: 1, width: 1, height: 1))
        == [0xfe, 0xdc, 0xba])
  }

  @Test(arguments: [("monob", 255), ("monow", 0)]) func singleBitsAreBlackAndWhite(
    _ name: String, _ set: Int
  ) throws {
    let frame = try makeFrame(10, 1, name, [0b1010_0000, 0b0100_0000])
    let expected = [1, 0, 1, 0, 0, 0, 0, 0, 0, 1].map { $0 == 1 ? set : 255 - set }
    #expect(try samples(frame, as: "gray", 10, 1) == expected)
    #expect(try samples(frame, as: "rgb24", 10, 1) == expected.flatMap { [$0, $0, $0] })
  }

  /// The place of chroma matters by half a pixel: a step in chroma, seen in luma's places.
  @Test func chromaLiesWhereTheFrameSays() throws {
    let luma = [UInt8](repeating: 126, count: 32 * 8)
    let row = (0..<16).map { UInt8($0 < 8 ? 90 : 166) }
    let chroma = (0..<4).flatMap { _ in row }
    func reds(_ location: Int) throws -> [Int] {
      let frame = try makeFrame(
        32, 8, "yuv420p", luma + [UInt8](repeating: 128, count: 64) + chroma, matrix: 1, range: 1,
        chroma: location)
      let rgb = try samples(frame, as: "rgb24", 32, 8)
      return (0..<32).map { rgb[(4 * 32 + $0) * 3] }
    }
    let (left, center, unspecified) = (try reds(1), try reds(2), try reds(0))
    #expect(left == unspecified)
    #expect(left != center)
    // Symmetric around the middle of the picture when chroma lies between the pixels …
    #expect(abs(center[15] + center[16] - center[10] - center[21]) <= 2)
    // … and half a pixel further left, on a luma sample, when it doesn't.
    #expect(left[15] > center[15] && left[16] > center[16])
    #expect(abs(2 * left[15] - left[10] - left[21]) <= 1)
  }
}
