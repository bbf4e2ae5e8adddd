import Foundation
import LibAV
import MediaTime
import Testing

@testable import MediaEngine

/// Audio of several parts: encoded once, or copied packet by packet, together with video that is
/// copied.
extension JoinTests {
  /// Twenty half seconds of AAC: audio that is encoded once has exactly the samples of its
  /// duration.
  @Test func audioIsExactToTheSample() async throws {
    let files = [try clip("a.mp4"), try clip("b.mp4", frequency: 900)]
    let clips = (0..<20).map { number in
      Clip(
        path: files[number % 2],
        range: Self.range(Int64(number % 4) * 333, Int64(number % 4) * 333 + 500))
    }
    let target = "\(fixtures.folder)/out.m4a"
    try await Self.join(try Self.asset(clips, [.audio]), to: target)
    #expect(
      try fixtures.probe(target, "-show_entries stream=codec_name,duration_ts,time_base")
        == ["aac,1/48000,480000"])
    // FFmpeg outputs the last packet whole, independently of the track's length.
    let values = try fixtures.samples(of: target, as: "f32le", Float.self)
    #expect((480_000..<481_024).contains(values.count))
    // Each half second has its own pitch: crossings of zero, but for the encoder's smear at the edges.
    for number in 0..<20 {
      let part = values[(24_000 * number + 2400)..<(24_000 * number + 21_600)]
      let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
      let expected = number % 2 == 0 ? 320 : 720
      #expect(abs(crossings - expected) <= 6, "\(number)")
    }
  }

  /// Linear samples stay as they are, with any cut.
  @Test func linearSamplesAreTheSources() async throws {
    let files = [
      try clip("a.mov", video: "-c:v mjpeg", audio: "-c:a pcm_s24le"),
      try clip("b.mov", frequency: 777, video: "-c:v mjpeg", audio: "-c:a pcm_s24le"),
    ]
    let target = "\(fixtures.folder)/out.mov"
    let clips = [
      Clip(path: files[0], range: Self.range(101, 707)),
      Clip(path: files[1], range: Self.range(13, 1999)),
    ]
    try await Self.join(try Self.asset(clips, [.audio]), to: target)
    let own = try files.map { try fixtures.samples(of: $0, as: "s32le", Int32.self) }
    let made = try fixtures.samples(of: target, as: "s32le", Int32.self)
    #expect(
      made == Array(own[0][(101 * 48)..<(707 * 48)]) + Array(own[1][(13 * 48)..<(1999 * 48)]))
    #expect(try fixtures.probe(target, "-show_entries stream=codec_name") == ["pcm_s24le"])
  }

  /// Packets that are copied: those of the sources, and no part is further off than half a packet.
  @Test(arguments: ["mp4", "mkv", "ts"])
  func packetsOfAudioAreCopied(_ type: String) async throws {
    let files = [
      try clip("a.mp4", sweep: 300), try clip("b.mp4", frequency: 700, sweep: 250),
      try clip("c.mp4", frequency: 1000, sweep: 500),
    ]
    // Three quarters of a second, which is no number of packets of 1024 samples.
    let clips = (0..<60).map { number in
      let start = Int64(number % 7) * 111
      return Clip(path: files[number % 3], range: Self.range(start, start + 750))
    }
    let target = "\(fixtures.folder)/out.\(type)"
    let summary = try await Self.join(try Self.asset(clips, [.audio]), to: target) {
      $0.joins.audio = .copy
    }
    #expect(
      summary.trimNote?.contains("up to 11 ms early or late") == true, "\(summary.trimNote ?? "")")
    let own = try files.map { Set(try fixtures.packetHashes(of: $0, "0:a")) }
    var made = try fixtures.packetHashes(
      of: target, "0:a", type == "ts" ? "-bsf:a aac_adtstoasc" : "")
    #expect(made.allSatisfy { hash in own.contains { $0.contains(hash) } })
    // Those before the start, of which there is an edit list to hide them.
    if type == "mp4" { made.removeFirst(made.count - 2109) }
    // 45 s are 2109.4 packets.
    #expect(made.count == 2109)
    let lists = try files.map { try fixtures.packetHashes(of: $0, "0:a") }
    for (number, clip) in clips.enumerated() {
      let first = Int((Double(number) * 0.75 * 48_000 / 1024).rounded())
      // The first packet of the source is the encoder's delay.
      let place = try #require(lists[number % 3].firstIndex(of: made[first])) - 1
      let heard = Double(first) - Double(place)
      let wanted = (Double(number) * 0.75 - clip.range.start.seconds) * 48_000 / 1024
      #expect(abs(heard - wanted) <= 0.5, "\(number)")
    }
    try requireDecodes(target)
  }

  /// One part of one file is cut as the file itself is: nothing is encoded.
  @Test func audioOfOnePartIsCopied() async throws {
    let file = try clip("a.mp4")
    let target = "\(fixtures.folder)/out.mp4"
    try await Self.join(
      try Self.asset([Clip(path: file, range: Self.range(480, 1500))]), to: target)
    let own = Set(try fixtures.packetHashes(of: file, "0:a"))
    #expect(try fixtures.packetHashes(of: target, "0:a").allSatisfy(own.contains))
    #expect(
      try fixtures.probe(target, "-select_streams a:0 -show_entries stream=duration_ts")
        == ["\(1020 * 48)"])
  }

  /// Settings over Passthrough encode the media that they name; the rest is copied, and cut alike.
  @Test(arguments: ["mp4", "mkv"], [false, true])
  func oneKindIsCopiedAndTheOtherEncoded(_ type: String, _ isPart: Bool) async throws {
    let file = try clip("a.mp4", seconds: 3, sweep: 300)
    let range = isPart ? Self.range(600, 2400) : .all
    func export(_ name: String, _ settings: ExportSettings) async throws -> String {
      var configuration = ExportConfiguration()
      configuration.settings = settings
      configuration.timeRange = range
      let target = "\(fixtures.folder)/\(name).\(type)"
      let session = try ExportSession(
        asset: URLAsset(url: file), preset: .passthrough, outputURL: target,
        configuration: configuration)
      try session.begin()
      #expect(try await session.run().dropped.isEmpty)
      try requireDecodes(target)
      return target
    }
    let frames = try fixtures.frames(of: file, "0:v")
    let wanted = isPart ? Array(frames[15..<60]) : frames
    var audio = ExportSettings()
    audio.audio = .encoded(AudioEncodingSettings())
    guard case .encoded(var encoding) = audio.audio else { return }
    encoding.codec = AudioCodec("flac")
    audio.audio = .encoded(encoding)
    let copied = try await export("video", audio)
    #expect(try fixtures.probe(copied, "-show_entries stream=codec_name") == ["h264", "flac"])
    let shown = try fixtures.frames(of: copied, "0:v")
    try #require(shown.count == wanted.count)
    // In Matroska, which has no edit list, the edges of a part are encoded.
    if type == "mp4" || !isPart {
      #expect(shown == wanted)
    } else {
      #expect(Array(shown[9..<33]) == Array(wanted[9..<33]))
    }
    let own = try fixtures.samples(of: file, as: "s16le", Int16.self)
    let made = try fixtures.samples(of: copied, as: "s16le", Int16.self)
    let part = isPart ? Array(own[28_800..<115_200]) : own
    // FLAC has no more and no other samples than are decoded.
    #expect(made.count == (isPart ? 86_400 : 144_000))
    #expect(zip(made, part).allSatisfy { abs(Int($0) - Int($1)) <= 1 })

    var video = ExportSettings()
    video.video = .encoded(VideoEncodingSettings())
    let other = try await export("audio", video)
    let hashes = Set(try fixtures.packetHashes(of: file, "0:a"))
    #expect(try fixtures.packetHashes(of: other, "0:a").allSatisfy(hashes.contains))
    #expect(try fixtures.frames(of: other, "0:v").count == wanted.count)
  }
}
