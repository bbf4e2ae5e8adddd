/// A request: its stored properties are the params; its name and its result are on the type.
public protocol RequestType: Codable, Sendable {
  associatedtype Result: Codable & Sendable
  /// The method, written here and nowhere else.
  static var method: String { get }
}

/// A message without an answer, in either direction.
public protocol NotificationType: Codable, Sendable {
  /// The method, written here and nowhere else.
  static var method: String { get }
}

/// The result `{}` of a request without a result of its own.
public struct EmptyResult: Codable, Sendable, Equatable {
  /// Creates the result.
  public init() {}
}

/// The result `null`, for a protocol that requires it.
public struct NullResult: Codable, Sendable, Equatable {
  /// Creates the result.
  public init() {}

  public init(from decoder: any Decoder) throws {
    guard try decoder.singleValueContainer().decodeNil() else {
      throw DecodingError.typeMismatch(
        Self.self, .init(codingPath: decoder.codingPath, debugDescription: "null"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
