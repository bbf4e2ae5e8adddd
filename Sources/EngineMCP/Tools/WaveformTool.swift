import EngineProtocol
import EngineReports
import Glibc
import JSONRPC
import MediaTime

/// Shows audio as an image and as numbers.
enum WaveformTool {
  static let tool = Tool(
    name: "view_waveform",
    description: "Look at the audio of a file: its waveform, peaks, and loudness (LUFS).",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
    ]),
    isLong: { _ in true }, run: run)

  /// The parts that numbers are of.
  private static let count = 200

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let path = try call.paths.resolve(call.arguments.required("path"), "path")
    let range = try RangeArgument(call.arguments)
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      try facts.requireAudio(path)
      let (track, part) = (facts.audio?.trackID, try facts.rules.resolve(range))
      let wave = try await make(asset, track, part, call.engine) { call.report($0 / 2) }
      guard let image = wave.image else { throw ToolFailure("The engine gave no picture") }
      let request = AnalysisLoudness(
        asset: asset, trackID: track, timeRange: part.map { WireTimeRange($0) },
        completion: .response)
      let loudness = try await measure(request, call)
      return ToolOutput(
        [.text(text(wave) + "\n" + text(loudness)), try Images.content(image).content])
    }
  }

  static func make(
    _ asset: AssetHandle, _ trackID: Int32?, _ range: TimeRange?, _ engine: EngineSession,
    _ report: @escaping @Sendable (Double) -> Void
  ) async throws -> WaveformDidFinish {
    var request = WaveformGenerate(asset: asset)
    (request.trackID, request.timeRange) = (trackID, range.map { WireTimeRange($0) })
    (request.count, request.completion) = (count, .response)
    (request.format, request.width, request.height) = (.png, Images.maximumSide, 256)
    (request.color, request.backgroundColor) = ("#1f6feb", "#ffffff")
    let wave: WaveformDidFinish = try await engine.finish(request, WaveformDidProgress.self) {
      step in
      if step.asset == asset { report(step.progress) }
    }
    if let error = wave.error { throw RPCError(error) }
    return wave
  }

  private static func measure(
    _ request: AnalysisLoudness, _ call: ToolCall
  ) async throws -> AnalysisDidMeasureLoudness {
    let measured: AnalysisDidMeasureLoudness = try await call.engine.finish(
      request, AnalysisDidProgress.self
    ) { step in
      if step.asset == request.asset { call.report(0.5 + step.progress / 2) }
    }
    if let error = measured.error { throw RPCError(error) }
    return measured
  }

  /// The loudness by EBU R 128; values that can't be measured are left out.
  private static func text(_ loudness: AnalysisDidMeasureLoudness) -> String {
    let values: [(String, Double?, String)] = [
      ("integrated", loudness.integratedLoudness, "LUFS"),
      ("range", loudness.loudnessRange, "LU"),
      ("true peak", loudness.truePeak, "dBTP"),
      ("loudest 3 s", loudness.maximumShortTermLoudness, "LUFS"),
    ]
    let known = values.compactMap { name, value, unit in
      value.map { "\(name) \(Formatting.number($0, places: 1)) \(unit)" }
    }
    return known.isEmpty
      ? "Loudness: all is silent or too short" : "Loudness: \(known.joined(separator: ", "))"
  }

  /// The range, peaks and power of each channel, and where it is loud and quiet.
  private static func text(_ wave: WaveformDidFinish) -> String {
    let range = wave.timeRange?.range
    var lines: [String] = []
    if let range {
      lines.append("From \(ExactTime.shown(range.start)) to \(ExactTime.shown(range.end))")
    }
    for (index, channel) in (wave.channels ?? []).enumerated() {
      let peak = zip(channel.min, channel.max).map { max(abs($0), abs($1)) }.max() ?? 0
      let power = channel.rms.map { $0 * $0 }.reduce(0, +) / Double(max(1, channel.rms.count))
      lines.append(
        "Channel \(index + 1): peak \(decibels(peak)) dBFS, RMS \(decibels(power.squareRoot())) dBFS"
      )
    }
    if let range, range.duration.isNumeric, let part = loudestPart(wave.channels ?? []) {
      let time = range.start.seconds + part * range.duration.seconds
      lines.append("Loudest around \(Formatting.number(time, places: 2)) s")
    }
    return lines.joined(separator: "\n")
  }

  /// The loudest place in the range, from 0 to 1; nil where it is the same everywhere.
  private static func loudestPart(_ channels: [WireWaveformChannel]) -> Double? {
    guard let count = channels.map(\.rms.count).min(), count > 1 else { return nil }
    let powers = (0..<count).map { index in
      channels.reduce(0) { $0 + $1.rms[index] * $1.rms[index] }
    }
    // One decibel more than on average.
    guard let loudest = powers.indices.max(by: { powers[$0] < powers[$1] }),
      powers[loudest] > 1.26 * powers.reduce(0, +) / Double(count)
    else { return nil }
    return (Double(loudest) + 0.5) / Double(count)
  }

  static func decibels(_ value: Double) -> String {
    guard value > 0 else { return "-∞" }
    return Formatting.number(20 * log10(value), places: 1)
  }
}
