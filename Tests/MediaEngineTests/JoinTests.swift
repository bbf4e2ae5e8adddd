import Foundation
import LibAV
import MediaTime
import Synchronization
import SystemIO
import Testing

@testable import MediaEngine

/// Passthrough of tracks that are made of parts of files: `ffmpeg` and `ffprobe` judge the result.
struct JoinTests {
  let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  static func time(_ milliseconds: Int64) -> Time { Time(value: milliseconds, timescale: 1000) }

  static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
  }

  /// A range of a file, or an empty edit.
  struct Clip {
    var path: String?
    var range: TimeRange
    var duration: Time?

    static func all(_ path: String, _ milliseconds: Int64) -> Clip {
      Clip(path: path, range: JoinTests.range(0, milliseconds))
    }
  }

  /// The clips one after the other, one track of each type.
  static func asset(_ clips: [Clip], _ types: [MediaType] = [.video, .audio]) throws -> PartsAsset {
    var sources: [String: [TrackInfo]] = [:]
    for path in Set(clips.compactMap(\.path)) {
      let content = URLAsset(url: path).media.content
      sources[path] = try content.presentation(interrupt: Interrupt()).tracks
    }
    var tracks: [TrackInfo] = []
    for (number, type) in types.enumerated() {
      var parts: [TrackTimeline.Part] = []
      var end = Time.zero
      for clip in clips {
        let target = TimeRange(start: end, duration: clip.duration ?? clip.range.duration)
        end = target.end
        guard let path = clip.path else {
          parts.append(.init(emptyTarget: target))
          continue
        }
        let media = try #require(sources[path]?.first { $0.mediaType == type }).requireStored()
        parts.append(.init(media, mapping: TimeMapping(source: clip.range, target: target)))
      }
      tracks.append(
        TrackInfo(
          trackID: Int32(number + 1), mediaType: type,
          timeline: try TrackTimeline(parts: parts, of: type, path: "parts"), movie: nil,
          metadata: [],
          isEnabled: true))
    }
    return PartsAsset(tracks, files: Array(Set(clips.compactMap(\.path))).sorted())
  }

  @discardableResult
  static func join(
    _ asset: PartsAsset, to target: String, _ change: (inout ExportConfiguration) -> Void = { _ in }
  ) async throws -> ExportSummary {
    var configuration = ExportConfiguration()
    change(&configuration)
    let session = try ExportSession(
      asset: asset, preset: .passthrough, outputURL: target,
      configuration: configuration)
    try session.begin()
    return try await session.run()
  }

  /// Two seconds of video at 25 Hz with a group of 12 frames, and AAC audio. The colours are stated
  /// to be the same for any source, since FFmpeg 7 states them for some sources.
  func clip(
    _ name: String, _ source: String = "testsrc2", frequency: Int = 400, seconds: Int = 2,
    video: String = "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p",
    audio: String = "-c:a aac -b:a 96k", rate: String = "25", sweep: Int = 0
  ) throws -> String {
    let colors =
      video.contains("yuv420p") ? "-vf format=yuv420p,setparams=range=tv:colorspace=smpte170m" : ""
    return try fixtures.make(
      name,
      "-f lavfi -i \(source)=s=96x64:r=\(rate):d=\(seconds) -f lavfi -i "
        + "aevalsrc=0.5*sin(2*PI*t*(\(frequency)+\(sweep)*t)):s=48000:d=\(seconds) "
        + "\(colors) \(video) \(audio)")
  }

  /// Presentation times of packets in seconds, in order of time.
  func times(_ path: String) throws -> [Double] {
    try fixtures.packets(of: path, stream: "v:0").map(\.time).sorted()
  }

  func requireDecodes(_ path: String) throws {
    // `-v error` and `-xerror`: an error of the decoder ends it.
    _ = try fixtures.samples(of: path, as: "null", UInt8.self, "-xerror")
  }

  /// All of three files: nothing is encoded but the audio.
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func wholeFilesAreCopied(_ type: String) async throws {
    let files = [
      try clip("a.mp4"), try clip("b.mp4", "testsrc", frequency: 700),
      try clip("c.mov", "smptebars", frequency: 1000),
    ]
    let target = "\(fixtures.folder)/out.\(type)"
    let summary = try await Self.join(
      try Self.asset(files.map { .all($0, 2000) }), to: target)
    #expect(summary.dropped.isEmpty)
    #expect(summary.timeRange == Self.range(0, 6000))
    let filter = "-bsf:v h264_mp4toannexb"
    let expected = try files.flatMap { try fixtures.packetHashes(of: $0, "0:v", filter) }
    #expect(expected.count == 150)
    if type != "ts" {
      #expect(try fixtures.packetHashes(of: target, "0:v", filter) == expected)
    }
    #expect(
      try fixtures.frames(of: target, "0:v")
        == files.flatMap { try fixtures.frames(of: $0, "0:v") })
    let times = try times(target)
    try #require(times.count == 150)
    let first = times[0]
    // Matroska's zero is the encoder's first sample, which is heard before the start.
    if ["mp4", "mov"].contains(type) { #expect(first == 0) }
    for (number, time) in times.enumerated() {
      #expect(abs(time - first - Double(number) / 25) < 0.0006, "\(number)")
    }
    try requireDecodes(target)
  }

  /// The frames that a file has from a number on.
  private func frames(_ path: String, _ numbers: Range<Int>) throws -> [String] {
    Array(try fixtures.frames(of: path, "0:v")[numbers])
  }

  /// Cuts inside groups of pictures: those at the edges are encoded, all others are copied.
  @Test(arguments: [
    ("mp4", "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p"),
    ("mkv", "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p"),
    (
      "mp4",
      "-c:v libx265 -pix_fmt yuv420p -preset ultrafast -x265-params keyint=12:log-level=error -tag:v hvc1"
    ),
  ])
  func edgesAreEncoded(_ type: String, _ codec: String) async throws {
    let files = [
      try clip("a.mp4", video: codec), try clip("b.mp4", "testsrc", frequency: 700, video: codec),
    ]
    // Frames 7 to 37, 3 to 44, 20 to 49 at 25 Hz, with groups of 12.
    let wanted = [(0, 7..<38), (1, 3..<45), (0, 20..<50)]
    let clips = wanted.map { file, numbers in
      Clip(
        path: files[file],
        range: Self.range(Int64(numbers.lowerBound) * 40, Int64(numbers.upperBound) * 40))
    }
    let target = "\(fixtures.folder)/out.\(type)"
    try await Self.join(try Self.asset(clips), to: target)
    let expected = try wanted.flatMap { file, numbers in try frames(files[file], numbers) }
    let made = try fixtures.frames(of: target, "0:v")
    try #require(made.count == expected.count)
    let numbers = wanted.flatMap { file, numbers in numbers.map { (file, $0) } }
    var copied = 0
    for (place, (_, number)) in numbers.enumerated() {
      // Whole groups after a part's first frame and before its last.
      let group = number / 12
      let part = wanted[place < 31 ? 0 : place < 73 ? 1 : 2].1
      guard group * 12 >= part.lowerBound, group * 12 + 12 <= part.upperBound else { continue }
      copied += 1
      #expect(made[place] == expected[place], "\(place)")
    }
    #expect(copied == 24 + 24 + 24)
    let times = try times(target)
    for (number, time) in times.enumerated() {
      #expect(abs(time - times[0] - Double(number) / 25) < 0.0011)
    }
    try requireDecodes(target)
    // Nothing may be encoded.
    let error = await #expect(throws: EngineError.self) {
      try await Self.join(try Self.asset(clips), to: "\(fixtures.folder)/key.\(type)") {
        $0.trimMode = .keyframe
      }
    }
    #expect(error?.code == .operationNotSupportedForAsset)
    for number in 0..<3 { #expect(error?.message.contains("segment \(number)") == true) }
    #expect(try !fixtures.names().contains("key.\(type)"))
  }

  /// Five hundred parts of a third of a second: every frame is right, at the end as at the start.
  @Test func nothingAddsUp() async throws {
    let video = "-c:v libx264 -preset ultrafast -bf 2 -g 10 -pix_fmt yuv420p"
    let files = [
      try clip("a.mp4", video: video, rate: "30"),
      try clip("b.mp4", "testsrc", frequency: 700, video: video, rate: "30"),
    ]
    let third = Time(value: 1, timescale: 3)
    let clips = (0..<500).map { number in
      Clip(
        path: files[number % 2],
        range: TimeRange(
          start: Time(value: Int64(number % 5), timescale: 3), duration: third))
    }
    let target = "\(fixtures.folder)/out.mp4"
    try await Self.join(try Self.asset(clips), to: target)
    let own = try files.map { try fixtures.frames(of: $0, "0:v") }
    var expected: [String] = []
    for number in 0..<500 {
      let first = number % 5 * 10
      expected += own[number % 2][first..<first + 10]
    }
    #expect(try fixtures.frames(of: target, "0:v") == expected)
    let times = try times(target)
    try #require(times.count == 5000)
    for (number, time) in times.enumerated() {
      #expect(abs(time - Double(number) / 30) < 0.000_001, "\(number)")
    }
    #expect(
      try fixtures.probe(target, "-select_streams a:0 -show_entries stream=duration_ts")
        == ["8000000"])
  }

  /// Other clocks, delays and parameter sets: joined in band, and only where that is requested.
  @Test(arguments: ["mp4", "mov", "mkv", "ts"])
  func otherParameterSetsAreJoinedInBand(_ type: String) async throws {
    let files = [
      try clip("a.mp4", video: "-c:v libx264 -preset ultrafast -bf 0 -g 12 -pix_fmt yuv420p"),
      try clip(
        "b.mov", "testsrc",
        video: "-c:v libx264 -preset medium -bf 3 -pix_fmt yuv420p -video_track_timescale 90000",
        rate: "30000/1001"),
      try clip("c.mp4", video: "-c:v libx264 -preset ultrafast -bf 0 -g 12 -pix_fmt yuv420p"),
    ]
    let clips = [
      Clip.all(files[0], 2000),
      Clip(
        path: files[1],
        range: TimeRange(start: .zero, duration: Time(value: 60060, timescale: 30000))),
      Clip(path: files[2], range: Self.range(120, 1700)),
    ]
    let target = "\(fixtures.folder)/out.\(type)"
    let error = await #expect(throws: EngineError.self) {
      try await Self.join(try Self.asset(clips), to: target)
    }
    #expect(error?.code == .operationNotSupportedForAsset)
    #expect(error?.message.contains("segment 1 ") == true)
    #expect(error?.message.contains("segment 2 ") == false)
    #expect(error?.message.contains("parameter sets") == true)
    #expect(try !fixtures.names().contains("out.\(type)"))
    try await Self.join(try Self.asset(clips), to: target) { $0.joins.video = .inBand }
    if ["mp4", "mov"].contains(type) {
      #expect(
        try fixtures.probe(target, "-select_streams v:0 -show_entries stream=codec_tag_string")
          == ["avc3"])
    }
    let made = try fixtures.frames(of: target, "0:v")
    let own = try files.map { try fixtures.frames(of: $0, "0:v") }
    try #require(own[1].count == 60 && made.count == 50 + 60 + 40)
    #expect(Array(made[..<110]) == own[0] + own[1])
    // The group from frame 12 on, after the encoded edge of nine frames.
    #expect(Array(made[119..<143]) == Array(own[2][12..<36]))
    let times = try times(target)
    let first = times[0]
    let starts: [Double] =
      (0..<50).map { Double($0) / 25 } + (0..<60).map { 2 + Double($0) * 1001 / 30000 }
      + (0..<40).map { 4.002 + Double($0) / 25 }
    for (time, start) in zip(times, starts) { #expect(abs(time - first - start) < 0.0011) }
    try requireDecodes(target)
    // A decode that begins with a later part finds its parameter sets.
    let late = try fixtures.samples(
      of: target, as: "framemd5", UInt8.self, "-map 0:v -frames:v 1 -ss 2.5")
    #expect(!late.isEmpty)
  }

  /// The differences are listed for each part.
  @Test func otherFormatsAreRefused() async throws {
    let files = [
      try clip("a.mp4"),
      try fixtures.make(
        "b.mp4", "-f lavfi -i testsrc=s=128x64:r=25:d=1 -c:v libx264 -pix_fmt yuv444p"),
      try fixtures.make("c.mp4", "-f lavfi -i testsrc=s=96x64:r=25:d=1 -c:v mpeg4"),
    ]
    let asset = try Self.asset(files.map { .all($0, 1000) }, [.video])
    let error = await #expect(throws: EngineError.self) {
      try await Self.join(asset, to: "\(fixtures.folder)/out.mp4")
    }
    let message = error?.message ?? ""
    #expect(message.contains("segment 1 "))
    #expect(message.contains("size is 128×64, the track's 96×64"))
    #expect(message.contains("pixel format is yuv444p, the track's yuv420p"))
    #expect(message.contains("codec is mpeg4, the track's h264"))
    #expect(try !fixtures.names().contains("out.mp4"))
  }

  /// Gaps, another speed and a held picture are times and nothing else; every frame of Motion JPEG can begin
  /// a part.
  @Test(arguments: ["mov", "mkv"])
  func timesAreStretchedAndGapsStay(_ type: String) async throws {
    let file = try clip("a.mov", video: "-c:v mjpeg -q:v 3", audio: "-c:a pcm_s16le")
    let clips = [
      Clip(path: file, range: Self.range(200, 600)), Clip(path: nil, range: Self.range(0, 500)),
      Clip(path: file, range: Self.range(1000, 1400), duration: Self.time(1000)),
      Clip(path: file, range: Self.range(1800, 1840), duration: Self.time(3000)),
      Clip(path: file, range: Self.range(0, 80)),
    ]
    let target = "\(fixtures.folder)/out.\(type)"
    try await Self.join(try Self.asset(clips, [.video]), to: target)
    let own = try fixtures.frames(of: file, "0:v")
    #expect(
      try fixtures.frames(of: target, "0:v")
        == Array(own[5..<15]) + Array(own[25..<35]) + [own[45]] + Array(own[0..<2]))
    let first: [Double] = (0..<10).map { Double($0) / 25 }
    let slow: [Double] = (0..<10).map { 0.9 + Double($0) / 10 }
    let expected = first + slow + [1.9, 4.9, 4.94]
    let times = try times(target)
    try #require(times.count == expected.count)
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.0006 }, "\(times)")
  }

  /// A preflight's report of each segment matches the export.
  @Test func aPreflightListsTheSegments() async throws {
    let files = [
      try clip("a.mp4"), try clip("b.mp4", "testsrc"),
      try clip("c.mp4", video: "-c:v libx264 -preset medium -pix_fmt yuv420p"),
    ]
    let clips = [
      Clip.all(files[0], 2000), Clip(path: files[1], range: Self.range(520, 1000)),
      Clip(path: nil, range: Self.range(0, 300)), Clip.all(files[2], 2000),
    ]
    let asset = try Self.asset(clips)
    let session = try ExportSession(
      asset: asset, preset: .passthrough, outputURL: "\(fixtures.folder)/out.mp4")
    let flight = try await ExportPlanner(asset).preflight(session)
    #expect(flight.tracks.map(\.treatment) == [.copied, .encoded])
    let video = try #require(flight.tracks[0].segments)
    #expect(video.map(\.number) == [0, 1, 3])
    #expect(video.map(\.treatment) == [.copied, .edgesEncoded, .refused])
    #expect(
      video.map(\.timeRange) == [
        Self.range(0, 2000), Self.range(2000, 2480), Self.range(2780, 4780),
      ])
    #expect(video[0].reason == nil)
    #expect(video[2].reason?.contains("parameter sets") == true)
    let audio = try #require(flight.tracks[1].segments)
    #expect(audio.map(\.treatment) == [.encoded, .encoded, .encoded])
    #expect(audio[0].reason == "aac can't be cut between two samples")
    // A file's own tracks have none.
    let plain = URLAsset(url: files[0])
    let other = try ExportSession(
      asset: plain, preset: .passthrough, outputURL: "\(fixtures.folder)/plain.mp4")
    #expect(
      try await ExportPlanner(plain).preflight(other).tracks.allSatisfy { $0.segments == nil })
  }

  /// A hundred parts of two files: no more descriptors are open than for a few.
  @Test func onePartIsOpenAtATime() async throws {
    let files = [try clip("a.mp4"), try clip("b.mp4", frequency: 700)]
    let clips = (0..<100).map { Clip.all(files[$0 % 2], 2000) }
    let asset = try Self.asset(clips)
    let folder = fixtures.folder
    @Sendable func open() -> Int {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return all.count { number in
        let path = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(number)")
        return path.map { $0.hasPrefix(folder) && $0.hasSuffix(".mp4") } ?? false
      }
    }
    // Looked at from the session's own thread, independently of other tests.
    let counts = Mutex<[Int]>([])
    let session = try ExportSession(
      asset: asset, preset: .passthrough, outputURL: "\(folder)/out.mkv")
    try session.begin()
    _ = try await session.run(progressInterval: 0.01) { _ in
      let count = open()
      counts.withLock { $0.append(count) }
    }
    let seen = counts.withLock { $0 }
    #expect(seen.count > 5)
    let maximum = seen.max() ?? 0
    // Each file once for its asset, and once more for the video and the audio that are being read.
    #expect((2...6).contains(maximum))
  }
}
