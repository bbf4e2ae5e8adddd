import MediaTime
import Testing

@Suite struct TimeRangeTests {
  private let live = TimeRange(start: .zero, duration: .indefinite)

  @Test func validity() {
    #expect(range(0, 10).isValid && range(-5, 0).isValid && range(1, 1, epoch: 3).isValid)
    #expect(TimeRange.zero.isValid && TimeRange.all.isValid && live.isValid)
    #expect(!TimeRange.invalid.isValid && !range(0, -1).isValid)
    #expect(!TimeRange(start: .invalid, duration: .zero).isValid)
    #expect(!TimeRange(start: .zero, duration: .invalid).isValid)
    #expect(!TimeRange(start: .zero, duration: .negativeInfinity).isValid)
    let later = TimeRange(start: .zero, duration: time(1, 1, epoch: 1))
    #expect(!later.isValid && later == .invalid)
    var changed = range(0, 10)
    changed.duration = time(1, 1, epoch: 1)
    #expect(!changed.isValid && !changed.end.isValid)
  }

  @Test func emptyAndIndefinite() {
    #expect(range(5, 0).isEmpty && TimeRange.zero.isEmpty)
    #expect(!range(5, 1).isEmpty && !TimeRange.invalid.isEmpty && !TimeRange.all.isEmpty)
    #expect(!live.isEmpty && live.isIndefinite)
    #expect(TimeRange(start: .indefinite, duration: time(1, 1)).isIndefinite)
    #expect(!TimeRange.all.isIndefinite && !TimeRange.invalid.isIndefinite)
    #expect(!TimeRange(start: .invalid, duration: .indefinite).isIndefinite)
  }

  @Test func ends() {
    #expect(range(5, 10).end.fields == time(15, 1).fields)
    #expect(range(5, 10, epoch: 3).end.fields == time(15, 1, epoch: 3).fields)
    #expect(TimeRange.all.end.isPositiveInfinity && live.end.isIndefinite)
    #expect(!TimeRange.invalid.end.isValid && !range(5, -1).end.isValid)
  }

  @Test func fromStartToEnd() {
    #expect(TimeRange(start: time(1, 3), end: time(1, 2)).duration.fields == time(1, 6).fields)
    let later = TimeRange(start: time(1, 1, epoch: 2), end: time(3, 1, epoch: 2))
    #expect(later == range(1, 2, epoch: 2) && later.isValid)
    #expect(TimeRange(start: .zero, end: .positiveInfinity) == .all)
    #expect(!TimeRange(start: time(2, 1), end: time(1, 1)).isValid)
    #expect(!TimeRange(start: time(1, 1), end: time(2, 1, epoch: 1)).isValid)
    #expect(!TimeRange(start: time(1, 1, epoch: 2), end: time(2, 1, epoch: 1)).isValid)
    #expect(!TimeRange(start: .positiveInfinity, end: .positiveInfinity).isValid)
  }

  @Test func equalityIsThatOfStartAndDuration() {
    let halves = TimeRange(start: time(0, 2), duration: time(20, 2))
    #expect(halves == range(0, 10) && halves.hashValue == range(0, 10).hashValue)
    #expect(range(0, 10) != range(1, 10) && range(0, 10) != range(0, 9))
    #expect(range(0, 10) != range(0, 10, epoch: 1))
    #expect(TimeRange.invalid == .invalid && TimeRange.invalid != .zero)
  }

  @Test func containsExcludesTheEnd() {
    let ten = range(5, 10)
    #expect(!ten.contains(ten.end))
    #expect(ten.contains(ten.start) && ten.contains(time(14_999, 1000)))
    #expect(!ten.contains(time(4999, 1000)) && !ten.contains(time(15, 1)))
    #expect(!range(5, 0).contains(time(5, 1)))
    #expect(!ten.contains(time(6, 1, epoch: 1)))
    #expect(range(5, 10, epoch: 1).contains(time(6, 1, epoch: 1)))
    #expect(TimeRange.all.contains(time(.max, 1)) && !TimeRange.all.contains(time(-1, 600)))
    #expect(!TimeRange.all.contains(time(1, 1, epoch: 1)))
    for special in specialTimes {
      #expect(!TimeRange.all.contains(special) && !ten.contains(special))
    }
    #expect(!TimeRange.invalid.contains(Time.zero) && !live.contains(Time.zero))
    #expect(!range(5, -10).contains(time(0, 1)))
  }

  @Test func containsARange() {
    let ten = range(0, 10)
    #expect(ten.contains(ten) && ten.contains(range(3, 7)) && ten.contains(range(0, 1)))
    #expect(!ten.contains(range(3, 8)) && !ten.contains(range(-1, 2)))
    #expect(!ten.contains(range(20, 1)) && !range(3, 7).contains(ten))
    #expect(!ten.contains(range(3, 7, epoch: 1)))
    #expect(TimeRange.all.contains(ten) && TimeRange.all.contains(.all))
    #expect(!ten.contains(TimeRange(start: time(1, 1), duration: .positiveInfinity)))
  }

  @Test func anEmptyRangeIsContainedWhereItsStartIs() {
    let ten = range(0, 10)
    #expect(ten.contains(range(0, 0)) && ten.contains(range(9, 0)))
    #expect(!ten.contains(range(10, 0)) && !ten.contains(range(-1, 0)))
    #expect(!range(5, 0).contains(range(5, 0)))
  }

  @Test func whatIsNotKnownIsNotContained() {
    #expect(!live.contains(range(0, 1)) && !TimeRange.all.contains(live))
    #expect(
      !TimeRange.all.contains(TimeRange.invalid) && !TimeRange.invalid.contains(TimeRange.invalid))
  }

  @Test func unionIncludesTheGap() {
    #expect(range(0, 10).union(range(5, 10)) == range(0, 15))
    #expect(range(20, 5).union(range(0, 10)) == range(0, 25))
    #expect(range(0, 10).union(range(2, 3)) == range(0, 10))
    #expect(range(0, 10).union(range(20, 0)) == range(0, 20))
    #expect(range(0, 1, epoch: 2).union(range(3, 1, epoch: 2)) == range(0, 4, epoch: 2))
    #expect(range(-5, 1).union(.all) == TimeRange(start: time(-5, 1), duration: .positiveInfinity))
    #expect(range(0, 1).union(range(3, 1, epoch: 2)) == .invalid)
    #expect(range(0, 1).union(.invalid) == .invalid && TimeRange.invalid.union(.all) == .invalid)
    #expect(range(-1, 1).union(live) == TimeRange(start: time(-1, 1), duration: .indefinite))
    #expect(TimeRange.all.union(live) == .all)
  }

  @Test func intersection() {
    #expect(range(0, 10).intersection(range(5, 10)) == range(5, 5))
    #expect(range(0, 10).intersection(range(2, 3)) == range(2, 3))
    #expect(range(-3, 5).intersection(.all) == range(0, 2))
    #expect(TimeRange.all.intersection(.all) == .all)
    #expect(range(0, 10, epoch: 2).intersection(range(5, 10, epoch: 2)) == range(5, 5, epoch: 2))
    #expect(range(0, 10).intersection(range(5, 10, epoch: 2)) == .invalid)
    #expect(range(0, 10).intersection(.invalid) == .invalid)
  }

  @Test func nothingInCommonIsTheZeroRange() {
    let ten = range(5, 10)
    for other in [range(20, 1), range(0, 5), range(15, 1), range(7, 0), range(0, 0)] {
      #expect(ten.intersection(other) == .zero)
      #expect(other.intersection(ten) == .zero)
    }
  }

  @Test func intersectionWithWhatIsNotKnown() {
    #expect(live.intersection(range(5, 1)) == TimeRange(start: time(5, 1), duration: .indefinite))
    #expect(live.intersection(range(-5, 1)) == .zero)
    let unknown = TimeRange(start: .indefinite, duration: time(1, 1))
    #expect(unknown.intersection(range(5, 1)).isIndefinite)
  }

  @Test func aRangeWithoutAnEndCannotBeCombined() {
    let endless = TimeRange(start: .negativeInfinity, duration: .positiveInfinity)
    #expect(endless.isValid && !endless.end.isValid)
    #expect(endless.union(range(0, 1)) == .invalid)
    #expect(range(0, 1).intersection(endless) == .invalid)
    #expect(!endless.contains(.zero as Time) && !endless.contains(range(0, 1)))
  }

  @Test func whatIsPartOfTheOtherStaysAsItIs() {
    // Subtracting the ends would need a timescale above the limit.
    let part = TimeRange(start: time(1, 2_147_483_629), duration: time(1, 1_073_741_789))
    let whole = TimeRange(start: .zero, duration: time(1, 600))
    #expect(whole.intersection(part).duration.fields == part.duration.fields)
    #expect(part.union(whole).duration.fields == whole.duration.fields)
  }

  @Test func clampReturnsTheEndItself() {
    let ten = range(5, 10)
    #expect(ten.clamp(time(0, 1)).fields == time(5, 1).fields)
    #expect(ten.clamp(time(20, 1)).fields == time(15, 1).fields)
    #expect(ten.clamp(time(15, 1)).fields == time(15, 1).fields)
    #expect(ten.clamp(time(14, 2)).fields == time(14, 2).fields)
    #expect(
      ten.clamp(.positiveInfinity) == time(15, 1) && ten.clamp(.negativeInfinity) == time(5, 1))
    #expect(ten.clamp(time(7, 1, epoch: 1)) == time(15, 1))
    #expect(ten.clamp(time(7, 1, epoch: -1)) == time(5, 1))
    #expect(!ten.clamp(.invalid).isValid && ten.clamp(.indefinite).isIndefinite)
    #expect(!range(5, 0).clamp(time(5, 1)).isValid && !TimeRange.invalid.clamp(.zero).isValid)
    #expect(live.clamp(time(-1, 1)) == .zero && live.clamp(time(99, 1)) == time(99, 1))
    #expect(TimeRange.all.clamp(.positiveInfinity).isPositiveInfinity)
    let unknown = TimeRange(start: .indefinite, duration: time(1, 1))
    #expect(unknown.clamp(time(3, 1)) == time(3, 1))
  }

  @Test func foldIsTheRemainder() {
    // Core Media's own results, timescales included, as others' published tests give them.
    let fold = TimeRange(start: time(1, 3), duration: time(2, 5))
    #expect(fold.fold(time(0, 1)).fields == time(6, 15).fields)
    #expect(fold.fold(time(1, 2)).fields == time(15, 30).fields)
    #expect(fold.fold(time(7, 3)).fields == time(1, 3).fields)
    #expect(fold.fold(time(-7, 11)).fields == time(93, 165).fields)
  }

  @Test func foldLoops() {
    let ten = range(5, 10)
    #expect(ten.fold(time(7, 1)) == time(7, 1) && ten.fold(time(37, 1)) == time(7, 1))
    #expect(ten.fold(time(5, 1)) == time(5, 1) && ten.fold(time(15, 1)) == time(5, 1))
    #expect(ten.fold(time(4, 1)) == time(14, 1) && ten.fold(time(-100, 1)) == time(10, 1))
    #expect(
      range(5, 10, epoch: 2).fold(time(37, 1, epoch: 2)).fields == time(7, 1, epoch: 2).fields)
    #expect(ten.fold(time(37, 1, rounded: true)).hasBeenRounded)
    #expect(ten.fold(time(35, 1, rounded: true)).hasBeenRounded)
    #expect(!ten.fold(time(7, 1, epoch: 1)).isValid)
    for special in specialTimes { #expect(!ten.fold(special).isValid) }
    for unfit in [range(5, 0), .all, .invalid, live] { #expect(!unfit.fold(time(7, 1)).isValid) }
  }

  @Test func roundedFoldsStayInTheRange() {
    // The last third of a tick before the end would round up to the end.
    let tick = TimeRange(start: .zero, duration: time(1, .max))
    let folded = tick.fold(time(-1, .max - 1))
    #expect(tick.contains(folded) && folded.hasBeenRounded)
  }

  @Test func descriptions() {
    #expect(range(0, 60).description == "{{0/1 = 0.000}, {60/1 = 60.000}}")
    #expect(TimeRange.invalid.description == "{{INVALID}, {INVALID}}")
    #expect(range(1, 60).secondsDescription == "1 s to 61 s")
    #expect(TimeRange.invalid.secondsDescription == "invalid to invalid")
  }
}
