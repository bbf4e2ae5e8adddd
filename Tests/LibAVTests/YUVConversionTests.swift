import SystemIO
import Testing

@testable import LibAV

/// The conversions by loops of our own against H.273's equations in whole numbers: chroma interpolated with
/// exact weights, one rounding at the end.
@Suite struct YUVConversionTests {
  /// By H.273's number, with the weights of red and blue in ten thousandths.
  static let matrices = [
    1: (2126, 722), 4: (3000, 1100), 5: (2990, 1140), 6: (2990, 1140), 7: (2120, 870),
    9: (2627, 593),
  ]

  static let sources = [
    "yuv420p", "yuvj420p", "nv12", "nv21", "yuv422p", "yuvj422p", "nv16", "yuv440p", "yuv444p",
    "yuvj444p", "nv24", "nv42",
  ]

  /// Places of red, green, blue and opacity.
  static let targets = [
    "rgb24": [0, 1, 2], "bgr24": [2, 1, 0], "rgba": [0, 1, 2, 3], "bgra": [2, 1, 0, 3],
    "argb": [1, 2, 3, 0], "abgr": [3, 2, 1, 0], "rgb0": [0, 1, 2, 3], "bgr0": [2, 1, 0, 3],
    "0rgb": [1, 2, 3, 0], "0bgr": [3, 2, 1, 0], "gray": [0],
  ]

  static let sizes = [
    (1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (5, 4), (15, 3), (16, 2), (17, 5), (33, 7), (64, 3),
    (67, 35), (1023, 3), (1024, 2), (1025, 3), (1026, 3), (2051, 4),
  ]

  /// One picture of samples, without padding.
  private struct Samples {
    let format: PixelFormat
    let width: Int
    let height: Int
    let luma: [Int]
    let cb: [Int]
    let cr: [Int]

    var chromaWidth: Int { Samples.halved(width, format.chromaShift.horizontal) }
    var chromaHeight: Int { Samples.halved(height, format.chromaShift.vertical) }

    /// Rounded up, where there is a shift.
    static func halved(_ length: Int, _ shift: Int) -> Int { (length + shift) >> shift }

    init(_ name: String, _ width: Int, _ height: Int, _ chance: inout Chance) throws {
      format = try #require(PixelFormat(name: name))
      (self.width, self.height) = (width, height)
      let shift = format.chromaShift
      let count = Samples.halved(width, shift.horizontal) * Samples.halved(height, shift.vertical)
      let ends = [0, 1, 15, 16, 17, 127, 128, 129, 235, 240, 254, 255]
      // A third anywhere, the others at the ends, where results are clipped.
      func numbers(_ count: Int) -> [Int] {
        (0..<count).map { _ in
          chance.next(3) == 0 ? chance.next(256) : ends[chance.next(ends.count)]
        }
      }
      luma = numbers(width * height)
      cb = numbers(count)
      cr = numbers(count)
    }

    var bytes: [UInt8] {
      let chroma: [Int] =
        switch format.name ?? "" {
        case "nv12", "nv16", "nv24": zip(cb, cr).flatMap { [$0, $1] }
        case "nv21", "nv42": zip(cr, cb).flatMap { [$0, $1] }
        default: cb + cr
        }
      return (luma + chroma).map { UInt8($0) }
    }

    /// Chroma at a luma sample, in sixteenths. `x` and `y` are where the first sample lies, in half luma
    /// samples.
    func chroma(_ plane: [Int], _ column: Int, _ row: Int, _ x: Int, _ y: Int) -> Int {
      /// The samples around a place on one axis, and the weight of the second one in quarters.
      func neighbours(_ place: Int, _ first: Int, _ isHalved: Bool, _ count: Int) -> (Int, Int, Int)
      {
        guard isHalved else { return (place, place, 0) }
        // In quarters of the distance between two chroma samples.
        let position = 2 * place - first
        let before = Int((Double(position) / 4).rounded(.down))
        func within(_ index: Int) -> Int { min(max(index, 0), count - 1) }
        return (within(before), within(before + 1), position - 4 * before)
      }
      let shift = format.chromaShift
      let (left, right, across) = neighbours(column, x, shift.horizontal == 1, chromaWidth)
      let (top, bottom, down) = neighbours(row, y, shift.vertical == 1, chromaHeight)
      func blended(_ row: Int) -> Int {
        plane[row * chromaWidth + left] * (4 - across) + plane[row * chromaWidth + right] * across
      }
      return blended(top) * (4 - down) + blended(bottom) * down
    }
  }

  /// The nearest whole number of a fraction, halves upwards, from 0 to 255.
  private func level(_ numerator: Int, _ denominator: Int) -> Int {
    let (twice, whole) = (2 * numerator + denominator, 2 * denominator)
    return min(255, max(0, twice < 0 ? 0 : twice / whole))
  }

  /// Red, green and blue of a luma sample and chroma in sixteenths.
  private func rgb(_ y: Int, _ cb: Int, _ cr: Int, isFull: Bool, kr: Int, kb: Int) -> [Int] {
    let one = 10_000
    let kg = one - kr - kb
    let (black, lumaSpan, chromaSpan) = isFull ? (0, 255, 255) : (16, 219, 224)
    let (pb, pr) = (cb - 128 * 16, cr - 128 * 16)
    // All over lumaSpan · chromaSpan · 16 · one · kg.
    let luma = 255 * (y - black) * chromaSpan * 16 * one * kg
    let red = 255 * 2 * (one - kr) * pr * lumaSpan * kg
    let blue = 255 * 2 * (one - kb) * pb * lumaSpan * kg
    let green =
      -255 * 2 * lumaSpan * ((one - kr) * kr * pr + (one - kb) * kb * pb)
    let whole = lumaSpan * chromaSpan * 16 * one * kg
    return [red, green, blue].map { level(luma + $0, whole) }
  }

  /// Half luma samples, by H.273's number of the location; unspecified is left, and the centre for JPEG.
  private func place(_ location: Int, _ name: String) -> (x: Int, y: Int) {
    switch location {
    case 1: (0, 1)
    case 2: (1, 1)
    case 3: (0, 0)
    case 4: (1, 0)
    case 5: (0, 2)
    case 6: (1, 2)
    default: name.hasPrefix("yuvj") ? (1, 1) : (0, 1)
    }
  }

  private struct Difference {
    var count = 0
    var samples = 0
    var worst = 0
  }

  private func compare(
    _ made: [Int], _ picture: Samples, _ target: String, matrix: Int, isFull: Bool, location: Int,
    _ difference: inout Difference
  ) throws {
    let places = try #require(Self.targets[target])
    let (kr, kb) = try #require(Self.matrices[matrix])
    let name = picture.format.name ?? ""
    let (x, y) = place(location, name)
    for row in 0..<picture.height {
      for column in 0..<picture.width {
        let index = row * picture.width + column
        let luma = picture.luma[index]
        var expected: [Int]
        if target == "gray" {
          expected = isFull ? [luma] : [level(255 * (luma - 16), 219)]
        } else {
          expected =
            rgb(
              luma, picture.chroma(picture.cb, column, row, x, y),
              picture.chroma(picture.cr, column, row, x, y), isFull: isFull, kr: kr, kb: kb)
            + [255]
        }
        for (component, place) in places.enumerated() {
          let off = abs(made[index * places.count + place] - expected[component])
          difference.samples += 1
          if off != 0 { difference.count += 1 }
          difference.worst = max(difference.worst, off)
          try #require(
            off <= (component == 3 || target == "gray" ? 0 : 1),
            "\(name) \(picture.width) × \(picture.height) to \(target) (\(column), \(row))")
        }
      }
    }
  }

  /// All formats at all sizes: chroma in different places in turn.
  @Test(arguments: sources) func everySizeAndTargetIsExact(_ source: String) throws {
    var chance = Chance(state: 7)
    var difference = Difference()
    for (index, size) in Self.sizes.enumerated() {
      let picture = try Samples(source, size.0, size.1, &chance)
      let location = index % 7
      for range in source.hasPrefix("yuvj") ? [2] : [1, 2] {
        let frame = try makeFrame(
          size.0, size.1, source, picture.bytes, matrix: 1, range: range, chroma: location)
        for target in size.0 < 1000 ? Array(Self.targets.keys) : ["rgb24", "bgra", "gray"] {
          let made = try samples(frame, as: target, size.0, size.1)
          try compare(
            made, picture, target, matrix: 1, isFull: range == 2, location: location, &difference)
        }
      }
    }
    #expect(difference.samples > 100_000)
    // Almost all are the nearest level, not just a neighbour of it.
    #expect(difference.count * 40 < difference.samples, "\(difference)")
  }

  /// All matrices with chroma in all places.
  @Test(arguments: [1, 4, 5, 6, 7, 9], 0...6) func everyMatrixAndPlaceIsExact(
    _ matrix: Int, _ location: Int
  ) throws {
    var chance = Chance(state: UInt64(matrix * 7 + location))
    var difference = Difference()
    for source in ["yuv420p", "yuv422p", "nv12"] {
      let picture = try Samples(source, 34, 33, &chance)
      for range in [1, 2] {
        let frame = try makeFrame(
          34, 33, source, picture.bytes, matrix: matrix, range: range, chroma: location)
        try compare(
          samples(frame, as: "rgb24", 34, 33), picture, "rgb24", matrix: matrix,
          isFull: range == 2, location: location, &difference)
      }
    }
    #expect(difference.count * 40 < difference.samples, "\(difference)")
  }

  /// Every number of luma with every one of Cb or Cr, which 4:4:4 has side by side.
  @Test(arguments: [1, 4, 6, 7, 9], [1, 2]) func everyNumberIsExact(_ matrix: Int, _ range: Int)
    throws
  {
    let (kr, kb) = try #require(Self.matrices[matrix])
    let luma = (0..<65_536).map { UInt8($0 / 256) }
    let ramp = (0..<65_536).map { UInt8($0 % 256) }
    let backwards = ramp.map { 255 - $0 }
    for (cb, cr) in [(ramp, ramp), (ramp, backwards)] {
      let frame = try makeFrame(256, 256, "yuv444p", luma + cb + cr, matrix: matrix, range: range)
      let made = try samples(frame, as: "rgb24", 256, 256)
      for index in 0..<65_536 {
        let expected = rgb(
          Int(luma[index]), Int(cb[index]) * 16, Int(cr[index]) * 16, isFull: range == 2, kr: kr,
          kb: kb)
        for component in 0..<3 {
          try #require(abs(made[index * 3 + component] - expected[component]) <= 1)
        }
        if cb[index] == 128, cr[index] == 128 {
          // Grey is the nearest, not only near.
          try #require(Array(made[index * 3..<index * 3 + 3]) == expected)
        }
      }
    }
  }

  /// The same bytes from vector instructions and without, and none but those of the picture.
  @Test(arguments: ["yuv420p", "nv12", "nv21", "yuv422p", "yuv440p", "yuv444p", "nv24"])
  func variantsAgreeAndStayWithinRows(_ source: String) throws {
    var chance = Chance(state: 3)
    for (width, height) in Self.sizes {
      let picture = try Samples(source, width, height, &chance)
      let frame = try makeFrame(
        width, height, source, picture.bytes, matrix: 9, range: 1, chroma: width % 7)
      for target in Self.targets.keys {
        let format = try #require(PixelFormat(name: target))
        let conversion = try #require(
          YUVConversion(
            from: picture.format, PictureColor(of: frame),
            ChromaPosition(Int32(width % 7), in: picture.format), to: format, isFullRange: true))
        let layout = try PictureLayout(width: width, height: height, format: format)
        let row = layout.planes[0].bytesPerRow
        // Rows that begin anywhere, with padding after each.
        let (start, stride) = (5, row + 7)
        let variants = YUVConversion.hasAVX2 ? [false, true] : [false]
        let results = try variants.map { usesAVX2 in
          let block = try HeapAllocator().allocate(count: start + stride * height)
          for index in block.mutableBytes.indices { block.mutableBytes[index] = 0xa5 }
          var surface = PictureSurface(block, layout)
          surface.planes[0] = surface.planes[0].map { $0 + start }
          surface.strides[0] = Int32(stride)
          try conversion.convert(PictureSurface(frame), to: surface, usesAVX2: usesAVX2)
          return block.withBytes { span in (0..<span.count).map { span[$0] } }
        }
        for bytes in results.dropFirst() { try #require(bytes == results[0], "\(target)") }
        for (index, byte) in results[0].enumerated()
        where index < start || (index - start) % stride >= row {
          try #require(byte == 0xa5, "\(target) \(width) × \(height): \(index)")
        }
        let packed = (0..<height).flatMap { y in
          results[0][(start + y * stride)..<(start + y * stride + row)].map { Int($0) }
        }
        let whole = try samples(frame, as: target, width, height)
        try #require(packed == whole, "\(target)")
      }
    }
  }

  /// Pictures that are stored upside down have rows that go backwards.
  @Test func negativeStridesAreFollowed() throws {
    var chance = Chance(state: 11)
    let picture = try Samples("yuv420p", 10, 6, &chance)
    let frame = try makeFrame(10, 6, "yuv420p", picture.bytes, matrix: 1, range: 1, chroma: 2)
    let conversion = try #require(
      YUVConversion(
        from: .yuv420p, PictureColor(of: frame), ChromaPosition(2, in: .yuv420p), to: .rgb24,
        isFullRange: true))
    var surface = PictureSurface(frame)
    for plane in 0..<3 {
      let rows = plane == 0 ? 6 : 3
      surface.planes[plane] = surface.planes[plane].map {
        $0 + (rows - 1) * Int(surface.strides[plane])
      }
      surface.strides[plane] *= -1
    }
    let layout = try PictureLayout(width: 10, height: 6, format: .rgb24)
    let block = try HeapAllocator().allocate(count: layout.size)
    try conversion.convert(surface, to: PictureSurface(block, layout))
    let flipped = block.withBytes { span in (0..<span.count).map { Int(span[$0]) } }
    let upright = try samples(frame, as: "rgb24", 10, 6)
    for y in 0..<6 {
      #expect(flipped[(5 - y) * 30..<(6 - y) * 30] == upright[y * 30..<(y + 1) * 30])
    }
  }

  /// A conversion that isn't supported is left to libswscale.
  @Test func otherConversionsAreDeclined() throws {
    let color = PictureColor(matrix: 1, isFullRange: false)
    func isDone(
      _ source: String, _ color: PictureColor, _ target: String, chroma: ChromaPosition? = nil,
      isFullRange: Bool = true
    ) throws -> Bool {
      let (from, to) = (
        try #require(PixelFormat(name: source)), try #require(PixelFormat(name: target))
      )
      let position = chroma ?? ChromaPosition(0, in: from)
      return YUVConversion(from: from, color, position, to: to, isFullRange: isFullRange) != nil
    }
    #expect(try isDone("yuv420p", color, "rgb24"))
    #expect(try isDone("yuv420p", color, "gray", isFullRange: false))
    // Other formats: alpha, depth, chroma in a quarter.
    for source in ["yuva420p", "yuv420p10le", "yuv410p", "yuv411p", "yuyv422", "gray", "rgb24"] {
      #expect(try !isDone(source, color, "rgba"), "\(source)")
    }
    for target in ["rgb48le", "gray16le", "yuv444p", "gbrp", "rgb565le"] {
      #expect(try !isDone("yuv420p", color, target), "\(target)")
    }
    // A matrix that is none, chroma in a place that has no name, and grey of limited range.
    #expect(try !isDone("yuv420p", PictureColor(matrix: 8, isFullRange: false), "rgb24"))
    var turned = ChromaPosition(0, in: .yuv420p)
    turned.x = 200
    #expect(try !isDone("yuv420p", color, "rgb24", chroma: turned))
    #expect(
      try !isDone("yuv420p", PictureColor(matrix: 1, isFullRange: true), "gray", isFullRange: false)
    )
  }
}
