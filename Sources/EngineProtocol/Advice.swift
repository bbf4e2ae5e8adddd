public import JSONRPC
import MediaTime

/// Advice on the next step, by its name: a client phrases it in its own terms.
public struct WireAdvice: Codable, Sendable, Equatable {
  /// The name, for example `stateFileType`.
  public var name: String
  /// The values in it by their names: text, integers, lists of text, and times.
  public var arguments: WireAdviceArguments

  package init(_ name: String, _ arguments: [JSONValue.Member] = []) {
    self.name = name
    self.arguments = WireAdviceArguments(.object(arguments))
  }

  /// The phrasing to a caller of the protocol, as a sentence.
  package var hint: String { Self.phrasing(of: name).map(filling) ?? "" }

  /// Returns a phrasing with the arguments inserted.
  package func filling(_ phrasing: String) -> String {
    var result = ""
    var rest = phrasing[...]
    while let begin = rest.firstIndex(of: "{") {
      result += rest[..<begin]
      rest = rest[begin...]
      let place = rest.firstIndex(of: "}").map { rest[rest.index(after: begin)..<$0] } ?? ""
      let parts = place.split(separator: "|", omittingEmptySubsequences: false)
      if let name = parts.first, let value = arguments.json[String(name)] {
        result += value.phrased(asAlternatives: parts.last == "or")
        rest = rest[place.endIndex...].dropFirst()
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}

/// The values in advice, by their names.
///
/// ```schema
/// {"type": "object"}
/// ```
public struct WireAdviceArguments: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The object.
  public var json: JSONValue

  package init(_ json: JSONValue) {
    self.json = json
  }

  public static let decodingPlaceholder = WireAdviceArguments(.object([]))
  public static let decodingExpectation = "an object of arguments"

  public init(from decoder: any Decoder) throws {
    json = try JSONValue(from: decoder)
    guard case .object = json else { throw DecodingError.expected(Self.self, in: decoder) }
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}

extension JSONValue {
  /// Returns the text of a value in advice, as a person writes it.
  fileprivate func phrased(asAlternatives: Bool) -> String {
    switch self {
    case .string(let text), .number(let text): text
    case .array(let elements):
      elements.compactMap(\.stringValue).map { asAlternatives ? "'\($0)'" : $0 }
        .joined(separator: asAlternatives ? " or " : ", ")
    default:
      (try? JSONDecoding.decode(WireTime.self, from: self))?.time.secondsDescription ?? ""
    }
  }
}
