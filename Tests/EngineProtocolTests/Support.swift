import EngineProtocol
import Foundation
import JSONRPC

/// Decodes a value from JSON text and returns the JSON that it encodes to.
func roundTrip<Value: Codable>(_ type: Value.Type, _ text: String) throws -> JSONValue {
  let value = try JSONDecoding.decode(type, from: JSONValue(parsing: text))
  return try JSONValue(encoding: value).sorted
}

/// The problems that decoding a value finds.
func problems<Value: Decodable>(of type: Value.Type, _ text: String) throws -> [DecodingProblem] {
  let json = try JSONValue(parsing: text)
  do throws(DecodingProblems) {
    _ = try JSONDecoding.decode(type, from: json)
    return []
  } catch {
    return error.problems
  }
}

extension JSONValue {
  /// The same value with the members of every object in the order of their names.
  var sorted: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.sorted { $0.key < $1.key }.map { Member(key: $0.key, value: $0.value.sorted) })
    case .array(let elements): .array(elements.map(\.sorted))
    default: self
    }
  }

  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.key)
  }

  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}

/// A file of the repository.
func repositoryFile(_ path: String) throws -> String {
  let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}
