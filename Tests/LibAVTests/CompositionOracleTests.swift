import Foundation
import SystemIO
import TestSupport
import Testing

@testable import LibAV

/// Frames compared with the output of ffmpeg's filters for the same layers.
@Suite struct CompositionOracleTests {
  /// Raw pictures of ffmpeg, of two raw pictures.
  private func ffmpeg(
    _ inputs: [(bytes: [UInt8], width: Int, height: Int, format: String)], _ filter: String,
    as format: String
  ) throws -> [Int] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reelwire-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = ["ffmpeg", "-v", "error"]
    for (index, input) in inputs.enumerated() {
      let file = folder.appendingPathComponent("\(index)")
      try Data(input.bytes).write(to: file)
      arguments += [
        "-f", "rawvideo", "-pix_fmt", input.format, "-s", "\(input.width)x\(input.height)", "-i",
        file.path,
      ]
    }
    arguments += [
      "-filter_complex", filter, "-sws_flags", "bicubic+accurate_rnd+full_chroma_int",
      "-f", "rawvideo", "-pix_fmt", format, "-",
    ]
    return try output(of: arguments).map { Int($0) }
  }

  private func noise(_ count: Int, seed: Int) -> [UInt8] {
    var chance = Chance(state: UInt64(seed))
    return (0..<count).map { _ in UInt8(chance.next(256)) }
  }

  private func worst(_ one: [Int], _ other: [Int]) -> Int {
    one.count == other.count ? zip(one, other).map { abs($0 - $1) }.max() ?? 0 : .max
  }

  /// `overlay=format=gbrp`, which is exact for constant alpha.
  @Test(arguments: [26, 128, 204]) func opacityIsThatOfOverlays(_ alpha: Int) throws {
    let (below, above) = (noise(80 * 60 * 3, seed: 1), noise(40 * 30 * 3, seed: 2))
    var translucent: [UInt8] = []
    for pixel in 0..<(40 * 30) {
      translucent += above[(3 * pixel)..<(3 * pixel + 3)]
      translucent.append(UInt8(alpha))
    }
    let theirs = try ffmpeg(
      [(below, 80, 60, "rgb24"), (translucent, 40, 30, "rgba")],
      "[0][1]overlay=17:9:format=gbrp", as: "rgb24")
    for path in [PictureCompositor.Path.planar, .general] {
      let made = try numbers(
        compose(
          [
            TestLayer(try makeFrame(80, 60, "rgb24", below, range: 2)),
            TestLayer(
              try makeFrame(40, 30, "rgb24", above, range: 2), .move(17, 9),
              opacity: Double(alpha) / 255),
          ], 80, 60, "rgb24", path: path))
      #expect(worst(made, theirs) <= 1)
    }
  }

  @Test func logosAreThoseOfOverlays() throws {
    let (below, logo) = (noise(80 * 60 * 3, seed: 3), noise(40 * 30 * 4, seed: 4))
    let theirs = try ffmpeg(
      [(below, 80, 60, "rgb24"), (logo, 40, 30, "rgba")],
      "[0][1]overlay=17:9:format=gbrp:alpha=straight", as: "rgb24")
    let layers = [
      TestLayer(try makeFrame(80, 60, "rgb24", below, range: 2)),
      TestLayer(try makeFrame(40, 30, "rgba", logo, range: 2), .move(17, 9)),
    ]
    #expect(worst(try numbers(compose(layers, 80, 60, "rgb24")), theirs) <= 1)
  }

  /// A smooth picture of 4:2:0 at an odd place, over black.
  @Test func oddPlacesAreThoseOfOverlaysInRGB() throws {
    let (width, height) = (160, 90)
    let luma = (0..<(width * height)).map { UInt8(30 + $0 % width + $0 / width / 3) }
    let chroma = [0, 1].flatMap { plane in
      (0..<(width * height / 4)).map { index -> UInt8 in
        let (x, y) = (index % (width / 2), index / (width / 2))
        return UInt8(plane == 0 ? 118 + x / 4 : 138 - y / 3)
      }
    }
    let theirs = try ffmpeg(
      [(luma + chroma, width, height, "yuv420p")],
      "[0]setparams=colorspace=bt709:range=tv,"
        + "scale=in_color_matrix=bt709:in_range=tv:flags=bicubic+accurate_rnd+full_chroma_int"
        + "+full_chroma_inp,format=gbrp16le,pad=200:120:17:9:black,"
        + "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd"
        + "+full_chroma_int+full_chroma_inp,format=yuv420p",
      as: "yuv420p")
    let layer = TestLayer(
      try makeFrame(width, height, "yuv420p", luma + chroma, matrix: 1, range: 1, chroma: 1),
      .move(17, 9))
    let made = try numbers(compose([layer], 200, 120, "yuv420p"))
    #expect(worst(Array(made[..<(200 * 120)]), Array(theirs[..<(200 * 120)])) <= 2)
    #expect(worst(made, theirs) <= 3)
    // Luma isn't touched at all.
    for y in 0..<height {
      for x in 0..<width {
        try #require(made[(y + 9) * 200 + x + 17] == Int(luma[y * width + x]))
      }
    }
  }

  /// A logo that is made smaller, multiplied by its alpha before.
  @Test func smallerLogosAreThoseThatArePremultiplied() throws {
    // Opaque in the middle, transparent outside, where it has another colour.
    let logo = (0..<(96 * 64)).flatMap { index -> [UInt8] in
      let (x, y) = (index % 96 - 48, index / 96 - 32)
      let alpha = max(0, min(240, 300 - (x * x + y * y) / 3))
      return [UInt8(100 + x), UInt8(128 + 2 * y), alpha > 0 ? 220 : 20, UInt8(alpha)]
    }
    let theirs = try ffmpeg(
      [(logo, 96, 64, "rgba")],
      "[0]format=gbrap16le,premultiply=inplace=1,scale=48:32:flags=bicubic,"
        + "unpremultiply=inplace=1,format=rgba[l];"
        + "color=0x336699:s=64x48,format=rgb24,trim=end_frame=1[k];"
        + "[k][l]overlay=8:8:format=gbrp:alpha=straight",
      as: "rgb24")
    let layer = TestLayer(try makeFrame(96, 64, "rgba", logo, range: 2), .move(8, 8, scale: 0.5))
    let colour = (red: 0x33 / 255.0, green: 0x66 / 255.0, blue: 0x99 / 255.0, alpha: 1.0)
    let made = try numbers(compose([layer], 64, 48, "rgb24", background: colour))
    #expect(worst(made, theirs) <= 2)
  }
}
