import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Ogg files one after the other in one file: all of them are there, each as ffmpeg decodes it alone.
struct ChainedOggTests {
  private let folder = TemporaryFolder()

  private static func sine(_ hertz: Int, _ rate: Int, _ seconds: Double, _ rest: String) -> String {
    "-f lavfi -i sine=frequency=\(hertz):sample_rate=\(rate):duration=\(seconds) \(rest)"
  }
  private static let vorbis = Fixture(
    "link1.ogg", sine(440, 44100, 2.3, "-ac 2 -c:a libvorbis -flags:a +bitexact"))
  /// As the first but for its audio: with the same serial number, against the specification.
  private static let vorbisAgain = Fixture(
    "link2.ogg", sine(660, 44100, 1.9, "-ac 2 -c:a libvorbis -flags:a +bitexact"))
  private static let vorbisMono = Fixture(
    "link3.ogg", sine(880, 32000, 2.2, "-ac 1 -c:a libvorbis"))
  private static let opus = Fixture("link1.opus", sine(440, 48000, 1.03, "-ac 2 -c:a libopus"))
  private static let opusMono = Fixture("link2.opus", sine(660, 48000, 1.481, "-ac 1 -c:a libopus"))
  private static let flac = Fixture("link1.oga", sine(440, 44100, 1.3, "-ac 2 -c:a flac"))
  private static let flacMono = Fixture("link2.oga", sine(660, 48000, 1.1, "-ac 1 -c:a flac"))

  struct Chain: Sendable, CustomTestStringConvertible {
    var name: String
    var links: [Fixture]
    var testDescription: String { name }
  }

  static let chains = [
    Chain(name: "same.ogg", links: [vorbis, vorbisAgain, vorbis]),
    Chain(name: "rates.ogg", links: [vorbis, vorbisMono]),
    Chain(name: "pair.opus", links: [opus, opusMono, opus]),
    Chain(name: "pair.oga", links: [flac, flacMono]),
    Chain(name: "codecs.ogg", links: [vorbis, flacMono, opus, vorbisMono]),
  ]

  private func write(_ chain: Chain) async throws -> String {
    var bytes: [UInt8] = []
    for link in chain.links { bytes += try contents(of: try await link.path) }
    return try folder.write(chain.name, bytes)
  }

  /// The end of the last packet of a link: of Opus, ffprobe's duration counts the samples that are
  /// skipped.
  private func length(of link: Fixture) async throws -> Time {
    let path = try await link.path
    let json = try await Oracle.probe(path, ["-select_streams", "a:0", "-show_packets"])
    let base = try #require(try await Oracle.streams(of: path).first).timeBase
    guard case .array(let packets)? = json["packets"], let last = packets.last else {
      throw try #require(nil as RPCError?)
    }
    let end = try #require(last["pts"]?.integerValue) + (last["duration"]?.integerValue ?? 0)
    return Time(
      ticks: Int64(end), timeBaseNumerator: base.0, timeBaseDenominator: base.1)
  }

  /// The starts of all links, and the end of the last one.
  private func starts(of chain: Chain) async throws -> [Time] {
    var starts = [Time.zero]
    for link in chain.links {
      starts.append(starts[starts.count - 1] + (try await length(of: link)))
    }
    return starts
  }

  private func sound(
    _ asset: AssetHandle, _ settings: WireAudioSettings, _ range: TimeRange? = nil,
    _ client: TestClient
  ) async throws -> [WireSampleBuffer] {
    let output = try await client.read(
      asset, .init(type: .track, mediaType: .audio, settings: .audio(settings)), timeRange: range
    ).output
    return try await client.readAll(output)
  }

  @Test(arguments: chains) func allLinksAreThere(_ chain: Chain) async throws {
    let path = try await write(chain)
    let starts = try await starts(of: chain)
    let end = try #require(starts.last)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      guard
        case .finished(let loaded) = try await client.call(
          AssetLoadValues(
            asset: asset, keys: [.duration, .providesPreciseDurationAndTiming],
            completion: .response))
      else {
        Issue.record("no result")
        return
      }
      #expect(loaded.values.duration?.value?.time == end)
      #expect(loaded.values.providesPreciseDurationAndTiming?.value == true)

      // The stored packets are those of the links, with the format of each where it begins.
      var packets: [[Oracle.Packet]] = []
      for link in chain.links {
        packets.append(try await Oracle.packets(of: try await link.path, stream: "a:0"))
      }
      let output = try await client.read(asset, .init(type: .track, mediaType: .audio)).output
      let stored = try await client.readAll(output, delivery: .inline)
      let hashes = try await Oracle.md5(
        try stored.map { try #require($0.blob).bytes }, in: folder)
      #expect(hashes == packets.joined().map(\.hash))
      var first = 0
      var changes: [Int] = []
      for (number, link) in packets.enumerated() {
        for (sample, packet) in zip(stored[first...], link) {
          let expected = starts[number] + (try #require(packet.pts))
          // Samples that are only decoded because others need them lie a few ticks before the link.
          guard number == 0 || expected >= starts[number] else { continue }
          #expect(sample.presentationTime.time == expected)
        }
        changes.append(first)
        first += link.count
      }
      try #require(first == stored.count)
      let formats = stored.indices.filter { stored[$0].format != nil }
      #expect(Set(formats).isSubset(of: changes) && formats.first == 0)
      var codecs: [String] = []
      for link in chain.links {
        codecs.append(try #require(try await Oracle.streams(of: try await link.path).first).codec)
      }
      for (number, change) in changes.enumerated() {
        let current = stored[...change].last { $0.format != nil }?.format
        #expect(current?.codec == codecs[number])
      }
    }
  }

  /// Decoded, the links equal ffmpeg's output for each alone, in the requested form; ranges
  /// are parts of that to the sample.
  @Test(arguments: chains) func soundIsThatOfTheLinks(_ chain: Chain) async throws {
    let path = try await write(chain)
    let starts = try await starts(of: chain)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let settings = WireAudioSettings(sampleFormat: "s16", sampleRate: 44100, channels: 2)
      let whole = try await sound(asset, settings, nil, client)
      for (number, link) in chain.links.enumerated() {
        // Twice as much room as a sample takes, for rounding.
        let margin = Time.seconds(1, 88_200)
        let buffers = whole.filter {
          $0.presentationTime.time >= starts[number] - margin
            && $0.presentationTime.time < starts[number + 1] - margin
        }
        let bytes = try buffers.flatMap { try #require($0.blob).bytes }
        let expected = try await Oracle.sound(
          of: try await link.path, format: "s16le", options: ["-ar", "44100", "-ac", "2"])
        // A resampler's last samples are those of the silence after them.
        #expect(abs(bytes.count - expected.count) <= 64 * 4, "link \(number)")
        let pairs = zip(samples(bytes), samples(expected)).dropLast(256)
        let difference = pairs.map { abs(Int($0) - Int($1)) }.max() ?? .max
        #expect(difference <= 1, "link \(number)")
      }
      var generator = SeededGenerator(seed: 7)
      let end = try #require(starts.last)
      for round in 0..<12 {
        let from =
          round < starts.count - 1
          ? starts[round] - .seconds(1, 1000)
          : .seconds(Int64.random(in: 0..<3000, using: &generator), 1000)
        let range = TimeRange(
          start: max(.zero, min(from, end - .seconds(1, 10))),
          duration: .seconds(Int64.random(in: 1..<900, using: &generator), 1000))
        let part = try await sound(asset, settings, range, client)
        let bytes = try part.flatMap { try #require($0.blob).bytes }
        var expected: [UInt8] = []
        for buffer in whole {
          let begin = buffer.presentationTime.time
          let first = number(ofSampleAt: range.start, from: begin)
          let last = number(ofSampleAt: range.end, from: begin)
          let all = try #require(buffer.blob).bytes
          let (lower, upper) = (min(first * 4, all.count), min(last * 4, all.count))
          if lower < upper { expected += all[lower..<upper] }
        }
        #expect(bytes == expected, "\(range)")
      }
    }
  }

  /// Without a wish, the form is that of the first link, wherever reading begins.
  @Test func theFormIsTheFirstLinks() async throws {
    let chain = Self.chains[1]
    let path = try await write(chain)
    let starts = try await starts(of: chain)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      for start in [Time.zero, starts[1] + .seconds(1, 2)] {
        let range = TimeRange(start: start, duration: .positiveInfinity)
        let buffers = try await sound(asset, WireAudioSettings(sampleFormat: "s16"), range, client)
        try #require(!buffers.isEmpty)
        #expect(buffers.allSatisfy { $0.audio?.sampleRate == 44100 && $0.audio?.channels == 2 })
      }
    }
  }

  /// Waveforms and exports reach the end, and a copy that can't be made is refused.
  @Test(arguments: chains) func whatIsMadeOfItIsWhole(_ chain: Chain) async throws {
    let path = try await write(chain)
    let end = try #require(try await starts(of: chain).last)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 20))
      #expect(waveform.result == .succeeded)
      #expect(waveform.timeRange?.range == TimeRange(start: .zero, duration: end))
      let wave = try #require(waveform.channels?.first)
      #expect(wave.max.allSatisfy { $0 > 0.01 })

      let target = folder.file("out.m4a")
      let result = try await client.export(
        ExportSessionCreate(asset: asset, preset: "AppleM4A", outputURL: target))
      #expect(result.status == .completed, "\(result.error?.message ?? "")")
      let length = try await Oracle.duration(of: target)
      #expect(abs(length - end.seconds) < 0.05, "\(length), not \(end.seconds)")

      let copy = folder.file("copy.mka")
      let error = try await client.exportFailure(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: copy))
      #expect(error.code == -11864, "\(error)")
      #expect(!folder.names.contains("copy.mka"))
    }
  }

  /// Pictures, too: each link's as ffmpeg decodes them alone, one after the other.
  @Test func picturesOfAllLinksAreThere() async throws {
    let links = [("96x64", 440, 1.4), ("64x48", 660, 1.2)].enumerated().map { number, link in
      Fixture(
        "link\(number).ogv",
        "-f lavfi -i testsrc2=size=\(link.0):rate=25:duration=\(link.2) "
          + Self.sine(link.1, 44100, link.2, "-c:v libtheora -q:v 9 -c:a libvorbis"))
    }
    let chain = Chain(name: "pictures.ogv", links: links)
    let path = try await write(chain)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video,
          settings: .video(WireVideoSettings(pixelFormat: "yuv420p")))
      ).output
      let frames = try await client.readAll(output)
      var expected: [Oracle.Frame] = []
      for link in links { expected += try await Oracle.frames(of: try await link.path) }
      try #require(frames.count == expected.count)
      for (frame, picture) in zip(frames, expected) {
        #expect(try #require(frame.blob).bytes == picture.bytes)
      }
      let times = frames.map(\.presentationTime.time)
      #expect(times == times.sorted() && Set(times).count == times.count)
    }
  }

  /// A link that can't be opened is a named loss: the links before it are there.
  @Test func aLinkThatIsCutInItsHeadersIsNamed() async throws {
    let first = try contents(of: try await Self.vorbis.path)
    let second = try contents(of: try await Self.vorbisMono.path)
    let path = try folder.write("cut.ogg", first + second.prefix(2000))
    let expected = try await Oracle.sound(of: try await Self.vorbis.path, format: "s16le")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .audio, settings: .audio(WireAudioSettings(sampleFormat: "s16")))
      ).output
      let result = try await client.call(
        AssetReaderNextSampleBuffers(output: output, maxCount: 100, delivery: .inline))
      #expect(!result.endOfStream)
      #expect(try result.sampleBuffers.flatMap { try #require($0.blob).bytes } == expected)
      let error = try await client.failure(
        of: AssetReaderNextSampleBuffers(output: output, maxCount: 100, delivery: .inline))
      #expect(error.code == -11881)
      let export = try await client.export(
        ExportSessionCreate(asset: asset, preset: "AppleM4A", outputURL: folder.file("cut.m4a")))
      #expect(export.status == .completed)
      #expect(export.dropped?.contains { $0.item == .damagedSamples } == true)
    }
  }

  /// Bytes that only look like another link are none: noise after the file or between its pages.
  @Test func noiseIsNoLink() async throws {
    let bytes = try contents(of: try await Self.vorbis.path)
    let fake = Array("OggS".utf8) + [0, 2] + (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let path = try folder.write("noise.ogg", bytes + fake)
    let expected = try await Oracle.sound(of: try await Self.vorbis.path, format: "s16le")
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let buffers = try await sound(asset, WireAudioSettings(sampleFormat: "s16"), nil, client)
      #expect(try buffers.flatMap { try #require($0.blob).bytes } == expected)
    }
  }

  private func samples(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// The number of the first sample at or after a time, of those that follow `begin` at 44.1 kHz.
  private func number(ofSampleAt time: Time, from begin: Time) -> Int {
    guard time > begin else { return 0 }
    let exact = (time - begin).converted(toTimescale: 44100, rounding: .towardPositiveInfinity)
    return Int(clamping: exact.value)
  }
}
