import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Tracks without an index and an end, whose samples are pushed with jitter and drops: through readers, images,
/// exports and compositions.
struct PushedTrackTests {
  private static let size = (width: 32, height: 16)

  /// The picture of a number: all of its luma is that number.
  private static func picture(_ number: Int, at time: Time) throws -> SampleBuffer {
    let layout = try layout()
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: 40 + number), count: layout.size)
    return SampleBuffer(
      presentationTime: time, duration: .invalid, sampleCount: 1,
      attachments: SampleAttachments(),
      data: DataBuffer(block: try HeapAllocator().copy(bytes.span.bytes)),
      content: .picture(
        .init(
          pixelFormat: "gray", width: layout.width, height: layout.height,
          planes: layout.planes.map(PicturePlane.init), color: .init())))
  }

  private static func layout() throws -> PictureLayout {
    try PictureLayout(
      width: size.width, height: size.height, format: try #require(PixelFormat(name: "gray")))
  }

  private static func pictures(_ samples: PushedSamples) throws -> PushedTrack {
    let unspecified = ColorDescription.unspecifiedCode
    let color = ColorDescription(
      primaries: unspecified, transfer: unspecified, matrix: unspecified, isFullRange: nil)
    let media = try MediaFormat(
      ofPictures: try layout(), color: color, frameRate: Rational(25, 1))
    return PushedTrack(
      TrackFormat(path: "camera", media, timeBase: TimeBase(1, 1000)), samples)
  }

  private static func asset(_ tracks: [(MediaType, any TrackSource)]) -> PartsAsset {
    PartsAsset(
      tracks.enumerated().map { number, track in
        TrackInfo(
          trackID: Int32(number + 1), mediaType: track.0, timeline: TrackTimeline(track.1),
          movie: nil, metadata: [], isEnabled: true)
      }, files: [])
  }

  /// Stamps of a camera of 25 pictures a second, up to 9 ms off.
  private static func stamps(_ count: Int) -> [Time] {
    var random = SeededGenerator(seed: 7)
    return (0..<count).map {
      .milliseconds(Int64($0) * 40 + Int64.random(in: 0...9, using: &random))
    }
  }

  private static let gray = OutputSettings.video(pixelFormat: "gray", width: nil, height: nil)

  /// A reader is suspended until a sample is pushed, and ends with the pushed samples.
  @Test func aReaderTakesWhatIsPushed() async throws {
    let samples = PushedSamples(capacity: 1 << 20)
    let asset = Self.asset([(.video, try Self.pictures(samples))])
    let reader = try await AssetReader(
      asset: asset, timeRange: .all,
      outputs: [.init(track: .mediaType(.video), settings: Self.gray)])
    try reader.start()
    let stamps = Self.stamps(20)
    let read = Task { () -> [SampleBuffer] in
      var all: [SampleBuffer] = []
      while true {
        let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 3)
        all += buffers
        if isAtEnd { return all }
      }
    }
    for (number, time) in stamps.enumerated() {
      #expect(samples.deliver(try Self.picture(number, at: time)))
    }
    samples.finish()
    let all = try await read.value
    #expect(all.map(\.presentationTime) == stamps)
    // Each is shown until the next one.
    #expect(zip(all, stamps.dropFirst()).allSatisfy { $0.duration == $1 - $0.presentationTime })
    for (number, sample) in all.enumerated() {
      #expect([sample].values(UInt8.self).allSatisfy { Int($0) == 40 + number })
    }
  }

  /// A reader that lags costs samples, which are counted; nothing waits.
  @Test func whatHasNoRoomIsDroppedAndCounted() async throws {
    let size = try Self.layout().size
    let samples = PushedSamples(capacity: 4 * size)
    let stamps = Self.stamps(10)
    let taken = try stamps.enumerated().map { try samples.deliver(Self.picture($0, at: $1)) }
    #expect(taken == (0..<10).map { $0 < 4 })
    samples.countDropped(2, .discontinuity)
    #expect(samples.dropped == [.late: 6, .discontinuity: 2])
    samples.finish()
    #expect(try !samples.deliver(Self.picture(0, at: stamps[9])))
    #expect(samples.dropped == [.late: 6, .discontinuity: 2])
    let track = try Self.pictures(samples)
    let stream = try track.frames(
      TrackReading(range: .all, interrupt: Interrupt()), priority: .interactive)
    #expect(stream.restartable == nil)
    var times: [Time] = []
    reading: while true {
      switch try stream.take() {
      case .element(let frame): times.append(frame.timing.start)
      case .skipped: continue
      case .pending, .end: break reading
      }
    }
    #expect(times == Array(stamps[..<4]))
  }

  /// A range ends where it does, and not with the device.
  @Test func aRangeAndAnImage() async throws {
    let samples = PushedSamples(capacity: 1 << 20)
    for (number, time) in Self.stamps(50).enumerated() {
      samples.deliver(try Self.picture(number, at: time))
    }
    let asset = Self.asset([(.video, try Self.pictures(samples))])
    let reader = try await AssetReader(
      asset: asset, timeRange: .milliseconds(200, 400),
      outputs: [.init(track: .mediaType(.video), settings: Self.gray)])
    try reader.start()
    let (part, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 20)
    #expect(isAtEnd)
    let shown = Self.stamps(50).enumerated().filter { number, time in
      time < .milliseconds(400) && Self.stamps(50)[number + 1] > .milliseconds(200)
    }
    #expect(part.map(\.presentationTime) == shown.map(\.element))
    // The next frame is in an image.
    let generator = ImageGenerator(asset: asset)
    let image = try await generator.image(
      at: .milliseconds(1010), output: ImageOutput(format: "gray"))
    #expect(image.moment.actualTime == Self.stamps(50).last { $0 <= .milliseconds(1010) })
    #expect(image.data.withBytes { $0[0] } == 40 + 25)
  }

  /// An export encodes the samples pushed in its range, and audio whose stamps are off continues
  /// without a gap.
  @Test func anExportEncodesIt() async throws {
    let fixtures = try Fixtures()
    let (pictures, sound) = (PushedSamples(capacity: 1 << 24), PushedSamples(capacity: 1 << 24))
    for (number, time) in Self.stamps(75).enumerated() {
      pictures.deliver(try Self.picture(number, at: time))
    }
    var random = SeededGenerator(seed: 3)
    let tone = (0..<48000 * 3).map { Float(0.4 * sin(Double($0) * 0.05)) }
    for start in stride(from: 0, to: tone.count, by: 480) {
      // Stamps that are up to 20 ms off; the first is right.
      let jitter = start == 0 ? 0 : Int64.random(in: -20...20, using: &random)
      let part = Array(tone[start..<start + 480])
      sound.deliver(
        SampleBuffer(
          audio: DataBuffer(block: try HeapAllocator().copy(part.span.bytes)), count: 480,
          at: .milliseconds(Int64(start / 48) + jitter), try Self.mono(),
          AudioSettings(sampleFormat: .f32, isInterleaved: true)))
    }
    let audio = PushedTrack(
      TrackFormat(path: "microphone", try MediaFormat(ofAudio: try Self.mono())), sound)
    let asset = Self.asset([(.video, try Self.pictures(pictures)), (.audio, audio)])
    let target = "\(fixtures.folder)/out.mov"
    var configuration = ExportConfiguration()
    configuration.timeRange = .milliseconds(0, 2000)
    var (video, audioSettings) = (VideoEncodingSettings(), AudioEncodingSettings())
    video.codec = VideoCodec("prores")
    audioSettings.codec = AudioCodec("pcm_s16le")
    configuration.settings.video = .encoded(video)
    configuration.settings.audio = .encoded(audioSettings)
    let session = try ExportSession(
      asset: asset, preset: nil, outputURL: target, configuration: configuration)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.isEmpty)
    let times = try fixtures.packets(of: target, stream: "v:0").map(\.time).sorted()
    #expect(times == Self.stamps(50).map(\.seconds))
    let written = try fixtures.samples(of: target, as: "f32le", Float.self, "-map 0:a:0")
    #expect(written.count == 96_000)
    #expect(zip(written, tone).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  /// A mix continues within a block where one of its tracks had nothing yet.
  @Test func aMixWaitsForWhatIsPushed() async throws {
    let queues = (0..<2).map { _ in PushedSamples(capacity: 1 << 24) }
    let levels: [Float] = [0.25, 0.5]
    func push(_ track: Int, _ samples: Range<Int>) throws {
      let values = [Float](repeating: levels[track], count: samples.count)
      queues[track].deliver(
        SampleBuffer(
          audio: DataBuffer(block: try HeapAllocator().copy(values.span.bytes)),
          count: samples.count, at: Time(value: Int64(samples.lowerBound), timescale: 48000),
          try Self.mono(), AudioSettings(sampleFormat: .f32, isInterleaved: true)))
    }
    let tracks = try queues.enumerated().map { number, queue in
      TrackInfo(
        trackID: Int32(number + 1), mediaType: .audio,
        timeline: TrackTimeline(
          PushedTrack(
            TrackFormat(path: "microphone", try MediaFormat(ofAudio: try Self.mono())), queue)),
        movie: nil, metadata: [], isEnabled: true)
    }
    let mix = try MixedAudio(
      tracks.map { ($0, nil) }, by: nil,
      TrackReading(range: .milliseconds(0, 1000), interrupt: Interrupt()),
      settings: AudioSettings(sampleFormat: .f32, isInterleaved: true))
    var found: [SampleBuffer] = []
    func takeAll() throws -> Bool {
      while true {
        switch try mix.take() {
        case .element(let buffer): found.append(buffer)
        case .skipped: continue
        case .pending: return false
        case .end: return true
        }
      }
    }
    try push(1, 0..<48000)
    queues[1].finish()
    #expect(try !takeAll())
    for part in [0..<100, 100..<9000, 9000..<9001, 9001..<30000, 30000..<48000] {
      try push(0, part)
      _ = try takeAll()
    }
    queues[0].finish()
    #expect(try takeAll())
    #expect(found.map(\.sampleCount).reduce(0, +) == 48000)
    #expect(found.values(Float.self).allSatisfy { $0 == 0.75 })
    #expect(mix.restartable == nil)
  }

  private static func mono() throws -> AudioLayout {
    AudioLayout(format: .float, sampleRate: 48000, channels: .standard(channels: 1))
  }

  /// Coded pictures are decoded as they come, from the first sync sample on.
  @Test(arguments: ["libx264 -bf 2 -g 12", "mpeg2video -bf 2 -g 12", "mjpeg"])
  func codedPicturesAreDecoded(_ codec: String) async throws {
    let fixtures = try Fixtures()
    let file = try fixtures.make(
      "a.mkv", "-f lavfi -i testsrc2=s=64x36:r=25:d=2 -pix_fmt yuvj420p -c:v " + codec)
    let track = try #require(try Fixtures.tracks(file, .video).first)
    func reading() -> TrackReading { TrackReading(range: .all, interrupt: Interrupt()) }
    let stored = try OutputSettings.stored.samples(of: track, reading()).all()
    try #require(stored.count == 50)
    let whole = try await Self.all(Self.gray.samples(of: track, reading()))

    let samples = PushedSamples(capacity: 1 << 24)
    let pushed = PushedTrack(
      TrackFormat(path: "camera", track.format, timeBase: track.timeline.format.timeBase), samples)
    let stream: any MediaStream<SampleBuffer> = DecodedPictures(
      try pushed.frames(reading(), priority: .interactive), reading(),
      form: PictureForm(
        kind: .raw(try #require(PixelFormat(name: "gray"))),
        size: WantedSize()), canvas: nil)
    #expect(stream.restartable == nil)
    let taken = Handoff(stream)
    let all = Task { try await Self.all(taken.value) }
    for sample in stored.dropFirst(5) { samples.deliver(sample) }
    samples.finish()
    let first = try #require(stored.dropFirst(5).first { $0.attachments.notSync != true })
    let expected = whole.filter { $0.presentationTime >= first.presentationTime }
    let found = try await all.value
    #expect(found.map(\.presentationTime) == expected.map(\.presentationTime))
    #expect(found.values(UInt8.self) == expected.values(UInt8.self))
    #expect(zip(found, expected).dropLast().allSatisfy { $0.duration == $1.duration })
  }

  private static func all(
    _ stream: any MediaStream<SampleBuffer>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [SampleBuffer] {
    var found: [SampleBuffer] = []
    while let sample = try await stream.next(StreamDemand(count: 4)) { found.append(sample) }
    return found
  }

  /// Two parts of 0.4 s: the first of a gray file, the second pushed, from 1 s on.
  private static func parts(_ fixtures: Fixtures) throws -> TrackTimeline {
    let file = try fixtures.make(
      "a.mkv", "-f lavfi -i color=c=gray:s=32x16:r=25:d=1 -pix_fmt gray -c:v ffv1")
    let media = try #require(try Fixtures.tracks(file, .video).first).requireStored()
    let samples = PushedSamples(capacity: 1 << 20)
    for (number, time) in stamps(50).enumerated() {
      samples.deliver(try picture(number, at: time))
    }
    return try TrackTimeline(
      parts: [
        .init(
          media,
          mapping: TimeMapping(source: .milliseconds(0, 400), target: .milliseconds(0, 400))),
        .init(
          try pictures(samples),
          mapping: TimeMapping(source: .milliseconds(1000, 1400), target: .milliseconds(400, 800))),
      ], of: .video, path: "parts")
  }

  /// A part of a track of several parts may be pushed.
  @Test func aCompositionShowsIt() async throws {
    let fixtures = try Fixtures()
    let timeline = try Self.parts(fixtures)
    #expect(timeline.isComposite && timeline.timing == .exact)
    let frames = try timeline.frames(
      TrackReading(range: .all, interrupt: Interrupt()), priority: .interactive)
    var times: [Time] = []
    while let frame = try await frames.next() { times.append(frame.timing.start) }
    let pushed = Self.stamps(50).enumerated().filter { number, time in
      time < .milliseconds(1400) && Self.stamps(51)[number + 1] > .milliseconds(1000)
    }.map { max(.milliseconds(400), $0.element - .milliseconds(600)) }
    #expect(times == (0..<10).map { .milliseconds(Int64($0) * 40) } + pushed)
  }
  @Test func imagesOfPartsOneOfWhichIsPushed() async throws {
    let fixtures = try Fixtures()
    let track = TrackInfo(
      trackID: 1, mediaType: .video, timeline: try Self.parts(fixtures), movie: nil, metadata: [],
      isEnabled: true)
    let generator = ImageGenerator(asset: PartsAsset([track], files: []))
    let times = [Time.milliseconds(100), .milliseconds(500)]
    var levels: [Int] = []
    for time in times {
      let image = try await generator.image(at: time, output: ImageOutput(format: "gray"))
      levels.append(image.data.withBytes { Int($0[0]) })
    }
    let pushed = try #require(Self.stamps(50).lastIndex { $0 <= .milliseconds(1100) })
    #expect(levels == [128, 40 + pushed])
  }
}
