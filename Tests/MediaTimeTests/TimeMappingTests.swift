import MediaTime
import Testing

@Suite struct TimeMappingTests {
  private let target = TimeRange(start: time(10, 1), duration: time(4, 1))

  @Test func anEmptyEditHasNoSource() {
    let empty = TimeMapping(emptyTarget: target)
    #expect(empty.isEmpty && empty.isValid && empty.source == .invalid && empty.target == target)
    #expect(!TimeMapping(source: range(1, 2), target: target).isEmpty)
    #expect(!TimeMapping(emptyTarget: .invalid).isEmpty)
    #expect(!TimeMapping(emptyTarget: .invalid).isValid)
    // The duration of an empty edit's source doesn't count.
    let source = TimeRange(start: .invalid, duration: time(9, 1))
    #expect(TimeMapping(source: source, target: target).isEmpty)
  }

  @Test func theRateIsSourceOverTarget() {
    func rate(_ source: Time, _ target: Time) -> Double {
      TimeMapping(
        source: TimeRange(start: .zero, duration: source),
        target: TimeRange(start: .zero, duration: target)
      ).rate
    }
    #expect(rate(time(2, 1), time(4, 1)) == 0.5)
    #expect(rate(time(1001, 30_000), time(2002, 60_000)) == 1)
    #expect(rate(time(1, 3), time(1, 9)) == 3)
    #expect(rate(.zero, time(4, 1)) == 0)
    #expect(rate(time(4, 1), .zero) == .infinity)
    #expect(rate(.zero, .zero).isNaN)
    #expect(rate(.positiveInfinity, time(4, 1)).isNaN && rate(time(-1, 1), time(1, 1)).isNaN)
    #expect(rate(time(.max, 1), time(.max, .max)) == Double(Int32.max))
    #expect(TimeMapping(emptyTarget: target).rate == 1)
  }

  @Test func aDescriptionShowsBothRanges() {
    #expect(
      TimeMapping(source: range(1, 2), target: target).description
        == "{{{1/1 = 1.000}, {2/1 = 2.000}} -> {{10/1 = 10.000}, {4/1 = 4.000}}}")
  }

  @Test func timesAreMappedLinearly() {
    let source = range(1, 2)
    #expect(source.start.mapped(from: source, to: target).fields == target.start.fields)
    #expect(source.end.mapped(from: source, to: target).fields == target.end.fields)
    #expect(time(2, 1).mapped(from: source, to: target) == time(12, 1))
    #expect(time(0, 1).mapped(from: source, to: target) == time(8, 1))
    #expect(time(9, 2).mapped(from: source, to: target) == time(17, 1))
    #expect(time(4, 3).mapped(from: source, to: target) == time(32, 3))
    #expect(!time(4, 3).mapped(from: source, to: target).hasBeenRounded)
  }

  @Test func endsAreMappedExactly() {
    let source = TimeRange(start: time(1, 7), duration: time(2, 5))
    let other = TimeRange(start: time(3, 13), duration: time(7, 11))
    #expect(source.end.mapped(from: source, to: other).fields == other.end.fields)
    #expect(other.end.mapped(from: other, to: source).fields == source.end.fields)
  }

  @Test func mappingTakesTheEpochOfTheTarget() {
    let source = range(1, 2, epoch: 3)
    let other = TimeRange(start: time(10, 1, epoch: 5), duration: time(4, 1))
    let mapped = time(2, 1, epoch: 3).mapped(from: source, to: other)
    #expect(mapped == time(12, 1, epoch: 5))
    #expect(!time(2, 1).mapped(from: source, to: other).isValid)
    #expect(!time(2, 1, epoch: 5).mapped(from: source, to: other).isValid)
  }

  @Test func roundingIsStickyInMappings() {
    let source = TimeRange(start: .zero, duration: time(2, 1, rounded: true))
    #expect(time(1, 1).mapped(from: source, to: target).hasBeenRounded)
    #expect(source.end.mapped(from: source, to: target).hasBeenRounded)
    #expect(time(1, 1, rounded: true).mappedDuration(from: range(0, 2), to: target).hasBeenRounded)
  }

  @Test func emptyAndInvalidRangesMapNothing() {
    for unfit in [range(1, 0), .invalid, range(1, -1)] {
      #expect(!time(1, 1).mapped(from: unfit, to: target).isValid)
      #expect(!time(1, 1).mapped(from: target, to: unfit).isValid)
      #expect(!time(1, 1).mappedDuration(from: unfit, to: target).isValid)
      #expect(!time(1, 1).mappedDuration(from: target, to: unfit).isValid)
    }
  }

  @Test func infiniteRangesAreMovedOnly() {
    let source = TimeRange(start: time(1, 1), duration: .positiveInfinity)
    let other = TimeRange(start: time(10, 1), duration: .positiveInfinity)
    #expect(time(5, 1).mapped(from: source, to: other) == time(14, 1))
    #expect(time(3, 2).mappedDuration(from: source, to: other).fields == time(3, 2).fields)
    #expect(!time(5, 1).mapped(from: source, to: target).isValid)
    #expect(!time(5, 1).mapped(from: target, to: source).isValid)
    #expect(!time(5, 1).mappedDuration(from: source, to: target).isValid)
  }

  @Test func timesThatAreNotNumeric() {
    let source = range(1, 2)
    #expect(Time.positiveInfinity.mapped(from: source, to: target).isPositiveInfinity)
    #expect(Time.negativeInfinity.mapped(from: source, to: target).isNegativeInfinity)
    #expect(Time.indefinite.mapped(from: source, to: target).isIndefinite)
    #expect(!Time.invalid.mapped(from: source, to: target).isValid)
    #expect(Time.positiveInfinity.mappedDuration(from: source, to: target).isPositiveInfinity)
    #expect(Time.indefinite.mappedDuration(from: source, to: target).isIndefinite)
    #expect(!Time.invalid.mappedDuration(from: source, to: target).isValid)
    let live = TimeRange(start: .zero, duration: .indefinite)
    #expect(time(1, 1).mapped(from: live, to: target).isIndefinite)
    #expect(time(1, 1).mappedDuration(from: source, to: live).isIndefinite)
  }

  @Test func durationsAreScaled() {
    let source = range(1, 2)
    #expect(time(1, 1).mappedDuration(from: source, to: target).fields == time(2, 1).fields)
    #expect(time(-1, 1).mappedDuration(from: source, to: target).fields == time(-2, 1).fields)
    #expect(time(1, 3).mappedDuration(from: source, to: target).fields == time(2, 3).fields)
    #expect(time(0, 3).mappedDuration(from: source, to: target).fields == time(0, 1).fields)
    #expect(!time(1, 1, epoch: 1).mappedDuration(from: source, to: target).isValid)
    let film = TimeRange(start: .zero, duration: time(600, 600))
    #expect(time(1, 24).mappedDuration(from: film, to: film).fields == time(25, 600).fields)
    // Core Media rounds this one to 530303030/1000000000.
    let other = TimeRange(start: time(1, 7), duration: time(2, 5))
    let eleventh = TimeRange(start: time(3, 13), duration: time(7, 11))
    #expect(time(1, 3).mappedDuration(from: other, to: eleventh).fields == time(35, 66).fields)
  }

  @Test func scalingIsExactBeyond128Bits() {
    let large = TimeRange(start: .zero, duration: time(.max, .max))
    #expect(
      time(.max, .max).mappedDuration(from: large, to: large).fields == time(.max, .max).fields)
    let small = TimeRange(start: .zero, duration: time(1, .max))
    #expect(time(.max, 1).mappedDuration(from: small, to: large).isPositiveInfinity)
    #expect(time(.min, 1).mappedDuration(from: small, to: large).isNegativeInfinity)
    #expect(
      time(.max, 1).mappedDuration(from: large, to: small) == time(1, 1))
  }
}
