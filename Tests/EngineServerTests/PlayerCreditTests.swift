import Foundation
import JSONRPC
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import EngineServer
@testable import MediaEngine

/// The credit of outputs for pictures that aren't sent: they stay with their item, for its next player.
struct PlayerCreditTests {
  private let folder = TemporaryFolder()

  private func clip() async throws -> String {
    let path = folder.file("clip.mp4")
    try await succeed(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2"]
        + ["-pix_fmt", "yuv420p", path])
    return path
  }

  private func notifications() throws -> PlayerNotifications {
    let pipe = try #require(DescriptorChannel.pipe())
    let connection = Connection(
      channel: DescriptorChannel(input: pipe.read, output: pipe.write, closing: true),
      router: Router())
    return PlayerNotifications(Engine(), connection, isManual: true)
  }

  /// Plays a second of an item, with the events going to `notifications`.
  private func play(_ item: PlayerItem, _ notifications: PlayerNotifications) async throws -> Player
  {
    var configuration = Player.Configuration()
    configuration.clock = .manual
    let player = try Player(items: [item], configuration) { notifications.take($0) }
    _ = try await player.play()
    _ = try await player.advanceClock(by: Time(value: 1, timescale: 1))
    return player
  }

  private enum Way: CaseIterable { case waiting, closed, unknown }

  /// Pictures that wait for an answer when the player is closed, that come after that, and those of a player without a
  /// handle.
  @Test(arguments: 0..<3) func picturesThatArentSentReturnTheirCredit(_ number: Int) async throws {
    let way = Way.allCases[number]
    let item = try PlayerItem(asset: URLAsset(url: try await clip()))
    var settings = VideoOutput.Configuration()
    settings.isPush = true
    settings.maximumOutstanding = 1
    let output = try VideoOutput(item: item, settings)
    let notifications = try notifications()
    if way == .waiting { _ = notifications.hold(isBatched: false) }
    if way == .closed { notifications.close() }
    let player = try await play(item, notifications)
    if way == .waiting {
      // One picture waits, and has all of the credit.
      #expect(player.statistics.presented == 1 && output.dropped.outOfCredit > 0)
    } else {
      #expect(output.dropped.outOfCredit == 0)
    }
    player.close()
    notifications.close()
    #expect(output.takeCredit())
  }
}
