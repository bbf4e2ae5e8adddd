import Foundation
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The audio that a player writes into a file, against ffmpeg's decode.
struct PlayerAudioTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private func seconds(_ value: Double) -> Time { Time(seconds: value, preferredTimescale: 48000) }

  /// Noise, so that each sample is unlike the others.
  private func noise(_ name: String, _ duration: Double, seed: Int) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i anoisesrc=r=48000:d=\(duration):seed=\(seed):a=0.4 "
        + "-af aformat=channel_layouts=stereo -c:a pcm_s16le")
  }

  private func decoded(_ path: String) throws -> [Float] {
    try fixtures.samples(of: path, as: "f32le", Float.self, "-ac 2 -ar 48000")
  }

  private func player(
    _ items: [(PlayerItem, String)], isQueue: Bool = false
  ) throws -> (Player, PlayerLog, String) {
    let path = "\(fixtures.folder)/out-\(UInt32.random(in: 0...(.max))).wav"
    let (player, log) = try Player.manual(items) {
      $0.audioDevice = .file(path: path, sampleFormat: .f32)
      $0.isQueue = isQueue
    }
    return (player, log, path)
  }

  @Test func writesWhatIsHeard() async throws {
    let path = try noise("a.wav", 2, seed: 1)
    let all = try decoded(path)
    let (player, _, output) = try player([(try PlayerItem(path: path), "a")])
    _ = try await player.play()
    // Pauses at odd times neither add samples nor repeat any.
    for step in [0.1, 0.123457, 0.3, 0.000013, 0.5] {
      try await player.advance(step)
      _ = try await player.pause()
      try await player.advance(0.25)
      _ = try await player.play()
    }
    try await player.advance(3)
    let end = try await player.finishAudioFile()
    #expect(end.frames == 96000)
    #expect(end.path == output)
    #expect(try decoded(output) == all)
    await #expect(throws: EngineError.self) { try await player.finishAudioFile() }
    player.close()
  }

  @Test func seeksAndVolumesAreExact() async throws {
    let path = try noise("a.wav", 2, seed: 2)
    let all = try decoded(path)
    let (player, _, output) = try player([(try PlayerItem(path: path), "a")])
    _ = try await player.play()
    try await player.advance(0.5)
    _ = try await player.seek(to: seconds(1.25), toleranceBefore: .zero, toleranceAfter: .zero)
    try await player.advance(0.25)
    var settings = PlayerSettings()
    settings.volume = 0.5
    try await player.set(settings)
    try await player.advance(0.25)
    settings.isMuted = true
    try await player.set(settings)
    try await player.advance(0.1)
    _ = try await player.finishAudioFile()
    let expected =
      all[0..<48000] + all[120_000..<144_000] + all[144_000..<168_000].map { $0 * 0.5 }
      + Array(repeating: Float(0), count: 9600)
    #expect(try decoded(output) == Array(expected))
    player.close()
  }

  /// Each file has the audio of the time when it is the device, and together they have all of it.
  @Test func audioGoesFromFileToFile() async throws {
    let path = try noise("a.wav", 2, seed: 4)
    let all = try decoded(path)
    let (player, _, first) = try player([(try PlayerItem(path: path), "a")])
    let second = "\(fixtures.folder)/second.wav"
    var settings = PlayerSettings()
    settings.audioDevice = .file(path: second, sampleFormat: .f32)
    _ = try await player.play()
    try await player.advance(0.5)
    // One that is being written is to be finished.
    await #expect { try await player.set(settings) } throws: { error in
      (error as? EngineError)?.code == .operationNotAllowed
    }
    #expect(player.state.audio.device == first)
    #expect(try await player.finishAudioFile().frames == 24000)
    try await player.advance(0.25)
    try await player.set(settings)
    #expect(player.state.audio.device == second)
    try await player.advance(0.5)
    #expect(player.state.audio.framesPlayed == 24000)
    #expect(try await player.finishAudioFile().frames == 24000)
    #expect(try decoded(first) == Array(all[..<48000]))
    #expect(try decoded(second) == Array(all[72000..<120_000]))
    settings.audioDevice = .server(nil)
    await #expect(throws: EngineError.self) { try await player.set(settings) }
    player.close()
  }

  /// The rate is that of the frames that are shown, as fast as they are.
  @Test func theFrameRateIsThatOfWhatIsShown() async throws {
    let path = try fixtures.make(
      "rates.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -pix_fmt yuv420p")
    let item = try PlayerItem(path: path)
    #expect(item.state.tracks.first?.currentVideoFrameRate == nil)
    let (player, _) = try Player.manual([(item, "a")])
    try await player.advance(0)
    #expect(item.state.tracks.map(\.currentVideoFrameRate) == [0])
    _ = try await player.play()
    try await player.advance(0.5)
    #expect(item.state.tracks.map(\.currentVideoFrameRate) == [25])
    _ = try await player.setRate(-2)
    #expect(item.state.tracks.map(\.currentVideoFrameRate) == [50])
    player.close()
    #expect(item.state.tracks.map(\.currentVideoFrameRate) == [nil])
  }

  @Test func queuesAreGapless() async throws {
    let paths = [
      try noise("a.wav", 1, seed: 3), try noise("b.wav", 0.5, seed: 4),
      try noise("c.wav", 0.75, seed: 5),
    ]
    let broken = "\(fixtures.folder)/broken.wav"
    try Data("no media".utf8).write(to: URL(fileURLWithPath: broken))
    let items = try [paths[0], paths[1], broken, paths[2]].enumerated().map {
      (try PlayerItem(path: $1), "i\($0)")
    }
    let (player, log, output) = try player(items, isQueue: true)
    _ = try await player.play()
    try await player.advance(3)
    _ = try await player.finishAudioFile()
    #expect(try decoded(output) == paths.flatMap { try decoded($0) })
    let lines = log.take()
    #expect(lines.contains("i2 failed fileFormatNotRecognized"))
    #expect(lines.filter { $0.contains("end") && $0.contains("forward") }.count == 3)
    #expect(player.state.reasonForWaitingToPlay == .noItemToPlay)
    #expect(player.state.rate == 1)
    // An item that has played may be inserted again, and plays at once.
    _ = try await player.insert(items[1].0)
    try await player.advance(0.5)
    #expect(log.take().contains { $0.contains("i1 end 0.5 forward") })
    player.close()
  }

  /// An item that is loaded ahead of its turn, and can't be played.
  @Test func whatHasFailedBeforeItsTurnIsPassedOver() async throws {
    let paths = [try noise("a.wav", 0.25, seed: 8), try noise("b.wav", 0.25, seed: 9)]
    let broken = "\(fixtures.folder)/broken.wav"
    try Data("no media".utf8).write(to: URL(fileURLWithPath: broken))
    let items = try [paths[0], broken, broken, paths[1]].enumerated().map {
      (try PlayerItem(path: $1), "i\($0)")
    }
    let (player, log, output) = try player(items, isQueue: true)
    try await player.advance(0)
    #expect(items[1].0.state.status == .failed)
    _ = try await player.play()
    try await player.advance(1)
    _ = try await player.finishAudioFile()
    #expect(try decoded(output) == paths.flatMap { try decoded($0) })
    let lines = log.take()
    for name in ["i1", "i2"] {
      #expect(lines.filter { $0 == "\(name) failed fileFormatNotRecognized" }.count == 1)
    }
    player.close()
  }

  @Test func loopsAreSeamless() async throws {
    let path = try noise("a.wav", 0.5, seed: 6)
    let all = try decoded(path)
    let (player, log, output) = try player([], isQueue: true)
    let item = try PlayerItem(path: path)
    log.name(item, "a")
    let range = TimeRange(start: seconds(0.1), duration: seconds(0.05))
    let looper = try await PlayerLooper(player: player, templateItem: item, timeRange: range)
    log.name(looper, "l")
    _ = try await player.play()
    try await player.advance(50)
    #expect(looper.state.loopCount == 1000)
    _ = try await player.finishAudioFile()
    let pass = Array(all[9600..<14400])
    #expect(try decoded(output) == Array(repeatElement(pass, count: 1000).joined()))
    _ = log.take()
    // The pass that is being played continues to its end, and the queue after it.
    try await player.advance(0.02)
    try await looper.disable()
    try await player.advance(1)
    let lines = log.take()
    #expect(lines.first { $0.contains("end") } == "50.05 r1001 a end 0.15 forward")
    #expect(lines.contains { $0.contains("no item") })
    player.close()
  }

  @Test(arguments: [0.5, 1.5, 2]) func ratesAreThoseOfCompositions(rate: Double) async throws {
    let path = try noise("a.wav", 2, seed: 7)
    let (player, _, output) = try player([(try PlayerItem(path: path), "a")])
    _ = try await player.setRate(rate)
    try await player.advance(5)
    let end = try await player.finishAudioFile()
    #expect(end.frames == Int64((96000 / rate).rounded(.up)))
    // The same stretched by a composition.
    let composition = MutableComposition()
    try await composition.insertTimeRange(of: URLAsset(url: path))
    try await composition.scaleTimeRange(
      TimeRange(start: .zero, duration: seconds(2)), toDuration: seconds(2 / rate))
    let reader = try await AssetReader(
      asset: try composition.current(),
      outputs: [
        .init(
          track: .audioMix(nil),
          settings: .audio(
            sampleFormat: "f32", sampleRate: 48000, channels: 2, interleaved: true,
            timePitch: .timeDomain))
      ])
    try reader.start()
    var expected: [Float] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 100)
      for buffer in buffers {
        buffer.data.block.appendFloats(0..<2 * buffer.sampleCount, to: &expected)
      }
      if isAtEnd { break }
    }
    let found = try decoded(output)
    #expect(found.count == 2 * Int(end.frames))
    #expect(Array(found.prefix(expected.count)) == expected)
    player.close()
  }
}
