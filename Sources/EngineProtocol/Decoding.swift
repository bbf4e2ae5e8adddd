import JSONRPC

extension DecodingError {
  /// Returns the error of hand-written decoding that found something other than a `type`.
  static func expected<T: DecodingPlaceholder>(
    _ type: T.Type, in decoder: any Decoder
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: type.decodingExpectation))
  }
}

/// A setting whose `null` means something other than its absence.
public protocol NullableSetting: Codable, Sendable {}

extension KeyedDecodingContainer {
  /// Decodes an optional member, called by synthesized decoding: nil only if the member is absent.
  func decodeIfPresent<Setting: NullableSetting>(
    _ type: Setting.Type, forKey key: Key
  ) throws -> Setting? {
    contains(key) ? try decode(type, forKey: key) : nil
  }
}
