import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Players on the system's clock. No duration is asserted.
struct PlayerHostClockTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private func clip(_ duration: Double) throws -> String {
    try fixtures.make(
      "clip.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=\(duration) -f lavfi -i sine=r=48000:d=\(duration) "
        + "-c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p -c:a aac")
  }

  private func player(
    _ item: PlayerItem, _ events: @escaping @Sendable (PlayerEvent) -> Void
  ) throws -> Player {
    var configuration = Player.Configuration()
    configuration.clock = .host
    configuration.audioDevice = PlayerAudioDevice.none
    configuration.automaticallyWaitsToMinimizeStalling = false
    return try Player(items: [item], configuration, events: events)
  }

  @Test func everyPictureIsSentOrCounted() async throws {
    let item = try PlayerItem(path: try clip(0.6))
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 5
    let output = try VideoOutput(item: item, settings)
    let log = Mutex([PlayerEvent]())
    let player = try player(item) { event in log.withLock { $0.append(event) } }
    let observer = try await player.addPeriodicTimeObserver(every: Time(value: 1, timescale: 10))
    await player.becomesReady()
    _ = try await player.play()
    func shown() -> [Time] {
      log.withLock(\.self).compactMap { event in
        if case .didOutput(_, let picture, _, _, _) = event {
          picture.itemTimeForDisplay
        } else {
          nil
        }
      }
    }
    // Five at most are sent, for none is released; on a busy machine fewer, and the others are
    // late.
    try await eventually("all pictures are accounted for") {
      shown().count + output.dropped.outOfCredit + output.dropped.late == 15
    }
    #expect(shown() == shown().sorted())
    #expect(shown().count <= 5)
    var fired: [Time] = []
    for event in log.withLock(\.self) {
      guard case .didFire(let firing, _, let fire) = event, fire.cause == .interval else {
        continue
      }
      #expect(firing === observer)
      #expect(fire.lateness >= .zero)
      fired.append(fire.time)
    }
    #expect(fired.prefix(5) == (1...5).map { Time(value: $0, timescale: 10) }[...])
    player.close()
  }

  @Test func nothingOlderFollowsASeek() async throws {
    let item = try PlayerItem(path: try clip(3))
    let log = Mutex([Int]())
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 100_000
    _ = try VideoOutput(item: item, settings)
    let player = try player(item) { event in
      guard let revision = event.revision else { return }
      log.withLock { $0.append(revision) }
    }
    _ = try await player.addPeriodicTimeObserver(every: Time(value: 1, timescale: 1000))
    await player.becomesReady()
    _ = try await player.play()
    var random = SeededGenerator(seed: 5)
    for number in 0..<200 {
      let time = Time(value: Int64.random(in: 0...2900, using: &random), timescale: 1000)
      let tolerance: Time = number.isMultiple(of: 2) ? .zero : .positiveInfinity
      log.withLock { $0 = [] }
      let seek = try await player.seek(
        to: time, toleranceBefore: tolerance, toleranceAfter: tolerance)
      let before = log.withLock(\.count)
      // Some land, and some are interrupted.
      if number.isMultiple(of: 3) {
        try await eventually("the seek lands") { !player.state.isSeeking }
      }
      let later = log.withLock { Array($0.dropFirst(before)) }
      #expect(later.allSatisfy { $0 >= seek.revision }, "seek \(number)")
    }
    player.close()
  }

  @Test func playersStayTogether() async throws {
    let path = try clip(600)
    let players = try (0..<2).map { _ in try player(try PlayerItem(path: path)) { _ in } }
    for player in players {
      await player.becomesReady()
    }
    let start = Deadlines.now + ExactTime(reducing: 1, 100)
    let host = start.time(preferring: 1_000_000_000)
    for player in players {
      _ = try await player.setRate(0.7, time: Time(value: 1, timescale: 3), atHostTime: host)
    }
    try await eventually("both play") {
      players.allSatisfy { $0.state.effectiveRate != 0 }
    }
    for ticks in [0, 1, 333_333_333, 1_999_999_999] {
      let time = (start + ExactTime(reducing: Int128(ticks), 1_000_000_000)).time(
        preferring: 1_000_000_000)
      let found = players.map { $0.itemTime(itemTime: nil, hostTime: time) }
      #expect(found[0] == found[1])
    }
    for player in players { player.close() }
  }

  @Test func aPausedPlayerHasNothingToDo() async throws {
    let player = try player(try PlayerItem(path: try clip(1))) { _ in }
    await player.becomesReady()
    #expect(player.core.withLock { $0.nextDeadline } == nil)
    player.close()
  }
}

/// Outputs of which none is opened before the test lets it: then there is no server.
private final class HeldOutputs: AudioOutputs {
  let isAsked = Signal<Void>()
  let mayEnd = Signal<Void>()

  func open(
    device: String?, sampleRate: Int, channels: Int
  ) async throws(EngineError) -> any AudioOutput {
    isAsked.fire(())
    await mayEnd.wait()
    throw EngineError(.mediaServicesWereReset, "There is no audio server")
  }
}

extension PlayerHostClockTests {
  /// Pictures are sent from the start of the time on, which begins when it is known that there is no output.
  @Test func picturesAreSentWithoutTheOutput() async throws {
    let outputs = HeldOutputs()
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = outputs
    let item = try PlayerItem(path: try clip(600))
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 100_000
    _ = try VideoOutput(item: item, settings)
    let sent = Mutex(0)
    let player = try Player(items: [item], configuration) { event in
      if case .didOutput = event { sent.withLock { $0 += 1 } }
    }
    _ = try await player.play()
    await outputs.isAsked.wait()
    outputs.mayEnd.fire(())
    try await eventually("pictures") { sent.withLock(\.self) >= 5 }
    player.close()
  }

  /// A player waits, and doesn't report playback, while its output is being opened.
  @Test func aPlayerWaitsForItsOutput() async throws {
    let outputs = HeldOutputs()
    var configuration = Player.Configuration()
    configuration.clock = .audio
    configuration.outputs = outputs
    let player = try Player(items: [try PlayerItem(path: try clip(600))], configuration) { _ in }
    await player.becomesReady()
    _ = try await player.play()
    await outputs.isAsked.wait()
    let state = player.state
    #expect(state.timeControlStatus == .waitingToPlayAtSpecifiedRate)
    #expect(state.reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(state.effectiveRate == 0)
    outputs.mayEnd.fire(())
    await player.becomesReady()
    #expect(player.state.timeControlStatus == .playing)
    #expect(player.state.effectiveRate == 1)
    player.close()
  }
}

extension PlayerEvent {
  fileprivate var revision: Int? {
    switch self {
    case .didChange(_, let revision, _): revision
    case .didFire(_, _, let fire): fire.revision
    case .didSeek(let end): end.revision
    case .didPlayToEndTime(_, _, _, _, let revision): revision
    case .didJump(_, _, _, _, let revision): revision
    case .didStartSequence(_, let revision): revision
    case .didOutput(_, _, _, _, let revision): revision
    default: nil
    }
  }
}

extension Player {
  /// Waits for the work that its items need, for any time that other work delays it.
  fileprivate func becomesReady() async {
    await runner.withLock(\.self)?.work()
    #expect(state.status == .readyToPlay)
  }
}
