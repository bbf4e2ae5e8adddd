import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Lists the media of a folder.
enum ListTool {
  private static let pageSize = 50

  static let tool = Tool(
    name: "list_media",
    description: """
      The media files in a folder and below it, with duration, size and codecs; or those whose name, title, artist or description has the text. A page of 50: for the next one pass on the cursor.
      """,
    input: ObjectSchema([
      .init(name: "folder", schema: Schema.text()), .init(name: "text", schema: Schema.text()),
      .init(name: "cursor", schema: Schema.text()),
    ]),
    output: Schema.result(
      [],
      [
        ("items", Schema.list(of: Schema.object())), ("count", Schema.integer()),
        ("nextCursor", Schema.text()),
      ]),
    isLong: { _ in true }, run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let arguments = call.arguments
    let folders = try folders(call)
    let text = try arguments.text("text").flatMap { $0.trimmed.isEmpty ? nil : $0 }
    let start = try cursor(arguments)
    var items: [WireLibraryItem] = []
    var count = 0
    for folder in folders {
      let found = try await fetch(folder, text, skipping: max(0, start - count), call)
      items += found.items.prefix(max(0, pageSize - items.count))
      count += found.count
    }
    return output(items, start: start, count: count)
  }

  private static func folders(_ call: ToolCall) throws -> [String] {
    if call.arguments.has("folder") {
      return [try call.paths.resolve(call.arguments.required("folder"), "folder")]
    }
    guard !call.paths.roots.isEmpty else {
      throw ToolFailure(
        "'folder' is missing", hint: "Give the folder to list: \"~/Videos\", for example.")
    }
    return call.paths.roots
  }

  private static func cursor(_ arguments: Arguments) throws -> Int {
    guard let text = try arguments.text("cursor") else { return 0 }
    guard let start = Int(text), start >= 0 else {
      throw ToolFailure(
        "'\(text)' is no cursor", hint: "Pass on 'nextCursor' of the page before, or leave it out.")
    }
    return start
  }

  private static func fetch(
    _ folder: String, _ text: String?, skipping start: Int, _ call: ToolCall
  ) async throws -> (items: [WireLibraryItem], count: Int) {
    let library = try await call.engine.library(of: folder, call)
    let found = try await call.engine.send(
      LibraryFetch(
        library: library,
        predicate: text.map { WireLibraryPredicate.text(WireLibraryText(text: $0)) },
        sort: [WireLibrarySort(key: "folder"), WireLibrarySort(key: "name")]))
    return try await call.engine.with(found.fetchResult) { result in
      guard start < found.count else { return ([], found.count) }
      let page = try await call.engine.send(
        FetchResultItems(fetchResult: result, start: start, count: pageSize))
      return (page.items, found.count)
    }
  }

  // MARK: Rows

  private static func output(_ items: [WireLibraryItem], start: Int, count: Int) -> ToolOutput {
    var lines = items.map(line)
    lines.append(
      count == 0 ? "There is nothing like that." : count == 1 ? "1 file" : "\(count) files")
    var members: [JSONValue.Member] = [
      .init(key: "items", value: .array(items.map(row))),
      .init(key: "count", value: .integer(count)),
    ]
    if start + items.count < count, !items.isEmpty {
      let next = "\(start + items.count)"
      members.append(.init(key: "nextCursor", value: .string(next)))
      lines.append("There is more: call again with 'cursor': \"\(next)\".")
    }
    return ToolOutput([.text(lines.joined(separator: "\n"))], structured: .object(members))
  }

  private static func line(_ item: WireLibraryItem) -> String {
    var facts: [String] = []
    if let duration = item.duration?.time { facts.append(Formatting.duration(duration)) }
    if let width = item.width, let height = item.height { facts.append("\(width) × \(height)") }
    facts += [item.videoCodec, item.audioCodec].compactMap { $0 }
    if let size = item.fileSize { facts.append(Formatting.size(size)) }
    if let error = item.error { facts.append("can't be read: \(error.message)") }
    return "\(item.url ?? ""): \(facts.joined(separator: ", "))"
  }

  private static func row(_ item: WireLibraryItem) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "path", value: .string(item.url ?? "")),
      .init(key: "name", value: .string(item.name ?? "")),
    ]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key: key, value: value)) }
    }
    add("type", item.mediaType.map { .string($0.rawValue) })
    if let duration = item.duration?.time, duration.isNumeric {
      members += ExactTime.members(duration, "duration")
    }
    add("width", item.width.map { .integer($0) })
    add("height", item.height.map { .integer($0) })
    add("videoCodec", item.videoCodec.map { .string($0) })
    add("audioCodec", item.audioCodec.map { .string($0) })
    add("framesPerSecond", item.frameRate.map { .double($0) })
    add("bytes", item.fileSize.map { .integer($0) })
    add("created", item.creationDate.map { .string($0) })
    add("title", item.commonMetadata?["title"].map { .string($0) })
    add("error", item.error.map { .string($0.message) })
    return .object(members)
  }
}
