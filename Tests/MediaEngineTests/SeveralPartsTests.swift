import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// An asset whose tracks are made of parts of files: as in a composition. Nothing that reads assets
/// knows of it.
final class PartsAsset: Asset, PresentationSource {
  let path = "parts"
  let configuration = EngineConfiguration()
  let files: [String]
  let properties: AssetProperties
  private let content: Presentation

  init(_ tracks: [TrackInfo], files: [String]) {
    self.files = files
    content = Presentation(
      path: path, tracks: tracks, pictures: [], metadata: [], tagsAreOfTheFile: false,
      attachments: [], chapters: [])
    let queues = LoadQueues()
    properties = AssetProperties(
      PartsProperties(knownTracks: tracks.map { AssetTrack($0, queues: queues) }), queues: queues)
  }

  var media: AssetMedia { AssetMedia(self) }

  func presentation(interrupt: Interrupt) throws(EngineError) -> Presentation { content }
  func loadPresentation(interrupt: Interrupt) async throws(EngineError) -> Presentation { content }
  let prefersPreciseTiming = false

  func preciseDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    var end = Time.zero
    for track in content.tracks {
      end = max(end, try track.timeline.timeRange(interrupt: interrupt).end)
    }
    return end
  }
}

private struct PartsProperties: AssetPropertySource {
  let knownTracks: [AssetTrack]
  let isDurationDeep = false

  func tracks(interrupt: Interrupt) throws(EngineError) -> [AssetTrack] { knownTracks }
  func metadata(interrupt: Interrupt) throws(EngineError) -> [MetadataItem] { [] }
  func duration(interrupt: Interrupt) throws(EngineError) -> Time { .invalid }
  func providesPreciseDuration(interrupt: Interrupt) throws(EngineError) -> Bool { true }
  func movie(interrupt: Interrupt) throws(EngineError) -> Movie? { nil }
  func chapterLocale(interrupt: Interrupt) throws(EngineError) -> String? { nil }
  func chapterGroups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup] { [] }
}

/// A source that has neither an index nor an end, as a device has none; its samples are a file's.
private struct LiveSource: TrackSource {
  let file: StoredTrack

  var format: TrackFormat { file.format }
  var stored: StoredTrack? { nil }
  var isProtected: Bool { false }
  func requireUnprotected() throws(EngineError) {}
  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {}
  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange { .all }
  func damage(before end: Time) -> EngineError? { nil }
  func makeErrors(range: TimeRange) -> DecodeErrors? { nil }
  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    try file.frames(reading, priority: priority)
  }
  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> { try file.audio(reading, settings) }
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try file.texts(reading)
  }
  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    try file.storedSamples(reading, formats: formats)
  }
}

/// Two ranges of two files of other sizes, rates and layouts with a gap between them, through everything
/// that reads a track.
struct SeveralPartsTests {
  private let fixtures: Fixtures
  /// 64 × 36 at 25 Hz, stereo at 44.1 kHz.
  private let first: String
  /// 96 × 54 at 30000/1001 Hz, mono at 48 kHz.
  private let second: String

  init() throws {
    fixtures = try Fixtures()
    first = try fixtures.make(
      "first.mov",
      "-f lavfi -i testsrc2=s=64x36:r=25:d=2 -f lavfi -i "
        + "aevalsrc=0.5*sin(2*PI*t*(200+300*t))|0.4*sin(2*PI*t*410):d=2:s=44100 "
        + "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p -c:a pcm_s16le")
    second = try fixtures.make(
      "second.mov",
      "-f lavfi -i testsrc=s=96x54:r=30000/1001:d=2 -f lavfi -i "
        + "aevalsrc=0.6*sin(2*PI*t*333):d=2:s=48000 "
        + "-c:v libx264 -preset ultrafast -bf 0 -g 20 -pix_fmt yuv420p -c:a pcm_s16le")
  }

  private static func time(_ milliseconds: Int64) -> Time {
    Time(value: milliseconds, timescale: 1000)
  }

  private static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
  }

  /// 0.4 to 1.2 s of the first file at 0, nothing from 0.8 to 1.3 s, 0.5 to 1.5 s of the second at 1.3 s.
  private func timeline(
    _ type: MediaType, _ source: (StoredTrack) -> any TrackSource = { $0 }
  ) throws -> TrackTimeline {
    let media = try [first, second].map { path in
      source(try #require(try Fixtures.tracks(path, type).first).requireStored())
    }
    return try TrackTimeline(
      parts: [
        .init(
          media[0],
          mapping: TimeMapping(source: Self.range(400, 1200), target: Self.range(0, 800))),
        .init(emptyTarget: Self.range(800, 1300)),
        .init(
          media[1],
          mapping: TimeMapping(source: Self.range(500, 1500), target: Self.range(1300, 2300))),
      ], of: type, path: "parts")
  }

  private func asset(_ source: (StoredTrack) -> any TrackSource = { $0 }) throws -> PartsAsset {
    let tracks = try [MediaType.video, .audio].enumerated().map { number, type in
      TrackInfo(
        trackID: Int32(number + 1), mediaType: type, timeline: try timeline(type, source),
        movie: nil, metadata: [], isEnabled: true)
    }
    return PartsAsset(tracks, files: [first, second])
  }

  /// The frames of a file in order, as ffmpeg decodes them.
  private func frames(of path: String, size: Int) throws -> [[UInt8]] {
    let all = try fixtures.samples(of: path, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p")
    return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<$0 + size]) }
  }

  /// The frames that the video shows: the bytes, the start and the end of each.
  private func expectedFrames() throws -> [(bytes: [UInt8], start: Time, end: Time)] {
    let one = try frames(of: first, size: 64 * 36 * 3 / 2)
    let two = try frames(of: second, size: 96 * 54 * 3 / 2)
    var expected: [(bytes: [UInt8], start: Time, end: Time)] = []
    for number in 10..<30 {
      let start = Time(value: Int64(number), timescale: 25) - Self.time(400)
      expected.append((one[number], start, start + Time(value: 1, timescale: 25)))
    }
    for number in two.indices {
      func shown(_ number: Int) -> Time {
        Time(value: Int64(number) * 1001, timescale: 30000) + Self.time(800)
      }
      let (start, end) = (
        max(shown(number), Self.time(1300)), min(shown(number + 1), Self.time(2300))
      )
      if start < end { expected.append((two[number], start, end)) }
    }
    return expected
  }

  private func read(
    _ asset: any Asset, _ type: MediaType, _ settings: OutputSettings, _ range: TimeRange = .all
  ) async throws -> [SampleBuffer] {
    let reader = try await AssetReader(
      asset: asset, timeRange: range,
      outputs: [.init(track: .mediaType(type), settings: settings)])
    try reader.start()
    var all: [SampleBuffer] = []
    while true {
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 50)
      all += buffers
      if isAtEnd { break }
    }
    #expect(reader.status.status == .completed)
    return all
  }

  private static let yuv = OutputSettings.video(pixelFormat: "yuv420p", width: nil, height: nil)

  @Test func aReaderGivesTheFramesOfAllParts() async throws {
    let expected = try expectedFrames()
    let read = try await read(try asset(), .video, Self.yuv)
    try #require(read.count == expected.count)
    for (buffer, frame) in zip(read, expected) {
      #expect(buffer.presentationTime == frame.start)
      #expect(buffer.presentationTime + buffer.duration == frame.end)
      #expect([buffer].values(UInt8.self) == frame.bytes)
    }
  }

  /// A range has the frames that are shown in it, also where it begins in the gap.
  @Test(arguments: [(Int64(300), Int64(1400)), (900, 1333), (1299, 1301), (820, 1280)])
  func aReaderGivesARangeOfThem(_ start: Int64, _ end: Int64) async throws {
    let range = Self.range(start, end)
    let expected = try expectedFrames().filter { $0.start < range.end && $0.end > range.start }
    let read = try await read(try asset(), .video, Self.yuv, range)
    #expect(read.map(\.presentationTime) == expected.map(\.start))
    #expect(read.map { [$0].values(UInt8.self) } == expected.map(\.bytes))
  }

  @Test func imagesAreTheFilesOwn() async throws {
    var configuration = ImageGenerator.Configuration()
    configuration.requestedTimeToleranceBefore = .zero
    configuration.requestedTimeToleranceAfter = .zero
    let output = ImageOutput(format: "rgb24")
    let generator = ImageGenerator(asset: try asset(), configuration: configuration)
    let expected = try expectedFrames()
    for (time, path, own) in [
      (Int64(0), first, Int64(400)), (399, first, 799), (799, first, 1199), (1300, second, 500),
      (1777, second, 977), (2299, second, 1499),
    ] {
      let image = try await generator.image(at: Self.time(time), output: output)
      let file = ImageGenerator(asset: URLAsset(url: path), configuration: configuration)
      let same = try await file.image(at: Self.time(own), output: output)
      #expect((image.width, image.height) == (same.width, same.height))
      #expect(
        image.data.withBytes { a in
          same.data.withBytes { b in
            a.count == b.count && a.indices.allSatisfy { a[$0] == b[$0] }
          }
        })
      #expect(image.moment.isExact)
      let shown = expected.last { $0.start <= Self.time(time) }
      #expect(image.moment.actualTime == shown?.start)
    }
    // The first frame, and the gap.
    let start = try await generator.image(at: nil, output: output)
    #expect(start.moment.actualTime == .zero && start.moment.isExact)
    for time in [Int64(800), 1299, 2300, 5000] {
      let error = await #expect(throws: EngineError.self) {
        try await generator.image(at: Self.time(time), output: output)
      }
      #expect(error?.code == .noImageAtTime)
    }
  }

  /// In a gap the tolerance reaches the part before it, else the part after it; all in one request.
  @Test func tolerancesReachOverTheGap() async throws {
    var configuration = ImageGenerator.Configuration()
    configuration.requestedTimeToleranceBefore = Self.time(100)
    configuration.requestedTimeToleranceAfter = Self.time(100)
    let generator = ImageGenerator(asset: try asset(), configuration: configuration)
    for (time, actual) in [(Int64(850), Int64(760)), (1250, 1300)] {
      let image = try await generator.image(at: Self.time(time), output: ImageOutput())
      #expect(image.moment.actualTime == Self.time(actual))
      #expect(!image.moment.isExact)
    }
    await #expect(throws: EngineError.self) {
      try await generator.image(at: Self.time(1050), output: ImageOutput())
    }
  }

  private static func stereo(_ format: String = "f32") -> OutputSettings {
    .audio(sampleFormat: format, sampleRate: nil, channels: nil, interleaved: true)
  }

  /// The first part's samples as they are, silence as long as the gap, the second part resampled; on one
  /// grid, so that any range is a part of the whole.
  @Test func audioIsOnOneGrid() async throws {
    let one = try fixtures.samples(of: first, as: "f32le", Float.self)
    let two = try fixtures.samples(of: second, as: "f32le", Float.self, "-ar 44100 -ac 2")
    let buffers = try await read(try asset(), .audio, Self.stereo())
    let values = buffers.values(Float.self)
    try #require(values.count == 2 * 101_430)
    #expect(buffers.map(\.sampleCount).reduce(0, +) == 101_430)
    var next = Time.zero
    for buffer in buffers {
      #expect(buffer.presentationTime == next)
      next = next + buffer.duration
    }
    #expect(Array(values[..<(2 * 35_280)]) == Array(one[(2 * 17_640)..<(2 * 52_920)]))
    #expect(values[(2 * 35_280)..<(2 * 57_330)].allSatisfy { $0 == 0 })
    let rest = values[(2 * 57_330)...]
    let expected = two[(2 * 22_050)..<(2 * 66_150)]
    #expect(zip(rest, expected).allSatisfy { abs($0 - $1) < 2e-3 })
    for (start, end) in [(Int64(10_001), Int64(50_003)), (40_000, 57_331), (57_329, 90_007)] {
      let range = TimeRange(
        start: Time(value: start, timescale: 44100), end: Time(value: end, timescale: 44100))
      let part = try await read(try asset(), .audio, Self.stereo(), range).values(Float.self)
      #expect(part == Array(values[Int(2 * start)..<Int(2 * end)]), "\(start)..<\(end)")
    }
  }

  @Test func aWaveformShowsTheGap() async throws {
    let values = try await read(try asset(), .audio, Self.stereo()).values(Float.self)
    let waveform = try await asset().waveform(.init(count: 23))
    #expect(waveform.timeRange == Self.range(0, 2300))
    #expect(waveform.sampleRate == 44100)
    try #require(waveform.channels.count == 2)
    for part in 0..<23 {
      let own = (part * 4410..<(part + 1) * 4410).map { values[2 * $0] }
      #expect(waveform.channels[0].maximum[part] == own.max())
      #expect(waveform.channels[0].minimum[part] == own.min())
      if (8..<13).contains(part) { #expect(waveform.channels[0].rootMeanSquare[part] == 0) }
    }
  }

  @Test func anExportEncodesAllOfIt() async throws {
    let target = "\(fixtures.folder)/out.mov"
    let preset: ExportPreset = try #require(ExportPreset("MediumQuality"))
    let session = try ExportSession(asset: try asset(), preset: preset, outputURL: target)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.isEmpty)
    #expect(summary.timeRange == Self.range(0, 2300))
    let times = try fixtures.packets(of: target, stream: "v:0").map(\.time).sorted()
    // The gap is a black frame.
    let expected = try (expectedFrames().map(\.start.seconds) + [0.8]).sorted()
    try #require(times.count == expected.count)
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.0006 })
    let audio = try fixtures.samples(of: target, as: "f32le", Float.self, "-map 0:a:0")
    #expect(abs(audio.count / 2 - 101_430) <= 1024)
    #expect(audio[(2 * 38_000)..<(2 * 54_000)].allSatisfy { abs($0) < 0.01 })
    #expect(audio[(2 * 60_000)...].contains { abs($0) > 0.3 })
  }

  /// Samples of several parts can't be copied into one track as they are.
  @Test func copyingIsRefused() async throws {
    let target = "\(fixtures.folder)/copy.mov"
    let preset: ExportPreset = try #require(ExportPreset("Passthrough"))
    let session = try ExportSession(asset: try asset(), preset: preset, outputURL: target)
    try session.begin()
    let error = await #expect(throws: EngineError.self) { try await session.run() }
    #expect(error?.code == .operationNotSupportedForAsset)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  /// A source without an index can be read, and images are made from its frames: those of the stored source.
  @Test func aSourceNeedsNoIndex() async throws {
    let live = try asset { LiveSource(file: $0) }
    #expect(try await read(live, .video, Self.yuv).count == (try expectedFrames()).count)
    #expect(
      try await read(live, .audio, Self.stereo()).values(Float.self)
        == (try await read(try asset(), .audio, Self.stereo()).values(Float.self)))
    var exact = ImageGenerator.Configuration()
    (exact.requestedTimeToleranceBefore, exact.requestedTimeToleranceAfter) = (.zero, .zero)
    var images: [(time: Time, bytes: [UInt8])] = []
    for asset in [live, try asset()] {
      let image = try await ImageGenerator(asset: asset, configuration: exact)
        .image(at: .milliseconds(500), output: ImageOutput(format: "gray"))
      let bytes = image.data.withBytes { bytes in bytes.array }
      images.append((image.moment.actualTime, bytes))
    }
    #expect(images[0] == images[1])
    // A track that is nothing but such a source, which continues for ever.
    let media = try #require(try Fixtures.tracks(first, .video).first).requireStored()
    let endless = TrackTimeline(LiveSource(file: media))
    #expect(try endless.timeRange(interrupt: Interrupt()).duration == .positiveInfinity)
    let track = TrackInfo(
      trackID: 1, mediaType: .video, timeline: endless, movie: nil, metadata: [], isEnabled: true)
    let some = try await read(
      PartsAsset([track], files: [first]), .video, Self.yuv, Self.range(1000, 1200))
    #expect(some.map(\.presentationTime) == (25..<30).map { Time(value: $0, timescale: 25) })
  }
}
