import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Subtitles as text.
struct AssetReaderTextTests {
  private static let script = """
    1
    00:00:00,500 --> 00:00:02,000
    Hello <i>world</i>
    second line

    2
    00:00:01,000 --> 00:00:04,500
    Long one {x}

    3
    00:00:03,000 --> 00:00:04,000
    Ünïcode, with, commas
    """
  private static let settings = WireReaderSettings.text(WireTextSettings(textFormat: .plain))

  private func subtitled(_ name: String, _ codec: String, _ folder: TemporaryFolder) async throws
    -> String
  {
    let script = try folder.write("script.srt", Array(Self.script.utf8))
    let path = folder.file(name)
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=d=5:s=64x64:r=10", "-i",
      script, "-c:v", "mpeg4", "-c:s", codec, path,
    ])
    return path
  }

  @Test(
    arguments: [
      ("a.mkv", "subrip"), ("b.mkv", "ass"), ("c.mkv", "webvtt"), ("d.mp4", "mov_text"),
    ], [nil, TimeRange(start: .seconds(5, 2), end: .seconds(7, 2))])
  func subtitlesAreText(_ file: (name: String, codec: String), _ range: TimeRange?) async throws {
    let folder = TemporaryFolder()
    let path = try await subtitled(file.name, file.codec, folder)
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let output = try await client.read(
        asset, .init(type: .track, mediaType: .subtitle, settings: Self.settings),
        timeRange: range
      ).output
      let samples = try await client.readAll(output, maxCount: 2)
      let texts = try samples.map { sample in
        guard case .inline(let blob) = try #require(sample.blob) else { throw CancellationError() }
        #expect(blob.mimeType == "text/plain; charset=utf-8")
        return String(decoding: blob.data.bytes, as: UTF8.self)
      }
      let all = ["Hello world\nsecond line", "Long one {x}", "Ünïcode, with, commas"]
      let starts = [Time.seconds(1, 2), .seconds(1, 1), .seconds(3, 1)]
      // tx3g has one sample at a time: an overlap cuts the one before short.
      let isCut = file.codec == "mov_text"
      let first = range == nil ? 0 : 1
      #expect(texts == Array(all[first...]))
      #expect(samples.map { $0.presentationTime.time } == Array(starts[first...]))
      #expect(samples.last?.duration.time == .seconds(1, 1))
      #expect(
        samples[samples.count - 2].duration.time == (isCut ? .seconds(2, 1) : .seconds(7, 2)))
      if range != nil {
        #expect(samples[0].attachments.trimDurationAtStart?.time == .seconds(3, 2))
        #expect(samples[1].attachments.trimDurationAtEnd?.time == .seconds(1, 2))
      }
    }
  }

  /// A range after the last text has none, and an export of it has an empty track, or none.
  @Test(arguments: [("a.mkv", "subrip"), ("d.mp4", "mov_text")])
  func behindTheLastTextIsNone(_ file: (name: String, codec: String)) async throws {
    let folder = TemporaryFolder()
    let path = try await subtitled(file.name, file.codec, folder)
    let range = TimeRange(start: .seconds(23, 5), end: .seconds(49, 10))
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let output = try await client.read(
        asset, .init(type: .track, mediaType: .subtitle, settings: Self.settings),
        timeRange: range
      ).output
      #expect(try await client.readAll(output, maxCount: 2).isEmpty)
      for (preset, type) in [
        ("Passthrough", "mp4"), ("Passthrough", "mkv"), ("LowQuality", "mp4"),
        ("LowQuality", "mkv"),
      ] {
        let target = folder.file("\(preset).\(type)")
        let made = try await client.export(
          ExportSessionCreate(
            asset: asset, preset: preset, outputURL: target, timeRange: WireTimeRange(range)))
        try #require(made.status == .completed, "\(String(describing: made.error))")
        let isSnapped = preset == "Passthrough" && type == "mkv"
        #expect(try await Oracle.frames(of: target).count >= 3)
        if !isSnapped { #expect(try await Oracle.frames(of: target).count == 3) }
      }
    }
  }

  @Test func onlyTextIsText() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let error = try await client.failure(
        of: AssetReaderCreate(
          asset: asset, outputs: [.init(type: .track, mediaType: .video, settings: Self.settings)]))
      #expect(error.code == -11861 && error.hint?.isEmpty == false)
    }
  }
}
