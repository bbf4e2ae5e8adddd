import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Far more requests at once than the process has threads: who waits holds none.
struct ManyAtOnceTests {
  private let folder = TemporaryFolder()

  private static func video(_ pixelFormat: String, width: Int? = nil) -> WireReaderOutput {
    WireReaderOutput(
      type: .track, mediaType: .video,
      settings: .video(WireVideoSettings(pixelFormat: pixelFormat, width: width)))
  }

  /// The work of an operation that a batch has started isn't reported before the batch is answered,
  /// by its slowest request; the client notes earlier notifications as violations.
  @Test(arguments: Transport.allCases)
  func theAnswersToABatchComeFirst(_ transport: Transport) async throws {
    let bytes = try contents(of: try await Fixture.bframes.path)
    try await withClient(transport) { client in
      let slow = try await client.openSupplied(length: bytes.count)
      let quick = try await client.open(.bframes)
      client.line(
        """
        [{"jsonrpc":"2.0","id":9001,"method":"asset/tracks","params":{"asset":"\(slow.rawValue)"}},\
        {"jsonrpc":"2.0","id":9002,"method":"asset/loadValues",\
        "params":{"asset":"\(quick.rawValue)","keys":["duration"]}}]
        """)
      try await client.wait(for: ResourceRead.self)
      try await eventually("the duration is loaded") {
        try await client.call(AssetValueStatus(asset: quick, keys: [.duration])).values.duration?
          .status
          == .loaded
      }
      #expect(try client.received(AssetDidLoadValues.self).isEmpty)
      let supplier = client.forEach(ResourceRead.self) { client.supply($0, of: bytes) }
      defer { supplier.cancel() }
      guard
        case .started(let operation) = try await client.answer(to: 9002, of: AssetLoadValues.self)
      else {
        Issue.record("not the notification form")
        return
      }
      let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
      #expect(end.values.duration?.status == .loaded)
      let tracks = try await client.answer(to: 9001, of: AssetTracks.self).tracks
      #expect(tracks.count > 0)
    }
  }

  /// Readers, generators and exports, all asked before the first has answered; a new asset loads meanwhile.
  @Test(arguments: Transport.allCases)
  func requestsThatWaitHoldNoThreads(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.small)
      var outputs: [OutputHandle] = []
      var generators: [ImageGeneratorHandle] = []
      for _ in 0..<1000 {
        outputs.append(try await client.read(asset, Self.video("gray", width: 8)).output)
        generators.append(
          try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator)
      }
      var sessions: [ExportSessionHandle] = []
      for number in 0..<200 {
        sessions.append(
          try await client.call(
            ExportSessionCreate(
              asset: asset, preset: number % 2 == 0 ? "LowQuality" : "Passthrough",
              outputURL: folder.file("\(number).mp4"),
              timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(1, 5))))
          ).exportSession)
      }
      let exports = try sessions.map {
        try client.start(ExportSessionExport(exportSession: $0, completion: .response))
      }
      let pulls = try outputs.map {
        try client.start(AssetReaderNextSampleBuffers(output: $0, maxCount: 3))
      }
      let images = try generators.map {
        try client.start(
          ImageGeneratorGenerateImage(imageGenerator: $0, time: WireTime(.zero), format: .gray))
      }
      // After all of them, and of a file that isn't open.
      let other = try await client.open(.matroska)
      let loaded = try await client.call(
        AssetLoadValues(asset: other, keys: [.duration], completion: .response))
      guard case .finished(let values) = loaded else {
        Issue.record("answered with \(loaded)")
        return
      }
      #expect(values.values.duration?.status == .loaded)

      var frames: Set<Int> = []
      for pull in pulls {
        let result = try await client.answer(to: pull, of: AssetReaderNextSampleBuffers.self)
        frames.insert(result.sampleBuffers.count)
      }
      #expect(frames == [3])
      for image in images {
        _ = try await client.answer(to: image, of: ImageGeneratorGenerateImage.self)
      }
      for export in exports {
        let reply = try await client.answer(to: export, of: ExportSessionExport.self)
        guard case .finished(let end) = reply else {
          Issue.record("answered with \(reply)")
          continue
        }
        #expect(end.status == .completed, "\(String(describing: end.error))")
      }
    }
  }

  /// Pulls that wait for shared memory, without a limit, block no other request.
  @Test func waitingForMemoryHoldsNoThreads() async throws {
    var options = ServerOptions()
    options.sharedMemory = 1 << 20
    try await withClient(.binary, options) { client in
      let asset = try await client.open(.bframes)
      var leases: [LeaseHandle] = []
      let first = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: .video(WireVideoSettings(pixelFormat: "rgb24"))
        )
      ).output
      // As much as there is room for.
      while let buffers = try? await client.call(
        AssetReaderNextSampleBuffers(output: first, maxCount: 1, timeoutMs: 200, delivery: .shm)
      ).sampleBuffers, !buffers.isEmpty {
        leases += buffers.compactMap { $0.blob?.lease }
      }
      #expect(!leases.isEmpty)
      var waiting: [Int] = []
      for _ in 0..<400 {
        let output = try await client.read(asset, Self.video("rgb24")).output
        waiting.append(
          try client.start(AssetReaderNextSampleBuffers(output: output, delivery: .shm)))
      }
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let image = try await client.call(
        ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(.zero)))
      #expect(image.image.width > 0)
      try client.notify(BlobRelease(leases: leases))
      // In any order: each release is one that others wait for.
      try await withThrowingTaskGroup { group in
        for id in waiting {
          group.addTask {
            let result = try await client.answer(to: id, of: AssetReaderNextSampleBuffers.self)
            try client.notify(
              BlobRelease(leases: result.sampleBuffers.compactMap { $0.blob?.lease }))
            #expect(result.sampleBuffers.count == 1)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Samples that a cancelled pull has taken come with the next one: every frame is there once, in
  /// order.
  @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 20, 40], [WireDelivery.inline, .shm])
  func aCancelledPullLosesNothing(_ delay: Int, _ delivery: WireDelivery) async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    try await withClient(.binary) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(asset, Self.video("yuv420p")).output
      var taken: [WireSampleBuffer] = []
      var cancelled = 0
      var isAtEnd = false
      while !isAtEnd {
        let id = try client.start(
          AssetReaderNextSampleBuffers(output: output, maxCount: 7, delivery: delivery))
        // Somewhere within the pull, at a different point on each machine.
        if taken.count % 2 == 0 || cancelled == 0 {
          try await pause(.milliseconds(delay))
          client.cancelRequest(id)
        }
        do {
          let result = try await client.answer(to: id, of: AssetReaderNextSampleBuffers.self)
          taken += result.sampleBuffers
          isAtEnd = result.endOfStream
        } catch let error as RPCError {
          #expect(error.code == -32800)
          cancelled += 1
          if cancelled < 20 { continue }
          let result = try await client.call(
            AssetReaderNextSampleBuffers(output: output, maxCount: 7, delivery: delivery))
          taken += result.sampleBuffers
          isAtEnd = result.endOfStream
        }
      }
      #expect(taken.map(\.presentationTime.time) == frames.map(\.time))
      for (sample, frame) in zip(taken, frames) {
        #expect(try sample.blob?.bytes == frame.bytes)
      }
      try client.notify(BlobRelease(leases: taken.compactMap { $0.blob?.lease }))
    }
  }

  /// A pull whose files can't be written has consumed nothing either.
  @Test func aPullThatCannotBeWrittenLosesNothing() async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    try await withClient(.binary) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(asset, Self.video("yuv420p")).output
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("frame-2.yuv")))
      let error = try await client.failure(
        of: AssetReaderNextSampleBuffers(
          output: output, maxCount: 4,
          delivery: .file(.init(path: folder.file("frame-%d.yuv")))))
      #expect(error.data?["name"]?.stringValue == "fileAlreadyExists")
      #expect(try contents(of: folder.file("frame-2.yuv")) == Array("mine".utf8))
      #expect(!FileManager.default.fileExists(atPath: folder.file("frame-0.yuv")))
      let samples = try await client.readAll(output)
      #expect(samples.map(\.presentationTime.time) == frames.map(\.time))
    }
  }
}
