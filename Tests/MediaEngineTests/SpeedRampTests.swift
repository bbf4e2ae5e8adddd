import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Speeds that change: their maps against exact arithmetic, and edits of compositions with them.
struct SpeedRampTests {
  private typealias Ratio = SegmentListTests.Ratio

  private static func time(_ value: Int64, _ timescale: Int32 = 1) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Time, _ duration: Time) -> TimeRange {
    TimeRange(start: start, duration: duration)
  }

  // MARK: Curves

  private static func points(
    _ random: inout SeededGenerator, over length: Int64, _ timescale: Int32
  ) -> [(position: Time, speed: PlaybackSpeed)] {
    let places = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Int64.random(in: 0...length, using: &random)
    }
    return Set(places).sorted().map { place in
      let speed = PlaybackSpeed(
        Int32.random(in: 1...12, using: &random), over: Int32.random(in: 1...8, using: &random))
      return (time(place, timescale), speed)
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func theMapIsExact(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scales: [Int32] = [25, 30000, 48000, 90000]
    let timescale = scales.randomElement(using: &random) ?? 25
    let length = Int64(timescale) * Int64.random(in: 1...20, using: &random)
    let points = Self.points(&random, over: length, timescale)
    let curve = try #require(SpeedCurve(points, over: Self.time(length, timescale)))
    // The duration is the sum of 2 s / (a + b).
    let first = try #require(points.first)
    let last = try #require(points.last)
    var all = points
    all.insert((Time.zero, first.speed), at: 0)
    all.append((Self.time(length, timescale), last.speed))
    var duration = Ratio(0)
    for (from, to) in zip(all, all.dropFirst()) where from.0 < to.0 {
      let speeds =
        Ratio(Int128(from.1.numerator), Int128(from.1.denominator))
        + Ratio(Int128(to.1.numerator), Int128(to.1.denominator))
      duration = duration + Ratio(2) * (Ratio(to.0) - Ratio(from.0)) / speeds
    }
    if !curve.duration.hasBeenRounded { #expect(Ratio(curve.duration) == duration) }
    #expect(abs(curve.duration.seconds - duration.doubleValue) < 1e-9)
    // A position is first reached at its time, and not a tick earlier.
    let tick = Self.time(1, Time.flickTimescale)
    for _ in 0..<40 {
      let position = Self.time(Int64.random(in: 1..<length, using: &random), timescale)
      let shown = curve.time(of: position)
      let exact = try #require(ExactTime(position))
      // The ends of sections that no timescale holds are rounded, which their times state.
      let slack = ExactTime(reducing: 1, 100_000_000)
      #expect(curve.position(at: shown) + slack >= exact)
      #expect(curve.position(at: shown - tick) < exact)
      let turned = curve.reversed.position(at: curve.duration - shown).seconds
      let wanted = (curve.sourceDuration - position).seconds
      #expect(abs(turned - wanted) < 1e-7)
    }
    #expect(curve.time(of: Time.zero) == Time.zero)
    #expect(curve.time(of: curve.sourceDuration) == curve.duration)
    if !curve.duration.hasBeenRounded { #expect(curve.reversed.reversed == curve) }
  }

  @Test func aCutCurveIsTheSame() throws {
    let points = [(Self.time(1), PlaybackSpeed(1)), (Self.time(3), PlaybackSpeed(1, over: 4))]
    let curve = try #require(SpeedCurve(points, over: Self.time(4)))
    let (start, end) = (Self.time(3, 2), Self.time(3))
    let cut = curve.points(from: start, to: end, factor: ExactTime(1))
    let begin = try #require(cut.first?.0)
    let finish = try #require(cut.last?.0)
    let moved = cut.map { (position: $0.0 - begin, speed: $0.1) }
    let made = SpeedCurve(moved, over: finish - begin, lasting: end - start)
    let rest = try #require(made)
    for number in 0...100 {
      let time = Self.time(Int64(number) * 15, 1000)
      let here = curve.position(at: start + time).seconds
      #expect(abs(rest.position(at: time).seconds + begin.seconds - here) < 1e-9)
    }
  }

  // MARK: Compositions

  private static let ramp = [
    SpeedPoint(PlaybackSpeed(1), at: time(1, 2)),
    SpeedPoint(PlaybackSpeed(1, over: 4), at: time(3, 2)),
  ]

  private func asset(_ fixtures: Fixtures) throws -> URLAsset {
    URLAsset(
      url: try fixtures.make(
        "ramp.mov",
        "-f lavfi -i testsrc2=s=64x36:r=25:d=2 -f lavfi -i sine=440:d=2:r=48000 "
          + "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a pcm_s16le"))
  }

  private func starts(_ composition: Composition) async throws -> [Time] {
    let reader = try await AssetReader(
      asset: composition, timeRange: .all,
      outputs: [
        .init(
          track: .mediaType(.video),
          settings: .video(pixelFormat: "gray", width: nil, height: nil))
      ])
    try reader.start()
    var starts: [Time] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 50)
      starts += buffers.map(\.presentationTime)
      if isAtEnd { return starts }
    }
  }

  private func samples(_ asset: any Asset) async throws -> [Float] {
    let reader = try await AssetReader(
      asset: asset, timeRange: .all,
      outputs: [
        .init(
          track: .mediaType(.audio),
          settings: .audio(
            sampleFormat: "f32", sampleRate: nil, channels: nil, interleaved: true,
            timePitch: .timeDomain))
      ])
    try reader.start()
    var samples: [Float] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 50)
      for buffer in buffers {
        buffer.data.block.appendFloats(0..<buffer.sampleCount, to: &samples)
      }
      if isAtEnd { return samples }
    }
  }

  @Test func framesBeginWhenTheirTimesAreReached() async throws {
    let fixtures = try Fixtures()
    let composition = MutableComposition()
    let edit = try await composition.insertTimeRange(
      of: try asset(fixtures), speedRamp: Self.ramp)
    // 1/2 s at 1, 1 s from 1 to 1/4 in 8/5 s, and 1/2 s at 1/4.
    #expect(edit.duration == Self.time(41, 10))
    let curve = try #require(
      SpeedCurve(Self.ramp, over: Self.range(.zero, Self.time(2)), .forward))
    let expected = (0..<50).map { curve.time(of: Self.time($0, 25)) }
    #expect(try await starts(try await composition.snapshot()) == expected)
  }

  @Test func aCutChangesNothingThatIsSeenOrHeard() async throws {
    let fixtures = try Fixtures()
    let asset = try asset(fixtures)
    let composition = MutableComposition()
    _ = try await composition.insertTimeRange(of: asset, speedRamp: Self.ramp)
    let (whole, heard) = (
      try await starts(try await composition.snapshot()),
      try await samples(try await composition.snapshot())
    )
    #expect(heard.count == 48000 * 41 / 10)
    let middle = Self.range(Self.time(37, 25), Self.time(1))
    _ = try await composition.insertEmptyTimeRange(middle)
    _ = try await composition.removeTimeRange(middle)
    let snapshot = try await composition.snapshot()
    #expect(try snapshot.segments(ofTrack: 1).count == 2)
    let cut = try await starts(snapshot)
    // The frame that is cut begins once more.
    #expect(Set(cut) == Set(whole + [middle.start]))
    #expect(try await samples(snapshot) == heard)
    // Its document describes the same composition, and is the same for that.
    let timeline = snapshot.timeline { _ in .asset("a") }
    #expect(timeline.tracks[0].segments.allSatisfy { $0.speedRamp.count > 1 })
    let again = try await MutableComposition(timeline, assets: ["s1": asset]).snapshot()
    #expect(again.timeline { _ in .asset("a") }.canonical == timeline.canonical)
    let times = try await starts(again)
    #expect(times.count == cut.count)
    #expect(zip(times, cut).allSatisfy { abs(($0 - $1).seconds) < 1e-8 })
  }

  @Test func scaledAndTurnedRampsStayRamps() async throws {
    let fixtures = try Fixtures()
    let asset = try asset(fixtures)
    let composition = MutableComposition()
    _ = try await composition.insertTimeRange(of: asset, speedRamp: Self.ramp)
    let all = Self.range(.zero, Self.time(41, 10))
    let curve = try #require(
      SpeedCurve(Self.ramp, over: Self.range(.zero, Self.time(2)), .forward))
    _ = try await composition.scaleTimeRange(all, toDuration: Self.time(41, 20))
    let scaled = try await composition.snapshot()
    let times = try await starts(scaled)
    #expect(times.count == 50)
    for (number, time) in times.enumerated() {
      let exact = curve.time(of: Self.time(Int64(number), 25)).seconds / 2
      #expect(abs(time.seconds - exact) < 1e-8)
    }
    #expect(
      try scaled.segments(ofTrack: 1)[0].speedRamp.map(\.speed.text) == ["2", "2", "1/2", "1/2"])
    #expect(try await samples(scaled).count == 48000 * 41 / 20)
    let outer = MutableComposition()
    _ = try await outer.insertTimeRange(of: scaled, playback: .reverse)
    let turned = try await outer.snapshot()
    #expect(try turned.segments(ofTrack: 1)[0].playback == .reverse)
    let backward = try await starts(turned)
    #expect(backward.count == 50)
    // A frame begins where it ended.
    let ends = times.dropFirst() + [Self.time(41, 20)]
    for (time, end) in zip(backward, ends.reversed()) {
      #expect(abs((Self.time(41, 20) - end - time).seconds) < 1e-8)
    }
    // A ramp of a ramp isn't one.
    let error = await #expect(throws: EngineError.self) {
      _ = try await outer.insertTimeRange(
        of: scaled, speedRamp: [SpeedPoint(PlaybackSpeed(2), at: .zero)])
    }
    #expect(error?.code == .operationNotAllowed)
  }

  @Test func aFrozenTimeOfARampIsItsFrame() async throws {
    let fixtures = try Fixtures()
    let inner = MutableComposition()
    _ = try await inner.insertTimeRange(of: try asset(fixtures), speedRamp: Self.ramp)
    let outer = MutableComposition()
    // 4/5 s into the ramp of 8/5 s: 1/2 + 4/5 - 3/4 × 16/25 / (2 × 8/5) = 1.15 s.
    _ = try await outer.insertTimeRange(
      Self.range(Self.time(13, 10), Self.time(1)), of: try await inner.snapshot(),
      playback: .freeze)
    let segment = try #require(try await outer.snapshot().segments(ofTrack: 1).first)
    #expect(segment.timeMapping.source.start == Self.time(23, 20))
    #expect(segment.speedRamp.isEmpty)
  }
}
