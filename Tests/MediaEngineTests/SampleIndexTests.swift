import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// A sample for an index, written shortly.
struct TestSample {
  var pts: Int64?
  var dts: Int64?
  var duration: Int64 = 10
  var isSync = false
  var isDiscarded = false
  var size = 100
}

extension SampleIndex {
  init(_ samples: [TestSample]) {
    var builder = Builder()
    for (index, sample) in samples.enumerated() {
      var flags: Flags = []
      if sample.isSync { flags.insert(.sync) }
      if sample.isDiscarded { flags.insert(.discarded) }
      builder.append(
        pts: sample.pts, dts: sample.dts, duration: sample.duration, size: sample.size,
        position: Int64(index * 100), flags: flags)
    }
    self.init(builder)
  }

  /// Decode order I P B B, as in a closed group of four; groups of `count`.
  static func groups(_ count: Int) -> SampleIndex {
    SampleIndex(
      (0..<count).flatMap { group -> [TestSample] in
        let base = Int64(group * 40)
        return [
          TestSample(pts: base, dts: base - 10, isSync: true),
          TestSample(pts: base + 30, dts: base), TestSample(pts: base + 10, dts: base + 10),
          TestSample(pts: base + 20, dts: base + 20),
        ]
      })
  }
}

@Suite struct SampleIndexTests {
  /// Numbers that a file may hold, though no sum of them fits.
  @Test func hostileNumbersEndWithTheRange() throws {
    let index = SampleIndex([
      TestSample(pts: 0, dts: 0, duration: .max, isSync: true),
      TestSample(pts: .max - 5, dts: .max - 5, duration: .max),
    ])
    #expect(index.end == .max)
    #expect(index.decodeRange(from: 0, to: .max) == 0..<2)
    #expect(index.decodeRange(from: .min, to: .min).isEmpty)
    #expect(index.nearestSyncSample(to: .min, within: .min ... .max)?.pts == 0)
  }

  @Test func aRangeBehindTheEndNeedsNothing() throws {
    let index = SampleIndex.groups(2)
    #expect(index.decodeRange(from: 79, to: 200) == 4..<6)
    #expect(index.decodeRange(from: 80, to: 200).isEmpty)
  }

  /// Of every time, the sample shown is the last that is not after it: against a plain search.
  @Test func everyTimeFindsTheSampleShownThen() throws {
    let index = SampleIndex.groups(5)
    let times = index.samples.map(\.pts).sorted()
    for time in Int64(-5)...215 {
      let shown = times.last { $0 <= time }
      let found = index.position(at: time).map { index.sample(atPosition: $0).pts }
      #expect(found == shown, "at \(time)")
    }
    #expect(index.start == 0)
    #expect(index.end == 200)
  }

  @Test func decodingBeginsAtTheSyncSampleOfTheGroup() throws {
    let index = SampleIndex.groups(3)
    for time in Int64(0)..<120 {
      let position = try #require(index.position(at: time))
      #expect(index.randomAccessPoint(forPosition: position) == Int(time / 40) * 4)
    }
  }

  /// Open GOP: the pictures that show before a sync sample but come after it refer to the group before.
  @Test func leadingPicturesBeginAtTheGroupBefore() throws {
    let index = SampleIndex([
      TestSample(pts: 0, dts: -10, isSync: true), TestSample(pts: 10, dts: 0),
      TestSample(pts: 40, dts: 10, isSync: true), TestSample(pts: 20, dts: 20),
      TestSample(pts: 30, dts: 30), TestSample(pts: 50, dts: 40),
    ])
    let starts = try [0, 10, 20, 30, 40, 50].map { time in
      index.randomAccessPoint(forPosition: try #require(index.position(at: time)))
    }
    #expect(starts == [0, 0, 0, 0, 2, 2])
    #expect(index.randomAccessPoint(before: 2) == 0)
    #expect(index.randomAccessPoint(before: 0) == nil)
  }

  @Test func discardedSamplesAreDecodedButNotShown() throws {
    let index = SampleIndex([
      TestSample(pts: -20, dts: -20, isSync: true, isDiscarded: true),
      TestSample(pts: -10, dts: -10, isDiscarded: true), TestSample(pts: 0, dts: 0),
      TestSample(pts: 10, dts: 10, isSync: true),
    ])
    #expect(index.position(at: -5) == nil)
    #expect(index.start == 0)
    #expect(index.randomAccessPoint(forPosition: try #require(index.position(at: 5))) == 0)
    #expect(index.nearestSyncSample(to: -20, within: -100...100)?.pts == 10)
  }

  @Test func missingTimesAndDurationsAreFilledIn() throws {
    let index = SampleIndex([
      TestSample(pts: 0, dts: 0, duration: 0, isSync: true),
      TestSample(pts: 15, dts: 15, duration: 0), TestSample(pts: 40, dts: 40, duration: 0),
    ])
    #expect(index.samples.map(\.duration) == [15, 25, 25])
    #expect(index.isReliable)
    let unknown = SampleIndex([
      TestSample(pts: nil, dts: nil, isSync: true), TestSample(pts: nil, dts: nil),
    ])
    #expect(!unknown.isReliable)
    #expect(unknown.samples.map(\.pts) == [0, 10])
    #expect(SampleIndex([TestSample]()).isEmpty)
  }

  @Test func whatWasNotStatedIsKnown() {
    let index = SampleIndex([
      TestSample(pts: 0, dts: nil, duration: 0), TestSample(pts: nil, dts: 10, duration: 7),
      TestSample(pts: 20, dts: 20, duration: 0, isDiscarded: true),
      TestSample(pts: 30, dts: 30, duration: 0),
    ])
    #expect(
      index.samples.map(\.flags) == [
        [.inferredDTS, .derivedDuration], .inferredPTS, .discarded, .derivedDuration,
      ])
    #expect(index.samples.map(\.duration) == [10, 7, 0, 7])
    #expect(index.samples.map(\.isDurationUnknown) == [false, false, true, false])
    let single = SampleIndex([TestSample(pts: 0, dts: 0, duration: 0)])
    #expect(single.samples[0].isDurationUnknown)
  }

  /// The index stays in memory as long as its asset.
  @Test func aSampleTakesFortyBytes() {
    #expect(MemoryLayout<SampleIndex.Sample>.stride == 40)
    let index = SampleIndex((0..<1000).map { TestSample(pts: $0, dts: $0) })
    #expect(index.samples.capacity < 1126)
  }

  @Test func ordersAreThoseOfTheirLists() {
    let lists: [[Int32]] = [[], [0], [7, 8, 9], [2, 1, 0], [0, 2, 3]]
    for list in lists {
      let order = SampleOrder(list)
      #expect(order.map(Int32.init) == list)
      #expect(order.count(while: { $0 == list.first.map(Int.init) }) == min(list.count, 1))
    }
    #expect(Array(SampleOrder(3..<6)) == [3, 4, 5])
  }

  /// Hostile numbers: nothing may trap.
  @Test func extremeTimesDontTrap() throws {
    let index = SampleIndex([
      TestSample(pts: .max, dts: .max, duration: .max, isSync: true),
      TestSample(pts: .min + 1, dts: .min + 1, duration: 0, isSync: true),
      TestSample(pts: 0, dts: 0, duration: -5),
    ])
    #expect(index.position(at: .max) == 2)
    #expect(index.position(at: .min) == nil)
    #expect(index.nearestSyncSample(to: 0, within: .min ... .max) != nil)
    #expect(index.samples.allSatisfy { $0.duration >= 0 })
  }

  @Test func theNearestSyncSampleLiesWithinTheRange() throws {
    let index = SampleIndex.groups(4)
    let cases: [(Int64, ClosedRange<Int64>, Int64?)] = [
      (50, 0...200, 40), (60, 0...200, 40), (61, 0...200, 80), (61, 41...79, nil),
      (61, 0...41, 40), (999, 0...999, 120),
    ]
    for (time, range, expected) in cases {
      #expect(index.nearestSyncSample(to: time, within: range)?.pts == expected, "\(time) \(range)")
    }
  }

  @Test func aPacketIsFoundByItsTimeAndPlace() throws {
    let index = SampleIndex([
      TestSample(pts: 5, dts: 0, isSync: true), TestSample(pts: 5, dts: 5),
      TestSample(pts: 20, dts: 10),
    ])
    #expect(index.decodeIndex(pts: 5, dts: 0, position: 0) == 0)
    #expect(index.decodeIndex(pts: 5, dts: 5, position: 100) == 1)
    #expect(index.decodeIndex(pts: 20, dts: nil, position: nil) == 2)
    #expect(index.decodeIndex(pts: 6, dts: nil, position: nil) == nil)
    #expect(index.decodeIndex(pts: 5, dts: 0, position: 777) == nil)
  }

  /// However far samples are from where they are presented, and with times that repeat.
  @Test(arguments: [0, 3, 40, 1000, 5000])
  func presentationIsInTheOrderOfTimes(_ distance: Int) throws {
    var generator = SeededGenerator(seed: UInt64(distance))
    let times = (0..<5000).map { place in
      Int64(place / 2 + Int.random(in: 0...distance, using: &generator))
    }
    let index = SampleIndex(times.map { TestSample(pts: $0, dts: 0) })
    let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    #expect(Array(index.presentation) == expected)
  }
}

@Suite struct DecodePlanTests {
  @Test func timesOfOneGroupAreOneJob() throws {
    let index = SampleIndex.groups(5)
    let plan = DecodePlan(
      [(0, 171), (1, 5), (2, 35), (3, 5), (4, 90)], index: index)
    #expect(plan.jobs.map(\.start) == [0, 8, 16])
    #expect(plan.jobs.map { $0.targets.map(\.request).sorted() } == [[1, 2, 3], [4], [0]])
    #expect(plan.jobs.flatMap(\.targets).map(\.expected) == [0, 0, 30, 90, 170])
    // In the order of decoding, so that no group is entered twice.
    for job in plan.jobs { #expect(job.targets.map(\.time) == job.targets.map(\.time).sorted()) }
  }

  /// In each group of I P B B: up to the second sample in the order of decoding.
  @Test func jobsOfFewSamplesAreShort() throws {
    let index = SampleIndex.groups(2)
    let cases: [([Int64], Int?, Bool)] = [
      ([0], 1, true), ([45], 1, true), ([30], 2, true), ([10], 3, false), ([20], 4, false),
      ([0, 30], 2, true), ([0, 20], 4, false),
    ]
    for (times, length, isShort) in cases {
      let plan = DecodePlan(times.enumerated().map { ($0, $1) }, index: index)
      #expect(plan.jobs.map(\.length) == [length], "\(times)")
      #expect(plan.jobs.map(\.isShort) == [isShort], "\(times)")
    }
    let unknown = SampleIndex([
      TestSample(pts: nil, dts: 0, isSync: true), TestSample(pts: nil, dts: 10, isSync: true),
    ])
    #expect(DecodePlan([(0, 0)], index: unknown).jobs.map(\.isShort) == [false])
  }

  @Test func timesThatCantBeTrustedAreDecodedFromTheStart() throws {
    let index = SampleIndex([
      TestSample(pts: nil, dts: 0, isSync: true), TestSample(pts: nil, dts: 10, isSync: true),
    ])
    let plan = DecodePlan([(0, 10), (1, 0)], index: index)
    #expect(plan.jobs.map(\.start) == [0])
    #expect(plan.jobs.first?.targets.map(\.expected) == [nil, nil])
  }

  @Test func passthroughCopiesWhatTheRangeNeeds() throws {
    let index = SampleIndex.groups(3)
    let cases: [(Int64, Int64, Range<Int>)] = [
      // To the end of the second group's first picture; the group's start is needed.
      (0, 120, 0..<12), (45, 60, 4..<7), (40, 41, 4..<5), (0, 10, 0..<1), (79, 81, 4..<9),
      (110, 111, 8..<10),
      // Wholly after the last sample.
      (500, 600, 0..<0),
    ]
    for (start, end, expected) in cases {
      #expect(index.decodeRange(from: start, to: end) == expected, "\(start)..<\(end)")
    }
  }
}
