import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import Testing

/// Settings that are refused, and the effect of those that aren't: Tests/CommandLine compares the
/// files with ffmpeg's.
struct ExportSettingsTests {
  private let folder = TemporaryFolder()

  private func problems(
    _ settings: WireExportSettings, _ type: String = "mp4", _ preset: String? = nil
  ) async throws -> [String] {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      do {
        _ = try await client.call(
          ExportSessionCreate(
            asset: asset, preset: preset, settings: settings,
            outputURL: folder.file("out.\(type)")))
        return []
      } catch let error as RPCError {
        #expect(error.code == ErrorCode.invalidParams.rawValue)
        return (ErrorObject(error).data?.errors ?? []).map(\.path)
      }
    }
  }

  private static let video: [(WireVideoEncoding, String, String?)] = [
    (WireVideoEncoding(codec: "h266"), "mp4", "codec"),
    (WireVideoEncoding(codec: "prores"), "mp4", "codec"),
    (WireVideoEncoding(codec: "H265"), "mp4", nil),
    (WireVideoEncoding(width: 0), "mp4", "width"), (WireVideoEncoding(width: 161), "mp4", "width"),
    (WireVideoEncoding(height: 121), "mp4", "height"),
    (WireVideoEncoding(height: 121), "gif", nil), (WireVideoEncoding(width: 161), "gif", nil),
    (WireVideoEncoding(width: 161, pixelFormat: "yuv444p"), "mp4", nil),
    (WireVideoEncoding(width: 1 << 20), "mp4", "width"),
    (WireVideoEncoding(frameRate: .integer(0)), "mp4", "frameRate"),
    (WireVideoEncoding(frameRate: .number(-1)), "mp4", "frameRate"),
    (WireVideoEncoding(frameRate: .integer(1001)), "mp4", "frameRate"),
    (WireVideoEncoding(frameRate: .integer(51)), "gif", "frameRate"),
    (WireVideoEncoding(frameRate: .integer(50)), "gif", nil),
    (
      WireVideoEncoding(frameRate: .ratio(WireRatio(numerator: 1, denominator: 0))), "mp4",
      "frameRate"
    ),
    (WireVideoEncoding(quality: 1.5), "mp4", "quality"),
    (WireVideoEncoding(quality: 0.5), "gif", "quality"),
    (WireVideoEncoding(bitRate: 10), "mp4", "bitRate"),
    (WireVideoEncoding(codec: "prores", bitRate: 1_000_000), "mov", "bitRate"),
    (WireVideoEncoding(rateFactor: 52), "mp4", "rateFactor"),
    (WireVideoEncoding(rateFactor: 22.5), "mp4", nil),
    (WireVideoEncoding(rateFactor: 22.5), "webm", "rateFactor"),
    (WireVideoEncoding(quality: 0.5, rateFactor: 20), "mp4", ""),
    (WireVideoEncoding(profile: "main10"), "mp4", "profile"),
    (WireVideoEncoding(codec: "hevc", profile: "main10"), "mp4", nil),
    (WireVideoEncoding(profile: "baseline", pixelFormat: "yuv444p"), "mp4", "pixelFormat"),
    (WireVideoEncoding(pixelFormat: "rgb24"), "mp4", "pixelFormat"),
    (WireVideoEncoding(keyFrameInterval: 0), "mp4", "keyFrameInterval"),
    (WireVideoEncoding(keyFrameInterval: 1), "gif", "keyFrameInterval"),
    (WireVideoEncoding(alpha: false), "gif", "alpha"),
    (WireVideoEncoding(alpha: false), "mp4", nil),
    (WireVideoEncoding(codec: "vp9", pixelFormat: "yuva420p"), "mp4", "pixelFormat"),
    (WireVideoEncoding(codec: "vp9", pixelFormat: "yuva420p"), "webm", nil),
    (WireVideoEncoding(pixelFormat: "yuva420p", alpha: false), "webm", "alpha"),
    (WireVideoEncoding(profile: "lossless", alpha: false), "webp", "alpha"),
    (WireVideoEncoding(codec: "ffv1", quality: 1), "mkv", "quality"),
    (WireVideoEncoding(codec: "animation"), "mov", nil),
    (WireVideoEncoding(codec: "ffv1"), "mov", "codec"),
    (WireVideoEncoding(rotate: 45), "mp4", "rotate"), (WireVideoEncoding(rotate: -90), "mp4", nil),
  ]

  private static let crops: [(WireCrop, String?)] = [
    (.rectangle(WireCropRectangle(x: 100, y: 0, width: 61, height: 10)), "crop"),
    (.rectangle(WireCropRectangle(x: 100, y: 0, width: 60, height: 10)), nil),
    (.rectangle(WireCropRectangle(x: -1, y: 0, width: 60, height: 10)), "crop/x"),
    (shape(.ratio(WireRatio(numerator: 9, denominator: 16))), nil), (shape(.number(2.39)), nil),
    (shape(.integer(0)), "crop/aspectRatio"), (shape(.integer(257)), "crop/aspectRatio"),
    (shape(.ratio(WireRatio(numerator: 1, denominator: 0))), "crop/aspectRatio"),
    (shape(.ratio(WireRatio(numerator: -1, denominator: 2))), "crop/aspectRatio"),
  ]

  private static func shape(_ ratio: WireFactor) -> WireCrop {
    .aspectRatio(WireCropAspectRatio(aspectRatio: ratio))
  }

  @Test(arguments: crops) func eachBadCropIsNamed(
    _ crop: WireCrop, _ member: String?
  ) async throws {
    let settings = WireExportSettings(video: .encoded(WireVideoEncoding(crop: crop)))
    let path = member.map { "/settings/video/\($0)" }
    #expect(try await problems(settings, "mp4") == (path.map { [$0] } ?? []), "\(crop)")
  }

  @Test(arguments: video) func eachBadValueOfVideoIsNamed(
    _ settings: WireVideoEncoding, _ type: String, _ member: String?
  ) async throws {
    let found = try await problems(WireExportSettings(video: .encoded(settings)), type)
    let path = member.map { $0.isEmpty ? "/settings/video" : "/settings/video/\($0)" }
    #expect(found == (path.map { [$0] } ?? []), "\(settings)")
  }

  private static let audio: [(WireAudioEncoding, String, String?)] = [
    (WireAudioEncoding(codec: "opium"), "mp4", "codec"),
    (WireAudioEncoding(codec: "vorbis"), "mp4", "codec"),
    (WireAudioEncoding(codec: "pcm_s24le"), "wav", nil),
    (WireAudioEncoding(sampleRate: 12345), "mp4", "sampleRate"),
    (WireAudioEncoding(sampleRate: 12345), "wav", nil),
    (WireAudioEncoding(sampleRate: 44100), "opus", "sampleRate"),
    (WireAudioEncoding(channels: 3), "mp3", "channels"),
    (WireAudioEncoding(channels: 0), "wav", "channels"),
    (WireAudioEncoding(bitRate: 128_000), "flac", "bitRate"),
    (WireAudioEncoding(bitRate: 1), "mp4", "bitRate"),
    (WireAudioEncoding(volume: -1), "mp4", "volume"),
  ]

  @Test(arguments: audio) func eachBadValueOfAudioIsNamed(
    _ settings: WireAudioEncoding, _ type: String, _ member: String?
  ) async throws {
    let found = try await problems(WireExportSettings(audio: .encoded(settings)), type)
    #expect(found == (member.map { ["/settings/audio/\($0)"] } ?? []), "\(settings)")
  }

  @Test func allProblemsAreReportedAtOnce() async throws {
    let settings = WireExportSettings(
      video: .encoded(
        WireVideoEncoding(
          codec: "prores", width: 11, quality: 2, rateFactor: 3, profile: "high",
          crop: .rectangle(WireCropRectangle(x: 0, y: 0, width: 1000, height: 1)), rotate: 1)),
      audio: .encoded(WireAudioEncoding(codec: "flac", channels: 99, bitRate: 1)),
      tracks: .numbers([1, 2, 77]))
    let found = try await problems(settings, "webm")
    let video = ["", "/codec", "/width", "/quality", "/quality", "/profile", "/rotate", "/crop"]
    let audio = ["/codec", "/channels", "/bitRate"]
    #expect(
      found.sorted()
        == (video.map { "/settings/video" + $0 } + audio.map { "/settings/audio" + $0 }
        + ["/settings/tracks/2"]).sorted())
  }

  /// A preset's members that the settings don't override have to fit as well.
  @Test func presetsAndSettingsAreCheckedTogether() async throws {
    let width = WireExportSettings(video: .encoded(WireVideoEncoding(width: 80)))
    #expect(try await problems(width, "mp4", "HighestQuality") == [])
    #expect(
      try await problems(width, "webm", "HighestQuality")
        == ["/settings/video/codec", "/settings/audio/codec"])
    #expect(try await problems(width, "mp4", "Passthrough") == [])
    #expect(try await problems(width, "wav") == ["/settings/video"])
    #expect(try await problems(WireExportSettings(video: .leftOut), "mp4", "Passthrough") == [])
  }

  /// Without either the type of the file decides, and tracks can be chosen by their numbers.
  @Test func tracksAreChosenByNumber() async throws {
    let target = folder.file("second.mov")
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.twoAudio)
      let bare = try await client.call(
        ExportSessionCreate(asset: asset, outputURL: folder.file("bare.webm")))
      let plan = try await client.call(ExportSessionPreflight(exportSession: bare.exportSession))
      #expect(Set(plan.tracks.compactMap(\.codec)).isSubset(of: ["vp9", "opus"]))
      let last = try #require(plan.tracks.last?.trackID)
      let result = try await client.export(
        ExportSessionCreate(
          asset: asset, settings: WireExportSettings(tracks: .numbers([last])), outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.dropped?.filter { $0.item == .track }.count == plan.tracks.count - 1)
    }
    #expect(try await Oracle.streams(of: target).map(\.codec) == ["aac"])
  }

  /// Preflight, estimate and the list of types are about the same settings as the export.
  @Test func whatIsPlannedIsWhatIsMade() async throws {
    let target = folder.file("out.mkv")
    let settings = WireExportSettings(
      video: .encoded(
        WireVideoEncoding(
          codec: "hevc", width: 80, frameRate: .integer(10), profile: "main10", rotate: 90)),
      audio: .encoded(WireAudioEncoding(codec: "flac", sampleRate: 22050, channels: 1)))
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let made = try await client.call(
        ExportSessionCreate(asset: asset, settings: settings, outputURL: target))
      #expect(made.supportedFileTypes == ["mp4", "mkv"])
      let plan = try await client.call(ExportSessionPreflight(exportSession: made.exportSession))
      let video = try #require(plan.tracks.first)
      // 160 × 120, turned: three quarters as wide as high.
      #expect((video.codec, video.width, video.height) == ("hevc", 80, 106))
      #expect(video.pixelFormat == "yuv420p10le")
      #expect(plan.tracks.last?.sampleRate == 22050 && plan.tracks.last?.channels == 1)
      let reply = try await client.call(
        ExportSessionExport(exportSession: made.exportSession, completion: .response))
      #expect(reply.finished?.status == .completed, "\(String(describing: reply.finished?.error))")
    }
    let streams = try await Oracle.streams(of: target)
    #expect(streams.map(\.codec) == ["hevc", "flac"])
    #expect((streams[0].width, streams[0].height) == (80, 106))
    #expect(try await Oracle.frames(of: target).count == 20)
  }

  /// A limit holds for any settings, and the parts of the file end together.
  @Test func aLimitIsKept() async throws {
    let target = folder.file("short.mp4")
    let settings = WireExportSettings(
      video: .encoded(WireVideoEncoding(frameRate: .integer(50), rateFactor: 10)))
    let result = try await withClient(.inProcess) { client in
      try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.long), settings: settings, outputURL: target,
          fileLengthLimit: 300_000))
    }
    #expect(result.status == .completed, "\(String(describing: result.error))")
    let size = try contents(of: target).count
    #expect(size <= 300_000 && size > 150_000)
  }
}
