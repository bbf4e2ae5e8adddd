import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The output of each preset, according to ffprobe.
struct ExportPresetTests {
  private let folder = TemporaryFolder()

  /// Video of a size, with audio; the presets must not make it larger.
  private static let makes: [(preset: String, type: String, codecs: [String])] = [
    ("HighestQuality", "mov", ["h264", "aac"]), ("1280x720", "ts", ["h264", "aac"]),
    ("AppleM4ViPod", "m4v", ["h264", "aac"]), ("AppleM4V720pHD", "m4v", ["h264", "aac"]),
    ("HEVCHighestQuality", "mp4", ["hevc", "aac"]), ("HEVC1920x1080", "mov", ["hevc", "aac"]),
    ("AppleProRes422LPCM", "mov", ["prores", "pcm_s16le"]),
    ("AppleProRes4444LPCM", "mov", ["prores", "pcm_s16le"]),
    ("VP91280x720", "webm", ["vp9", "opus"]), ("AV1HighestQuality", "mkv", ["av1", "opus"]),
    ("AV11280x720", "mp4", ["av1", "opus"]), ("AppleM4A", "m4a", ["aac"]),
    ("Opus", "ogg", ["opus"]), ("MP3", "mp3", ["mp3"]), ("FLAC", "flac", ["flac"]),
    ("FLAC", "ogg", ["flac"]), ("WAV", "wav", ["pcm_s16le"]),
    ("FFV1", "mkv", ["ffv1", "flac"]),
  ]

  @Test(arguments: makes) func aPresetMakesWhatItsNameSays(
    _ make: (preset: String, type: String, codecs: [String])
  ) async throws {
    let source = try await Fixture.bframes.path
    let target = folder.file("out.\(make.type)")
    let before = try await Oracle.frames(of: source)
    try await withClient(.binary) { client in
      let asset = try await client.open(.bframes)
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: make.preset, outputURL: target))
      try #require(result.status == .completed, "\(String(describing: result.error))")
      let hasVideo = make.codecs.count == 2
      #expect(result.dropped?.map(\.item) == (hasVideo ? nil : [.track]))
    }
    let streams = try await Oracle.streams(of: target)
    #expect(streams.map(\.codec) == make.codecs)
    if make.codecs.count == 2 {
      #expect((streams[0].width, streams[0].height) == (160, 120))
      #expect(try await Oracle.frames(of: target).count == before.count)
    }
    // All of it decodes, and no more is to be heard than there was; MPEG audio's padding is shown.
    try await succeed(["ffmpeg", "-v", "error", "-xerror", "-i", target, "-f", "null", "-"])
    let length = try await Oracle.duration(of: target)
    #expect(abs(length - 2) < 0.08, "\(length)")
  }

  @Test func everyPresetIsFoundByItsName() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      for preset in try await client.call(ExportSessionPresets()).presets {
        let types = try await client.call(
          ExportSessionCompatibleFileTypes(asset: asset, preset: preset)
        ).fileTypes
        #expect(!types.isEmpty, "\(preset)")
        let session = try await client.call(
          ExportSessionCreate(
            asset: asset, preset: preset, outputURL: folder.file("x"),
            outputFileType: types.first))
        let plan = try await client.call(
          ExportSessionPreflight(exportSession: session.exportSession))
        #expect(plan.tracks.contains { $0.treatment == .encoded }, "\(preset)")
        let estimate = try await client.call(
          ExportSessionEstimate(exportSession: session.exportSession))
        #expect(estimate.duration.time == plan.timeRange.range.duration)
        #expect(estimate.fileLength > 0)
      }
    }
  }

  /// PQ becomes BT.709 where the codec of the preset has eight bits, and is kept, with all of the
  /// file's metadata of light, where it has ten.
  @Test func highDynamicRangeIsMappedOrKept() async throws {
    let source = folder.file("hdr.mkv")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.4", "-vf",
      "format=yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:hdr10=1:"
        + "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50):"
        + "max-cll=1000,400", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
      "-colorspace", "bt2020nc", source,
    ])
    let expected: [(preset: String, type: String, transfer: String, format: String)] = [
      ("HighestQuality", "mp4", "bt709", "yuv420p"),
      ("HEVCHighestQuality", "mp4", "smpte2084", "yuv420p10le"),
      ("VP9HighestQuality", "mkv", "smpte2084", "yuv420p10le"),
      ("AV1HighestQuality", "mkv", "smpte2084", "yuv420p10le"),
      ("AppleProRes422LPCM", "mov", "smpte2084", "yuv422p10le"),
    ]
    for (preset, type, transfer, format) in expected {
      let target = folder.file("\(preset).\(type)")
      try await withClient(.binary) { client in
        let asset = try await client.call(AssetOpen(url: source)).asset
        let session = try await client.call(
          ExportSessionCreate(asset: asset, preset: preset, outputURL: target)
        ).exportSession
        let plan = try await client.call(ExportSessionPreflight(exportSession: session))
        #expect(plan.tracks.first?.mapsToStandardDynamicRange == (transfer == "bt709"))
        #expect(plan.tracks.first?.pixelFormat == format)
        let reply = try await client.call(
          ExportSessionExport(exportSession: session, completion: .response))
        let result = try #require(reply.finished)
        #expect(result.status == .completed, "\(preset) \(String(describing: result.error))")
      }
      let stream = try await Oracle.probe(
        target, ["-show_streams", "-show_frames", "-read_intervals", "%+#1"])
      let video = stream["streams"]?[0]
      #expect(video?["color_transfer"]?.stringValue == transfer, "\(preset)")
      #expect(video?["pix_fmt"]?.stringValue == format, "\(preset)")
      let primaries = transfer == "bt709" ? "bt709" : "bt2020"
      #expect(video?["color_primaries"]?.stringValue == primaries, "\(preset)")
      let all = String(describing: stream)
      let isBright = transfer != "bt709"
      #expect(all.contains("Mastering display") == isBright, "\(preset)")
      if preset.hasPrefix("HEVC") { #expect(all.contains("Content light")) }
    }
  }

  /// A frame size that a preset's encoder refuses is reported before the export; other presets
  /// encode such frames.
  @Test func picturesThatAnEncoderRefuses() async throws {
    let small = folder.file("small.mp4")
    let fast = folder.file("fast.mov")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x8:r=10:d=1", "-c:v", "libx264",
      small,
    ])
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x80:r=480:d=0.1", "-c:v",
      "libx264", fast,
    ])
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: small)).asset
      let told = try await client.call(
        ExportSessionCompatiblePresets(asset: asset, explain: true))
      let reason = told.incompatible?.first { $0.preset == "HEVCHighestQuality" }?.reason
      #expect(reason?.contains("16 × 16") == true, "\(String(describing: reason))")
      #expect(told.presets.contains("AV1HighestQuality") && told.presets.contains("1280x720"))
      let refused = try await client.exportFailure(
        ExportSessionCreate(
          asset: asset, preset: "HEVCHighestQuality", outputURL: folder.file("hevc.mp4")))
      #expect(refused.code == -11871)
      for (source, preset) in [(small, "AV1HighestQuality"), (fast, "AV11280x720")] {
        let asset = try await client.call(AssetOpen(url: source)).asset
        let target = source + ".mkv"
        let made = try await client.export(
          ExportSessionCreate(asset: asset, preset: preset, outputURL: target))
        try #require(made.status == .completed, "\(String(describing: made.error))")
        let before = try await Oracle.frames(of: source).count
        #expect(try await Oracle.frames(of: target).count == before)
      }
    }
  }

  /// A type isn't listed if its muxer only refuses the media once it writes.
  @Test func whatATypeCannotHoldIsKnownBefore() async throws {
    try await withClient(.binary) { client in
      let asset = try await client.open(.vp9)
      let types = try await client.call(
        ExportSessionCompatibleFileTypes(asset: asset, preset: "Passthrough", explain: true))
      #expect(types.fileTypes.contains("mp4") && !types.fileTypes.contains("mov"))
      let reason = types.incompatible?.first { $0.fileType == "mov" }?.reason
      #expect(reason?.contains("mov files can't hold vp9") == true, "\(String(describing: reason))")
      for type in types.fileTypes {
        let made = try await client.export(
          ExportSessionCreate(
            asset: asset, preset: "Passthrough", outputURL: folder.file("vp9.\(type)")))
        #expect(made.status == .completed, "\(type): \(String(describing: made.error))")
      }
    }
  }

  /// x265 knows no decode times where there are fewer frames than it would reorder.
  @Test(arguments: 1...3) func aFewFramesHaveTheirTimes(_ count: Int) async throws {
    let source = folder.file("few.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-frames:v",
      "\(count)", "-c:v", "libx264", source,
    ])
    let target = folder.file("out.mov")
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let made = try await client.export(
        ExportSessionCreate(asset: asset, preset: "HEVCHighestQuality", outputURL: target))
      #expect(made.status == .completed, "\(String(describing: made.error))")
    }
    let times = try await Oracle.frames(of: target).map(\.time)
    #expect(times == (0..<count).map { Time(value: Int64($0), timescale: 10) })
  }

  /// The smallest transport stream has enough packets for other programs to recognise it.
  @Test func aShortTransportStreamIsRecognised() async throws {
    let source = folder.file("one.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=16x16:r=10", "-frames:v", "1",
      "-c:v", "libx264", source,
    ])
    let target = folder.file("out.ts")
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let made = try await client.export(
        ExportSessionCreate(asset: asset, preset: "LowQuality", outputURL: target))
      #expect(made.status == .completed, "\(String(describing: made.error))")
      let copy = try await client.call(AssetOpen(url: target)).asset
      let tracks = try await client.call(AssetTracks(asset: copy)).tracks
      #expect(tracks.map(\.mediaType) == [.video])
    }
    #expect(try await Oracle.frames(of: target).count == 1)
  }

  /// Samples that can't be decoded are missing in the file, and that is reported.
  @Test func damagedSamplesAreTold() async throws {
    let source = folder.file("damaged.mov")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-c:v", "png",
      source,
    ])
    let packets = try await Oracle.probe(source, ["-show_packets"])["packets"]
    let position = try #require(packets?[3]?["pos"]?.stringValue.flatMap { UInt64($0) })
    let file = try #require(FileHandle(forUpdatingAtPath: source))
    try file.seek(toOffset: position)
    try file.write(contentsOf: [UInt8](repeating: 0, count: 64))
    try file.close()
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let target = folder.file("out.mp4")
      let made = try await client.export(
        ExportSessionCreate(asset: asset, preset: "LowQuality", outputURL: target))
      #expect(made.status == .completed, "\(String(describing: made.error))")
      #expect(made.dropped?.map(\.item) == [.damagedSamples])
      #expect(made.dropped?.first?.reason.hasPrefix("1 sample ") == true)
      #expect(try await Oracle.frames(of: target).count == 9)
    }
  }

  @Test func alphaStaysInProRes4444() async throws {
    let source = folder.file("alpha.mov")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "color=c=red@0.5:s=64x48:r=5:d=0.4,format=yuva444p", "-c:v", "png", source,
    ])
    let target = folder.file("out.mov")
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: "AppleProRes4444LPCM", outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
    }
    let pixels = try await succeed([
      "ffmpeg", "-v", "error", "-i", target, "-frames:v", "1", "-pix_fmt", "rgba", "-f", "rawvideo",
      "-",
    ]).output
    let pixel = pixels.prefix(4).map(Int.init)
    #expect(abs(pixel[3] - 128) < 4, "\(pixel)")
    #expect(pixel[0] > 240 && pixel[1] < 16 && pixel[2] < 16, "\(pixel)")
  }

  /// Text is converted to the container's format for text, cut to the range; nothing is shown
  /// twice.
  @Test(arguments: ["Passthrough", "LowQuality"], ["mp4", "mov", "mkv"]) func textIsConverted(
    _ preset: String, _ type: String
  ) async throws {
    let text = try folder.write(
      "text.srt",
      Array(
        """
        1
        00:00:00,200 --> 00:00:00,900
        One <i>word</i>

        2
        00:00:01,100 --> 00:00:01,800
        Two
        lines

        """.utf8))
    let source = folder.file("text.mkv")
    let video = try await Fixture.bframes.path
    try await succeed([
      "ffmpeg", "-v", "error", "-i", video, "-i", text, "-map", "0", "-map", "1", "-c", "copy",
      "-metadata:s:s", "language=deu", source,
    ])
    let target = folder.file("out.\(type)")
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let result = try await client.export(
        ExportSessionCreate(
          asset: asset, preset: preset, outputURL: target,
          timeRange: WireTimeRange(
            TimeRange(start: .seconds(12, 25), duration: .seconds(20, 25)))))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.dropped == nil)
    }
    let stream = try #require(try await Oracle.streams(of: target, select: "s:0").first)
    #expect(stream.codec == (type == "mkv" ? "subrip" : "mov_text"))
    #expect(stream.language == "deu")
    let shown = try await succeed([
      "ffmpeg", "-v", "error", "-i", target, "-map", "0:s", "-f", "srt", "-",
    ]).output
    let lines = String(decoding: shown, as: UTF8.self).split(whereSeparator: \.isNewline).map(
      String.init)
    #expect(lines.filter { $0.contains("word") } == ["One <i>word</i>"])
    #expect(lines.count { $0.contains("-->") } == 2)
    #expect(lines.contains("Two") && lines.contains("lines"))
  }

  /// No more pictures than the preset has in a second, and the last one is shown to the end.
  @Test func gifIsThinnedAndLastsAsLong() async throws {
    let target = folder.file("out.gif")
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "GIF", outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
    }
    let stream = try #require(try await Oracle.streams(of: target).first)
    #expect((stream.codec, stream.width, stream.height) == ("gif", 160, 120))
    #expect(try await Oracle.frames(of: target).count == 25)
    #expect(try await Oracle.duration(of: target) == 2)
  }

  /// The reasons are those that an export would report.
  @Test func incompatibleIsExplained() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let types = try await client.call(
        ExportSessionCompatibleFileTypes(asset: asset, preset: "Passthrough", explain: true))
      #expect(Set(types.fileTypes).isSuperset(of: ["wav", "mkv", "mov"]))
      let refused = try #require(types.incompatible?.first { $0.fileType == "mp3" })
      #expect(refused.reason.contains("pcm_s16le"))
      let session = try await client.call(
        ExportSessionCreate(
          asset: asset, preset: "Passthrough", outputURL: folder.file("a.mp3")))
      let error = await #expect(throws: RPCError.self) {
        try await client.call(ExportSessionPreflight(exportSession: session.exportSession))
      }
      #expect(error?.message == refused.reason)
      let presets = try await client.call(
        ExportSessionCompatiblePresets(asset: asset, outputFileType: "mp4", explain: true))
      #expect(!presets.presets.contains("MP3"))
      #expect(presets.incompatible?.contains { $0.preset == "MP3" } == true)
      #expect(session.supportedFileTypes.contains("wav"))
      #expect(!session.supportedFileTypes.contains("mp3"))
    }
  }

  @Test func aTypeThatThePresetDoesNotMakeIsRefused() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let error = await #expect(throws: RPCError.self) {
        try await client.call(
          ExportSessionCreate(asset: asset, preset: "Opus", outputURL: folder.file("a.mp4")))
      }
      #expect(error?.code == ErrorCode.operationNotSupportedForPreset.rawValue)
    }
  }

  /// The size of a copy is known before the export.
  @Test(arguments: ["mp4", "mkv"]) func estimatesOfCopiesAreClose(_ type: String) async throws {
    try await withClient(.inProcess) { client in
      for (preset, tolerance) in [("Passthrough", 0.15), ("WAV", 0.01)] {
        guard type == "mp4" || preset == "Passthrough" else { continue }
        let suffix = preset == "WAV" ? "wav" : type
        let session = try await client.call(
          ExportSessionCreate(
            asset: try await client.open(.twoAudio), preset: preset,
            outputURL: folder.file("\(preset).\(suffix)"))
        ).exportSession
        let estimate = try await client.call(ExportSessionEstimate(exportSession: session))
        let reply = try await client.call(
          ExportSessionExport(exportSession: session, completion: .response))
        let result = try #require(reply.finished)
        let size = Double(try #require(result.fileSize))
        #expect(abs(Double(estimate.fileLength) - size) < size * tolerance)
      }
    }
  }
}
