import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import Synchronization
import TestSupport
import Testing

/// Media whose bytes the client supplies.
struct ResourceTests {
  /// The client's answer to a read; nil leaves it unanswered.
  typealias Answer = @Sendable (ResourceRead) -> ResourceDidRead?

  /// Answers the reads of a client, in the order in which they come.
  private func supply(_ client: TestClient, _ answer: @escaping Answer) -> Task<Void, Never> {
    client.forEach(ResourceRead.self) { read in
      if let answer = answer(read) { try? client.notify(answer) }
    }
  }

  private static func inline(_ bytes: ArraySlice<UInt8>) -> WireResourceBytes {
    .inline(WireInlineBytes(data: Base64Data(bytes: Array(bytes))))
  }

  /// The bytes that are requested.
  private static func bytes(_ all: [UInt8]) -> Answer {
    { $0.answer(of: all) }
  }

  private func open(
    _ client: TestClient, length: Int?, isRandomAccess: Bool = true, timeoutMs: Int? = 600_000
  ) async throws -> (asset: AssetHandle, resource: ResourceHandle) {
    let opened = try await client.call(
      AssetOpen(
        resource: WireResource(
          length: length.map(Int64.init), isRandomAccess: isRandomAccess, name: "upload",
          timeoutMs: timeoutMs)))
    return (opened.asset, try #require(opened.resource))
  }

  private func values(_ client: TestClient, _ asset: AssetHandle) async throws -> WireAssetValues {
    let reply = try await client.call(
      AssetLoadValues(asset: asset, keys: WireAssetKey.allCases, completion: .response))
    return try #require(reply.finished).values
  }

  /// The error of loading the tracks.
  private func failure(_ client: TestClient, _ asset: AssetHandle) async throws -> String? {
    let error = try await client.failure(of: AssetTracks(asset: asset))
    return error.name
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
  }

  // MARK: The same answers as by a path

  @Test(arguments: [
    Fixture.bframes, .matroska, .transport, .avi, .vp9, .mp3, .flac, .coverM4A, .gif,
  ])
  func theSameAnswersAsByAPath(_ fixture: Fixture) async throws {
    let all = try contents(of: try await fixture.path)
    for transport in [Transport.inProcess, .binary] {
      for isRandomAccess in [true, false] {
        try await withClient(transport) { client in
          let supplier = supply(client, Self.bytes(all))
          defer { supplier.cancel() }
          let file = try await client.open(fixture)
          let (asset, _) = try await open(
            client, length: isRandomAccess ? all.count : nil, isRandomAccess: isRandomAccess)
          #expect(
            try text(try await values(client, asset)) == text(try await values(client, file)))
          var images: [[[UInt8]?]] = []
          for asset in [file, asset] {
            let generator = try await client.call(
              ImageGeneratorCreate(
                asset: asset, requestedTimeToleranceBefore: WireTime(.zero),
                requestedTimeToleranceAfter: WireTime(.zero))
            ).imageGenerator
            let times = [0, 12, 25, 49].map { WireTime(.seconds($0, 25)) }
            let made = try await client.images(
              ImageGeneratorGenerateImages(
                imageGenerator: generator, times: times, format: .rgb24))
            images.append(try made.map { try $0.image?.blob.bytes })
          }
          #expect(images[0] == images[1])
        }
      }
    }
  }

  @Test func everythingThatTakesAnAssetTakesOne() async throws {
    let folder = TemporaryFolder()
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      let supplier = supply(client, Self.bytes(all))
      defer { supplier.cancel() }
      let (asset, _) = try await open(client, length: all.count)
      let file = try await client.open(.bframes)
      var samples: [Int] = []
      for each in [asset, file] {
        let output = WireReaderOutput(type: .track, mediaType: .video)
        let (_, stored) = try await client.read(each, output)
        samples.append(try await client.readAll(stored).reduce(0) { $0 + ($1.blob?.size ?? 0) })
        let generator = try await client.call(ImageGeneratorCreate(asset: each)).imageGenerator
        let sheet = try await client.sheet(
          ImageGeneratorContactSheet(imageGenerator: generator, count: 4))
        #expect(sheet.tiles?.count == 4)
        let wave = try await client.call(
          WaveformGenerate(asset: each, count: 10, completion: .response))
        #expect(wave.finished?.result == .succeeded)
        let cursor = try await client.call(
          SampleCursorCreate(asset: each, trackID: 1, position: .last))
        #expect(cursor.sample.index > 0)
      }
      #expect(samples[0] == samples[1])
      let target = folder.file("out.mp4")
      let end = try await client.export(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: target))
      #expect(end.error == nil)
      let (bytes, original) = (try contents(of: target), try await Fixture.bframes.path)
      // Nothing is overwritten, least of all the file that the bytes come from.
      let error = try await client.exportFailure(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: original))
      #expect(error.data?.name == "fileAlreadyExists")
      #expect(bytes.count > all.count / 2)
      #expect(try contents(of: original) == all)
    }
  }

  // MARK: Answers that aren't right

  @Test(arguments: [
    ("too long", "serverIncorrectlyConfigured"), ("too short", "serverIncorrectlyConfigured"),
    ("twice", "serverIncorrectlyConfigured"), ("unknown", "serverIncorrectlyConfigured"),
    ("early end", "serverIncorrectlyConfigured"), ("no place", "serverIncorrectlyConfigured"),
    ("error", "failedToLoadMediaData"), ("neither", "failedToLoadMediaData"),
    ("nothing", "resourceTimedOut"),
  ])
  func whatIsWrongHasAName(_ wrong: String, _ name: String) async throws {
    let all = try contents(of: try await Fixture.long.path)
    try await withClient(.inProcess) { client in
      let right = Self.bytes(all)
      let supplier = supply(client) { read in
        func answer(_ bytes: WireResourceBytes? = nil, isEnd: Bool? = nil) -> ResourceDidRead {
          ResourceDidRead(
            resource: read.resource, request: read.request, blob: bytes, isEnd: isEnd)
        }
        let part = all[Int(read.offset)...].prefix(read.length)
        switch wrong {
        case "too long": return answer(Self.inline(part + [0]))
        case "too short": return answer(Self.inline(part.dropLast()))
        case "early end": return answer(Self.inline(part.prefix(100)), isEnd: true)
        case "no place": return answer(.shm(WirePlacedBytes(size: read.length)))
        case "twice":
          if let once = right(read) { try? client.notify(once) }
          return right(read)
        case "unknown":
          return ResourceDidRead(
            resource: read.resource, request: 999, blob: Self.inline(part))
        case "error":
          return ResourceDidRead(
            resource: read.resource, request: read.request,
            error: WireResourceError(message: "403 Forbidden"))
        case "neither": return answer()
        default: return nil
        }
      }
      defer { supplier.cancel() }
      let (asset, _) = try await open(
        client, length: all.count, timeoutMs: wrong == "nothing" ? 300 : 600_000)
      let error = try await client.failure(of: AssetTracks(asset: asset))
      #expect(error.name == name, "\(error)")
      #expect(error.message.contains("upload"))
      if wrong == "error" { #expect(error.message.contains("403 Forbidden")) }
    }
  }

  @Test(arguments: [true, false])
  func aStreamThatIsTooLongForItsFile(_ isStated: Bool) async throws {
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess, ServerOptions(spoolLimit: 10_000)) { client in
      let supplier = supply(client, Self.bytes(all))
      defer { supplier.cancel() }
      let (asset, _) = try await open(
        client, length: isStated ? all.count : nil, isRandomAccess: false)
      #expect(try await failure(client, asset) == "limitExceeded")
    }
  }

  @Test func whatAResourceMayBe() async throws {
    try await withClient(.inProcess) { client in
      try await client.expectProblems(at: ["/url"], in: AssetOpen())
      try await client.expectProblems(
        at: ["/url"], in: AssetOpen(url: "/a", resource: WireResource(isRandomAccess: false)))
      try await client.expectProblems(
        at: ["/resource/length", "/resource/timeoutMs"],
        in: AssetOpen(resource: WireResource(isRandomAccess: true, timeoutMs: 0)))
      for length in [-1, Int64.max] {
        try await client.expectProblems(
          at: ["/resource/length"],
          in: AssetOpen(resource: WireResource(length: length, isRandomAccess: true)))
      }
      let (_, resource) = try await open(client, length: 5)
      try await client.expectProblems(
        at: ["/size"], in: ResourceAllocate(resource: resource, size: 5))
    }
  }

  // MARK: Nothing else waits

  @Test func whoIsNotAnsweredKeepsNobodyWaiting() async throws {
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      // More than there are slots for work.
      var waiting: [(AssetHandle, Int)] = []
      for _ in 0..<12 {
        let (asset, _) = try await open(client, length: all.count)
        let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
        waiting.append(
          (asset, try client.start(ImageGeneratorGenerateImage(imageGenerator: generator))))
      }
      try await client.wait(for: ResourceRead.self, count: 12)
      let file = try await client.open(.bframes)
      let generator = try await client.call(ImageGeneratorCreate(asset: file)).imageGenerator
      _ = try await client.call(ImageGeneratorGenerateImage(imageGenerator: generator))
      for (_, request) in waiting { client.cancelRequest(request) }
      for (_, request) in waiting {
        #expect(try await client.answer(to: request)["error"] != nil)
      }
      try await client.wait(for: ResourceDidCancelRead.self, count: 12)
    }
  }

  @Test func closingDuringARead() async throws {
    try await withClient(.inProcess) { client in
      let (asset, resource) = try await open(client, length: 100_000)
      let request = try client.start(AssetTracks(asset: asset))
      try await client.wait(for: ResourceRead.self)
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      #expect(try await client.answer(to: request)["error"] != nil)
      let ended = try await client.wait(for: ResourceDidEnd.self)
      #expect(ended.map(\.resource) == [resource])
      #expect(try await client.call(HandleList()).handles.isEmpty)
      // Too late, and no error.
      try client.notify(
        ResourceDidRead(resource: resource, request: 1, blob: Self.inline([1, 2, 3])))
    }
  }

  @Test func closingTheResourceDuringARead() async throws {
    try await withClient(.inProcess) { client in
      let (asset, resource) = try await open(client, length: 100_000)
      let request = try client.start(AssetTracks(asset: asset))
      try await client.wait(for: ResourceRead.self)
      _ = try await client.call(HandleClose(handle: AnyHandle(resource)))
      let error = try await client.answer(to: request)["error"]
      #expect(error?["data"]?["name"]?.stringValue == "contentIsUnavailable")
      try await client.wait(for: ResourceDidCancelRead.self)
      try await client.wait(for: ResourceDidEnd.self)
      #expect(try await failure(client, asset) == "contentIsUnavailable")
    }
  }

  /// Objects made from an asset work without it, and the resource with them.
  @Test func aGeneratorWorksWithoutItsAsset() async throws {
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      let supplier = supply(client, Self.bytes(all))
      defer { supplier.cancel() }
      let (asset, resource) = try await open(client, length: all.count)
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      _ = try await client.call(ImageGeneratorGenerateImage(imageGenerator: generator))
      #expect(try client.received(ResourceDidEnd.self).isEmpty)
      _ = try await client.call(HandleClose(handle: AnyHandle(generator)))
      #expect(try await client.wait(for: ResourceDidEnd.self).map(\.resource) == [resource])
    }
  }

  /// A client that goes away while it is waited for.
  @Test(arguments: Transport.allCases) func theEndDuringARead(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let (asset, _) = try await open(client, length: 100_000)
      _ = try client.start(AssetLoadValues(asset: asset, keys: [.tracks]))
      _ = try client.start(AssetTracks(asset: asset))
      try await client.wait(for: ResourceRead.self)
    }
  }

  // MARK: Shared memory, counters

  @Test func bytesInSharedMemory() async throws {
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.binary) { client in
      let memory = Mutex<ResourceAllocate.Result?>(nil)
      let placed = Atomic<Int>(0)
      let right = Self.bytes(all)
      let supplier = supply(client) { read in
        guard let place = read.place, let memory = memory.withLock(\.self) else {
          return right(read)
        }
        placed.add(1, ordering: .relaxed)
        let part = Array(all[Int(read.offset)...].prefix(read.length))
        let file = Glibc.open(memory.path, O_RDWR)
        defer { close(file) }
        guard pwrite(file, part, part.count, off_t(place)) == part.count else { return nil }
        return ResourceDidRead(
          resource: read.resource, request: read.request,
          blob: .shm(WirePlacedBytes(size: part.count)))
      }
      defer { supplier.cancel() }
      let before = try await client.call(EngineStats())
      let (asset, resource) = try await open(client, length: all.count)
      let made = try await client.call(ResourceAllocate(resource: resource, size: 1 << 20))
      memory.withLock { $0 = made }
      // No other process can truncate it under the engine.
      let file = Glibc.open(made.path, O_RDWR)
      #expect(ftruncate(file, 0) != 0)
      close(file)
      let error = try await client.failure(of: ResourceAllocate(resource: resource, size: 1 << 20))
      #expect(error.name == "operationNotAllowed")
      #expect(
        try text(try await values(client, asset))
          == text(try await values(client, try await client.open(.bframes))))
      #expect(placed.load(ordering: .relaxed) > 0)
      let stats = try await client.call(EngineStats())
      let reads = try client.received(ResourceRead.self)
      #expect(stats.resourceReads - before.resourceReads == Int64(reads.count))
      let bytes = Int64(reads.reduce(0) { $0 + $1.length })
      #expect(stats.resourceBytesRequested - before.resourceBytesRequested == bytes)
      #expect(stats.resourceBytesReceived - before.resourceBytesReceived == bytes)
    }
  }

  @Test func theMemoryOfAllResourcesIsBounded() async throws {
    try await withClient(.inProcess, ServerOptions(sharedMemory: 1 << 20)) { client in
      let (_, first) = try await open(client, length: 5)
      let (_, second) = try await open(client, length: 5)
      _ = try await client.call(ResourceAllocate(resource: first, size: 1 << 20))
      let error = try await client.failure(of: ResourceAllocate(resource: second, size: 65536))
      #expect(error.name == "limitExceeded")
    }
  }

  @Test func twoReadersAtOnce() async throws {
    let all = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      let supplier = supply(client, Self.bytes(all))
      defer { supplier.cancel() }
      let (asset, _) = try await open(client, length: all.count)
      let outputs = [WireMediaType.video, .audio].map {
        WireReaderOutput(type: .track, mediaType: $0)
      }
      async let first = client.readAll(try await client.read(asset, outputs[0]).output)
      async let second = client.readAll(try await client.read(asset, outputs[1]).output)
      let file = try await client.open(.bframes)
      let sizes = (try await first.count, try await second.count)
      #expect(
        sizes.0 == (try await client.readAll(try await client.read(file, outputs[0]).output)).count)
      #expect(
        sizes.1 == (try await client.readAll(try await client.read(file, outputs[1]).output)).count)
      // No byte was requested twice.
      let reads = try client.received(ResourceRead.self)
      #expect(reads.reduce(0) { $0 + $1.length } <= all.count)
    }
  }
}
