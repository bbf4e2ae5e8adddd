import BigInt
import MediaTime
import Testing

/// Random ranges, half of them near each other: the rules that hold for every pair.
@Suite struct TimeRangePropertyTests {
  @Test(arguments: [seed])
  func containmentUnionAndIntersection(seed: UInt64) {
    var random = Generator(seed: seed, stream: 21)
    var wrong: [String] = []
    for _ in 0..<30_000 where wrong.count < 5 {
      let (a, b, t) = (random.range(), random.range(), random.time())
      let (union, common) = (a.union(b), a.intersection(b))
      let isKnown = !a.isIndefinite && !b.isIndefinite
      // Ends that are rounded or overflow need not fit their ranges any more.
      let isRough = [a, b].contains { $0.end.hasBeenRounded || !$0.end.isNumeric }
      let laws: [(String, Bool)] = [
        ("the end is excluded", !a.contains(a.end)),
        ("an empty range holds nothing", !a.isEmpty || !a.contains(t)),
        ("a time is in by the order", a.contains(t) == isInside(t, a)),
        ("union commutes", isRough || union == b.union(a)),
        ("intersection commutes", isRough || common == b.intersection(a)),
        ("a range is its own union", !a.end.isValid || a.union(a) == a),
        (
          "a range is its own intersection",
          !a.isValid || a.isEmpty || isRough || a.intersection(a) == a
        ),
        ("invalid ranges combine to invalid", a.isValid && b.isValid || union == .invalid),
        ("invalid ranges meet in invalid", a.isValid && b.isValid || common == .invalid),
        (
          "union covers both",
          !isKnown || !union.isValid || union.hasBeenRounded
            || (union.start <= a.start && union.end >= a.end && union.end >= b.end)
        ),
        (
          "what is common is in both",
          !isKnown || common.isEmpty || !common.isValid || common.hasBeenRounded
            || (a.contains(common) && b.contains(common))
        ),
        (
          "a common time is in the intersection",
          !isKnown || common.hasBeenRounded || !(a.contains(t) && b.contains(t))
            || common.contains(t)
        ),
      ]
      for (law, holds) in laws where !holds { wrong.append("\(law): \(a) \(b) \(t)") }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  private func isInside(_ time: Time, _ range: TimeRange) -> Bool {
    guard range.isValid, !range.isEmpty, !range.isIndefinite, range.start.isNumeric, time.isNumeric,
      time.epoch == range.start.epoch
    else { return false }
    if Rational(time) < Rational(range.start) { return false }
    return !range.end.isNumeric ? true : Rational(time) < Rational(range.end)
  }

  @Test(arguments: [seed])
  func clampAndFold(seed: UInt64) {
    var random = Generator(seed: seed, stream: 22)
    var wrong: [String] = []
    for _ in 0..<25_000 where wrong.count < 5 {
      let (range, time) = (random.range(), random.time())
      let (clamped, folded) = (range.clamp(time), range.fold(time))
      // Where start + duration has to be rounded, the end can even come before the start.
      let isRough = range.end < range.start
      var laws: [(String, Bool)] = [
        ("a time inside is kept", !range.contains(time) || clamped.fields == time.fields),
        (
          "clamping ends within",
          !clamped.isNumeric || range.isIndefinite || !range.end.isValid || isRough
            || (range.start <= clamped && clamped <= range.end)
        ),
        (
          "clamping twice is clamping once",
          isRough || range.clamp(clamped).fields == clamped.fields
        ),
      ]
      if range.isValid, !range.isEmpty, time.isNumeric, range.start.isNumeric,
        range.duration.isNumeric, time.epoch == range.start.epoch
      {
        let (start, length) = (Rational(range.start), Rational(range.duration))
        let turns = ((Rational(time) - start) / length)
        let floor = turns.count(of: Rational(1), .towardNegativeInfinity, isCoarser: false).0
        let exact = Rational(time) - length * Rational(floor)
        laws += [
          ("folding ends inside", range.contains(folded) || range.end <= range.start),
          ("folding is exact or rounded", folded.hasBeenRounded || Rational(folded) == exact),
          ("folding keeps the epoch", folded.epoch == range.start.epoch),
        ]
      } else {
        laws.append(("what can't be folded is invalid", !folded.isValid))
      }
      for (law, holds) in laws where !holds {
        wrong.append("\(law): \(range) \(time) \(clamped) \(folded)")
      }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  @Test(arguments: [seed])
  func mapping(seed: UInt64) {
    var random = Generator(seed: seed, stream: 23)
    var wrong: [String] = []
    for _ in 0..<25_000 where wrong.count < 5 {
      let (from, to, time) = (random.range(), random.range(), random.time())
      if let complaint = complaint(about: time.mappedDuration(from: from, to: to), time, from, to) {
        wrong.append("duration \(time) from \(from) to \(to) \(complaint)")
      }
      let mapped = time.mapped(from: from, to: to)
      guard from.isValid, to.isValid, !from.isEmpty, !to.isEmpty, from.duration.isNumeric,
        to.duration.isNumeric, from.start.isNumeric, to.start.isNumeric, time.isNumeric,
        time.epoch == from.start.epoch
      else { continue }
      let start = from.start.mapped(from: from, to: to)
      let end = from.end.mapped(from: from, to: to)
      let offset = (Rational(time) - Rational(from.start)) * Rational(to.duration)
      let exact = offset / Rational(from.duration) + Rational(to.start)
      let isRight =
        start == to.start && (!from.end.isNumeric || from.end <= from.start || end == to.end)
        // The end maps to the end, also where it had to be rounded.
        && (!mapped.isNumeric || mapped.hasBeenRounded || Rational(mapped) == exact
          || (time == from.end && from.end.hasBeenRounded && mapped == to.end))
        && (!mapped.isNumeric || mapped.epoch == to.start.epoch)
      if !isRight { wrong.append("\(time) from \(from) to \(to) = \(mapped)") }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  private func complaint(
    about result: Time, _ time: Time, _ from: TimeRange, _ to: TimeRange
  ) -> String? {
    guard from.isValid, to.isValid, !from.isEmpty, !to.isEmpty, from.duration.isNumeric,
      to.duration.isNumeric, time.isNumeric, time.epoch == 0, !from.isIndefinite, !to.isIndefinite
    else { return nil }
    let exact = (Rational(time) * Rational(to.duration) / Rational(from.duration)).lowest
    let isRounded =
      time.hasBeenRounded || from.duration.hasBeenRounded || to.duration.hasBeenRounded
    // The timescale of a result counts its fraction alone, so that of a whole number is the target's.
    let preferred = BigInt(to.duration.timescale).leastCommonMultiple(with: exact.d)
    return exact.complaint(about: result, preferred: preferred, isRounded: isRounded, epoch: 0)
  }
}

extension TimeRange {
  fileprivate var hasBeenRounded: Bool {
    start.hasBeenRounded || duration.hasBeenRounded || end.hasBeenRounded
  }
}
