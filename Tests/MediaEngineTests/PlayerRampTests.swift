import Foundation
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// Players of a composition whose speed changes, on a manual clock: pictures and audio against the formula of the ramp.
///
/// The ramp plays 1/2 s at 1, 1 s from 1 to 1/4 within 8/5 s, and 1/2 s at 1/4: 41/10 s.
struct PlayerRampTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private static let duration = 4.1
  private static let size = 64 * 48
  /// Half of the change of the speed in each second of the ramp.
  private static let slope = 0.75 / 3.2

  /// The time of the source that is shown at a time.
  private static func shown(_ time: Double) -> Double {
    if time < 0.5 { return time }
    let since = time - 0.5
    return time < 2.1 ? 0.5 + since - slope * since * since : 1.5 + (time - 2.1) / 4
  }

  /// The time at which a time of the source is reached.
  private static func time(of position: Double) -> Double {
    if position < 0.5 { return position }
    let since = position - 0.5
    return position < 1.5
      ? 0.5 + (1 - (1 - 4 * slope * since).squareRoot()) / (2 * slope) : 2.1 + (position - 1.5) * 4
  }

  private func item(
    _ name: String, _ arguments: String, _ change: (inout PlayerItemSettings) -> Void = { _ in }
  ) async throws -> (item: PlayerItem, path: String) {
    let path = try fixtures.make(name, arguments)
    let composition = MutableComposition()
    let edit = try await composition.insertTimeRange(
      of: URLAsset(url: path),
      speedRamp: [
        SpeedPoint(PlaybackSpeed(1), at: Time(value: 1, timescale: 2)),
        SpeedPoint(PlaybackSpeed(1, over: 4), at: Time(value: 3, timescale: 2)),
      ])
    #expect(edit.duration == Time(value: 41, timescale: 10))
    var settings = PlayerItemSettings()
    change(&settings)
    return (try PlayerItem(asset: try await composition.snapshot(), settings: settings), path)
  }

  // MARK: Pictures

  private struct Shown {
    var host: Double
    var time: Double
    var bytes: [UInt8]
  }

  /// The player of a counter of 50 frames, the luma of each, and the pictures that were sent since the last call.
  private func pictures() async throws -> (Player, [[UInt8]], () -> [Shown]) {
    let (item, path) = try await item(
      "counter.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -g 20 -bf 2 -pix_fmt yuv420p")
    let luma: [UInt8] = try fixtures.samples(
      of: path, as: "rawvideo", UInt8.self, "-pix_fmt gray -fps_mode passthrough")
    let frames = stride(from: 0, to: luma.count, by: Self.size).map {
      Array(luma[$0..<$0 + Self.size])
    }
    #expect(frames.count == 50)
    let (player, log) = try Player.manual([(item, "a")])
    var settings = VideoOutput.Configuration()
    (settings.format, settings.isPush, settings.maximumOutstanding) = ("gray", true, 1000)
    let output = try VideoOutput(item: item, settings)
    log.name(output, "v")
    return (
      player, frames,
      {
        log.takeEvents().compactMap { event in
          guard case .didOutput(_, let picture, let host, _, _) = event else { return nil }
          let bytes = picture.image.data.withBytes { data in data.array }
          let time = picture.itemTimeForDisplay
          return Shown(host: host.seconds, time: time.seconds, bytes: bytes)
        }
      }
    )
  }

  private func expect(_ shown: Shown, _ number: Int, _ frames: [[UInt8]], at host: Double) {
    let time = Self.time(of: Double(number) / 25)
    #expect(abs(shown.time - time) < 1e-8, "frame \(number)")
    #expect(abs(shown.host - host) < 1e-6, "frame \(number)")
    let difference = zip(shown.bytes, frames[number]).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(shown.bytes.count == Self.size && difference <= 2, "frame \(number)")
  }

  @Test(arguments: [1, 2.0]) func picturesAreDueAtTheirTimes(_ rate: Double) async throws {
    let (player, frames, take) = try await pictures()
    _ = try await player.setRate(rate)
    try await player.advance(0)
    try await player.advance(5)
    let shown = take()
    #expect(shown.count == 50)
    for (number, picture) in shown.enumerated() {
      expect(picture, number, frames, at: Self.time(of: Double(number) / 25) / rate)
    }
    #expect(player.state.time == Time(value: 41, timescale: 10))
    player.close()
  }

  @Test func picturesAreDueBackward() async throws {
    let (player, frames, take) = try await pictures()
    _ = try await player.seek(to: .positiveInfinity)
    try await player.advance(0)
    _ = try await player.setRate(-1)
    try await player.advance(5)
    let shown = take()
    #expect(shown.count == 50)
    // A frame appears where it ends.
    for (number, picture) in zip((0..<50).reversed(), shown) {
      let end = Self.time(of: Double(number + 1) / 25)
      expect(picture, number, frames, at: Self.duration - end)
    }
    player.close()
  }

  @Test func seeksFindTheFrameOfTheRamp() async throws {
    let (player, frames, take) = try await pictures()
    try await player.advance(0)
    _ = take()
    for time in [3.9, 0.25, 1.3, 2.05, 2.3, 0.51] {
      _ = try await player.seek(
        to: Time(seconds: time, preferredTimescale: 1000), toleranceBefore: .zero,
        toleranceAfter: .zero)
      try await player.advance(0)
      let picture = try #require(take().last)
      expect(picture, Int(Self.shown(time) * 25), frames, at: 0)
    }
    player.close()
  }

  // MARK: Audio

  /// The left channel of a tone of 440 Hz along the ramp, as a player writes it from a time on.
  private func heard(from start: Double) async throws -> [Float] {
    let tone = "0.5*sin(2*PI*440*t)"
    let (item, _) = try await item(
      "tone.wav", "-f lavfi -i aevalsrc=\(tone)|\(tone):s=48000:d=2 -c:a pcm_f32le"
    ) { $0.audioTimePitchAlgorithm = .varispeed }
    let path = "\(fixtures.folder)/heard.wav"
    let (player, _) = try Player.manual([(item, "a")]) {
      $0.audioDevice = .file(path: path, sampleFormat: .f32)
    }
    try await player.advance(0)
    if start > 0 {
      _ = try await player.seek(
        to: Time(seconds: start, preferredTimescale: 48000), toleranceBefore: .zero,
        toleranceAfter: .zero)
    }
    _ = try await player.play()
    // Uneven steps neither add samples nor repeat any.
    for step in [0.1, 0.123457, 0.77, 5] { try await player.advance(step) }
    let end = try await player.finishAudioFile()
    player.close()
    let samples: [Float] = try fixtures.samples(of: path, as: "f32le", Float.self, "-ac 2")
    #expect(Int(end.frames) == samples.count / 2)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test(arguments: [0, 1.3]) func audioIsThatOfItsTime(_ start: Double) async throws {
    let samples = try await heard(from: start)
    #expect(samples.count == Int(((Self.duration - start) * 48000).rounded()))
    // At the ends the filter has less than its length.
    var worst = 0.0
    for number in stride(from: 4000, to: samples.count - 4000, by: 7) {
      let position = Self.shown(start + Double(number) / 48000)
      let exact = 0.5 * sin(2 * .pi * 440 * position)
      worst = max(worst, abs(Double(samples[number]) - exact))
    }
    #expect(worst < 16.0 / 32768)
  }
}
