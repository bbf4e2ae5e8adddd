import LibAV
import Testing

@testable import MediaEngine

@Suite struct GeometryTests {
  private static let one: Int32 = 65536

  /// (a, b, c, d), the orientation, and where a 4 × 2 picture's top left pixel ends up.
  static let quarters: [([Int32], Orientation)] = [
    ([1, 0, 0, 1], .up), ([0, 1, -1, 0], .rotated90), ([-1, 0, 0, -1], .rotated180),
    ([0, -1, 1, 0], .rotated270), ([-1, 0, 0, 1], .mirrored), ([0, -1, -1, 0], .mirroredRotated90),
    ([1, 0, 0, -1], .mirroredRotated180), ([0, 1, 1, 0], .mirroredRotated270),
  ]

  private func matrix(_ m: [Int32], _ tx: Int32 = 0, _ ty: Int32 = 0) -> [Int32] {
    [
      m[0] * Self.one, m[1] * Self.one, 0, m[2] * Self.one, m[3] * Self.one, 0, tx * Self.one,
      ty * Self.one, 1 << 30,
    ]
  }

  /// Without a translation, the picture is brought back to the origin.
  @Test(arguments: quarters) func aTurnedPictureLiesAtTheOrigin(
    _ m: [Int32], _ orientation: Orientation
  ) {
    let transform = AffineTransform(displayMatrix: matrix(m), width: 4, height: 2)
    #expect(transform.orientation == orientation)
    let corners = [(0.0, 0.0), (4, 0), (0, 2), (4, 2)].map { x, y in
      (
        transform.a * x + transform.c * y + transform.tx,
        transform.b * x + transform.d * y + transform.ty
      )
    }
    #expect(corners.map(\.0).min() == 0)
    #expect(corners.map(\.1).min() == 0)
    #expect(corners.map(\.0).max() == (orientation.swapsAxes ? 2 : 4))
  }

  /// The transform and the pixel mapping agree: a pixel's centre goes where it is read from.
  @Test(arguments: quarters) func theTransformAgreesWithThePixels(
    _ m: [Int32], _ orientation: Orientation
  ) {
    let (width, height) = (4, 2)
    let transform = AffineTransform(
      displayMatrix: matrix(m), width: Double(width), height: Double(height))
    let shownWidth = orientation.swapsAxes ? height : width
    let shownHeight = orientation.swapsAxes ? width : height
    for y in 0..<height {
      for x in 0..<width {
        let (cx, cy) = (Double(x) + 0.5, Double(y) + 0.5)
        let shownX = Int(transform.a * cx + transform.c * cy + transform.tx)
        let shownY = Int(transform.b * cx + transform.d * cy + transform.ty)
        #expect((0..<shownWidth).contains(shownX) && (0..<shownHeight).contains(shownY))
        let source = orientation.source(x: shownX, y: shownY, width: width, height: height)
        #expect(source == (x, y))
      }
    }
  }

  @Test func aGivenTranslationStays() {
    let transform = AffineTransform(
      displayMatrix: matrix([0, 1, -1, 0], 100, 3), width: 4, height: 2)
    #expect(transform == AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 100, ty: 3))
  }

  @Test func otherAnglesAreNoOrientation() {
    for transform in [
      AffineTransform(a: 0.7, b: 0.7, c: -0.7, d: 0.7, tx: 0, ty: 0),
      AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0),
      AffineTransform(a: 1, b: 0, c: 1, d: 1, tx: 0, ty: 0),
    ] {
      #expect(transform.orientation == nil)
    }
  }
}
