import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Analyses over the protocol: compositions, ranges, failures and cancelling.
struct AnalysisTests {
  private static func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: .seconds(start, 1), end: .seconds(end, 1))
  }

  /// A second of a picture and a tone, and one of another picture and a lower tone.
  private func clips(_ folder: TemporaryFolder) async throws -> [String] {
    var paths: [String] = []
    for (source, tone) in [("testsrc", 880), ("smptebars", 440)] {
      let path = folder.file("\(source).mov")
      try await succeed([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "\(source)=size=160x90:rate=25:duration=1",
        "-f", "lavfi", "-i", "sine=frequency=\(tone):sample_rate=48000:duration=1", "-c:v",
        "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", path,
      ])
      paths.append(path)
    }
    return paths
  }

  /// Two clips with a second of nothing between them.
  private func composition(
    _ client: TestClient, _ folder: TemporaryFolder
  ) async throws -> AssetHandle {
    let composition = try await client.call(CompositionCreate()).composition
    for (number, path) in try await clips(folder).enumerated() {
      let source = try await client.call(AssetOpen(url: path)).asset
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source,
          at: WireTime(.seconds(Int64(number) * 2, 1))))
      _ = try await client.call(HandleClose(handle: AnyHandle(source)))
    }
    return AssetHandle(rawValue: composition.rawValue)
  }

  @Test(arguments: Transport.allCases)
  func compositionsAreAnalysed(_ transport: Transport) async throws {
    let folder = TemporaryFolder()
    try await withClient(transport) { client in
      let asset = try await composition(client, folder)
      let scenes = try await client.scenes(AnalysisSceneChanges(asset: asset))
      #expect(scenes.result == .succeeded && scenes.timeRange?.range == Self.range(0, 3))
      let change = try #require(scenes.sceneChanges?.first)
      #expect(scenes.sceneChanges?.count == 1)
      #expect(change.time.time == .seconds(2, 1) && change.sampleIndex == nil)
      let silences = try await client.silences(AnalysisSilences(asset: asset))
      let silence = try #require(silences.silences?.first?.range)
      #expect(silences.silences?.count == 1 && silences.threshold == -50)
      // A sample of a tone near zero is silent, too.
      #expect(abs((silence.start - .seconds(1, 1)).seconds) <= 2 / 48000)
      #expect(abs((silence.end - .seconds(2, 1)).seconds) <= 2 / 48000)
      let loudness = try await client.loudness(AnalysisLoudness(asset: asset))
      #expect(abs((loudness.integratedLoudness ?? 0) + 22) < 0.5)
      #expect(loudness.sampleRate == 48000 && loudness.channelLayout == "mono")
    }
  }

  /// A range that a mix makes quiet is silent, and the range after the end is, too.
  @Test func mixesAndRangesCount() async throws {
    let folder = TemporaryFolder()
    try await withClient(.inProcess) { client in
      let path = try await clips(folder)[0]
      let asset = try await client.call(AssetOpen(url: path)).asset
      let mute = WireAudioMix(inputParameters: [
        WireAudioMixInputParameters(
          trackID: 2, volume: [WireNumberRamp(at: WireTime(.zero), value: 0)])
      ])
      let silent = try await client.silences(
        AnalysisSilences(asset: asset, audioMix: .mix(mute)))
      #expect(silent.silences?.map(\.range) == [Self.range(0, 1)])
      let loudness = try await client.loudness(
        AnalysisLoudness(asset: asset, audioMix: .mix(mute)))
      #expect(loudness.result == .succeeded)
      #expect(loudness.integratedLoudness == nil && loudness.truePeak == nil)
      let after = try await client.silences(
        AnalysisSilences(asset: asset, timeRange: WireTimeRange(Self.range(0, 4))))
      let silence = try #require(after.silences?.first?.range)
      #expect(after.silences?.count == 1 && silence.end == .seconds(4, 1))
      #expect(abs((silence.start - .seconds(1, 1)).seconds) <= 2 / 48000)
    }
  }

  @Test(arguments: [WireCompletion.notification, .response])
  func failuresAreReported(_ completion: WireCompletion) async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let scenes = try await client.scenes(
        AnalysisSceneChanges(asset: asset, completion: completion))
      #expect(scenes.result == .failed && scenes.error?.code == -11869)
      #expect(scenes.sceneChanges == nil && scenes.error?.data?.hint.isEmpty == false)
      let silences = try await client.silences(
        AnalysisSilences(asset: asset, trackID: 9, completion: completion))
      #expect(silences.result == .failed && silences.error?.code == -11869)
      let loudness = try await client.loudness(
        AnalysisLoudness(asset: asset, trackID: 9, completion: completion))
      #expect(loudness.result == .failed && loudness.error?.code == -11869)
    }
  }

  @Test func problemsAreReportedAtOnce() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let empty = WireTimeRange(TimeRange(start: .zero, duration: .zero))
      let never = WireTime(.indefinite)
      try await client.expectProblems(
        at: ["/timeRange", "/sensitivity", "/minimumDuration"],
        in: AnalysisSceneChanges(
          asset: asset, timeRange: empty, sensitivity: 1.5, minimumDuration: never))
      try await client.expectProblems(
        at: ["/timeRange", "/threshold", "/minimumDuration"],
        in: AnalysisSilences(
          asset: asset, timeRange: empty, threshold: 1, minimumDuration: WireTime(.zero)))
      try await client.expectProblems(
        at: ["/timeRange"], in: AnalysisLoudness(asset: asset, timeRange: empty))
    }
  }

  /// With any way to cancel it, there is one end, and the part that is done never falls.
  @Test(arguments: ["operation", "asset", "request"])
  func cancelledAnalysesEnd(_ way: String) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("long.flac")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo", "-t", "7200",
      "-c:a", "flac", path,
    ])
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let isResponse = way == "request"
      let id = try client.start(
        AnalysisLoudness(asset: asset, completion: isResponse ? .response : nil))
      let progress = try await client.wait(for: AnalysisDidProgress.self)
      let operation = try #require(progress.first).operation
      switch way {
      case "operation": _ = try await client.call(HandleClose(handle: AnyHandle(operation)))
      case "asset": _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      default: client.cancelRequest(id)
      }
      if isResponse {
        #expect(try await client.answer(to: id)["error"]?["code"]?.integerValue == -32800)
      } else {
        let end = try await client.terminal(AnalysisDidMeasureLoudness.self, of: operation)
        #expect(end.result == .cancelled && end.error?.code == -11878)
        _ = try await client.answer(to: id)
      }
      let parts = try client.received(AnalysisDidProgress.self).map(\.progress)
      #expect(parts == parts.sorted() && parts.allSatisfy { (0...1).contains($0) })
    }
  }
}

extension TestClient {
  fileprivate func scenes(
    _ request: AnalysisSceneChanges
  ) async throws -> AnalysisDidFindSceneChanges {
    switch try await call(request) {
    case .finished(let end): return end
    case .started(let operation):
      return try await terminal(AnalysisDidFindSceneChanges.self, of: operation)
    }
  }

  fileprivate func silences(
    _ request: AnalysisSilences
  ) async throws -> AnalysisDidFindSilences {
    switch try await call(request) {
    case .finished(let end): return end
    case .started(let operation):
      return try await terminal(AnalysisDidFindSilences.self, of: operation)
    }
  }

  fileprivate func loudness(
    _ request: AnalysisLoudness
  ) async throws -> AnalysisDidMeasureLoudness {
    switch try await call(request) {
    case .finished(let end): return end
    case .started(let operation):
      return try await terminal(AnalysisDidMeasureLoudness.self, of: operation)
    }
  }
}
