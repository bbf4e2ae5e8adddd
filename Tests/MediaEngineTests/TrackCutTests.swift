import LibAV
import Testing

@testable import MediaEngine

@Suite struct TrackCutTests {
  /// Packets of 1024 samples, of which the first is followed by a pause, as in Android's recordings.
  private static let paused = SampleIndex(
    [TestSample(pts: 0, dts: 0, duration: 2964, isSync: true)]
      + (0..<20).map {
        TestSample(
          pts: 2964 + $0 * 1024, dts: 2964 + $0 * 1024, duration: 1024, isSync: true)
      })

  private func cut(from start: Int64, codec: String = "aac") -> Range<Int> {
    let index = Self.paused
    let sound = TrackCut.Audio(preroll: { first in
      index.preroll(before: first, codec: codec, clock: TimeBase(1, 44100))
    })
    return TrackCut(
      index: index, start: start, end: 20_000, hidesStart: true, kind: .audio(sound)
    ).samples
  }

  /// The samples decoded for the sake of later ones have no pause among them, and aren't more than
  /// needed.
  @Test(arguments: [
    // From inside of the first packet, from the pause, and from later and later packets.
    (500, 0), (1500, 1), (2964, 1), (5000, 1), (8000, 1), (19_000, 11),
  ])
  func theLeadHasNoPause(_ start: Int64, _ first: Int) {
    #expect(cut(from: start).lowerBound == first)
  }

  @Test func packetsOfManyLengthsHaveNoPauses() {
    #expect(cut(from: 5000, codec: "opus").lowerBound == 0)
    #expect(cut(from: 5000, codec: "flac").lowerBound == 2)
  }
}
