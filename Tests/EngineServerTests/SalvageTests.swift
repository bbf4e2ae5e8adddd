import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Files that are cut short or damaged, opened to be salvaged: the media that is there equals
/// ffmpeg's decode, and the rest is reported.
struct SalvageTests {
  private let folder = TemporaryFolder()

  private static let tone = "-f lavfi -i sine=frequency=440:sample_rate=44100:duration=4 -ac 2"
  private static let picture = "-f lavfi -i testsrc2=size=64x48:rate=25:duration=4"

  static let sources: [Fixture] = [
    Fixture(
      "salvage.mp4", "\(picture) \(tone) -c:v mpeg4 -g 10 -c:a aac -movflags +faststart"),
    Fixture("salvage.mkv", "\(picture) \(tone) -c:v mpeg4 -g 10 -c:a flac"),
    Fixture("salvage.wav", tone), Fixture("salvage.ogg", "\(tone) -c:a libvorbis"),
  ]

  private func cut(_ fixture: Fixture) async throws -> (path: String, lost: Int) {
    let bytes = try contents(of: try await fixture.path)
    let lost = bytes.count / 3
    return (try folder.write("cut-\(fixture.name)", Array(bytes.dropLast(lost))), lost)
  }

  private func open(
    _ path: String, salvage: Bool = true, _ client: TestClient
  ) async throws -> AssetHandle {
    try await client.call(AssetOpen(url: path, options: WireAssetOptions(salvage: salvage))).asset
  }

  @Test(arguments: sources) func aCopyHasWhatIsThere(_ fixture: Fixture) async throws {
    let (path, lost) = try await cut(fixture)
    let target = folder.file("out-\(fixture.name)")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await open(path, client), preset: "Passthrough", outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      let losses = result.dropped?.filter { $0.item == .damagedSamples } ?? []
      #expect(!losses.isEmpty)
      for loss in losses {
        #expect(loss.reason.contains("cut short"), "\(loss.reason)")
        // Ogg states the end of its last page only.
        let number = loss.reason.split(separator: " ").compactMap { Int($0) }.first ?? 0
        #expect(fixture.name == "salvage.ogg" ? number > 0 && number <= lost : number == lost)
      }
    }
    if fixture.name.hasSuffix("4") || fixture.name.hasSuffix("mkv") {
      let (expected, made) = try await (Oracle.frames(of: path), Oracle.frames(of: target))
      #expect(made.map(\.bytes) == expected.map(\.bytes))
    }
    let expected = try await Oracle.sound(of: path, format: "s16le")
    let made = try await Oracle.sound(of: target, format: "s16le")
    // A packet that is cut in two may be written whole or not at all.
    let isSame =
      made.starts(with: expected.dropLast(8192)) || expected.starts(with: made.dropLast(8192))
    #expect(isSame)
    #expect(abs(made.count - expected.count) <= 8192)
  }

  @Test(arguments: sources) func anEncodedFileReportsTheLoss(_ fixture: Fixture) async throws {
    let (path, _) = try await cut(fixture)
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await open(path, client), preset: "AppleM4A",
          outputURL: folder.file("out.m4a")))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.dropped?.contains { $0.item == .damagedSamples } == true)
    }
  }

  /// The asset's duration is that of the media that is there, and a reader ends with a report.
  @Test(arguments: sources) func aReaderEndsWithAReport(_ fixture: Fixture) async throws {
    let (path, _) = try await cut(fixture)
    let expected = try await Oracle.sound(of: path, format: "s16le")
    try await withClient(.inProcess) { client in
      let asset = try await open(path, client)
      guard
        case .finished(let loaded) = try await client.call(
          AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
      else { throw TestClient.ConnectionClosedError() }
      let duration = try #require(loaded.values.duration?.value).time.seconds
      #expect(duration > 2 && duration < 3.5, "\(duration)")
      let (reader, output) = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .audio,
          settings: .audio(WireAudioSettings(sampleFormat: "s16"))))
      let bytes = try await client.readAll(output).flatMap { try #require($0.blob).bytes }
      #expect(bytes == expected)
      let status = try await client.call(AssetReaderStatus(assetReader: reader))
      #expect(status.status == .completed)
      // The rest of its last packet may be a loss of its own.
      #expect(status.dropped?.contains { $0.reason.contains("cut short") } == true)
    }
  }

  /// Damage in the middle of a file ends it without an error, too.
  @Test func damageIsReported() async throws {
    let fixture = Fixture("salvage.wv", Self.tone)
    let bytes = try contents(of: try await fixture.path)
    let path = try folder.write("cut.wv", Array(bytes.dropLast(bytes.count / 7)))
    try await withClient(.inProcess) { client in
      for salvage in [false, true] {
        let asset = try await open(path, salvage: salvage, client)
        let (reader, output) = try await client.read(
          asset,
          .init(type: .track, mediaType: .audio, settings: .audio(.init(sampleFormat: "s16"))))
        do {
          _ = try await client.readAll(output)
          #expect(salvage)
          let status = try await client.call(AssetReaderStatus(assetReader: reader))
          #expect(status.dropped?.first?.reason.contains("can be read") == true)
        } catch let error as RPCError {
          #expect(!salvage)
          #expect(ErrorObject(error).code == -11881)
          #expect(ErrorObject(error).data?.hint.contains("salvage") == true)
        }
      }
    }
  }

  /// A whole file has nothing to report, and without the option nothing is salvaged.
  @Test(arguments: sources) func nothingPassesForWhole(_ fixture: Fixture) async throws {
    let whole = try await fixture.path
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await open(whole, client), preset: "Passthrough",
          outputURL: folder.file("whole-\(fixture.name)")))
      #expect(result.status == .completed)
      #expect(result.dropped?.contains { $0.item == .damagedSamples } != true)
      let (path, _) = try await cut(fixture)
      // A file that demuxers of audio take for a shorter one is exported, with a note.
      guard ["salvage.mp4", "salvage.mkv"].contains(fixture.name) else {
        let result = try await client.export(
          ExportSessionCreate(
            asset: try await open(path, salvage: false, client), preset: "Passthrough",
            outputURL: folder.file("noted-\(fixture.name)")))
        #expect(result.status == .completed)
        let loss = result.dropped?.first { $0.item == .damagedSamples }
        #expect(loss?.reason.contains("cut short") == true)
        return
      }
      let error = try await client.exportFailure(
        ExportSessionCreate(
          asset: try await open(path, salvage: false, client), preset: "Passthrough",
          outputURL: folder.file("none-\(fixture.name)")))
      #expect(error.data?.hint.contains("salvage") == true)
    }
  }
}
