import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct BadInputTests {
  /// A damaged input, and the error that the caller receives.
  struct Input: Sendable, CustomTestStringConvertible {
    var name: String
    /// Makes it, and returns its path.
    var make: @Sendable (TemporaryFolder) async throws -> String
    var codes: Set<Int>
    /// True if FFmpeg's libraries have a message for it, too.
    var hasLibAV = true
    var testDescription: String { name }
  }

  private static func truncated(_ fixture: Fixture, to part: Double)
    -> @Sendable (TemporaryFolder)
    async throws -> String
  {
    { folder in
      let bytes = try contents(of: try await fixture.path)
      return try folder.write(
        "cut-\(fixture.name)", Array(bytes.prefix(Int(Double(bytes.count) * part))))
    }
  }

  /// A playlist that would make a player open another file.
  private static func playlist(_ name: String, _ text: @escaping @Sendable (String) -> String)
    -> Input
  {
    Input(
      name: "playlist called \(name)",
      make: { folder in
        let target = folder.file("secret.ts")
        try FileManager.default.copyItem(atPath: try await Fixture.transport.path, toPath: target)
        return try folder.write(name, [UInt8](text(target).utf8))
      }, codes: [-11828, -11829])
  }

  static let inputs: [Input] = [
    Input(name: "missing", make: { $0.file("none.mp4") }, codes: [-11863]),
    Input(
      name: "below a file", make: { try $0.write("a", [1]) + "/b.mp4" }, codes: [-11863]),
    Input(name: "empty path", make: { _ in "" }, codes: [-11863]),
    Input(name: "NUL in the path", make: { $0.file("a\u{0}b.mp4") }, codes: [-11863]),
    Input(
      name: "too long a name", make: { $0.file(String(repeating: "x", count: 5000)) },
      codes: [-11863, -11828]),
    Input(name: "empty file", make: { try $0.write("empty.mp4", []) }, codes: [-11828, -11829]),
    Input(
      name: "text", make: { try $0.write("text.mp4", [UInt8]("Just some words.\n".utf8)) },
      codes: [-11828, -11829]),
    Input(
      name: "noise",
      make: {
        try $0.write("noise.mp4", (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
      },
      codes: [-11828, -11829]),
    Input(
      name: "MP4 without its index", make: truncated(.bframes, to: 0.5), codes: [-11828, -11829]),
    Input(name: "folder", make: { $0.path }, codes: [-11863]),
    Input(
      name: "FIFO",
      make: { folder in
        try #require(mkfifo(folder.file("fifo.mp4"), 0o600) == 0)
        return folder.file("fifo.mp4")
      }, codes: [-11863]),
    Input(name: "/dev/zero", make: { _ in "/dev/zero" }, codes: [-11863]),
    Input(
      name: "loop of links",
      make: { folder in
        try FileManager.default.createSymbolicLink(
          atPath: folder.file("loop.mp4"), withDestinationPath: folder.file("loop.mp4"))
        return folder.file("loop.mp4")
      }, codes: [-11863]),
    Input(
      name: "http URL", make: { _ in "http://127.0.0.1:9/a.mp4" }, codes: [3001], hasLibAV: false),
    Input(name: "libav protocol", make: { "concat:\($0.path)/a|b" }, codes: [-11863]),
    playlist("list.mp4") {
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\($0)\n#EXT-X-ENDLIST\n"
    },
    playlist("list.m3u8") {
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\($0)\n#EXT-X-ENDLIST\n"
    },
    playlist("concat.mp4") { "ffconcat version 1.0\nfile '\($0)'\n" },
    playlist("session.mp4") { "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\n\($0)\n" },
  ]

  /// It opens, fails at its keys with a named error, and the next request works.
  @Test(arguments: inputs, Transport.allCases) func aBadInputFailsAtItsKeysWithANamedError(
    _ input: Input, _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let path = try await input.make(folder)
    try await withClient(transport) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let keys: [WireAssetKey] = [.duration, .tracks, .isPlayable]
      guard
        case .finished(let values) = try await client.call(
          AssetLoadValues(asset: asset, keys: keys, completion: .response))
      else {
        Issue.record("no result")
        return
      }
      let states = [
        (values.values.duration?.status, values.values.duration?.error, "duration"),
        (values.values.tracks?.status, values.values.tracks?.error, "tracks"),
        (values.values.isPlayable?.status, values.values.isPlayable?.error, "isPlayable"),
      ]
      for (status, error, key) in states {
        #expect(status == .failed)
        let error = try #require(error)
        #expect(input.codes.contains(error.code), "\(error)")
        #expect(error.data?.name.isEmpty == false)
        #expect(error.data?.hint.isEmpty == false)
        #expect(error.data?.key == key)
        #expect((error.data?.libav != nil) == input.hasLibAV, "\(error)")
        #expect(error.message.isEmpty == false)
      }
      // The same, by other requests.
      let tracks = try await client.failure(of: AssetTracks(asset: asset))
      #expect(input.codes.contains(tracks.code))
      #expect(tracks.data?["handle"]?.stringValue == asset.rawValue)
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let image = try await client.failure(
        of: ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(.zero)))
      #expect(input.codes.contains(image.code))
      let session = try await client.call(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: folder.file("out.mp4")))
      guard
        case .finished(let export) = try await client.call(
          ExportSessionExport(exportSession: session.exportSession, completion: .response))
      else {
        Issue.record("no result")
        return
      }
      #expect(export.status == .failed)
      #expect(input.codes.contains(try #require(export.error).code))
      #expect(!folder.names.contains { $0.hasPrefix("out") || $0.hasPrefix(".out") })
      // The next request on the connection works.
      let good = try await client.call(AssetOpen(url: try await Fixture.bframes.path)).asset
      #expect(try await client.call(AssetTracks(asset: good)).tracks.count == 2)
    }
  }

  /// A file that ends too early still returns the media that it holds.
  @Test(arguments: [Fixture.matroska, .transport, .avi, .mp3, .wav]) func aTruncatedFileStillLoads(
    _ fixture: Fixture
  ) async throws {
    let folder = TemporaryFolder()
    let path = try await BadInputTests.truncated(fixture, to: 0.6)(folder)
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let expected = try await Oracle.streams(of: path)
      #expect(try await client.call(AssetTracks(asset: asset)).tracks.count == expected.count)
      let reader = try await client.call(
        AssetReaderCreate(asset: asset, outputs: [.init(type: .track, mediaType: .audio)]))
      _ = try await client.call(AssetReaderStart(assetReader: reader.assetReader))
      let packets = try await Oracle.packets(of: path, stream: "a:0")
      let samples = try await client.readAll(reader.outputs[0])
      #expect(samples.map { $0.blob?.size } == packets.map(\.size))
    }
  }

  /// Outputs that can't be written.
  @Test(arguments: Transport.allCases) func aBadOutputIsANamedError(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let source = try await Fixture.bframes.path
    let taken = try folder.write("taken.mp4", [1, 2, 3])
    let dangling = folder.file("dangling.mp4")
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: folder.file("elsewhere.mp4"))
    let before = folder.names
    // Refused at creation, or failing at the export: the code is the same.
    let cases: [(path: String, type: String?, preset: String, codes: Set<Int>)] = [
      (taken, nil, "Passthrough", [-11823]), (dangling, nil, "Passthrough", [-11823]),
      (source, nil, "Passthrough", [-11823]),
      (folder.file("none/a.mp4"), nil, "Passthrough", [-11863]),
      (folder.file("a.xyz"), nil, "Passthrough", [-11843]),
      (folder.file("a"), nil, "Passthrough", [-11843]),
      (folder.file("a.mp4"), "xyz", "Passthrough", [-11864]),
      (folder.file("a.wav"), nil, "Passthrough", [-11864]),
      (folder.file("a.mp4"), nil, "NoSuchPreset", [-11861]),
      ("http://127.0.0.1:9/a.mp4", nil, "Passthrough", [3001]),
      (folder.path, "mp4", "Passthrough", [-11823]),
      ("/proc/nothing/a.mp4", nil, "Passthrough", [-11863]),
      ("/sys/a.mp4", nil, "Passthrough", [-11863, -11884, -11820]),
    ]
    try await withClient(transport) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      for (path, type, preset, codes) in cases {
        let error = try await client.exportFailure(
          ExportSessionCreate(
            asset: asset, preset: preset, outputURL: path, outputFileType: type))
        #expect(codes.contains(error.code), "\(path): \(error)")
        #expect(error.data?.name.isEmpty == false && error.data?.hint.isEmpty == false)
      }
      #expect(folder.names == before)
      #expect(try contents(of: taken) == [1, 2, 3])
    }
  }

  /// Root may write everywhere, so the server runs as another user.
  @Test(
    .enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func aFolderThatMayNotBeWrittenIsANamedError() async throws {
    let folder = TemporaryFolder()
    let readable = try folder.write("in.mp4", try contents(of: try await Fixture.bframes.path))
    let secret = try folder.write("secret.mp4", [1])
    chmod(folder.path, 0o755)
    chmod(readable, 0o644)
    chmod(secret, 0o600)
    let server = try Server.startBinary(
      [],
      prefix: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"])
    let client = TestClient(server)
    let asset = try await client.call(AssetOpen(url: readable)).asset
    let error = try await client.exportFailure(
      ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: folder.file("out.mp4")))
    #expect(error.code == -11884)
    #expect(error.data?.libav?.code == "EACCES")
    #expect(error.data?.hint.isEmpty == false)
    let denied = try await client.call(AssetOpen(url: secret)).asset
    #expect(try await client.failure(of: AssetTracks(asset: denied)).code == -11884)
    #expect(folder.names == ["in.mp4", "secret.mp4"])
    try await client.finish()
  }

  @Test(arguments: Transport.allCases) func nothingOutsideTheRootsIsReachable(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let inside = try folder.write("in.mp4", try contents(of: try await Fixture.bframes.path))
    let outside = try await Fixture.bframes.path
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.mp4"), withDestinationPath: outside)
    try await withClient(transport, ServerOptions(roots: [folder.path])) { client in
      for path in [outside, folder.file("link.mp4"), "\(folder.path)/../\(folder.path)/x"] {
        let asset = try await client.call(AssetOpen(url: path)).asset
        let error = try await client.failure(of: AssetTracks(asset: asset))
        #expect([3001, -11863].contains(error.code), "\(path): \(error)")
      }
      let asset = try await client.call(AssetOpen(url: inside)).asset
      #expect(try await client.call(AssetTracks(asset: asset)).tracks.count == 2)
      let other = TemporaryFolder()
      let error = try await client.exportFailure(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: other.file("a.mp4")))
      #expect(error.code == 3001)
      #expect(other.names == [])
    }
  }
}
