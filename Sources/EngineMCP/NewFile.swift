import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// A file that a tool makes: its export, and the report of it, which is read from the file.
enum NewFile {
  /// The number of frames on the sheet of the new file.
  private static let tiles = 12

  /// The output of a call, which must not be there.
  static func output(_ call: ToolCall) throws -> String {
    let path = try call.paths.resolve(call.arguments.required("output"), "output")
    guard !call.paths.hasFile(path) else {
      throw ToolFailure(
        "'\(path)' is there already, and no file is overwritten",
        hint: "Choose another name for 'output', '\(free(path, call.paths))' for example.")
    }
    return path
  }

  /// A name that doesn't exist.
  private static func free(_ path: String, _ paths: PathRules) -> String {
    let suffix = Formatting.fileExtension(path).map { ".\($0)" } ?? ""
    let stem = path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
    let names = (2...99).lazy.map { "\(stem)-\($0)\(suffix)" }
    return names.first { !paths.hasFile($0) } ?? "\(stem)-new\(suffix)"
  }

  /// Models' names for presets, without marks.
  private static let others = [
    "copy": "Passthrough", "lossless": "Passthrough", "none": "Passthrough",
    "h264": "HighestQuality",
    "mp4": "HighestQuality", "hevc": "HEVCHighestQuality", "h265": "HEVCHighestQuality",
    "480p": "640x480", "540p": "960x540", "720p": "1280x720", "hd": "1280x720",
    "1080p": "1920x1080", "fullhd": "1920x1080", "2160p": "3840x2160", "4k": "3840x2160",
    "webm": "VP9HighestQuality", "vp9": "VP9HighestQuality", "av1": "AV1HighestQuality",
    "m4a": "AppleM4A", "aac": "AppleM4A", "low": "LowQuality", "medium": "MediumQuality",
    "high": "HighestQuality", "fast": "MediumQuality", "web": "MediumQuality",
  ]

  /// The preset as the engine calls it.
  static func preset(_ call: ToolCall) async throws -> String? {
    guard let name = try call.arguments.text("preset") else { return nil }
    let known = try await call.engine.send(ExportSessionPresets()).presets
    let all = ["Passthrough"] + known.filter { $0 != "Passthrough" }
    if let exact = all.first(where: { $0.lowercased() == name.lowercased() }) { return exact }
    let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
    let meant =
      (others[key] ?? closest(to: name, among: all)).map { "Did you mean '\($0)'? " } ?? ""
    throw ToolFailure(
      "There is no preset '\(name)'", hint: "\(meant)There are \(all.joined(separator: ", ")).")
  }

  static func create(
    _ request: ExportSessionCreate, _ call: ToolCall
  ) async throws -> ExportSessionHandle {
    do {
      return try await call.engine.send(request).exportSession
    } catch let error as RPCError {
      throw call.paths.explained(ToolFailure(ErrorObject(error)), request.outputURL)
    }
  }

  static func preflight(
    _ session: ExportSessionHandle, _ engine: EngineSession
  ) async throws -> ExportSessionPreflight.Result {
    try await engine.send(ExportSessionPreflight(exportSession: session))
  }

  /// Runs the export, and shows the file.
  static func export(
    _ session: ExportSessionHandle, _ call: ToolCall, notes: [String] = [],
    parts: JSONValue? = nil
  ) async throws -> ToolOutput {
    let done = try await run(session, call)
    if let error = done.error { throw RPCError(error) }
    guard let path = done.outputURL else { throw ToolFailure("The engine made no file") }
    var notes = notes
    if let note = done.trimNote { notes.append(note) }
    notes += (done.loudness ?? []).map(LoudnessReport.line)
    return try await describe(
      path, DroppedReport.lines(done.dropped ?? []).map(\.trimmed), notes, parts, call)
  }

  private static func run(
    _ session: ExportSessionHandle, _ call: ToolCall
  ) async throws -> ExportSessionDidFinish {
    let request = ExportSessionExport(
      exportSession: session, progressInterval: 0.1, completion: .response)
    return try await call.engine.finish(request, ExportSessionDidProgress.self) { step in
      if step.exportSession == session { call.report(step.progress) }
    }
  }

  /// The facts of the written file, with a sheet of its frames.
  private static func describe(
    _ path: String, _ dropped: [String], _ notes: [String], _ parts: JSONValue?, _ call: ToolCall
  ) async throws -> ToolOutput {
    let types = try await call.engine.send(EngineCapabilities()).fileTypes
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await ProbeFacts.load(path, asset, from: call.engine.client)
      let summary = ProbeSummary(facts: facts, types: types, style: .plain)
      let text = (["Made:", summary.text.trimmed] + notes + dropped).joined(separator: "\n")
      let type = Formatting.fileExtension(path).flatMap { name in
        types.first { $0.extensions.contains(name) }?.mimeTypes.first
      }
      var content: [ToolOutput.Content] = [
        .text(text),
        .link(.init(path: path, size: facts.containerFacts?.size, mimeType: type)),
      ]
      if let picture = try? await picture(asset, call) { content += picture }
      try Task.checkCancellation()
      var structured = ProbeTool.structured(facts)
      if case .object(var members) = structured {
        if let parts { members.append(.init(key: "parts", value: parts)) }
        if !dropped.isEmpty {
          members.append(.init(key: "leftOut", value: .array(dropped.map { .string($0) })))
        }
        structured = .object(members)
      }
      return ToolOutput(content, structured: structured)
    }
  }

  private static func picture(
    _ asset: AssetHandle, _ call: ToolCall
  ) async throws -> [ToolOutput.Content] {
    let facts = try await MediaFacts.load(asset, call.engine)
    if facts.video != nil {
      let sheet = try await SheetTool.make(
        of: asset, facts, nil, count: tiles, columns: nil, call.engine
      ) { _ in }
      return [
        .text(SheetTool.list(sheet)), try Images.content(try SheetTool.image(sheet)).content,
      ]
    }
    guard facts.audio != nil else { return [] }
    let wave = try await WaveformTool.make(asset, nil, nil, call.engine) { _ in }
    return try wave.image.map { [try Images.content($0).content] } ?? []
  }
}
