internal import Synchronization

/// A map from PQ and HLG to standard dynamic range: BT.709 in primaries and transfer, white at 100
/// nits.
///
/// In linear light, as docs/notes/colour.md describes in full:
///
/// 1. PQ becomes nits (SMPTE ST 2084); HLG becomes nits of a display of 1000 (BT.2100: the inverse
///    OETF, and the OOTF with gamma 1.2).
/// 2. The largest of red, green and blue goes through the EETF of BT.2390 from the source's peak down
///    to 203 nits, HDR's reference white (BT.2408); all three are scaled alike, so hue and saturation
///    stay. 203 nits count as 1 from here on.
/// 3. The primaries become BT.709's. A colour outside moves towards the grey of its own luminance
///    until nothing is negative, and if it is still too bright then it is darkened until it fits.
/// 4. The inverse of BT.1886 encodes the light: the code values of an SDR master for the same
///    light.
package final class ToneMap: Sendable {
  package enum Transfer: Sendable, Hashable { case pq, hlg }
  package enum Primaries: Sendable, Hashable { case bt709, bt2020, displayP3 }

  /// The colours of the frames.
  package struct Source: Sendable, Hashable {
    package var transfer: Transfer
    package var primaries: Primaries
    /// The brightest light in them, in nits; HLG always has 1000.
    package let peak: Double

    /// - Parameter peak: by the mastering display or MaxCLL; nil or less than 1 for 1000. It counts
    ///   from 203, below which nothing is mapped, to PQ's 10,000.
    package init(transfer: Transfer, primaries: Primaries, peak: Double? = nil) {
      self.transfer = transfer
      self.primaries = primaries
      let stated = peak.flatMap { $0.isFinite && $0 >= 1 ? $0 : nil }
      self.peak = transfer == .hlg ? 1000 : min(10000, max(ToneMap.whiteLevel, stated ?? 1000))
    }
  }

  /// HDR's reference white in nits, which becomes the brightest that SDR has.
  static let whiteLevel = 203.0

  private let source: Source
  /// Light for each code value: nits for PQ, scene light from 0 to 1 for HLG.
  private let light: [Float]
  /// HLG's OOTF: nits for each unit of scene light, by the root of the scene's luminance.
  private let system: [Float]
  /// The gain from nits to shown light, by the root of the brightest component as part of the peak.
  private let gain: [Float]
  /// Code values by the root of the light.
  private let code: [UInt16]
  private let matrix: [Float]
  private let weights: [Float]

  private static let last = 65535

  private init(_ source: Source) {
    self.source = source
    let all = 0...ToneMap.last
    let part = { (index: Int) in Double(index) / Double(ToneMap.last) }
    switch source.transfer {
    case .pq:
      light = all.map { Float(nits(ofPQ: part($0))) }
      system = []
    case .hlg:
      light = all.map { Float(sceneLight(ofHLG: part($0))) }
      // The exponent 0.2 of the luminance is 0.4 of its root.
      system = all.map { Float(1000 * power(part($0), 0.4)) }
    }
    let curve = ReferenceCurve(peak: source.peak, target: ToneMap.whiteLevel)
    gain = all.map { index in
      let nits = part(index) * part(index) * source.peak
      // Near black the curve is a straight line, and the table's first entry has no light at all.
      guard nits > 0.01 else { return Float(1 / ToneMap.whiteLevel) }
      return Float(curve.map(nits) / nits / ToneMap.whiteLevel)
    }
    // The light's exponent 1/2.4 is 1/1.2 of its root.
    code = all.map { UInt16((power(part($0), 1 / 1.2) * 65535).rounded()) }
    matrix = source.primaries.toBT709
    weights = source.primaries.luminance
  }

  /// Returns the map of a source. Tables take some milliseconds and a megabyte: the last few are
  /// shared.
  package static func shared(_ source: Source) -> ToneMap {
    if let known = recent.withLock({ $0.first { $0.source == source } }) { return known }
    let made = ToneMap(source)
    recent.withLock { $0 = [made] + $0.filter { $0.source != source }.prefix(3) }
    return made
  }

  private static let recent = Mutex<[ToneMap]>([])

  /// Maps the pixels of a surface that is `rgb48` or `rgba64`; alpha stays.
  func apply(to surface: PictureSurface) {
    guard let base = unsafe surface.planes[0] else { return }
    let step = surface.format.hasAlpha ? 4 : 3
    for y in 0..<surface.height {
      let row = UnsafeMutableRawPointer(unsafe base + y * Int(surface.strides[0]))
      let values = unsafe UnsafeMutableBufferPointer(
        start: row.assumingMemoryBound(to: UInt16.self), count: surface.width * step)
      var pixels = unsafe values.mutableSpan
      apply(to: &pixels, step: step)
    }
  }

  /// - Parameter pixels: red, green and blue of 16 bits at each step.
  private func apply(to pixels: inout MutableSpan<UInt16>, step: Int) {
    let (light, system, gain, code) = (light, system, gain, code)
    let (m, w) = (matrix, weights)
    let (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (
      m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
    )
    let (w0, w1, w2) = (w[0], w[1], w[2])
    let peak = Float(source.peak)
    let scale = Float(ToneMap.last)
    func entry(_ value: Float) -> Int { Int((value.squareRoot() * scale).rounded()) }
    for index in stride(from: 0, to: pixels.count - 2, by: step) {
      var r = light[Int(pixels[index])]
      var g = light[Int(pixels[index + 1])]
      var b = light[Int(pixels[index + 2])]
      if source.transfer == .hlg {
        let nits = system[entry(min(1, w0 * r + w1 * g + w2 * b))]
        (r, g, b) = (r * nits, g * nits, b * nits)
      }
      let brightest = max(r, max(g, b))
      let factor =
        brightest >= peak ? 1 / brightest : gain[entry(brightest / peak)]
      (r, g, b) = (r * factor, g * factor, b * factor)
      (r, g, b) = (
        m0 * r + m1 * g + m2 * b, m3 * r + m4 * g + m5 * b, m6 * r + m7 * g + m8 * b
      )
      let lowest = min(r, min(g, b))
      if lowest < 0 {
        let grey = max(0, 0.2126 * r + 0.7152 * g + 0.0722 * b)
        let scale = grey / (grey - lowest)
        r = max(0, grey + scale * (r - grey))
        g = max(0, grey + scale * (g - grey))
        b = max(0, grey + scale * (b - grey))
      }
      let highest = max(r, max(g, b))
      if highest > 1 { (r, g, b) = (r / highest, g / highest, b / highest) }
      pixels[index] = code[entry(r)]
      pixels[index + 1] = code[entry(g)]
      pixels[index + 2] = code[entry(b)]
    }
  }
}

extension ToneMap.Primaries {
  /// The matrix from linear light to BT.709's primaries, by rows. All three have the white point
  /// D65.
  fileprivate var toBT709: [Float] {
    switch self {
    case .bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    case .bt2020:
      [
        1.660491, -0.587641, -0.072850, -0.124550, 1.132900, -0.008350, -0.018151, -0.100579,
        1.118730,
      ]
    case .displayP3:
      [1.224940, -0.224940, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274]
    }
  }

  /// The contributions of red, green and blue to luminance.
  fileprivate var luminance: [Float] {
    switch self {
    case .bt709: [0.2126, 0.7152, 0.0722]
    case .bt2020: [0.2627, 0.6780, 0.0593]
    case .displayP3: [0.2290, 0.6917, 0.0793]
    }
  }
}
