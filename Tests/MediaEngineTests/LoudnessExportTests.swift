import Foundation
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Exports that bring audio to a loudness, compared with ffmpeg's `ebur128`.
struct LoudnessExportTests {
  private let fixtures: Fixtures
  private let folder: String

  init() throws {
    fixtures = try Fixtures()
    folder = fixtures.folder + "/made"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func loudness(_ path: String, track: Int = 0) throws -> Double {
    let command =
      "ffmpeg -nostdin -hide_banner -i '\(path)' -map 0:a:\(track) -af ebur128 -f null - 2>&1"
    let report = String(decoding: try output(of: ["sh", "-c", command]), as: UTF8.self)
    let line = try #require(report.components(separatedBy: "    I: ").last)
    return try #require(Double(line.drop { $0 == " " }.prefix { $0 != " " }))
  }

  private func configuration(_ target: LoudnessTarget) -> ExportConfiguration {
    var audio = AudioEncodingSettings()
    audio.loudness = target
    var configuration = ExportConfiguration()
    configuration.settings.audio = .encoded(audio)
    return configuration
  }

  private func twoTracks() throws -> String {
    try fixtures.make(
      "two.mkv",
      "-f lavfi -i sine=440:d=6 -f lavfi -i aevalsrc=0.01*sin(900*t)*(1+sin(3*t)):d=6 "
        + "-map 0 -map 1 -c:a flac")
  }

  @Test(arguments: [AudioTracks.separate, .mix])
  func eachTrackOfTheFileHasTheLoudness(_ tracks: AudioTracks) async throws {
    let path = try twoTracks()
    var configuration = configuration(LoudnessTarget(integratedLoudness: -21))
    configuration.settings.audioTracks = tracks
    let session = try ExportSession(
      asset: URLAsset(url: path), fileType: .mkv, configuration: configuration)
    let planned = try await ExportPlanner(session.asset).preflight(session)
    let targets = planned.tracks.compactMap(\.loudness)
    let target = folder + "/\(tracks.rawValue).mkv"
    let made = try await session.export(to: target)
    #expect(made.loudness.count == (tracks == .separate ? 2 : 1))
    #expect(targets == made.loudness.map(\.target))
    for (number, applied) in made.loudness.enumerated() {
      #expect(abs(try loudness(target, track: number) + 21) <= 0.2)
      #expect(abs(try #require(applied.integratedLoudness) + 21) < 0.001)
      #expect(applied.deviation == nil)
    }
    if tracks == .separate {
      for (number, applied) in made.loudness.enumerated() {
        let before = try loudness(path, track: number)
        #expect(abs(try #require(applied.sourceIntegratedLoudness) - before) <= 0.1)
      }
    }
  }

  /// The steps of progress never fall, and the first pass is a part of them.
  @Test func progressCoversBothPasses() async throws {
    let path = try twoTracks()
    let steps = Mutex<[Double]>([])
    let session = try ExportSession(
      asset: URLAsset(url: path), preset: nil, outputURL: folder + "/progress.flac",
      configuration: configuration(LoudnessTarget(integratedLoudness: -21)))
    try session.begin()
    _ = try await session.run(progressInterval: 0) { step in steps.withLock { $0.append(step) } }
    let seen = steps.withLock { $0 }
    #expect(seen == seen.sorted() && seen.contains { $0 > 0 && $0 <= 0.35 })
  }

  @Test func cancellingTheFirstPassLeavesNothing() async throws {
    let path = try fixtures.make(
      "long.wav", "-f lavfi -i sine=440:r=96000:d=600 -ac 2 -c:a pcm_s16le")
    let target = folder + "/cancelled.flac"
    let session = try ExportSession(
      asset: URLAsset(url: path), preset: nil, outputURL: target,
      configuration: configuration(LoudnessTarget(integratedLoudness: -21)))
    try session.begin()
    await #expect(throws: EngineError.self) {
      // At the first step, which is one of the first pass.
      _ = try await session.run(progressInterval: 0) { _ in session.cancelExport() }
    }
    #expect(session.progress.status == .cancelled && session.progress.fraction <= 0.35)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func partsHaveNone() async throws {
    let session = try ExportSession(
      asset: URLAsset(url: try twoTracks()), fileType: .mkv,
      configuration: configuration(LoudnessTarget(integratedLoudness: -21)))
    await #expect {
      _ = try await session.partPlan()
    } throws: { error in
      (error as? EngineError)?.code == .unsupportedOutputSettings
    }
    await #expect(throws: EngineError.self) {
      _ = try await session.export(to: folder + "/parts.mkv", isResumable: true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
