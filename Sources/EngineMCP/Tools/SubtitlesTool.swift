import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Reads the text of subtitles.
enum SubtitlesTool {
  /// The maximum number of cues, and of bytes of their text, in one result.
  private static let limits = (cues: 1000, bytes: 100_000)

  static let tool = Tool(
    name: "read_subtitles",
    description:
      "The text of a subtitle track (the first one, or 'track' of probe), with exact times.",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "track", schema: Schema.integer()),
      .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
    ]),
    output: Schema.result([
      ("track", Schema.integer()), ("cues", Schema.list(of: Schema.object())),
      ("isComplete", Schema.flag()),
    ]),
    run: run)

  private struct Cue: Sendable {
    var start: Time
    var end: Time
    var text: String
  }

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let path = try call.paths.resolve(call.arguments.required("path"), "path")
    let number = try call.arguments.integer("track", in: 0...Int(Int32.max))
    let range = try RangeArgument(call.arguments)
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      let track = try track(number, of: facts, path)
      let (cues, isComplete) = try await read(
        track, of: asset, try facts.rules.resolve(range), call.engine)
      return output(track, cues, isComplete)
    }
  }

  private static func track(
    _ number: Int?, of facts: MediaFacts, _ path: String
  ) throws -> Int32 {
    let known = facts.subtitles.map(\.trackID)
    guard let first = known.first else {
      throw ToolFailure(
        "'\(path)' has no subtitles",
        hint:
          "Subtitles may be a file of their own next to it, such as .srt or .vtt: list_media lists files."
      )
    }
    guard let number else { return first }
    guard let track = known.first(where: { Int($0) == number }) else {
      let names = known.map { "\($0)" }.joined(separator: ", ")
      throw ToolFailure("Track \(number) is no subtitle track", hint: "There are \(names).")
    }
    return track
  }

  private static func read(
    _ track: Int32, of asset: AssetHandle, _ range: TimeRange?, _ engine: EngineSession
  ) async throws -> (cues: [Cue], isComplete: Bool) {
    let output = WireReaderOutput(
      type: .track, trackID: track, settings: .text(WireTextSettings(textFormat: .plain)))
    let made = try await engine.send(
      AssetReaderCreate(
        asset: asset, timeRange: range.map { WireTimeRange($0) }, outputs: [output]))
    guard let output = made.outputs.first else { throw ToolFailure("The engine gave no output") }
    return try await engine.with(made.assetReader) { reader in
      _ = try await engine.send(AssetReaderStart(assetReader: reader))
      var cues: [Cue] = []
      var bytes = 0
      while cues.count < limits.cues, bytes < limits.bytes {
        let next = try await engine.send(
          AssetReaderNextSampleBuffers(output: output, maxCount: 200, delivery: .inline))
        for sample in next.sampleBuffers {
          guard let cue = cue(sample, engine.client) else { continue }
          cues.append(cue)
          bytes += cue.text.utf8.count
        }
        if next.endOfStream { return (cues, true) }
      }
      return (cues, false)
    }
  }

  /// Nil for a sample without text, which ends the one before it.
  private static func cue(_ sample: WireSampleBuffer, _ client: EngineClient) -> Cue? {
    guard let blob = sample.blob, let bytes = try? client.bytes(of: blob) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).trimmed
    guard !text.isEmpty else { return nil }
    let start = sample.presentationTime.time
    return Cue(start: start, end: start + sample.duration.time, text: text)
  }

  private static func output(_ track: Int32, _ cues: [Cue], _ isComplete: Bool) -> ToolOutput {
    var lines = cues.map { cue in
      "[\(Formatting.position(cue.start)) – \(Formatting.position(cue.end))] \(cue.text)"
    }
    if cues.isEmpty { lines.append("There is no text in that range.") }
    if !isComplete, let last = cues.last {
      lines.append("There is more: call again with 'start': \"\(ExactTime.text(last.end))\".")
    }
    let structured = cues.map { cue in
      JSONValue.object(
        ExactTime.members(cue.start, "start") + ExactTime.members(cue.end, "end")
          + [.init(key: "text", value: .string(cue.text))])
    }
    return ToolOutput(
      [.text(lines.joined(separator: "\n"))],
      structured: [
        "track": .integer(track), "cues": .array(structured), "isComplete": .bool(isComplete),
      ])
  }
}
