import Foundation
import JSONRPC
import TestSupport
import Testing

/// A conversation of Tests/Transcripts, whose README describes its form.
struct Transcript: Sendable, CustomTestStringConvertible {
  var name: String
  var testDescription: String { name }

  private static let folder = (0..<3).reduce(#filePath) { path, _ in
    (path as NSString).deletingLastPathComponent
  }.appending("/Transcripts")

  static let all: [Transcript] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    .filter { $0.hasSuffix(".json") && $0 != "fixtures.json" }.map(Transcript.init)

  private static func read(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: try contents(of: "\(folder)/\(name)"))
  }

  func read() throws -> JSONValue { try Transcript.read(name) }

  /// Makes a fixture, once in a run.
  static func fixture(_ name: String) async throws -> String {
    try await TranscriptFixtures.shared.path(of: name) { try read("fixtures.json") }
  }
}

private actor TranscriptFixtures {
  static let shared = TranscriptFixtures()
  private let folder = TemporaryFolder()
  private var made: [String: Task<String, any Error>] = [:]

  func path(of name: String, recipes: () throws -> JSONValue) async throws -> String {
    if let task = made[name] { return try await task.value }
    let recipe = try #require(try recipes()[name], "there is no recipe for \(name)")
    let path = folder.file(try #require(recipe["file"]?.stringValue))
    let task = Task {
      if let text = recipe["text"]?.stringValue {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      } else {
        let arguments = recipe["ffmpeg"]?.elements.compactMap(\.stringValue) ?? []
        try await succeed(["ffmpeg", "-v", "error", "-nostdin"] + arguments + [path])
      }
      return path
    }
    made[name] = task
    return try await task.value
  }
}

/// The matching of values, and the variables that the steps have set so far.
struct Patterns {
  var variables: [String: JSONValue]

  /// A value with its variables filled in.
  func filled(_ value: JSONValue) throws -> JSONValue {
    switch value {
    case .string(let text): try filled(text)
    case .array(let elements): .array(try elements.map(filled))
    case .object(let members):
      .object(try members.map { .init(key: $0.key, value: try filled($0.value)) })
    default: value
    }
  }

  private func filled(_ text: String) throws -> JSONValue {
    if let whole = text.wholeMatch(of: /\$\{(\w+)\}/) {
      return try #require(variables[String(whole.1)], "there is no \(text)")
    }
    return .string(
      try text.replacing(/\$\{(\w+)\}/) { found in
        try #require(variables[String(found.1)]?.stringValue, "there is no \(found.0)")
      })
  }

  /// The reason for which a value doesn't fit a pattern; nil when it does.
  mutating func problem(
    _ pattern: JSONValue, _ value: JSONValue?, _ place: String
  ) throws -> String? {
    if pattern.members.contains(where: { $0.key.hasPrefix("$") }) {
      return try special(pattern, value, place)
    }
    guard let value else { return "\(place) is missing" }
    switch pattern {
    case .array(let elements):
      guard case .array(let found) = value, found.count == elements.count else {
        return "\(place) is \(value), not \(elements.count) elements"
      }
      for (index, pair) in zip(elements, found).enumerated() {
        if let problem = try problem(pair.0, pair.1, "\(place)/\(index)") { return problem }
      }
      return nil
    case .object(let members):
      guard case .object = value else { return "\(place) is \(value), no object" }
      for member in members {
        let found = value[member.key]
        if let problem = try problem(member.value, found, "\(place)/\(member.key)") {
          return problem
        }
      }
      return nil
    default:
      let wanted = try filled(pattern)
      return wanted.isSame(as: value) ? nil : "\(place) is \(value), not \(wanted)"
    }
  }

  private mutating func special(
    _ pattern: JSONValue, _ value: JSONValue?, _ place: String
  ) throws -> String? {
    if pattern["$any"] == .bool(false) {
      return value.map { "\(place) is \($0), and should not be there" }
    }
    guard let value else {
      return pattern["$optional"] == .bool(true) ? nil : "\(place) is missing"
    }
    if let type = pattern["$type"]?.stringValue, type != value.typeName {
      return "\(place) is \(value), no \(type)"
    }
    if let expression = try pattern["$match"].flatMap({ try filled($0).stringValue }) {
      guard let text = value.stringValue, try text.contains(Regex(expression)) else {
        return "\(place) is \(value), which does not match \(expression)"
      }
    }
    if let range = try pattern["$range"].map({ try filled($0) }) {
      guard let number = value.number, let low = range[0]?.number, let high = range[1]?.number,
        number >= low, number <= high
      else { return "\(place) is \(value), not between \(range)" }
    }
    for wanted in pattern["$includes"]?.elements ?? [] {
      guard try value.elements.contains(where: { try problem(wanted, $0, place) == nil }) else {
        return "\(place) is \(value), without \(wanted)"
      }
    }
    if let name = pattern["$set"]?.stringValue { variables[name] = value }
    return nil
  }
}

extension JSONValue {
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  fileprivate var number: Double? {
    guard case .number(let token) = self else { return nil }
    return Double(token)
  }

  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  fileprivate func isSame(as other: JSONValue) -> Bool {
    if let number, let otherNumber = other.number { return number == otherNumber }
    return self == other
  }
}
