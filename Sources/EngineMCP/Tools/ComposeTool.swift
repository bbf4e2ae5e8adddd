import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Makes a film of a document that describes it.
enum ComposeTool {
  static let tool = Tool(
    name: "compose",
    description: """
      Make a film of a document: a clip sequence {"clips": [{"url": "a.mp4", "timeRange": {"start": 2, "duration": 5}, "transition": {"kind": "dissolve", "duration": 1}}, {"url": "b.mp4"}]}, a timeline, or OpenTimelineIO. Without output: the resolved timeline and a sheet of it.
      """,
    input: ObjectSchema([
      .init(name: "document", schema: Schema.object(), isRequired: true),
      .init(name: "output", schema: Schema.text()),
      .init(name: "preset", schema: Schema.text()),
      .init(name: "wait_seconds", schema: Schema.number()),
    ]),
    effect: .newFile, isLong: { $0.has("output") }, run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    guard let document = try call.arguments.object("document") else {
      throw ToolFailure("'document' is missing")
    }
    guard ["clips", "tracks", "OTIO_SCHEMA"].contains(where: { document[$0] != nil }) else {
      throw ToolFailure(
        "'document' has neither 'clips', as a sequence, nor 'tracks', as a timeline, nor 'OTIO_SCHEMA'",
        hint: #"Give a sequence: {"clips": [{"url": "a.mp4"}, {"url": "b.mp4"}]}"#)
    }
    let output = call.arguments.has("output") ? try NewFile.output(call) : nil
    if output == nil, call.arguments.has("preset") {
      throw ToolFailure("'preset' is for a file", hint: "Give 'output', too.")
    }
    let preset = try await NewFile.preset(call)
    let located = try CompositionDocument.located(document) { url in
      try call.paths.resolve(url, "url")
    }
    let source = CompositionDocument(json: located, folder: call.paths.base)
    let made = try await source.composition(call.engine.client)
    let losses = made.losses.map(\.line)
    return try await call.engine.with(made.handle) { composition in
      let asset = AssetHandle(rawValue: composition.rawValue)
      guard let output else { return try await view(composition, asset, losses, call) }
      let request = ExportSessionCreate(asset: asset, preset: preset, outputURL: output)
      let session = try await NewFile.create(request, call)
      return try await call.engine.with(session) { session in
        try await NewFile.export(session, call, notes: losses)
      }
    }
  }

  /// The timeline of the document's composition, and its frames.
  private static func view(
    _ composition: CompositionHandle, _ asset: AssetHandle, _ losses: [String], _ call: ToolCall
  ) async throws -> ToolOutput {
    let described = try await call.engine.send(CompositionTimeline(composition: composition))
    let losses = losses + described.losses.map(\.line)
    let facts = try await MediaFacts.load(asset, call.engine)
    let duration = facts.duration.map { "It lasts \(ExactTime.shown($0)). " } ?? ""
    let text = try JSONValue(encoding: described.timeline).description
    var content: [ToolOutput.Content] = [
      .text((["\(duration)Its timeline: \(text)"] + losses).joined(separator: "\n"))
    ]
    if facts.video != nil {
      let sheet = try await SheetTool.make(
        of: asset, facts, nil, count: 12, columns: nil, call.engine, call.report)
      content += [
        .text(SheetTool.list(sheet)), try Images.content(try SheetTool.image(sheet)).content,
      ]
    }
    let members = facts.duration.map { ExactTime.members($0, "duration") } ?? []
    return ToolOutput(content, structured: .object(members))
  }
}
