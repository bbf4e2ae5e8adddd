import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// A tick of the tests' tracks is a hundredth of a second.
private func seconds(_ hundredths: Int64) -> Time { Time(value: hundredths, timescale: 100) }

extension TrackSamples {
  convenience init(_ samples: [TestSample], origin: Time = .zero, isStoredAsRead: Bool = true) {
    self.init(
      index: SampleIndex(samples), timeBase: TimeBase(1, 100), origin: origin,
      isStoredAsRead: isStoredAsRead)
  }

  /// The index of the sample where a cursor begins.
  fileprivate func start(_ position: SampleCursor.Position) throws -> Int? {
    try place(at: position)
  }

  fileprivate static func groups(_ count: Int) -> TrackSamples {
    TrackSamples(index: SampleIndex.groups(count), timeBase: TimeBase(1, 100))
  }
}

@Suite struct SampleCursorTests {
  @Test func aCursorBeginsAtTheLastSampleThatIsNotAfterTheTime() throws {
    let track = TrackSamples.groups(2)
    let cases: [(Time, Int)] = [
      (seconds(-1), 0), (seconds(0), 0), (seconds(9), 0), (seconds(10), 2), (seconds(29), 3),
      (seconds(30), 1), (seconds(39), 1), (seconds(40), 4), (seconds(999), 5),
      (.positiveInfinity, 5), (.negativeInfinity, 0), (Time(value: 299, timescale: 1000), 3),
    ]
    for (time, expected) in cases {
      #expect(try track.start(.presentationTime(time)) == expected, "at \(time)")
    }
    #expect(try track.start(.first) == 0)
    #expect(try track.start(.last) == 7)
    for time in [Time.invalid, .indefinite] {
      #expect(throws: EngineError.self) { try track.start(.presentationTime(time)) }
    }
  }

  @Test func aTrackWithoutSamplesHasNoPlaceForACursor() throws {
    let track = TrackSamples([])
    for position in [SampleCursor.Position.first, .last, .presentationTime(.zero)] {
      #expect(try track.start(position) == nil)
    }
  }

  /// Time zero of the asset can lie anywhere on the track's clock.
  @Test func timesAreOnTheAssetsClock() throws {
    let track = TrackSamples(
      [TestSample(pts: 1000, dts: 990, isSync: true), TestSample(pts: 1010, dts: nil)],
      origin: seconds(1000))
    #expect(track.info(ofSample: 0).presentationTime == .zero)
    #expect(track.info(ofSample: 0).decodeTime == seconds(-10))
    #expect(track.info(ofSample: 1).decodeTime == nil)
    #expect(try track.start(.presentationTime(seconds(10))) == 1)
    var place = SamplePosition(index: 0)
    #expect(place.step(by: seconds(10), in: .presentation, track) == (seconds(10), false))
  }

  @Test func stepsEndAtTheEnds() {
    let track = TrackSamples.groups(2)
    var place = SamplePosition(index: 3)
    #expect(place.step(by: 100, in: .decode, track) == 4)
    #expect(place.index == 7)
    #expect(place.step(by: 1, in: .decode, track) == 0)
    #expect(place.step(by: .min, in: .decode, track) == -7)
    #expect(place.index == 0)
    #expect(place.step(by: .max, in: .presentation, track) == 7)
    // The last that is shown is the second that is decoded of its group.
    #expect(place.index == 5)
    #expect(place.step(by: -1, in: .presentation, track) == -1)
    #expect(place.index == 7)
    #expect(place.step(by: 0, in: .presentation, track) == 0)
  }

  @Test func presentationOrderPassesOverWhatIsNotShown() {
    let track = TrackSamples([
      TestSample(pts: -20, dts: -20, isSync: true, isDiscarded: true),
      TestSample(pts: -10, dts: -10, isDiscarded: true), TestSample(pts: 0, dts: 0),
      TestSample(pts: 15, dts: 10, isDiscarded: true), TestSample(pts: 10, dts: 20),
      TestSample(pts: 90, dts: 30, isDiscarded: true),
    ])
    func step(_ count: Int, from start: Int) -> [Int] {
      var place = SamplePosition(index: start)
      return [place.step(by: count, in: .presentation, track), place.index]
    }
    #expect(step(1, from: 0) == [1, 2])
    #expect(step(2, from: 1) == [2, 4])
    #expect(step(-1, from: 0) == [0, 0])
    #expect(step(-1, from: 3) == [-1, 4])
    #expect(step(1, from: 3) == [0, 3])
    #expect(step(-9, from: 5) == [-2, 2])
    #expect(step(9, from: 2) == [1, 4])
    var place = SamplePosition(index: 1)
    #expect(place.read(maxCount: 9, in: .presentation, track).samples.map(\.index) == [2, 4])
    place = SamplePosition(index: 5)
    #expect(place.read(maxCount: 9, in: .presentation, track).samples.isEmpty)
    #expect(place.read(maxCount: 9, in: .decode, track).samples.map(\.index) == [5])
  }

  /// Even if no sample is shown, presentation order still leads from one sample to the other.
  @Test func aTrackOfWhichNothingIsShownCanBeWalked() throws {
    let track = TrackSamples([
      TestSample(pts: 10, dts: 0, isDiscarded: true),
      TestSample(pts: 0, dts: 10, isDiscarded: true),
    ])
    #expect(try track.start(.presentationTime(seconds(5))) == 1)
    var place = SamplePosition(index: 1)
    #expect(place.step(by: 5, in: .presentation, track) == 1)
  }

  @Test func stepsByTimeComeToASampleThatIsNotAfterIt() {
    let track = TrackSamples.groups(2)
    func step(_ time: Time, _ order: SampleCursor.Order, from start: Int) -> (Int, Time, Bool) {
      var place = SamplePosition(index: start)
      let (moved, wasPinned) = place.step(by: time, in: order, track)
      return (place.index, moved, wasPinned)
    }
    // Presented at 0; 10, 20, 30 are decode indexes 2, 3, 1.
    #expect(step(seconds(25), .presentation, from: 0) == (3, seconds(20), false))
    #expect(step(seconds(9), .presentation, from: 0) == (0, .zero, false))
    #expect(step(seconds(-1), .presentation, from: 3) == (2, seconds(-10), false))
    #expect(step(seconds(-21), .presentation, from: 3) == (0, seconds(-20), true))
    #expect(step(seconds(-20), .presentation, from: 3) == (0, seconds(-20), false))
    // The last is presented from 70 to 80.
    #expect(step(seconds(79), .presentation, from: 0) == (5, seconds(70), false))
    #expect(step(seconds(80), .presentation, from: 0) == (5, seconds(70), true))
    #expect(step(.positiveInfinity, .presentation, from: 5) == (5, .zero, true))
    #expect(step(.negativeInfinity, .decode, from: 5) == (0, seconds(-50), true))
    // Decoded at -10, 0, 10, 20, 30 …
    #expect(step(seconds(35), .decode, from: 0) == (3, seconds(30), false))
    #expect(step(.zero, .decode, from: 7) == (7, .zero, false))
    #expect(step(Time(value: -1, timescale: 1000), .decode, from: 3) == (2, seconds(-10), false))
  }

  @Test func samplesOfOneTimeAreNotPassedByTime() {
    let track = TrackSamples([
      TestSample(pts: 0, dts: 0), TestSample(pts: 0, dts: 0), TestSample(pts: 10, dts: 10),
    ])
    var place = SamplePosition(index: 0)
    #expect(place.step(by: seconds(5), in: .presentation, track) == (.zero, false))
    #expect(place.index == 0)
    #expect(place.step(by: 1, in: .presentation, track) == 1)
    #expect(place.index == 1)
  }

  @Test func aLoopToTheEndReadsEverySampleOnce() {
    let track = TrackSamples.groups(3)
    for order in [SampleCursor.Order.decode, .presentation] {
      for maxCount in 1...13 {
        var place = SamplePosition(index: 0)
        var read: [Int] = []
        var isAtEnd = false
        while !isAtEnd {
          let (samples, end) = place.read(maxCount: maxCount, in: order, track)
          #expect(!samples.isEmpty)
          read += samples.map(\.index)
          isAtEnd = end
        }
        #expect(read.sorted() == Array(0..<12))
        #expect(place.index == read.last)
        let (rest, end) = place.read(maxCount: maxCount, in: order, track)
        #expect(rest.isEmpty && end)
        // A step that leads nowhere changes nothing; one that does makes the end readable again.
        _ = place.step(by: 1, in: order, track)
        #expect(place.read(maxCount: 1, in: order, track).samples.isEmpty)
        #expect(place.step(by: -1, in: order, track) == -1)
        #expect(
          place.read(maxCount: 9, in: order, track).samples.map(\.index) == Array(read.suffix(2)))
      }
    }
  }

  @Test func chunksAreRunsOfSamplesWithoutGaps() {
    let samples = [
      TestSample(pts: 0, dts: 0), TestSample(pts: 10, dts: 10),
      // Ends before the next begins.
      TestSample(pts: 20, dts: 20, size: 60), TestSample(pts: 30, dts: 30, duration: 5),
    ]
    let track = TrackSamples(samples)
    let chunk = track.chunk(around: 1)
    #expect(chunk.storageRange == SampleInfo.StorageRange(offset: 0, length: 260))
    #expect([chunk.sampleCount, chunk.sampleIndexInChunk] == [3, 1])
    #expect(!chunk.hasUniformSampleSizes && chunk.hasUniformSampleDurations)
    let last = track.chunk(around: 3)
    #expect(last.storageRange == SampleInfo.StorageRange(offset: 300, length: 100))
    #expect([last.sampleCount, last.sampleIndexInChunk] == [1, 0])
    let scattered = TrackSamples(samples, isStoredAsRead: false).chunk(around: 1)
    #expect(scattered.storageRange == SampleInfo.StorageRange(offset: -1, length: 100))
    #expect(scattered.sampleCount == 1)
  }

  @Test func whatADecoderNeedsLeadsBackToTheRandomAccessPoint() {
    let track = TrackSamples.groups(2)
    let needed = (0..<8).map { track.info(ofSample: $0).samplesRequiredForDecoderRefresh }
    #expect(needed == [0, 1, 2, 3, 0, 1, 2, 3])
    #expect(track.info(ofSample: 4).dependsOnOthers == false)
    #expect(track.info(ofSample: 5).dependsOnOthers == nil)
    #expect(track.info(ofSample: 0).audioDependency == nil)
  }

  @Test func soundNeedsThePacketsThatOverlap() {
    let index = SampleIndex(
      (0..<10).map { TestSample(pts: $0 * 2, dts: $0 * 2, duration: 2, isSync: true) })
    func needed(_ refresh: DecoderRefresh) -> ([Int], Int?) {
      let track = TrackSamples(index: index, timeBase: TimeBase(1, 100), refresh: refresh)
      let infos = [0, 1, 9].map { track.info(ofSample: $0) }
      return (
        infos.map(\.samplesRequiredForDecoderRefresh), infos[1].audioDependency?.packetRefreshCount
      )
    }
    #expect(needed(.packets(0)) == ([0, 0, 0], 0))
    #expect(needed(.packets(1)) == ([0, 1, 1], 1))
    // Opus: 80 ms in packets of 20.
    #expect(needed(.duration(Time(value: 80, timescale: 1000))) == ([0, 1, 4], 4))
    #expect(needed(.syncSamples) == ([0, 0, 0], nil))
  }

  /// Long walks, against a model that looks at every sample each time.
  @Test func walksAreThoseOfASimpleModel() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let samples = (0..<Int.random(in: 1...14, using: &random)).map { _ in
        TestSample(
          pts: .random(in: -20...60, using: &random), dts: .random(in: -20...60, using: &random),
          duration: .random(in: 0...10, using: &random), isSync: .random(using: &random),
          isDiscarded: Int.random(in: 0..<4, using: &random) == 0)
      }.sorted { ($0.dts ?? 0) < ($1.dts ?? 0) }
      let track = TrackSamples(samples)
      var place = SamplePosition(index: .random(in: samples.indices, using: &random))
      var model = Model(track.index.samples, at: place.index)
      for move in 0..<60 {
        let order: SampleCursor.Order = Bool.random(using: &random) ? .decode : .presentation
        let note: Comment = "seed \(seed) round \(round) move \(move)"
        if Bool.random(using: &random) {
          let count = Int.random(in: -5...5, using: &random)
          #expect(place.step(by: count, in: order, track) == model.step(count, order), note)
        } else {
          let ticks = Int64.random(in: -30...30, using: &random)
          let moved = place.step(by: seconds(ticks), in: order, track)
          #expect(moved == model.step(ticks: ticks, order), note)
        }
        #expect(place.index == model.place, note)
      }
    }
  }
}

/// The rules, with nothing clever about them.
private struct Model {
  let samples: [SampleIndex.Sample]
  var place: Int

  init(_ samples: [SampleIndex.Sample], at place: Int) {
    self.samples = samples
    self.place = place
  }

  private func order(_ order: SampleCursor.Order) -> [Int] {
    guard order == .presentation else { return Array(samples.indices) }
    let shown = samples.indices.filter { !samples[$0].isDiscarded }
    return (shown.isEmpty ? Array(samples.indices) : shown).sorted {
      (samples[$0].pts, $0) < (samples[$1].pts, $1)
    }
  }

  private func time(_ place: Int, _ order: SampleCursor.Order) -> Int64 {
    order == .decode ? samples[place].dts : samples[place].pts
  }

  private func isBefore(_ left: Int, _ right: Int, _ order: SampleCursor.Order) -> Bool {
    order == .decode
      ? left < right : (samples[left].pts, left) < (samples[right].pts, right)
  }

  mutating func step(_ count: Int, _ order: SampleCursor.Order) -> Int {
    var taken = 0
    for _ in 0..<abs(count) {
      let list = self.order(order)
      let next =
        count > 0
        ? list.first { isBefore(place, $0, order) } : list.last { isBefore($0, place, order) }
      guard let next else { break }
      place = next
      taken += count.signum()
    }
    return taken
  }

  mutating func step(ticks: Int64, _ order: SampleCursor.Order) -> (Time, Bool) {
    let start = place
    let target = time(place, order) + ticks
    let list = self.order(order)
    var isPinned = false
    if ticks > 0 {
      for next in list where isBefore(place, next, order) && time(next, order) <= target {
        place = next
      }
      let last = list[list.count - 1]
      let end = time(last, order) + samples[last].duration
      isPinned = target > time(last, order) && target >= end
    } else if ticks < 0 {
      while time(place, order) > target,
        let next = list.last(where: { isBefore($0, place, order) })
      {
        place = next
      }
      isPinned = target < time(list[0], order)
    }
    let moved = time(place, order) - time(start, order)
    if moved == 0 { place = start }
    return (seconds(moved), isPinned)
  }
}
