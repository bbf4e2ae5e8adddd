import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Files whose bytes continue after the last packet, or end within one: the packets that ffmpeg
/// reads are there, and a loss has an error or a note.
struct DamagedEndTests {
  private let folder = TemporaryFolder()

  /// The change made to the end of a file.
  enum Ending: String, CaseIterable, Sendable {
    case apeTag, id3v1, bothTags, noise, text, zeros, cut

    func applied(to bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .apeTag: bytes + Self.ape
      case .id3v1: bytes + Self.id3
      case .bothTags: bytes + Self.ape + Self.id3
      case .noise: bytes + (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
      case .text: bytes + Array(String(repeating: "hello world\n", count: 400).utf8)
      case .zeros: bytes + Array(repeating: 0, count: 5000)
      case .cut: Array(bytes.dropLast(bytes.count / 7))
      }
    }

    private static let id3 = Array("TAG".utf8) + Array(repeating: UInt8(ascii: " "), count: 125)

    /// An APEv2 tag of one item, with header and footer.
    private static let ape: [UInt8] = {
      func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
      let item = number(50) + number(0) + Array("Title\0".utf8) + Array(repeating: 120, count: 50)
      func frame(_ flags: UInt32) -> [UInt8] {
        Array("APETAGEX".utf8) + number(2000) + number(UInt32(item.count + 32)) + number(1)
          + number(flags) + Array(repeating: 0, count: 8)
      }
      return frame(0xA000_0000) + item + frame(0x8000_0000)
    }()
  }

  private static let tone = "-f lavfi -i sine=frequency=440:sample_rate=44100:duration=3 -ac 2"
  private static let picture = "-f lavfi -i testsrc2=size=64x48:rate=25:duration=3"

  static let containers: [Fixture] = [
    Fixture("end.wv", tone), Fixture("end.flac", tone), Fixture("end.tta", tone),
    Fixture("end.wav", tone), Fixture("end.w64", tone), Fixture("end.aiff", tone),
    Fixture("end.au", tone), Fixture("end.caf", tone), Fixture("end.mp3", tone),
    Fixture("end.aac", tone), Fixture("end.ac3", tone),
    Fixture("end.ogg", "\(tone) -c:a libvorbis"),
    Fixture("end.opus", "\(tone) -c:a libopus"), Fixture("end.mka", "\(tone) -c:a flac"),
    Fixture("end.avi", "\(picture) \(tone) -c:v mpeg4 -c:a libmp3lame"),
    Fixture("end.ts", "\(picture) \(tone) -c:v mpeg2video -c:a mp2"),
    Fixture("end.mkv", "\(picture) \(tone) -c:v mpeg4 -c:a flac"),
    Fixture("end.mp4", "\(picture) \(tone) -c:v mpeg4 -c:a aac -movflags +faststart"),
  ]

  private func damaged(_ fixture: Fixture, _ ending: Ending) async throws -> String {
    try folder.write(
      "\(ending.rawValue)-\(fixture.name)",
      ending.applied(to: try contents(of: try await fixture.path)))
  }

  /// The decoded audio up to the end or an error, and the error.
  private func sound(
    of asset: AssetHandle, _ client: TestClient
  ) async throws -> (bytes: [UInt8], error: ErrorObject?) {
    let made = try await client.read(
      asset,
      .init(
        type: .track, mediaType: .audio, settings: .audio(WireAudioSettings(sampleFormat: "s16"))))
    var bytes: [UInt8] = []
    do {
      while true {
        let result = try await client.call(
          AssetReaderNextSampleBuffers(output: made.output, maxCount: 5, delivery: .inline))
        for sample in result.sampleBuffers { bytes += try #require(sample.blob).bytes }
        if result.endOfStream { return (bytes, nil) }
      }
    } catch let error as RPCError {
      let status = try await client.call(AssetReaderStatus(assetReader: made.reader))
      #expect(status.status == .failed)
      return (bytes, ErrorObject(error))
    }
  }

  @Test(arguments: containers, Ending.allCases)
  func whatFFmpegReadsIsThere(_ fixture: Fixture, _ ending: Ending) async throws {
    let path = try await damaged(fixture, ending)
    let decoded = try await run([
      "ffmpeg", "-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "s16le", "-",
    ])
    // Of a movie ffmpeg has the padding of the encoder, too, which is after the end that the header states.
    let isPadded = fixture.name == "end.mp4"
    let expected = isPadded ? Array(decoded.output.prefix(3 * 44_100 * 4)) : decoded.output
    // Of Wave64, libavformat goes through all chunks before anything else, and gives up at noise.
    let isReadable = decoded.code == 0
    try #require(isReadable ? !expected.isEmpty : fixture.name == "end.w64")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      guard
        case .finished(let loaded) = try await client.call(
          AssetLoadValues(
            asset: asset, keys: [.duration, .tracks], completion: .response))
      else {
        Issue.record("no result")
        return
      }
      guard isReadable else {
        #expect(loaded.values.tracks?.error?.code == -11828)
        return
      }
      #expect(loaded.values.duration?.status == .loaded)
      #expect(loaded.values.tracks?.status == .loaded)
      let (bytes, error) = try await sound(of: asset, client)
      #expect(bytes == expected, "\(bytes.count) bytes, not \(expected.count)")
      if let error { #expect(error.code == -11881, "\(error)") }
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 50))
      #expect(waveform.result == .succeeded, "\(waveform.error?.message ?? "")")
    }
  }

  /// Tags after the last packet take nothing from a file: nothing is missing, and no loss is
  /// reported.
  @Test(arguments: [Ending.apeTag, .id3v1, .noise], ["Passthrough", "AppleM4A"])
  func tagsAreNoLoss(_ ending: Ending, _ preset: String) async throws {
    let path = try await damaged(Self.containers[0], ending)
    let target = folder.file(preset == "Passthrough" ? "out.mka" : "out.m4a")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let (bytes, error) = try await sound(of: asset, client)
      #expect(error == nil && bytes.count == 3 * 44100 * 4)
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: preset, outputURL: target))
      #expect(result.status == .completed, "\(result.error?.message ?? "")")
      #expect(result.dropped?.contains { $0.item == .damagedSamples } != true)
      let length = try await Oracle.sound(of: target, format: "s16le").count
      #expect(length >= bytes.count && length < bytes.count + 4096 * 4)
    }
  }

  /// A part that is cut off is missing, and an export reports the loss.
  @Test(arguments: ["Passthrough", "AppleM4A"])
  func aLossIsNamed(_ preset: String) async throws {
    let path = try await damaged(Self.containers[0], .cut)
    let target = folder.file(preset == "Passthrough" ? "out.mka" : "out.m4a")
    let expected = try await Oracle.sound(of: path, format: "s16le")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let (bytes, error) = try await sound(of: asset, client)
      #expect(bytes == expected && error?.code == -11881)
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: preset, outputURL: target))
      #expect(result.status == .completed, "\(result.error?.message ?? "")")
      let loss = try #require(result.dropped?.first { $0.item == .damagedSamples })
      #expect(loss.reason.contains("can be read"), "\(loss.reason)")
      // A range before the loss isn't affected by it.
      let first = try await client.export(
        ExportSessionCreate(
          asset: asset, preset: preset,
          outputURL: target + ".part." + (preset == "Passthrough" ? "mka" : "m4a"),
          timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(1, 1)))))
      #expect(first.status == .completed)
      #expect(first.dropped?.contains { $0.item == .damagedSamples } != true)
    }
  }

  /// A read error of the source is none of this: it stays an error, and nothing passes for the whole.
  @Test func aReadErrorIsNoDamage() async throws {
    let source = try SlowSource(path: try await Self.containers[0].path, isOpen: true)
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      let asset = try await client.call(AssetOpen(url: source.name)).asset
      _ = try await client.call(
        AssetLoadValues(asset: asset, keys: [.tracks], completion: .response))
      source.fail()
      let (bytes, error) = try await sound(of: asset, client)
      #expect(bytes.isEmpty && error?.code == -11849)
    }
  }
}
