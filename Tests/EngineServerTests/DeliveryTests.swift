import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import Testing

struct DeliveryTests {
  private func generator(_ client: TestClient) async throws -> ImageGeneratorHandle {
    let asset = try await client.open(.bframes)
    return try await client.call(
      ImageGeneratorCreate(
        asset: asset, requestedTimeToleranceBefore: WireTime(.zero),
        requestedTimeToleranceAfter: WireTime(.zero))
    ).imageGenerator
  }

  private let times = (0..<12).map { WireTime(.seconds(Int64($0 * 4), 25)) }

  /// The same bytes in each way, for every format.
  @Test(arguments: Transport.allCases, [WireImageFormat.jpeg, .png, .yuv420p, .bgra])
  func allDeliveriesAgree(_ transport: Transport, _ format: WireImageFormat) async throws {
    let folder = TemporaryFolder()
    try await withClient(transport) { client in
      let generator = try await generator(client)
      func images(_ delivery: WireDelivery) async throws -> [WireBlob] {
        try await client.images(
          ImageGeneratorGenerateImages(
            imageGenerator: generator, times: times, format: format, delivery: delivery)
        ).compactMap { $0.image?.blob }
      }
      let inline = try await images(.inline)
      let file = try await images(.file(WireFileDelivery(path: folder.file("i-%03d%%.bin"))))
      let shared = try await images(.shm)
      #expect(inline.count == times.count)
      for (index, blob) in inline.enumerated() {
        let bytes = try blob.bytes
        #expect(bytes.count == blob.size)
        #expect(try file[index].bytes == bytes)
        #expect(try shared[index].bytes == bytes)
        guard case .file(let place) = file[index] else {
          Issue.record("no file")
          return
        }
        #expect(place.path == folder.file("i-\(index < 10 ? "00" : "0")\(index)%.bin"))
      }
      #expect(folder.names.count == times.count)
      let stats = try await client.call(EngineStats())
      #expect(stats.leases == times.count)
      #expect(stats.leasedBytes >= Int64(shared.reduce(0) { $0 + $1.size }))
      let leases = shared.compactMap(\.lease)
      #expect(Set(leases).count == times.count)
      // Twice, and one that never was: passed over.
      try client.notify(BlobRelease(leases: leases + leases + [LeaseHandle(rawValue: "lease:999")]))
      let after = try await client.call(EngineStats())
      #expect((after.leases, after.leasedBytes) == (0, 0))
    }
  }

  @Test(arguments: Transport.allCases) func anExistingFileIsNotOverwritten(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let taken = try folder.write("i-2.jpg", [1, 2, 3])
    try await withClient(transport) { client in
      let generator = try await generator(client)
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: Array(times.prefix(4)),
          delivery: .file(WireFileDelivery(path: folder.file("i-%d.jpg")))))
      #expect(images.map(\.result) == [.succeeded, .succeeded, .failed, .succeeded])
      #expect(images[2].error?.code == -11823)
      #expect(images[2].error?.data?.path == taken)
      #expect(try contents(of: taken) == [1, 2, 3])
      #expect(folder.names == ["i-0.jpg", "i-1.jpg", "i-2.jpg", "i-3.jpg"])
      let missing = try await client.failure(
        of: ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.zero),
          delivery: .file(WireFileDelivery(path: folder.file("none/a.jpg")))))
      #expect(missing.code == -11863)
    }
  }

  /// A pool of one megabyte: a pull waits for a release, and fails with an error when its time is
  /// over.
  @Test(arguments: Transport.allCases) func anExhaustedPoolIsToldAndGoesOn(
    _ transport: Transport
  ) async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path, pixelFormat: "rgba")
    try await withClient(transport, ServerOptions(sharedMemory: 1 << 20)) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: .video(WireVideoSettings(pixelFormat: "rgba")))
      ).output
      func pull(_ count: Int, _ timeout: Int?) -> AssetReaderNextSampleBuffers {
        AssetReaderNextSampleBuffers(
          output: output, maxCount: count, timeoutMs: timeout, delivery: .shm)
      }
      // 76,800 bytes a frame: thirteen fit. The frames that are there are delivered first.
      let first = try await client.call(pull(50, 50)).sampleBuffers
      #expect(first.count == 13)
      let bytes = try first.map { try #require($0.blob).bytes }
      let error = try await client.failure(of: pull(1, 50))
      #expect(error.code == 2001)
      #expect(error.name == "leasesExhausted")
      #expect(error.hint?.isEmpty == false)
      #expect(
        try await client.call(AssetReaderStatus(assetReader: .init(rawValue: "assetReader:1")))
          .status == .reading)
      // One that waits without an end is served by the release that is sent after it.
      let waiting = try client.start(pull(1, nil))
      try client.notify(BlobRelease(leases: first.prefix(1).compactMap { $0.blob?.lease }))
      var all = bytes
      let next = try await client.answer(to: waiting, of: AssetReaderNextSampleBuffers.self)
      #expect(next.sampleBuffers.count == 1)
      // Leased bytes never change.
      for (buffer, before) in zip(first, bytes).dropFirst() {
        #expect(try buffer.blob?.bytes == before)
      }
      var leases = (first.dropFirst() + next.sampleBuffers).compactMap { $0.blob?.lease }
      all += try next.sampleBuffers.map { try #require($0.blob).bytes }
      var isAtEnd = false
      while !isAtEnd {
        try client.notify(BlobRelease(leases: leases))
        let result = try await client.call(pull(5, nil))
        leases = result.sampleBuffers.compactMap { $0.blob?.lease }
        all += try result.sampleBuffers.map { try #require($0.blob).bytes }
        isAtEnd = result.endOfStream
      }
      // Nothing was lost while memory was short.
      #expect(all.count == frames.count)
      #expect(all.map(\.count) == frames.map(\.bytes.count))
      #expect(Set(all).count == Set(frames.map(\.bytes)).count)
      #expect(try await client.call(EngineStats()).leases == leases.count)
    }
  }

  /// Stored samples, too: none is lost while memory is short, nor with a pull that was cancelled.
  @Test(arguments: Transport.allCases) func aShortageLosesNoSample(
    _ transport: Transport
  ) async throws {
    let path = try await Fixture.long.path
    let packets = try await Oracle.packets(of: path, stream: "v:0")
    try await withClient(transport, ServerOptions(sharedMemory: 1 << 20)) { client in
      let asset = try await client.open(.long)
      let output = try await client.read(asset, .init(type: .track, mediaType: .video)).output
      func pull(_ timeout: Int?) -> AssetReaderNextSampleBuffers {
        AssetReaderNextSampleBuffers(
          output: output, maxCount: 1000, timeoutMs: timeout, delivery: .shm)
      }
      var sizes: [Int] = []
      var shortages = 0
      var isAtEnd = false
      while !isAtEnd {
        let result = try await client.call(pull(nil))
        sizes += result.sampleBuffers.compactMap { $0.blob?.size }
        isAtEnd = result.endOfStream
        let leases = result.sampleBuffers.compactMap { $0.blob?.lease }
        if !isAtEnd {
          shortages += 1
          #expect(try await client.failure(of: pull(0)).code == 2001)
          let waiting = try client.start(pull(nil))
          client.cancelRequest(waiting)
          let answer = try await client.answer(to: waiting)
          #expect(answer["error"]?["code"]?.integerValue == -32800)
        }
        try client.notify(BlobRelease(leases: leases))
        #expect(try await client.call(EngineStats()).leases == 0)
      }
      #expect(shortages > 0)
      #expect(sizes == packets.map(\.size))
    }
  }

  /// Closing the reader is a release, and so is the end of the reader's wait.
  @Test(arguments: Transport.allCases) func closingReleasesLeasesAndEndsWaits(
    _ transport: Transport
  ) async throws {
    try await withClient(transport, ServerOptions(sharedMemory: 1 << 20)) { client in
      let asset = try await client.open(.bframes)
      let (reader, output) = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: .video(WireVideoSettings(pixelFormat: "rgba")))
      )
      let pull = AssetReaderNextSampleBuffers(
        output: output, maxCount: 50, timeoutMs: 20, delivery: .shm)
      let buffers = try await client.call(pull).sampleBuffers
      #expect(try await client.call(EngineStats()).leases == buffers.count)
      let waiting = try client.start(
        AssetReaderNextSampleBuffers(output: output, delivery: .shm))
      _ = try await client.call(HandleClose(handle: AnyHandle(reader)))
      let error = try await client.answer(to: waiting)["error"]
      #expect(error?["code"]?.integerValue == -11878)
      #expect(try await client.call(EngineStats()).leases == 0)
    }
  }

  /// The memory that the caller opens is for reading only.
  @Test func sharedMemoryCantBeWrittenOrResized() async throws {
    try await withClient(.binary) { client in
      let generator = try await generator(client)
      let image = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.zero), format: .rgb24, delivery: .shm)
      ).image
      guard case .shm(let blob) = image.blob else {
        Issue.record("not shared")
        return
      }
      #expect(blob.offset % 64 == 0)
      let before = try image.blob.bytes
      let fd = open(blob.path, O_RDWR)
      if fd >= 0 {
        defer { close(fd) }
        var byte: UInt8 = 1
        #expect(pwrite(fd, &byte, 1, off_t(blob.offset)) < 0)
        #expect(ftruncate(fd, 0) < 0)
        #expect(ftruncate(fd, 1 << 30) < 0)
        #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
      }
      let readable = open(blob.path, O_RDONLY)
      try #require(readable >= 0)
      defer { close(readable) }
      let length = blob.offset + blob.size
      let mapped = try #require(mmap(nil, length, PROT_READ, MAP_SHARED, readable, 0))
      try #require(mapped != MAP_FAILED)
      defer { munmap(mapped, length) }
      #expect(
        Array(UnsafeRawBufferPointer(start: mapped + blob.offset, count: blob.size)) == before)
    }
  }
}
