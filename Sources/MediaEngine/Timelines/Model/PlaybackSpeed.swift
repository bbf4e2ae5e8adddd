public import MediaTime

/// A speed: 2 shows a source in half its time, -1 from its end to its start.
public struct PlaybackSpeed: Sendable, Hashable {
  public var numerator: Int32
  public var denominator: Int32

  public init(_ numerator: Int32, over denominator: Int32 = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public static let natural = PlaybackSpeed(1)

  /// The nearest speed; nil for one that none is near to.
  init?(_ exact: ExactTime) {
    let fraction = Fraction(exact.numerator, over: exact.denominator)
    let limit = UInt128(Int32.max)
    guard
      let (top, bottom, _) = fraction.bestApproximation(
        numeratorLimit: limit, denominatorLimit: limit), top > 0
    else { return nil }
    self.init(Int32(clamping: top), over: Int32(clamping: bottom))
  }

  var isValid: Bool { numerator != 0 && numerator > .min && denominator > 0 }
  var isBackward: Bool { numerator < 0 }
  /// The same speed in the other direction.
  var opposite: PlaybackSpeed { PlaybackSpeed(-numerator, over: denominator) }
  /// In lowest terms.
  var reduced: PlaybackSpeed {
    guard isValid else { return self }
    let divisor = Int32(clamping: greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
    return PlaybackSpeed(numerator / divisor, over: denominator / divisor)
  }
  /// The factor, without its direction.
  var exact: ExactTime { ExactTime(reducing: Int128(numerator.magnitude), Int128(denominator)) }
  var text: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

  /// Returns the time for which a part of a source is shown.
  func shown(_ duration: Time) -> Time {
    let numerator = abs(numerator)
    return numerator == denominator
      ? duration : duration.multiplied(byRatio: denominator, numerator)
  }

  /// Returns the part of a source that is shown in a time.
  func taken(by duration: Time) -> Time {
    let numerator = abs(numerator)
    return numerator == denominator
      ? duration : duration.multiplied(byRatio: numerator, denominator)
  }
}

/// A point of a speed ramp: the speed with which a time of a source is passed.
///
/// From one point to the next the speed changes linearly over the time in which the source is
/// shown. Before the first point, and after the last one, it is constant. Two points at one time
/// are a step.
public struct SpeedPoint: Sendable, Hashable {
  /// A time of the source.
  public var time: Time
  public var speed: PlaybackSpeed

  public init(_ speed: PlaybackSpeed, at time: Time) {
    self.speed = speed
    self.time = time
  }
}

extension [SpeedPoint] {
  /// The maximum number of points of a ramp.
  static let limit = 1000

  /// Returns all that is wrong with a ramp over a range of a source, with paths below `path`.
  ///
  /// - Parameters:
  ///   - range: an invalid one is a problem of its own, and isn't reported.
  ///   - allowsBackward: the speeds may all be below 0.
  func problems(
    over range: TimeRange, allowsBackward: Bool, at path: String
  ) -> [EngineError.Problem] {
    guard (1...Self.limit).contains(count) else {
      return [
        EngineError.Problem(
          path: path, expected: "1 to \(Self.limit) points", got: "\(count)", code: nil)
      ]
    }
    var problems: [EngineError.Problem] = []
    let isBackward = allowsBackward && self[0].speed.isBackward
    for (number, point) in enumerated() {
      if !point.speed.isValid || point.speed.isBackward != isBackward {
        let expected =
          isBackward
          ? "a number below 0, as at the first point"
          : "a number above 0; freeze holds a frame"
            + (allowsBackward
              ? ", and speeds that are all below 0 play backward" : "")
        problems.append(
          EngineError.Problem(
            path: "\(path)/\(number)/speed", expected: expected, got: point.speed.text,
            code: nil))
      }
      func refuse(_ expected: String) {
        problems.append(
          EngineError.Problem(
            path: "\(path)/\(number)/at", expected: expected, got: point.time.exactDescription,
            code: .invalidCompositionTrackSegmentSourceStartTime))
      }
      guard point.time.isNumeric, point.time.epoch == 0 else {
        refuse("a time of the source")
        continue
      }
      if range.isValid, point.time < range.start || point.time > range.end {
        refuse(
          "from \(range.start.exactDescription) to \(range.end.exactDescription), "
            + "as the clip is that range of its source")
      } else if number > 0, point.time < self[number - 1].time {
        refuse(
          "\(self[number - 1].time.exactDescription) or later, as points are in ascending order")
      } else if number > 1, point.time == self[number - 2].time {
        refuse("a later time: two points at one time are a step, and a third has no effect")
      }
    }
    return problems
  }
}
