import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Ranges that are read by windows of the index, compared with those by all of it and with a linear read.
@Suite struct WindowedReaderTests {
  let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// All that an output delivers of a sample, its bytes as a checksum.
  private struct Sample: Equatable, CustomStringConvertible {
    var time: Time
    var decodeTime: Time?
    var duration: Time
    var attachments: SampleAttachments
    var sideData: [SideData]
    var bytes: UInt32

    init(_ buffer: SampleBuffer) {
      (time, decodeTime, duration) = (
        buffer.presentationTime, buffer.decodeTime, buffer.duration
      )
      (attachments, sideData) = (buffer.attachments, buffer.sideData)
      bytes = Checksum.crc32(
        buffer.data.withBytes { $0.withUnsafeBytes { unsafe Array($0) } })
    }

    var description: String {
      "\(time.seconds) \(decodeTime?.seconds as Any) \(duration.seconds) \(bytes)"
    }
  }

  private struct Reading {
    var samples: [Sample] = []
    var error: EngineError.Code?
    var damaged = 0
  }

  private static func asset(
    _ path: String, isPrecise: Bool, _ source: (any ByteSource)? = nil
  ) -> URLAsset {
    var options = URLAsset.Options()
    options.preferPreciseDurationAndTiming = isPrecise
    var configuration = EngineConfiguration()
    configuration.alwaysIndexesWindows = true
    if let source { configuration.openSource = { (_, _) throws(SystemError) in source } }
    return URLAsset(url: path, options: options, configuration: configuration)
  }

  private static let decoded = OutputSettings.video(
    pixelFormat: "yuv420p", width: nil, height: nil)

  private static func read(
    _ asset: URLAsset, _ type: MediaType, _ settings: OutputSettings, _ range: TimeRange
  ) async throws -> Reading {
    let reader = try await AssetReader(
      asset: asset, timeRange: range, outputs: [.init(track: .mediaType(type), settings: settings)])
    try reader.start()
    var reading = Reading()
    do throws(EngineError) {
      while true {
        let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 100)
        reading.samples += buffers.map(Sample.init)
        if isAtEnd { break }
      }
    } catch {
      reading.error = error.code
    }
    reading.damaged = reader.damagedSamples.count
    return reading
  }

  private static func source(of asset: URLAsset) throws -> MediaSource {
    let tracks = try asset.media.content.presentation(interrupt: Interrupt()).tracks
    return try #require(tracks.first?.timeline.stored).source
  }

  private static func range(_ start: Double, _ end: Double) -> TimeRange {
    TimeRange(
      start: Time(seconds: start, preferredTimescale: 90_000),
      end: Time(seconds: end, preferredTimescale: 90_000))
  }

  /// Ranges of a file of 16 seconds: on frames and between them, of less than a frame, at the ends and beyond them.
  private static let ranges = [
    range(0, 1.6), range(-1, 0.5), range(0.02, 0.03), range(1.58, 4), range(3.1, 3.14),
    range(7.99, 10.01), range(8, 8.04), range(12.345, 15), range(14, 16), range(15.9, 60),
    range(16, 17), range(60, 70),
  ]

  /// Compares ranges by windows with those by all of the index; true where windows didn't need all of it.
  private func compare(
    _ path: String, _ type: MediaType, _ settings: OutputSettings, _ ranges: [TimeRange]
  ) async throws -> Bool {
    let windows = Self.asset(path, isPrecise: false)
    let whole = Self.asset(path, isPrecise: true)
    for range in ranges {
      let expected = try await Self.read(whole, type, settings, range)
      let found = try await Self.read(windows, type, settings, range)
      #expect(found.samples == expected.samples, "\(path) \(type) \(range.secondsDescription)")
      #expect(found.error == expected.error && found.damaged == expected.damaged)
    }
    #expect(try Self.source(of: whole).hasIndexes)
    return try !Self.source(of: windows).hasIndexes
  }

  @Test(arguments: IndexWindowTests.files.indices)
  func picturesAreThoseOfALinearRead(_ file: Int) async throws {
    let path = try fixtures.make(IndexWindowTests.files[file])
    #expect(try await compare(path, .video, Self.decoded, Self.ranges))
    let linear = try await Self.read(
      Self.asset(path, isPrecise: true), .video, Self.decoded, .all
    ).samples
    let windows = Self.asset(path, isPrecise: false)
    for range in Self.ranges {
      let found = try await Self.read(windows, .video, Self.decoded, range).samples
      let shown = linear.filter {
        $0.time < range.end && $0.time + $0.duration > range.start
      }
      #expect(found.map(\.time) == shown.map(\.time), "\(range.secondsDescription)")
      // Without sync samples there is no other way to a picture than from the first.
      guard !IndexWindowTests.files[file].name.hasPrefix("refresh") else { continue }
      #expect(found.map(\.bytes) == shown.map(\.bytes), "\(range.secondsDescription)")
    }
  }

  @Test(arguments: IndexWindowTests.files.indices)
  func storedSamplesAreThoseOfTheWholeIndex(_ file: Int) async throws {
    let path = try fixtures.make(IndexWindowTests.files[file])
    for type in [MediaType.video, .audio] {
      #expect(try await compare(path, type, .stored, Self.ranges), "\(type)")
    }
  }

  /// Audio whose packets don't begin with those of a transport stream, and has no cues in Matroska.
  @Test(arguments: ["aac.ts", "ac3.ts", "opus.ts", "aac.mkv", "vorbis.mkv", "flac.mkv"])
  func packetsOfAudioAreThoseOfTheWholeIndex(_ name: String) async throws {
    let codec = name.split(separator: ".")[0]
    let coder = ["opus": "libopus", "vorbis": "libvorbis"][codec] ?? String(codec)
    let path = try fixtures.make(
      name,
      "-f lavfi -i testsrc2=s=160x96:r=25:d=16 -f lavfi -i sine=r=48000:d=16 -c:a \(coder) -ac 2 "
        + "-c:v libx264 -g 50 -bf 3 -preset veryfast")
    #expect(try await compare(path, .audio, .stored, Self.ranges))
  }

  /// After a seek into a transport stream the first packets of audio may be pieces of samples, or have the times of others:
  /// no window has them.
  @Test(arguments: ["aac", "mp2", "ac3"])
  func windowsHaveTheSamplesOfTheWholeIndex(_ coder: String) async throws {
    let path = try fixtures.make(
      "\(coder).ts",
      "-f lavfi -i anoisesrc=r=48000:d=60:a=0.5 -c:a \(coder) -b:a 64k -pes_payload_size 5000")
    let source = try Self.source(of: Self.asset(path, isPrecise: false))
    let interrupt = Interrupt()
    let stream = try #require(source.open(interrupt: interrupt).streams.first)
    let whole = try Self.source(of: Self.asset(path, isPrecise: true))
      .index(ofStream: 0, interrupt: interrupt).samples
    for second in 1..<50 {
      let time = whole[0].pts + Int64(second) * 90_000
      let request = SampleIndex.WindowRequest(time: time, end: time + 90_000)
      let window = try #require(
        try source.window(ofStream: stream, request, interrupt: interrupt)
      ).samples
      let first = try #require(whole.firstIndex { $0.pts == window[0].pts }, "at \(second) s")
      #expect(whole[first...].prefix(window.count).elementsEqual(window), "at \(second) s")
    }
  }

  /// A copy without cues, as a recorder leaves that was killed.
  @Test func samplesOfClustersWithoutCuesAreThoseOfTheWholeIndex() async throws {
    let path = try fixtures.make(
      "cues.mkv",
      "-f lavfi -i testsrc2=s=320x180:r=25:d=16,noise=alls=90:allf=t -f lavfi -i sine=r=48000:d=16 "
        + "-c:v libx264 -g 25 -bf 2 -preset ultrafast -qp 10 -c:a mp2")
    let live = try fixtures.make("live.mkv", "-i \(path) -c copy -live 1")
    for type in [MediaType.video, .audio] {
      #expect(try await compare(live, type, .stored, Self.ranges), "\(type)")
    }
  }

  /// Decoded audio is counted from the start, and a clock that begins again is known of all samples only.
  @Test func theWholeIndexIsUsedWhereOnlyThatIsCertain() async throws {
    let path = try fixtures.make(("short.ts", "-c:v libx264 -g 25 -bf 2 -preset veryfast"))
    let audio = OutputSettings.audio(
      sampleFormat: "s16", sampleRate: nil, channels: nil, interleaved: true)
    #expect(try await !compare(path, .audio, audio, [Self.range(3, 5)]))
    let once = try Data(contentsOf: URL(fileURLWithPath: path))
    let twice = fixtures.folder + "/twice.ts"
    try (once + once).write(to: URL(fileURLWithPath: twice))
    #expect(try await !compare(twice, .video, .stored, [Self.range(3, 5), Self.range(10, 12)]))
  }

  /// The bytes read for ten seconds don't grow with the file: of five minutes and of ten hours.
  @Test(arguments: ["mkv", "ts"], [OutputSettings.stored, decoded])
  func theCostIsThatOfTheRange(_ container: String, _ settings: OutputSettings) async throws {
    let path = try fixtures.make(
      "two.\(container)",
      "-f lavfi -i testsrc2=s=640x360:r=25:d=2,noise=alls=12 -c:v libx264 -g 50 -bf 2 -threads 1 "
        + "-preset ultrafast")
    let recording = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var costs: [Int] = []
    for count in [150, 18_000] {
      let source =
        container == "ts"
        ? RepeatedRecording.transportStream(recording, count: count)
        : RepeatedRecording.matroska(recording, count: count)
      let asset = Self.asset(source.name, isPrecise: false, source)
      let start = Double(count / 5 * 3 * 2) + 0.4
      let reading = try await Self.read(asset, .video, settings, Self.range(start, start + 10))
      #expect(reading.error == nil)
      // From the group of the start for stored samples.
      #expect(reading.samples.count == (settings == .stored ? 260 : 250))
      #expect(try !Self.source(of: asset).hasIndexes)
      costs.append(source.bytesRead)
    }
    #expect(costs[1] < costs[0] * 3 / 2, "\(costs)")
    #expect(costs[0] < recording.count * 30, "\(costs) of \(recording.count)")
  }

  /// Real files, where there are any.
  @Test func realFilesAreReadAlike() async throws {
    let folder = ProcessInfo.processInfo.environment["REELWIRE_CORPUS"] ?? "../shared/media"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var windowed = 0
    for name in names.sorted()
    where [".mkv", ".webm", ".ts", ".m2ts"].contains(where: name.hasSuffix) {
      let path = folder + "/" + name
      let whole = Self.asset(path, isPrecise: true)
      let end = try? whole.media.content.preciseDuration(interrupt: Interrupt())
      guard let seconds = end?.seconds, end?.isNumeric == true, seconds > 0 else { continue }
      let ranges = [(0, 0.1), (0.33, 0.4), (0.5, 0.55), (0.8, 0.97)].map { start, end in
        let start = start * seconds
        return Self.range(start, min(end * seconds, start + 2))
      }
      let tracks = try await whole.load(.tracks)
      for type in [MediaType.video, .audio] where tracks.contains(where: { $0.mediaType == type }) {
        if try await compare(path, type, .stored, ranges) { windowed += 1 }
        guard type == .video, let track = tracks.preferred(.video), track.isDecodable,
          !track.info.isProtected
        else { continue }
        if try await compare(path, type, Self.decoded, ranges) { windowed += 1 }
      }
    }
    #expect(names.isEmpty || windowed > 20)
  }
}
