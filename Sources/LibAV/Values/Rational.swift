internal import CLibAV

/// A ratio in libav's form; 0/1 or x/0 mean "unknown".
package struct Rational: Hashable, Sendable {
  package var numerator: Int32
  package var denominator: Int32

  package init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  init(_ value: AVRational) { self.init(value.num, value.den) }

  var rational: AVRational { AVRational(num: numerator, den: denominator) }
  /// False for the forms that mean "unknown", and for negative ones.
  package var isPositive: Bool { numerator > 0 && denominator > 0 }
  package var doubleValue: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }
}

/// Seconds per tick.
package typealias TimeBase = Rational
