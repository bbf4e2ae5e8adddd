import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The time stamps of an export's pictures, from the times of frames in hundredths of a second.
struct FrameTimestampsTests {
  private static let base = TimeBase(1, 1000)

  private static func seconds(_ hundredths: Int) -> Time {
    Time(value: Int64(hundredths), timescale: 100)
  }

  /// The times of frames that begin at these times: milliseconds, nil for those left out.
  private func places(
    _ times: [Int], from start: Int = 0, to end: Int = 100_000, shortest: Time? = nil
  ) -> [Int64?] {
    var clock = FrameTimestamps(
      range: TimeRange(start: Self.seconds(start), end: Self.seconds(end)),
      timeBase: Self.base, usualDuration: Self.seconds(4), shortest: shortest)
    return times.indices.map { place in
      let following = place + 1 < times.count ? Self.seconds(times[place + 1]) : nil
      let begin = Self.seconds(times[place])
      let frame = FrameTiming(
        start: begin,
        duration: following.map { max(.zero, $0 - begin) } ?? Self.seconds(4),
        following: following)
      guard case .at(var made) = clock.place(frame) else { return nil }
      return made.popFirst()?.pts
    }
  }

  @Test func goodTimesStay() throws {
    #expect(places([0, 4, 9, 10, 30]) == [0, 40, 90, 100, 300])
    // The first frame of a range began before it.
    #expect(places([98, 102, 106], from: 100) == [0, 20, 60])
    #expect(places([98, 102, 106, 110], from: 100, to: 108) == [0, 20, 60, nil])
  }

  @Test func aFrameThatIsBehindComesBetweenItsNeighbours() throws {
    #expect(places([0, 4, 8, 2, 16, 20]) == [0, 40, 80, 120, 160, 200])
    #expect(places([0, 4, 8, 8, 12]) == [0, 40, 80, 100, 120])
  }

  @Test func aFrameThatIsAheadComesBetweenItsNeighbours() throws {
    #expect(places([0, 4, 5000, 12, 16]) == [0, 40, 80, 120, 160])
    #expect(places([5000, 4, 8]) == [40, 60, 80])
  }

  @Test func aShortWayBackIsMadeInSmallSteps() throws {
    #expect(places([0, 40, 80, 20, 24, 28, 84, 88]) == [0, 400, 800, 801, 802, 821, 840, 880])
  }

  @Test func whatWasShownIsNotShownAgain() throws {
    #expect(
      places([0, 100, 200, 300, 0, 100, 200, 296, 300, 304])
        == [0, 1000, 2000, 3000, nil, nil, nil, nil, 3020, 3040])
  }

  /// With any input times, the output times rise.
  @Test func allTimesRise() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<500 {
      let times = (0..<20).map { _ in Int.random(in: 0...150, using: &generator) }
      let made = places(times).compactMap(\.self)
      // The frame at the earliest time is never left out.
      try #require(!made.isEmpty, "\(times)")
      #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
    }
  }

  @Test func noMorePicturesThanWanted() throws {
    let made = places(Array(stride(from: 0, to: 100, by: 4)), shortest: Self.seconds(10))
    #expect(made.compactMap(\.self).count == 10)
    #expect(made[0] == 0)
  }

  /// The frames at each multiple of the frame duration, of frames that begin at these hundredths.
  private func sampled(_ times: [Int], to end: Int, _ frameDuration: Time) -> [Int] {
    var clock = FrameTimestamps(
      range: TimeRange(start: .zero, end: Self.seconds(end)),
      timeBase: TimeBase(Int32(frameDuration.value), frameDuration.timescale),
      usualDuration: Self.seconds(4), frameDuration: frameDuration)
    var shown: [Int] = []
    for place in times.indices {
      let following = Self.seconds(place + 1 < times.count ? times[place + 1] : end)
      let begin = Self.seconds(times[place])
      let frame = FrameTiming(
        start: begin, duration: following - begin,
        following: place + 1 < times.count ? following : nil)
      guard case .at(var places) = clock.place(frame) else { continue }
      while let made = places.popFirst() {
        // One tick each, without a gap.
        #expect(made.pts == Int64(shown.count) && made.duration == 1)
        shown.append(place)
      }
    }
    return shown
  }

  /// By `ffmpeg -vf fps=R`, whose output frames are the last whose rounded time isn't later.
  @Test func framesAreRepeatedAndLeftOut() throws {
    let tenth = Time(value: 1, timescale: 10)
    #expect(sampled([0, 10, 20], to: 30, tenth) == [0, 1, 2])
    #expect(sampled([0, 30], to: 50, tenth) == [0, 0, 0, 1, 1])
    #expect(sampled([0, 4, 8, 12, 16], to: 20, tenth) == [1, 3])
    // Times that were rounded to hundredths are no disorder.
    let third = Time(value: 1, timescale: 30)
    #expect(sampled([0, 3, 7, 10, 13, 17], to: 20, third) == [0, 1, 2, 3, 4, 5])
    // A range that is shorter than a frame has one.
    #expect(sampled([0], to: 2, Time(value: 1, timescale: 1)) == [0])
  }

  /// The number of frames is the duration times the rate, with any times of the source.
  @Test func countsAreExact() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let end = Int.random(in: 10...400, using: &generator)
      let later = (0..<30).map { _ in Int.random(in: 1..<end, using: &generator) }
      let times = [0] + Set(later).sorted()
      let rate = Int.random(in: 1...60, using: &generator)
      let duration = Time(value: 1001, timescale: Int32(rate * 1000))
      let exact = Double(end) / 100 * Double(rate) * 1000 / 1001
      #expect(sampled(times, to: end, duration).count == max(1, Int(exact.rounded())))
    }
  }
}
