import Dispatch
import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The binary as a process: framing, signals, ends. One at a time, for some of them measure an end.
@Suite(.serialized)
struct ProcessTests {
  private let folder = TemporaryFolder()

  /// Runs `reelwire` to its end with everything it shall read.
  private func serve(_ input: String, _ arguments: [String] = []) async throws -> CommandResult {
    try await run([Server.binaryPath, "serve"] + arguments, input: [UInt8](input.utf8))
  }

  private static let list = #"{"jsonrpc":"2.0","id":1,"method":"handle/list"}"#
  private static let describe =
    #"{"jsonrpc":"2.0","id":"a","method":"time/describe","params":{"time":1.5}}"#

  @Test func bothFramingsAnswerInKind() async throws {
    let lines = try await serve("\u{FEFF}\n# a comment\n\(Self.list)\r\n\(Self.describe)\n")
    #expect(lines.code == 0)
    let answers = lines.text.split(separator: "\n")
    #expect(answers.count == 2)
    #expect(lines.text.hasSuffix("\n"))
    let ids = try answers.map { try JSONValue(parsing: String($0))["id"] }
    #expect(ids.contains(1) && ids.contains("a"))

    let body = Self.describe
    let headers = try await serve(
      "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        + "content-type: application/vscode-jsonrpc; charset=utf-8\ncontent-length:\(body.utf8.count)\n\n\(body)"
    )
    #expect(headers.code == 0)
    var rest = headers.output[...]
    var count = 0
    while !rest.isEmpty {
      let end = try #require(rest.firstRange(of: [UInt8]("\r\n\r\n".utf8)))
      let header = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      try #require(header.hasPrefix("Content-Length: "))
      let length = try #require(Int(header.dropFirst("Content-Length: ".count)))
      let message = rest[end.upperBound...].prefix(length)
      #expect(try JSONValue(parsing: Array(message))["id"] == "a")
      rest = rest[end.upperBound...].dropFirst(length)
      count += 1
    }
    #expect(count == 2)
  }

  /// A message in any number of pieces is one message.
  @Test func aMessageSplitAtEveryByteIsAnswered() async throws {
    let client = TestClient(try Server.start(.binary, ServerOptions()))
    for byte in [UInt8]("\(Self.describe.replacing("\"a\"", with: "1000000"))\n".utf8) {
      client.send([byte])
    }
    #expect(try await client.answer(to: 1_000_000)["result"]?["description"] != nil)
    try await client.finish()
  }

  private static let invocations: [([String], Int32)] = [
    (["serve", "--no-such-option"], 2), (["nonsense"], 2), (["serve", "--shm-max", "1"], 2),
    (["serve", "--framing", "pigeon"], 2), (["--version"], 0), (["--help"], 0),
  ]

  @Test(arguments: invocations)
  func usageErrorsAreCodeTwo(_ arguments: [String], _ code: Int32) async throws {
    let result = try await run([Server.binaryPath] + arguments)
    #expect(result.code == code)
  }

  /// For every way to end it: gone within a second, nothing left behind, and the code of the
  /// contract.
  @Test(arguments: ["EOF", "exit", "shutdown", "SIGTERM", "SIGINT", "SIGHUP", "parent"])
  func theEndLeavesNothingBehind(_ way: String) async throws {
    let parent = try spawnLock.withLock { _ in try Child(["sleep", "600"], files: []) }
    defer { parent.end() }
    let server = try Server.startBinary([])
    let child = try #require(server.child)
    let client = TestClient(server)
    _ = try await client.call(Initialize(processId: Int(parent.pid)))
    let asset = try await client.open(.long)
    let session = try await client.call(
      ExportSessionCreate(
        asset: try await client.openEndless(), preset: "HighestQuality",
        outputURL: folder.file("out.mp4"))
    ).exportSession
    _ = try await client.call(ExportSessionExport(exportSession: session, progressInterval: 0.01))
    try await client.wait(for: ExportSessionDidProgress.self)
    let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
    _ = try await client.call(
      ImageGeneratorGenerateImages(
        imageGenerator: generator, times: (0..<5000).map { WireTime(.seconds(Int64($0), 125)) },
        format: .png,
        delivery: .file(WireFileDelivery(path: folder.file("image-%d.png")))))
    var expected: Int32 = 0
    switch way {
    case "EOF":
      client.closeInput()
      expected = 1
    case "exit":
      try client.notify(Exit())
      expected = 1
    case "shutdown":
      _ = try await client.call(Shutdown())
      let error = try await client.failure(of: EngineStats())
      #expect(error.code == -32600)
      try client.notify(Exit())
    case "parent":
      parent.send(SIGKILL)
      _ = await parent.wait()
    default: child.send(["SIGTERM": SIGTERM, "SIGINT": SIGINT, "SIGHUP": SIGHUP][way] ?? SIGTERM)
    }
    #expect(await server.ended() == expected)
    // Work in progress was stopped; it didn't continue to its end first.
    #expect(folder.names.count < 5000)
    #expect(!folder.names.contains { $0.hasPrefix("out") || $0.hasPrefix(".") })
    for name in folder.names {
      // Images that were finished are whole.
      #expect(try await Oracle.streams(of: folder.file(name)).first?.width == 640)
    }
    #expect(client.violations == [])
  }

  @Test func endsWithoutExportsAreClean() async throws {
    #expect(try await serve("").code == 0)
    #expect(try await serve(#"{"jsonrpc":"2.0","method":"exit"}"# + "\n").code == 0)
    let result = try await serve(
      #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"# + "\n"
        + #"{"jsonrpc":"2.0","method":"exit"}"# + "\n")
    #expect(result.code == 0)
    #expect(result.text == #"{"jsonrpc":"2.0","id":1,"result":null}"# + "\n")
  }

  /// `printf … | reelwire serve`: the input has ended, the answers still come.
  @Test func aPipedScriptGetsItsAnswers() async throws {
    let path = try await Fixture.bframes.path
    let result = try await serve(
      #"{"jsonrpc":"2.0","id":1,"method":"asset/open","params":{"url":"\#(path)"}}"# + "\n"
        + #"{"jsonrpc":"2.0","id":2,"method":"asset/loadValues","params":"#
        + #"{"asset":"asset:1","keys":["duration"],"completion":"response"}}"# + "\n",
      ["--drain", "60"])
    #expect(result.code == 0)
    let answers = try result.text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let loaded = answers.first { $0["id"] == 2 }?["result"]?["values"]?["duration"]
    #expect(loaded?["status"] == "loaded")
  }

  /// With any amount of logging, stdout carries protocol only, and a client that asks gets the log
  /// as notifications.
  @Test func aTraceRunHasOnlyProtocolOnStdout() async throws {
    let server = try Server.start(.binary, ServerOptions(logLevel: "trace"))
    let client = TestClient(server)
    _ = try await client.call(EngineSetLogLevel(level: .trace))
    for fixture in [Fixture.bframes, .matroska, .mp3] {
      let asset = try await client.open(fixture)
      _ = try await client.call(AssetTracks(asset: asset))
    }
    let cut = try folder.write(
      "cut.mp4", Array(try contents(of: try await Fixture.bframes.path).prefix(4000)))
    let asset = try await client.call(AssetOpen(url: cut)).asset
    _ = try await client.failure(of: AssetTracks(asset: asset))
    let good = try await client.open(.bframes)
    let result = try await client.export(
      ExportSessionCreate(
        asset: good, preset: "MediumQuality", outputURL: folder.file("out.mp4")))
    #expect(result.status == .completed)
    let lines = try await client.wait(for: EngineLog.self, count: 3)
    #expect(lines.contains { $0.logger == "libav" && !$0.message.isEmpty })
    _ = try await client.call(EngineSetLogLevel(level: .off))
    try await client.finish()
    let errors = String(decoding: await server.errors?.value ?? [], as: UTF8.self)
    #expect(errors.contains("trace [libav]"))
    #expect(!errors.contains("jsonrpc\":"))
  }

  /// The client doesn't read: the work stops, the process doesn't, and it continues when the client
  /// reads.
  @Test func aClientThatStopsReadingStopsTheWork() async throws {
    let server = try Server.start(.binary, ServerOptions())
    let client = TestClient(server, reading: false)
    let other = TestClient(try Server.start(.binary, ServerOptions()))
    let path = try await Fixture.long.path
    // 300 kB of text each: the notifications' budget of 8 MB is soon used up.
    let times = (0..<60).map { #"{"value":\#($0),"timescale":25}"# }.joined(separator: ",")
    client.line(#"{"jsonrpc":"2.0","id":1,"method":"asset/open","params":{"url":"\#(path)"}}"#)
    client.line(
      #"{"jsonrpc":"2.0","id":2,"method":"imageGenerator/create","params":{"asset":"asset:1"}}"#)
    client.line(
      #"{"jsonrpc":"2.0","id":3,"method":"imageGenerator/generateImages","params":"#
        + #"{"imageGenerator":"imageGenerator:1","format":"gray","times":[\#(times)]}}"#)
    // Its memory is looked at from outside, until it grows no more.
    let pid = try #require(server.child).pid
    var last = -1
    var unchanged = 0
    try await eventually("the work has stopped") {
      // Another process's answer stands for some time going by.
      _ = try await other.call(EngineStats())
      let ticks = try processorTicks(pid)
      unchanged = ticks == last ? unchanged + 1 : 0
      last = ticks
      return last > 0 && unchanged > 500
    }
    let resident = try residentKilobytes(pid)
    #expect(resident < 400_000, "\(resident) kB")
    client.startReading()
    await client.waitForAnswers(3)
    let images = try await client.wait(for: ImageGeneratorDidFinish.self)
    #expect(images.first?.succeeded == 60)
    #expect(try client.received(ImageGeneratorDidGenerateImage.self).count == 60)
    try await other.finish()
    for handle in ["asset:1", "imageGenerator:1"] {
      client.line(
        #"{"jsonrpc":"2.0","id":\#(handle == "asset:1" ? 4 : 5),"method":"handle/close","params":{"handle":"\#(handle)"}}"#
      )
    }
    await client.waitForAnswers(5)
    client.closeInput()
    #expect(await server.ended() == 0)
    #expect(client.violations == [])
  }

  private func processorTicks(_ pid: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }

  private func residentKilobytes(_ pid: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.split(separator: " ", omittingEmptySubsequences: true)[1]))
  }
}

struct CancelRequestTests {
  /// Before it was sent, while it runs, after it was answered.
  @Test(arguments: Transport.allCases) func cancelBeforeDuringAndAfter(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.long)
      let generator = try await client.call(
        ImageGeneratorCreate(
          asset: asset, requestedTimeToleranceBefore: WireTime(.zero),
          requestedTimeToleranceAfter: WireTime(.zero))
      ).imageGenerator
      let image = ImageGeneratorGenerateImage(
        imageGenerator: generator, time: WireTime(.seconds(999, 25)), format: .gray)
      // Before: an unknown id is ignored.
      client.cancelRequest(1_000_000)
      // During: the first is decoding, the second waits for it.
      let first = try client.start(image)
      let second = try client.start(image)
      client.cancelRequest(second)
      client.cancelRequest(first)
      for id in [first, second] {
        let answer = try await client.answer(to: id)
        #expect(answer["result"] != nil || answer["error"]?["code"] == -32800, "\(answer)")
      }
      // After: nothing more comes of it.
      let done = try client.start(image)
      #expect(try await client.answer(to: done)["result"] != nil)
      client.cancelRequest(done)
      #expect(try await client.call(image).image.width == 640)
      #expect(client.answeredIDs.count == Set(client.answeredIDs).count)
    }
  }

  /// A request that would take long is answered −32800, and the object continues to serve.
  @Test(arguments: Transport.allCases) func aLongRequestEndsAsCancelled(
    _ transport: Transport
  ) async throws {
    try await withClient(transport, ServerOptions(sharedMemory: 1 << 20)) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: .video(WireVideoSettings(pixelFormat: "rgba")))
      ).output
      let first = try await client.call(
        AssetReaderNextSampleBuffers(
          output: output, maxCount: 50, timeoutMs: 20, delivery: .shm))
      // Waits for memory that isn't released.
      let waiting = try client.start(
        AssetReaderNextSampleBuffers(output: output, delivery: .shm))
      client.cancelRequest(waiting)
      #expect(try await client.answer(to: waiting)["error"]?["code"] == -32800)
      try client.notify(
        BlobRelease(leases: first.sampleBuffers.compactMap { $0.blob?.lease }))
      let next = try await client.call(
        AssetReaderNextSampleBuffers(output: output, timeoutMs: 5000, delivery: .shm))
      #expect(next.sampleBuffers.count == 1)
    }
  }
}
