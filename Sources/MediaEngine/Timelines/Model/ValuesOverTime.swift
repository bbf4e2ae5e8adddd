public import MediaTime

/// A value that can change linearly to another.
public protocol LinearlyInterpolated: Sendable, Hashable {
  /// Returns the value at a fraction of the way, from 0 to 1: each of its numbers is
  /// `from + (to - from) * fraction`.
  static func interpolated(from: Self, to: Self, fraction: Double) -> Self
}

extension Double: LinearlyInterpolated {
  public static func interpolated(from: Double, to: Double, fraction: Double) -> Double {
    from + (to - from) * fraction
  }
}

extension AffineTransform: LinearlyInterpolated {
  /// Interpolates each number of the matrix separately, so that a rotation shrinks a frame on its
  /// way, as in AVFoundation.
  public static func interpolated(
    from: AffineTransform, to: AffineTransform, fraction: Double
  ) -> AffineTransform {
    func number(_ key: KeyPath<AffineTransform, Double>) -> Double {
      .interpolated(from: from[keyPath: key], to: to[keyPath: key], fraction: fraction)
    }
    return AffineTransform(
      a: number(\.a), b: number(\.b), c: number(\.c), d: number(\.d), tx: number(\.tx),
      ty: number(\.ty))
  }
}

extension Rectangle: LinearlyInterpolated {
  /// Interpolates the origin and the size; an empty one is a rectangle like any other
  /// (AVVideoComposition.h).
  public static func interpolated(from: Rectangle, to: Rectangle, fraction: Double) -> Rectangle {
    func number(_ key: KeyPath<Rectangle, Double>) -> Double {
      .interpolated(from: from[keyPath: key], to: to[keyPath: key], fraction: fraction)
    }
    return Rectangle(
      x: number(\.x), y: number(\.y), width: number(\.width), height: number(\.height))
  }
}

extension ValueRamp where Value: LinearlyInterpolated {
  /// Returns the value at a time from ``start`` on, if no other entry begins before that time.
  ///
  /// At the end of a ramp and after it, the value is exactly the ramp's end.
  func value(at time: Time) -> Value {
    switch self {
    case .value(let value, _): value
    case .ramp(let from, let to, let range):
      range.fraction(elapsedAt: time).map {
        Value.interpolated(from: from, to: to, fraction: $0)
      } ?? to
    }
  }
}

extension Array {
  /// Returns the value at a time: that of the last entry that has begun, nil before the first. If
  /// an entry begins as a ramp ends, the time belongs to that entry.
  public func value<Value: LinearlyInterpolated>(at time: Time) -> Value?
  where Element == ValueRamp<Value> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? self[low - 1].value(at: time) : nil
  }

  /// Returns the ramp that contains a time, or else the first one that starts after it; nil after
  /// the last. A ramp's end isn't in it, and values that are set at a time aren't ramps
  /// (`getVolumeRampForTime`, `getOpacityRampForTime` and similar methods).
  public func ramp<Value>(at time: Time) -> Element? where Element == ValueRamp<Value> {
    first { entry in
      if case .ramp = entry { return entry.end > time }
      return false
    }
  }
}

extension TimeRange {
  /// Returns the fraction of the range that has elapsed at a time that isn't before it: the exact
  /// quotient as the nearest number; nil at the end and after it.
  func fraction(elapsedAt time: Time) -> Double? {
    guard time.isNumeric, start.isNumeric, time.epoch == start.epoch,
      duration.isNumeric, duration.value > 0
    else {
      return nil
    }
    // (time - start) / duration = passed / whole. Both fit: 64 + 31 + 31 bits and a sign.
    let passed =
      (Int128(time.value) * Int128(start.timescale) - Int128(start.value) * Int128(time.timescale))
      * Int128(duration.timescale)
    let whole = Int128(time.timescale) * Int128(start.timescale) * Int128(duration.value)
    guard passed < whole else { return nil }
    guard passed > 0 else { return 0 }
    // The quotient as a fraction of 128 bits. A bit for the remainder prevents a tie where there is
    // none.
    let (quotient, remainder) = whole.magnitude.dividingFullWidth((passed.magnitude, 0))
    return Double(remainder == 0 ? quotient : quotient | 1) * 0x1p-128
  }
}

extension AudioMix.InputParameters {
  /// Returns the volume at a time of the asset.
  public func volume(at time: Time) -> Double { volume.value(at: time) ?? 1 }
}

extension VideoComposition.LayerInstruction {
  /// Returns the opacity at a time of the asset.
  public func opacity(at time: Time) -> Double { opacity.value(at: time) ?? 1 }

  /// Returns the transform at a time of the asset.
  public func transform(at time: Time) -> AffineTransform {
    transform.value(at: time) ?? .identity
  }

  /// Returns the part of the frame that is shown at a time of the asset; nil for all of it, before
  /// the first entry.
  public func cropRectangle(at time: Time) -> Rectangle? { cropRectangle.value(at: time) }
}
