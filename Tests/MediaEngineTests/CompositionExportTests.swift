import Foundation
import MediaTime
import Testing

@testable import MediaEngine

/// The exports of compositions, apart from video and audio.
struct CompositionExportTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// A clip with subtitles; each text has its file's name, and when it begins and ends there.
  private func clip(_ name: String, _ texts: [(Int, Int)], codec: String) throws -> String {
    func stamp(_ milliseconds: Int) -> String {
      String(
        format: "00:%02d:%02d,%03d", milliseconds / 60_000, milliseconds / 1000 % 60,
        milliseconds % 1000)
    }
    let lines = texts.enumerated().map { number, times in
      "\(number + 1)\n\(stamp(times.0)) --> \(stamp(times.1))\n\(name) \(number)\n"
    }
    let script = "\(fixtures.folder)/\(name).srt"
    try lines.joined(separator: "\n").write(toFile: script, atomically: true, encoding: .utf8)
    return try fixtures.make(
      codec == "mov_text" ? "\(name).mp4" : "\(name).mkv",
      "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -i \(script) -vf format=yuv420p,setparams=range=tv:"
        + "colorspace=smpte170m -c:v libx264 -preset ultrafast -g 10 -c:s \(codec)")
  }

  private struct Cue: Equatable {
    let text: String
    let start: Int
    let end: Int
  }

  /// The texts of a file, by ffmpeg, with times in milliseconds.
  private func cues(of path: String) throws -> [Cue] {
    let script = "\(path).out.srt"
    try fixtures.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", script])
    let blocks = try String(contentsOfFile: script, encoding: .utf8)
      .components(separatedBy: "\n\n").map { $0.split(separator: "\n") }
    func milliseconds(_ stamp: Substring) -> Int {
      let parts = stamp.split { ":, ".contains($0) }.compactMap { Int($0) }
      return parts.count == 4 ? ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3] : -1
    }
    return blocks.compactMap { block in
      guard block.count >= 3, let arrow = block[1].range(of: " --> ") else { return nil }
      return Cue(
        text: block[2...].joined(separator: " "),
        start: milliseconds(block[1][..<arrow.lowerBound]),
        end: milliseconds(block[1][arrow.upperBound...]))
    }
  }

  /// Subtitles of another codec in each part: cut where their part is, moved with it, twice as fast where it is.
  @Test(arguments: ["mkv", "mp4"], ["MediumQuality", "Passthrough"])
  func textsOfSeveralPartsComeAlong(_ type: String, _ preset: String) async throws {
    let one = try clip("one", [(200, 900), (1500, 2500), (3000, 3500)], codec: "subrip")
    let two = try clip("two", [(0, 400), (1000, 1400), (1800, 3900)], codec: "mov_text")
    func range(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(
        start: Time(value: start, timescale: 1000), end: Time(value: end, timescale: 1000))
    }
    let composition = MutableComposition()
    // With whole groups of pictures, so that they can be copied.
    try await composition.insertTimeRange(range(800, 2000), of: URLAsset(url: one))
    try await composition.insertTimeRange(range(800, 2800), of: URLAsset(url: two))
    if preset != "Passthrough" {
      try await composition.scaleTimeRange(
        range(1200, 3200), toDuration: Time(value: 1, timescale: 1))
    }
    let target = "\(fixtures.folder)/\(preset).\(type)"
    let chosen: ExportPreset = try #require(ExportPreset(preset))
    let session = try ExportSession(
      asset: try composition.current(), preset: chosen, outputURL: target)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.isEmpty, "\(summary.dropped)")
    let speed = preset == "Passthrough" ? 1 : 2
    let expected = [
      Cue(text: "one 0", start: 0, end: 100), Cue(text: "one 1", start: 700, end: 1200),
      Cue(text: "two 1", start: 1200 + 200 / speed, end: 1200 + 600 / speed),
      Cue(text: "two 2", start: 1200 + 1000 / speed, end: 1200 + 2000 / speed),
    ]
    let found = try cues(of: target)
    try #require(found.map(\.text) == expected.map(\.text))
    for (cue, wanted) in zip(found, expected) {
      #expect(abs(cue.start - wanted.start) <= 1 && abs(cue.end - wanted.end) <= 1, "\(cue)")
    }
  }

  /// Files of subtitles of a composition that is a part of another one: cut, moved and sped up with its other tracks.
  @Test(arguments: ["mkv", "mp4"])
  func subtitlesOfACompositionComeAlong(_ type: String) async throws {
    _ = try clip("one", [(200, 900), (1500, 2500), (3000, 3500)], codec: "subrip")
    let film = try fixtures.make(
      "film.mp4", "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -c:v libx264 -g 10 -pix_fmt yuv420p")
    let inner = MutableComposition()
    try await inner.insertTimeRange(of: URLAsset(url: film))
    var file = SubtitleFile(url: "\(fixtures.folder)/one.srt")
    file.timeOffset = Time(value: -1, timescale: 2)
    (file.language, file.name, file.isForced) = ("es", "Uno", true)
    var late = file
    (late.timeOffset, late.language, late.isForced) = (Time(value: 1, timescale: 1), "ru", false)
    try await inner.set([.subtitleTracks([file, late])])
    let outer = MutableComposition()
    let second = Time(value: 1, timescale: 1)
    try await outer.insertTimeRange(
      TimeRange(start: .zero, duration: second), of: URLAsset(url: film))
    try await outer.insertTimeRange(
      TimeRange(start: second, duration: second + second), of: try inner.current())
    try await outer.scaleTimeRange(
      TimeRange(start: second, duration: second + second), toDuration: second)
    #expect(try outer.current().duration == second + second)
    let target = "\(fixtures.folder)/nested.\(type)"
    let session = try ExportSession(
      asset: try outer.current(), preset: ExportPreset("MediumQuality"),
      outputURL: target)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.isEmpty, "\(summary.dropped)")
    // On the clock of the film they are from 1 to 2 s, and from 2.5 to 3 s.
    let found = try cues(of: target)
    try #require(found.map(\.text) == ["one 1", "one 2"])
    #expect(abs(found[0].start - 1000) <= 1 && abs(found[0].end - 1500) <= 1, "\(found)")
    #expect(abs(found[1].start - 1750) <= 1 && abs(found[1].end - 2000) <= 1, "\(found)")
    let facts = try fixtures.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "s", "-show_entries", "stream_tags=language"]
        + ["-show_entries", "stream_disposition=forced", "-of", "csv=p=0", target])
    let lines = String(decoding: facts, as: UTF8.self).split(separator: "\n")
    #expect(lines == ["1,spa", "0,rus"])
    // The document of the whole makes the same.
    let timeline = try outer.current().timeline { .url($0.path) }
    var assets: [String: any Asset] = [:]
    for (name, source) in timeline.sources {
      if case .url(let url) = source.location { assets[name] = URLAsset(url: url) }
    }
    let again = try await MutableComposition(timeline, assets: assets).current()
    #expect(again.timeline { .url($0.path) }.tracks == timeline.tracks)
  }

  /// A photo at the end is there as long as it should be, also for who goes by times alone.
  @Test func aStillAtTheEndIsShownToTheEnd() async throws {
    let clip = try fixtures.make(
      "moving.mp4", "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -c:v libx264 -bf 2 -pix_fmt yuv420p")
    let photo = try fixtures.make(
      "photo.png", "-f lavfi -i color=red:s=64x36 -frames:v 1 -update 1")
    let composition = MutableComposition()
    try await composition.insertTimeRange(of: URLAsset(url: clip))
    try await composition.insertTimeRange(
      TimeRange(start: .zero, duration: Time(value: 3, timescale: 1)), of: URLAsset(url: photo))
    let target = "\(fixtures.folder)/show.mp4"
    let preset: ExportPreset = try #require(ExportPreset("MediumQuality"))
    let session = try ExportSession(
      asset: try composition.current(), preset: preset, outputURL: target)
    try session.begin()
    _ = try await session.run()
    let times = try fixtures.packets(of: target, stream: "v:0").map(\.time).sorted()
    try #require(times.count == 27)
    #expect(abs(times[25] - 1) < 0.001 && abs(times[26] - 3.96) < 0.001)
  }
}
