import EngineProtocol
import EngineServer
import JSONRPC
import Testing

/// `make check` proves that the document is up to date; this proves its contents.
@Suite struct OpenRPCTests {
  let document: JSONValue

  init() throws {
    document = try JSONValue(parsing: repositoryFile("docs/openrpc.json"))
  }

  @Test func everyMethodIsListed() {
    let methods = document["methods"]?.elements.compactMap { $0["name"]?.stringValue } ?? []
    let declared = Engine.requests.map { $0.method } + clientNotifications.map { $0.method }
    #expect(methods == declared)
  }

  @Test func everyNotificationIsListed() {
    let names = document["x-notifications"]?.elements.compactMap { $0["name"]?.stringValue }
    #expect(names == serverNotifications.map { $0.method })
  }

  @Test func onlyRequestsHaveAResult() {
    let requests = Engine.requests.map { $0.method }
    for method in document["methods"]?.elements ?? [] {
      let name = method["name"]?.stringValue ?? ""
      #expect((method["result"] != nil) == requests.contains(name), "\(name)")
    }
  }

  @Test func everyErrorIsListed() {
    let errors = document["components"]?["errors"]
    #expect(errors?.keys == ErrorCode.allCases.map(\.name))
    for code in ErrorCode.allCases {
      #expect(errors?[code.name]?["code"]?.integerValue == code.rawValue)
      #expect(errors?[code.name]?["data"]?["hint"]?.stringValue == code.hint)
      #expect(errors?[code.name]?["data"]?["advice"]?["name"]?.stringValue == code.advice.name)
    }
  }

  /// Each is phrased here as it is documented, with all its arguments.
  @Test func allAdviceIsPhrased() throws {
    let values: [String: JSONValue] = [
      "text": "some text", "integer": 4711, "names": ["one", "another"],
      "time": ["value": 7, "timescale": 2],
    ]
    let table = try #require(document["x-advice"])
    #expect(table.keys.count > 250)
    for name in table.keys {
      guard case .object(let arguments)? = table[name]?["arguments"] else { continue }
      let given = arguments.map { argument in
        JSONValue.Member(
          key: argument.key, value: values[argument.value.stringValue ?? ""] ?? .null)
      }
      let hint = WireAdvice(name, given).hint
      var expected = table[name]?["hint"]?.stringValue ?? ""
      for argument in arguments {
        let (plain, alternatives) =
          switch argument.value.stringValue {
          case "text": ("some text", "")
          case "integer": ("4711", "")
          case "names": ("one, another", "'one' or 'another'")
          default: ("3.5 s", "")
          }
        expected = expected.replacing("{\(argument.key)}", with: plain)
          .replacing("{\(argument.key)|or}", with: alternatives)
      }
      #expect(hint == expected && !hint.isEmpty)
    }
  }

  @Test func everyReferenceLeadsSomewhere() {
    let references = Self.references(in: document)
    #expect(references.count > 100)
    for reference in Set(references) {
      let target = reference.split(separator: "/").dropFirst()
        .reduce(Optional(document)) { $0?[String($1)] }
      #expect(target != nil, "\(reference)")
    }
  }

  @Test func everythingIsDescribed() {
    for method in document["methods"]?.elements ?? [] {
      #expect(method["summary"]?.stringValue?.hasSuffix(".") == true, "\(method)")
      for param in method["params"]?.elements ?? [] {
        #expect(param["description"]?.stringValue?.isEmpty == false, "\(param)")
      }
    }
    for (name, schema) in document["components"]?["schemas"].map(Self.members) ?? [] {
      #expect(schema["description"]?.stringValue?.isEmpty == false || name == "RationalTime")
      for (member, value) in schema["properties"].map(Self.members) ?? [] {
        #expect(value["description"]?.stringValue?.isEmpty == false, "\(name).\(member)")
      }
    }
  }

  /// A word of the protocol that no longer exists shows as a link that was left over.
  @Test func noLinkOfSwiftIsLeft() throws {
    #expect(!"\(document)".contains("``"))
    #expect(!"\(document)".contains("Wire"))
    for page in ["protocol.md", "docs/protocol-types.md"] {
      #expect(!(try repositoryFile(page)).contains("Wire"), "\(page)")
    }
  }

  private static func members(_ value: JSONValue) -> [(String, JSONValue)] {
    guard case .object(let members) = value else { return [] }
    return members.map { ($0.key, $0.value) }
  }

  private static func references(in value: JSONValue) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap(references)
    case .object(let members):
      members.flatMap { member in
        if member.key == "$ref", let reference = member.value.stringValue {
          [reference]
        } else {
          references(in: member.value)
        }
      }
    default: []
    }
  }
}
