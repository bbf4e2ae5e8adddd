import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Joins files, or parts of them.
enum JoinTool {
  private static let maximumParts = 200

  static let tool = Tool(
    name: "join",
    description: """
      Join files, or parts of them, into a new file, in order; never overwrites. Video is copied where that is possible (frames at cuts alone are encoded); lossless false encodes all of it, for parts that differ. Reports how each part was written.
      """,
    input: ObjectSchema([
      .init(
        name: "parts", schema: Schema.list(of: part.json, maximum: maximumParts), isRequired: true),
      .init(name: "output", schema: Schema.text(), isRequired: true),
      .init(name: "lossless", schema: Schema.flag()),
      .init(name: "wait_seconds", schema: Schema.number()),
    ]),
    effect: .newFile, isLong: { _ in true }, run: run)

  private static let part = ObjectSchema([
    .init(name: "path", schema: Schema.text(), isRequired: true),
    .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
  ])

  /// A part, and where it is in the new file.
  struct Part: Sendable {
    var path: String
    var range: RangeArgument
    var place: TimeRange?
  }

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let output = try NewFile.output(call)
    let isLossless = try call.arguments.flag("lossless") ?? true
    let parts = try read(call)
    let composition = try await call.engine.send(CompositionCreate()).composition
    return try await call.engine.with(composition) { composition in
      var placed: [Part] = []
      for part in parts { placed.append(try await insert(part, in: composition, call)) }
      let asset = AssetHandle(rawValue: composition.rawValue)
      let request = ExportSessionCreate(
        asset: asset, preset: isLossless ? "Passthrough" : nil, outputURL: output,
        audioTracks: .separate)
      let session = try await NewFile.create(request, call)
      return try await call.engine.with(session) { [placed] session in
        let plan = try await NewFile.preflight(session, call.engine)
        try refuse(plan, placed)
        return try await NewFile.export(
          session, call, notes: notes(plan, placed), parts: structured(plan, placed))
      }
    }
  }

  private static func read(_ call: ToolCall) throws -> [Part] {
    guard let elements = try call.arguments.list("parts", maximum: maximumParts) else {
      throw ToolFailure("'parts' is missing")
    }
    return try elements.enumerated().map { index, element in
      // A path alone is all of the file.
      let value: JSONValue = element.stringValue == nil ? element : ["path": element]
      let members = try Arguments(value, part, place: "parts[\(index)].")
      return Part(
        path: try call.paths.resolve(members.required("path"), "parts[\(index)].path"),
        range: try RangeArgument(members))
    }
  }

  private static func insert(
    _ part: Part, in composition: CompositionHandle, _ call: ToolCall
  ) async throws -> Part {
    try await call.engine.withAsset(part.path, call.paths) { asset in
      var range: TimeRange?
      if part.range.isGiven {
        range = try await MediaFacts.load(asset, call.engine).rules.resolve(part.range)
      }
      let inserted = try await call.engine.send(
        CompositionInsertTimeRange(
          composition: composition, asset: asset, timeRange: range.map { WireTimeRange($0) },
          clamp: true))
      var placed = part
      placed.place = inserted.timeRange.range
      return placed
    }
  }

  // MARK: The treatment of the parts

  private static func refuse(_ plan: ExportSessionPreflight.Result, _ parts: [Part]) throws {
    let refused = plan.tracks.flatMap { track in
      (track.segments ?? []).filter { $0.treatment == .refused }.map { segment in
        "\(track.mediaType.rawValue), part \(number(segment, parts)): \(segment.reason ?? "")"
      }
    }
    guard !refused.isEmpty else { return }
    throw ToolFailure(
      "The parts can't be joined without encoding", hint: "Give 'lossless': false to encode them.",
      details: refused)
  }

  /// The number of the part that a segment shows, from 1.
  private static func number(_ segment: WirePlannedSegment, _ parts: [Part]) -> Int {
    let middle = segment.timeRange.range.start
    let index = parts.lastIndex { part in part.place.map { $0.start <= middle } ?? false }
    return (index ?? 0) + 1
  }

  private static func treatments(
    _ plan: ExportSessionPreflight.Result, _ parts: [Part]
  ) -> [[(type: String, treatment: String)]] {
    var result = parts.map { _ in [(type: String, treatment: String)]() }
    for track in plan.tracks {
      guard let segments = track.segments, !segments.isEmpty else {
        for index in result.indices {
          result[index].append((track.mediaType.rawValue, track.treatment.rawValue))
        }
        continue
      }
      for segment in segments {
        let index = number(segment, parts) - 1
        result[index].append((track.mediaType.rawValue, segment.treatment.rawValue))
      }
    }
    return result
  }

  private static func notes(
    _ plan: ExportSessionPreflight.Result, _ parts: [Part]
  ) -> [String] {
    zip(parts, treatments(plan, parts)).enumerated().map { index, each in
      let place = each.0.place.map {
        "\(Formatting.position($0.start)) to \(Formatting.position($0.end))"
      }
      let how = each.1.map { "\($0.type) \($0.treatment)" }.joined(separator: ", ")
      return "Part \(index + 1), \(Formatting.name(of: each.0.path)): \(place ?? ""), \(how)"
    }
  }

  private static func structured(
    _ plan: ExportSessionPreflight.Result, _ parts: [Part]
  ) -> JSONValue {
    .array(
      zip(parts, treatments(plan, parts)).map { part, treatments in
        var members: [JSONValue.Member] = [.init(key: "path", value: .string(part.path))]
        if let place = part.place {
          members += ExactTime.members(place.start, "start") + ExactTime.members(place.end, "end")
        }
        let tracks = treatments.map { each -> JSONValue in
          ["type": .string(each.type), "treatment": .string(each.treatment)]
        }
        return .object(members + [.init(key: "tracks", value: .array(tracks))])
      })
  }
}
