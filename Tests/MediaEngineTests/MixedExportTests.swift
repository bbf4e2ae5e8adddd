import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Exports that make one audio track of several.
struct MixedExportTests {
  private let fixtures: Fixtures
  private let loud: String
  private let quiet: String
  private let clip: String

  init() throws {
    fixtures = try Fixtures()
    loud = try fixtures.make(
      "loud.wav", "-f lavfi -i aevalsrc=0.8|0.8:d=1:s=48000 -c:a pcm_s16le")
    quiet = try fixtures.make(
      "quiet.wav", "-f lavfi -i aevalsrc=0.1|0.4:d=0.5:s=48000 -c:a pcm_s16le")
    clip = try fixtures.make("clip.m4a", "-f lavfi -i sine=440:d=1:r=48000 -c:a aac")
  }

  private func part(
    _ path: String, _ source: TimeRange, at start: Time
  ) throws -> TrackTimeline.Part {
    let media = try #require(try Fixtures.tracks(path).first).requireStored()
    return .init(
      media,
      mapping: TimeMapping(
        source: source, target: TimeRange(start: start, duration: source.duration)))
  }

  private func track(
    _ id: Int32, _ parts: [TrackTimeline.Part], isEnabled: Bool = true
  ) throws -> TrackInfo {
    TrackInfo(
      trackID: id, mediaType: .audio,
      timeline: try TrackTimeline(parts: parts, of: .audio, path: "parts"), movie: nil,
      metadata: [], isEnabled: isEnabled, settings: CompositionTrackSettings())
  }

  private static func range(_ start: Int64, _ end: Int64, of unit: Int32 = 2) -> TimeRange {
    TimeRange(
      start: Time(value: start, timescale: unit), end: Time(value: end, timescale: unit))
  }

  private func export(
    _ tracks: [TrackInfo], _ audioTracks: AudioTracks?, to name: String
  ) async throws -> (path: String, plan: ExportPlanner.Preflight) {
    let path = "\(fixtures.folder)/\(name)"
    let asset = PartsAsset(tracks, files: [loud, quiet, clip])
    var configuration = ExportConfiguration()
    var audio = AudioEncodingSettings()
    audio.codec = .linearPCM
    configuration.settings.audio = .encoded(audio)
    configuration.settings.audioTracks = audioTracks
    let session = try ExportSession(
      asset: asset, preset: nil, outputURL: path, configuration: configuration)
    let plan = try await ExportPlanner(asset).preflight(session)
    try session.begin()
    _ = try await session.run()
    return (path, plan)
  }

  /// 0.8 + 0.1 and 0.8 + 0.4, the latter clipped; then 0.8 alone; a disabled track isn't heard.
  @Test func enabledTracksAreAddedUp() async throws {
    let tracks = [
      try track(1, [part(loud, Self.range(0, 2), at: .zero)]),
      try track(2, [part(quiet, Self.range(0, 1), at: .zero)]),
      try track(3, [part(loud, Self.range(0, 2), at: .zero)], isEnabled: false),
    ]
    let mixed = try await export(tracks, .mix, to: "mix.mov")
    #expect(mixed.plan.tracks.map(\.treatment) == [.mixed, .mixed, .dropped])
    #expect(mixed.plan.tracks.map(\.mixedInto) == [1, 1, nil])
    #expect(try Fixtures.tracks(mixed.path).count == 1)
    let samples = try fixtures.samples(of: mixed.path, as: "s16le", Int16.self)
    try #require(samples.count == 2 * 48000)
    for place in 0..<24000 {
      #expect(abs(Int(samples[2 * place]) - 29491) <= 2 && samples[2 * place + 1] == 32767)
    }
    for place in 24000..<48000 { #expect(abs(Int(samples[2 * place]) - 26214) <= 2) }
    let separate = try await export(tracks, nil, to: "separate.mov")
    #expect(separate.plan.tracks.map(\.treatment) == [.encoded, .encoded, .encoded])
    #expect(try Fixtures.tracks(separate.path).count == 3)
  }

  /// Counted from zero: twenty half seconds of AAC are 480,000 samples.
  @Test(arguments: [AudioTracks.mix, .separate])
  func manyPartsAreAsLongAsTheirTargets(_ audioTracks: AudioTracks) async throws {
    let parts = try (0..<20).map {
      try part(clip, Self.range(0, 1), at: Time(value: $0, timescale: 2))
    }
    let made = try await export([try track(1, parts)], audioTracks, to: "\(audioTracks).wav")
    let samples = try fixtures.samples(of: made.path, as: "s16le", Int16.self)
    #expect(samples.count == 480_000)
    // No part is silent.
    for place in 0..<20 {
      #expect(samples[(place * 24000 + 6000)..<(place * 24000 + 18000)].contains { $0 > 3000 })
    }
  }
}
