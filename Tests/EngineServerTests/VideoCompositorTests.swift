import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import Synchronization
import TestSupport
import Testing

/// Pictures that the client draws.
struct VideoCompositorTests {
  /// All of two seconds at 25 frames a second is drawn by the client.
  private static func composition(
    _ compositor: WireCompositor = .client, timeoutMs: Int? = 600_000
  ) -> WireVideoComposition {
    WireVideoComposition(
      frameDuration: WireTime(.seconds(1, 25)), renderSize: WireSize(width: 160, height: 120),
      compositorPixelFormat: "yuv420p", compositorTimeoutMs: timeoutMs,
      instructions: [
        WireVideoCompositionInstruction(
          timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(2, 1))),
          layerInstructions: [WireVideoCompositionLayerInstruction(trackID: 1)],
          compositor: compositor)
      ])
  }

  private func output(_ composition: WireVideoComposition) -> WireReaderOutput {
    WireReaderOutput(
      type: .videoComposition, videoComposition: composition,
      settings: .video(WireVideoSettings(pixelFormat: "yuv420p")))
  }

  /// Answers requests in the order in which they come.
  private func draw(
    _ client: TestClient,
    _ draw: @escaping @Sendable (VideoCompositionComposeFrame) -> VideoCompositionFinishFrame?
  ) -> Task<Void, Never> {
    client.forEach(VideoCompositionComposeFrame.self) { request in
      if let answer = draw(request) { _ = try? await client.call(answer) }
    }
  }

  /// All leases end once every outstanding request has been answered.
  private func expectNothingLent(by client: TestClient) async throws {
    try await eventually("all leases have ended") {
      try await client.call(EngineStats()).leases == 0
    }
  }

  /// Copies the first source to the target, by the paths that the message has.
  private static func copy(_ request: VideoCompositionComposeFrame) -> VideoCompositionFinishFrame {
    guard let source = request.sources.first?.blob,
      let from = FileHandle(forReadingAtPath: source.path),
      let to = FileHandle(forUpdatingAtPath: request.target.blob.path)
    else {
      return VideoCompositionFinishFrame(
        request: request.request, error: WireCompositorError(message: "no memory"))
    }
    try? from.seek(toOffset: UInt64(source.offset))
    try? to.seek(toOffset: UInt64(request.target.blob.offset))
    if let bytes = try? from.read(upToCount: source.size) { try? to.write(contentsOf: bytes) }
    return VideoCompositionFinishFrame(request: request.request)
  }

  @Test(arguments: [Transport.inProcess, .binary])
  func aCopyIsTheEnginesPicture(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let drawer = draw(client, Self.copy)
      defer { drawer.cancel() }
      let asset = try await client.open(.bframes)
      var pictures: [[[UInt8]]] = []
      var readers: [String] = []
      for compositor in [WireCompositor.engine, .client] {
        let (reader, output) = try await client.read(asset, output(Self.composition(compositor)))
        pictures.append(
          try await client.readAll(output, maxCount: 7).map { try #require(try $0.blob?.bytes) })
        readers.append(reader.rawValue)
      }
      #expect(pictures[0].count == 50)
      #expect(pictures[0] == pictures[1])
      let requests = try await client.wait(for: VideoCompositionComposeFrame.self, count: 50)
      #expect(requests.map(\.request) == Array(1...50))
      #expect(
        requests.map(\.compositionTime.time) == (0..<50).map { Time(value: $0, timescale: 25) })
      #expect(requests.allSatisfy { $0.owner.rawValue == readers[1] })
      #expect(requests.allSatisfy { $0.target.image.width == 160 && $0.sources.count == 1 })
      let stats = try await client.call(EngineStats())
      #expect(stats.leases == 0)
    }
  }

  @Test func answersThatAreWrongHaveNames() async throws {
    try await withClient(.inProcess) { client in
      let drawer = draw(client, Self.copy)
      defer { drawer.cancel() }
      let asset = try await client.open(.bframes)
      let (_, output) = try await client.read(asset, output(Self.composition()))
      _ = try await client.readAll(output)
      let wrong = [(1, "operationNotAllowed"), (999, "invalidParams"), (0, "invalidParams")]
      for (number, name) in wrong {
        let error = await #expect(throws: RPCError.self) {
          _ = try await client.call(VideoCompositionFinishFrame(request: number))
        }
        #expect(error.map(ErrorObject.init)?.data?.name == name)
      }
      _ = try await client.call(HandleList())
    }
  }

  @Test func aClientThatHangsOrFailsIsNamed() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let first = Mutex(true)
      let drawer = draw(client) { request in
        let isFirst = first.withLock { first in
          defer { first = false }
          return first
        }
        return isFirst
          ? nil
          : VideoCompositionFinishFrame(
            request: request.request, error: WireCompositorError(message: "no such effect"))
      }
      defer { drawer.cancel() }
      for reason in ["no answer", "no such effect"] {
        let (_, output) = try await client.read(
          asset, output(Self.composition(timeoutMs: reason == "no answer" ? 200 : 600_000)))
        let error = await #expect(throws: RPCError.self) {
          _ = try await client.readAll(output)
        }
        #expect(error.map(ErrorObject.init)?.data?.name == "videoCompositorFailed")
        #expect(error.map(ErrorObject.init)?.message.contains(reason) == true)
      }
      // A late answer releases the memory, and does nothing else.
      _ = try await client.call(VideoCompositionFinishFrame(request: 1))
      try await expectNothingLent(by: client)
    }
  }

  @Test func anExportIsCancelledDuringAPicture() async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let session = try await client.call(
        ExportSessionCreate(
          asset: asset, preset: "HighestQuality", outputURL: folder.file("out.mp4"),
          videoComposition: .composition(Self.composition()))
      ).exportSession
      _ = try await client.call(
        ExportSessionExport(exportSession: session, completion: .notification))
      let requests = try await client.wait(for: VideoCompositionComposeFrame.self, count: 1)
      #expect(requests.first?.owner.rawValue == session.rawValue)
      _ = try await client.call(ExportSessionCancel(exportSession: session))
      let end = try await client.wait(for: ExportSessionDidFinish.self, count: 1)
      #expect(end.first?.error?.data?.name == "operationCancelled")
      let late = draw(client) { VideoCompositionFinishFrame(request: $0.request) }
      defer { late.cancel() }
      try await expectNothingLent(by: client)
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
    }
  }

  @Test func pixelFormatsAreChecked() async throws {
    try await withClient(.inProcess) { client in
      var composition = Self.composition()
      composition.compositorPixelFormat = "psychedelic"
      let asset = try await client.open(.bframes)
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.call(
          ImageGeneratorCreate(asset: asset, videoComposition: .composition(composition)))
      }
      #expect(
        error.map(ErrorObject.init)?.data?.errors?.map(\.path)
          == ["/videoComposition/compositorPixelFormat"])
    }
  }
}
