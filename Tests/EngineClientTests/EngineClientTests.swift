import EngineProtocol
import EngineServer
import Foundation
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization
import Testing

@testable import EngineClient

/// The client as commands use it; the methods are tested elsewhere.
struct EngineClientTests {
  private static let isPrepared: Bool = {
    signal(SIGPIPE, SIG_IGN)
    EngineHost.prepare()
    return true
  }()

  private let client: EngineClient
  private let folder: URL

  init() throws {
    try #require(Self.isPrepared)
    client = try EngineClient()
    folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Raw video that no tool has to make: 25 gray pictures of 64 × 48.
  private func makeClip() throws -> String {
    var bytes = Array("YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg\n".utf8)
    for frame in 0..<25 {
      bytes += Array("FRAME\n".utf8) + [UInt8](repeating: UInt8(16 + frame * 8), count: 64 * 48)
      bytes += [UInt8](repeating: 128, count: 64 * 48 / 2)
    }
    let path = folder.appending(path: "clip.y4m").path
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func end() async throws {
    await client.close()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func resultsAndErrorsHaveTypes() async throws {
    let sum = try await client.call(
      TimeAdd(
        lhs: WireTime(Time(value: 1, timescale: 2)), rhs: WireTime(Time(value: 1, timescale: 3))))
    #expect(sum.time.time == Time(value: 5, timescale: 6))
    let error = try await #require(throws: RPCError.self) {
      _ = try await client.call(AssetTracks(asset: AssetHandle(rawValue: "asset:9")))
    }
    #expect(error.code == ErrorCode.unknownHandle.rawValue)
    try await end()
  }

  @Test func jsonGoesThroughAsItIs() async throws {
    let result = try await client.call("time/seconds", ["time": "3/2"])
    #expect(result == ["seconds": .double(1.5)])
    await #expect(throws: RPCError.self) { try await client.call("time/secnds") }
    try await end()
  }

  @Test func manyCallsAtATimeGetTheirOwnAnswers() async throws {
    try await withThrowingTaskGroup(of: (Int, Time).self) { group in
      for number in 0..<200 {
        group.addTask { [client] in
          let time = WireTime(Time(value: Int64(number), timescale: 7))
          return (number, try await client.call(TimeAdd(lhs: time, rhs: WireTime(.zero))).time.time)
        }
      }
      for try await (number, time) in group {
        #expect(time == Time(value: Int64(number), timescale: 7))
      }
    }
    try await end()
  }

  @Test(arguments: [true, false]) func bytesComeFromWhereverTheyAre(isShared: Bool) async throws {
    let asset = try await client.call(AssetOpen(url: try makeClip())).asset
    let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
    func image(_ delivery: WireDelivery) async throws -> [UInt8] {
      let made = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.zero), format: .bmp, delivery: delivery))
      return try client.bytes(of: made.image.blob)
    }
    let inline = try await image(.inline)
    #expect(inline.starts(with: Array("BM".utf8)))
    let path = folder.appending(path: "image.bmp").path
    let other = try await image(isShared ? .shm : .file(WireFileDelivery(path: path)))
    #expect(other == inline)
    // The lease went back, in the order of the requests.
    #expect(try await client.call(EngineStats()).leases == 0)
    try await end()
  }

  @Test func aMissingFileIsNoBytes() async throws {
    let blob = WireBlob.file(WireFileBlob(size: 3, mimeType: "image/bmp", path: "/nonexistent"))
    #expect(throws: EngineClient.UnreadableBlob(path: "/nonexistent", errno: ENOENT)) {
      try client.bytes(of: blob)
    }
    try await end()
  }

  @Test func notificationsArriveAsSequence() async throws {
    let asset = try await client.call(AssetOpen(url: try makeClip())).asset
    let loaded = client.notifications(of: AssetDidLoadValues.self)
    let reply = try await client.call(AssetLoadValues(asset: asset, keys: [.duration]))
    guard case .started(let operation) = reply else {
      Issue.record("it was answered with its end")
      return
    }
    let first = await loaded.first { _ in true }
    #expect(first?.operation == operation)
    #expect(first?.values.duration?.value?.time == Time(value: 1, timescale: 1))
    try await end()
  }

  @Test func workIsWaitedForOnlyWhenItSaysSo() async throws {
    let asset = try await client.call(AssetOpen(url: try makeClip())).asset
    let done = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
    #expect(done.asset == asset)
    await #expect(throws: EngineClient.OnlyStarted.self) {
      try await client.finish(AssetLoadValues(asset: asset, keys: [.duration]))
    }
    try await end()
  }

  /// It is cancelled before it is sent, while it runs, or too late: it never hangs.
  @Test func aCancelledTaskCancelsItsRequest() async throws {
    let path = try makeClip()
    for _ in 0..<20 {
      let asset = try await client.call(AssetOpen(url: path)).asset
      let task = Task { [client] in
        try await client.finish(
          AssetLoadValues(asset: asset, keys: [.duration, .tracks], completion: .response))
      }
      task.cancel()
      switch await task.result {
      case .success(let done): #expect(done.asset == asset)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    while try await client.call(EngineStats()).operations > 0 { await Task.yield() }
    try await end()
  }

  /// An error without an id ends all waiting calls, and the operations that would continue.
  @Test func anErrorWithoutIDFailsWhatIsUnanswered() async throws {
    // Its bytes never come.
    let asset = try await client.call(
      AssetOpen(
        resource: WireResource(
          length: 100_000, isRandomAccess: true, name: "held", timeoutMs: 3_600_000))
    ).asset
    let begun = client.notifications(of: ResourceRead.self)
    let waiting = Task { [client] in
      try await client.finish(
        AssetLoadValues(asset: asset, keys: [.tracks], completion: .response))
    }
    _ = await begun.first { _ in true }
    let error: JSONValue = ["code": -32700, "message": "Parse error"]
    client.take(["jsonrpc": "2.0", "id": .null, "error": error])
    let thrown = try await #require(throws: RPCError.self) { _ = try await waiting.value }
    #expect(thrown.code == -32700)
    while try await client.call(EngineStats()).operations > 0 { await Task.yield() }
    try await end()
  }

  @Test func aMessageThatIsTooLargeIsNotSent() async throws {
    await client.close()
    var options = Engine.Options()
    options.maximumMessageBytes = 2000
    let client = try EngineClient(options: options)
    let text = String(repeating: "x", count: 2000)
    let error = try await #require(throws: RPCError.self) {
      _ = try await client.call(AssetOpen(url: text))
    }
    #expect(error.data?["reason"] == "messageTooLarge")
    #expect(throws: RPCError.self) { try client.notify("exit", ["reason": .string(text)]) }
    // A refused notification has changed nothing.
    #expect(try await client.call(EngineStats()).handles == [:])
    await client.close()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func theEndEndsEverything() async throws {
    let all = client.notifications()
    await client.close()
    #expect(await all.first { _ in true } == nil)
    await #expect(throws: EngineClient.ConnectionClosedError.self) {
      try await client.call(EngineStats())
    }
    #expect(await client.notifications().first { _ in true } == nil)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aNotificationIsHeardBeforeALaterAnswer() async throws {
    let heard = Heard()
    client.observe { heard.add($0.method) }
    let asset = try await client.call(AssetOpen(url: try makeClip())).asset
    let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
    let times = (0..<5).map { WireTime(Time(value: Int64($0), timescale: 10)) }
    _ = try await client.finish(
      ImageGeneratorGenerateImages(
        imageGenerator: generator, times: times, format: .gray, completion: .response))
    #expect(heard.all == [String](repeating: ImageGeneratorDidGenerateImage.method, count: 5))
    try await end()
  }
}

private final class Heard: Sendable {
  private let methods = Mutex<[String]>([])
  func add(_ method: String) { methods.withLock { $0.append(method) } }
  var all: [String] { methods.withLock { $0 } }
}
