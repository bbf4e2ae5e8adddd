import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Images by windows of the index, compared with those by all of it.
@Suite struct IndexWindowTests {
  let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Containers with ways in; groups closed and open, reordered pictures, a changing rate, no sync sample but
  /// the first, and a stream whose first samples can't be decoded.
  static let files: [(name: String, arguments: String)] = [
    ("closed.mkv", "-c:v libx264 -g 50 -bf 3 -preset veryfast"),
    ("open.mkv", "-c:v libx264 -x264-params open_gop=1:keyint=40:bframes=4:b-pyramid=2"),
    ("vp9.webm", "-c:a libopus -c:v libvpx-vp9 -g 40 -deadline realtime -cpu-used 8"),
    ("hevc.mkv", "-c:v libx265 -preset ultrafast -x265-params open-gop=1:keyint=30:log-level=none"),
    ("part2.mkv", "-c:v mpeg4 -g 25 -bf 2"),
    ("one.mkv", "-c:v libx264 -g 100000 -bf 2 -preset ultrafast -sc_threshold 0"),
    ("rates.mkv", "-vf select='not(mod(n,7)*mod(n,3))' -fps_mode vfr -c:v libx264 -g 20 -bf 2"),
    ("closed.ts", "-c:v libx264 -g 50 -bf 3 -preset veryfast"),
    ("open.ts", "-c:v libx264 -x264-params open_gop=1:keyint=40:bframes=4"),
    ("mpeg2.ts", "-c:v mpeg2video -g 15 -bf 2 -b:v 2M"),
    ("hevc.ts", "-c:v libx265 -preset ultrafast -x265-params keyint=30:log-level=none"),
    ("one.ts", "-c:v libx264 -g 100000 -bf 2 -preset ultrafast -sc_threshold 0"),
    ("late.ts", "-c:v libx264 -g 50 -bf 3 -output_ts_offset 900"),
    ("refresh.ts", "-c:v libx264 -x264-params intra-refresh=1:keyint=40"),
  ]

  /// The times requested of a file of 16 seconds: between and on frames, at the ends and beyond
  /// them.
  private static let times: [Time?] =
    [nil]
    + [0, 0.02, 0.04, 1.2, 1.56, 1.58, 1.6, 3.1, 7.99, 8, 8.04, 12.345, 15.9, 15.96, 15.99].map {
      Time(seconds: $0, preferredTimescale: 90_000)
    } + [
      Time(value: -1, timescale: 1), Time(value: 16, timescale: 1), Time(value: 60, timescale: 1),
    ]

  private struct Answer: Equatable, CustomStringConvertible {
    var bytes: [UInt8] = []
    var actualTime: Time?
    var isExact: Bool?
    var error: EngineError.Code?

    var description: String { "\(actualTime as Any) \(isExact as Any) \(error as Any)" }
  }

  private static func answers(
    _ generator: ImageGenerator, _ times: [Time?]
  ) async -> [Answer] {
    var answers: [Answer] = []
    for time in times {
      do throws(EngineError) {
        let image = try await generator.image(at: time, output: ImageOutput(format: "yuv420p"))
        answers.append(
          Answer(
            bytes: image.data.withBytes { $0.withUnsafeBytes { unsafe Array($0) } },
            actualTime: image.moment.actualTime,
            isExact: image.moment.isExact))
      } catch {
        answers.append(Answer(error: error.code))
      }
    }
    return answers
  }

  private static func generator(
    _ path: String, isPrecise: Bool, tolerance: Time?, _ source: (any ByteSource)? = nil
  ) -> ImageGenerator {
    var options = URLAsset.Options()
    options.preferPreciseDurationAndTiming = isPrecise
    var settings = EngineConfiguration()
    settings.alwaysIndexesWindows = true
    if let source { settings.openSource = { (_, _) throws(SystemError) in source } }
    let asset = URLAsset(url: path, options: options, configuration: settings)
    var configuration = ImageGenerator.Configuration()
    if let tolerance {
      configuration.requestedTimeToleranceBefore = tolerance
      configuration.requestedTimeToleranceAfter = tolerance
    }
    return ImageGenerator(asset: asset, configuration: configuration)
  }

  /// True if all of the file has been indexed.
  private static func hasWholeIndex(_ generator: ImageGenerator) throws -> Bool {
    let tracks = try generator.asset.media.content.presentation(interrupt: Interrupt()).tracks
    return try #require(tracks.preferred(.video)?.timeline.stored).source.hasIndexes
  }

  @Test(arguments: files.indices)
  func windowsGiveTheSameFrames(_ file: Int) async throws {
    let path = try fixtures.make(Self.files[file])
    for tolerance in [nil, Time.zero, Time(value: 1, timescale: 2)] {
      let windows = Self.generator(path, isPrecise: false, tolerance: tolerance)
      let whole = Self.generator(path, isPrecise: true, tolerance: tolerance)
      let expected = await Self.answers(whole, Self.times)
      let found = await Self.answers(windows, Self.times)
      for (time, pair) in zip(Self.times, zip(found, expected)) {
        #expect(pair.0 == pair.1, "\(Self.files[file].name) at \(time as Any)")
      }
      #expect(expected.contains { $0.isExact == true })
      #expect(try Self.hasWholeIndex(whole))
      #expect(try !Self.hasWholeIndex(windows), "\(Self.files[file].name)")
    }
  }

  /// Generators that live for long don't all have an open decoder, and each makes its images at any time.
  @Test func generatorsShareALimitedNumberOfDecoders() async throws {
    let path = try fixtures.make(try #require(Self.files.first { $0.name == "closed.mkv" }))
    let generators = (0..<IdleLanes.capacity + 8).map { _ in
      Self.generator(path, isPrecise: true, tolerance: .zero)
    }
    let first = await Self.answers(generators[0], Self.times)
    for generator in generators.dropFirst() {
      _ = try await generator.image(at: Time(value: 8, timescale: 1))
    }
    #expect(IdleLanes.shared.count <= IdleLanes.capacity)
    #expect(await Self.answers(generators[0], Self.times) == first)
  }

  /// Many times of one request, and the same ones again one by one.
  @Test(arguments: ["closed.mkv", "open.ts"])
  func aListGivesWhatSingleTimesGive(_ name: String) async throws {
    let file = try #require(Self.files.first { $0.name == name })
    let path = try fixtures.make(file)
    let windows = Self.generator(path, isPrecise: false, tolerance: .zero)
    let times = (1...40).map {
      Time(value: Int64($0 * 17 % 40 * 35_000 + 20_000), timescale: 90_000)
    }
    var moments: [Int: ImageMoment] = [:]
    for await result in windows.images(for: times) {
      moments[result.index] = try result.image.moment
    }
    let whole = Self.generator(path, isPrecise: true, tolerance: .zero)
    for (place, time) in times.enumerated() {
      let moment = try await whole.image(at: time).moment
      #expect(moments[place]?.actualTime == moment.actualTime && moment.isExact)
      #expect(moments[place]?.isExact == true)
    }
    #expect(try !Self.hasWholeIndex(windows))
  }

  /// Compares exact images by windows with those by all samples; true where that took all of them.
  private func hasWholeIndex(afterSameAnswersOf path: String, _ times: [Time?]) async throws -> Bool
  {
    let windows = Self.generator(path, isPrecise: false, tolerance: .zero)
    let whole = Self.generator(path, isPrecise: true, tolerance: .zero)
    #expect(await Self.answers(windows, times) == Self.answers(whole, times))
    return try Self.hasWholeIndex(windows)
  }

  /// A recording after another one, whose time stamps begin anew: only all samples show that a time
  /// is there twice.
  @Test func timesThatGoBackTakeTheWholeIndex() async throws {
    let path = try fixtures.make(("short.ts", "-c:v libx264 -g 25 -bf 2 -preset veryfast"))
    let once = try Data(contentsOf: URL(fileURLWithPath: path))
    let twice = fixtures.folder + "/twice.ts"
    try (once + once).write(to: URL(fileURLWithPath: twice))
    let times = [1.0, 7.5, 15.5].map { Time(seconds: $0, preferredTimescale: 90_000) as Time? }
    #expect(try await hasWholeIndex(afterSameAnswersOf: twice, times))
  }

  /// A copy without cues, as a recorder leaves that was killed: clusters are found by bisection.
  @Test(arguments: ["-live 1", "-live 1 -cluster_time_limit 300"])
  func clustersAreFoundWithoutCues(_ arguments: String) async throws {
    // Large enough for bisection to be of use.
    let path = try fixtures.make(
      "cues.mkv",
      "-f lavfi -i testsrc2=s=320x180:r=25:d=16,noise=alls=90:allf=t -c:v libx264 -g 25 -bf 2 "
        + "-preset ultrafast -qp 10")
    let live = try fixtures.make("live.mkv", "-i \(path) -c copy \(arguments)")
    #expect(try await !hasWholeIndex(afterSameAnswersOf: live, Self.times))
  }

  /// The bytes read and samples indexed for an image don't grow with the file: five minutes and ten
  /// hours.
  @Test(arguments: ["mkv", "ts"])
  func theCostIsThatOfTheTime(_ container: String) async throws {
    let path = try fixtures.make(
      "two.\(container)",
      "-f lavfi -i testsrc2=s=640x360:r=25:d=2,noise=alls=12 -c:v libx264 -g 50 -bf 2 -threads 1 "
        + "-preset ultrafast")
    let recording = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var costs: [(bytes: Int, samples: Int)] = []
    for count in [150, 18_000] {
      let source =
        container == "ts"
        ? RepeatedRecording.transportStream(recording, count: count)
        : RepeatedRecording.matroska(recording, count: count)
      let windows = Self.generator(source.name, isPrecise: false, tolerance: .zero, source)
      // The tenth frame of a group in the second half.
      let time = Time(value: Int64(count / 5 * 3 * 2000 + 400), timescale: 1000)
      let image = try await windows.image(at: time)
      #expect(image.moment.isExact && image.moment.actualTime == time)
      #expect(try !Self.hasWholeIndex(windows))
      let track = try await windows.asset.media.content.loadPresentation(interrupt: Interrupt())
      let media = try #require(track.tracks.preferred(.video)?.timeline.stored)
      let samples = media.source.windows.withLock { $0.values.reduce(0) { $0 + $1.sampleCount } }
      costs.append((source.bytesRead, samples))
    }
    // Bisection takes seven steps more for a file 120 times as long.
    #expect(costs[1].bytes < costs[0].bytes * 2, "\(costs)")
    #expect(costs[1].samples < 200 && costs[1].samples < costs[0].samples * 3 / 2, "\(costs)")
  }

  /// Real files, where there are any.
  @Test func windowsGiveTheSameFramesOfRealFiles() async throws {
    let folder = ProcessInfo.processInfo.environment["REELWIRE_CORPUS"] ?? "../shared/media"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var compared = 0
    for name in names.sorted()
    where name.hasSuffix(".mkv") || name.hasSuffix(".webm")
      || name.hasSuffix(".ts") || name.hasSuffix(".m2ts")
    {
      let path = folder + "/" + name
      let whole = Self.generator(path, isPrecise: true, tolerance: .zero)
      let end = try? whole.asset.media.content.preciseDuration(interrupt: Interrupt())
      guard let end, end.isNumeric, end > .zero else { continue }
      let times = [0, 0.1, 0.33, 0.5, 0.77, 0.97].map { part -> Time? in
        Time(seconds: end.seconds * part, preferredTimescale: 90_000)
      }
      for tolerance in [Time.zero, nil] {
        let expected = await Self.answers(
          Self.generator(path, isPrecise: true, tolerance: tolerance), times)
        let found = await Self.answers(
          Self.generator(path, isPrecise: false, tolerance: tolerance), times)
        #expect(found == expected, "\(name) \(tolerance as Any)")
      }
      compared += 1
    }
    #expect(names.isEmpty || compared > 5)
  }
}

extension Fixtures {
  /// A file of 16 seconds of video and audio.
  func make(_ file: (name: String, arguments: String)) throws -> String {
    try make(
      file.name,
      "-f lavfi -i testsrc2=s=160x96:r=25:d=16 -f lavfi -i sine=r=48000:d=16 -c:a mp2 "
        + "-threads 1 " + file.arguments)
  }
}
