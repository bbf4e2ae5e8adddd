import CPixels
import Testing

@testable import LibAV

/// The loops compute the same numbers on every processor.
@Suite struct LayerLoopTests {
  private func planes(_ frame: borrowing Frame) throws -> rw_layer {
    try rw_layer(PictureSurface(frame))
  }

  @Test func vectorsChangeNothing() throws {
    let sampling = rw_sampling(
      a: 0.83, b: 0.31, c: -0.42, d: 1.17, tx: 5.3, ty: -9.1, left: 0.3, right: 61.4, top: 1,
      bottom: 37, across: 0.9, down: 1.1)
    func result(_ usesAVX2: Bool) throws -> [Int] {
      let source = try makeNoise(63, 38, "yuva444p16le", seed: 1)
      var layer = try planes(source)
      rw_premultiply(&layer, usesAVX2)
      var pixels = [UInt16](repeating: 0, count: (63 + 8) * (38 + 8) * 4)
      rw_interleave(&layer, &pixels)
      let turned = try makeNoise(101, 47, "yuva444p16le", seed: 2)
      var drawn = try planes(turned)
      var places = sampling
      rw_sample(pixels, 63, 38, &places, &drawn, usesAVX2)
      var edges = rw_edges(left: 30000, right: 65535, top: 1, bottom: 65534)
      rw_cover(&drawn, &edges, usesAVX2)
      let picture = try makeNoise(101, 47, "yuva444p16le", seed: 3)
      var below = try planes(picture)
      rw_premultiply(&below, usesAVX2)
      rw_blend_over(&below, &drawn, 23456, usesAVX2)
      return try numbers(picture) + numbers(turned)
    }
    let plain = try result(false)
    #expect(Set(plain).count > 1000)
    if YUVConversion.hasAVX2 { #expect(try result(true) == plain) }
  }

  /// Porter and Duff's rule in whole numbers, at the ends and between them: no sum exceeds the largest number.
  @Test func sumsStayWithinTheirRange() throws {
    for (below, color, alpha, weight) in [
      (65535, 65535, 65535, 32768), (65535, 65535, 65535, 1), (65535, 0, 65535, 32768),
      (65535, 32767, 32767, 16385), (65535, 65534, 65534, 32767), (1, 1, 1, 1),
      (40000, 20000, 30000, 20000), (65535, 0, 0, 32768),
    ] {
      let picture = try makeFlatFrame(20, 1, "yuv444p16le", [below, below, below])
      let above = try makeFlatFrame(20, 1, "yuva444p16le", [color, color, color, alpha])
      var (one, other) = (try planes(picture), try planes(above))
      rw_blend_over(&one, &other, Int32(weight), YUVConversion.hasAVX2)
      let part = Double(weight) / 32768
      let exact =
        Double(color) * part + Double(below) * (1 - Double(alpha) / 65535 * part)
      let made = try numbers(picture)
      #expect(made.allSatisfy { abs(Double($0) - exact) <= 1.5 }, "\(made[0]), \(exact)")
    }
  }
}
