import JSONRPC

/// A tool: its description for a client, and its work.
struct Tool: Sendable {
  /// The effect on the environment.
  enum Effect: Sendable {
    case none
    /// A new file; nothing is changed or removed.
    case newFile
    /// The state of a job.
    case job
  }

  var name: String
  var description: String
  var input: ObjectSchema
  /// The schema of the structured result; nil where there is none.
  var output: JSONValue?
  var effect = Effect.none
  /// Work that may take longer than clients wait.
  var isLong: @Sendable (Arguments) -> Bool = { _ in false }
  var run: @Sendable (ToolCall) async throws -> ToolOutput

  /// The entry of the list.
  func json(_ revision: ProtocolRevision) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "name", value: .string(name)),
      .init(key: "description", value: .string(description)),
      .init(key: "inputSchema", value: input.json),
    ]
    if let output, revision.hasStructuredContent {
      members.append(.init(key: "outputSchema", value: output))
    }
    if revision.hasAudio { members.append(.init(key: "annotations", value: annotations)) }
    return .object(members)
  }

  private var annotations: JSONValue {
    switch effect {
    case .none: ["readOnlyHint": true, "openWorldHint": false]
    case .newFile: ["readOnlyHint": false, "destructiveHint": false, "openWorldHint": false]
    case .job:
      [
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false,
      ]
    }
  }
}

/// The schema of an object, whose members are closed.
struct ObjectSchema: Sendable {
  struct Member: Sendable {
    var name: String
    var schema: JSONValue
    var isRequired = false
  }

  var members: [Member]

  init(_ members: [Member]) { self.members = members }

  var names: [String] { members.map(\.name) }

  var json: JSONValue {
    var result: [JSONValue.Member] = [
      .init(key: "type", value: "object"),
      .init(
        key: "properties", value: .object(members.map { .init(key: $0.name, value: $0.schema) })),
    ]
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { result.append(.init(key: "required", value: .array(required))) }
    result.append(.init(key: "additionalProperties", value: false))
    return .object(result)
  }
}

/// Schemas that members have.
enum Schema {
  static func text(_ description: String? = nil) -> JSONValue { typed("string", description) }
  static func number(_ description: String? = nil) -> JSONValue { typed("number", description) }
  static func flag(_ description: String? = nil) -> JSONValue { typed("boolean", description) }

  static func integer(_ range: ClosedRange<Int>? = nil, _ description: String? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [.init(key: "type", value: "integer")]
    if let range {
      members += [
        .init(key: "minimum", value: .integer(range.lowerBound)),
        .init(key: "maximum", value: .integer(range.upperBound)),
      ]
    }
    return described(members, description)
  }

  /// A time: seconds, a clock or a fraction.
  static func time(_ description: String? = nil) -> JSONValue {
    described([.init(key: "type", value: ["number", "string"])], description)
  }

  static func list(of element: JSONValue, maximum: Int? = nil, _ description: String? = nil)
    -> JSONValue
  {
    var members: [JSONValue.Member] = [
      .init(key: "type", value: "array"), .init(key: "items", value: element),
    ]
    if let maximum { members.append(.init(key: "maxItems", value: .integer(maximum))) }
    return described(members, description)
  }

  static func choice(_ values: [String], _ description: String? = nil) -> JSONValue {
    described([.init(key: "enum", value: .array(values.map { .string($0) }))], description)
  }

  static func object(_ description: String? = nil) -> JSONValue { typed("object", description) }

  /// The schema of a structured result: the members that are always there, and those that may be.
  static func result(_ required: [(String, JSONValue)], _ optional: [(String, JSONValue)] = [])
    -> JSONValue
  {
    let all = required + optional
    return [
      "type": "object",
      "properties": .object(all.map { .init(key: $0.0, value: $0.1) }),
      "required": .array(required.map { .string($0.0) }),
    ]
  }

  private static func typed(_ type: String, _ description: String?) -> JSONValue {
    described([.init(key: "type", value: .string(type))], description)
  }

  private static func described(
    _ members: [JSONValue.Member], _ description: String?
  ) -> JSONValue {
    .object(
      members + (description.map { [.init(key: "description", value: .string($0))] } ?? []))
  }
}
