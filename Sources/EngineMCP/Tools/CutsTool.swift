import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Finds where scenes begin, and where it is silent.
enum CutsTool {
  /// The maximum number of each in a result.
  private static let maximumCount = 500

  static let tool = Tool(
    name: "find_cuts",
    description:
      "Find the beginnings of a video's scenes (exact frames), and the silences of its audio. sensitivity is 0 to 1, 0.5 by default.",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
      .init(name: "sensitivity", schema: Schema.number()),
    ]),
    // A job in place of the lists, where they take long.
    output: Schema.result(
      [],
      [
        ("sceneChanges", Schema.list(of: Schema.object())),
        ("silences", Schema.list(of: Schema.object())),
      ]),
    isLong: { _ in true }, run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let path = try call.paths.resolve(call.arguments.required("path"), "path")
    let argument = try RangeArgument(call.arguments)
    let sensitivity = try call.arguments.number("sensitivity", in: 0...1)
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      let range = try facts.rules.resolve(argument).map { WireTimeRange($0) }
      guard facts.video != nil || facts.audio != nil else {
        throw ToolFailure("'\(path)' has neither video nor audio", hint: "probe lists its tracks.")
      }
      var scenes: [WireSceneChange]?
      var silences: [WireTimeRange]?
      if let video = facts.video {
        let request = AnalysisSceneChanges(
          asset: asset, trackID: video.trackID, timeRange: range, sensitivity: sensitivity,
          completion: .response)
        scenes = try await self.scenes(request, call)
      }
      if let audio = facts.audio {
        let request = AnalysisSilences(
          asset: asset, trackID: audio.trackID, timeRange: range, completion: .response)
        silences = try await self.silences(request, after: scenes == nil ? 0 : 0.9, call)
      }
      return output(scenes, silences)
    }
  }

  private static func scenes(
    _ request: AnalysisSceneChanges, _ call: ToolCall
  ) async throws -> [WireSceneChange] {
    let found: AnalysisDidFindSceneChanges = try await call.engine.finish(
      request, AnalysisDidProgress.self
    ) { step in
      if step.asset == request.asset { call.report(step.progress * 0.9) }
    }
    if let error = found.error { throw RPCError(error) }
    return found.sceneChanges ?? []
  }

  /// - Parameter part: the part of the work that is done.
  private static func silences(
    _ request: AnalysisSilences, after part: Double, _ call: ToolCall
  ) async throws -> [WireTimeRange] {
    let found: AnalysisDidFindSilences = try await call.engine.finish(
      request, AnalysisDidProgress.self
    ) { step in
      if step.asset == request.asset { call.report(part + step.progress * (1 - part)) }
    }
    if let error = found.error { throw RPCError(error) }
    return found.silences ?? []
  }

  // MARK: The result

  private static func output(
    _ scenes: [WireSceneChange]?, _ silences: [WireTimeRange]?
  ) -> ToolOutput {
    var lines: [String] = []
    var members: [JSONValue.Member] = []
    if let scenes {
      lines.append(heading(scenes.count, "scene change", "scene changes"))
      lines += scenes.prefix(maximumCount).map(line)
      members.append(
        .init(key: "sceneChanges", value: .array(scenes.prefix(maximumCount).map(row))))
    }
    if let silences {
      lines.append(heading(silences.count, "silence", "silences"))
      lines += silences.prefix(maximumCount).map(line)
      members.append(
        .init(key: "silences", value: .array(silences.prefix(maximumCount).map(row))))
    }
    return ToolOutput([.text(lines.joined(separator: "\n"))], structured: .object(members))
  }

  private static func heading(_ count: Int, _ one: String, _ many: String) -> String {
    let shown =
      count > maximumCount ? "; the first \(maximumCount), narrow it down with start and end" : ""
    return "\(count) \(count == 1 ? one : many)\(shown):"
  }

  private static func line(_ scene: WireSceneChange) -> String {
    let frame = scene.sampleIndex.map { ", frame \($0)" } ?? ""
    return "\(ExactTime.shown(scene.time.time))\(frame), "
      + "score \(Formatting.number(scene.score, places: 2))"
  }

  private static func line(_ silence: WireTimeRange) -> String {
    "\(ExactTime.shown(silence.range.start)) to \(ExactTime.shown(silence.range.end))"
  }

  private static func row(_ scene: WireSceneChange) -> JSONValue {
    var members = ExactTime.members(scene.time.time)
    if let frame = scene.sampleIndex { members.append(.init(key: "frame", value: .integer(frame))) }
    return .object(members + [.init(key: "score", value: .double(scene.score))])
  }

  private static func row(_ silence: WireTimeRange) -> JSONValue {
    .object(
      ExactTime.members(silence.range.start, "start") + ExactTime.members(silence.range.end, "end"))
  }
}
