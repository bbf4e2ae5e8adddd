import EngineClient
import EngineProtocol
import JSONRPC

/// The engine's description of its own methods (`rpc.discover`).
struct MethodCatalog: Sendable {
  struct Parameter: Sendable {
    var name: String
    var description: String
    var isRequired: Bool
    var schema: JSONValue
  }

  struct Method: Sendable {
    var name: String
    var summary: String
    var description: String
    var parameters: [Parameter]
    var result: JSONValue?
    /// The errors' names, with their meanings.
    var errors: [(name: String, message: String)]
    /// The notification that ends the work that it starts.
    var terminal: String?
    var isNotification: Bool

    func parameter(_ name: String) -> Parameter? { parameters.first { $0.name == name } }

    /// True if its work can be waited for.
    var takesCompletion: Bool { parameter("completion") != nil }
  }

  var methods: [Method]
  private var schemas: JSONValue

  /// Asks an engine.
  static func load(from client: EngineClient) async throws -> MethodCatalog {
    MethodCatalog(document: try await client.call(RpcDiscover.method))
  }

  init(document: JSONValue) {
    let components = document["components"]
    schemas = components?["schemas"] ?? .null
    let errors = components?["errors"]
    func read(_ value: JSONValue, isNotification: Bool) -> Method {
      Method(
        name: value["name"]?.stringValue ?? "", summary: value["summary"]?.stringValue ?? "",
        description: value["description"]?.stringValue ?? value["summary"]?.stringValue ?? "",
        parameters: value["params"].elements.map(Self.parameter),
        result: value["result"]?["schema"],
        errors: value["errors"].elements.compactMap { reference in
          let name = Self.referredName(reference)
          return name.map { ($0, errors?[$0]?["message"]?.stringValue ?? "") }
        },
        terminal: value["x-terminal"]?.stringValue, isNotification: isNotification)
    }
    methods =
      document["methods"].elements.map { read($0, isNotification: false) }
      + clientNotifications.map { type in
        let described = document["x-notifications"].elements.first {
          $0["name"]?.stringValue == type.method
        }
        return read(described ?? ["name": .string(type.method)], isNotification: true)
      }
  }

  private static func parameter(_ value: JSONValue) -> Parameter {
    Parameter(
      name: value["name"]?.stringValue ?? "",
      description: value["description"]?.stringValue ?? "",
      isRequired: value["required"] == .bool(true), schema: value["schema"] ?? .null)
  }

  func method(_ name: String) -> Method? { methods.first { $0.name == name } }

  /// The method of that name, or an error that suggests a similar one.
  func require(_ name: String) throws -> Method {
    if let method = method(name) { return method }
    throw CommandError.unknown(
      "method", name, among: methods.map(\.name), else: "'reelwire methods' lists them.")
  }

  /// The notifications that end work.
  var terminals: Set<String> { Set(methods.compactMap(\.terminal)) }

  // MARK: Schemas

  /// The last component of a reference.
  static func referredName(_ schema: JSONValue) -> String? {
    schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
  }

  /// The schema that another one refers to, or itself.
  func resolved(_ schema: JSONValue) -> JSONValue {
    Self.referredName(schema).flatMap { schemas[$0] } ?? schema
  }

  /// The strings that a value may be.
  func words(_ schema: JSONValue) -> [String] {
    let schema = resolved(schema)
    if schema["items"] != nil { return [] }
    let own = schema["enum"].elements.compactMap(\.stringValue)
    return own + schema["anyOf"].elements.flatMap(words)
  }

  /// The kinds of handle that a value can be; none for anything else.
  func handleKinds(_ schema: JSONValue) -> [HandleKind] {
    guard let name = Self.referredName(schema), name.hasSuffix("Handle") else { return [] }
    let word = name.dropLast("Handle".count)
    guard let kind = HandleKind(rawValue: word.prefix(1).lowercased() + word.dropFirst()) else {
      return []
    }
    // A composition is accepted in place of an asset (``CompositionHandle``).
    return kind == .asset ? [.asset, .composition] : [kind]
  }

  /// True if a value can be text, which is written after `=`.
  func takesText(_ schema: JSONValue) -> Bool {
    let schema = resolved(schema)
    if schema["type"]?.stringValue == "string" || schema["enum"] != nil { return true }
    return schema["anyOf"].elements.contains(where: takesText)
  }

  /// A short form of a schema: `integer`, `[Time]`, `"jpeg" | "png"`.
  func describe(_ schema: JSONValue) -> String {
    if let name = Self.referredName(schema) {
      let words = words(schema)
      return words.isEmpty || words.count > 12 || resolved(schema)["anyOf"] != nil
        ? name : words.map { "\"\($0)\"" }.joined(separator: " | ")
    }
    if let items = schema["items"] { return "[\(describe(items))]" }
    let words = schema["enum"].elements.map(\.description)
    if !words.isEmpty { return words.joined(separator: " | ") }
    let choices = schema["anyOf"].elements.map(describe)
    if !choices.isEmpty { return choices.joined(separator: " | ") }
    if let values = schema["additionalProperties"], values["type"] ?? values["$ref"] != nil {
      return "{name: \(describe(values))}"
    }
    return schema["type"]?.stringValue ?? "any"
  }

  /// The members of an object's schema.
  func members(_ schema: JSONValue) -> [Parameter] {
    let schema = resolved(schema)
    guard case .object(let properties)? = schema["properties"] else { return [] }
    let required = schema["required"].elements.compactMap(\.stringValue)
    return properties.map { property in
      Parameter(
        name: property.key, description: property.value["description"]?.stringValue ?? "",
        isRequired: required.contains(property.key), schema: property.value)
    }
  }
}

extension JSONValue? {
  /// The elements of an array; none for anything else.
  var elements: [JSONValue] {
    if case .array(let elements)? = self { elements } else { [] }
  }
}
