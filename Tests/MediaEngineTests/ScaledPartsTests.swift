import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Parts that are shown faster or slower than they are, through readers and exports.
struct ScaledPartsTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Int64, _ end: Int64, _ timescale: Int32) -> TimeRange {
    TimeRange(start: time(start, timescale), end: time(end, timescale))
  }

  private static func track(_ parts: [TrackTimeline.Part], _ type: MediaType) throws -> TrackInfo {
    TrackInfo(
      trackID: 1, mediaType: type,
      timeline: try TrackTimeline(parts: parts, of: type, path: "parts"), movie: nil,
      metadata: [], isEnabled: true)
  }

  /// Parts of one file after the other from zero on, each with the duration that it fills.
  private func asset(
    _ path: String, _ type: MediaType, _ parts: [(source: TimeRange, duration: Time)]
  ) throws -> PartsAsset {
    let media = try #require(try Fixtures.tracks(path, type).first).requireStored()
    var start = Time.zero
    let made = parts.map { part in
      defer { start = start + part.duration }
      return TrackTimeline.Part(
        media,
        mapping: TimeMapping(
          source: part.source, target: TimeRange(start: start, duration: part.duration)))
    }
    return PartsAsset([try Self.track(made, type)], files: [path])
  }

  private func read(
    _ asset: any Asset, _ settings: OutputSettings, _ range: TimeRange = .all,
    mixes: Bool = false, by mix: PresentationSetting<AudioMix> = .asset
  ) async throws -> [SampleBuffer] {
    let isVideo = if case .video = settings { true } else { false }
    let reader = try await AssetReader(
      asset: asset, timeRange: range,
      outputs: [
        .init(
          track: mixes ? .audioMix(nil, by: mix) : .mediaType(isVideo ? .video : .audio),
          settings: settings)
      ])
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

  private static func audio(
    _ timePitch: AudioTimePitchAlgorithm, rate: Int? = nil, format: String = "f32"
  ) -> OutputSettings {
    .audio(
      sampleFormat: format, sampleRate: rate, channels: nil, interleaved: true,
      timePitch: timePitch)
  }

  private func export(
    _ asset: any Asset, _ name: String, _ configure: (inout ExportConfiguration) -> Void
  ) async throws -> String {
    let target = "\(fixtures.folder)/\(name)"
    var configuration = ExportConfiguration()
    configure(&configuration)
    let session = try ExportSession(
      asset: asset, preset: nil, outputURL: target, configuration: configuration)
    try session.begin()
    _ = try await session.run()
    return target
  }

  private func sines(_ name: String, rate: Int = 48000, seconds: Int = 6) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i aevalsrc=0.4*sin(2*PI*t*440)+0.2*sin(2*PI*t*(300+40*t))|0.4*sin(2*PI*t*550):"
        + "d=\(seconds):s=\(rate) -c:a pcm_f32le")
  }

  // MARK: - Audio

  /// The samples of a part are those of the grid in its target, at any speed, for random rationals.
  @Test(arguments: AudioTimePitchAlgorithm.allCases)
  func everyPartIsExactlyAsLongAsItsTarget(_ algorithm: AudioTimePitchAlgorithm) async throws {
    let path = try sines("long.mov", rate: 44100)
    var generator = SeededGenerator(seed: 11)
    for rate in [44100, 48000, 32000] {
      var parts: [(source: TimeRange, duration: Time)] = []
      for _ in 0..<8 {
        let scales: [Int32] = [30000, 24000, 44100, 600, 7, 90001]
        let scale = scales.randomElement(using: &generator) ?? 1
        let length = Int64.random(in: 1...Int64(scale), using: &generator)
        let target = Int64.random(in: 1...1001, using: &generator)
        let start = Int64.random(in: 0...4000, using: &generator)
        let source = TimeRange(start: Self.time(start, 1000), duration: Self.time(length, scale))
        // Between a quarter and four times the speed.
        let quarter = source.duration.seconds / 4
        let duration = Self.time(
          max(1, Int64(quarter * (1 + 15 * Double(target) / 1001) * 30000)), 30000)
        parts.append((source, duration))
      }
      let asset = try asset(path, .audio, parts)
      let buffers = try await read(asset, Self.audio(algorithm, rate: rate))
      let end = try asset.preciseDuration(interrupt: Interrupt())
      let wanted = end.sampleNumber(from: .zero, rate: rate)
      #expect(buffers.map { Int64($0.sampleCount) }.reduce(0, +) == wanted)
      var next = Time.zero
      for buffer in buffers {
        #expect(buffer.presentationTime == next)
        next = next + buffer.duration
      }
      // Something is heard up to the ends: the padding is a few samples.
      let values = buffers.values(Float.self)
      var start = Time.zero
      for part in parts {
        defer { start = start + part.duration }
        guard part.duration.seconds > 0.1, part.source.end.seconds < 6 else { continue }
        let first = Int(start.sampleNumber(from: .zero, rate: rate))
        let last = Int((start + part.duration).sampleNumber(from: .zero, rate: rate))
        let edges = [first..<first + 1000, last - 1000..<last]
        for edge in edges where edge.upperBound * 2 <= values.count {
          let level = values[edge.lowerBound * 2..<edge.upperBound * 2].map(abs).max() ?? 0
          #expect(level > 0.2, "\(algorithm), \(part) at \(rate) Hz")
        }
      }
      for _ in 0..<4 {
        let first = Int64.random(in: 0..<wanted - 10, using: &generator)
        let last = Int64.random(in: first + 1...wanted, using: &generator)
        let part = try await read(
          asset, Self.audio(algorithm, rate: rate), Self.range(first, last, Int32(rate))
        ).values(Float.self)
        #expect(part == Array(values[Int(2 * first)..<Int(2 * last)]), "\(first)..<\(last)")
      }
    }
  }

  /// A new speed is a new sample rate: as ffmpeg has it, below -90 dB.
  @Test(arguments: [
    (48000, Int64(5), Int64(4), "asetrate=60000,aresample=48000"),
    (44100, 3, 4, "asetrate=33075,aresample=48000"),
    (48000, 2, 1, "asetrate=96000,aresample=48000"),
  ])
  func varispeedIsFFmpegs(
    _ rate: Int, _ numerator: Int64, _ denominator: Int64, _ filter: String
  ) async throws {
    let path = try sines("rate.mov", rate: rate)
    let expected = try fixtures.samples(of: path, as: "f32le", Float.self, "-af \(filter)")
    let asset = try asset(
      path, .audio, [(Self.range(0, 6, 1), Self.time(6 * denominator, Int32(numerator)))])
    let values = try await read(asset, Self.audio(.varispeed, rate: 48000)).values(Float.self)
    let frames = (6 * 48000 * Int(denominator) + Int(numerator) - 1) / Int(numerator)
    #expect(values.count == 2 * frames)
    // Where ffmpeg's own output ends a few samples earlier there are no samples to compare with.
    try #require(abs(expected.count - values.count) < 200)
    let error = zip(values, expected).dropLast(2000).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 3.2e-5)
  }

  /// Sixty clips at another speed, each with a burst: the last is as near to its place as the first.
  @Test(arguments: AudioTimePitchAlgorithm.allCases)
  func nothingDriftsOverSixtyClips(_ algorithm: AudioTimePitchAlgorithm) async throws {
    // 10 ms of a tone half a second after every second.
    let path = try fixtures.make(
      "bursts.mov",
      "-f lavfi -i aevalsrc=if(between(mod(t\\,1)\\,0.5\\,0.51)\\,0.5*sin(2*PI*t*2000)\\,0):"
        + "d=5:s=48000 -c:a pcm_s16le")
    let duration = Self.time(1001, 1200)
    let parts = (0..<60).map { number in
      (Self.range(Int64(number % 5), Int64(number % 5) + 1, 1), duration)
    }
    let values = try await read(try asset(path, .audio, parts), Self.audio(algorithm))
      .values(Float.self)
    #expect(values.count == 60 * 1001 * 40)
    var errors: [Int] = []
    for number in 0..<60 {
      let own = number * 40040..<(number + 1) * 40040
      let peak = own.max { abs(values[$0]) < abs(values[$1]) } ?? 0
      #expect(abs(values[peak]) > 0.2)
      errors.append(peak - own.lowerBound - Int(0.505 * 40040))
    }
    #expect(errors.allSatisfy { abs($0) < 1440 }, "\(errors)")
    // The same five clips again and again, each on the same place of the grid.
    for number in 5..<60 { #expect(errors[number] == errors[number % 5], "\(errors)") }
  }

  /// A reader, a mix and an export return the same samples.
  @Test func exportsHaveWhatReadersRead() async throws {
    let path = try sines("same.mov")
    let asset = try asset(
      path, .audio,
      [(Self.range(0, 2, 1), Self.time(3, 1)), (Self.range(2, 5, 1), Self.time(2, 1))])
    for algorithm in AudioTimePitchAlgorithm.allCases {
      let values = try await read(asset, Self.audio(algorithm)).values(Float.self)
      #expect(values.count == 2 * 240_000)
      let mixed = try await read(asset, Self.audio(algorithm), mixes: true).values(Float.self)
      #expect(mixed == values)
      var encoding = AudioEncodingSettings()
      encoding.codec = AudioCodec("pcm_f32le")
      let target = try await export(asset, "same-\(algorithm.rawValue).mov") {
        $0.settings.audio = .encoded(encoding)
        $0.audioTimePitchAlgorithm = algorithm
      }
      #expect(try fixtures.samples(of: target, as: "f32le", Float.self) == values)
    }
  }

  /// A speed beyond the limits is refused before anything is read or written, with its place.
  @Test func speedsHaveLimits() async throws {
    let path = try sines("limits.mov")
    let asset = try asset(
      path, .audio,
      [(Self.range(0, 1, 1), Self.time(1, 1)), (Self.range(1, 4, 1), Self.time(3, 100))])
    for algorithm in [AudioTimePitchAlgorithm.timeDomain, .spectral] {
      let error = await #expect(throws: EngineError.self) {
        _ = try await read(asset, Self.audio(algorithm))
      }
      #expect(error?.code == .unsupportedOutputSettings)
      #expect(error?.message.contains("from 1.0 to 1.03 s") == true, "\(error?.message ?? "")")
      #expect(error?.hint?.contains("'varispeed'") == true)
      let refused = await #expect(throws: EngineError.self) {
        _ = try await export(asset, "limits-\(algorithm).mov") {
          $0.audioTimePitchAlgorithm = algorithm
        }
      }
      #expect(refused?.code == .unsupportedOutputSettings)
    }
    let fast = try await read(asset, Self.audio(.varispeed)).values(Float.self)
    #expect(fast.count == 2 * (48000 + 1440))
    for (duration, isPossible) in [(Self.time(1, 32), true), (Self.time(32, 1), true)] {
      let asset = try self.asset(path, .audio, [(Self.range(0, 1, 1), duration)])
      for algorithm in AudioTimePitchAlgorithm.allCases {
        let count = try await read(asset, Self.audio(algorithm)).map(\.sampleCount).reduce(0, +)
        #expect((count == Int(duration.seconds * 48000)) == isPossible)
      }
    }
  }

  // MARK: - Video

  /// 50 frames at 25 Hz, each as bright as its number is high.
  private func numbered() throws -> String {
    try fixtures.make(
      "numbered.mov",
      "-f lavfi -i color=black:s=32x32:r=25:d=2,format=yuv420p,geq=lum=20+4*N:cb=128:cr=128 "
        + "-c:v libx264 -preset ultrafast -qp 0 -bf 2 -g 10")
  }

  /// By the luma of pictures in yuv420p.
  private static func numbers(_ pictures: [UInt8]) -> [Int] {
    stride(from: 0, to: pictures.count, by: 1536).map { start in
      let mean = pictures[start..<start + 1024].reduce(0.0) { $0 + Double($1) } / 1024
      return Int(((mean - 20) / 4).rounded())
    }
  }

  /// A reader returns every frame that is shown, at its presentation time, by arithmetic; also of a
  /// part that begins and ends within frames.
  @Test(arguments: [(Int64(1), Int64(2)), (2, 1), (3, 1), (7, 5)])
  func framesAreWhereTheMappingHasThem(_ top: Int64, _ bottom: Int64) async throws {
    let path = try numbered()
    let (start, end) = (Self.time(41, 100), Self.time(167, 100))
    let duration = Self.time(126 * top, Int32(100 * bottom))
    let asset = try asset(
      path, .video, [(TimeRange(start: start, end: end), duration)])
    let frames = try await read(
      asset, .video(pixelFormat: "yuv420p", width: nil, height: nil))
    // 0.41 s is within frame 10, 1.67 s within frame 41.
    let shown = Array(10...41)
    try #require(frames.count == shown.count)
    #expect(Self.numbers(frames.values(UInt8.self)) == shown)
    for (buffer, number) in zip(frames, shown) {
      func place(_ number: Int) -> Time {
        let inside = min(max(Self.time(Int64(number), 25), start), end) - start
        return Self.time(inside.value * top, inside.timescale * Int32(bottom))
      }
      #expect(buffer.presentationTime == place(number))
      #expect(buffer.presentationTime + buffer.duration == place(number + 1))
    }
  }

  /// At a fixed rate the frame at each time is the last one that has begun by then: ffmpeg's `fps` with
  /// `round=up:start_time=0`.
  @Test(arguments: [
    ("2*PTS", Int64(4), Int32(1)), ("PTS/2", 1, 1), ("3*PTS", 6, 1), ("PTS/3", 2, 3),
  ])
  func exportsFollowTheFloorRule(
    _ setpts: String, _ value: Int64, _ timescale: Int32
  ) async throws {
    let path = try numbered()
    let asset = try asset(path, .video, [(Self.range(0, 2, 1), Self.time(value, timescale))])
    for (rate, duration) in [("25", Self.time(1, 25)), ("30000/1001", Self.time(1001, 30000))] {
      let filter = "settb=1/90000,setpts=\(setpts),fps=\(rate):round=up:start_time=0"
      let pictures = try fixtures.samples(
        of: path, as: "rawvideo", UInt8.self, "-vf \(filter) -pix_fmt yuv420p")
      let expected = Self.numbers(pictures)
      var encoding = VideoEncodingSettings()
      encoding.frameDuration = duration
      let target = try await export(asset, "fps-\(duration.timescale).mov") {
        $0.settings.video = .encoded(encoding)
      }
      defer { try? FileManager.default.removeItem(atPath: target) }
      let made = Self.numbers(
        try fixtures.samples(of: target, as: "rawvideo", UInt8.self, "-pix_fmt yuv420p"))
      // The last frame: ffmpeg's filter repeats it to the end of the source's last frame, or not.
      let whole = Int(
        (Double(value) / Double(timescale) * Double(duration.timescale) / Double(duration.value))
          .rounded(.up))
      #expect(made.count == whole)
      let common = min(made.count, expected.count)
      #expect(whole - common <= 6)
      #expect(Array(made[..<common]) == Array(expected[..<common]), "\(setpts) at \(rate)")
    }
  }

  /// An audio mix decides for its track, or with the number 0 for all of them, over the output's
  /// own setting.
  @Test(arguments: [Int32(1), 0]) func aMixChoosesTheAlgorithm(_ trackID: Int32) async throws {
    let path = try fixtures.make("a.wav", "-f lavfi -i sine=sample_rate=48000:duration=2")
    let asset = try asset(path, .audio, [(Self.range(0, 2, 1), Self.time(1, 1))])
    let mix = AudioMix(inputParameters: [
      .init(trackID: trackID, audioTimePitchAlgorithm: .varispeed)
    ])
    let varied = try await read(asset, Self.audio(.varispeed), mixes: true).values(Float.self)
    let usual = try await read(asset, Self.audio(.timeDomain), mixes: true).values(Float.self)
    let chosen = try await read(asset, Self.audio(.timeDomain), mixes: true, by: .custom(mix))
      .values(Float.self)
    #expect(chosen == varied)
    #expect(chosen != usual)
  }
}
