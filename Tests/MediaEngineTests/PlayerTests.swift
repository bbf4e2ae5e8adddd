import Foundation
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// Players on a manual clock: nothing depends on time.
struct PlayerTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private func seconds(_ value: Double) -> Time { Time(seconds: value, preferredTimescale: 1000) }

  /// Two seconds of 25 frames a second, with a key frame each 25, and audio.
  private func clip(_ name: String = "clip.mp4", _ duration: Double = 2) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i testsrc2=s=64x48:r=25:d=\(duration) -f lavfi -i sine=r=48000:d=\(duration) "
        + "-c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p -c:a pcm_s16le -f mov")
  }

  @Test func playsToItsEnd() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    _ = try await player.play()
    try await player.advance(0)
    #expect(
      log.take() == [
        "0 r0 change: rate 1.0, because setRateCalled, waitingToPlayAtSpecifiedRate, "
          + "waits toMinimizeStalls",
        "a readyToPlay",
        "0 r0 change: status readyToPlay, effective 1.0, playing, waits no more",
      ])
    try await player.advance(1.5)
    #expect(log.take() == [])
    #expect(player.state.time == seconds(1.5))
    try await player.advance(1.5)
    #expect(
      log.take() == [
        "2 r0 a end 2 forward",
        "2 r0 change: rate 0.0, because itemEnded, effective 0.0, paused",
      ])
    #expect(player.state.time == seconds(2))
    // Playing again at the end does nothing.
    for _ in 0..<10 { _ = try await player.play() }
    try await player.advance(1)
    #expect(log.take() == [])
    #expect(player.state.rate == 0)
    // Back from the end.
    _ = try await player.setRate(-1)
    try await player.advance(3)
    #expect(
      log.take() == [
        "4 r0 change: rate -1.0, because setRateCalled, effective -1.0, playing",
        "6 r0 a end 0 reverse",
        "6 r0 change: rate 0.0, because itemEnded, effective 0.0, paused",
      ])
    player.close()
  }

  @Test func observersFireInOrder() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    let periodic = try await player.addPeriodicTimeObserver(every: seconds(0.5))
    let boundary = try await player.addBoundaryTimeObserver(at: [
      seconds(2), seconds(1), seconds(0.3), seconds(1),
    ])
    log.name(periodic, "p")
    log.name(boundary, "b")
    _ = try await player.play()
    try await player.advance(0)
    _ = log.take()
    try await player.advance(2)
    #expect(
      log.take() == [
        "0.3 b 0.3 boundary 2", "0.5 p 0.5 interval", "1 b 1 boundary 1", "1 b 1 boundary 3",
        "1 p 1 interval", "1.5 p 1.5 interval", "2 b 2 boundary 0", "2 p 2 interval",
        "2 r0 a end 2 forward",
        "2 r0 change: rate 0.0, because itemEnded, effective 0.0, paused", "2 p 2 stop",
      ])
    _ = try await player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero)
    try await player.advance(0)
    #expect(
      log.take() == [
        "seek 1 r1 true at 1 #25", "r1 a jump 2 to 1 seek", "2 p 1 jump",
      ])
    _ = try await player.setRate(-2)
    try await player.advance(0.25)
    #expect(
      log.take() == [
        "2 r1 change: rate -2.0, because setRateCalled, effective -2.0, playing", "2 p 1 start",
        "2.25 p 0.5 interval",
      ])
    boundary.close()
    try await player.advance(0.5)
    #expect(
      log.take() == [
        "2.5 p 0 interval", "2.5 r1 a end 0 reverse",
        "2.5 r1 change: rate 0.0, because itemEnded, effective 0.0, paused", "2.5 p 0 stop",
      ])
    player.close()
  }

  @Test func seeksInterruptEachOther() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    // Before the item is loaded.
    _ = try await player.seek(to: seconds(1.22), toleranceBefore: .zero, toleranceAfter: .zero)
    #expect(player.state.time == seconds(1.22))
    #expect(player.state.isSeeking)
    try await player.advance(0)
    #expect(
      log.take() == [
        "a readyToPlay", "0 r1 change: status readyToPlay", "seek 1 r1 true at 1.22 #30",
        "r1 a jump 0 to 1.22 seek",
      ])
    for time in [0.5, 1.5, 3.0, 0.7] {
      let seek = try await player.seek(to: seconds(time))
      #expect(player.revision <= seek.revision)
    }
    try await player.advance(0)
    let lines = log.take().filter { $0.hasPrefix("seek") }
    #expect(lines.count == 4)
    #expect(lines.last == "seek 5 r4 true at 1 #25")
    // One that is outside of the item is refused, and the one before it is interrupted.
    #expect(lines.contains("seek 4 r3 false"))
    _ = try await player.seek(to: .positiveInfinity)
    try await player.advance(0)
    #expect(log.take().contains("seek 6 r5 true at 2 #49"))
    _ = try await player.seek(to: .negativeInfinity)
    #expect(log.take() == ["seek 7 r5 false"])
    player.close()
    #expect(log.take() == [])
  }

  @Test func scrubbingEndsSeeksInTheirOrder() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    for time in [0.5, 1, 100, 1.5] {
      _ = try await player.seek(
        to: seconds(time), toleranceBefore: .zero, toleranceAfter: .zero, whileScrubbing: true)
    }
    try await player.advance(0)
    let ends = log.take().filter { $0.hasPrefix("seek") }.map { $0.split(separator: " ") }
    #expect(ends.map { "\($0[1]) \($0[3])" } == ["1 true", "2 false", "3 false", "4 true"])
    #expect(player.state.time == seconds(1.5))
    player.close()
  }

  @Test func everyLandingOfScrubbingIsPushed() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    let output = try pushed(item)
    log.name(output, "v")
    try await player.advance(0)
    _ = log.take()
    scrub(player, [0.5, 1, 1.5])
    try await player.advance(0)
    #expect(
      log.take() == [
        "v sequence r1", "seek 1 r1 true at 0.5 #12", "r1 a jump 0 to 0.5 seek", "seek 2 r2 false",
        "0 v 0.48", "v sequence r3", "seek 3 r3 true at 1.5 #37", "r3 a jump 0.5 to 1.5 seek",
        "0 v 1.48",
      ])
    player.close()
  }

  private func pushed(_ item: PlayerItem) throws -> VideoOutput {
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 1000
    return try VideoOutput(item: item, settings)
  }

  /// Requests seeks before any of them can land.
  private func scrub(_ player: Player, _ times: [Double]) {
    player.change { core in
      for time in times {
        _ = core.beginSeek(to: seconds(time), before: .zero, after: .zero, isScrubbing: true)
      }
    }
  }

  @Test func advancingCanBeCancelled() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, _) = try Player.manual([]) { $0.isQueue = true }
    _ = try await PlayerLooper(player: player, templateItem: item)
    _ = try await player.play()
    try await player.advance(0)
    let observer = try await player.addPeriodicTimeObserver(every: seconds(0.5))
    let advancing = Task { try await player.advanceClock(by: Time(value: 80_000, timescale: 1)) }
    // Either ends it before its limit: the task is cancelled before it runs, or between two events.
    advancing.cancel()
    let end = try? await advancing.value
    #expect(player.state.hostTime < Time(value: 80_000, timescale: 1))
    #expect(end.map { $0.notifications < Player.maximumEvents } ?? true)
    observer.close()
    player.close()
  }

  @Test func anItemThatIsLoopedStaysTheCurrentOne() async throws {
    let (first, second) = (try PlayerItem(path: try clip()), try PlayerItem(path: try clip()))
    let (player, log) = try Player.manual([(first, "a"), (second, "b")]) { $0.isQueue = true }
    try await player.advance(0)
    _ = log.take()
    let range = TimeRange(start: seconds(0.5), duration: seconds(0.5))
    let looper = try await PlayerLooper(player: player, templateItem: first, timeRange: range)
    try await player.advance(0)
    #expect(log.take() == ["r1 a jump - to 0.5 itemChange"])
    #expect(player.items.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
    looper.close()
    // After the others it isn't.
    _ = try await PlayerLooper(player: player, templateItem: first, existingItemsFirst: true)
    try await player.advance(0)
    #expect(
      log.take() == ["0 r2 change: item b", "r2 b jump - to 0 itemChange"])
    player.close()
  }

  @Test func closingEndsSeeks() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    _ = try await player.seek(to: seconds(1))
    player.close()
    #expect(log.take().last == "seek 1 r1 false")
    await #expect(throws: EngineError.self) { try await player.play() }
    #expect(item.player == nil)
  }

  @Test func stepsFrameByFrame() async throws {
    let path = try clip()
    let item = try PlayerItem(path: path)
    let (player, log) = try Player.manual([(item, "a")])
    var settings = VideoOutput.Configuration()
    settings.format = "gray"
    let output = try VideoOutput(item: item, settings)
    log.name(output, "v")
    let linear: [UInt8] = try fixtures.samples(
      of: path, as: "rawvideo", UInt8.self, "-pix_fmt gray -fps_mode passthrough")
    let size = 64 * 48
    #expect(linear.count == 50 * size)
    func expectFrame(_ index: Int, _ answer: StepEnd, by count: Int) async throws {
      #expect(answer.stepped == count)
      #expect(answer.time == Time(value: Int64(index), timescale: 25))
      #expect(answer.sampleIndex == index)
      let picture = try #require(try await output.copyPicture(onlyIfNew: false).picture)
      #expect(picture.sampleIndex == index)
      let bytes = picture.image.data.withBytes { data in data.array }
      let frame = Array(linear[index * size..<(index + 1) * size])
      // Grey is converted from the same luma by both.
      let difference = zip(bytes, frame).map { abs(Int($0) - Int($1)) }.max() ?? 255
      #expect(bytes.count == size)
      #expect(difference <= 2, "frame \(index)")
      output.didRelease()
    }
    try await player.advance(0)
    for index in 1...30 { try await expectFrame(index, try await item.step(by: 1), by: 1) }
    for index in (0..<30).reversed() {
      try await expectFrame(index, try await item.step(by: -1), by: -1)
    }
    let none = try await item.step(by: -1)
    #expect(none.stepped == 0)
    // Frames that were decoded for steps are of no use far after it.
    _ = try await player.seek(to: seconds(1.5), toleranceBefore: .zero, toleranceAfter: .zero)
    try await player.advance(0)
    try await expectFrame(36, try await item.step(by: -1), by: -1)
    try await expectFrame(49, try await item.step(by: 100), by: 13)
    try await expectFrame(42, try await item.step(by: -7), by: -7)
    player.close()
  }

  @Test func reverseShowsEveryFrameOnce() async throws {
    let item = try PlayerItem(path: try clip())
    let (player, log) = try Player.manual([(item, "a")])
    let output = try pushed(item)
    log.name(output, "v")
    _ = try await player.seek(to: .positiveInfinity)
    try await player.advance(0)
    _ = try await player.setRate(-1)
    try await player.advance(3)
    let times = log.takeEvents().compactMap { event -> Time? in
      if case .didOutput(_, let picture, _, _, _) = event {
        picture.itemTimeForDisplay
      } else {
        nil
      }
    }
    #expect(times == (0..<50).reversed().map { Time(value: $0, timescale: 25) })
    _ = try await player.play()
    try await player.advance(3)
    let forward = log.takeEvents().compactMap { event -> Time? in
      if case .didOutput(_, let picture, _, _, _) = event {
        picture.itemTimeForDisplay
      } else {
        nil
      }
    }
    #expect(forward == (1..<50).map { Time(value: $0, timescale: 25) })
    player.close()
  }
}
