import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import Terminal

/// Lists the contents of a file.
enum ProbeTool {
  static let tool = Tool(
    name: "probe",
    description: "Show the contents of a media file: duration, tracks, chapters, tags. Begin here.",
    input: ObjectSchema([.init(name: "path", schema: Schema.text(), isRequired: true)]),
    output: Schema.result(
      [
        ("path", Schema.text()), ("tracks", Schema.list(of: Schema.object())),
        ("chapters", Schema.list(of: Schema.object())), ("tags", Schema.object()),
      ], [("duration", Schema.text()), ("durationSeconds", Schema.number())]),
    run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let path = try call.paths.resolve(call.arguments.required("path"), "path")
    let facts = try await call.engine.withAsset(path, call.paths) { asset in
      try await ProbeFacts.load(path, asset, from: call.engine.client)
    }
    let types = try await call.engine.send(EngineCapabilities()).fileTypes
    let summary = ProbeSummary(facts: facts, types: types, style: .plain)
    return ToolOutput([.text(summary.text)], structured: structured(facts))
  }

  /// The facts with exact times, as clients take them.
  static func structured(_ facts: ProbeFacts) -> JSONValue {
    var members: [JSONValue.Member] = [.init(key: "path", value: .string(facts.url))]
    if let duration = facts.duration?.time, duration.isNumeric {
      members += ExactTime.members(duration, "duration")
    }
    if let file = facts.containerFacts {
      members += [
        .init(key: "container", value: .string(file.formatName)),
        .init(key: "bytes", value: .integer(file.size)),
      ]
      if file.isCutShort { members.append(.init(key: "isCutShort", value: true)) }
    }
    let tags = facts.metadata.filter(\.isTag).compactMap { item in
      ProbeSummary.text(item.value).map { (item.commonKey ?? item.key, $0) }
    }
    var seen: Set<String> = []
    return .object(
      members + [
        .init(key: "tracks", value: .array(facts.tracks.map(track))),
        .init(key: "chapters", value: .array(facts.chapters.map(chapter))),
        .init(
          key: "tags",
          value: .object(
            tags.filter { seen.insert($0.0).inserted }.map {
              .init(key: $0.0, value: .string($0.1))
            }
          )),
      ])
  }

  private static func track(_ track: ProbeFacts.Track) -> JSONValue {
    let format = track.formatDescriptions.first
    var members: [JSONValue.Member] = [
      .init(key: "track", value: .integer(track.track.trackID)),
      .init(key: "type", value: .string(track.track.mediaType.rawValue)),
      .init(key: "codec", value: .string(format?.codec ?? track.track.mediaSubType ?? "unknown")),
    ]
    if let range = track.timeRange?.range, range.start.isNumeric {
      members += ExactTime.members(range.start, "start")
      members += ExactTime.members(range.duration, "duration")
    }
    if let video = format?.video {
      members += [
        .init(key: "width", value: .double(video.presentationDimensions.width)),
        .init(key: "height", value: .double(video.presentationDimensions.height)),
      ]
      if let rate = track.nominalFrameRate, rate > 0 {
        members.append(.init(key: "framesPerSecond", value: .double(rate)))
      }
    }
    if let audio = format?.audio {
      members += [
        .init(key: "sampleRate", value: .double(audio.sampleRate)),
        .init(key: "channels", value: .integer(audio.channelsPerFrame)),
      ]
    }
    if let language = track.track.extendedLanguageTag ?? track.track.languageCode, language != "und"
    {
      members.append(.init(key: "language", value: .string(language)))
    }
    if let rate = track.estimatedDataRate, rate > 0 {
      members.append(.init(key: "bitRate", value: .double(rate.rounded())))
    }
    return .object(members)
  }

  private static func chapter(_ chapter: WireTimedMetadataGroup) -> JSONValue {
    let title = chapter.items.first { $0.commonKey == "title" }.flatMap {
      ProbeSummary.text($0.value)
    }
    return .object(
      ExactTime.members(chapter.timeRange.range.start, "start")
        + [.init(key: "title", value: .string(title ?? ""))])
  }
}
