import EngineProtocol
import JSONRPC

/// The declared facts about a method that the supervisor uses.
struct MethodFacts: Sendable {
  /// A new object that a result names: its kind, and the member.
  struct NewObject: Sendable {
    let kind: HandleKind
    let member: String
  }

  /// The type of the request; nil for a notification, and for a method that doesn't exist.
  let type: (any EngineRequest.Type)?
  private let handles: [MemberPath]
  private let files: [MemberPath]
  /// The objects that are made, the owner of the others first.
  let objects: [NewObject]

  init(_ type: any EngineRequest.Type) {
    let members = type.members
    self.type = type
    handles = members.handles.map(MemberPath.init)
    files = members.files.map(MemberPath.init)
    objects = zip(type.objects, members.objects).map { NewObject(kind: $0, member: $1) }
  }

  /// Creates the facts of a notification, or of a method that isn't known.
  init(notification method: String) {
    type = nil
    handles = MessageMembers.declared(for: method).handles.map(MemberPath.init)
    (files, objects) = ([], [])
  }

  var placement: Placement { type?.placement ?? .ofHandles }

  var writesFile: Bool { type?.writesFile ?? false }

  /// True if the new objects are closed with the first object that a message names.
  var objectsAreParts: Bool { type?.objectsAreParts ?? false }

  /// Returns the handles that a message names, each once.
  func handles(in params: JSONValue?) -> [String] { strings(at: handles, in: params) }

  /// Returns the paths and URLs of the files that a message has the engine read.
  func files(in params: JSONValue?) -> [String] { strings(at: files, in: params) }

  /// Returns the new objects of a result, in the order of their declaration.
  func objects(in result: ArraySlice<UInt8>) -> [(handle: String, kind: HandleKind)] {
    let values = MemberScanner.values(of: objects.map(\.member), in: result)
    return objects.flatMap { object in
      (values[object.member].map(MemberScanner.strings) ?? []).map { ($0, object.kind) }
    }
  }

  /// Returns the request, if it is one that starts an operation which continues after the answer.
  func operation(of params: JSONValue?) -> (any OperationRequest)? {
    guard let type = type as? any OperationRequest.Type, let params,
      let request = try? JSONDecoding.decode(type, from: params), request.completion != .response
    else { return nil }
    return request
  }

  private func strings(at paths: [MemberPath], in params: JSONValue?) -> [String] {
    guard let params else { return [] }
    var found = FoundTexts()
    for path in paths { path.collect(from: params, into: &found) }
    return found.texts
  }
}

/// Texts in the order in which they were found, each once.
struct FoundTexts {
  private(set) var texts: [String] = []
  private var known: Set<String> = []

  mutating func add(_ text: String) {
    if known.insert(text).inserted { texts.append(text) }
  }
}

/// A path to members of messages, by their names.
struct MemberPath: Sendable {
  private let names: [String]

  /// - Parameter text: the names with slashes between them, `*` for any.
  init(_ text: String) { names = text.split(separator: "/").map(String.init) }

  func collect(from value: JSONValue, into found: inout FoundTexts) {
    collect(names[...], from: value, into: &found)
  }

  private func collect(
    _ names: ArraySlice<String>, from value: JSONValue, into found: inout FoundTexts
  ) {
    guard let name = names.first else {
      if let text = value.stringValue { found.add(text) }
      return
    }
    let rest = names.dropFirst()
    switch value {
    case .object(let members):
      for member in members where name == "*" || member.key == name {
        collect(rest, from: member.value, into: &found)
      }
    case .array(let elements) where name == "*":
      for element in elements { collect(rest, from: element, into: &found) }
    default: return
    }
  }
}
