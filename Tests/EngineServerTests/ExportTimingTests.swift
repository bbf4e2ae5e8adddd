import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The times of encoded frames and audio: as in the source, according to ffprobe and ffmpeg.
struct ExportTimingTests {
  private let folder = TemporaryFolder()

  private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -g 24 -threads 1"
  private static func picture(_ seconds: Int, rate: String = "25") -> String {
    "-f lavfi -i testsrc2=size=96x64:rate=\(rate):duration=\(seconds)"
  }
  private static func noise(_ seconds: Int) -> String {
    "-f lavfi -i anoisesrc=color=pink:amplitude=0.3:seed=7:sample_rate=48000:duration=\(seconds)"
  }

  private static let uneven =
    "\(picture(3, rate: "50")) \(noise(3)) "
    + "-vf select=not(mod(n\\,3))+eq(mod(n\\,7)\\,0) -fps_mode vfr -enc_time_base 1/90000 "
    + "-video_track_timescale 90000 \(h264) -c:a aac"
  /// Frames at uneven distances, on a fine clock and on one of milliseconds.
  private static let unevenFine = Fixture("uneven.mp4", uneven)
  private static let unevenCoarse = Fixture("uneven.mkv", uneven)
  private static let ntsc = Fixture(
    "ntsc.mkv", "\(picture(3, rate: "60000/1001")) \(noise(3)) \(h264) -c:a libopus")

  /// Tracks that don't begin or end together, and one with hardly any frames.
  private static let lateSound = Fixture(
    "latesound.mp4",
    "-i @bframes.mp4 -itsoffset 1.5 -i @bframes.mp4 -map 0:v -map 1:a -c copy",
    from: ["bframes.mp4"])
  private static let shortAudio = Fixture(
    "shortsound.mp4", "\(picture(6)) \(noise(1)) \(h264) -c:a aac")
  private static let shortPicture = Fixture(
    "shortpicture.mkv", "\(picture(1)) \(noise(6)) \(h264) -c:a libopus")
  private static let sparse = Fixture(
    "sparse.mp4", "\(picture(60, rate: "1/15")) \(noise(60)) \(h264) -c:a aac")

  private func times(_ path: String) async throws -> [Time] {
    try await Oracle.frames(of: path).map(\.time)
  }

  /// By ffprobe, which leaves times as they are, where ffmpeg mends them.
  private func rawTimes(_ path: String) async throws -> [Double] {
    let json = try await Oracle.probe(path, ["-select_streams", "v:0", "-show_frames"])
    guard case .array(let frames)? = json["frames"] else { throw NoPackets() }
    return frames.compactMap {
      $0["best_effort_timestamp_time"]?.stringValue.flatMap(Double.init)
    }
  }

  private struct NoPackets: Error {}

  @discardableResult
  private func export(
    _ fixture: Fixture, _ preset: String, _ target: String, _ range: TimeRange? = nil
  ) async throws -> ExportSessionDidFinish {
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(fixture), preset: preset, outputURL: target,
          timeRange: range.map(WireTimeRange.init)))
      try #require(result.status == .completed, "\(String(describing: result.error))")
      return result
    }
  }

  /// Every frame is shown when it was and as long as it was; where the container's clock is coarser,
  /// rounded to it. FFmpeg 5 puts AAC's delay before everything in Matroska, and doesn't mark it.
  @Test(
    arguments: [Fixture.variableRate, unevenFine, unevenCoarse, ntsc, .transport],
    ["mp4", "mov", "mkv"])
  func framesKeepTheirTimes(_ fixture: Fixture, _ type: String) async throws {
    let source = try await fixture.path
    let target = folder.file("\(fixture.name).\(type)")
    try await export(fixture, "MediumQuality", target)
    let (before, after) = try await (times(source), times(target))
    try #require(after.count == before.count)
    let delay = type == "mkv" ? try #require(after.first) - before[0] : .zero
    let delays: [Time] = [.zero, .seconds(1024, 44100), .seconds(1024, 48000)]
    #expect(
      delays.contains { (delay - $0).absoluteValue <= .seconds(1, 1000) }, "\(delay)")
    let tolerance = type == "mkv" ? Time.seconds(1, 1000) : .zero
    let wrong = zip(before, after).enumerated().filter { _, times in
      (times.1 - delay - times.0).absoluteValue > tolerance
    }
    #expect(wrong.map(\.offset) == [])
  }

  /// The frames of a range begin with the one that is shown at its start, cut to it, and the last ends
  /// with it.
  @Test(arguments: ["mp4", "mov", "mkv"]) func aRangeCutsTheFirstFrameAndTheLast(
    _ type: String
  ) async throws {
    let all = try await times(try await Fixture.variableRate.path)
    // In the middle of two frames.
    let start = all[10] + (all[11] - all[10]).multiplied(byRatio: 1, 2)
    let end = all[20] + (all[21] - all[20]).multiplied(byRatio: 1, 2)
    let target = folder.file("range.\(type)")
    try await export(
      .variableRate, "MediumQuality", target, TimeRange(start: start, end: end))
    let tolerance = type == "mkv" ? Time.seconds(1, 1000) : .zero
    let after = try await times(target)
    let expected = [.zero] + all[11...20].map { $0 - start }
    try #require(after.count == expected.count)
    #expect(zip(after, expected).allSatisfy { ($0 - $1).absoluteValue <= tolerance }, "\(after)")
    let length = try await Oracle.length(of: target)
    #expect(abs(length - (end - start).seconds) < 0.0011, "\(length)")
  }

  /// A track that begins late or ends early does so in the result, and the longer track is whole.
  @Test(
    arguments: [Fixture.delayed, lateSound, shortAudio, shortPicture, sparse], ["mp4", "mkv"])
  func tracksBeginAndEndWhereTheyDid(_ fixture: Fixture, _ type: String) async throws {
    let target = folder.file("\(fixture.name).\(type)")
    try await export(fixture, "LowQuality", target)
    let (old, new) = try await (extent(try await fixture.path), extent(target))
    try #require(old.count == 2 && new.count == 2)
    // The encoder's delay may come first, as silence; the last block may be longer than its audio.
    let frame = 2 * 1024.0 / 44100
    let delay = type == "mkv" ? new[0].start - old[0].start : 0
    #expect(delay >= -0.001 && delay < frame)
    for (before, after) in zip(old, new) {
      #expect(abs(after.start - delay - before.start) < frame, "\(old) \(new)")
      #expect(abs(after.end - delay - before.end) < frame, "\(old) \(new)")
    }
    #expect(abs(new[0].start - delay - old[0].start) < 0.001)
  }

  /// The starts and ends of picture and audio, in seconds.
  private func extent(_ path: String) async throws -> [(start: Double, end: Double)] {
    let origin = try await Oracle.origin(of: path).seconds
    var all: [(start: Double, end: Double)] = []
    for stream in ["v:0", "a:0"] {
      let json = try await Oracle.probe(path, ["-select_streams", stream, "-show_packets"])
      guard case .array(let packets)? = json["packets"] else { throw NoPackets() }
      let shown = packets.filter { $0["flags"]?.stringValue?.contains("D") != true }
      let times = shown.compactMap { packet -> (Double, Double)? in
        guard let start = packet["pts_time"]?.stringValue.flatMap(Double.init) else { return nil }
        return (start, start + (packet["duration_time"]?.stringValue.flatMap(Double.init) ?? 0))
      }
      all.append(
        (
          max(0, (times.map(\.0).min() ?? 0) - origin), (times.map(\.1).max() ?? 0) - origin
        ))
    }
    return all
  }

  /// Without loss every sample is in its place: none more, none less, the first the range's.
  @Test(arguments: ["WAV", "FLAC"]) func soundIsCountedInSamples(_ preset: String) async throws {
    let noise = Fixture("noise.wav", "\(Self.noise(4)) -ac 2 -c:a pcm_s16le")
    let whole = try await Oracle.sound(of: try await noise.path, format: "s16le")
    for (place, range) in [
      nil, TimeRange(start: .seconds(1, 3), duration: .seconds(7, 5)),
      TimeRange(start: .seconds(44_101, 44_100), duration: .positiveInfinity),
    ].enumerated() {
      let target = folder.file("\(place).\(preset.lowercased())")
      try await export(noise, preset, target, range)
      let sound = try await Oracle.sound(of: target, format: "s16le")
      let first = range.map { ($0.start.seconds * 48000).rounded(.up) } ?? 0
      let last = range.map { min(4, $0.end.seconds) * 48000 } ?? 4 * 48000
      let isEqual = sound == Array(whole[Int(first) * 4..<Int(last.rounded(.up)) * 4])
      #expect(isEqual, "\(place)")
    }
  }

  /// Audio after a gap is heard at its time, also by a codec whose delay is no whole number of
  /// blocks, and nothing is heard in between.
  @Test(arguments: [
    ("LowQuality", "mp4"), ("VP91280x720", "webm"), ("FLAC", "ogg"), ("WAV", "wav"),
    ("AppleProRes422LPCM", "mov"), ("AppleProRes422LPCM", "mkv"),
  ])
  func soundAfterAPauseIsInItsPlace(_ preset: String, _ type: String) async throws {
    let gap = Fixture(
      "toneGap.mkv",
      "-f lavfi -i sine=frequency=440:sample_rate=48000:duration=3 "
        + "-af aselect=not(between(t\\,1\\,2)),volume=4 -c:a pcm_s16le")
    let target = folder.file("out.\(type)")
    try await export(gap, preset, target)
    // Where time stamps continue after a pause, ffmpeg puts silence; it must not move them before.
    let filled = ["-af", "aresample=async=48000:min_hard_comp=0.01:first_pts=0", "-ac", "1"]
    func loudness(_ path: String) async throws -> [Bool] {
      let bytes = try await succeed(
        ["ffmpeg", "-v", "error", "-copyts", "-i", path] + filled + ["-f", "s16le", "-"]
      ).output
      let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
        Double(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
      }
      return stride(from: 0, to: samples.count - 239, by: 240).map { start in
        samples[start..<start + 240].reduce(0) { $0 + $1 * $1 } / 240 > 1_000_000
      }
    }
    let (before, after) = try await (loudness(try await gap.path), loudness(target))
    #expect(before.contains(true) && before.contains(false))
    // In windows of 5 ms: audio coded with loss rings a little at its edges.
    let wrong = zip(before, after).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    let edges = before.indices.dropFirst().filter { before[$0] != before[$0 - 1] }
    #expect(wrong.allSatisfy { place in edges.contains { abs($0 - place) <= 2 } }, "\(wrong)")
    #expect(abs(before.count - after.count) <= 8)
  }

  /// Audio that begins later than the picture does so in a movie too, whose edit list has a clock
  /// of its own: a millisecond would be rounded down.
  @Test func aLateStartIsNotRounded() async throws {
    let late = Fixture(
      "lateTone.mkv",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -itsoffset 0.062 -f lavfi "
        + "-i sine=frequency=440:sample_rate=44100:duration=1 -c:v libx264 -bf 0 -c:a pcm_s16le")
    let target = folder.file("out.mov")
    try await export(late, "Passthrough", target)
    let start = try #require(try await Oracle.packets(of: target, stream: "a:0").first?.pts)
    #expect(abs(start.seconds - 0.062) < 0.0001, "\(start)")
  }

  /// The encoder decides which pictures are sync samples, independently of the source's.
  @Test func syncSamplesAreTheEncodersChoice() async throws {
    let target = folder.file("out.mp4")
    try await export(.bframes, "HighestQuality", target)
    let before = try await Oracle.packets(of: try await Fixture.bframes.path, stream: "v:0")
    let after = try await Oracle.packets(of: target, stream: "v:0")
    #expect(before.count == 50 && before.count(where: \.isKey) == 5)
    #expect(after.count == 50 && after.count(where: \.isKey) == 1)
  }

  /// Times that go back don't reach the encoder; every frame is there, and those with good times keep
  /// them.
  @Test(arguments: ["mp4", "mkv"]) func timesThatGoBackRise(_ type: String) async throws {
    let straight = folder.file("straight.mp4")
    try await succeed(
      ["ffmpeg", "-v", "error"] + Self.picture(3).split(separator: " ").map(String.init)
        + ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", straight])
    let source = folder.file("back.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-i", straight, "-c", "copy", "-bsf:v",
      "setts=dts=DTS:pts='PTS+0.4/TB-if(eq(mod(N,30),15),0.2/TB,0)'", source,
    ])
    let target = folder.file("out.\(type)")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.call(AssetOpen(url: source)).asset, preset: "LowQuality",
          outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
    }
    let (before, after) = try await (rawTimes(source), rawTimes(target))
    #expect(before != before.sorted())
    #expect(after.count == before.count)
    #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 })
    let isIncluded = zip(before, after).count { abs($0 - $1) <= 0.001 }
    #expect(isIncluded >= before.count - 3 * 6)
  }

  /// A clock that begins again: the second part is shown after the first, at its own pace.
  @Test func aClockThatBeginsAgainGoesOn() async throws {
    let part = try contents(of: try await Fixture.transport.path)
    let source = try folder.write("twice.ts", part + part)
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.call(AssetOpen(url: source)).asset, preset: "LowQuality",
          outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
    }
    let after = try await times(target)
    #expect(after.count == 100)
    #expect(zip(after, after.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(after, after.dropFirst()).allSatisfy { ($1 - $0).seconds < 0.1 })
    #expect(abs(try await Oracle.duration(of: target) - 4) < 0.1)
  }
}
