import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Audio players on the manual clock, whose files are compared with ffmpeg's decode.
struct AudioPlayerTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private func noise(_ name: String, _ duration: Double) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i anoisesrc=r=48000:d=\(duration):seed=3:a=0.4 "
        + "-af aformat=channel_layouts=stereo -c:a pcm_s16le")
  }

  private func decoded(_ path: String) throws -> [Float] {
    try fixtures.samples(of: path, as: "f32le", Float.self, "-ac 2 -ar 48000")
  }

  private func player(
    of path: String, _ configure: (inout AudioPlayer.Configuration) -> Void = { _ in },
    events: @escaping @Sendable (AudioPlayer.Event) -> Void = { _ in }
  ) async throws -> (AudioPlayer, String) {
    let output = "\(fixtures.folder)/out-\(UInt32.random(in: 0...(.max))).wav"
    var configuration = AudioPlayer.Configuration()
    configuration.clock = .manual
    configuration.audioDevice = .file(path: output, sampleFormat: .f32)
    configure(&configuration)
    return (
      try await AudioPlayer(asset: URLAsset(url: path), configuration, events: events), output
    )
  }

  private func milliseconds(_ value: Int64) -> Time { Time(value: value, timescale: 1000) }

  @Test func passesFollowEachOther() async throws {
    let path = try noise("a.wav", 0.25)
    let all = try decoded(path)
    let ends = Mutex([Bool]())
    let (player, output) = try await player(of: path) {
      $0.numberOfLoops = 2
    } events: { event in
      if case .didFinishPlaying(let isSuccess, _) = event { ends.withLock { $0.append(isSuccess) } }
    }
    #expect(player.duration == milliseconds(250))
    #expect(player.format?.mediaType == .audio)
    try await player.play()
    #expect(player.state.isPlaying)
    _ = try await player.advanceClock(by: milliseconds(700))
    #expect(ends.withLock { $0 } == [])
    #expect(player.state.loop == 2)
    _ = try await player.advanceClock(by: milliseconds(100))
    #expect(ends.withLock { $0 } == [true])
    #expect(!player.state.isPlaying)
    // Again from the start, with all passes.
    try await player.play()
    _ = try await player.advanceClock(by: milliseconds(800))
    #expect(ends.withLock { $0 } == [true, true])
    _ = try await player.finishAudioFile()
    #expect(try decoded(output) == Array(repeatElement(all, count: 6).joined()))
    player.close()
  }

  @Test func stoppingKeepsTheTime() async throws {
    let (player, _) = try await player(of: try noise("a.wav", 1))
    try await player.play()
    _ = try await player.advanceClock(by: milliseconds(300))
    try await player.stop()
    _ = try await player.advanceClock(by: milliseconds(300))
    #expect(player.state.currentTime == milliseconds(300))
    var settings = AudioPlayer.Settings()
    settings.currentTime = milliseconds(700)
    try await player.set(settings)
    _ = try await player.advanceClock(by: .zero)
    #expect(player.state.currentTime == milliseconds(700))
    player.close()
  }

  @Test(arguments: [-1, -0.5, 0, 0.25, 1]) func pansAreOfEqualPower(pan: Double) async throws {
    let path = try noise("a.wav", 0.1)
    let all = try decoded(path)
    let (player, output) = try await player(of: path) { $0.pan = pan }
    try await player.play()
    _ = try await player.advanceClock(by: milliseconds(200))
    _ = try await player.finishAudioFile()
    let angle = (pan + 1) * .pi / 4
    let sides = [cos(angle), sin(angle)].map { Float(min(1, $0 * 2.0.squareRoot())) }
    let expected = all.indices.map { pan == 0 ? all[$0] : all[$0] * sides[$0 % 2] }
    let found = try decoded(output)
    #expect(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    player.close()
  }

  @Test func fadesAreLinear() async throws {
    let path = try noise("a.wav", 1)
    let all = try decoded(path)
    let (player, output) = try await player(of: path)
    try await player.play()
    _ = try await player.advanceClock(by: milliseconds(100))
    var settings = AudioPlayer.Settings()
    (settings.volume, settings.fadeDuration) = (0.2, milliseconds(500))
    try await player.set(settings)
    _ = try await player.advanceClock(by: milliseconds(2000))
    _ = try await player.finishAudioFile()
    let found = try decoded(output)
    #expect(found.count == all.count)
    let worst =
      all.indices.map { index -> Float in
        let frame = index / 2
        let part = min(1, max(0, Float(frame - 4800) / 24000))
        return abs(found[index] - all[index] * (1 - 0.8 * part))
      }.max() ?? 1
    #expect(worst < 1e-4)
    player.close()
  }

  @Test func metersAreOfWhatIsHeard() async throws {
    let path = try fixtures.make(
      "sine.wav",
      "-f lavfi -i sine=r=48000:f=1000:d=1 -af volume=4,aformat=channel_layouts=stereo "
        + "-c:a pcm_f32le")
    let all = try decoded(path)
    let reports = Mutex([[AudioPlayer.Level]]())
    let (player, _) = try await player(of: path) {
      $0.isMeteringEnabled = true
      $0.meterInterval = Time(value: 1, timescale: 10)
    } events: { event in
      if case .didMeter(_, let levels) = event { reports.withLock { $0.append(levels) } }
    }
    #expect(try player.levels().channels.allSatisfy { $0.average == -160 && $0.peak == -160 })
    try await player.play()
    _ = try await player.advanceClock(by: milliseconds(500))
    let window = stride(from: 2 * 21600, to: 2 * 24000, by: 2).map { Double(all[$0]) }
    let mean = (window.reduce(0) { $0 + $1 * $1 } / Double(window.count)).squareRoot()
    let peak = window.map(abs).max() ?? 0
    for level in try player.levels().channels {
      #expect(abs(level.average - 20 * log10(mean)) < 0.001)
      #expect(abs(level.peak - 20 * log10(peak)) < 0.001)
    }
    #expect(reports.withLock(\.count) == 5)
    // Those of each report are of the 50 ms before it, however far the clock is moved at once.
    for report in reports.withLock({ $0 }) {
      #expect(report.allSatisfy { abs($0.average - 20 * log10(mean)) < 0.01 })
    }
    player.close()
  }

  @Test func contentIsFoundOutAtOnce() async throws {
    let path = "\(fixtures.folder)/a.wav"
    try Data("no media".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: EngineError.self) { try await self.player(of: path) }
    let silent = try fixtures.make("v.mp4", "-f lavfi -i testsrc2=s=64x48:d=1 -an")
    let error = await #expect(throws: EngineError.self) { try await self.player(of: silent) }
    #expect(error?.code == .noSourceTrack)
  }
}
