import SystemIO
import Testing

@testable import LibAV

/// Each way that samples can lie in memory, and the ways that conversions take.
@Suite struct PictureFormatTests {
  /// One colour by the formats' definitions in libavutil/pixfmt.h, for red 200, green 100, blue 50 of 255; as
  /// BT.709 of limited range it is 117, 96, 174 (rounded).
  static let pixels: [(name: String, bytes: [UInt8], count: Int)] = [
    ("argb", [255, 200, 100, 50], 1), ("0rgb", [0, 200, 100, 50], 1),
    ("rgb0", [200, 100, 50, 9], 1), ("bgr24", [50, 100, 200], 1),
    ("rgb48be", [200, 200, 100, 100, 50, 50], 1), ("bgr48le", [50, 50, 100, 100, 200, 200], 1),
    ("rgba64be", [200, 200, 100, 100, 50, 50, 255, 255], 1),
    // 802, 401 and 201 of 1023, from the tenth bit down: x2rgb10.
    ("x2rgb10le", [201, 0x44, 0x26, 0x32], 1),
    // 24, 25 and 6 of 31, 63 and 31.
    ("rgb565le", [0x26, 0xc3], 1),
    ("yuyv422", [117, 96, 117, 174], 2), ("uyvy422", [96, 117, 174, 117], 2),
  ]

  @Test(arguments: pixels) func packedPixelsAreRead(
    _ pixel: (name: String, bytes: [UInt8], count: Int)
  ) throws {
    let (width, height) = (38, 3)
    let count = width * height / pixel.count
    let data = (0..<count).flatMap { _ in pixel.bytes }
    let frame = try makeFrame(width, height, pixel.name, data, matrix: 1, range: 1)
    let tolerance = pixel.name == "rgb565le" ? 5 : 2
    for (wide, high) in [(38, 3), (11, 2)] {
      let found = try samples(frame, as: "rgb24", wide, high)
      let isRight = found.enumerated().allSatisfy {
        abs($0.element - [200, 100, 50][$0.offset % 3]) <= tolerance
      }
      #expect(isRight, "\(found.prefix(6))")
    }
  }

  /// Planes with noise come back from each format that holds as much.
  @Test(arguments: [
    ("yuv422p", "yuyv422"), ("yuv422p", "uyvy422"), ("yuv420p", "nv12"), ("yuv420p", "nv21"),
    ("yuv444p", "nv24"), ("yuv420p10le", "p010le"), ("yuv420p10le", "p010be"),
    ("yuv420p10le", "yuv420p10be"), ("gray", "ya8"), ("gray16le", "ya16be"), ("gbrp", "rgb24"),
    ("gbrp", "argb"), ("gbrap", "abgr"), ("gbrp16le", "bgr48be"), ("gbrap16le", "rgba64le"),
    ("gbrp10le", "gbrp10be"), ("yuva420p", "yuva420p"), ("yuva444p10le", "yuva444p10be"),
  ]) func samplesComeBack(_ name: String, _ other: String) throws {
    for (width, height) in [(34, 6), (130, 8)] {
      let (format, between) = (
        try #require(PixelFormat(name: name)), try #require(PixelFormat(name: other))
      )
      let layout = try PictureLayout(width: width, height: height, format: format)
      let depth = format.bitsPerComponent
      var chance = Chance(state: 5)
      let numbers = (0..<(layout.size / (depth > 8 ? 2 : 1))).map { _ in chance.next(1 << depth) }
      let frame = try makeFrame(
        width, height, name, bytes(numbers, depth), matrix: 1, range: 2)
      var converter = PictureConverter()
      let there = try converter.frame(
        from: frame, to: PictureLayout(width: width, height: height, format: between))
      let back = try samples(
        there, as: name, width, height, color: PictureColor(matrix: 1, isFullRange: true))
      #expect(back == numbers, "\(width) × \(height)")
    }
  }

  @Test func eachConversionIsCounted() throws {
    // Other tests convert meanwhile, so that each count is a least one.
    func count(_ way: Counters.Conversion, _ body: () throws -> Void) throws -> Int {
      let before = Counters.now.conversions[way] ?? 0
      for _ in 0..<3 { try body() }
      return (Counters.now.conversions[way] ?? 0) - before
    }
    let frame = try makeFlatFrame(16, 16, "yuv420p", [90, 100, 110], matrix: 1, range: 1)
    let low = try makeFlatFrame(16, 16, "rgb565le", [7, 9])
    #expect(try count(.copy) { _ = try samples(frame, as: "yuv420p", 16, 16) } >= 3)
    #expect(try count(.kernel) { _ = try samples(frame, as: "rgb24", 16, 16) } >= 3)
    #expect(try count(.zimg) { _ = try samples(frame, as: "rgb24", 8, 8) } >= 3)
    #expect(try count(.swscale) { _ = try samples(low, as: "rgb24", 16, 16) } >= 3)
  }
}
