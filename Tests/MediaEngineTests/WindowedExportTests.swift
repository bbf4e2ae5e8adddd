import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Copies of a part of a long file by windows of the indexes, compared with those by all of the indexes.
@Suite struct WindowedExportTests {
  let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Files of 40 seconds. Codecs whose first packets need others, clocks that are coarser than samples of audio, groups
  /// closed and open, recovery points without sync samples, a changing rate, a pause, and times that begin late.
  static let files: [(name: String, arguments: String)] = [
    ("closed.mkv", "-c:v libx264 -g 50 -bf 3 -preset veryfast -c:a aac"),
    ("open.mkv", "-c:v libx264 -x264-params open_gop=1:keyint=40:bframes=4 -c:a libmp3lame"),
    ("refresh.mkv", "-c:v libx264 -x264-params intra-refresh=1:keyint=40 -c:a flac"),
    (
      "hevc.mkv",
      "-c:v libx265 -preset ultrafast -x265-params open-gop=1:keyint=30:log-level=none -c:a ac3"
    ),
    ("vp9.webm", "-c:v libvpx-vp9 -g 40 -deadline realtime -cpu-used 8 -c:a libopus"),
    (
      "rates.mkv",
      "-vf select='mod(n,7)' -fps_mode vfr -c:v libx264 -g 20 -bf 2 -c:a pcm_s16le"
    ),
    (
      "pause.mkv",
      "-af aselect='not(between(t,10,10.73))' -c:v libx264 -g 25 -preset veryfast -c:a aac"
    ),
    ("late.mkv", "-c:v libx264 -g 50 -bf 3 -preset veryfast -c:a ac3 -output_ts_offset 7200"),
    ("sound.mka", "-map 1:a -c:a aac"),
    (
      "two.mkv",
      "-map 0 -map 1 -map 1 -c:v libx264 -g 25 -c:a:0 aac -c:a:1 libmp3lame -preset veryfast"
    ),
    ("closed.ts", "-c:v libx264 -g 50 -bf 3 -preset veryfast -c:a aac"),
    ("mpeg2.ts", "-c:v mpeg2video -g 15 -bf 2 -b:v 2M -c:a mp2"),
    ("late.ts", "-c:v libx264 -g 50 -bf 3 -preset veryfast -c:a ac3 -output_ts_offset 95000"),
  ]

  private func make(_ file: (name: String, arguments: String)) throws -> String {
    try fixtures.make(
      file.name,
      "-f lavfi -i testsrc2=s=160x96:r=25:d=40 -f lavfi -i sine=r=48000:d=40 -threads 1 "
        + file.arguments)
  }

  private func asset(_ path: String, isPrecise: Bool) -> URLAsset {
    var options = URLAsset.Options()
    options.preferPreciseDurationAndTiming = isPrecise
    var configuration = EngineConfiguration()
    configuration.alwaysIndexesWindows = true
    return URLAsset(url: path, options: options, configuration: configuration)
  }

  private func hasWholeIndex(_ asset: URLAsset) throws -> Bool {
    let tracks = try asset.media.content.presentation(interrupt: Interrupt()).tracks
    return try #require(tracks.first?.timeline.stored).source.hasIndexes
  }

  /// All that an export makes and says.
  private struct Copy: Equatable {
    var bytes: [UInt8] = []
    var range: TimeRange?
    var planned: TimeRange?
    var estimate: Int64?
    var dropped: [String] = []
    var error: EngineError.Code?
  }

  private func copy(
    _ asset: URLAsset, _ range: TimeRange, _ mode: TrimMode, to type: FileType,
    _ preset: ExportPreset = .passthrough
  ) async throws -> Copy {
    let path = "\(fixtures.folder)/\(UInt64.random(in: .min ... .max)).\(type.name)"
    var configuration = ExportConfiguration()
    configuration.timeRange = range
    configuration.trimMode = mode
    let planner = ExportPlanner(asset)
    var copy = Copy()
    do throws(EngineError) {
      let session = try ExportSession(
        asset: asset, preset: preset, fileType: type, configuration: configuration)
      copy.planned = try await planner.preflight(session).timeRange
      // The rate of the source's video, by which encoded video is estimated, is that of all its samples.
      if preset.isPassthrough {
        copy.estimate = try await planner.estimate(session).fileLength
      }
      let summary = try await session.export(to: path)
      copy.range = summary.timeRange
      copy.dropped = summary.dropped.map { "\($0.item) \($0.reason)" }
    } catch {
      copy.error = error.code
    }
    if copy.error == nil { copy.bytes = try Array(Data(contentsOf: URL(filePath: path))) }
    return copy
  }

  private static func range(_ start: Double, _ duration: Double) -> TimeRange {
    TimeRange(
      start: Time(seconds: start, preferredTimescale: 1000),
      duration: Time(seconds: duration, preferredTimescale: 1000))
  }

  @Test(arguments: files.indices)
  func copiesAreThoseByTheWholeIndex(_ file: Int) async throws {
    let path = try make(Self.files[file])
    let (windows, whole) = (asset(path, isPrecise: false), asset(path, isPrecise: true))
    let name = Self.files[file].name
    for (range, type) in [
      (Self.range(19.987, 3), FileType.mp4), (Self.range(22, 0.02), .mov),
      (Self.range(17.34, 5.211), .mkv),
    ] {
      for mode in [TrimMode.editList, .keyframe, .smart] {
        let found = try await copy(windows, range, mode, to: type)
        let expected = try await copy(whole, range, mode, to: type)
        #expect(found == expected, "\(name) \(range.secondsDescription) \(mode) \(type.name)")
      }
    }
    #expect(try hasWholeIndex(whole))
    // Pictures that become correct gradually may lead back to the first one, and the cues of audio alone that FFmpeg 7.1
    // writes aren't relied on.
    let mayNeedAll = name.hasPrefix("refresh") || name == "sound.mka"
    if !mayNeedAll { #expect(try !hasWholeIndex(windows), "\(name)") }
  }

  /// Pictures without audio are decoded from windows.
  @Test(arguments: [0, 1, 3, 4, 10, 12])
  func encodedPicturesAreThoseByTheWholeIndex(_ file: Int) async throws {
    let path = try make(Self.files[file])
    let (windows, whole) = (asset(path, isPrecise: false), asset(path, isPrecise: true))
    let preset = try #require(ExportPreset("GIF"))
    for range in [Self.range(19.987, 1), Self.range(22.5, 0.3)] {
      let found = try await copy(windows, range, .editList, to: .gif, preset)
      let expected = try await copy(whole, range, .editList, to: .gif, preset)
      #expect(found == expected, "\(Self.files[file].name) \(range.secondsDescription)")
      #expect(found.error == nil)
    }
    #expect(try hasWholeIndex(whole))
    #expect(try !hasWholeIndex(windows), "\(Self.files[file].name)")
  }

  /// At the ends of the file, and for a large part of it, all of the index counts.
  @Test func rangesAtTheEndsAreThoseByTheWholeIndex() async throws {
    let path = try make(Self.files[0])
    for range in [
      Self.range(0, 2), Self.range(1, 5), Self.range(38, 1.5), Self.range(39, 60),
      Self.range(41, 1), Self.range(0, 39), Self.range(20, 0),
    ] {
      for mode in [TrimMode.editList, .keyframe] {
        let found = try await copy(asset(path, isPrecise: false), range, mode, to: .mp4)
        let expected = try await copy(asset(path, isPrecise: true), range, mode, to: .mp4)
        #expect(found == expected, "\(range.secondsDescription) \(mode)")
      }
    }
  }

  /// Lines of text may begin long before a range: all of the file is indexed for them.
  @Test func textIsNeverReadByWindows() async throws {
    let lines = "1\n00:00:01,000 --> 00:00:38,000\nAll the time\n"
    let text = "\(fixtures.folder)/long.srt"
    try Data(lines.utf8).write(to: URL(filePath: text))
    let source = try make(Self.files[0])
    let path = try fixtures.make(
      "text.mkv", "-i \(source) -i \(text) -map 0 -map 1 -c copy -c:s srt")
    let asset = asset(path, isPrecise: false)
    let copied = try await copy(asset, Self.range(20, 2), .editList, to: .mkv)
    #expect(copied.error == nil)
    #expect(try hasWholeIndex(asset))
    let shown = String(decoding: copied.bytes, as: UTF8.self)
    #expect(shown.contains("All the time"))
  }
}
