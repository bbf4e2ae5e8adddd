import SystemIO
import Testing

@testable import LibAV

/// The composition paths, and frames of one layer.
@Suite struct PictureCompositorTests {
  private func path(
    _ transforms: [PictureTransform], _ name: String = "yuv420p", opacity: Double = 1,
    hasAlpha: Bool = false, overOpaque: Bool = true
  ) throws -> PictureCompositor.Path {
    let format = try #require(PixelFormat(name: name))
    let all = PictureArea(width: 640, height: 360)
    return PictureCompositor.path(
      of: transforms.map { (LayerPlacement(crop: all, transform: $0), opacity, hasAlpha) },
      overOpaque: overOpaque, in: try PictureLayout(width: 320, height: 180, format: format))
  }

  @Test func pathsFollowFromPlacements() throws {
    let fitting = PictureTransform.move(0, 0, scale: 0.5)
    #expect(try path([fitting]) == .convert)
    #expect(try path([.move(-3.3, -1.7, scale: 0.6)]) == .convert)
    #expect(try path([PictureTransform(a: -0.5, d: 0.5, tx: 320)]) == .convert)
    #expect(try path([PictureTransform(a: 0, b: 0.6, c: -0.9, d: 0, tx: 322)]) == .convert)
    // Off by less than errors of rounding.
    #expect(try path([.move(1e-9, 0, scale: 0.5 - 1e-12)]) == .convert)
    #expect(try path([.move(0.01, 0, scale: 0.5)]) == .general)
    #expect(try path([fitting], opacity: 0.5) == .planar)
    #expect(try path([fitting, fitting], opacity: 0.5) == .planar)
    #expect(try path([]) == .planar)
    #expect(try path([.move(20, 10, scale: 0.25)]) == .planar)
    #expect(try path([.move(400, 0.3, scale: 0.25)]) == .planar)
    #expect(try path([.move(21, 10, scale: 0.25)]) == .general)
    #expect(try path([.move(21, 11, scale: 0.25)], "yuv444p") == .planar)
    #expect(try path([.move(21, 10, scale: 0.25)], "yuv440p") == .planar)
    #expect(try path([.move(20, 10, scale: 0.25)], hasAlpha: true) == .general)
    #expect(try path([fitting], hasAlpha: true) == .general)
    // A layer that isn't visible has no influence.
    #expect(try path([.move(21.3, 10)], opacity: 0, hasAlpha: true) == .planar)
    let turned = PictureTransform(a: 0.5, b: 0.1, c: -0.1, d: 0.5)
    #expect(try path([fitting, turned]) == .general)
    #expect(try path([.move(20, 10)], "rgba", overOpaque: false) == .general)
    #expect(try path([.move(20, 10)], "yuv420p", overOpaque: false) == .planar)
    #expect(try path([.move(20, 10)], "rgb48be") == .general)
    #expect(try path([PictureTransform(a: .nan)]) == .general)
  }

  /// A picture in its own size is the frame, and one that is only turned has its samples.
  @Test(arguments: Orientation.allCases, ["yuv444p", "rgb24", "yuv420p", "yuv422p", "yuyv422"])
  func turnsAreCopies(_ orientation: Orientation, _ name: String) throws {
    let (width, height) = (32, 18)
    let range = name == "rgb24" ? 2 : 1
    func noise() throws -> Frame {
      try makeNoise(width, height, name, seed: 1, range: range)
    }
    let layer = TestLayer(
      try noise(), PictureTransform(orientation, width: width, height: height))
    let (wide, high) = orientation.swapsAxes ? (height, width) : (width, height)
    let made = try compose([layer], wide, high, name, path: .convert)
    // Chroma is not where it was after some turns: luma is.
    let lumaStep = name == "yuyv422" ? 2 : 1
    let pixelSize = name == "rgb24" ? 3 : 1
    let (before, after) = (try numbers(try noise()), try numbers(made))
    for y in 0..<high {
      for x in 0..<wide {
        let place = orientation.source(x: x, y: y, width: width, height: height)
        for offset in 0..<pixelSize {
          let found = after[(y * wide + x) * lumaStep * pixelSize + offset]
          let stored = before[(place.y * width + place.x) * lumaStep * pixelSize + offset]
          try #require(found == stored, "(\(x), \(y))")
        }
      }
    }
    if orientation == .up { #expect(before == after) }
  }

  /// The part of a layer outside of the output is cut off, to the pixel.
  @Test func translationsAreCopies() throws {
    let (x, y) = (17, 9)
    let source = try numbers(makeNoise(64, 48, "yuv444p", seed: 2))
    let layer = TestLayer(
      try makeNoise(64, 48, "yuv444p", seed: 2), .move(Double(-x), Double(-y)))
    let made = try numbers(compose([layer], 40, 30, "yuv444p", path: .convert))
    for plane in 0..<3 {
      for row in 0..<30 {
        for column in 0..<40 {
          try #require(
            made[(plane * 30 + row) * 40 + column]
              == source[(plane * 48 + row + y) * 64 + column + x])
        }
      }
    }
  }

  /// A layer that covers nothing of the picture but a part isn't converted to all of it.
  @Test func layersThatLeaveRoomAreRefused() throws {
    let layer = TestLayer(try makeFlatFrame(8, 8, "yuv420p", [90, 100, 110]), .move(1, 0))
    #expect(throws: LibAVError.self) { _ = try compose([layer], 8, 8, "yuv420p", path: .convert) }
  }

  /// A slow zoom moves a marker smoothly, and to where it belongs: by the crop, and by the transform.
  @Test(arguments: [true, false]) func zoomsHaveNoJumps(_ isCrop: Bool) throws {
    let (width, height) = (640, 360)
    let marker = (x: 297.3, y: 201.8)
    var path: [(x: Double, y: Double)] = []
    for step in 0..<60 {
      let t = Double(step) / 59
      let zoom = PictureArea(
        x: 31.7 * t, y: 20.3 * t, width: 640 - 128 * t, height: 360 - 72 * t)
      let scale = 320 / zoom.width
      let move = PictureTransform.move(-zoom.x * scale, -zoom.y * scale, scale: scale)
      let all = PictureArea(width: width, height: height)
      let layer = TestLayer(
        try makeMarker(width, height, at: marker),
        LayerPlacement(crop: isCrop ? zoom : all, transform: move))
      let made = try numbers(compose([layer], 320, 180, "yuv420p", path: .convert))
      let found = centroid(made, 320, 180, base: 16)
      path.append(found)
      let (x, y) = ((marker.x - zoom.x) * scale, (marker.y - zoom.y) * scale)
      try #require(abs(found.x - x) < 0.02 && abs(found.y - y) < 0.02, "\(step)")
    }
    for index in 1..<(path.count - 1) {
      let (a, b, c) = (path[index - 1], path[index], path[index + 1])
      try #require(abs(a.x - 2 * b.x + c.x) < 0.05 && abs(a.y - 2 * b.y + c.y) < 0.05)
    }
  }
}
