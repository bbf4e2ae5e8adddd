import Foundation
import Testing

@testable import LibAV

@Suite struct TransferFunctionTests {
  /// Known places: SMPTE ST 2084 and BT.2408-4, tables 1 and 3.
  @Test(arguments: [
    (1, 0.1499), (10, 0.2997), (100, 0.5081), (203, 0.5807),
    (1000, 0.7518), (4000, 0.9026), (10000, 1.0),
  ])
  func pqIsTheStandards(_ light: Double, _ signal: Double) {
    #expect(abs(pq(ofNits: light) - signal) < 0.0001)
    #expect(abs(nits(ofPQ: pq(ofNits: light)) - light) < 0.001 * max(1, light))
  }

  /// BT.2100-2, table 5, and BT.2408: reference white is at 75 %.
  @Test func hlgIsTheStandards() {
    #expect(sceneLight(ofHLG: 0) == 0)
    #expect(abs(sceneLight(ofHLG: 0.5) - 1.0 / 12) < 1e-9)
    #expect(abs(sceneLight(ofHLG: 1) - 1) < 1e-6)
    #expect(abs(1000 * pow(sceneLight(ofHLG: 0.75), 1.2) - 203) < 1)
  }

  @Test(arguments: [203.0, 400, 1000, 4000, 10000]) func theCurveKeepsTheDarkAndEndsAtWhite(
    _ peak: Double
  ) {
    let curve = ReferenceCurve(peak: peak, target: 203)
    #expect(abs(curve.map(peak) - 203) < 0.01)
    #expect(abs(curve.map(2 * peak) - 203) < 0.01)
    for light in [0.0, 0.01, 1, 10] {
      #expect(abs(curve.map(light) - light) < 0.001 * light + 1e-9)
    }
    var last = -1.0
    for step in 0...1000 {
      let mapped = curve.map(peak * Double(step) / 1000)
      #expect(mapped > last && mapped <= peak * Double(step) / 1000 + 1e-6)
      last = mapped
    }
  }
}

@Suite struct ToneMapTests {
  /// 10-bit codes of limited range for a signal from 0 to 1.
  private func code(_ signal: Double) -> Int { Int((signal * 876 + 64).rounded()) }

  private func map(
    _ signal: [Double], _ source: ToneMap.Source, as name: String = "rgb48le"
  ) throws -> [Int] {
    let formula = Formula(matrix: 9, depth: 10, isFullRange: false)
    let yuv = formula.yuv(signal[0], signal[1], signal[2]).map { Int($0.rounded()) }
    let frame = try makeFlatFrame(
      8, 8, "yuv444p10le", yuv, matrix: 9, range: 1,
      transfer: source.transfer == .pq ? 16 : 18, primaries: 9)
    let format = try #require(PixelFormat(name: name))
    let color =
      format.isRGB
      ? PictureColor.rgb : PictureColor(matrix: PictureColor.bt709, isFullRange: format.isGray)
    return try samples(frame, as: name, 8, 8, color: color, toneMap: .shared(source))
  }

  /// The value that a grey signal has to become, by the formulas alone.
  private func expected(_ light: Double, peak: Double) -> Double {
    let mapped = ReferenceCurve(peak: peak, target: 203).map(light)
    return 65535 * pow(mapped / 203, 1 / 2.4)
  }

  @Test(arguments: [203.0, 1000, 4000]) func greyFollowsTheCurve(_ peak: Double) throws {
    let source = ToneMap.Source(transfer: .pq, primaries: .bt2020, peak: peak)
    var last = -1
    for step in 0...40 {
      let signal = Double(code(Double(step) / 40) - 64) / 876
      let pixel = try map([signal, signal, signal], source)
      let target = expected(nits(ofPQ: signal), peak: peak)
      for value in pixel { try #require(abs(Double(value) - target) <= 150, "\(signal): \(value)") }
      #expect(pixel[0] >= last)
      last = pixel[0]
    }
    #expect(last == 65535)
    #expect(try map([0, 0, 0], source) == [Int](repeating: 0, count: 192))
  }

  /// A mastering peak of 1000 nits: HDR's reference white keeps most of its light, and there is
  /// room for brighter colours.
  @Test func knownSignalsHaveKnownCodes() throws {
    let source = ToneMap.Source(transfer: .pq, primaries: .bt2020)
    #expect(source.peak == 1000)
    // 203, 100, 10 and 1 nits.
    for (signal, level) in [
      (0.5807, 230), (0.5081, 189), (0.3018, 73), (0.1499, 28), (0.7518, 255),
    ] {
      for value in try map([signal, signal, signal], source, as: "rgb24") {
        #expect(abs(value - level) <= 1, "\(signal): \(value)")
      }
    }
  }

  /// BT.2408: the same light in both, at 75 % of HLG and 58 % of PQ.
  @Test func hlgAndPQAgreeOnReferenceWhite() throws {
    let hlg = try map([0.75, 0.75, 0.75], ToneMap.Source(transfer: .hlg, primaries: .bt2020))
    let pq = try map([0.5807, 0.5807, 0.5807], ToneMap.Source(transfer: .pq, primaries: .bt2020))
    #expect(abs(hlg[0] - pq[0]) < 200)
    let white = try map([1, 1, 1], ToneMap.Source(transfer: .hlg, primaries: .bt2020))
    #expect(white.allSatisfy { $0 > 65450 })
    let black = try map([0, 0, 0], ToneMap.Source(transfer: .hlg, primaries: .bt2020))
    #expect(black.allSatisfy { $0 == 0 })
  }

  /// Colours of BT.709 inside BT.2020 come out as themselves; others go to the edge with their hue's
  /// order of components.
  @Test func primariesAreConverted() throws {
    let source = ToneMap.Source(transfer: .pq, primaries: .bt2020)
    // BT.709's red at 50 nits, in BT.2020's primaries (BT.2087).
    let red = [0.627404, 0.069097, 0.016391].map { pq(ofNits: 50 * $0) }
    let made = try map(red, source)
    let full = 65535 * pow(50.0 / 203, 1 / 2.4)
    #expect(abs(Double(made[0]) - full) < 400)
    #expect(made[1] < 4000 && made[2] < 4000)
    // BT.2020's own green lies outside: it keeps its luminance, and loses saturation.
    let green = try map([0, pq(ofNits: 100), 0], source)
    #expect(green[1] > green[0] && green[1] > green[2])
    #expect(min(green[0], green[2]) == 0)
    func light(_ value: Int) -> Double { pow(Double(value) / 65535, 2.4) }
    let luminance = 0.2126 * light(green[0]) + 0.7152 * light(green[1]) + 0.0722 * light(green[2])
    #expect(abs(luminance - 0.6780 * ReferenceCurve(peak: 1000, target: 203).map(100) / 203) < 0.01)
  }

  /// A colour too bright for BT.709's primaries gets darker, not paler.
  @Test func brightColorsKeepTheirSaturation() throws {
    let source = ToneMap.Source(transfer: .pq, primaries: .bt2020)
    let yellow = try map([pq(ofNits: 1000), pq(ofNits: 950), pq(ofNits: 60)], source)
    #expect(yellow[0] == 65535)
    func light(_ value: Int) -> Double { pow(Double(value) / 65535, 2.4) }
    #expect(light(yellow[1]) > 0.8 && light(yellow[2]) < 0.05)
  }

  /// The maps of other formats are the same picture.
  @Test func allFormatsShowTheSame() throws {
    let source = ToneMap.Source(transfer: .pq, primaries: .bt2020)
    let grey = [0.5081, 0.5081, 0.5081]
    let words = try map(grey, source)
    #expect(try abs(map(grey, source, as: "rgb24")[0] - words[0] / 257) <= 1)
    #expect(try abs(map(grey, source, as: "gray")[0] - words[0] / 257) <= 1)
    #expect(try abs(map(grey, source, as: "gray16le")[0] - words[0]) <= 40)
    let luma = Double(words[0]) / 65535
    #expect(try abs(Double(map(grey, source, as: "yuv420p")[0]) - (16 + 219 * luma)) <= 1)
    #expect(try abs(Double(map(grey, source, as: "yuv420p10le")[0]) - 4 * (16 + 219 * luma)) <= 2)
    let rgba = try map(grey, source, as: "rgba")
    #expect(rgba[3] == 255)
  }

  @Test func peaksAreBounded() {
    func peak(_ stated: Double?) -> Double {
      ToneMap.Source(transfer: .pq, primaries: .bt2020, peak: stated).peak
    }
    #expect([nil, 0, -1, .nan, .infinity].map(peak) == [1000, 1000, 1000, 1000, 1000])
    #expect([100, 203, 4000, 1e9].map(peak) == [203, 203, 4000, 10000])
    #expect(ToneMap.Source(transfer: .hlg, primaries: .bt2020, peak: 4000).peak == 1000)
  }
}
