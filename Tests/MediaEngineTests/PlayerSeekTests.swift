import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Seeks of a paused player whose pictures are copied.
struct PlayerSeekTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private struct Opened {
    let player: Player
    let output: VideoOutput
    let file: CountedFile
  }

  /// A player of twelve seconds, of 25 frames and a key frame each second.
  private func open() async throws -> Opened {
    let path = try fixtures.make(
      "seeks.mp4",
      "-f lavfi -i testsrc2=s=128x96:r=25:d=12 -c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p")
    let file = CountedFile(try InputFile(path: path))
    var configuration = EngineConfiguration()
    configuration.openSource = { (_, _) throws(SystemError) in file }
    let asset = URLAsset(url: path, configuration: configuration)
    let item = try PlayerItem(asset: asset)
    let (player, _) = try Player.manual([(item, "a")])
    var settings = VideoOutput.Configuration()
    settings.format = "gray"
    let output = try VideoOutput(item: item, settings)
    try await player.advance(0)
    let media = try #require(item.facts?.video).requireStored()
    try file.measure {
      _ = try media.source.makeDemuxer(of: [media.stream.index], interrupt: Interrupt())
    }
    return Opened(player: player, output: output, file: file)
  }

  /// Returns the number of the picture that is shown.
  private func copy(_ output: VideoOutput) async throws -> Int? {
    let picture = try await output.copyPicture(onlyIfNew: false).picture
    output.didRelease()
    return picture?.sampleIndex
  }

  /// Each opened the file and a decoder anew.
  @Test func seeksContinueWithTheDecoder() async throws {
    let opened = try await open()
    let player = opened.player
    func shown(at time: Double, isExact: Bool) async throws -> Int? {
      let tolerance = isExact ? Time.zero : .positiveInfinity
      _ = try await player.seek(
        to: Time(seconds: time, preferredTimescale: 1000), toleranceBefore: tolerance,
        toleranceAfter: tolerance)
      try await player.advance(0)
      return try await copy(opened.output)
    }
    // The first one needs a frame or two, for which the decoder's threads share a frame, and the second one many.
    #expect(try await shown(at: 7.02, isExact: true) == 175)
    #expect(try await shown(at: 3.5, isExact: true) == 87)
    let before = opened.file.timesOpenedByNeed
    for (time, isExact, number) in [
      (9.02, false, 225), (3.52, true, 88), (1, false, 25), (11.99, true, 299), (5.5, true, 137),
    ] {
      #expect(try await shown(at: time, isExact: isExact) == number)
    }
    #expect(opened.file.timesOpenedByNeed - before <= 0)
    player.close()
  }

  /// It has the file open.
  @Test func theDecoderIsReleasedWhenTimeRunsAndWithTheItem() async throws {
    let opened = try await open()
    let found = opened.player.runner.withLock(\.self)
    let runner = try #require(found)
    #expect(try await copy(opened.output) == 0)
    #expect(await runner.stillCount == 1)
    _ = try await opened.player.play()
    await runner.work()
    #expect(await runner.stillCount == 0)
    _ = try await opened.player.pause()
    _ = try await opened.player.seek(
      to: Time(value: 5, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    #expect(try await copy(opened.output) == 125)
    #expect(await runner.stillCount == 1)
    opened.output.item.close()
    await runner.work()
    #expect(await runner.stillCount == 0)
    opened.player.close()
  }

  /// A seek that is interrupted ends the decoder that it uses; the next picture is made by another one.
  @Test func afterInterruptedSeeksTheLastOneHasItsPicture() async throws {
    let opened = try await open()
    for round in 0..<5 {
      for second in 0..<10 {
        _ = try await opened.player.seek(
          to: Time(value: Int64(second), timescale: 1), toleranceBefore: .zero,
          toleranceAfter: .zero)
      }
      try await opened.player.advance(0)
      #expect(try await copy(opened.output) == 225, "round \(round)")
    }
    opened.player.close()
  }
}
