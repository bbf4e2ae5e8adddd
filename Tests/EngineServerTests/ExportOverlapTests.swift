import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Exports whose stages run at the same time, in parallel with each other and with the caller.
struct ExportOverlapTests {
  private let folder = TemporaryFolder()

  private func create(
    _ client: TestClient, _ asset: AssetHandle, _ name: String, preset: String = "HighestQuality"
  ) async throws -> ExportSessionHandle {
    try await client.call(
      ExportSessionCreate(asset: asset, preset: preset, outputURL: folder.file(name))
    ).exportSession
  }

  private func begin(
    _ client: TestClient, _ session: ExportSessionHandle
  ) async throws -> OperationHandle {
    guard
      case .started(let operation) = try await client.call(
        ExportSessionExport(exportSession: session, progressInterval: 0.01))
    else { throw NotStarted() }
    return operation
  }

  private struct NotStarted: Error {}

  /// The order in which the threads run has no effect: an export alone and one of several write the
  /// same bytes.
  @Test func whatRunsBesideAnExportChangesNothing() async throws {
    try await withClient(.binary) { client in
      let asset = try await client.open(.twoAudio)
      let alone = try await create(client, asset, "alone.mp4", preset: "LowQuality")
      _ = try await client.call(
        ExportSessionExport(exportSession: alone, completion: .response))
      var operations: [OperationHandle] = []
      for number in 0..<3 {
        let session = try await create(client, asset, "\(number).mp4", preset: "LowQuality")
        operations.append(try await begin(client, session))
      }
      for operation in operations {
        let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
        #expect(end.status == .completed, "\(String(describing: end.error))")
        let progress = try client.received(ExportSessionDidProgress.self)
          .filter { $0.operation == operation }.map(\.progress)
        #expect(progress == progress.sorted())
        #expect(progress.last == 1)
      }
    }
    let files = try ["alone", "0", "1", "2"].map { try contents(of: folder.file("\($0).mp4")) }
    #expect(files[0].count > 1000)
    #expect(files.dropFirst().allSatisfy { $0 == files[0] })
  }

  /// At its beginning, in its middle, near its end, and before it has begun.
  @Test(arguments: Transport.allCases) func cancelAtManyMoments(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let asset = try await client.openEndless()
      var seen = 0
      for moment in 0..<12 {
        let session = try await create(client, asset, "\(moment).mp4")
        let operation = try await begin(client, session)
        // The first is cancelled as early as can be, each of the others one notification later.
        seen += moment
        if moment > 0 { try await client.wait(for: ExportSessionDidProgress.self, count: seen) }
        _ = try await client.call(ExportSessionCancel(exportSession: session))
        let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
        #expect(end.status == .cancelled)
        #expect(end.error?.code == -11878)
        #expect(folder.names == [])
        seen = try client.received(ExportSessionDidProgress.self).count
      }
    }
  }

  /// A cancelled export ends though a read doesn't return, and a decoder waits for it.
  @Test func cancelDoesNotWaitForTheSource() async throws {
    let source = try SlowSource(path: try await Fixture.long.path, isOpen: true)
    defer { source.open() }
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      let session = try await create(client, client.open(.long), "out.mp4")
      source.close(after: 60)
      let operation = try await begin(client, session)
      try await client.wait(for: ExportSessionDidProgress.self)
      await source.someoneWaits()
      _ = try await client.call(ExportSessionCancel(exportSession: session))
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .cancelled)
      #expect(folder.names == [])
      source.open()
    }
  }

  /// A source that fails in the middle is the export's failure, in any stage, and leaves nothing.
  @Test func aFailureOfOneStageEndsAll() async throws {
    let source = try SlowSource(path: try await Fixture.long.path, isOpen: true)
    defer { source.open() }
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      let session = try await create(client, client.open(.long), "out.mp4")
      source.close(after: 60)
      let operation = try await begin(client, session)
      try await client.wait(for: ExportSessionDidProgress.self)
      await source.someoneWaits()
      source.fail()
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .failed)
      #expect(end.error?.data?.stage == "read")
      #expect(folder.names == [])
    }
  }

  /// The file is no longer than was allowed, not much shorter, and whole: its rate is lowered.
  @Test func aFullFileIsWhole() async throws {
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.long), preset: "HighestQuality", outputURL: target,
          fileLengthLimit: 300_000))
      #expect(result.status == .completed)
    }
    let size = try contents(of: target).count
    #expect(size > 200_000 && size <= 300_000)
    let length = try await Oracle.duration(of: target)
    #expect(abs(length - (try await Oracle.duration(of: try await Fixture.long.path))) < 0.1)
    try await succeed(["ffmpeg", "-v", "error", "-xerror", "-i", target, "-f", "null", "-"])
  }

  /// Images are made while exports have every place of the gate.
  @Test func imagesAreMadeBesideExports() async throws {
    try await withClient(.binary) { client in
      let asset = try await client.openEndless()
      var sessions: [ExportSessionHandle] = []
      for number in 0..<2 {
        let session = try await create(client, asset, "\(number).mp4")
        _ = try await begin(client, session)
        sessions.append(session)
      }
      try await client.wait(for: ExportSessionDidProgress.self, count: 2)
      let generator = try await client.call(
        ImageGeneratorCreate(asset: try await client.open(.bframes))
      ).imageGenerator
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator,
          times: (0..<10).map { WireTime(.seconds(Int64($0), 10)) }))
      #expect(images.allSatisfy { $0.result == .succeeded })
      for session in sessions {
        #expect(
          try await client.call(ExportSessionStatus(exportSession: session)).status == .exporting)
        _ = try await client.call(ExportSessionCancel(exportSession: session))
      }
    }
  }
}
