import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import LibAV
import MediaTime
import TestSupport
import Testing

/// Exports whose source, target or folder fails them in the middle. Full disks, failing calls and killed
/// processes are in Tests/Faults.
struct ExportFaultTests {
  private let folder = TemporaryFolder()
  private var target: String { folder.file("out/out.mp4") }

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("out"), withIntermediateDirectories: false)
  }

  private var outputs: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted() }
  }

  /// A source of one's own, with an export of it that waits in a read of the samples.
  private func withStuckExport(
    _ preset: String,
    _ body: (TestClient, SlowSource, ExportSessionHandle, OperationHandle) async throws -> Void
  ) async throws {
    let path = folder.file("in.mp4")
    try FileManager.default.copyItem(atPath: try await Fixture.long.path, toPath: path)
    let source = try SlowSource(path: path, isOpen: true)
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let session = try await client.call(
        ExportSessionCreate(asset: asset, preset: preset, outputURL: target)
      ).exportSession
      source.close()
      guard
        case .started(let operation) = try await client.call(
          ExportSessionExport(exportSession: session))
      else {
        Issue.record("not the notification form")
        return
      }
      await source.someoneWaits()
      try await body(client, source, session, operation)
      source.open()
    }
  }

  /// The end doesn't wait for a disk that doesn't answer, and the late result of the read is
  /// discarded.
  @Test(arguments: ["Passthrough", "LowQuality"]) func aReadThatHangsHoldsNoCancel(
    _ preset: String
  ) async throws {
    try await withStuckExport(preset) { client, source, session, operation in
      _ = try await client.call(ExportSessionCancel(exportSession: session))
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .cancelled)
      #expect(end.error?.code == -11878)
      let status = try await client.call(ExportSessionStatus(exportSession: session))
      #expect(status.status == .cancelled)
      #expect(try outputs == [])
      // The name is free again while the read still hangs.
      let other = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "Passthrough", outputURL: target))
      #expect(other.status == .completed)
      source.open()
      #expect(try outputs == ["out.mp4"])
    }
    #expect(try outputs == ["out.mp4"])
  }

  @Test func anOpeningThatHangsHoldsNoCancel() async throws {
    let source = try SlowSource(path: try await Fixture.bframes.path, isOpen: true)
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      // Another asset of the same file has it open: this one opens it anew.
      let asset = try await client.call(AssetOpen(url: source.name)).asset
      let session = try await client.call(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: target)
      ).exportSession
      source.close()
      let id = try client.start(
        ExportSessionExport(exportSession: session, completion: .response))
      await source.someoneWaits()
      client.cancelRequest(id)
      #expect(try await client.answer(to: id)["error"]?["code"]?.integerValue == -32800)
      #expect(try outputs == [])
      source.open()
    }
    #expect(try outputs == [])
  }

  /// A file that is cut off while it is read is no shorter file that was read to its end.
  @Test(arguments: ["Passthrough", "LowQuality"]) func aSourceThatBecomesShorterIsUnreadable(
    _ preset: String
  ) async throws {
    try await withStuckExport(preset) { client, source, _, operation in
      let size = try source.size
      #expect(truncate(source.name, off_t(size / 2)) == 0)
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .failed)
      #expect(end.error?.code == -11849)
      #expect(end.error?.message.contains("shorter") == true, "\(end.error?.message ?? "")")
      #expect(try outputs == [])
    }
  }

  @Test(arguments: ["Passthrough", "LowQuality"]) func aSourceThatFailsIsUnreadable(
    _ preset: String
  ) async throws {
    try await withStuckExport(preset) { client, source, _, operation in
      source.fail()
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.error?.code == -11849)
      #expect(try outputs == [])
    }
  }

  /// A source that is cut short from the beginning is refused too, by copies and by encodings.
  @Test(arguments: ["Passthrough", "LowQuality"], ["mp4", "mkv"])
  func aSourceThatIsCutShortIsRefused(_ preset: String, _ type: String) async throws {
    let whole = folder.file("whole.\(type)")
    try await succeed([
      "ffmpeg", "-v", "error", "-i", try await Fixture.bframes.path, "-c", "copy", "-movflags",
      "+faststart", whole,
    ])
    let bytes = try contents(of: whole)
    let cut = try folder.write("cut.\(type)", Array(bytes.prefix(bytes.count * 3 / 4)))
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.call(AssetOpen(url: cut)).asset, preset: preset,
          outputURL: target))
      #expect(result.status == .failed)
      #expect(result.error?.code == -11822)
      #expect(try outputs == [])
      // The part that is there can be exported.
      let part = try await client.export(
        ExportSessionCreate(
          asset: try await client.call(AssetOpen(url: cut)).asset, preset: preset,
          outputURL: target,
          timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(1, 2)))))
      #expect(part.status == .completed, "\(String(describing: part.error))")
    }
  }

  /// A file whose folder was moved isn't at the reported path, and so isn't anywhere.
  @Test(arguments: ["removed", "renamed", "replaced"]) func aFolderThatIsMovedAway(_ way: String)
    async throws
  {
    try await withStuckExport("Passthrough") { client, source, _, operation in
      let out = folder.file("out")
      switch way {
      case "removed": try FileManager.default.removeItem(atPath: out)
      default: try FileManager.default.moveItem(atPath: out, toPath: folder.file("moved"))
      }
      if way == "replaced" {
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
      }
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .failed)
      #expect(end.error?.code == -11863)
      #expect(end.error?.message.contains("moved or removed") == true)
    }
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let rest = ["removed": [], "renamed": ["moved"], "replaced": ["moved", "out"]]
    #expect(all?.sorted() == ["in.mp4"] + (rest[way] ?? []))
  }

  @Test func aFileThatAppearsMeanwhileStays() async throws {
    try await withStuckExport("Passthrough") { client, source, _, operation in
      try "theirs".write(toFile: target, atomically: false, encoding: .utf8)
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .failed)
      #expect(end.error?.code == -11823)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "theirs")
      #expect(try outputs == ["out.mp4"])
    }
  }

  /// The second export to a name is refused at once, and not when all the work is done.
  @Test func aTargetThatIsBeingWrittenIsRefused() async throws {
    try await withStuckExport("Passthrough") { client, source, _, operation in
      let error = try await client.exportFailure(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "Passthrough", outputURL: target))
      #expect(error.code == -11823)
      source.open()
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .completed)
    }
    #expect(try outputs == ["out.mp4"])
  }
}

struct ExportTemporaryFolderTests {
  private let folder = TemporaryFolder()

  /// A folder on another file system than the tests' own, where there is one.
  private static let elsewhere: String? = {
    var (here, there) = (stat(), stat())
    guard stat(NSTemporaryDirectory(), &here) == 0, stat("/dev/shm", &there) == 0,
      here.st_dev != there.st_dev, access("/dev/shm", W_OK) == 0
    else { return nil }
    return "/dev/shm"
  }()

  @Test(arguments: elsewhere == nil ? ["same"] : ["same", "other"])
  func theUnfinishedFileLiesWhereItShall(_ place: String)
    async throws
  {
    let temporary: String
    if place == "same" {
      temporary = folder.file("temporary")
    } else {
      let elsewhere = try #require(Self.elsewhere)
      temporary = "\(elsewhere)/reelwire-tests-\(UInt32.random(in: 0...(.max)))"
    }
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: temporary) }
    let target = folder.file("out.mp4")
    try await withClient(.binary) { client in
      let session = try await client.call(
        ExportSessionCreate(
          asset: try await client.open(.long), preset: "Passthrough", outputURL: target,
          directoryForTemporaryFiles: temporary)
      ).exportSession
      guard
        case .started(let operation) = try await client.call(
          ExportSessionExport(exportSession: session, progressInterval: 0.01))
      else {
        Issue.record("not the notification form")
        return
      }
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .completed, "\(String(describing: end.error))")
      #expect(end.fileSize == Int64(try contents(of: target).count))
      let progress = try client.received(ExportSessionDidProgress.self).map(\.progress)
      #expect(progress == progress.sorted() && progress.last == 1)
      #expect(progress.dropLast().allSatisfy { $0 < 1 })
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    #expect(try await Oracle.packets(of: target, stream: "v:0").count == 1000)
  }

  @Test func itMustBeAFolderBelowTheRoots() async throws {
    let root = folder.file("root")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let source = "\(root)/in.mp4"
    try FileManager.default.copyItem(atPath: try await Fixture.bframes.path, toPath: source)
    try await withClient(.binary, ServerOptions(roots: [root])) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      func create(_ temporary: String) -> ExportSessionCreate {
        ExportSessionCreate(
          asset: asset, preset: "Passthrough", outputURL: "\(root)/out.mp4",
          directoryForTemporaryFiles: temporary)
      }
      for (path, code) in [
        (folder.path, 3001), ("\(root)/..", 3001), ("\(root)/none", -11863),
        (source, -11863),
      ] {
        let error = try await client.exportFailure(create(path))
        #expect(error.code == code, "\(path)")
      }
      #expect(try await client.failure(of: create("http://example.org/")).code == 3001)
      let result = try await client.export(create("file://\(root)"))
      #expect(result.status == .completed)
    }
    #expect(folder.names == ["root"])
  }
}
