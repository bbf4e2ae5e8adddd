import SystemIO
import Testing

@testable import LibAV

@Suite struct PictureConverterTests {
  /// Formats with elements of 1, 2, 3, 4, 6 and 8 bytes, and with halved chroma.
  static let formats = [
    "gray", "gray16le", "rgb24", "rgba", "rgb48le", "rgba64le", "yuv420p", "yuv420p10le", "nv12",
  ]

  private func noise(_ layout: PictureLayout) -> [UInt8] {
    let isDeep = layout.format.bitsPerComponent == 10
    return (0..<layout.size).map { (index: Int) -> UInt8 in
      if isDeep, index % 2 == 1 { return UInt8(index / 2 % 4) }
      return UInt8(truncatingIfNeeded: index * 37 + 11)
    }
  }

  @Test(arguments: formats, Orientation.allCases) func turnsMoveEveryElement(
    _ name: String, _ orientation: Orientation
  ) throws {
    for (width, height) in [(1, 1), (7, 5), (65, 131), (130, 3)] {
      let format = try #require(PixelFormat(name: name))
      let stored = try PictureLayout(width: width, height: height, format: format)
      let bytes = noise(stored)
      let frame = try makeFrame(width, height, name, bytes, matrix: 1, range: 2)
      let shown = try PictureLayout(
        width: orientation.swapsAxes ? height : width,
        height: orientation.swapsAxes ? width : height, format: format)
      var converter = PictureConverter()
      let block = try converter.convert(
        frame, to: shown, orientation: orientation, allocator: HeapAllocator()
      ).block
      let made = block.withBytes { span in (0..<span.count).map { span[$0] } }
      var expected = [UInt8](repeating: 0, count: shown.size)
      for (plane, place) in shown.planes.enumerated() {
        let (columns, size) = shown.elements(of: plane)
        let source = stored.planes[plane]
        for y in 0..<place.height {
          for x in 0..<columns {
            let from = orientation.source(
              x: x, y: y, width: stored.elements(of: plane).width, height: source.height)
            for byte in 0..<size {
              expected[place.offset + y * place.bytesPerRow + x * size + byte] =
                bytes[source.offset + from.y * source.bytesPerRow + from.x * size + byte]
            }
          }
        }
      }
      try #require(made == expected, "\(width) × \(height)")
      // The same as a frame, whose rows have padding.
      let turned = try converter.frame(from: frame, to: shown, orientation: orientation)
      let again = try samples(turned, as: name, shown.width, shown.height)
      let direct = try samples(
        frame, as: name, shown.width, shown.height, orientation: orientation)
      try #require(again == direct)
    }
  }

  /// Every rectangle is cut out to the pixel, at odd places too: luma is the source's.
  @Test(arguments: [
    "gray", "gray10le", "rgb24", "rgba", "gbrp", "yuv420p", "yuv422p", "yuv444p", "nv12", "yuyv422",
    "yuv420p10le", "p010le", "yuv410p", "rgb48le",
  ]) func cutsAreExact(_ name: String) throws {
    let (width, height) = (16, 12)
    let format = try #require(PixelFormat(name: name))
    let isRGB = format.isRGB
    // A ramp with an own value for each place, in luma only.
    let ramp = try makeFrame(
      width, height, isRGB ? "rgb24" : "gray",
      (0..<(width * height)).flatMap { index in
        [UInt8](repeating: UInt8(20 + index), count: isRGB ? 3 : 1)
      }, matrix: 1, range: 2)
    var converter = PictureConverter()
    let frame = try converter.frame(
      from: ramp, to: PictureLayout(width: width, height: height, format: format),
      color: PictureColor(matrix: 1, isFullRange: true))
    for part in [(0, 0, 16, 12), (1, 0, 3, 3), (2, 2, 4, 4), (3, 5, 1, 1), (5, 3, 11, 9)] {
      let rectangle = PictureRectangle(x: part.0, y: part.1, width: part.2, height: part.3)
      let made = try samples(
        frame, as: "rgb24", rectangle.width, rectangle.height, crop: rectangle)
      for y in 0..<rectangle.height {
        for x in 0..<rectangle.width {
          let expected = 20 + (y + rectangle.y) * width + x + rectangle.x
          let value = made[(y * rectangle.width + x) * 3 + 1]
          try #require(abs(value - expected) <= 1, "\(part) (\(x), \(y)): \(value), \(expected)")
        }
      }
    }
  }

  @Test func cutsStayWithinThePicture() throws {
    let beyond = PictureRectangle(x: 6, y: -3, width: Int.max, height: 5)
    #expect(
      beyond.within(width: 8, height: 8) == nil
        || beyond.within(width: 8, height: 8)
          == PictureRectangle(x: 6, y: 0, width: 2, height: 2)
    )
    #expect(
      PictureRectangle(x: 8, y: 0, width: 1, height: 1).within(width: 8, height: 8) == nil)
    let frame = try makeFlatFrame(8, 8, "gray", [9])
    #expect(throws: LibAVError.self) {
      try samples(
        frame, as: "gray", 4, 4, crop: PictureRectangle(x: 9, y: 9, width: 4, height: 4))
    }
  }

  /// One converter, many pictures: nothing of one is left in the next.
  @Test func setupsDoNotMix() throws {
    var converter = PictureConverter()
    for round in 0..<3 {
      for name in Self.formats {
        for (size, range) in [(16, 1), (9, 2)] {
          let format = try #require(PixelFormat(name: name))
          let layout = try PictureLayout(width: 16, height: 16, format: format)
          let frame = try makeFrame(16, 16, name, noise(layout), matrix: 1, range: range)
          let target = try PictureLayout(width: size, height: size, format: .rgb24)
          let block = try converter.convert(
            frame, to: target, color: .rgb, allocator: HeapAllocator()
          ).block
          let bytes = block.withBytes { span in (0..<span.count).map { Int(span[$0]) } }
          let alone = try samples(frame, as: "rgb24", size, size)
          try #require(bytes == alone, "\(name) \(round)")
        }
      }
    }
  }
}
