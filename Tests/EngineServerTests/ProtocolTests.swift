import EngineProtocol
import EngineServer
import Foundation
import Glibc
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct ProtocolTests {
  @Test(arguments: Transport.allCases) func aBareRequestWorks(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let sum = try await client.call(
        TimeAdd(
          lhs: WireTime(Time(value: 1, timescale: 3)), rhs: WireTime(Time(value: 1, timescale: 6)))
      )
      #expect(sum.time.time == Time(value: 1, timescale: 2))
    }
  }

  @Test(arguments: Transport.allCases) func initializeIntroducesTheServer(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let result = try await client.call(
        Initialize(clientInfo: WireProgramInfo(name: "tests", version: "1")))
      #expect(result.serverInfo.name == "reelwire")
      #expect(result.protocolVersion == "1.0")
      #expect(result.ffmpeg.libraries["libavformat"] != nil)
      #expect(result.capabilities.deliveries == WireBlobKind.allCases)
    }
  }

  /// A client accepts a program of the same first number, with any second, and no other.
  @Test(arguments: [
    ("1.0", true), ("1.7", true), ("2.0", false), ("0.9", false), ("10.0", false), ("1", false),
    ("1.0.0", false), ("", false), ("one", false),
  ])
  func versionsOfTheProtocolGoTogether(_ version: String, _ isCompatible: Bool) async throws {
    try await withClient(.inProcess) { client in
      let request = Initialize(protocolVersion: version)
      guard !isCompatible else {
        #expect(try await client.call(request).protocolVersion == ProtocolVersion.current)
        return
      }
      let error = try await client.failure(of: request)
      #expect(error.code == ErrorCode.invalidRequest.rawValue)
      #expect(error.data?["name"] == "unsupportedProtocolVersion")
      #expect(error.data?["protocolVersion"] == "1.0")
    }
  }

  /// The document and the served methods are the same list.
  @Test(arguments: Transport.allCases) func everyDeclaredMethodIsDescribedAndServed(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let document = try JSONValue(parsing: try await client.call(RpcDiscover()).bytes)
      guard case .array(let methods)? = document["methods"] else {
        Issue.record("no methods")
        return
      }
      let described = Set(methods.compactMap { $0["name"]?.stringValue })
      let declared =
        Engine.requests.map { $0.method } + clientNotifications.map { $0.method }
      #expect(Set(Engine.requests.map { $0.method }).subtracting(described) == [])
      #expect(described.subtracting(declared + serverNotifications.map { $0.method }) == [])
      // A missing handler would be −32601; wrong parameters prove that there is one.
      for (index, request) in Engine.requests.enumerated() where request.method != Shutdown.method {
        let id = 1_000_000 + index
        client.line(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(request.method)","params":{}}"#)
        let answer = try await client.answer(to: id)
        #expect(answer["error"]?["code"]?.integerValue != -32601, "\(request.method)")
      }
    }
  }

  @Test(arguments: Transport.allCases) func everyProtocolErrorHasNameAndHint(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let cases: [(line: String, id: Int, code: Int)] = [
        (#"{"jsonrpc":"2.0","id":1000001,"method":"asset/opne"}"#, 1_000_001, -32601),
        (#"{"jsonrpc":"2.0","id":1000002,"method":"asset/open","params":[1]}"#, 1_000_002, -32602),
        (#"{"jsonrpc":"1.0","id":1000003,"method":"asset/open"}"#, 1_000_003, -32600),
        (#"{"jsonrpc":"2.0","id":1000004,"method":7}"#, 1_000_004, -32600),
        (#"{"jsonrpc":"2.0","id":1,"#, -1, -32700),
      ]
      for (line, id, code) in cases {
        client.line(line)
        let error = try #require(try await client.answer(to: id)["error"])
        #expect(error["code"]?.integerValue == code)
        #expect(error["data"]?["name"]?.stringValue?.isEmpty == false)
        #expect(error["data"]?["hint"]?.stringValue?.isEmpty == false)
        if code == -32601 {
          #expect(error["data"]?["suggestion"]?.stringValue == "asset/open")
        }
      }
    }
  }

  @Test(arguments: Transport.allCases) func allProblemsOfTheParamsAreReportedAtOnce(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      client.line(
        #"{"jsonrpc":"2.0","id":1000000,"method":"imageGenerator/generateImages","params":"#
          + #"{"times":[0,{"value":"x","timescale":0}],"format":"tga","quality":"high"}}"#)
      let error = try #require(try await client.answer(to: 1_000_000)["error"])
      #expect(error["code"]?.integerValue == -32602)
      guard case .array(let problems)? = error["data"]?["errors"] else {
        Issue.record("no errors: \(error)")
        return
      }
      let paths = problems.compactMap { $0["path"]?.stringValue }
      for path in ["/imageGenerator", "/times/1", "/format", "/quality"] {
        #expect(paths.contains { $0.hasPrefix(path) }, "\(path) in \(paths)")
      }
      #expect(problems.allSatisfy { $0["expected"] != nil && $0["got"] != nil })
    }
  }

  @Test(arguments: Transport.allCases) func unknownClosedAndWrongHandlesAreTold(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let path = try await Fixture.bframes.path
      let asset = try await client.call(AssetOpen(url: path)).asset
      let closed = try await client.call(AssetOpen(url: path)).asset
      _ = try await client.call(HandleClose(handle: AnyHandle(closed)))
      let cases: [(AssetHandle, Int)] = [
        (closed, 1001), (AssetHandle(rawValue: "asset:999"), 1001),
        (AssetHandle(rawValue: ""), 1001),
      ]
      for (handle, code) in cases {
        let error = try await client.failure(of: AssetTracks(asset: handle))
        #expect(error.code == code)
        #expect(error.name == "unknownHandle")
        #expect(error.data?["handle"]?.stringValue == handle.rawValue)
        #expect(error.hint?.isEmpty == false)
      }
      let wrong = try await client.failure(
        of: ExportSessionStatus(exportSession: ExportSessionHandle(rawValue: asset.rawValue)))
      #expect(wrong.code == 1002)
      #expect(wrong.name == "wrongHandleKind")
      #expect(wrong.data?["handle"]?.stringValue == asset.rawValue)
      let again = try await client.failure(of: HandleClose(handle: AnyHandle(closed)))
      #expect(again.code == 1001)
      // Numbers are never used twice.
      #expect(try await client.call(AssetOpen(url: path)).asset != closed)
    }
  }

  @Test(arguments: Transport.allCases) func handlesAreListedInOrderAndCloseIndependently(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let path = try await Fixture.bframes.path
      let asset = try await client.call(AssetOpen(url: path)).asset
      let reader = try await client.call(
        AssetReaderCreate(asset: asset, outputs: [.init(type: .track, mediaType: .video)]))
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let list = try await client.call(HandleList()).handles
      #expect(list.map(\.kind) == [.asset, .assetReader, .output, .imageGenerator])
      #expect(list.allSatisfy { !$0.describes.isEmpty })
      // Objects that were made from the asset retain it.
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      let image = try await client.call(
        ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(.zero)))
      #expect(image.image.width == 160)
      // Closing a reader closes its outputs, too.
      _ = try await client.call(HandleClose(handle: AnyHandle(reader.assetReader)))
      #expect(try await client.call(HandleList()).handles.map(\.kind) == [.imageGenerator])
    }
  }

  /// Requests to one handle take effect as they came: every answer has its position.
  @Test(arguments: Transport.allCases) func fiveThousandPipelinedRequestsKeepTheirOrder(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let path = try await Fixture.wav.path
      let asset = try await client.call(AssetOpen(url: path)).asset
      var outputs: [OutputHandle] = []
      for _ in 0..<2 {
        let reader = try await client.call(
          AssetReaderCreate(asset: asset, outputs: [.init(type: .track, mediaType: .audio)]))
        _ = try await client.call(AssetReaderStart(assetReader: reader.assetReader))
        outputs += reader.outputs
      }
      var ids: [[Int]] = [[], []]
      for index in 0..<5000 {
        ids[index % 2].append(
          try client.start(AssetReaderNextSampleBuffers(output: outputs[index % 2])))
      }
      for sequence in ids {
        var last = Time(value: -1, timescale: 1)
        var isAtEnd = false
        var disorder: [String] = []
        for (number, id) in sequence.enumerated() {
          let result = try await client.answer(to: id, of: AssetReaderNextSampleBuffers.self)
          if let time = result.sampleBuffers.first?.presentationTime.time {
            if isAtEnd || time <= last {
              disorder.append("\(number): \(time) behind \(isAtEnd ? "the end" : "\(last)")")
            }
            last = time
          }
          isAtEnd = isAtEnd || result.endOfStream
        }
        #expect(disorder == [])
        #expect(isAtEnd)
      }
    }
  }

  /// Opening, using and closing, all sent before the first answer was read.
  @Test(arguments: Transport.allCases) func aHandleClosedBehindARequestStillServesIt(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let path = try await Fixture.bframes.path
      let asset = try await client.call(AssetOpen(url: path)).asset
      var wrong = 0
      for _ in 0..<50 {
        let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
        let status = try client.start(ImageGeneratorCancelAll(imageGenerator: generator))
        let close = try client.start(HandleClose(handle: AnyHandle(generator)))
        let late = try client.start(ImageGeneratorCancelAll(imageGenerator: generator))
        if try await client.answer(to: status)["result"] == nil { wrong += 1 }
        if try await client.answer(to: close)["result"] == nil { wrong += 1 }
        if try await client.answer(to: late)["error"]?["code"]?.integerValue != 1001 { wrong += 1 }
      }
      #expect(wrong == 0)
    }
  }

  @Test(arguments: Transport.allCases) func capabilitiesNameWhatThisBuildHas(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let result = try await client.call(EngineCapabilities())
      let encoders = try await succeed(["ffmpeg", "-v", "error", "-encoders"]).text
      let decoders = try await succeed(["ffmpeg", "-v", "error", "-decoders"]).text
      for (name, codecs, known) in [
        ("video encoders", result.videoEncoders, encoders),
        ("audio encoders", result.audioEncoders, encoders),
        ("video decoders", result.videoDecoders, decoders),
        ("audio decoders", result.audioDecoders, decoders),
      ] {
        #expect(codecs.count > 10, "\(name)")
        #expect(codecs.allSatisfy { known.contains(" \($0.name) ") }, "\(name)")
      }
      let writable = result.fileTypes.filter(\.canWrite).map(\.type)
      #expect(Set(["mov", "mp4", "mkv"]).isSubset(of: writable))
      #expect(result.exportPresets.contains("Passthrough"))
      #expect(result.imageFormats.contains(.jpeg) && result.imageFormats.contains(.yuv420p))
    }
  }
}
