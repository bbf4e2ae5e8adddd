import LibAV
import Testing

@testable import MediaEngine

@Suite struct ImageGeometryTests {
  private func geometry(
    _ width: Int, _ height: Int, ratio: (Int32, Int32) = (0, 1),
    aperture: FormatDescription.CleanAperture? = nil,
    mode: ImageGenerator.ApertureMode = .cleanAperture, orientation: Orientation = .up,
    box: (Double, Double) = (0, 0)
  ) -> ImageGeometry {
    ImageGeometry(
      width: width, height: height, aspectRatio: Rational(ratio.0, ratio.1),
      cleanAperture: aperture, mode: mode, orientation: orientation,
      maximumSize: Size(width: box.0, height: box.1))
  }

  private typealias Ratio = FormatDescription.CleanAperture.Ratio

  private func aperture(
    _ width: Ratio, _ height: Ratio, _ x: Ratio = Ratio(0), _ y: Ratio = Ratio(0)
  ) -> FormatDescription.CleanAperture {
    FormatDescription.CleanAperture(
      width: width, height: height, horizontalOffset: x, verticalOffset: y)
  }

  /// DV's PAL and NTSC, as QuickTime describes them (TN2162).
  @Test func modesAreCoreVideos() {
    let clean = aperture(Ratio(704), Ratio(480))
    let shown = geometry(720, 480, ratio: (10, 11), aperture: clean)
    #expect((shown.width, shown.height) == (640, 480))
    #expect(shown.crop == PictureRectangle(x: 8, y: 0, width: 704, height: 480))
    let production = geometry(
      720, 480, ratio: (10, 11), aperture: clean, mode: .productionAperture)
    #expect((production.width, production.height, production.crop) == (655, 480, nil))
    let encoded = geometry(720, 480, ratio: (10, 11), aperture: clean, mode: .encodedPixels)
    #expect((encoded.width, encoded.height, encoded.crop) == (720, 480, nil))
    let pal = geometry(
      720, 576, ratio: (59, 54), aperture: aperture(Ratio(703), Ratio(576)))
    #expect((pal.width, pal.height) == (768, 576))
    #expect(pal.crop == PictureRectangle(x: 9, y: 0, width: 703, height: 576))
  }

  @Test func aperturesAreRoundedToPixels() {
    // 10.5 from the left; half a pixel goes away from zero, and the width is rounded once.
    let half = geometry(100, 50, aperture: aperture(Ratio(79), Ratio(50)))
    #expect(half.crop == PictureRectangle(x: 11, y: 0, width: 79, height: 50))
    let third = geometry(
      100, 50, ratio: (3, 2),
      aperture: aperture(Ratio(241, 3), Ratio(99, 2), Ratio(-1), Ratio(1, 4)))
    #expect(third.crop == PictureRectangle(x: 9, y: 1, width: 80, height: 49))
    #expect((third.width, third.height) == (121, 50))
    let offset = geometry(
      64, 64, aperture: aperture(Ratio(31), Ratio(21), Ratio(1, 2), Ratio(-3, 2)))
    #expect(offset.crop == PictureRectangle(x: 17, y: 20, width: 31, height: 21))
    // A part beyond the picture is ignored, and the whole picture is no cut.
    #expect(geometry(64, 64, aperture: aperture(Ratio(65), Ratio(64))).crop == nil)
    #expect(geometry(64, 64, aperture: aperture(Ratio(32), Ratio(64), Ratio(20))).crop == nil)
    #expect(geometry(64, 64, aperture: aperture(Ratio(32, 0), Ratio(64))).crop == nil)
    #expect(geometry(64, 64, aperture: aperture(Ratio(64), Ratio(64))).crop == nil)
  }

  @Test(arguments: [
    // Free, never enlarged, either side free, the smaller scale wins.
    (1920, 1080, 0.0, 0.0, 1920, 1080), (1920, 1080, 4000, 4000, 1920, 1080),
    (1920, 1080, 320, 0, 320, 180), (1920, 1080, 0, 180, 320, 180),
    (1920, 1080, 320, 320, 320, 180), (1920, 1080, 4000, 90, 160, 90),
    (1920, 1080, 1920, 1080, 1920, 1080), (1920, 1080, 1919, 0, 1919, 1079),
    (1080, 1920, 100, 100, 56, 100), (3, 1, 2, 2, 2, 1), (5, 3, 3, 3, 3, 2),
    // Half goes up, nothing vanishes, parts of a pixel don't count.
    (100, 25, 10, 0, 10, 3), (4000, 1, 10, 10, 10, 1), (100, 100, 33.9, 0, 33, 33),
    (100, 50, 0.5, 0, 1, 1), (100, 50, 0, 0.2, 2, 1), (7, 5, 3, 2, 3, 2),
    (100, 50, -5, .nan, 100, 50), (100, 50, .infinity, 25, 50, 25),
  ])
  func picturesFitTheBox(
    _ width: Int, _ height: Int, _ boxWidth: Double, _ boxHeight: Double, _ shownWidth: Int,
    _ shownHeight: Int
  ) {
    let shown = geometry(width, height, box: (boxWidth, boxHeight))
    #expect((shown.width, shown.height) == (shownWidth, shownHeight))
    // The same picture turned, in the box turned.
    let turned = geometry(width, height, orientation: .rotated90, box: (boxHeight, boxWidth))
    #expect((turned.width, turned.height) == (shownHeight, shownWidth))
  }

  /// However the numbers are, the picture lies in the box, is not larger than it was, and has pixels.
  @Test func noPictureLeavesItsBox() {
    for width in stride(from: 1, to: 400, by: 7) {
      for height in stride(from: 1, to: 300, by: 11) {
        for (boxWidth, boxHeight) in [(1, 1), (40, 0), (0, 33), (100, 37), (99, 250)] {
          let shown = geometry(width, height, box: (Double(boxWidth), Double(boxHeight)))
          let fits =
            shown.width >= 1 && shown.height >= 1 && shown.width <= width && shown.height <= height
            && (boxWidth == 0 || shown.width <= boxWidth)
            && (boxHeight == 0 || shown.height <= boxHeight)
          #expect(fits, "\(width) × \(height) in \(boxWidth) × \(boxHeight): \(shown)")
        }
      }
    }
  }

  @Test func pixelsBecomeSquare() {
    let anamorphic = geometry(1440, 1080, ratio: (4, 3))
    #expect((anamorphic.width, anamorphic.height) == (1920, 1080))
    // Rounded half away from zero, and not below 1; the box counts the square pixels.
    #expect(geometry(5, 5, ratio: (3, 2)).width == 8)
    #expect(geometry(1, 1, ratio: (1, 100)).width == 1)
    #expect(geometry(1440, 1080, ratio: (4, 3), box: (960, 0)).height == 540)
    #expect(geometry(1440, 1080, ratio: (4, 3), orientation: .rotated270).height == 1920)
    // Without a usable ratio pixels are square.
    for ratio: (Int32, Int32) in [(0, 1), (1, 0), (-4, 3)] {
      #expect(geometry(640, 480, ratio: ratio).width == 640)
    }
  }
}
