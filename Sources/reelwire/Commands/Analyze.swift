import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// Finds scene changes and silences in a file, and measures its loudness.
struct Analyze: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find a file's scene changes and silences, and measure its loudness.",
    discussion: """
      Without a choice it does all three, as far as the file has video and audio. The summary is for \
      people; --json prints one object, with the values as the protocol has them: times are exact. \
      Loudness is that of ITU-R BS.1770 and EBU R 128.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Find where scenes begin.")
  var scenes = false

  @Flag(help: "Find where the audio is silent.")
  var silence = false

  @Flag(help: "Measure how loud the audio is.")
  var loudness = false

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    parsing: .unconditional,
    help: "The sensitivity to small changes of scenes, from 0 to 1; 0.5 when absent.")
  var sensitivity: Double?

  @Option(
    parsing: .unconditional, help: "The duration of the shortest scene; half a second when absent.")
  var shortestScene: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: "The level below which audio counts as silence, in dBFS; -50 when absent.")
  var threshold: Double?

  @Option(
    parsing: .unconditional,
    help: "The duration of the shortest silence; half a second when absent.")
  var shortestSilence: TimeArgument?

  @Option(parsing: .unconditional, help: "The video track; the first one when absent.")
  var videoTrack: Int32?

  @Option(parsing: .unconditional, help: "The audio track; the first one when absent.")
  var audioTrack: Int32?

  @OptionGroup var range: RangeOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    let hasChoice = scenes || silence || loudness
    let isOfScenes = sensitivity != nil || shortestScene != nil || videoTrack != nil
    if hasChoice, !scenes, isOfScenes {
      throw ValidationError("--sensitivity, --shortest-scene and --video-track go with --scenes")
    }
    if hasChoice, !silence, threshold != nil || shortestSilence != nil {
      throw ValidationError("--threshold and --shortest-silence go with --silence")
    }
    if hasChoice, !silence, !loudness, audioTrack != nil {
      throw ValidationError("--audio-track goes with --silence and --loudness")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let asset = try await client.open(file)
    let analyses = try await choice(asset, client)
    var results = AnalysisResults()
    if analyses.contains(.scenes) {
      results.scenes = try await findScenes(asset, client, console)
    }
    if analyses.contains(.silence) {
      results.silences = try await findSilences(asset, client, console)
    }
    if analyses.contains(.loudness) {
      results.loudness = try await measureLoudness(asset, client, console)
    }
    results.note(console)
    if json {
      try console.print(results)
    } else {
      for line in results.lines(console.style) { try console.print(line) }
    }
  }

  private enum Analysis { case scenes, silence, loudness }

  /// The analyses that are asked for; without a choice those that the tracks allow.
  private func choice(
    _ asset: AssetHandle, _ client: EngineClient
  ) async throws -> Set<Analysis> {
    var chosen: Set<Analysis> = []
    if scenes { chosen.insert(.scenes) }
    if silence { chosen.insert(.silence) }
    if loudness { chosen.insert(.loudness) }
    if !chosen.isEmpty { return chosen }
    let types = try await mediaTypes(asset, client)
    if types.contains(.video) { chosen.insert(.scenes) }
    if types.contains(.audio) { chosen.formUnion([.silence, .loudness]) }
    guard !chosen.isEmpty else {
      throw CommandError(
        "'\(file)' has neither video nor audio", hint: "See its tracks: reelwire probe.")
    }
    return chosen
  }

  private func mediaTypes(
    _ asset: AssetHandle, _ client: EngineClient
  ) async throws -> Set<WireMediaType> {
    let request = AssetLoadValues(asset: asset, keys: [.tracks], completion: .response)
    let state = try await client.finish(request).values.tracks
    if let error = state?.error { throw RPCError(error) }
    return Set((state?.value ?? []).map(\.mediaType))
  }

  private func findScenes(
    _ asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws -> AnalysisDidFindSceneChanges {
    let request = AnalysisSceneChanges(
      asset: asset, trackID: videoTrack, timeRange: range.range, sensitivity: sensitivity,
      minimumDuration: shortestScene?.wire, completion: .response)
    let end = try await client.analyze(request, console)
    if let error = end.error { throw RPCError(error) }
    return end
  }

  private func findSilences(
    _ asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws -> AnalysisDidFindSilences {
    let request = AnalysisSilences(
      asset: asset, trackID: audioTrack, timeRange: range.range, threshold: threshold,
      minimumDuration: shortestSilence?.wire, completion: .response)
    let end = try await client.analyze(request, console)
    if let error = end.error { throw RPCError(error) }
    return end
  }

  private func measureLoudness(
    _ asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws -> AnalysisDidMeasureLoudness {
    let request = AnalysisLoudness(
      asset: asset, trackID: audioTrack, timeRange: range.range, completion: .response)
    let end = try await client.analyze(request, console)
    if let error = end.error { throw RPCError(error) }
    return end
  }
}

/// The results of analyses, as `--json` prints them.
struct AnalysisResults: Encodable, Sendable {
  var scenes: AnalysisDidFindSceneChanges?
  var silences: AnalysisDidFindSilences?
  var loudness: AnalysisDidMeasureLoudness?

  /// Prints what couldn't be analyzed.
  func note(_ console: Console) {
    let all = (scenes?.dropped ?? []) + (silences?.dropped ?? []) + (loudness?.dropped ?? [])
    Self.note(all, console)
  }

  /// Prints what couldn't be analyzed, each reason once.
  static func note(_ dropped: [WireDropped], _ console: Console) {
    var noted: Set<String> = []
    for item in dropped where noted.insert(item.reason).inserted {
      console.note("left out: \(item.reason.printable)")
    }
  }

  /// The summary for a person.
  func lines(_ style: Style) -> [String] {
    var lines: [String] = []
    if let scenes {
      let changes = scenes.sceneChanges ?? []
      lines.append(style.bold("Scene changes") + "  \(changes.count)")
      lines += changes.map { change in
        let frame = change.sampleIndex.map { "  frame \($0)" } ?? ""
        let score = Formatting.number(change.score, places: 2)
        return "  \(Formatting.position(change.time.time))\(frame)  score \(score)"
      }
    }
    if let silences {
      let threshold = Formatting.number(silences.threshold ?? 0, places: 1)
      let ranges = silences.silences ?? []
      lines.append(style.bold("Silences") + "  \(ranges.count) below \(threshold) dBFS")
      lines += ranges.map { silence in
        let range = silence.range
        let length = Formatting.duration(range.duration)
        return
          "  \(Formatting.position(range.start)) - \(Formatting.position(range.end))  \(length)"
      }
    }
    if let loudness { lines += Self.lines(loudness, style) }
    return lines
  }

  private static func lines(_ loudness: AnalysisDidMeasureLoudness, _ style: Style) -> [String] {
    let rows: [(name: String, value: Double?, unit: String)] = [
      ("integrated", loudness.integratedLoudness, "LUFS"),
      ("range", loudness.loudnessRange, "LU"),
      ("true peak", loudness.truePeak, "dBTP"),
      ("sample peak", loudness.samplePeak, "dBFS"),
      ("loudest 0.4 s", loudness.maximumMomentaryLoudness, "LUFS"),
      ("loudest 3 s", loudness.maximumShortTermLoudness, "LUFS"),
    ]
    return [style.bold("Loudness")]
      + rows.map { name, value, unit in
        let shown = value.map { "\(Formatting.number($0, places: 1)) \(unit)" } ?? "-"
        return "  \(name.padded(to: 14)) \(shown)"
      }
  }
}
