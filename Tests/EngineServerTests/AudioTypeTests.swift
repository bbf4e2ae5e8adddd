import EngineProtocol
import Foundation
import MediaTime
import TestSupport
import Testing

/// Audio files: the tracks that they can hold, and the duration that they state.
struct AudioTypeTests {
  private let folder = TemporaryFolder()

  static let types = ["m4a", "mka", "mp3", "ogg", "oga", "opus", "flac", "wav", "aac"]
  /// The codecs that Passthrough can put into each type.
  static let codecs = [
    "m4a": "aac", "mka": "aac", "mp3": "libmp3lame", "oga": "libvorbis", "opus": "libopus",
    "flac": "flac", "wav": "pcm_s16le",
    "aac": "aac",
  ]

  /// Two seconds of pictures, and audio from 0.2 s to 1.7 s.
  private func source(_ codec: String) async throws -> String {
    let path = folder.file("\(codec).mkv")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=2",
      "-itsoffset", "0.2", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1.5", "-c:v",
      "libx264", "-pix_fmt", "yuv420p", "-c:a", codec, path,
    ])
    return path
  }

  /// An audio file has no video, and the plan made before the export reports that.
  @Test(arguments: codecs.keys.sorted()) func copiesLeavePicturesOut(_ type: String) async throws {
    let codec = try #require(Self.codecs[type])
    let target = folder.file("out.\(type)")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: try await source(codec))).asset
      let request = ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: target)
      let session = try await client.call(request).exportSession
      let plan = try await client.call(ExportSessionPreflight(exportSession: session))
      #expect(plan.tracks.map(\.treatment) == [.dropped, .copied])
      #expect(plan.dropped.filter { $0.item == .track }.map(\.mediaType) == [.video])
      _ = try await client.call(HandleClose(handle: AnyHandle(session)))
      let result = try await client.export(request)
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.dropped?.filter { $0.item == .track }.map(\.mediaType) == [.video])
      // It ends with the audio.
      let end = try #require(result.timeRange?.range.end.seconds)
      #expect(abs(end - 1.7) < 0.1, "\(end)")
      #expect(plan.timeRange.range.end == result.timeRange?.range.end)
    }
    #expect(try await Oracle.streams(of: target).map(\.type) == ["audio"])
  }

  /// Every video preset makes such a file, with audio alone, and reports that before and after.
  @Test(arguments: types) func noPresetTakesPictures(_ type: String) async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let presets = try await client.call(
        ExportSessionCompatiblePresets(asset: asset, outputFileType: type)
      ).presets
      let sound: Set = ["AppleM4A", "Opus", "MP3", "FLAC", "WAV"]
      let all = try await client.call(ExportSessionPresets()).presets
      #expect(Set(presets).isSuperset(of: Set(all).subtracting(sound)))
      for preset in presets {
        let target = folder.file("\(preset).\(type)")
        let session = try await client.call(
          ExportSessionCreate(asset: asset, preset: preset, outputURL: folder.file("no.\(type)")))
        let plan = try await client.call(
          ExportSessionPreflight(exportSession: session.exportSession))
        #expect(plan.tracks.map(\.treatment) == [.dropped, .encoded], "\(preset)")
        #expect(plan.dropped.first?.reason.isEmpty == false)
        let result = try await client.export(
          ExportSessionCreate(asset: asset, preset: preset, outputURL: target))
        #expect(result.status == .completed, "\(preset): \(String(describing: result.error))")
        #expect(try await Oracle.streams(of: target).map(\.type) == ["audio"], "\(preset)")
      }
    }
  }

  /// The reported range is that of the file, however long the video continues.
  @Test(arguments: [("WAV", "wav"), ("FLAC", "flac"), ("AppleM4A", "m4a")])
  func theRangeIsThatOfTheSound(_ preset: String, _ type: String) async throws {
    let target = folder.file("out.\(type)")
    let told = try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: try await source("pcm_s16le"))).asset
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: preset, outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      return try #require(result.timeRange?.range)
    }
    #expect(told.start == .zero)
    let held = try await Oracle.length(of: target)
    #expect(abs(told.duration.seconds - held) < 0.001 + 1 / 48000, "\(told) \(held)")
    #expect(abs(told.duration.seconds - 1.7) < 0.002, "\(told)")
  }

  /// A part that only has the tracks that are left out is an error.
  @Test func nothingButPicturesIsAnError() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: try await source("aac"))).asset
      let range = TimeRange(start: .seconds(19, 10), duration: .seconds(1, 10))
      for (preset, type) in [("WAV", "wav"), ("Passthrough", "m4a")] {
        let target = folder.file("none.\(type)")
        let result = try await client.export(
          ExportSessionCreate(
            asset: asset, preset: preset, outputURL: target, timeRange: WireTimeRange(range)))
        #expect(result.error?.code == -11861)
        #expect(!FileManager.default.fileExists(atPath: target))
      }
    }
  }
}
