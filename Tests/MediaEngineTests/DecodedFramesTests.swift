import MediaTime
import Testing

@testable import MediaEngine

/// The frames that are decoded ahead.
struct DecodedFramesTests {
  private func capacity(
    _ width: Int, _ height: Int, perSecond rate: Int32?, among count: Int = 1
  ) -> Int {
    DecodedFrames.capacity(
      ofBytes: width * height * 3 / 2,
      shownFor: rate.map { Time(value: 1, timescale: $0) } ?? .zero, amongInstances: count)
  }

  /// For a clock, an eighth of a second or 12 MiB, whichever is more, and at most 32 MiB or 32 frames.
  @Test func aClockNeedsLittle() {
    #expect(capacity(1920, 1080, perSecond: 30) == 4)
    #expect(capacity(1920, 1080, perSecond: 60) == 8)
    #expect(capacity(1920, 1080, perSecond: 120) == 10)
    #expect(capacity(1280, 720, perSecond: 30) == 9)
    #expect(capacity(3840, 2160, perSecond: 30) == 2)
    #expect(capacity(320, 180, perSecond: 30) == 32)
    #expect(capacity(320, 180, perSecond: 1_000_000) == 32)
  }

  @Test func othersOverlapWithTheirTaker() {
    #expect(capacity(1920, 1080, perSecond: nil) == 10)
    #expect(capacity(1920, 1080, perSecond: nil, among: 32) == 2)
    #expect(capacity(1920, 1080, perSecond: 30, among: 32) == 2)
    #expect(capacity(7680, 4320, perSecond: nil) == 2)
  }
}
