import EngineProtocol
import JSONRPC
import MediaTime
import Testing

@testable import EngineSupervisor

struct OperationEndTests {
  private let death = ErrorObject(.workerDied, "It was ended by SIGSEGV")
  private let operation = OperationHandle(rawValue: "operation:1")

  @Test func eachImageThatIsMissingIsReported() throws {
    var request = ImageGeneratorGenerateImages(
      imageGenerator: ImageGeneratorHandle(rawValue: "imageGenerator:1"))
    request.times = [0, 1, 2].map { WireTime(Time(value: $0, timescale: 1)) }
    var reported = ReportedItems()
    reported.add(1, .succeeded)
    let end = request.end(of: operation, failedWith: death, reported: reported)
    let images = end.compactMap { $0 as? ImageGeneratorDidGenerateImage }
    #expect(images.map(\.index) == [0, 2])
    #expect(images.allSatisfy { $0.error?.code == ErrorCode.workerDied.rawValue })
    let last = try #require(end.last as? ImageGeneratorDidFinish)
    #expect((last.succeeded, last.failed, last.cancelled) == (1, 2, 0))
  }

  @Test func eachKeyHasFailed() throws {
    let request = AssetLoadValues(
      asset: AssetHandle(rawValue: "asset:1"), keys: [.duration, .tracks])
    let end = request.end(of: operation, failedWith: death, reported: ReportedItems())
    let last = try #require(end.last as? AssetDidLoadValues)
    #expect(last.values.duration?.status == .failed)
    #expect(last.values.tracks?.error?.data?.key == "tracks")
    #expect(last.values.metadata == nil)
  }

  @Test func aSeekAndAPrerollHaveNotFinished() throws {
    let player = PlayerHandle(rawValue: "player:1")
    let seek = PlayerSeek(player: player, time: WireTime(.positiveInfinity))
    let ends = seek.end(of: operation, failedWith: death, reported: ReportedItems())
    let sought = try #require(ends.last as? PlayerDidSeek)
    #expect(!sought.finished && sought.requestedTime == WireTime(.positiveInfinity))
    #expect(sought.error?.data?.handle == AnyHandle(player))
    let preroll = PlayerPreroll(player: player, rate: 1)
    let last = preroll.end(of: operation, failedWith: death, reported: ReportedItems()).last
    #expect((last as? PlayerDidPreroll)?.finished == false)
  }

  @Test func aPlayerHasFailed() throws {
    let notifications = HandleKind.player.notifications(ofDeath: death, of: "player:1")
    let change = try #require(notifications.first as? PlayerDidChange)
    #expect(change.changes.status == .failed)
    #expect(change.changes.error?.code == ErrorCode.workerDied.rawValue)
    let items = HandleKind.playerItem.notifications(ofDeath: death, of: "playerItem:1")
    let item = try #require(items.first as? PlayerItemDidChange)
    #expect(item.changes.status == .failed)
    #expect(item.changes.error?.code == ErrorCode.workerDied.rawValue)
    #expect(HandleKind.timeObserver.notifications(ofDeath: death, of: "timeObserver:1").isEmpty)
  }

  @Test func aLibraryHasFailed() throws {
    let notifications = HandleKind.library.notifications(ofDeath: death, of: "library:1")
    let failure = try #require(notifications.first as? LibraryDidFail)
    #expect(failure.library.rawValue == "library:1")
    #expect(failure.error.code == ErrorCode.workerDied.rawValue)
  }
}
