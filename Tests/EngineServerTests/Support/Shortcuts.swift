import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import TestSupport
import Testing

extension TestClient {
  /// Opens an asset on a fixture.
  func open(_ fixture: Fixture) async throws -> AssetHandle {
    try await call(AssetOpen(url: try await fixture.path)).asset
  }

  /// Does something about each notification of a type, in the order in which they come, until the client
  /// is closed.
  func forEach<Note: NotificationType>(
    _ type: Note.Type, _ body: @escaping @Sendable (Note) async -> Void
  ) -> Task<Void, Never> {
    Task.detached { [self] in
      var count = 0
      // A client that is closed brings no more of them.
      while let notes = try? await wait(for: type, count: count + 1), notes.count > count {
        for note in notes[count...] { await body(note) }
        count = notes.count
      }
    }
  }

  /// Opens an asset whose bytes the test supplies.
  func openSupplied(
    length: Int, name: String = "slow", timeoutMs: Int = 600_000
  ) async throws -> AssetHandle {
    try await call(
      AssetOpen(
        resource: WireResource(
          length: Int64(length), isRandomAccess: true, name: name, timeoutMs: timeoutMs))
    ).asset
  }

  /// Answers a read of a resource whose bytes these are.
  func supply(_ read: ResourceRead, of bytes: [UInt8]) { try? notify(read.answer(of: bytes)) }

  /// Over an hour of moving pictures: work on all of it continues until it is cancelled.
  func openEndless() async throws -> AssetHandle {
    let source = try await open(.long)
    let composition = try await call(CompositionCreate()).composition
    let whole = AssetHandle(rawValue: composition.rawValue)
    for part in [source] + Array(repeating: whole, count: 7) {
      _ = try await call(CompositionInsertTimeRange(composition: composition, asset: part))
    }
    return whole
  }

  /// An asset of a movie with its index at the end, whose bytes from its middle to there never come: work
  /// on all of it continues until it is cancelled.
  func openHeld(_ fixture: Fixture) async throws -> AssetHandle {
    let bytes = try contents(of: try await fixture.path)
    let held = Int64(bytes.count / 2)..<Int64(bytes.count / 10 * 9)
    let asset = try await openSupplied(
      length: bytes.count, name: fixture.name, timeoutMs: 3_600_000)
    _ = forEach(ResourceRead.self) { [self] read in
      if !held.overlaps(read.offset..<read.offset + Int64(read.length)) { supply(read, of: bytes) }
    }
    return asset
  }

  /// Pulls an output's samples to the end.
  func readAll(
    _ output: OutputHandle, maxCount: Int = 100, delivery: WireDelivery? = nil
  ) async throws -> [WireSampleBuffer] {
    var all: [WireSampleBuffer] = []
    while true {
      let result = try await call(
        AssetReaderNextSampleBuffers(output: output, maxCount: maxCount, delivery: delivery))
      all += result.sampleBuffers
      if result.endOfStream { return all }
    }
  }

  /// A started reader with one output.
  func read(
    _ asset: AssetHandle, _ output: WireReaderOutput, timeRange: TimeRange? = nil
  ) async throws -> (reader: AssetReaderHandle, output: OutputHandle) {
    let made = try await call(
      AssetReaderCreate(
        asset: asset, timeRange: timeRange.map(WireTimeRange.init), outputs: [output]))
    _ = try await call(AssetReaderStart(assetReader: made.assetReader))
    return (made.assetReader, try #require(made.outputs.first))
  }

  /// Creates a session and waits for its export.
  func export(_ request: ExportSessionCreate) async throws -> ExportSessionDidFinish {
    let session = try await call(request).exportSession
    let reply = try await call(
      ExportSessionExport(exportSession: session, completion: .response))
    return try #require(reply.finished)
  }

  /// A request is refused for exactly these of its parameters.
  func expectProblems(
    at paths: Set<String>, in request: some RequestType,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let error = try await failure(of: request, location)
    #expect(error.code == -32602, sourceLocation: location)
    guard case .array(let errors)? = error.data?["errors"] else {
      Issue.record("no errors: \(error)", sourceLocation: location)
      return
    }
    #expect(
      Set(errors.compactMap { $0["path"]?.stringValue }) == paths, sourceLocation: location)
  }

  /// The error of an export that is refused or fails.
  func exportFailure(_ request: ExportSessionCreate) async throws -> ErrorObject {
    do {
      return try #require(try await export(request).error)
    } catch let error as RPCError {
      return ErrorObject(error)
    }
  }

  /// The images for some times or samples, by their index.
  func images(
    _ request: ImageGeneratorGenerateImages
  ) async throws -> [ImageGeneratorDidGenerateImage] {
    guard case .started(let operation) = try await call(request) else {
      throw try #require(nil as RPCError?, "the notification form was answered with a result")
    }
    let end = try await terminal(ImageGeneratorDidFinish.self, of: operation)
    let images = try received(ImageGeneratorDidGenerateImage.self).filter {
      $0.operation == operation
    }.sorted { $0.index < $1.index }
    let count = request.times?.count ?? request.samples?.count ?? 0
    try #require(images.map(\.index) == Array(0..<count))
    for (outcome, count) in [
      (WireOutcome.succeeded, end.succeeded), (.failed, end.failed), (.cancelled, end.cancelled),
    ] {
      #expect(images.count { $0.result == outcome } == count)
    }
    return images
  }
}

extension ResourceRead {
  /// The bytes that are requested, of a resource whose bytes these are.
  func answer(of bytes: [UInt8]) -> ResourceDidRead {
    let part = bytes[Int(offset)...].prefix(length)
    return ResourceDidRead(
      resource: resource, request: request,
      blob: .inline(WireInlineBytes(data: Base64Data(bytes: Array(part)))),
      isEnd: part.endIndex == bytes.count)
  }
}

extension OperationReply {
  /// The end of the work; nil where it has only begun.
  var finished: Completion? {
    if case .finished(let end) = self { end } else { nil }
  }
}

extension WireBlob {
  /// The bytes, wherever they are.
  var bytes: [UInt8] {
    get throws {
      switch self {
      case .inline(let blob): return blob.data.bytes
      case .file(let blob): return try contents(of: blob.path)
      case .shm(let blob):
        let fd = open(blob.path, O_RDONLY)
        try #require(fd >= 0)
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: blob.size)
        try #require(pread(fd, &bytes, blob.size, off_t(blob.offset)) == blob.size)
        return bytes
      }
    }
  }

  var lease: LeaseHandle? {
    if case .shm(let blob) = self { blob.lease } else { nil }
  }
}

extension Time {
  static func seconds(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }
}
