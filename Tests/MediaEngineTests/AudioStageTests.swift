import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// The audio of an export on its way into packets.
struct AudioStageTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  /// Collects a stage's packets.
  private final class Collector: PacketSink {
    var packets: [(pts: Int64?, bytes: [UInt8])] = []

    func put(_ packet: inout Packet) throws(LibAVError) {
      packets.append((packet.pts, packet.bytes))
    }
  }

  /// Runs the audio of a file through a preset's stage.
  private func run(
    _ path: String, _ preset: String, to type: String, _ range: TimeRange = .all
  ) async throws -> [(pts: Int64?, bytes: [UInt8])] {
    let output = "\(fixtures.folder)/out-\(preset).\(type)"
    return try await onThreadOfItsOwn { try Self.packets(path, preset, to: type, output, range) }
  }

  private static func packets(
    _ path: String, _ preset: String, to type: String, _ output: String, _ range: TimeRange
  ) throws -> [(pts: Int64?, bytes: [UInt8])] {
    var configuration = ExportConfiguration()
    configuration.timeRange = range
    let media = URLAsset(url: path).media.content
    let interrupt = Interrupt()
    let fileType = try #require(FileType(type))
    let chosen: ExportPreset = try #require(ExportPreset(preset))
    let export = try ResolvedExport(
      of: media, try media.presentation(interrupt: interrupt),
      ExportRequest(preset: chosen, fileType: fileType, configuration: configuration),
      interrupt: interrupt)
    let file = try OutputFile(path: output)
    let writer = try MovieWriter(
      MovieDestination(target: .file(file), fileType: fileType, interrupt: interrupt),
      metadata: export.metadata.file)
    let track = try #require(export.tracks.first)
    guard case .audio(let encoding) = track.treatment else {
      Issue.record("\(track.treatment)")
      return []
    }
    let reading = TrackReading(range: track.range.time, interrupt: interrupt)
    let audio = try track.info.timeline.audio(
      reading, AudioSettings(encoding.layout, timePitch: .spectral))
    let stage = try AudioStage(
      track, audio, encoding: encoding, writer: writer, interrupt: interrupt)
    try writer.writeHeader()
    stage.begin(writer)
    let collector = Collector()
    var position = Time.zero
    while !stage.isAtEnd {
      stage.prepare()
      try stage.step(into: collector)
      #expect(stage.position >= position)
      position = stage.position
    }
    return collector.packets
  }

  private func samples(_ packets: [(pts: Int64?, bytes: [UInt8])]) -> [Int16] {
    packets.flatMap(\.bytes).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  private static let tone = "-f lavfi -i aevalsrc=0.5*sin(2*PI*t*(200+300*t)):d=2:s=44100"

  /// Linear samples come out as ffmpeg decodes them, with time stamps that count them.
  @Test func linearSamplesAreTheSources() async throws {
    let path = try fixtures.make("a.flac", "\(Self.tone) -c:a flac -sample_fmt s16")
    let expected = try fixtures.samples(of: path, as: "s16le", Int16.self)
    let packets = try await run(path, "WAV", to: "wav")
    #expect(samples(packets) == expected)
    var position: Int64 = 0
    for packet in packets {
      #expect(packet.pts == position)
      position += Int64(packet.bytes.count / 2)
    }
    // A range, cut to the sample.
    let range = TimeRange(start: Self.time(12_345, 44100), end: Self.time(54_321, 44100))
    let part = try await run(path, "WAV", to: "wav", range)
    #expect(part.first?.pts == 0)
    #expect(samples(part) == Array(expected[12_345..<54_321]))
  }

  /// Linear samples have no times of their own, so a pause is filled with silence.
  @Test func aPauseBecomesSilence() async throws {
    let path = try gap()
    let times = try fixtures.packets(of: path, stream: "a:0").map(\.time)
    let sounds = try fixtures.samples(of: path, as: "s16le", Int16.self)
    let place = try #require(times.indices.dropFirst().first { times[$0] - times[$0 - 1] > 0.5 })
    let before = try fixtures.samples(of: path, as: "s16le", Int16.self, "-af atrim=end=1")
    let later = Int((times[place] * 44100).rounded(.down))
    let silence = [Int16](repeating: 0, count: later - before.count)
    let expected = before + silence + sounds.dropFirst(before.count)
    let made = samples(try await run(path, "WAV", to: "wav"))
    // The asset ends at a whole number of Matroska's milliseconds.
    #expect((expected.count - 44...expected.count).contains(made.count))
    #expect(made == Array(expected.prefix(made.count)))
  }

  /// A codec with times of its own keeps the pause: the stamps continue after it.
  @Test func aPauseIsKept() async throws {
    let packets = try await run(try gap(), "AppleM4A", to: "m4a")
    let stamps = try packets.map { try #require($0.pts) }
    let steps = zip(stamps.dropFirst(), stamps).map { $0 - $1 }
    let jumps = steps.filter { $0 != 1024 }
    try #require(jumps.count == 1)
    // Three quarters of a second, less the overlap.
    #expect((33_075 - 3 * 1024...33_075 + 1024).contains(jumps[0]))
  }

  private func gap() throws -> String {
    try fixtures.make(
      "gap.mka", "\(Self.tone) -af aselect=not(between(t\\,0.5\\,1.25)) -c:a pcm_s16le")
  }
}
