import JSONRPC

/// A revision of the protocol, and its features.
enum ProtocolRevision: String, Sendable, CaseIterable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// The newest that is reached by `initialize`.
  static let latestWithHandshake = november2025

  /// The revisions that are reached by `initialize`, the newest first.
  static let withHandshake = allCases.filter { !$0.isStateless }.reversed()

  /// The revisions whose requests carry their version themselves.
  static let stateless = allCases.filter(\.isStateless)

  /// True where each request stands for itself, with version and capabilities in `_meta`.
  var isStateless: Bool { self == .july2026 }

  /// An array of messages is a message in that revision alone.
  var hasBatches: Bool { self == .march2025 }

  /// Audio as content, and annotations of tools.
  var hasAudio: Bool { rank >= 1 }

  /// Structured results and links to resources.
  var hasStructuredContent: Bool { rank >= 2 }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The properties of a request's client: the revision that it speaks, and its capabilities.
struct ClientContext: Sendable {
  /// The members of `_meta` that the protocol names.
  enum MetaKey {
    static let version = "io.modelcontextprotocol/protocolVersion"
    static let capabilities = "io.modelcontextprotocol/clientCapabilities"
    static let serverInfo = "io.modelcontextprotocol/serverInfo"
    static let subscriptionID = "io.modelcontextprotocol/subscriptionId"
    static let progressToken = "progressToken"
  }

  static let tasksExtension = "io.modelcontextprotocol/tasks"

  var revision: ProtocolRevision
  var capabilities: JSONValue
  /// The token with which progress is reported; nil where none is wanted.
  var progressToken: JSONValue?

  var hasTasks: Bool {
    revision.isStateless && capabilities["extensions"]?[Self.tasksExtension] != nil
  }

  /// Reads the context of a request.
  ///
  /// - Parameter negotiated: the revision that `initialize` agreed on, if there was one.
  static func read(
    _ params: JSONValue?, method: String, negotiated: ProtocolRevision?
  ) throws(RPCError) -> ClientContext {
    let meta = params?["_meta"]
    var token = meta?[MetaKey.progressToken]
    switch token {
    case .string, nil: break
    case .number(let text) where Int(text) != nil: break
    default: token = nil
    }
    guard let version = meta?[MetaKey.version] else {
      guard let negotiated else {
        throw RPCError(
          code: -32602,
          message: "params._meta lacks \(MetaKey.version): send it with each request, or send "
            + "'initialize' first")
      }
      return ClientContext(revision: negotiated, capabilities: .null, progressToken: token)
    }
    guard case .string(let name) = version else {
      throw RPCError(code: -32602, message: "\(MetaKey.version) has to be a string")
    }
    guard let revision = ProtocolRevision.stateless.first(where: { $0.rawValue == name }) else {
      throw .unsupportedRevision(name)
    }
    guard case .object? = meta?[MetaKey.capabilities] else {
      throw RPCError(
        code: -32602, message: "params._meta lacks \(MetaKey.capabilities), which is an object")
    }
    return ClientContext(
      revision: revision, capabilities: meta?[MetaKey.capabilities] ?? .null, progressToken: token)
  }
}

extension RPCError {
  static func unsupportedRevision(_ name: String) -> RPCError {
    let supported = ProtocolRevision.stateless.map { JSONValue.string($0.rawValue) }
    return RPCError(
      code: -32022, message: "Unsupported protocol version",
      data: ["supported": .array(supported), "requested": .string(name)])
  }

  /// The error of a method that a server of this protocol doesn't have.
  static func unknownMethod(_ method: String) -> RPCError {
    let error = RPCError.methodNotFound(method, suggestion: nil)
    return RPCError(
      code: error.code, message: error.message, name: "methodNotFound",
      hint: ToolPhrasings.phrasing(of: "discoverMethods") ?? "")
  }

  /// The error of a request that isn't of the protocol's form.
  static func malformed(_ reason: String) -> RPCError {
    RPCError(code: -32602, message: "Invalid params: \(reason)")
  }
}

/// The server's description of itself.
struct ServerIdentity: Sendable {
  var version: String
  var isReadOnly: Bool

  var implementation: JSONValue {
    [
      "name": "reelwire", "title": "Reelwire", "version": .string(version),
    ]
  }

  func capabilities(_ revision: ProtocolRevision) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "tools", value: .object([])), .init(key: "resources", value: .object([])),
    ]
    if revision.isStateless {
      members.append(
        .init(
          key: "extensions",
          value: .object([.init(key: ClientContext.tasksExtension, value: .object([]))])))
    }
    return .object(members)
  }

  var instructions: String {
    let second =
      isReadOnly
      ? "This server only looks: nothing is written."
      : "Nothing is overwritten: name a new output. After export, join and compose look at the sheet they return."
    return """
      Look before you cut: probe first, then view_sheet for an overview and view_frames for exact frames.
      \(second)
      Times are seconds (12.5), clocks ("1:02:03.5") or exact fractions ("1001/30000"); an end is not included.
      Results state exact times as fractions: pass them on as they are, and cuts are exact to the frame.
      Long work returns a job: ask the tool job for it. Errors have a hint: follow it.
      """
  }

  func discovery() -> JSONValue {
    [
      "supportedVersions": .array(ProtocolRevision.stateless.map { .string($0.rawValue) }),
      "capabilities": capabilities(.july2026), "instructions": .string(instructions),
      "ttlMs": .integer(Lists.lifetime), "cacheScope": "public",
    ]
  }

  /// The answer to `initialize`.
  func introduction(_ revision: ProtocolRevision) -> JSONValue {
    [
      "protocolVersion": .string(revision.rawValue), "capabilities": capabilities(revision),
      "serverInfo": implementation, "instructions": .string(instructions),
    ]
  }
}

/// The properties of lists in the stateless revisions.
enum Lists {
  /// The milliseconds that a list may be cached: it is the same as long as the process lasts.
  static let lifetime = 3_600_000

  static func result(
    _ key: String, _ elements: [JSONValue], _ revision: ProtocolRevision
  ) -> JSONValue {
    var members = [JSONValue.Member(key: key, value: .array(elements))]
    if revision.isStateless { members += cachePolicy }
    return .object(members)
  }

  static let cachePolicy: [JSONValue.Member] = [
    .init(key: "ttlMs", value: .integer(lifetime)), .init(key: "cacheScope", value: "public"),
  ]
}
