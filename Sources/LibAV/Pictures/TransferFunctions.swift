internal import CLibAV

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

// SMPTE ST 2084's constants.
private let m1 = 2610.0 / 16384
private let m2 = 2523.0 / 4096 * 128
private let c1 = 3424.0 / 4096
private let c2 = 2413.0 / 4096 * 32
private let c3 = 2392.0 / 4096 * 32

/// Returns cd/m² of a signal from 0 to 1: SMPTE ST 2084's EOTF.
func nits(ofPQ signal: Double) -> Double {
  let root = power(signal, 1 / m2)
  return 10000 * power(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
}

/// Returns the signal of a light in nits: the inverse of SMPTE ST 2084's EOTF.
func pq(ofNits nits: Double) -> Double {
  let light = power(min(1, max(0, nits / 10000)), m1)
  return power((c1 + c2 * light) / (1 + c3 * light), m2)
}

/// Returns scene light from 0 to 1 of a signal from 0 to 1: the inverse of HLG's OETF (BT.2100-2,
/// table 5).
func sceneLight(ofHLG signal: Double) -> Double {
  let a = 0.17883277
  let b = 1 - 4 * a
  let c = 0.5 - a * log(4 * a)
  return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
}

/// HLG's OETF: a signal from 0 to 1 of scene light from 0 to 1.
func hlg(ofSceneLight light: Double) -> Double {
  let a = 0.17883277
  let b = 1 - 4 * a
  let c = 0.5 - a * log(4 * a)
  return light <= 1.0 / 12 ? (3 * max(0, light)).squareRoot() : a * log(12 * light - b) + c
}

/// The EETF of BT.2390-10, section 5.4.1: in PQ's scale everything is unchanged up to a knee, and a
/// spline bends brighter signals down to the target's peak. Black is 0 on both sides.
struct ReferenceCurve {
  private let peak: Double
  private let white: Double
  private let limit: Double
  private let knee: Double

  /// - Parameters:
  ///   - peak: the source's brightest light, in nits; not below `target`.
  ///   - target: the brightest light to end at, in nits.
  init(peak: Double, target: Double) {
    self.peak = peak
    white = pq(ofNits: peak)
    limit = pq(ofNits: target) / white
    knee = 1.5 * limit - 0.5
  }

  /// Maps nits to nits.
  func map(_ nits: Double) -> Double {
    let signal = pq(ofNits: min(nits, peak)) / white
    guard signal > knee, limit < 1 else { return min(nits, peak) }
    let t = (signal - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let compressed =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * limit
    return LibAV.nits(ofPQ: compressed * white)
  }
}
