import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Errors and notes for media of which the decoder returns no frames, or fewer than its samples
/// promise.
struct DamagedMediaTests {
  private let folder = TemporaryFolder()

  /// A file of one track that ``damage(_:_:)`` can spoil.
  struct Source: Sendable, CustomTestStringConvertible {
    var name: String
    var coding: String
    var isVideo = false
    var testDescription: String { name }

    static let aac = Source(name: "sound.m4a", coding: "-c:a aac")
    static let flac = Source(name: "sound.flac", coding: "-c:a flac")
    static let mp3 = Source(name: "sound.mp3", coding: "-c:a libmp3lame")
    static let alac = Source(name: "alac.m4a", coding: "-c:a alac")
    static let h264 = Source(
      name: "pictures.mp4", coding: "-c:v libx264 -bf 0 -g 5 -pix_fmt yuv420p", isVideo: true)
    static let mjpeg = Source(name: "pictures.avi", coding: "-c:v mjpeg -q:v 3", isVideo: true)
  }

  /// Makes a file of four seconds, and fills the part of its packets' bytes that `part` names with
  /// zeros.
  private func damage(_ source: Source, _ part: Range<Double>) async throws -> String {
    let whole = folder.file(source.name)
    let input =
      source.isVideo
      ? "-f lavfi -i testsrc2=s=64x48:r=10:d=4"
      : "-f lavfi -i sine=d=4 -f lavfi -i anoisesrc=a=0.1:d=4:seed=1 -filter_complex amix -ar 44100"
    let arguments = "-v error -y \(input) \(source.coding)".split(separator: " ").map(String.init)
    try await succeed(["ffmpeg"] + arguments + [whole])
    guard case .array(let packets)? = try await Oracle.probe(whole, ["-show_packets"])["packets"]
    else { throw try #require(nil as RPCError?) }
    var bytes = try contents(of: whole)
    let indices = packets.indices.filter {
      part.contains((Double($0) + 0.5) / Double(packets.count))
    }
    for index in indices {
      let position = try #require(packets[index]["pos"]?.stringValue.flatMap { Int($0) })
      let size = try #require(packets[index]["size"]?.stringValue.flatMap { Int($0) })
      bytes.replaceSubrange(
        position..<position + size, with: [UInt8](repeating: 0, count: size))
    }
    return try folder.write("damaged-\(source.name)", bytes)
  }

  private func output(_ source: Source) -> WireReaderOutput {
    WireReaderOutput(
      type: .track, mediaType: source.isVideo ? .video : .audio,
      settings: source.isVideo
        ? .video(WireVideoSettings(pixelFormat: "gray"))
        : .audio(WireAudioSettings(sampleFormat: "s16")))
  }

  private func session(_ asset: AssetHandle, _ source: Source, _ target: String)
    -> ExportSessionCreate
  {
    ExportSessionCreate(
      asset: asset, preset: source.isVideo ? "LowQuality" : "AppleM4A", outputURL: target)
  }

  // MARK: Nothing

  @Test(arguments: [Source.aac, .alac, .flac, .h264, .mjpeg])
  func nothingDecodedIsAnError(_ source: Source) async throws {
    let path = try await damage(source, 0..<1)
    let target = folder.file(source.isVideo ? "out.mp4" : "out.m4a")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func expectRefusal(_ error: ErrorObject, _ what: Comment) {
        #expect(error.code == -11855, what)
        #expect(error.message.contains(path), what)
        #expect(error.data?.hint.contains("FFmpeg") == true, what)
      }
      expectRefusal(
        try await client.exportFailure(session(asset, source, target)), "export")
      let (reader, output) = try await client.read(asset, output(source))
      let pull = AssetReaderNextSampleBuffers(output: output, maxCount: 100)
      expectRefusal(ErrorObject(try await client.failure(of: pull)), "reader")
      let status = try await client.call(AssetReaderStatus(assetReader: reader))
      #expect(status.status == .failed)
      if source.isVideo {
        let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
        let image = ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.seconds(1, 1)))
        expectRefusal(ErrorObject(try await client.failure(of: image)), "image")
        let sheet = try await client.sheet(
          ImageGeneratorContactSheet(imageGenerator: generator, count: 4))
        expectRefusal(try #require(sheet.error), "sheet")
      } else {
        let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 10))
        expectRefusal(try #require(waveform.error), "waveform")
      }
    }
    #expect(!folder.names.contains { $0.hasPrefix("out") })
  }

  /// Only the requested part counts, not its surroundings.
  @Test(arguments: [Source.aac, .h264]) func nothingOfARangeIsAnError(_ source: Source) async throws
  {
    let path = try await damage(source, 0.25..<0.75)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let range = TimeRange(start: .seconds(3, 2), duration: .seconds(1, 1))
      let (_, output) = try await client.read(asset, output(source), timeRange: range)
      let pull = AssetReaderNextSampleBuffers(output: output, maxCount: 100)
      #expect(try await client.failure(of: pull).code == -11855)
    }
  }

  // MARK: A part

  /// A decoder that refuses samples, and parsers that pass over them: both are losses.
  @Test(arguments: [Source.aac, .alac, .flac, .mp3, .h264, .mjpeg])
  func aPartIsANamedLoss(_ source: Source) async throws {
    let path = try await damage(source, 0.25..<0.75)
    let target = folder.file(source.isVideo ? "out.mp4" : "out.m4a")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func expectLoss(_ dropped: [WireDropped]?, _ what: Comment) {
        #expect(dropped?.map(\.item) == [.damagedSamples], what)
        #expect(dropped?.first?.trackID == 1, what)
        #expect(dropped?.first?.mediaType == (source.isVideo ? .video : .audio), what)
        let reason = dropped?.first?.reason ?? ""
        #expect(reason.contains("came out of the"), "\(what): \(reason)")
      }
      let made = try await client.export(session(asset, source, target))
      #expect(made.status == .completed, "\(String(describing: made.error))")
      expectLoss(made.dropped, "export")
      let (reader, output) = try await client.read(asset, output(source))
      var end: AssetReaderNextSampleBuffers.Result
      repeat {
        end = try await client.call(AssetReaderNextSampleBuffers(output: output, maxCount: 100))
      } while !end.endOfStream
      expectLoss(end.dropped, "reader")
      let status = try await client.call(AssetReaderStatus(assetReader: reader))
      #expect(status.status == .completed)
      expectLoss(status.dropped, "status")
      if !source.isVideo {
        let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 10))
        #expect(waveform.result == .succeeded)
        expectLoss(waveform.dropped, "waveform")
      }
    }
  }

  /// A decoder with threads reports an error of the last samples only when it is drained.
  @Test func damageAtTheEndIsPassedOver() async throws {
    let path = try await damage(.h264, 0.98..<1)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let (reader, output) = try await client.read(asset, output(.h264))
      #expect(try await client.readAll(output).count == Oracle.frames(of: path).count)
      let status = try await client.call(AssetReaderStatus(assetReader: reader))
      #expect(status.dropped?.first?.reason.hasPrefix("1 sample ") == true)
    }
  }

  // MARK: No false alarms

  /// Priming, edit lists, gaps, open groups, uneven frames: nothing is missing, in the whole and in parts.
  @Test(arguments: [
    Fixture.bframes, .variableRate, .editList, .delayed, .matroska, .quickTime, .transport, .vp9,
    .avi, .audioGap, .aviBFrames, .openGOP, .hevc, .mp3, .wav, .flac, .gif, .coverM4A, .twoAudio,
  ])
  func whatIsWholeHasNoLoss(_ fixture: Fixture) async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      for track in try await client.call(AssetTracks(asset: asset)).tracks
      where track.mediaType == .audio || track.mediaType == .video {
        let settings: WireReaderSettings =
          track.mediaType == .video
          ? .video(WireVideoSettings(pixelFormat: "gray"))
          : .audio(WireAudioSettings(sampleFormat: "f32"))
        let ranges: [TimeRange?] = [
          nil, TimeRange(start: .seconds(3, 10), duration: .seconds(7, 10)),
          TimeRange(start: .seconds(1999, 2000), duration: .seconds(1, 500)),
          TimeRange(start: .seconds(197, 100), duration: .positiveInfinity),
        ]
        for range in ranges {
          let (reader, output) = try await client.read(
            asset, WireReaderOutput(type: .track, trackID: track.trackID, settings: settings),
            timeRange: range)
          _ = try await client.readAll(output)
          let status = try await client.call(AssetReaderStatus(assetReader: reader))
          #expect(status.status == .completed)
          #expect(status.dropped == nil, "track \(track.trackID), \(String(describing: range))")
        }
      }
    }
  }
}
