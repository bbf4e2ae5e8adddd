import JSONRPC

extension DecodingError {
  /// The error of hand-written decoding where something else than a `type` was found.
  static func expected<T: DecodingPlaceholder>(
    _ type: T.Type, in decoder: any Decoder
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: type.decodingExpectation))
  }
}

/// A setting for which `null` is something else than being left out.
public protocol NullableSetting: Codable, Sendable {}

extension KeyedDecodingContainer {
  /// What synthesized decoding of an optional member calls: nil only where the member is absent.
  func decodeIfPresent<Setting: NullableSetting>(
    _ type: Setting.Type, forKey key: Key
  ) throws -> Setting? {
    contains(key) ? try decode(type, forKey: key) : nil
  }
}
