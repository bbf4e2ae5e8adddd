import EngineProtocol
import JSONRPC

/// The result of a tool, in the terms of the newest revision.
struct ToolOutput: Sendable {
  /// A part of the content for a model.
  enum Content: Sendable {
    case text(String)
    /// Base64 text.
    case image(String, mimeType: String)
    /// Base64 text.
    case audio(String, mimeType: String)
    case link(FileLink)
  }

  /// A file that was made.
  struct FileLink: Sendable {
    var path: String
    var size: Int64?
    var mimeType: String?
  }

  var content: [Content]
  /// The value that conforms to the tool's `outputSchema`.
  var structured: JSONValue?
  var isError = false
  /// The members of a task in place of a result.
  var task: JSONValue?

  init(_ content: [Content], structured: JSONValue? = nil) {
    self.content = content
    self.structured = structured
  }

  init(task: JSONValue) {
    content = []
    self.task = task
  }

  init(_ failure: ToolFailure) {
    content = [.text(failure.text)]
    isError = true
  }

  /// The result as a revision has it.
  func json(_ revision: ProtocolRevision) -> JSONValue {
    if let task { return task }
    var members: [JSONValue.Member] = [
      .init(key: "content", value: .array(content.map { $0.json(revision) })),
      .init(key: "isError", value: .bool(isError)),
    ]
    if let structured, revision.hasStructuredContent {
      members.append(.init(key: "structuredContent", value: structured))
    }
    return .object(members)
  }
}

extension ToolOutput.Content {
  func json(_ revision: ProtocolRevision) -> JSONValue {
    switch self {
    case .text(let text): return ["type": "text", "text": .string(text)]
    case .image(let data, let mimeType):
      return ["type": "image", "data": .string(data), "mimeType": .string(mimeType)]
    case .audio(let data, let mimeType):
      guard revision.hasAudio else {
        return [
          "type": "resource",
          "resource": [
            "uri": "reelwire://audio", "mimeType": .string(mimeType), "blob": .string(data),
          ],
        ]
      }
      return ["type": "audio", "data": .string(data), "mimeType": .string(mimeType)]
    case .link(let link):
      guard revision.hasStructuredContent else {
        return ["type": "text", "text": .string("File: \(link.path)")]
      }
      return link.json
    }
  }
}

extension ToolOutput.FileLink {
  var json: JSONValue {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var members: [JSONValue.Member] = [
      .init(key: "type", value: "resource_link"),
      .init(key: "uri", value: .string(FileURL.text(of: path))),
      .init(key: "name", value: .string(name)),
    ]
    if let mimeType { members.append(.init(key: "mimeType", value: .string(mimeType))) }
    if let size { members.append(.init(key: "size", value: .integer(size))) }
    return .object(members)
  }
}

/// The failure of a tool, for a model: its subject, its reason and advice.
struct ToolFailure: Error, Sendable {
  var message: String
  var hint: String?
  var details: [String] = []
  /// The name by which programs distinguish errors; nil for mistakes in the arguments.
  var name: String?

  init(_ message: String, hint: String? = nil, details: [String] = []) {
    self.message = message
    self.hint = hint
    self.details = details
  }

  /// An error of the engine's.
  init(_ error: ErrorObject) {
    message = error.message
    hint = error.data.map { data in
      data.advice.flatMap { advice in
        ToolPhrasings.phrasing(of: advice.name).map(advice.filling)
      } ?? data.hint
    }
    name = error.data?.name
    details = (error.data?.errors ?? []).map { problem in
      "\(Self.argument(problem.path)): expected \(problem.expected), got \(problem.got)"
    }
    if !details.isEmpty {
      message = "The arguments can't be used"
      hint = "Correct the listed problems, and call again."
    }
  }

  init(_ error: any Error) {
    switch error {
    case let failure as ToolFailure: self = failure
    case let error as RPCError: self.init(ErrorObject(error))
    case is CancellationError: self.init("It was cancelled")
    default: self.init("\(error)")
    }
  }

  var text: String {
    var lines = [name.map { "\(message) (\($0))" } ?? message]
    lines += details.map { "- \($0)" }
    if let hint { lines.append("Hint: \(hint)") }
    return lines.joined(separator: "\n")
  }

  /// The argument that a parameter of the protocol was made of.
  private static func argument(_ pointer: String) -> String {
    let names = [
      "outputURL": "output", "url": "path", "sequence": "document", "timeline": "document",
      "timeRange": "start and end",
    ]
    let parts = pointer.split(separator: "/").map(String.init)
    guard let first = parts.first else { return "arguments" }
    if first == "settings", parts.count == 3 {
      let video = ["video/codec": "videoCodec", "video/bitRate": "videoBitRate"]
      let audio = ["audio/codec": "audioCodec", "audio/bitRate": "audioBitRate"]
      let name = parts[1...].joined(separator: "/")
      return "settings.\(video[name] ?? audio[name] ?? parts[2])"
    }
    return ([names[first] ?? first] + parts.dropFirst()).joined(separator: "/")
  }
}
