import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct WaveformTests {
  /// With any length of the parts, their values are those of the samples; channels don't mix.
  @Test(arguments: [1, 2, 7, 10, 999, 1000], Transport.allCases)
  func partsAreExact(_ count: Int, _ transport: Transport) async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 1000, rate: 8000, channels: 2)
    try await withClient(transport) { client in
      let asset = try await client.open(sound, in: folder)
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: count))
      #expect(waveform.result == .succeeded && waveform.error == nil && waveform.image == nil)
      #expect(waveform.sampleRate == 8000 && waveform.trackID == 1)
      #expect(
        waveform.timeRange?.range == TimeRange(start: .zero, duration: .seconds(1000, 8000)))
      try expect(waveform, sound.parts(count, from: 0, to: 1000))
    }
  }

  /// A range whose ends are no samples' times: each sample is in the part that its time is in.
  @Test(arguments: [
    (TimeRange(start: .seconds(1, 30), duration: .seconds(1, 24)), 5),
    (TimeRange(start: .seconds(1, 30), duration: .seconds(1, 24)), 4000),
    (TimeRange(start: .seconds(333, 8000), duration: .seconds(3, 8000)), 7),
    (TimeRange(start: .seconds(100, 1001), duration: .seconds(1, 3)), 11),
    (TimeRange(start: .seconds(7, 1), duration: .seconds(1, 3)), 3),
    (TimeRange(start: .seconds(1, 16), duration: .positiveInfinity), 9),
    (TimeRange(start: .seconds(9, 1), duration: .positiveInfinity), 2),
  ])
  func rangesAreExact(_ range: TimeRange, _ count: Int) async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 1000, rate: 8000, channels: 1)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(sound, in: folder)
      let waveform = try await client.waveform(
        WaveformGenerate(asset: asset, timeRange: WireTimeRange(range), count: count))
      #expect(waveform.result == .succeeded)
      // In units of 1/24,024,000 s, which all of the times above are whole numbers of.
      let unit: Int64 = 24_024_000
      let start = range.start.converted(toTimescale: Int32(unit)).value
      let duration =
        range.duration.isNumeric
        ? range.duration.converted(toTimescale: Int32(unit)).value
        : max(0, unit / 8 - start)
      let tick = unit / 8000
      func part(_ index: Int) -> Range<Int> {
        // The first sample at or after a time, in units of a tick's count-th part.
        func first(_ index: Int) -> Int {
          let time = start * Int64(count) + Int64(index) * duration
          let length = tick * Int64(count)
          return Int(clamping: (time + length - 1) / length)
        }
        let (lower, upper) = (first(index), first(index + 1))
        if lower == upper, duration > 0, lower > 0 { return lower - 1..<lower }
        return lower..<upper
      }
      try expect(waveform, (0..<count).map { sound.part(part($0)) })
    }
  }

  /// More parts than samples: each repeats the sample that continues in it.
  @Test func manyPartsAreSteps() async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 10, rate: 8000, channels: 2)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(sound, in: folder)
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 40))
      try expect(waveform, (0..<40).map { sound.part($0 / 4..<$0 / 4 + 1) })
    }
  }

  @Test func asManyPartsAsThereCanBe() async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 100_003, rate: 44_100, channels: 1)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(sound, in: folder)
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 100_000))
      try expect(waveform, sound.parts(100_000, from: 0, to: 100_003))
    }
  }

  /// An empty edit before the audio, and the time after it, are 0.
  @Test func whatHasNoMediaIsZero() async throws {
    let folder = TemporaryFolder()
    let sound = Sound(frames: 8000, rate: 8000, channels: 1)
    let path = folder.file("late.mov")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=3",
      "-itsoffset", "0.5", "-i", try folder.write("a.wav", sound.wav), "-c:v", "mpeg4", "-c:a",
      "copy", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let range = TimeRange(start: .zero, duration: .seconds(3, 1))
      let waveform = try await client.waveform(
        WaveformGenerate(asset: asset, timeRange: WireTimeRange(range), count: 12))
      try expect(
        waveform,
        (0..<12).map { index in
          (2..<6).contains(index)
            ? sound.part((index - 2) * 2000..<(index - 1) * 2000) : Part()
        })
      // By default it is the track's own part of the asset.
      let own = try await client.waveform(WaveformGenerate(asset: asset, count: 4))
      #expect(
        own.timeRange?.range == TimeRange(start: .seconds(1, 2), duration: .seconds(1, 1)))
      try expect(own, (0..<4).map { sound.part($0 * 2000..<($0 + 1) * 2000) })
    }
  }

  /// A second without audio in the middle of a file.
  @Test func gapsAreZero() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.audioGap)
      let range = TimeRange(start: .zero, duration: .seconds(3, 1))
      let waveform = try await client.waveform(
        WaveformGenerate(asset: asset, timeRange: WireTimeRange(range), count: 12))
      let channel = try #require(waveform.channels?.first)
      // The gap's ends are those of FFmpeg's frames, near 1 s and 2 s.
      for part in [0, 1, 2, 9, 10, 11] {
        #expect(channel.min[part] < 0 && channel.max[part] > 0 && channel.rms[part] > 0)
      }
      for part in [5, 6] {
        #expect((channel.min[part], channel.max[part], channel.rms[part]) == (0, 0, 0))
      }
    }
  }

  /// Samples that are no numbers, or beyond full scale.
  @Test func floatsAreTakenAsTheyAre() async throws {
    let folder = TemporaryFolder()
    var samples = [Float](repeating: 0.25, count: 64)
    samples[3] = .nan
    samples[20] = .infinity
    samples[21] = -.infinity
    samples[40] = 1.5
    let bytes = samples.flatMap { sample in
      (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> ($0 * 8)) }
    }
    let path = folder.file("a.wav")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "f32le", "-ar", "8000", "-ac", "1", "-i",
      try folder.write("a.raw", bytes), "-c:a", "copy", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 4))
      let channel = try #require(waveform.channels?.first)
      #expect(channel.min == [0, 0, 0.25, 0.25])
      #expect(channel.max == [0.25, 0.25, 1.5, 0.25])
      let power = (15 * 0.0625 + 2.25) / 16
      #expect(channel.rms[2] == power.squareRoot() && channel.rms[3] == 0.25)
    }
  }

  // MARK: Failures and cancelling

  @Test(arguments: [WireCompletion.notification, .response]) func failuresAreTold(
    _ completion: WireCompletion
  ) async throws {
    let folder = TemporaryFolder()
    let undecodable = folder.file("undecodable.wav")
    var bytes = Sound(frames: 100, rate: 8000, channels: 1).wav
    // A format tag without a decoder.
    (bytes[20], bytes[21]) = (0x34, 0x12)
    try folder.write("undecodable.wav", bytes)
    try await withClient(.inProcess) { client in
      let wide = try await client.open(Sound(frames: 100, rate: 8000, channels: 16), in: folder)
      let video = try await client.open(.long)
      let both = try await client.open(.bframes)
      let unknown = try await client.call(AssetOpen(url: undecodable)).asset
      let missing = try await client.call(AssetOpen(url: folder.file("none"))).asset
      let cases: [(WaveformGenerate, [Int])] = [
        (.init(asset: video, count: 3), [-11869]),
        (.init(asset: both, trackID: 1, count: 3), [-11869]),
        (.init(asset: both, trackID: 9, count: 3), [-11869]),
        (.init(asset: unknown, count: 3), [-11833]),
        (.init(asset: missing, count: 3), [-11800, -11863]),
        (.init(asset: wide, count: 100_000), [3002]),
        (.init(asset: both, format: .webp, width: 16_384), [3002]),
        (.init(asset: both, format: .png, width: 100_000, height: 16_384), [3002]),
      ]
      for (request, codes) in cases {
        var request = request
        request.completion = completion
        let waveform = try await client.waveform(request)
        #expect(waveform.result == .failed)
        #expect(codes.contains(waveform.error?.code ?? 0), "\(String(describing: waveform.error))")
        #expect(waveform.error?.data?.hint.isEmpty == false)
        #expect(waveform.channels == nil && waveform.image == nil)
      }
    }
  }

  @Test func allThatIsWrongIsToldAtOnce() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      func range(_ start: Time, _ duration: Time) -> WireTimeRange {
        WireTimeRange(TimeRange(start: start, duration: duration))
      }
      let second = Time.seconds(1, 1)
      let cases: [(WaveformGenerate, Set<String>)] = [
        (.init(asset: asset), ["/count"]),
        (.init(asset: asset, count: 0), ["/count"]),
        (.init(asset: asset, count: 100_001), ["/count"]),
        (.init(asset: asset, timeRange: range(second, .zero), count: 1), ["/timeRange"]),
        (.init(asset: asset, timeRange: range(.seconds(-1, 1), second), count: 1), ["/timeRange"]),
        (.init(asset: asset, timeRange: range(.indefinite, second), count: 1), ["/timeRange"]),
        (.init(asset: asset, timeRange: WireTimeRange(.invalid), count: 1), ["/timeRange"]),
        (.init(asset: asset, count: 5, width: 5, color: "#ffffff"), ["/width", "/color"]),
        (.init(asset: asset, format: .png), ["/width"]),
        (
          .init(
            asset: asset, count: -1, format: .gray, width: 0, height: 0, color: "red",
            backgroundColor: "#+12345", quality: 2),
          ["/count", "/format", "/width", "/height", "/color", "/backgroundColor", "/quality"]
        ),
      ]
      for (request, paths) in cases {
        try await client.expectProblems(at: paths, in: request)
      }
    }
  }

  /// With any way to cancel it, there is one end, and the part that is done never falls.
  @Test(arguments: Transport.allCases, ["operation", "asset", "request"])
  func cancelledWaveformsEnd(_ transport: Transport, _ way: String) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("long.flac")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo", "-t", "7200",
      "-c:a", "flac", path,
    ])
    try await withClient(transport) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let isResponse = way == "request"
      let id = try client.start(
        WaveformGenerate(
          asset: asset, count: 500, format: .png,
          delivery: .file(WireFileDelivery(path: folder.file("a.png"))),
          completion: isResponse ? .response : nil))
      let progress = try await client.wait(for: WaveformDidProgress.self)
      let operation = try #require(progress.first).operation
      switch way {
      case "operation": _ = try await client.call(HandleClose(handle: AnyHandle(operation)))
      case "asset": _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      default: client.cancelRequest(id)
      }
      if isResponse {
        #expect(try await client.answer(to: id)["error"]?["code"]?.integerValue == -32800)
      } else {
        let end = try await client.terminal(WaveformDidFinish.self, of: operation)
        #expect(end.result == .cancelled && end.error?.code == -11878 && end.channels == nil)
        _ = try await client.answer(to: id)
      }
      #expect(folder.names == ["long.flac"])
      let parts = try client.received(WaveformDidProgress.self).map(\.progress)
      #expect(parts == parts.sorted() && parts.allSatisfy { (0...1).contains($0) })
    }
  }

  private func expect(
    _ waveform: WaveformDidFinish, _ parts: [Part], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let channels = try #require(waveform.channels, sourceLocation: location)
    try #require(!channels.isEmpty, sourceLocation: location)
    for (number, channel) in channels.enumerated() {
      let place = { (part: Part) in part.channels.isEmpty ? (0, 0, 0) : part.channels[number] }
      #expect(channel.min == parts.map { place($0).0 }, sourceLocation: location)
      #expect(channel.max == parts.map { place($0).1 }, sourceLocation: location)
      #expect(channel.rms == parts.map { place($0).2 }, sourceLocation: location)
    }
  }
}

/// The expected values of one part: smallest, largest and power of each channel; nothing without
/// samples.
struct Part {
  var channels: [(Double, Double, Double)] = []
}

/// Synthetic audio whose samples can be computed.
struct Sound {
  let frames: Int
  let rate: Int
  let channels: Int

  func sample(_ frame: Int, _ channel: Int) -> Int16 {
    // The extremes, and numbers without a pattern.
    if frame == frames / 2 { return channel == 0 ? .min : .max }
    let mixed = UInt64(frame * 31 + channel * 17 + 1) &* 0x9e37_79b9_7f4a_7c15
    let bits = Int16(truncatingIfNeeded: mixed >> 40)
    return channel == 0 ? bits : bits / 3
  }

  /// Samples beyond the end don't count.
  func part(_ range: Range<Int>) -> Part {
    let range = range.clamped(to: 0..<frames)
    guard !range.isEmpty else { return Part() }
    return Part(
      channels: (0..<channels).map { channel in
        let samples = range.map { Int(sample($0, channel)) }
        // Exact: below 2^53 for as many samples as there are here.
        let squares = samples.reduce(0) { $0 + $1 * $1 }
        return (
          Double(samples.min() ?? 0) / 32768, Double(samples.max() ?? 0) / 32768,
          (Double(squares) / 1_073_741_824 / Double(samples.count)).squareRoot()
        )
      })
  }

  /// Parts of equal length of a range of samples.
  func parts(_ count: Int, from start: Int, to end: Int) -> [Part] {
    (0..<count).map { index in
      func first(_ index: Int) -> Int { start + (index * (end - start) + count - 1) / count }
      return part(first(index)..<first(index + 1))
    }
  }

  /// A file of it, with 16 bits a sample.
  var wav: [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let size = frames * channels * 2
    var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    bytes += number(1, 2) + number(channels, 2) + number(rate, 4)
    bytes += number(rate * channels * 2, 4) + number(channels * 2, 2) + number(16, 2)
    bytes += Array("data".utf8) + number(size, 4)
    for frame in 0..<frames {
      for channel in 0..<channels { bytes += number(Int(sample(frame, channel)), 2) }
    }
    return bytes
  }
}

extension TestClient {
  /// Opens an asset on synthetic audio.
  func open(_ sound: Sound, in folder: TemporaryFolder) async throws -> AssetHandle {
    let path = try folder.write("\(sound.frames)-\(sound.channels).wav", sound.wav)
    return try await call(AssetOpen(url: path)).asset
  }

  /// The end of a waveform, in the requested completion form.
  func waveform(_ request: WaveformGenerate) async throws -> WaveformDidFinish {
    switch try await call(request) {
    case .finished(let end): return end
    case .started(let operation): return try await terminal(WaveformDidFinish.self, of: operation)
    }
  }
}
