/// The id of a request, stored as the exact bytes that were sent.
///
/// Two ids are equal when their values are: `1`, `1.0` and `10e-1` name the same request, `1` and
/// `"1"` do not.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  enum Value: Sendable, Hashable {
    case null
    case number(String)
    case string(String)
  }

  /// The JSON token as it was sent.
  public let token: [UInt8]
  let value: Value

  /// The id of a reply to a message whose id is unknown.
  public static let null = RequestID(token: [UInt8]("null".utf8), value: .null)

  /// Creates an id; nil for a JSON value that can't be an id.
  package init?(_ json: JSONValue, token: ArraySlice<UInt8>? = nil) {
    switch json {
    case .null: value = .null
    case .number(let text): value = .number(JSONNumber.canonical(text))
    case .string(let text): value = .string(text)
    default: return nil
    }
    self.token = token.map { [UInt8]($0) } ?? json.bytes
  }

  private init(token: [UInt8], value: Value) {
    self.token = token
    self.value = value
  }

  public static func == (left: RequestID, right: RequestID) -> Bool { left.value == right.value }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }

  /// The token, shortened.
  public var description: String {
    let text = String(decoding: token, as: UTF8.self)
    return text.utf8.count <= 80 ? text : String(text.unicodeScalars.prefix(60)) + "…"
  }
}
