import LibAV
import MediaTime
import Testing

@testable import MediaEngine

/// The time stamps of an export's pictures, from the times of frames in hundredths of a second.
struct PictureClockTests {
  private static let base = TimeBase(1, 1000)

  private static func seconds(_ hundredths: Int) -> Time {
    Time(value: Int64(hundredths), timescale: 100)
  }

  /// What becomes of frames that begin at these times: milliseconds, nil for those left out.
  private func places(
    _ times: [Int], from start: Int = 0, to end: Int = 100_000, rate: Rational? = nil
  ) -> [Int64?] {
    var clock = PictureClock(
      range: TimeRange(start: Self.seconds(start), end: Self.seconds(end)),
      timeBase: Self.base, usualDuration: Self.seconds(4), highestFrameRate: rate)
    return times.indices.map { place in
      let following = place + 1 < times.count ? Self.seconds(times[place + 1]) : nil
      let begin = Self.seconds(times[place])
      let frame = FrameTiming(
        start: begin,
        duration: following.map { max(.zero, $0 - begin) } ?? Self.seconds(4),
        following: following)
      guard case .at(let made) = clock.place(frame) else { return nil }
      return made.pts
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

  /// Whatever the times, what comes out rises.
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
    let made = places(Array(stride(from: 0, to: 100, by: 4)), rate: Rational(10, 1))
    #expect(made.compactMap(\.self).count == 10)
    #expect(made[0] == 0)
  }
}
