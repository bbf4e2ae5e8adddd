import Testing

@testable import MediaEngine

@Suite struct SmartCutPlanTests {
  private func plan(
    _ index: SampleIndex, _ start: Int64, _ end: Int64, canBegin: (Int) -> Bool = { _ in true }
  ) throws -> SmartCutPlan? {
    var refused = 0
    return try SmartCutPlan(
      index: index, start: start, end: end, refused: &refused, canBegin: canBegin)
  }

  /// Groups of a sync sample, and of P with two B before it in presentation; with `leading` two B of
  /// the group before come after the sync sample (open groups).
  private func groups(_ count: Int, of length: Int, leading: Bool) -> SampleIndex {
    var order: [(frame: Int, isSync: Bool)] = []
    for group in 0..<count {
      let base = group * length
      order.append((base, true))
      if leading, group > 0 { order += [(base - 2, false), (base - 1, false)] }
      var frame = base + 1
      while frame < base + length - (leading && group + 1 < count ? 2 : 0) {
        let last = min(frame + 2, base + length - (leading && group + 1 < count ? 2 : 0) - 1)
        order.append((last, false))
        order += (frame..<last).map { ($0, false) }
        frame = last + 1
      }
    }
    return SampleIndex(
      order.enumerated().map { place, sample in
        TestSample(
          pts: Int64(sample.frame * 10), dts: Int64((place - 2) * 10), isSync: sample.isSync)
      })
  }

  @Test func whatBeginsAtASyncSampleHasNoHead() throws {
    let plan = try #require(try plan(.groups(3), 40, 80))
    #expect(plan.head.isEmpty && plan.tail.isEmpty)
    #expect(plan.copied == 4..<8)
    #expect(plan.boundarySample == nil)
    #expect(plan.decodeTimes == [30, 40, 50, 60])
  }

  @Test func aSyncSampleThatTheRangeBeginsInsideOfIsShownLater() throws {
    let plan = try #require(try plan(.groups(3), 43, 80))
    #expect(plan.head.isEmpty && plan.boundarySample == 4 && plan.copied == 4..<8)
  }

  @Test func theEdgesLieAroundWholeGroups() throws {
    // From within the first group to within the third: the picture at 110 is needed for that at 100.
    let plan = try #require(try plan(.groups(3), 15, 105))
    #expect(plan.head.map(\.sourceTime) == [10, 20, 30])
    #expect(plan.head.map(\.time) == [15, 20, 30])
    #expect(plan.head.map(\.decodeTime) == [0, 10, 20])
    #expect(plan.copied == 4..<9)
    #expect(plan.tail.map(\.sourceTime) == [90, 100])
    #expect(plan.tail.map(\.decodeTime) == [80, 90])
    #expect(plan.tail.map(\.end) == [100, 105])
  }

  @Test func aCopyEndsInTheMiddleOfAGroupWhereNothingIsMissing() throws {
    let index = groups(2, of: 10, leading: false)
    let plan = try #require(try plan(index, 0, 70))
    #expect(plan.tail.isEmpty)
    #expect(plan.copied == 0..<7)
  }

  @Test func aRangeWithinAGroupIsEncoded() throws {
    let plan = try #require(try plan(.groups(3), 50, 70))
    #expect(plan.copied.isEmpty && plan.tail.isEmpty)
    #expect(plan.head.map(\.sourceTime) == [50, 60])
    #expect(plan.head.map(\.decodeTime) == [50, 60])
  }

  /// The leading samples of an open group refer to the group before, which isn't there.
  @Test func whatLeadsTheFirstCopiedSampleIsEncoded() throws {
    let index = groups(3, of: 6, leading: true)
    let plan = try #require(try plan(index, 30, 120))
    #expect(plan.head.map(\.sourceTime) == [30, 40, 50])
    #expect(index.samples[plan.copied.lowerBound].pts == 60)
    #expect(plan.leading.map { index.samples[$0].pts } == [40, 50])
  }

  @Test func aSyncSampleThatIsNoPlaceToBeginIsPassedOver() throws {
    var refused = 0
    let index = SampleIndex.groups(4)
    let made = try SmartCutPlan(index: index, start: 10, end: 160, refused: &refused) { $0 > 4 }
    let plan = try #require(made)
    #expect(refused == 1)
    #expect(plan.copied == 8..<16)
    #expect(plan.head.map(\.sourceTime) == [10, 20, 30, 40, 50, 60, 70])
  }

  @Test func nothingIsPlannedForNothing() throws {
    let index = SampleIndex.groups(2)
    #expect(try plan(index, 80, 90) == nil)
    #expect(try plan(index, 40, 40) == nil)
    #expect(try plan(SampleIndex([TestSample(pts: nil, dts: 0, isSync: true)]), 0, 5) == nil)
    #expect(try plan(SampleIndex([]), 0, 5) == nil)
  }

  @Test func hostileTimesAreNoTrap() throws {
    let index = SampleIndex([
      TestSample(pts: .min, dts: .max, duration: .max, isSync: true),
      TestSample(pts: .max, dts: .min, duration: .max),
      TestSample(pts: 0, dts: 0, duration: 0, isSync: true),
      TestSample(pts: .max, dts: .max, duration: .max, isSync: true),
    ])
    for (start, end) in [(Int64.min, Int64.max), (0, 1), (-1, .max), (.max - 1, .max)] {
      _ = try plan(index, start, end)
      _ = TrackCut(index: index, start: start, end: end, hidesStart: true, kind: .pictures)
      _ = index.wholeSamples(from: start, to: end)
    }
  }

  /// Every picture of the range once, in order; decoded in order, and before it is shown.
  @Test(arguments: [false, true], [1, 4, 6, 13]) func everyRangeIsWhole(
    _ isOpen: Bool, _ length: Int
  ) throws {
    let index = groups(5, of: max(length, isOpen ? 4 : 1), leading: isOpen)
    let times = index.presentation.map { index.samples[$0].pts }
    let last = try #require(times.last) + 10
    for start in stride(from: 0, to: last, by: 5) {
      for end in stride(from: start + 5, through: last, by: 5) {
        let plan = try #require(try plan(index, start, end))
        let expected = times.filter { $0 < end && $0 + 10 > start }
        let copied = plan.copied.filter { !plan.leading.contains($0) }
        let shown =
          plan.head.map(\.sourceTime) + copied.map { index.samples[$0].pts }.sorted()
          + plan.tail.map(\.sourceTime)
        #expect(shown == expected, "\(start)..<\(end)")
        let decoded =
          plan.head.map(\.decodeTime)
          + zip(plan.copied, plan.decodeTimes).filter { !plan.leading.contains($0.0) }.map(\.1)
          + plan.tail.map(\.decodeTime)
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 }, "\(start)..<\(end)")
        #expect((plan.head + plan.tail).allSatisfy { $0.decodeTime <= $0.time && $0.time < $0.end })
        // The last picture of the range lasts until its end.
        let ends = plan.tail.last?.end ?? plan.endOfCopy(index)?.end ?? plan.head.last?.end
        #expect(ends == end, "\(start)..<\(end)")
      }
    }
  }
}
