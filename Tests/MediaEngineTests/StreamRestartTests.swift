import Foundation
import LibAV
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Streams that are restarted at times in any order, against streams that are opened for these.
struct StreamRestartTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  /// All that a taker sees of a sample.
  private struct Facts: Equatable {
    let time: Time
    let decodeTime: Time?
    let duration: Time
    let count: Int
    let trims: [Time?]
    let byteCount: Int
    let digest: Int

    init(_ sample: SampleBuffer) {
      (time, decodeTime, duration) = (
        sample.presentationTime, sample.decodeTime, sample.duration
      )
      count = sample.sampleCount
      trims = [
        sample.attachments.trimDurationAtStart, sample.attachments.trimDurationAtEnd,
      ]
      byteCount = sample.data.count
      digest = sample.data.withBytes { bytes in
        var hasher = Hasher()
        for index in bytes.indices { hasher.combine(bytes[index]) }
        return hasher.finalize()
      }
    }
  }

  private typealias Samples = any MediaStream<SampleBuffer>

  private static func next(_ count: Int, of stream: Samples) async throws -> [Facts] {
    var found: [Facts] = []
    while found.count < count, let sample = try await stream.next() { found.append(Facts(sample)) }
    return found
  }

  /// Restarts a stream at times that lie anywhere, and a little ahead of each other, and reads some
  /// samples after each.
  private func check(
    _ end: Time, seed: UInt64 = 1, _ open: (TimeRange) throws -> Samples
  ) async throws {
    let stream = try open(TimeRange(start: .zero, end: end))
    let restartable = try #require(stream.restartable)
    var random = SeededGenerator(seed: seed)
    let length = Int64(end.seconds * 1000)
    var time = Int64(0)
    for number in 0..<24 {
      switch number % 4 {
      // Across all of the track, with its start and its end.
      case 0: time = Int64.random(in: 0..<length, using: &random)
      case 1: time = min(length - 1, time + Int64.random(in: 0...90, using: &random))
      case 2: time = min(length - 1, time + Int64.random(in: 0...700, using: &random))
      default: time = max(0, time - Int64.random(in: 0...900, using: &random))
      }
      if number == 9 { time = 0 }
      if number == 16 { time = length - 1 }
      // Some are read to the end, and continue after it.
      let count = number == 13 ? .max : Int.random(in: 0...7, using: &random)
      let start = Time.milliseconds(time)
      try restartable.restart(at: start)
      let wanted = try open(TimeRange(start: start, end: end))
      let (found, expected) = (
        try await Self.next(count, of: stream), try await Self.next(count, of: wanted)
      )
      #expect(found.map(\.time) == expected.map(\.time), "restart \(number) at \(time) ms")
      #expect(found == expected, "restart \(number) at \(time) ms")
      wanted.stop()
    }
    stream.stop()
  }

  private func track(_ path: String, _ type: MediaType) throws -> TrackInfo {
    try #require(try Fixtures.tracks(path, type).first)
  }

  private func check(
    _ path: String, _ type: MediaType, _ settings: OutputSettings
  ) async throws {
    let track = try track(path, type)
    let range = try track.timeline.timeRange(interrupt: Interrupt())
    try await check(range.end) { range in
      try settings.samples(of: track, TrackReading(range: range, interrupt: Interrupt()))
    }
  }

  private static let gray = OutputSettings.video(pixelFormat: "gray", width: nil, height: nil)

  @Test(arguments: [
    ("a.mp4", "-c:v libx264 -preset ultrafast -bf 3 -g 12"),
    ("a.mkv", "-c:v libx264 -preset ultrafast -bf 2 -g 250"),
    ("a.ts", "-c:v mpeg2video -bf 2 -g 15"), ("a.avi", "-c:v mjpeg"),
    ("a.webm", "-c:v libvpx -deadline realtime -g 30"),
  ])
  func pictures(_ name: String, _ codec: String) async throws {
    let path = try fixtures.make(
      name, "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -pix_fmt yuv420p " + codec)
    try await check(path, .video, Self.gray)
    try await check(path, .video, .stored)
  }

  @Test(arguments: [
    ("a.mov", "-c:a pcm_s16le"), ("a.m4a", "-c:a aac -aac_pns 0 -b:a 96k"),
    ("a.mka", "-c:a libvorbis"), ("a.flac", "-c:a flac"), ("a.mp3", "-c:a libmp3lame"),
  ])
  func audio(_ name: String, _ codec: String) async throws {
    let path = try fixtures.make(
      name,
      "-f lavfi -i aevalsrc=0.5*sin(2*PI*t*(200+300*t))|0.4*sin(2*PI*t*410):d=4:s=44100 " + codec)
    for rate in [nil, 32000] {
      try await check(
        path, .audio,
        .audio(sampleFormat: "f32", sampleRate: rate, channels: nil, interleaved: true))
    }
    try await check(path, .audio, .stored)
  }

  @Test func texts() async throws {
    let cues = (0..<12).map { number in
      "\(number)\n00:00:0\(number / 4),\(number % 4)00 --> 00:00:0\(number / 4 + 1),500\nCue \(number)\n"
    }
    let source = "\(fixtures.folder)/a.srt"
    try Data(cues.joined(separator: "\n").utf8).write(to: URL(filePath: source))
    let path = try fixtures.make("a.mkv", "-i \(source) -c:s srt")
    try await check(path, .subtitle, .text)
  }

  /// Two ranges of two files with a gap between them, one of them slowed down: pictures, with the gap filled too,
  /// audio, and a mix of audio with itself.
  @Test func tracksOfSeveralParts() async throws {
    let sources = try (0..<2).map { number in
      try fixtures.make(
        "part\(number).mov",
        "-f lavfi -i testsrc2=s=64x36:r=\(25 - number):d=2 -f lavfi -i "
          + "aevalsrc=0.4*sin(2*PI*t*\(300 + 200 * number)):d=2:s=\(number == 0 ? 44100 : 48000) "
          + "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p -c:a pcm_s16le")
    }
    func timeline(_ type: MediaType) throws -> TrackTimeline {
      let media = try sources.map { try track($0, type).requireStored() }
      return try TrackTimeline(
        parts: [
          .init(
            media[0],
            mapping: TimeMapping(
              source: .milliseconds(200, 1900), target: .milliseconds(0, 1700))),
          .init(emptyTarget: .milliseconds(1700, 2300)),
          .init(
            media[1],
            mapping: TimeMapping(
              source: .milliseconds(300, 1300), target: .milliseconds(2300, 3600))),
        ], of: type, path: "parts")
    }
    let (video, audio) = (try timeline(.video), try timeline(.audio))
    let end = Time.milliseconds(3600)
    func reading(_ range: TimeRange) -> TrackReading {
      TrackReading(range: range, interrupt: Interrupt())
    }
    let form = PictureForm(
      kind: .raw(try #require(PixelFormat(name: "gray"))),
      size: WantedSize())
    try await check(end) { range in
      DecodedPictures(
        try video.frames(reading(range), priority: .interactive), reading(range), form: form,
        canvas: nil)
    }
    let canvas = Canvas(width: 64, height: 36)
    try await check(end, seed: 2) { range in
      DecodedPictures(
        GapFilledFrames(
          try video.frames(reading(range), priority: .interactive), canvas: canvas, range: range),
        reading(range), form: form, canvas: canvas)
    }
    let settings = AudioSettings(sampleFormat: .f32, isInterleaved: true)
    try await check(end, seed: 3) { range in try audio.audio(reading(range), settings) }
    let info = TrackInfo(
      trackID: 1, mediaType: .audio, timeline: audio, movie: nil, metadata: [], isEnabled: true)
    try await check(end, seed: 4) { range in
      try MixedAudio([(info, nil), (info, nil)], by: nil, reading(range), settings: settings)
    }
  }

  @Test func videoCompositions() async throws {
    let asset = try await MutableComposition.overlapping(
      try fixtures.numbered("one.mkv", base: 20), try fixtures.numbered("two.mkv", base: 120)
    ).current()
    let end = Time.milliseconds(5000)
    let composed = try asset.media.content.presentation(interrupt: Interrupt())
      .composed(by: .dissolve, drawnBy: nil, duration: end)
    let track = try #require(composed.tracks.first)
    try await check(end) { range in
      try Self.gray.samples(of: track, TrackReading(range: range, interrupt: Interrupt()))
    }
  }

  /// Elements that were read before a restart, and the one that is being read then, don't come after it.
  @Test func readingAheadBeginsAgain() async throws {
    let numbers = Numbers()
    let stream = ReadAhead(
      NumberSource(numbers), on: WorkQueue("numbers"), priority: .interactive,
      interrupt: Interrupt(), path: "")
    #expect(try await stream.next() == 0)
    #expect(try await stream.next() == 1)
    // The reading of one of the next is held back while the stream begins again.
    let (reached, opened) = numbers.holdBack(5)
    for number in 2..<5 { #expect(try await stream.next() == number) }
    _ = await reached.wait()
    stream.restart(at: 100)
    opened.fire(true)
    for number in 100..<110 { #expect(try await stream.next() == number) }
    // After the end, after a failure, and after having been stopped.
    numbers.end(at: 112, failing: false)
    stream.restart(at: 110)
    #expect(try await [stream.next(), stream.next(), stream.next()] == [110, 111, nil])
    stream.restart(at: 20)
    #expect(try await stream.next() == 20)
    numbers.end(at: 41, failing: true)
    stream.restart(at: 40)
    #expect(try await stream.next() == 40)
    await #expect(throws: EngineError.self) { try await stream.next() }
    stream.restart(at: 7)
    #expect(try await stream.next() == 7)
    stream.stop()
    stream.restart(at: 9)
    #expect(try await stream.next() == 9)
    stream.stop()
  }

  /// Reading for a clock precedes other work while less than the bound is ready: seven frames of 40 ms are more.
  @Test func readingAheadOfAClockIsBounded() async throws {
    let numbers = Numbers()
    let (full, continued) = numbers.holdBack(7)
    let stream = ReadAhead(
      NumberSource(numbers, capacity: 8, duration: .milliseconds(40)), on: WorkQueue("numbers"),
      priority: .realTime(ready: .zero), interrupt: Interrupt(), path: "")
    _ = await full.wait()
    #expect(stream.currentPriority == .realTime(ready: .milliseconds(280)))
    for number in 0..<3 { #expect(try await stream.next() == number) }
    #expect(stream.currentPriority == .realTime(ready: .milliseconds(160)))
    let (restarted, opened) = numbers.holdBack(100)
    continued.fire(true)
    stream.restart(at: 100)
    _ = await restarted.wait()
    #expect(stream.currentPriority == .realTime(ready: .zero))
    opened.fire(true)
    #expect(try await stream.next() == 100)
    stream.stop()
  }
}

/// The rules of a ``NumberSource``, which the test changes while it is read.
private final class Numbers: Sendable {
  private struct State {
    var held: (number: Int, reached: Signal<Bool>, opened: Signal<Bool>)?
    var end = Int.max
    var isFailing = false
  }
  private let state = Mutex(State())

  func holdBack(_ number: Int) -> (reached: Signal<Bool>, opened: Signal<Bool>) {
    let (reached, opened) = (Signal<Bool>(), Signal<Bool>())
    state.withLock { $0.held = (number, reached, opened) }
    return (reached, opened)
  }

  func end(at number: Int, failing isFailing: Bool) {
    state.withLock { ($0.end, $0.isFailing) = (number, isFailing) }
  }

  func step(_ number: Int) throws(EngineError) -> StreamStep<Int> {
    let (held, end, isFailing) = state.withLock { ($0.held, $0.end, $0.isFailing) }
    if let held, held.number == number {
      held.reached.fire(true)
      _ = held.opened.waitBlocking()
    }
    guard number >= end else { return .element(number) }
    if isFailing { throw EngineError(.undecodableMediaData, "No number \(number)") }
    return .end
  }
}

/// Counts from 0, or from the place that it is restarted at.
private final class NumberSource: RestartableSource {
  private let numbers: Numbers
  private var number = 0
  private let capacity: Int
  private let duration: Time

  init(_ numbers: Numbers, capacity: Int = 3, duration: Time = .zero) {
    (self.numbers, self.capacity, self.duration) = (numbers, capacity, duration)
  }

  func next() throws(EngineError) -> StreamStep<Int> {
    defer { number += 1 }
    return try numbers.step(number)
  }

  func restart(at place: Int) { number = place }

  func capacity(for element: Int) -> Int { capacity }
  func duration(of element: Int) -> Time { duration }
}
