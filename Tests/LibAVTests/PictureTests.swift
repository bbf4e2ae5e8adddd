import Testing

@testable import LibAV

@Suite struct PictureLayoutTests {
  /// Sizes by hand: chroma is rounded up.
  @Test(arguments: [
    ("yuv420p", 97, 65, [(0, 97, 65), (6305, 49, 33), (7922, 49, 33)], 9539),
    ("yuv420p", 2, 2, [(0, 2, 2), (4, 1, 1), (5, 1, 1)], 6),
    ("yuv420p", 1, 1, [(0, 1, 1), (1, 1, 1), (2, 1, 1)], 3),
    ("rgb24", 97, 65, [(0, 291, 65)], 18915),
    ("rgba", 3, 5, [(0, 12, 5)], 60),
    ("bgra", 3, 5, [(0, 12, 5)], 60),
    ("gray", 97, 65, [(0, 97, 65)], 6305),
    ("nv12", 5, 3, [(0, 5, 3), (15, 6, 2)], 27),
  ])
  func planesLieOneAfterTheOther(
    _ name: String, _ width: Int, _ height: Int, _ planes: [(Int, Int, Int)], _ size: Int
  ) throws {
    let format = try #require(PixelFormat(name: name))
    let layout = try PictureLayout(width: width, height: height, format: format)
    #expect(
      layout.planes
        == planes.map { PictureLayout.Plane(offset: $0.0, bytesPerRow: $0.1, height: $0.2) })
    #expect(layout.size == size)
  }

  @Test(arguments: [(0, 1), (1, 0), (-4, 4), (1 << 20, 1 << 20), (Int.max, 2)])
  func impossibleSizesAreRefused(_ width: Int, _ height: Int) throws {
    let format = try #require(PixelFormat(name: "rgb24"))
    #expect(throws: LibAVError.self) {
      try PictureLayout(width: width, height: height, format: format)
    }
  }
}

@Suite struct OrientationTests {
  /// The stored picture is 3 × 2: "abc" over "def"; each orientation by hand.
  @Test(arguments: [
    (Orientation.up, ["abc", "def"]), (.rotated90, ["da", "eb", "fc"]),
    (.rotated180, ["fed", "cba"]), (.rotated270, ["cf", "be", "ad"]), (.mirrored, ["cba", "fed"]),
    (.mirroredRotated90, ["fc", "eb", "da"]), (.mirroredRotated180, ["def", "abc"]),
    (.mirroredRotated270, ["ad", "be", "cf"]),
  ])
  func pixelsGoWhereTheNameSays(_ orientation: Orientation, _ shown: [String]) {
    let stored = [Array("abc"), Array("def")]
    let height = shown.count
    let width = shown[0].count
    #expect(orientation.swapsAxes == (width == 2))
    let result = (0..<height).map { y in
      String(
        (0..<width).map { x in
          let place = orientation.source(x: x, y: y, width: 3, height: 2)
          return stored[place.y][place.x]
        })
    }
    #expect(result == shown)
  }

  @Test func allEightAreDifferent() {
    let maps = Orientation.allCases.map { orientation in
      [(0, 0), (1, 0), (0, 1)].map { x, y in
        let place = orientation.source(x: x, y: y, width: 4, height: 4)
        return place.y * 4 + place.x
      }
    }
    #expect(Set(maps).count == 8)
  }
}
