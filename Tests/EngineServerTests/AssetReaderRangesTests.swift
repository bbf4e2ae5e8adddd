import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Reading again from other ranges, pictures as files, and one file for all samples.
struct AssetReaderRangesTests {
  private static let pictures = WireReaderSettings.video(WireVideoSettings(pixelFormat: "yuv420p"))
  private static let sound = WireReaderSettings.audio(WireAudioSettings(sampleFormat: "s16"))

  /// A hundred random ranges, some to the end, return the linear read's samples, cut to the range.
  @Test(arguments: [Fixture.bframes, .openGOP, .variableRate, .matroska])
  func randomRangesArePartsOfTheWhole(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    var generator = SeededGenerator(seed: 1)
    try await withClient(.binary) { client in
      let asset = try await client.open(fixture)
      let (_, output) = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: Self.pictures, supportsRandomAccess: true))
      _ = try await release(try await client.readAll(output, maxCount: 7, delivery: .shm), client)
      for _ in 0..<100 {
        let first = Int.random(in: 0..<frames.count, using: &generator)
        let last = Int.random(in: first..<frames.count, using: &generator)
        let isOpen = Bool.random(using: &generator)
        let start = frames[first].time
        let range =
          isOpen || last + 1 == frames.count
          ? TimeRange(start: start, duration: .positiveInfinity)
          : TimeRange(start: start, end: frames[last + 1].time)
        let wanted = isOpen ? frames[first...] : frames[first...last]
        _ = try await client.call(
          AssetReaderReset(output: output, timeRanges: [WireTimeRange(range)]))
        let samples = try await client.readAll(output, maxCount: 5, delivery: .shm)
        let times = samples.map { $0.presentationTime.time }
        try #require(times == wanted.map(\.time), "\(range)")
        let bytes = try await release(samples, client)
        try #require(bytes == wanted.map(\.bytes), "\(range)")
      }
    }
  }

  /// Several ranges come one after the other; a sample across two of them comes twice.
  @Test func severalRangesAtOnce() async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let (_, output) = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: Self.pictures, supportsRandomAccess: true))
      _ = try await client.readAll(output)
      let middle = frames[5].time + .seconds(1, 1000)
      let ranges = [
        TimeRange(start: frames[3].time, end: middle),
        TimeRange(start: middle, end: frames[7].time),
        TimeRange(start: frames[8].time, duration: .zero),
        TimeRange(start: frames[10].time, end: frames[11].time),
      ]
      _ = try await client.call(
        AssetReaderReset(output: output, timeRanges: ranges.map(WireTimeRange.init)))
      let samples = try await client.readAll(output, maxCount: 2)
      #expect(
        samples.map { $0.presentationTime.time } == [3, 4, 5, 5, 6, 10].map { frames[$0].time })
      #expect(samples[2].attachments.trimDurationAtEnd != nil)
      #expect(samples[3].attachments.trimDurationAtStart?.time == .seconds(1, 1000))
      #expect(samples.allSatisfy { $0.format == nil })
    }
  }

  /// Audio is cut to the sample, for any number of ranges.
  @Test func soundOfRandomRanges() async throws {
    let expected = try await Oracle.sound(of: try await Fixture.flac.path, format: "s16le")
    var generator = SeededGenerator(seed: 1)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.flac)
      let (_, output) = try await client.read(
        asset,
        .init(type: .track, mediaType: .audio, settings: Self.sound, supportsRandomAccess: true))
      _ = try await client.readAll(output)
      for _ in 0..<30 {
        let first = Int64.random(in: 0..<88_000, using: &generator)
        let last = Int64.random(in: first + 1...88_200, using: &generator)
        let range = TimeRange(start: .seconds(first, 44100), end: .seconds(last, 44100))
        _ = try await client.call(
          AssetReaderReset(output: output, timeRanges: [WireTimeRange(range)]))
        let bytes = try await client.readAll(output).flatMap { try #require($0.blob).bytes }
        try #require(bytes == Array(expected[Int(first) * 4..<Int(last) * 4]), "\(range)")
      }
    }
  }

  /// AVAssetReaderOutput's rules: after the end only, not when final, ascending, none overlapping.
  @Test func whenAnOutputCanBeReset() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let (reader, output) = try await client.read(
        asset, .init(type: .track, mediaType: .video, supportsRandomAccess: true))
      func status() async throws -> WireReaderStatus {
        try await client.call(AssetReaderStatus(assetReader: reader)).status
      }
      func refusal(_ ranges: [TimeRange]) async throws -> Int {
        try await client.failure(
          of: AssetReaderReset(output: output, timeRanges: ranges.map(WireTimeRange.init))
        ).code
      }
      let second = TimeRange(start: .seconds(1, 1), duration: .seconds(1, 1))
      #expect(try await refusal([second]) == -11862)
      _ = try await client.readAll(output)
      #expect(try await status() == .reading)
      let first = TimeRange(start: .zero, duration: .seconds(1, 1))
      let wrong: [[TimeRange]] = [
        [second, first], [first, first], [first, TimeRange(start: .zero, duration: .zero)],
        [TimeRange(start: .zero, duration: .seconds(3, 2)), second],
        [TimeRange(start: .zero, duration: .positiveInfinity), second],
        [TimeRange(start: .zero, duration: .indefinite)],
        [TimeRange(start: .indefinite, duration: .seconds(1, 1))],
      ]
      for ranges in wrong { #expect(try await refusal(ranges) == -11862, "\(ranges)") }
      // A refusal changes nothing: it is still at its end.
      let still = try await client.call(AssetReaderNextSampleBuffers(output: output))
      #expect(still.endOfStream && still.sampleBuffers.isEmpty)
      _ = try await client.call(AssetReaderReset(output: output, timeRanges: []))
      #expect(try await client.readAll(output).isEmpty)
      _ = try await client.call(
        AssetReaderReset(output: output, timeRanges: [WireTimeRange(second)]))
      _ = try await client.call(AssetReaderMarkConfigurationAsFinal(output: output))
      #expect(try await status() == .reading)
      #expect(!(try await client.readAll(output).isEmpty))
      #expect(try await status() == .completed)
      #expect(try await refusal([first]) == -11862)

      let (_, plain) = try await client.read(asset, .init(type: .track, mediaType: .video))
      _ = try await client.readAll(plain)
      let error = try await client.failure(
        of: AssetReaderReset(output: plain, timeRanges: [WireTimeRange(first)]))
      #expect(error.code == -11862 && error.hint?.contains("supportsRandomAccess") == true)
      let final = try await client.failure(
        of: AssetReaderMarkConfigurationAsFinal(output: plain))
      #expect(final.code == -11862)
    }
  }

  /// Each frame as a picture: a PNG has the pixels that ffmpeg has of it.
  @Test(arguments: [(nil, nil), (80, nil), (nil, 36)] as [(Int?, Int?)])
  func framesAsPictures(_ width: Int?, _ height: Int?) async throws {
    let path = try await Fixture.bframes.path
    let count = try await Oracle.frames(of: path).count
    let source = try #require(try await Oracle.streams(of: path).first { $0.type == "video" })
    let folder = TemporaryFolder()
    try await withClient(.binary) { client in
      let asset = try await client.open(.bframes)
      func read(_ settings: WireVideoSettings) async throws -> [WireSampleBuffer] {
        let output = try await client.read(
          asset, .init(type: .track, mediaType: .video, settings: .video(settings))
        ).output
        return try await client.readAll(output)
      }
      let pictures = try await read(WireVideoSettings(width: width, height: height, format: .png))
      let raw = try await read(
        WireVideoSettings(pixelFormat: "rgb24", width: width, height: height))
      try #require(pictures.count == count && raw.count == count)
      for (index, (picture, plain)) in zip(pictures, raw).enumerated().prefix(3) {
        #expect(picture.image == nil)
        let blob = try #require(picture.blob)
        guard case .inline(let inline) = blob else { throw CancellationError() }
        #expect(inline.mimeType == "image/png")
        let file = folder.path + "/\(index).png"
        try Data(try blob.bytes).write(to: URL(fileURLWithPath: file))
        let shown = try await Oracle.frames(of: file, pixelFormat: "rgb24")
        #expect(shown.first?.bytes == (try #require(plain.blob).bytes))
        let size = try #require(plain.image)
        if let width { #expect(size.width == width) }
        if let height { #expect(size.height == height) }
        let (stated, own) = (size.width * source.height, size.height * source.width)
        #expect(abs(stated - own) <= max(source.width, source.height), "the shape stays")
      }
      let jpeg = try await read(WireVideoSettings(format: .jpeg, quality: 0.3))
      let better = try await read(WireVideoSettings(format: .jpeg, quality: 0.95))
      #expect(jpeg.count == count)
      #expect(try jpeg[0].blob?.bytes.prefix(2) == [0xff, 0xd8])
      #expect((jpeg[0].blob?.size ?? 0) < (better[0].blob?.size ?? 0))
    }
  }

  /// One file grows with each pull: the raw stream.
  @Test(arguments: Transport.allCases) func allSamplesInOneFile(
    _ transport: Transport
  ) async throws {
    let folder = TemporaryFolder()
    let expected = try await Oracle.sound(of: try await Fixture.wav.path, format: "s16le")
    try await withClient(transport) { client in
      let asset = try await client.open(.wav)
      let file = folder.path + "/sound.raw"
      let delivery = WireDelivery.file(WireFileDelivery(path: file))
      let output = try await client.read(
        asset, .init(type: .track, mediaType: .audio, settings: Self.sound)
      ).output
      let samples = try await client.readAll(output, maxCount: 3, delivery: delivery)
      #expect(try contents(of: file) == expected)
      var end = 0
      for sample in samples {
        guard case .file(let blob) = try #require(sample.blob) else { throw CancellationError() }
        #expect(blob.path == file && blob.offset == end)
        end += blob.size
      }
      #expect(end == expected.count)
      // The samples up to there stay as they are.
      let second = try await client.read(
        asset, .init(type: .track, mediaType: .audio, settings: Self.sound)
      ).output
      let error = try await client.failure(
        of: AssetReaderNextSampleBuffers(output: second, maxCount: 3, delivery: delivery))
      #expect(error.code == -11823)
      #expect(try contents(of: file) == expected)
      let other = WireDelivery.file(WireFileDelivery(path: folder.path + "/other.raw"))
      _ = try await client.readAll(second, maxCount: 3, delivery: other)
      #expect(try contents(of: folder.path + "/other.raw") == expected)
    }
  }

  /// A second header in the stream changes the format: reported with the first sample that has it.
  @Test func aNewFormatIsToldWhenItComes() async throws {
    let folder = TemporaryFolder()
    var joined: [UInt8] = []
    for (place, size) in ["128x72", "64x64"].enumerated() {
      let part = folder.file("\(place).flv")
      _ = try await succeed([
        "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=d=1:r=10:s=\(size)",
        "-c:v", "libx264", "-output_ts_offset", "\(place)", part,
      ])
      // The second file's header and the size of the tag before the first are left out.
      joined += try contents(of: part).dropFirst(place == 0 ? 0 : 13)
    }
    let path = try folder.write("joined.flv", joined)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let (_, output) = try await client.read(
        asset, .init(type: .track, mediaType: .video, supportsRandomAccess: true))
      let samples = try await client.readAll(output)
      #expect(samples.count == 20)
      let told = samples.indices.filter { samples[$0].format != nil }
      #expect(told == [0, 10])
      #expect(try encoded(samples[0].format) != encoded(samples[10].format))
      // From the first part again: the format is another than that of the last sample.
      let range = TimeRange(start: .zero, end: .seconds(1, 2))
      _ = try await client.call(
        AssetReaderReset(output: output, timeRanges: [WireTimeRange(range)]))
      let again = try await client.readAll(output)
      #expect(try encoded(again.first?.format) == encoded(samples[0].format))
      #expect(again.dropFirst().allSatisfy { $0.format == nil })
    }
  }

  /// Stored samples report their dependencies and dependents, as far as the file states them.
  @Test func storedSamplesSayWhatTheyDependOn() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let output = try await client.read(asset, .init(type: .track, mediaType: .video)).output
      let samples = try await client.readAll(output)
      for sample in samples {
        let isSync = sample.attachments.notSync != true
        #expect(sample.attachments.dependsOnOthers == (isSync ? false : nil))
      }
      // The file has no table of that (sdtp): nothing is claimed.
      #expect(samples.allSatisfy { $0.attachments.isDependedOnByOthers == nil })
    }
  }

  private func encoded(_ format: WireFormatDescription?) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(try #require(format))
  }

  /// The bytes of samples in shared memory, which is released.
  private func release(
    _ samples: [WireSampleBuffer], _ client: TestClient
  ) async throws -> [[UInt8]] {
    let bytes = try samples.map { try #require($0.blob).bytes }
    try client.notify(BlobRelease(leases: samples.compactMap { $0.blob?.lease }))
    return bytes
  }
}
