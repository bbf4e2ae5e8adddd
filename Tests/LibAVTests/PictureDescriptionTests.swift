import SystemIO
import Testing

@testable import LibAV

/// The colour properties of a converted picture.
@Suite struct PictureDescriptionTests {
  /// The places that have a number by H.273, in 1/256 of a pixel from the first one.
  static let places: [Int32: (x: Int, y: Int)] = [
    1: (0, 128), 2: (128, 128), 3: (0, 0), 4: (128, 0), 5: (0, 256), 6: (128, 256),
  ]

  private func made(
    _ frame: borrowing Frame, _ name: String, _ width: Int, _ height: Int,
    color: PictureColor? = nil, orientation: Orientation = .up, crop: PictureRectangle? = nil,
    toneMap: ToneMap? = nil
  ) throws -> (color: ColorDescription, bytes: [UInt8]) {
    let format = try #require(PixelFormat(name: name))
    var converter = PictureConverter()
    let (block, description) = try converter.convert(
      frame, to: PictureLayout(width: width, height: height, format: format),
      color: color ?? PictureColor(of: frame, as: format), orientation: orientation, crop: crop,
      toneMap: toneMap, allocator: HeapAllocator())
    return (description, block.withBytes { span in (0..<span.count).map { span[$0] } })
  }

  /// Chroma whose values encode their own place: the reported location of a turned picture is where
  /// the chroma has come to, and no location is reported only where there is no number for it.
  @Test(arguments: Orientation.allCases, Int32(0)...6) func turnedChromaIsWhereItIsSaidToBe(
    _ orientation: Orientation, _ location: Int32
  ) throws {
    for (width, height) in [(20, 14), (21, 14), (20, 15), (21, 15)] {
      let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
      let place = try #require(Self.places[location == 0 ? 1 : location])
      func u(_ x: Int) -> Int { 40 + x / 64 }
      func v(_ y: Int) -> Int { 60 + y / 64 }
      let frame = try makeFrame(
        width, height, "yuv420p",
        [UInt8](repeating: 100, count: width * height)
          + (0..<(columns * rows)).map { UInt8(u($0 % columns * 512 + place.x)) }
          + (0..<(columns * rows)).map { UInt8(v($0 / columns * 512 + place.y)) },
        matrix: 1, range: 1, chroma: Int(location))
      let shown = orientation.swapsAxes ? (height, width) : (width, height)
      let (color, bytes) = try made(
        frame, "yuv420p", shown.0, shown.1, orientation: orientation)
      let (wide, high) = ((shown.0 + 1) / 2, (shown.1 + 1) / 2)
      func lies(at place: (x: Int, y: Int)) -> Bool {
        (0..<high).allSatisfy { y in
          (0..<wide).allSatisfy { x in
            let stored = orientation.source(
              x: x * 512 + place.x, y: y * 512 + place.y, width: (width - 1) * 256 + 1,
              height: (height - 1) * 256 + 1)
            let index = width * height + y * wide + x
            return Int(bytes[index]) == u(stored.x)
              && Int(bytes[index + wide * high]) == v(stored.y)
          }
        }
      }
      if let said = Self.places[color.chromaLocation] {
        #expect(lies(at: said), "\(width) × \(height): \(color.chromaLocation)")
      } else if location == 0, orientation == .up {
        #expect(color.chromaLocation == 0)
      } else {
        #expect(!Self.places.values.contains(where: lies), "\(width) × \(height)")
      }
    }
  }

  /// The location of a picture that isn't turned: kept, or where the conversion has put it.
  @Test(arguments: [
    ("yuv420p", 0, "yuv420p", 0), ("yuv420p", 3, "yuv420p", 3), ("yuv420p", 3, "yuv420p10le", 3),
    ("yuv420p10le", 2, "yuv420p", 2), ("nv12", 3, "yuv420p", 3), ("yuv444p", 2, "yuv420p", 1),
    ("yuv422p", 3, "yuv420p", 1), ("yuvj420p", 0, "yuv420p", 2), ("yuvj420p", 2, "yuv420p", 2),
    ("yuvj420p", 1, "yuv420p", 1), ("yuv420p", 1, "yuvj420p", 2), ("rgb24", 0, "yuv420p", 1),
    ("gray", 0, "yuv420p", 0), ("yuv420p", 3, "rgb24", 0), ("yuv420p", 3, "gray", 0),
    ("yuv420p", 3, "yuv444p", 0),
  ]) func chromaLocation(_ source: String, _ location: Int, _ target: String, _ expected: Int)
    throws
  {
    let format = try #require(PixelFormat(name: source))
    let size = try PictureLayout(width: 16, height: 16, format: format).size
    let frame = try makeFrame(
      16, 16, source, [UInt8](repeating: 1, count: size), matrix: 1,
      range: source.hasPrefix("yuvj") ? 2 : 1, chroma: location)
    for side in [16, 8] {
      #expect(try made(frame, target, side, side).color.chromaLocation == expected, "\(side)")
    }
    // Frames report the same.
    var converter = PictureConverter()
    let layout = try PictureLayout(
      width: 8, height: 8, format: #require(PixelFormat(name: target)))
    let again = try converter.frame(
      from: frame, to: layout, color: PictureColor(of: frame, as: layout.format))
    #expect(again.color.chromaLocation == expected)
  }

  /// A JPEG's chroma in the centre stays there when the picture is made smaller.
  @Test func smallerStillsKeepTheirChroma() throws {
    let (width, height) = (64, 16)
    let luma = [UInt8](repeating: 100, count: width * height)
    let ramp = (0..<256).map { (index: Int) -> UInt8 in UInt8(40 + 4 * (index % 32)) }
    let frame = try makeFrame(
      width, height, "yuvj420p", luma + ramp + ramp, matrix: 5, range: 2, chroma: 2)
    let (color, bytes) = try made(frame, "yuv420p", 32, 8)
    #expect(color.chromaLocation == 2)
    // Both centres of four pixels: sample i is between those of 2 i and 2 i + 1.
    for x in 3..<13 {
      let expected = 40 + 4 * 2 * x + 2
      #expect(abs(Int(bytes[32 * 8 + x]) - expected) <= 1, "\(x)")
    }
  }

  /// A cut between two chroma samples interpolates the chroma, in the same places of its own
  /// samples.
  @Test func cutChromaIsWhereItIsSaidToBe() throws {
    // Luma encodes its own place, and chroma, on every other sample, twice its own.
    let luma = (0..<256).map { (index: Int) -> UInt8 in UInt8(20 + 10 * (index % 16)) }
    let chroma = (0..<64).map { (index: Int) -> UInt8 in UInt8(20 + 20 * (index % 8)) }
    let frame = try makeFrame(
      16, 16, "yuv420p", luma + chroma + chroma, matrix: 1, range: 1, chroma: 3)
    for x in [2, 3, 5] {
      let crop = PictureRectangle(x: x, y: 1, width: 8, height: 8)
      let (color, bytes) = try made(frame, "yuv420p", 8, 8, crop: crop)
      #expect(color.chromaLocation == 3)
      #expect(bytes.prefix(8) == luma[x..<(x + 8)])
      #expect((0..<4).allSatisfy { Int(bytes[64 + $0]) == 20 + 10 * (x + 2 * $0) })
    }
  }

  /// The source, its matrix and range; the target, its matrix and range after the conversion.
  @Test(arguments: [
    ("yuv420p", 9, 1, "yuv420p", 9, 1), ("yuv420p", 9, 2, "yuv420p", 9, 2),
    // Nothing was stated, and nothing had to be known.
    ("yuv420p", 2, 0, "yuv420p", 2, 1), ("yuv444p", 2, 0, "yuv420p", 2, 1),
    // RGB's number has no meaning for YUV.
    ("yuv420p", 0, 1, "yuv420p", 2, 1), ("yuv420p", 12, 1, "yuv420p", 12, 1),
    ("yuv420p", 8, 1, "yuv420p", 8, 1), ("yuvj420p", 5, 2, "yuv420p", 5, 2),
    // From RGB it is the matrix of the conversion.
    ("rgb24", 2, 0, "yuv420p", 6, 1), ("gbrp", 0, 2, "yuv420p", 6, 1),
    ("rgb24", 1, 2, "yuv420p10le", 1, 1), ("monob", 2, 0, "yuv420p", 6, 1),
    ("pal8", 2, 0, "yuv420p", 6, 1), ("pal8", 2, 0, "rgb24", 2, 2),
    // RGB and grey have none, and are full range.
    ("yuv420p", 1, 1, "rgb24", 2, 2), ("yuv420p", 1, 1, "gray", 2, 2),
    ("yuv420p10le", 9, 1, "gray16le", 2, 2), ("yuv420p10le", 9, 1, "rgba64le", 2, 2),
    ("rgb24", 2, 0, "rgba", 2, 2), ("gray", 5, 2, "gray", 2, 2),
  ]) func matrixAndRange(
    _ source: String, _ matrix: Int, _ range: Int, _ target: String, _ madeMatrix: Int,
    _ madeRange: Int
  ) throws {
    let format = try #require(PixelFormat(name: source))
    let size =
      format.hasPalette
      ? 16 * 16 + 1024
      : (format.isOneBit ? 32 : try PictureLayout(width: 16, height: 16, format: format).size)
    let frame = try makeFrame(
      16, 16, source, [UInt8](repeating: 1, count: size), matrix: matrix, range: range,
      transfer: 13,
      primaries: 11)
    let color = try made(frame, target, 16, 16).color
    #expect(color.matrix == Int32(madeMatrix))
    #expect(color.range == Int32(madeRange))
    // Nothing has touched them.
    #expect(color.primaries == 11 && color.transfer == 13)
  }

  @Test func mappedTonesAreBT709() throws {
    let frame = try makeFlatFrame(
      16, 16, "yuv420p10le", [500, 512, 512], matrix: 9, range: 1, transfer: 16, primaries: 9)
    let map = ToneMap.shared(
      ToneMap.Source(transfer: .pq, primaries: .bt2020, peak: 1000))
    let limited = PictureColor(matrix: PictureColor.bt709, isFullRange: false)
    let video = try made(frame, "yuv420p", 16, 16, color: limited, toneMap: map).color
    #expect((video.primaries, video.transfer, video.matrix, video.range) == (1, 1, 1, 1))
    let rgb = try made(frame, "rgb24", 16, 16, color: .rgb, toneMap: map).color
    #expect((rgb.primaries, rgb.transfer, rgb.matrix, rgb.range) == (1, 1, 2, 2))
    let same = try made(frame, "rgb48le", 16, 16).color
    #expect((same.primaries, same.transfer, same.matrix, same.range) == (9, 16, 2, 2))
  }
}
