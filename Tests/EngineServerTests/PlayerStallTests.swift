import Foundation
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Players whose media comes late, on the system's clock. No duration is asserted.
struct PlayerStallTests {
  private let folder = TemporaryFolder()

  /// A clip of 40 pictures, none of which needs another, and the offset of the 25th. The last ten of them are shown for
  /// 100 s each, so that it doesn't end before a busy machine has read 25. ffmpeg 7.1 writes 39 pictures.
  private func clip() async throws -> (bytes: [UInt8], limit: Int64) {
    let path = folder.file("held.mov")
    try await succeed(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1.6,noise=alls=40"]
        + ["-vf", "settb=1/25,setpts='if(lt(N,30),N,30+(N-29)*2500)'", "-fps_mode", "passthrough"]
        + ["-c:v", "mjpeg", "-q:v", "2", "-movflags", "+faststart", path])
    let places = try await succeed(
      ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pos"]
        + ["-of", "csv=p=0", path]
    ).text.split(separator: "\n").compactMap { Int64($0.split(separator: ",")[0]) }
    try #require([39, 40].contains(places.count))
    return (try contents(of: path), places[25])
  }

  private struct Played {
    let player: Player
    let bytes: HeldBytes
    let output: VideoOutput
    let events: Events
  }

  /// The events of a player, which a test awaits.
  private final class Events: Sendable {
    private let log = Mutex<[PlayerEvent]>([])
    private let stream = AsyncStream<PlayerEvent>.makeStream()

    func add(_ event: PlayerEvent) {
      log.withLock { $0.append(event) }
      stream.continuation.yield(event)
    }

    /// Waits for an event, and returns those up to it.
    func wait(_ isWanted: (PlayerEvent) -> Bool) async -> [PlayerEvent] {
      var passed: [PlayerEvent] = []
      for await event in stream.stream {
        passed.append(event)
        if isWanted(event) { break }
      }
      return passed
    }

    var shown: [Time] {
      log.withLock(\.self).compactMap { event in
        guard case .didOutput(_, let picture, _, _, _) = event else { return nil }
        return picture.itemTimeForDisplay
      }
    }
  }

  private func isPicture(_ event: PlayerEvent, after time: Time?) -> Bool {
    guard case .didOutput(_, let picture, _, _, _) = event else { return false }
    return time.map { picture.itemTimeForDisplay > $0 } ?? true
  }

  /// A player of the clip on the system's clock, whose bytes from an offset on are held.
  ///
  /// - Parameter limit: nil for the 25th picture.
  private func held(from limit: Int64? = nil, waits: Bool) async throws -> Played {
    let (bytes, picture) = try await clip()
    let held = HeldBytes(bytes, limit: limit ?? picture)
    let item = try PlayerItem(asset: URLAsset(resource: held.resource("held.mov")))
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 100_000
    let output = try VideoOutput(item: item, settings)
    var configuration = Player.Configuration()
    configuration.clock = .host
    configuration.audioDevice = PlayerAudioDevice.none
    configuration.automaticallyWaitsToMinimizeStalling = waits
    let events = Events()
    let player = try Player(items: [item], configuration) { events.add($0) }
    return Played(player: player, bytes: held, output: output, events: events)
  }

  private func play(waits: Bool) async throws -> Played {
    let played = try await held(waits: waits)
    await played.player.runner.withLock(\.self)?.work()
    _ = try await played.player.play()
    return played
  }

  /// Playback waits where its bytes don't come, and goes on from there.
  @Test func playbackWaitsForItsBytes() async throws {
    let played = try await play(waits: true)
    let player = played.player
    let before = await played.events.wait { if case .didStall = $0 { true } else { false } }
    guard case .didStall(_, let time, _, _) = try #require(before.last) else { return }
    _ = await played.events.wait {
      if case .didChange(let change, _, _) = $0 { change.effectiveRate == 0 } else { false }
    }
    let state = player.state
    #expect(state.timeControlStatus == .waitingToPlayAtSpecifiedRate)
    #expect(state.reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(state.rate == 1)
    // Time stands; all pictures whose bytes are there have been shown, or were late.
    #expect(state.time == time)
    let shown = played.events.shown
    #expect(shown.allSatisfy { $0 <= time })
    #expect(shown == shown.sorted())
    played.bytes.open()
    let after = await played.events.wait { isPicture($0, after: shown.last) }
    let changes = after.compactMap { event -> PlayerChanges? in
      if case .didChange(let change, _, _) = event { change } else { nil }
    }
    #expect(changes.first?.effectiveRate == 1)
    #expect(changes.first?.timeControlStatus == .playing)
    #expect(changes.first?.reasonForWaitingToPlay == .some(nil))
    #expect(played.events.shown == played.events.shown.sorted())
    player.close()
  }

  /// A seek to bytes that are there doesn't wait for those that aren't.
  @Test func aSeekLeavesAStall() async throws {
    let played = try await play(waits: true)
    let player = played.player
    let isStall = { (event: PlayerEvent) in if case .didStall = event { true } else { false } }
    _ = await played.events.wait(isStall)
    _ = try await player.seek(to: Time(value: 1, timescale: 5))
    let landed = await played.events.wait { if case .didSeek = $0 { true } else { false } }
    guard case .didSeek(let end) = try #require(landed.last) else { return }
    #expect(end.finished)
    _ = await played.events.wait {
      if case .didChange(let change, _, _) = $0 { change.effectiveRate == 1 } else { false }
    }
    _ = await played.events.wait(isStall)
    let shown = played.events.shown
    played.bytes.open()
    _ = await played.events.wait { isPicture($0, after: shown.last) }
    player.close()
  }

  /// Without waiting, playback is paused.
  @Test func playbackPausesForItsBytes() async throws {
    let played = try await play(waits: false)
    let player = played.player
    let before = await played.events.wait { if case .didStall = $0 { true } else { false } }
    #expect(!before.isEmpty)
    let changed = await played.events.wait {
      if case .didChange(let change, _, _) = $0 { change.rate == 0 } else { false }
    }
    guard case .didChange(let change, _, _) = try #require(changed.last) else { return }
    #expect(change.rateChangeReason == .stalled)
    #expect(change.timeControlStatus == .paused)
    #expect(player.state.rate == 0)
    let shown = played.events.shown
    played.bytes.open()
    _ = try await player.play()
    _ = await played.events.wait { isPicture($0, after: shown.last) }
    player.close()
  }

  /// Playback that hasn't begun waits without a stall.
  @Test func playbackThatHasNotBegunDoesNotStall() async throws {
    // The movie's header is there, and no picture.
    let played = try await held(from: 64 << 10, waits: true)
    let (player, events) = (played.player, played.events)
    _ = try await player.play()
    let before = await events.wait {
      if case .didChange(let change, _, _) = $0 {
        change.reasonForWaitingToPlay == .some(.toMinimizeStalls)
      } else {
        false
      }
    }
    #expect(events.shown.isEmpty)
    played.bytes.open()
    let after = await events.wait { isPicture($0, after: nil) }
    #expect(!(before + after).contains { if case .didStall = $0 { true } else { false } })
    #expect(played.output.dropped.outOfCredit == 0)
    player.close()
  }
}
